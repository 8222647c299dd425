"""What the commands that use the network have in common."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from docs_sitemap.sitemap.urls import check_url

if TYPE_CHECKING:
    from .published.client import HttpClient

# A server that does not answer so many times in a row is not asked again.
MAX_FAILURES = 5


def open_client(named_urls: Iterable[str]) -> "HttpClient":
    """Return an HTTP client. Only this function loads it.

    Args:
        named_urls: The URLs that the user names. Requests go only to their schemes,
            hosts, and ports.

    Raises:
        click.UsageError: urllib3 is not installed.
    """
    try:
        from .published.client import HttpClient
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
