"""The options of several commands: the address of a site, its build report, URLs to
request, and the output.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from docs_sitemap_cli.arguments import BASE_URL, FILE, choice_of
from docs_sitemap_cli.console import QUIET

if TYPE_CHECKING:
    from docs_sitemap_cli.published.client import HttpClient


base_url_option = click.option(
    "--base-url",
    "-b",
    metavar="URL",
    type=BASE_URL,
    help="The URL of the published site. By default, taken from the build or the site.",
)
report_option = click.option(
    "--report",
    "report_file",
    metavar="FILE",
    type=FILE,
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
        metavar=f"[{'|'.join(names)}]",
        type=choice_of("format", names),
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
