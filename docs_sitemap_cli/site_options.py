"""The options of several commands: the address of a site, its build report, URLs to
request, and the output.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from docs_sitemap.diagnostics import UrlError
from docs_sitemap.sitemap.urls import BaseUrl, check_url, parse_base_url
from docs_sitemap_cli.console import QUIET

if TYPE_CHECKING:
    from docs_sitemap_cli.published.client import HttpClient


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
    "-b",
    metavar="URL",
    callback=parse_base_url_option,
    help="The URL of the published site. By default, taken from the build or the site.",
)
report_option = click.option(
    "--report",
    "report_file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="The report of the build. By default, the last one saved on this machine.",
)


def _be_quiet(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    ctx.meta[QUIET] = value


quiet_option = click.option(
    "--quiet",
    "-q",
    is_flag=True,
    expose_value=False,
    callback=_be_quiet,
    help="Print only problems.",
)


def format_option(
    formats: Iterable[str] = ("text", "json"),
    text: str = "Text for people, or JSON for programs.",
) -> Callable[[click.decorators.FC], click.decorators.FC]:
    """Return the option `--format`.

    Args:
        formats: The formats, the default one first.
        text: The help.
    """
    names = list(formats)
    return click.option(
        "--format",
        "-f",
        "output_format",
        type=click.Choice(names),
        default=names[0],
        show_default=True,
        help=text,
    )


def open_client(named_urls: Iterable[str]) -> "HttpClient":
    """Return an HTTP client. Only this function loads it.

    Args:
        named_urls: The URLs that the user names. Requests go only to their schemes,
            hosts, and ports.

    Raises:
        click.UsageError: urllib3 is not installed.
    """
    try:
        from docs_sitemap_cli.published.client import HttpClient
    except ImportError:
        raise click.UsageError(
            "URLs need the package urllib3. Fix: pip install 'docs-sitemap[online]'"
        ) from None
    return HttpClient(named_urls)


def parse_url_value(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> str | None:
    """Check that a value is an http or https URL."""
    if value is None:
        return None
    checked = check_url(value)
    if checked.normalized is None:
        message = ", ".join(message for _, message in checked.faults)
        raise click.BadParameter(message, ctx, param)
    return value
