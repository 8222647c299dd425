"""Split entries into as many sitemaps as the limits of the protocol require.

Source: <https://www.sitemaps.org/protocol.html#index>.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from docs_sitemap.diagnostics import TemplateError

from .protocol import MAX_BYTES, MAX_ENTRIES

_T = TypeVar("_T")


def split(
    entries: Iterable[_T],
    render: Callable[[Sequence[_T]], bytes],
    *,
    max_entries: int = MAX_ENTRIES,
    max_bytes: int = MAX_BYTES,
) -> Iterator[tuple[Sequence[_T], bytes]]:
    """Render as many sitemaps as the limits require, and yield each with its entries.

    Args:
        entries: The entries in order.
        render: Renders some of them as one sitemap.
        max_entries: The number of entries that a file may have.
        max_bytes: The number of bytes that a file may have.

    Raises:
        TemplateError: A single entry takes more than `max_bytes`.
    """
    pending = iter(entries)
    while True:
        chunk = list(islice(pending, max_entries))
        if not chunk:
            return
        part = render(chunk)
        if len(part) <= max_bytes:
            yield chunk, part
        elif len(chunk) == 1:
            message = f"a sitemap with one entry has more than {max_bytes:,} bytes"
            raise TemplateError(message)
        else:
            # The sizes of entries differ. Make a quarter more parts than the mean size
            # requires.
            number = max(2, -(-len(part) * 5 // (max_bytes * 4)))
            size = -(-len(chunk) // number)
            yield from split(chunk, render, max_entries=size, max_bytes=max_bytes)
        del chunk, part  # A part can be large: forget it before the next one is made.
