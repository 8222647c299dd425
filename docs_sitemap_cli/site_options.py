"""The options of several commands: the address of a site, its build report, and the
output.
"""

import click

from docs_sitemap.errors import UrlError
from docs_sitemap.sitemap.urls import BaseUrl, parse_base_url


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
    "report_file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="The report of the build. By default, the report that the last build on this "
    "machine saved.",
)
