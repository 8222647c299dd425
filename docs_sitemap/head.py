"""What a built page says of itself in its `<head>`: robots, refresh, canonical."""

from __future__ import annotations

import codecs
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from html import unescape
from html.parser import HTMLParser
from urllib.parse import urljoin

from docs_sitemap.loc import same_page, same_url
from docs_sitemap.site import open_regular

# Heads with a whole theme in them stay below this; one that is longer is hostile.
_MAX_HEAD = 2**20
_CHUNK = 2**14

# Which crawlers' names stand in a robots meta element, beside `robots` itself: those of search
# engines, whose index a sitemap is for.
CRAWLERS = frozenset(
    (
        *("robots", "applebot", "baiduspider", "bingbot", "duckduckbot", "googlebot", "msnbot"),
        *("petalbot", "seznambot", "slurp", "yandex", "yandexbot", "yeti"),
    )
)

# https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead: any other element ends
# the head, whether its end is written or not. What stands in the first ones is no part of it.
_OPAQUE = frozenset(("noframes", "script", "style", "template", "title"))
_IN_HEAD = _OPAQUE | {"html", "head", "base", "basefont", "bgsound", "link", "meta", "noscript"}

# `none` may also be a size:
# https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
_PREVIEW = re.compile(r"max-[a-z-]+\s*:\s*[^\s,;]*")

# https://html.spec.whatwg.org/multipage/parsing.html#comment-start-state and those after it
_COMMENT = re.compile(r"<!--(?:-?>|.*?--!?>)", re.S)

# https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps
_REFRESH = re.compile(
    r"""[\s]*[\d.]+ (?:[\s]*[;,][\s]*|[\s]+) (?:url[\s]*=[\s]*)?
        (?: "([^"]*) | '([^']*) | (.*) )""",
    re.I | re.X | re.S,
)

# https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding
_CHARSET = re.compile(rb"""<meta\s[^>]*?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]+)""", re.I)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Of Python's codecs, those that browsers know, too: some of the others are none for text.
_ENCODINGS = re.compile(r"ascii|big5|cp(?:8|9|12)|euc|gb|iso|koi8|mac|shift_jis|utf-8$")


@dataclass(frozen=True, slots=True)
class Head:
    """What the head of a page says.

    Attributes:
        title: the text of `<title>`, without space at its ends.
        noindex: the first robots meta element that keeps the page out of an index, as
            `name: content`; `None` if there is none.
        refresh: where `<meta http-equiv="refresh">` sends readers, as written; `None` if
            nowhere.
        canonicals: the targets of all `<link rel="canonical">`, as written.
        base: the target of `<base>`, which the others are relative to.
    """

    title: str = ""
    noindex: str | None = None
    refresh: str | None = None
    canonicals: tuple[str, ...] = ()
    base: str | None = None

    def redirect(self, url: str) -> str | None:
        """Return the URL that the page, which is at `url`, sends its readers to; `None` if it
        keeps them, or only loads itself again.
        """
        target = None if self.refresh is None else self._absolute(url, self.refresh)
        return None if target is None or same_page(target, url) else target

    def canonical(self, url: str) -> str | None:
        """Return the URL that the page, which is at `url`, names as the canonical one, itself
        or another; `None` if it names none. Links that contradict each other count for nothing.

        Source: <https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls>.
        """
        targets = [self._absolute(url, href) for href in self.canonicals]
        first = targets[0] if targets else None
        if first is None or not all(other and same_url(first, other) for other in targets):
            return None
        return first

    def _absolute(self, url: str, href: str) -> str | None:
        try:
            return urljoin(urljoin(url, self.base or ""), href)
        except ValueError:  # no URL: browsers go nowhere, either
            return None


def read_head(path: str | os.PathLike[str]) -> Head:
    """Read the head of a built page; no more of the file than that is read.

    Broken markup and wrong encodings are read as browsers read them, as far as can be.

    Raises:
        OSError: the file cannot be read, or is none.
    """
    parser = _Parser()
    page = open_regular(path, buffering=0)
    if page is None:
        raise OSError(f"{os.fspath(path)} is no regular file")
    with page as file:
        data = file.read(_CHUNK)
        decoder = codecs.getincrementaldecoder(_encoding(data))("replace")
        size = read = len(data)
        # The parser's errors are those of some versions of Python; the decoder's, of some bytes.
        with suppress(_EndOfHead, AssertionError, ValueError):
            while data and read <= _MAX_HEAD:
                parser.feed(decoder.decode(data))
                # Twice as much each time: an element without an end is looked at again.
                data = file.read(size)
                read += len(data)
                size *= 2
    return parser.head()


def _encoding(start: bytes) -> str:
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            return encoding
    if declared := _CHARSET.search(start[:1024]):
        with suppress(LookupError):
            name = codecs.lookup(declared[1].decode()).name
            if _ENCODINGS.match(name):
                return name
    return "utf-8"


class _EndOfHead(Exception):  # noqa: N818  # nothing is wrong
    pass


class _Parser(HTMLParser):
    # A title is text in which only character references count:
    # https://html.spec.whatwg.org/multipage/syntax.html#escapable-raw-text-elements
    CDATA_CONTENT_ELEMENTS = ("script", "style", "title", "noframes")  # type: ignore[misc]

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._opaque: list[str] = []
        self._noscript = False
        self._title: list[str] = []
        self._noindex: str | None = None
        self._refresh: str | None = None
        self._canonicals: list[str] = []
        self._base: str | None = None
        self._read = {"meta": self._meta, "link": self._link, "base": self._note_base}

    def head(self) -> Head:
        title = "".join(self._title)
        with suppress(ValueError):  # a reference of thousands of digits
            title = unescape(title)
        return Head(
            " ".join(title.split()),
            self._noindex,
            self._refresh,
            tuple(self._canonicals),
            self._base,
        )

    def parse_comment(self, i: int, report: bool = True) -> int:
        comment = _COMMENT.match(self.rawdata, i)
        return -1 if comment is None else comment.end()

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        return self.parse_bogus_comment(i, report)  # what it is to browsers

    def parse_starttag(self, i: int) -> int:
        try:
            return super().parse_starttag(i)
        except ValueError:  # a character reference of thousands of digits
            return self.check_for_whole_start_tag(i)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._opaque:
            if tag == self._opaque[-1] == "template":
                self._opaque.append(tag)
            return
        if tag not in _IN_HEAD:
            if self._noscript:  # an image that counts readers
                return
            raise _EndOfHead
        if tag == "noscript":
            # Redirects by script have one for the readers, and crawlers, that run none.
            self._noscript = True
        elif tag in _OPAQUE:
            self._opaque.append(tag)
        elif tag in self._read:
            # Of an attribute that is given twice, the first counts.
            values = {name: value or "" for name, value in reversed(attrs)}
            self._read[tag](values)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)  # in HTML, the slash means nothing

    def handle_endtag(self, tag: str) -> None:
        if self._opaque:
            if tag == self._opaque[-1]:
                self._opaque.pop()
        elif tag == "noscript":
            self._noscript = False
        elif tag in ("body", "html", "br"):
            raise _EndOfHead

    def handle_data(self, data: str) -> None:
        if self._opaque == ["title"]:
            self._title.append(data)
        elif not self._opaque and not self._noscript and data.strip("\ufeff \t\n\r\f"):
            raise _EndOfHead

    def _meta(self, values: dict[str, str]) -> None:
        content = values.get("content", "")
        name = values.get("name", "").strip().lower()
        if name in CRAWLERS and self._noindex is None:
            words = re.split(r"[\s,;]+", _PREVIEW.sub("", content.lower()))
            if not {"noindex", "none"}.isdisjoint(words):
                self._noindex = f"{name}: {' '.join(content.split())}"
        refreshes = values.get("http-equiv", "").strip().lower() == "refresh"
        if refreshes and self._refresh is None and (found := _REFRESH.match(content)):
            self._refresh = next(filter(None, found.groups()), "").strip() or None

    def _link(self, values: dict[str, str]) -> None:
        href = values.get("href", "").strip()
        # Those of a page in another language, or for another device, are no canonical links:
        # https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
        plain = values.keys().isdisjoint(("hreflang", "lang", "media", "type"))
        if href and plain and "canonical" in values.get("rel", "").lower().split():
            self._canonicals.append(href)

    def _note_base(self, values: dict[str, str]) -> None:
        if self._base is None:
            self._base = values.get("href", "").strip() or None
