"""The report of a site that no plugin has built, for other commands."""

import click

from docs_sitemap.build import plan_sitemap
from docs_sitemap.diagnostics import SitemapError
from docs_sitemap.result import SavedReport, make_saved_report
from docs_sitemap.sitemap.urls import BaseUrl
from docs_sitemap_cli.console import print_diagnostics

from .built_site import read_site
from .config_file import read_settings


def plan_report(site_dir: str, base_url: BaseUrl | None) -> SavedReport:
    """Return the report that `docs-sitemap generate` would save.

    Args:
        site_dir: The folder of the built site.
        base_url: Where it is published; `None` if the site itself says so.

    Raises:
        click.UsageError: The site cannot be read, or an option is invalid.
    """
    settings = {}
    if base_url is not None:
        settings["base_url"] = base_url
    try:
        site, notes = read_site(site_dir, read_settings(settings))
        planned = plan_sitemap(site)
    except SitemapError as error:
        raise click.UsageError(str(error)) from None
    print_diagnostics((*notes, *planned.diagnostics))
    return make_saved_report(planned, site)
