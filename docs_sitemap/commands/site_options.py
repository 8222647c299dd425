"""The options of several commands: the address of a site, its build report, and the
output.
"""

import click

from docs_sitemap.build_report import SavedReport, read_report
from docs_sitemap.errors import UrlError
from docs_sitemap.sitemap.urls import BaseUrl, parse_base_url
from docs_sitemap.tools.cache_folder import find_report_paths
from docs_sitemap.tools.json_store import StoreError

from .console import print_line


def parse_base_url_option(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> BaseUrl | None:
    """Parse the value of `--base-url`."""
    try:
        return None if value is None else parse_base_url(value)
    except UrlError as error:
        raise click.BadParameter(str(error), ctx, param) from None


base_url_option = click.option(
    "--base-url",
    metavar="URL",
    callback=parse_base_url_option,
    help="The URL at which the site is published. By default, the one that the build "
    "or the site itself names.",
)
format_option = click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The output: text for people, or JSON for programs.",
)
report_option = click.option(
    "--report",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="The report of the build. By default, the report that the last build on this "
    "machine saved.",
)


def find_report(site_dir: str, report_file: str | None) -> SavedReport | None:
    """Return the report of the build of a site, and print a note if it is outdated. An
    outdated report is used only if the user named it.

    Args:
        site_dir: The folder of the site.
        report_file: The value of `--report`.

    Raises:
        click.UsageError: The file that the user named is not a valid report.
    """
    report = None
    for path in find_report_paths(site_dir) if report_file is None else [report_file]:
        try:
            report = read_report(path)
        except StoreError as error:
            if report_file is not None:
                raise click.UsageError(
                    f"--report: {report_file} is not a valid build report: {error}. "
                    "Fix: build the site again"
                ) from None
            continue
        if report.matches(site_dir):
            return report
    if report is not None:
        print_line(
            "Note: the report of the build does not match: another build wrote or "
            f"removed the sitemap in {site_dir}. Fix: build the site again, with "
            "site_url in MkDocs or html_baseurl in Sphinx, or run docs-sitemap "
            "generate again",
            stderr=True,
        )
    return None if report_file is None else report
