"""What the index lists: the sitemaps of the versions."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import click

from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.sitemap.protocol import (
    MAX_BYTES,
    MAX_ENTRIES,
    Url,
    part_name,
)
from docs_sitemap.sitemap.render import Renderer
from docs_sitemap.sitemap.split import split
from docs_sitemap.sitemap.urls import NormalizedUrl, make_loc
from docs_sitemap_cli.published.lastmods import newest_date

from .children import Child, entries_on, read_children
from .layout import MARK, Deployed, Layout
from .moved_urls import Move, find_move
from .valid_values import past_date


class SitemapIndex:
    """The index of the sitemaps of the listed versions.

    Attributes:
        urls: The number of URLs in all sitemaps.
        diagnostics: The sitemaps that cannot be used.

    Args:
        layout: What is deployed.
        filename: The name of the index.
    """

    def __init__(self, layout: Layout, filename: str) -> None:
        self.urls = 0
        self.diagnostics: list[Diagnostic] = []
        self._layout = layout
        self._filename = filename
        self._now = datetime.now(UTC)
        self._renderer = Renderer()
        # Several indexes of versions may list the same sitemap.
        self._known: set[str] = set()
        self._deployed: list[Url] = []
        # The sitemaps that are written next to the index, and their contents by name.
        self._moved: list[Url] = []
        self._contents: dict[str, bytes] = {}

    @property
    def sitemaps(self) -> list[Url]:
        """The sitemaps that it lists."""
        return self._deployed + self._moved

    def add(self, version: Deployed) -> str | None:
        """Add the sitemaps of a version. Return why it is not listed."""
        if version.sitemap is None:
            self.diagnostics.append(
                Diagnostic(
                    "no-sitemap",
                    f"{version.folder} has no sitemap: it was deployed without one",
                    Severity.WARNING,
                    "build and deploy it again, or choose others with --versions",
                )
            )
            return "it has no sitemap"
        move = find_move(self._layout, version)
        base_url = self._layout.url_of("")
        dates = []
        for child in read_children(self._layout.tree, base_url, version.sitemap, move):
            if child.fault is not None:
                fix = f"{child.fault.fix}, or ignore its folder with --skip"
                self.diagnostics.append(replace(child.fault, fix=fix))
                continue
            version.sitemaps.append(child.sitemap.name)
            version.urls += len(child.dates)
            # Most pages share their dates with others.
            texts = dict.fromkeys(child.dates.values())
            lastmod = newest_date(past_date(text, self._now) for text in texts)
            dates.append(lastmod)
            if child.loc in self._known:
                continue
            self._known.add(child.loc)
            self.urls += len(child.dates)
            if move is None:
                self._deployed.append(Url(child.loc, lastmod))
            else:
                self._add_moved(child, move)
        version.lastmod = newest_date(dates)
        return None if version.sitemaps else "its sitemap cannot be used"

    def _add_moved(self, child: Child, move: Move) -> None:
        """Add a copy of a sitemap with other URLs."""
        moved: dict[NormalizedUrl, Url] = {}
        host = f"{self._layout.url_of('').origin}/"
        for url, entry in entries_on(host, child.sitemap):
            moved.setdefault(move.normalized(url), move.entry(entry, self._now))
        urls = [moved[url] for url in sorted(moved)]
        render = partial(self._renderer.sitemap, comment=MARK)
        for entries, content in split(urls, render):
            name = part_name(self._filename, len(self._moved) + 1)
            loc = make_loc(self._layout.base_url, name)
            self._moved.append(Url(loc, newest_date(url.lastmod for url in entries)))
            self._contents[name] = content

    def render(self) -> dict[str, bytes]:
        """Return the contents of the files to write by name, the index itself first.

        Raises:
            click.UsageError: An index cannot list so many sitemaps.
        """
        index = self._renderer.index(self.sitemaps, comment=MARK)
        number = len(self.sitemaps)
        if number > MAX_ENTRIES or len(index) > MAX_BYTES:
            raise click.UsageError(
                f"the index would list {number:,} sitemaps, and the protocol allows "
                f"{MAX_ENTRIES:,} in {MAX_BYTES:,} bytes. Fix: list fewer versions"
            )
        return {self._filename: index, **self._contents}
