"""Change the canonical link of a built page. Every other byte stays as it is."""

import html
import re
from collections.abc import Iterator
from itertools import islice

from docs_sitemap.built.head import Head
from docs_sitemap.built.html import MAX_HEAD, parse_head

_HREF = re.compile(rb"""\bhref\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))""", re.I)
# A new link is in front of the title: every document has one in its head.
_TITLE = re.compile(rb"<title[\s>]", re.I)
# Comments and scripts can contain texts that look like tags.
_MAX_PLACES = 20


def set_canonical_link(page: bytes, url: str) -> bytes | None:
    """Replace the canonical links in the head of a page, or add one. The parser checks
    each change, because comments, scripts, and attributes can contain texts that look
    like tags.

    Args:
        page: The complete HTML file.
        url: The canonical URL.

    Returns:
        The new content; `None` if the parser does not read it as intended, for example
        because the page is in UTF-16.
    """
    value = html.escape(url).encode()
    head = parse_head(page)
    places = list(islice(_find_targets(page, head), _MAX_PLACES))
    for start, end in reversed(places):
        changed = page[:start] + value + page[end:]
        new_head = parse_head(changed)
        if _gains_link(head, new_head, url):
            page = changed
            head = new_head
    if head.canonicals:
        return page if set(head.canonicals) == {url} else None
    element = b'<link rel="canonical" href="%b" />' % value
    for match in islice(_TITLE.finditer(page, 0, MAX_HEAD), _MAX_PLACES):
        place = match.start()
        changed = page[:place] + element + page[place:]
        if _gains_link(head, parse_head(changed), url):
            return changed
    return None


def _find_targets(page: bytes, head: Head) -> Iterator[tuple[int, int]]:
    """Yield the start and end of attributes with the targets of canonical links."""
    for match in _HREF.finditer(page, 0, MAX_HEAD):
        group = match.lastindex or 0
        target = match[group].decode("utf-8", "backslashreplace")
        if html.unescape(target).strip() in head.canonicals:
            yield match.span(group)


def _gains_link(old: Head, new: Head, url: str) -> bool:
    """Return whether a head has one more canonical link to a URL than before."""
    return new.canonicals.count(url) == old.canonicals.count(url) + 1
