"""The parameters that name a built site, and the report of its build."""

from __future__ import annotations

import click

from docs_sitemap.errors import ReportError, UrlError
from docs_sitemap.loc import check_base_url
from docs_sitemap.model import printable
from docs_sitemap.report import KeptReport, kept_path, read_report


def _check_base_url(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    try:
        return None if value is None else check_base_url(value)
    except UrlError as error:
        raise click.BadParameter(str(error), ctx, param) from None


base_url_option = click.option(
    "--base-url",
    metavar="URL",
    callback=_check_base_url,
    help="Where the site is published. By default, what its build told, or what its URLs tell.",
)
report_option = click.option(
    "--report",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="The report of the build. By default, the one that the last build on this machine kept.",
)


def find_report(site_dir: str, named: str | None, *, even_stale: bool = False) -> KeptReport | None:
    """Return the report of the build of a site.

    Args:
        site_dir: the folder of the site.
        named: the report that the user named.
        even_stale: whether one that is kept serves, though another build wrote the sitemap.

    Raises:
        click.UsageError: that one is no report.
    """
    path = named or kept_path(site_dir)
    if path is None:
        return None
    try:
        report = read_report(path)
    except ReportError as error:
        if named is not None:
            raise click.UsageError(printable(f"--report: {error}")) from None
        return None
    if report.is_of(site_dir):
        return report
    used = even_stale or named is not None
    click.echo(
        printable(
            f"Note: the report of the build is {'' if used else 'not used, for it is '}"
            f"not of the sitemap in {site_dir}: another build wrote that"
        ),
        err=True,
    )
    return report if used else None
