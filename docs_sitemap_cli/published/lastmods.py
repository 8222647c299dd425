"""The dates of existing sitemaps: the newest of them, and new ones. Every other byte
stays as it is.
"""

import io
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime

from docs_sitemap.sitemap.protocol import parse_w3c_datetime
from docs_sitemap.sitemap.reader import SitemapEntry, SitemapReader, read_chunks


def parse_lastmod(text: str | None) -> datetime | None:
    """Return the time of a date in a sitemap; `None` if it is missing or invalid."""
    with suppress(ValueError):
        return parse_w3c_datetime(text or "")
    return None


def newest_date(texts: Iterable[str | None]) -> str | None:
    """Return the newest valid date, as it is written."""
    dates: dict[str | None, datetime] = {}
    for text in dict.fromkeys(texts):
        date = parse_lastmod(text)
        if date is not None:
            dates[text] = date
    return max(dates, key=dates.__getitem__, default=None)


def update_lastmods(
    data: bytes, choose: Callable[[SitemapEntry, bool], str | None]
) -> tuple[bytes, list[str | None]]:
    """Replace or add dates in a sitemap or sitemap index.

    Args:
        data: The content of the file, uncompressed.
        choose: Receives an entry that has a `<loc>`, and whether the file is a sitemap
            index. Returns the new date, an empty text to remove it, or `None` to leave
            the entry as it is.

    Returns:
        The new content, and the dates in it.

    Raises:
        UnusableFileError: The file cannot be read to its end.
    """
    reader = SitemapReader()
    parts = []
    position = 0
    lastmods: list[str | None] = []
    for entry in reader.entries(read_chunks(io.BytesIO(data), "")):
        lastmod = None
        if entry.text("loc"):
            lastmod = choose(entry, reader.is_index)
        if lastmod is None:
            lastmods.append(entry.text("lastmod"))
            continue
        lastmods.append(lastmod or None)
        start, end, element = _place(data, entry, lastmod.encode())
        parts += [data[position:start], element]
        position = end
    return b"".join([*parts, data[position:]]), lastmods


def _place(data: bytes, entry: SitemapEntry, lastmod: bytes) -> tuple[int, int, bytes]:
    """Return the start and the end of what `<lastmod>` replaces, and the element."""
    loc = entry.fields["loc"]
    old = entry.fields.get("lastmod")
    # The prefix of the entry is valid in all of it. The only ">" of an end tag is its
    # last byte.
    end_tag = data[entry.end + len("</") : data.index(b">", entry.end)]
    prefix, colon, _ = end_tag.rpartition(b":")
    name = prefix + colon + b"lastmod"
    element = b""
    if lastmod:
        element = b"<%b>%b</%b>" % (name, lastmod, name)
    if old is None:
        # The schema of the protocol requires this order. The element is indented like
        # <loc>.
        position = data.index(b">", loc.end) + 1
        space = data[data.rfind(b">", 0, loc.start) + 1 : loc.start]
        if space.isspace():
            element = space + element
        return position, position, element
    if not old.text and data.endswith(b"/>", old.start, old.end):
        return old.start, old.end, element
    return old.start, data.index(b">", old.end) + 1, element
