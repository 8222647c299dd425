"""The options of all commands: where a site is published, and the report of its build."""

from __future__ import annotations

import click

from docs_sitemap._cli.console import LinePrinter
from docs_sitemap._errors import ReportError, UrlError
from docs_sitemap._saved_report import SavedReport, read_report, saved_report_path
from docs_sitemap._urls import BaseUrl, parse_base_url


def _parse_base_url(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> BaseUrl | None:
    try:
        return None if value is None else parse_base_url(value)
    except UrlError as error:
        raise click.BadParameter(str(error), ctx, param) from None


base_url_option = click.option(
    "--base-url",
    metavar="URL",
    callback=_parse_base_url,
    help="The URL at which the site is published. By default, the base URL in the report of the "
    "build, or the one that fits the URLs of the sitemap.",
)
report_option = click.option(
    "--report",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="The report of the build. By default, the report that the last build on this machine "
    "saved.",
)


def find_report(
    site_dir: str, report_file: str | None, *, allow_outdated: bool = False
) -> SavedReport | None:
    """Return the report of the build of a site, and print a note if it is outdated.

    Args:
        site_dir: The folder of the site.
        report_file: The value of `--report`.
        allow_outdated: Whether to return a saved report if another build wrote the sitemap.

    Raises:
        click.UsageError: The file that the user named is not a valid report.
    """
    path = report_file or saved_report_path(site_dir)
    if path is None:
        return None
    try:
        report = read_report(path)
    except ReportError as error:
        if report_file is not None:
            raise click.UsageError(f"--report: {error}") from None
        return None
    if report.matches(site_dir):
        return report
    is_used = allow_outdated or report_file is not None
    message = (
        f"Note: the report of the build {'does not match' if is_used else 'is not used'}: "
        f"another build wrote the sitemap in {site_dir}. Fix: build the site again"
    )
    LinePrinter(stderr=True).line(message)
    return report if is_used else None
