"""Split entries into as many sitemaps as the limits of the protocol require.

Source: <https://www.sitemaps.org/protocol.html#index>.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from docs_sitemap.errors import TemplateError
from docs_sitemap.sitemap.protocol import MAX_BYTES, MAX_ENTRIES, NewestDate, Url
from docs_sitemap.sitemap.render import Renderer

_T = TypeVar("_T")


def split(
    entries: Sequence[_T],
    render: Callable[[Sequence[_T]], bytes],
    *,
    max_entries: int = MAX_ENTRIES,
    max_bytes: int = MAX_BYTES,
) -> list[bytes]:
    """Render as many sitemaps as the limits require. All of them are in memory.

    Args:
        entries: The entries in order.
        render: Renders some of them as one sitemap.
        max_entries: The number of entries that a file may have.
        max_bytes: The number of bytes that a file may have.

    Raises:
        TemplateError: A single entry takes more than `max_bytes`.
    """
    parts: list[bytes] = []
    for start in range(0, len(entries), max_entries):
        chunk = entries[start : start + max_entries]
        part = render(chunk)
        if len(part) <= max_bytes:
            parts.append(part)
        elif len(chunk) == 1:
            raise TemplateError(f"a sitemap with one entry has more than {max_bytes:,} bytes")
        else:
            # The sizes of entries differ. Make a quarter more parts than the mean size requires.
            number = max(2, -(-len(part) * 5 // (max_bytes * 4)))
            size = -(-len(chunk) // number)
            parts += split(chunk, render, max_entries=size, max_bytes=max_bytes)
    return parts


class WrittenPart(NamedTuple):
    """A sitemap in a new file: its path, and the newest date in it."""

    path: Path
    lastmod: str | None


def write_parts(
    urls: Iterable[Url],
    folder: Path,
    *,
    alternates: bool,
    comment: str = "",
) -> list[WrittenPart]:
    """Write as many sitemaps as the limits require, with constant memory.

    Args:
        urls: The entries in order.
        folder: The folder of the new files.
        alternates: Whether any entry has alternates.
        comment: A comment at the start of each file.

    Raises:
        OSError: A file cannot be written.
    """
    renderer = Renderer()
    start, end = renderer.frame(alternates=alternates, comment=comment)
    parts: list[WrittenPart] = []
    entries = renderer.entries(urls, alternates=alternates, comment=comment)
    entry = next(entries, None)
    while entry is not None:
        path = folder / f"part-{len(parts)}.xml"
        newest = NewestDate()
        with path.open("wb") as file:
            size = file.write(start) + len(end)
            number = 0
            while entry is not None and number < MAX_ENTRIES:
                url, data = entry
                size += len(data)
                if number and size > MAX_BYTES:
                    break
                file.write(data)
                newest.add(url.lastmod)
                number += 1
                entry = next(entries, None)
            file.write(end)
        parts.append(WrittenPart(path, newest.text))
    return parts
