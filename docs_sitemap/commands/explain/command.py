"""`docs-sitemap explain`."""

from __future__ import annotations

import click
import msgspec

from docs_sitemap.commands.console import JSON_VERSION, print_json
from docs_sitemap.commands.explain.formats import print_text
from docs_sitemap.commands.explain.pages import ExplainResult, explain_pages
from docs_sitemap.commands.site_options import (
    base_url_option,
    find_report,
    format_option,
    report_option,
)
from docs_sitemap.sitemap.urls import BaseUrl


class ExplainJson(msgspec.Struct, frozen=True, kw_only=True):
    """The document that `docs-sitemap explain --format json` prints.

    Attributes:
        version: The version of this format.
        has_report: Whether there is a report of the build.
        results: The results, one for each page that the command names.
    """

    version: int = JSON_VERSION
    has_report: bool
    results: list[ExplainResult]


@click.command(
    epilog="""\b
Examples:
  docs-sitemap explain site guide/setup.md
  docs-sitemap explain site https://example.org/docs/guide/ /docs/about/
  docs-sitemap explain --report report.json --format json site index.md
  docs-sitemap explain --all --format json site

\b
Exit codes:
  0  all pages exist
  1  a page does not exist in the site""",
)
@click.argument("site_dir", metavar="SITE_DIR", type=click.Path(exists=True, file_okay=False))
@click.argument("pages", metavar="URL|PAGE...", nargs=-1)
@click.option("--all", "is_all", is_flag=True, help="Explain all pages of the build.")
@base_url_option
@format_option
@report_option
@click.pass_context
def explain(
    ctx: click.Context,
    site_dir: str,
    pages: tuple[str, ...],
    is_all: bool,
    base_url: BaseUrl | None,
    output_format: str,
    report: str | None,
) -> None:
    """Explain why pages are listed, and where their dates come from.

    Name a page by its URL, by the path of its URL, by its source file, or by its file in SITE_DIR.
    """
    saved = find_report(site_dir, report)
    if is_all and pages:
        raise click.UsageError("--all explains all pages. Fix: name no page, or omit --all.")
    if is_all and saved is None:
        raise click.UsageError("--all needs the report of the build. Fix: build the site again.")
    if not is_all and not pages:
        raise click.MissingParameter(ctx=ctx, param=ctx.command.params[1])
    results = explain_pages(site_dir, None if is_all else pages, report=saved, base_url=base_url)
    has_report = saved is not None
    if output_format == "json":
        print_json(ExplainJson(has_report=has_report, results=results))
    else:
        print_text(results, site_dir, has_report)
    ctx.exit(0 if all(result.pages for result in results) else 1)
