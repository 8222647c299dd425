"""Hosts at which no site is published: those of the local network, and those that
examples use.
"""

import re
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from .rules import Rule, error, notice
from .urls import NormalizedUrl

# https://www.rfc-editor.org/rfc/rfc6761 and https://www.rfc-editor.org/rfc/rfc6762:
# no public server has such a name.
_LOCAL_DOMAINS = ("localhost", "local", "test")

# https://www.rfc-editor.org/rfc/rfc2606 and https://www.rfc-editor.org/rfc/rfc6761, and
# how generators and hosts call what the user should replace, such as
# `your-docusaurus-site.example.com`, `username.github.io`, or `mydomain.org`.
_PLACEHOLDER = re.compile(
    r"""(?:.+\.)? (?:
        example\.(?:com|edu|net|org) | (?:.+\.)?(?:example|invalid)
        | (?:example|user-?name)\.[^.]+\.(?:app|dev|io)
        | (?: my(?:domain|site)
            | your-?(?:.+-)?
              (?:company|domain|name|org|project|site|user(?:name)?|website)
          ) \.[^.]+ (?:\.(?:app|dev|io))?
    )""",
    re.X,
)

LOCAL_ADDRESS = error(
    "local-address",
    "a URL leads to a local server, which search engines cannot reach",
    "set the address of the published site in the configuration of the generator, "
    "then build again; if only people in your network read the site, add --ignore "
    "local-address",
)

PLACEHOLDER_ADDRESS = notice(
    "placeholder-address",
    "a URL has an example address instead of its own",
    "set the address of the published site in the configuration of the generator, "
    "then build again",
)


def is_local(url: str) -> bool:
    """Return whether a URL leads to the computer or the local network of its reader."""
    host = _host(url)
    with suppress(ValueError):
        return ip_address(host).is_private
    return host.rpartition(".")[2] in _LOCAL_DOMAINS


# All URLs of a site have few origins.
@lru_cache(maxsize=256)
def check_origin(origin: str) -> tuple[Rule, str] | None:
    """Return the rule that the start of a URL breaks, with a message; `None` if search
    engines may reach its host.

    Args:
        origin: The scheme, host, and port.
    """
    if is_local(origin):
        return LOCAL_ADDRESS, f"{origin} is a local server"
    if _PLACEHOLDER.fullmatch(_host(origin)):
        return PLACEHOLDER_ADDRESS, f"{origin} is an example address"
    return None


def _host(url: str) -> str:
    """Return the host of a URL in lower case; empty if it has none."""
    with suppress(ValueError):
        return (urlsplit(NormalizedUrl(url)).hostname or "").rstrip(".")
    return ""
