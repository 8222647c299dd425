"""`docs-sitemap explain`."""

import os

import click
import msgspec

from docs_sitemap.sitemap.urls import BaseUrl
from docs_sitemap.tools.printing import shorten
from docs_sitemap.tools.suggestion import suggest
from docs_sitemap_cli.arguments import check_folder, no_pages
from docs_sitemap_cli.console import JSON_VERSION, print_json
from docs_sitemap_cli.published.find_report import find_report
from docs_sitemap_cli.site_options import (
    base_url_option,
    format_option,
    report_option,
)

from .formats import print_codes, print_text
from .pages import ExplainResult, explain_pages


class ExplainJson(msgspec.Struct, frozen=True, kw_only=True):
    """The document that `docs-sitemap explain --format json` prints.

    Attributes:
        version: The version of this format.
        results: The results, one for each page that the command names, or for all
            pages.
    """

    version: int = JSON_VERSION
    results: list[ExplainResult]


@click.command(
    epilog="""\b
Examples:
  docs-sitemap explain site guide/setup.md
  docs-sitemap explain site https://example.org/docs/guide/ /docs/about/
  docs-sitemap explain --format json site
  docs-sitemap explain not-found

\b
Exit codes:
  0  all pages exist, or the code does
  1  a page does not exist in the site""",
)
@click.argument("site_dir", metavar="SITE_DIR|CODE")
@click.argument("pages", metavar="[URL|PAGE...]", nargs=-1)
@base_url_option
@format_option()
@report_option
@click.pass_context
def explain(
    ctx: click.Context,
    site_dir: str,
    pages: tuple[str, ...],
    base_url: BaseUrl | None,
    output_format: str,
    report_file: str | None,
) -> None:
    """Explain pages, their dates, and codes.

    Pass pages as URLs or their paths, source files, or files in SITE_DIR. Without any,
    all pages are explained. Or pass a code that a message shows, such as not-found, to
    see what it means.
    """
    may_be_code = not pages and output_format == "text"
    if may_be_code and not os.path.lexists(site_dir):
        _explain_code(site_dir)
        return
    check_folder(site_dir)
    report = find_report(site_dir, report_file)
    results = explain_pages(site_dir, pages, report=report, base_url=base_url)
    if not results:
        raise no_pages(site_dir)
    if output_format == "json":
        print_json(ExplainJson(results=results))
    else:
        print_text(results, site_dir, report)
    ctx.exit(0 if all(result.pages for result in results) else 1)


def _explain_code(code: str) -> None:
    """Print what a code means.

    Raises:
        click.UsageError: There is neither a code nor a folder with this name.
    """
    # Only codes need the rules of `check`.
    from docs_sitemap_cli.codes import explained_codes

    codes = list(explained_codes())
    # Sphinx prints `sitemap.git`.
    named = [one for one in codes if code in (one.code, one.code.split(".")[-1])]
    if named:
        print_codes(named)
        return
    similar = suggest(code, [one.code for one in codes])
    if similar is None:
        check_folder(code, "pass a code such as not-found, build the site first")
    raise click.UsageError(
        f"there is no folder or code {shorten(code)}. Fix: use {similar}"
    )
