"""What robots.txt says of a site: <https://www.rfc-editor.org/rfc/rfc9309>."""

from __future__ import annotations

import codecs
from typing import BinaryIO

from protego import Protego

# https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec#file-format
_MAX_BYTES = 500 * 1024
# Each rule counts for each crawler that is named: a hostile file multiplies the two.
_MAX_LINES = 2_000

# Those whose search engines a sitemap is for; all others go by the rules for all.
_AGENTS = ("Googlebot", "Bingbot")

# As some write it, and crawlers read it.
_SITEMAP = ("sitemap", "site-map")


class Robots:
    """A robots.txt.

    Attributes:
        has_mark: whether it starts with a byte order mark.
        is_cut: whether it is too long, and its last rules do not count here.
        sitemaps: the URLs of the sitemaps that it names, as written.
    """

    def __init__(self, data: bytes) -> None:
        self.has_mark = data.startswith(codecs.BOM_UTF8)
        text = data[:_MAX_BYTES].decode("utf-8-sig", "replace")
        lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
        named = [line for line in lines if line.lstrip().lower().startswith(_SITEMAP)]
        self.sitemaps = tuple(Protego.parse("\n".join(named)).sitemaps)
        told = [*filter(str.strip, lines)]
        self.is_cut = len(data) > _MAX_BYTES or len(told) > _MAX_LINES
        self._rules = Protego.parse("\n".join(told[:_MAX_LINES]))
        lower = text.lower()
        self._named = {agent for agent in _AGENTS if agent.lower() in lower}

    def forbids(self, url: str) -> str | None:
        """Return which crawlers may not read a URL, as a phrase; `None` if the search engines
        may that a sitemap is for.
        """
        others_may = self._rules.can_fetch(url, "*")
        shut_out = [
            agent
            for agent in _AGENTS
            if not (self._rules.can_fetch(url, agent) if agent in self._named else others_may)
        ]
        if not shut_out:
            return None
        if others_may:
            return " and ".join(shut_out)
        if len(shut_out) == len(_AGENTS):
            return "all crawlers"
        named = [agent for agent in shut_out if agent in self._named]
        return " and ".join([*named, "crawlers that it does not name"])


def read_robots(file: BinaryIO) -> Robots:
    """Read a robots.txt, as far as crawlers do."""
    return Robots(file.read(_MAX_BYTES + 1))
