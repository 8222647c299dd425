"""`docs-sitemap compare`."""

import os
from contextlib import ExitStack

import click
import msgspec

from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.git.run import GitError
from docs_sitemap_cli.branch import check_out
from docs_sitemap_cli.console import print_diagnostics
from docs_sitemap_cli.published.find_report import find_project, find_report
from docs_sitemap_cli.published.folder import SiteFolder
from docs_sitemap_cli.published.read_sitemaps import read_entries
from docs_sitemap_cli.site_options import format_option, report_option

from .comparison import compare_sitemaps, find_changed_sweeps, find_lost
from .formats import COMPARE_FORMATS


@click.command(
    epilog="""\b
Examples:
  docs-sitemap compare before.xml site
  docs-sitemap compare --fail-on-removed --format markdown gh-pages site

\b
Exit codes:
  0  no URLs are lost, or --fail-on-removed is not set
  1  a URL disappears and nothing redirects it to a page""",
)
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="AFTER")
@click.option(
    "--fail-on-removed",
    is_flag=True,
    help="Fail if a URL disappears from the site, unless a page or a line in "
    "_redirects (Netlify, Cloudflare Pages) redirects it.",
)
@format_option(
    COMPARE_FORMATS,
    "Text for people, JSON for programs, or Markdown for reviews and job summaries.",
)
@report_option
def compare(
    before: str,
    after: str,
    fail_on_removed: bool,
    output_format: str,
    report_file: str | None,
) -> None:
    """Compare the URLs, dates, and hreflang links of two sitemaps.

    BEFORE and AFTER are sitemaps, built sites, or branches such as gh-pages (BRANCH:DIR
    for a folder), which git checks out into a temporary folder. The report of the build
    of AFTER shows why it excluded pages.
    """
    site_dir = after if os.path.isdir(after) else os.path.dirname(after)
    report = find_report(site_dir, report_file)
    with ExitStack() as stack:
        _, old_base, old_entries = read_entries(_open(before, stack))
        folder, base_url, entries = read_entries(_open(after, stack), report)
        for place, pages in ((before, old_entries), (after, entries)):
            if not pages:
                message = (
                    f"{place} lists no URLs, so no page can be missing or differ. Fix: "
                    "build the site with its address, or run docs-sitemap generate"
                )
                print_diagnostics([Diagnostic("empty", message)])
        comparison = compare_sitemaps(old_entries, entries, report=report)
        project = os.curdir
        if report is not None:
            project = find_project(report, site_dir, report_file)
        sweeps = find_changed_sweeps(comparison.dates, report, project)
        comparison = msgspec.structs.replace(comparison, sweeps=sweeps)
        if fail_on_removed:
            gone = sorted([*comparison.removed, *comparison.changed])
            lost = list(find_lost(gone, old_base, folder, base_url))
            comparison = msgspec.structs.replace(comparison, lost=lost)
    COMPARE_FORMATS[output_format](comparison)
    click.get_current_context().exit(1 if comparison.lost else 0)


def _open(place: str, stack: ExitStack) -> str | SiteFolder:
    """Return the path of a file or folder, or the folder of a branch.

    Args:
        place: What the user wrote.
        stack: Removes the temporary folder of the branch.

    Raises:
        click.UsageError: It is none of them, or git fails.
    """
    if os.path.lexists(place):
        return place
    try:
        return stack.enter_context(check_out(place)).folder
    except GitError as error:
        fix = error.fix or "correct the name"
        raise click.UsageError(f"{place}: {error}. Fix: {fix}") from None
