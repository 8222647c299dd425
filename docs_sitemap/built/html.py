"""The heads of built HTML pages, parsed by lexbor as browsers parse them.

The head has all that decides whether a page is listed, so a build parses nothing else.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from docs_sitemap.tools.files import StrPath, read_start

from .verdict import Head

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

# The heads of real themes are smaller. The rest of a larger head is not read.
MAX_HEAD = 2**20
# Nearly all heads are smaller, and most pages are much larger.
_USUAL_HEAD = 2**14

# https://www.rfc-editor.org/rfc/rfc9110#section-4.1: longer URLs need not work, and are
# ignored.
_MAX_URL = 8_000

# The names of robots meta elements: `robots` itself, and the crawlers of the largest
# search engines.
CRAWLERS = {"robots", "bingbot", "googlebot", "yandex"}

# A rule such as `max-image-preview: none` in a robots meta element.
_MAX_RULE = r"(?<![^\s,;:])max-[^\s,;:]*\s*:\s*[^\s,;:]*"

# https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps
_REFRESH = r"""(?isx)
    [\s]*[\d.]+ (?:[\s]*[;,][\s]*|[\s]+) (?:url[\s]*=[\s]*)?
    (?: "([^"]*) | '([^']*) | (.*) )"""

# All pages of coverage.py's reports load this script, since version 7.5.1 with a hash
# in its name. They declare neither a generator nor `noindex`.
_COVERAGE_SCRIPT = re.compile(r"coverage_html(?:_cb_[0-9a-f]{1,64})?\.js")

# A head that rules out its page contains one of these words, unless it writes their
# letters as character references.
_WORDS = [
    word.encode() for word in (*CRAWLERS, "refresh", "canonical", "coverage_html")
]
_REFERENCE = re.compile(rb"<[^<>]*&#")

# The elements of a head that `read_elements` reads. Most heads have many others.
_HEAD_ELEMENTS = {"base", "link", "meta", "noscript", "script", "title"}
_BODY = re.compile(rb"<body[\s>/]", re.I)
# Replaces the start tag of the body, to see whether the parser found the body there.
_BODY_MARK = "docs-sitemap-body"


def read_head(path: StrPath, url: str) -> Head:
    """Return what the head of a built page declares.

    Most heads only declare their own page as canonical. They are not parsed, and the
    result is empty.

    Args:
        path: The file.
        url: The URL of the page.

    Raises:
        OSError: The file cannot be read, or is not a regular file.
    """
    start = to_utf8(read_start(path, _USUAL_HEAD))
    if _rules_out_nothing(start, url):
        return Head()
    document = _parse_to_body(start)
    if document is None:
        return parse_head(read_start(path, MAX_HEAD))
    return read_elements(_head_elements(document))


def _rules_out_nothing(start: bytes, url: str) -> bool:
    """Return whether the start of a page, with its complete head, contains no word that
    could rule out the page.
    """
    # The head can quote the start of another body, so the last one counts.
    head, body, _ = start.rpartition(b"<body")
    if not body or b"</head>" not in head:
        return False
    href = url.replace("&", "&amp;")
    own = f'<link rel="canonical" href="{href}"'
    words = head.replace(own.encode(), b"").lower()
    for word in _WORDS:
        if word in words:
            return False
    return b"&#" not in words or _REFERENCE.search(words) is None


def parse_head(data: bytes) -> Head:
    """Return what the head of a page declares.

    Args:
        data: The bytes of the file, or at least those of the head.
    """
    start = to_utf8(data)[:MAX_HEAD]
    document = _parse_to_body(start)
    if document is None:
        document = parse_html(start)
    return read_document_head(document)


def read_document_head(document: LexborHTMLParser) -> Head:
    """Return what the head of a parsed page declares."""
    return read_elements(_head_elements(document))


def _parse_to_body(start: bytes) -> LexborHTMLParser | None:
    """Parse the start of a page up to its body; `None` if it contains no start tag of
    the body.
    """
    body = _BODY.search(start)
    if body is None:
        return None
    head = start[: body.start()]
    document = parse_html(b"%s<body id=%s>" % (head, _BODY_MARK.encode()))
    # A script, a comment, or a template can also contain the text `<body>`.
    if document.body is None or document.body.id != _BODY_MARK:
        return None
    return document


def _head_elements(document: LexborHTMLParser) -> Iterator[LexborNode]:
    """Yield the elements that a document and its head consist of. A CSS selector would
    take as long as the parser.
    """
    if document.root is not None:
        yield document.root
    if document.head is not None:
        for node in document.head.iter():
            if node.tag in _HEAD_ELEMENTS:
                yield node


def to_utf8(data: bytes) -> bytes:
    """Return a page in UTF-16 in UTF-8, and any other page as it is."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", "replace").encode()
    return data


def parse_html(data: bytes) -> LexborHTMLParser:
    """Parse a page or a part of one."""
    # Only builds that read HTML load the parser.
    from selectolax.lexbor import LexborHTMLParser

    # Other encodings have the same markup, and their text only needs to differ where it
    # changes.
    html = data.decode("utf-8-sig", "backslashreplace")
    # Search engines run scripts, so the content of <noscript> does not end the head.
    return LexborHTMLParser(html, scripting=True)


def read_elements(nodes: Iterable[LexborNode]) -> Head:
    """Return what the elements of a head declare, and all canonical links."""
    found: dict[str, str] = {}
    canonicals: list[str] = []
    for node in _with_noscript(nodes):
        attributes = node.attributes
        values: dict[str, str | None] = {}
        match node.tag:
            case "html":
                values = {"language": attributes.get("lang")}
            case "title":
                values = {"title": " ".join(node.text().split())}
            case "meta":
                values = _read_meta(attributes)
            case "base":
                values = {"base": _url(attributes.get("href"))}
            case "script":
                source = attributes.get("src") or ""
                if _COVERAGE_SCRIPT.fullmatch(source):
                    values = {"coverage_script": source}
            case "link":
                canonical = _canonical_link(attributes)
                if canonical is not None:
                    canonicals.append(canonical)
        for name, value in values.items():
            if value:
                found.setdefault(name, value)
    return Head(canonicals=tuple(canonicals), **found)


def _read_meta(attributes: _Attributes) -> dict[str, str | None]:
    """Return what a meta element declares, by the names in `Head`."""
    values: dict[str, str | None] = {}
    name = _lowered(attributes.get("name"))
    content = attributes.get("content") or ""
    if name in CRAWLERS and has_noindex(content):
        values["noindex"] = f"{name}: {' '.join(content.split())}"
    if name == "generator":
        values["generator"] = content
    if _lowered(attributes.get("http-equiv")) == "refresh":
        values["refresh"] = _refresh_target(content)
    return values


def _with_noscript(nodes: Iterable[LexborNode]) -> Iterator[LexborNode]:
    """Yield elements and, instead of `<noscript>`, what it contains: pages that
    redirect by script repeat the redirect there.
    """
    for node in nodes:
        if node.tag == "noscript":
            yield from parse_html(node.text().encode()).css("meta, link")
        else:
            yield node


# The values of attributes are `None` if they are empty.
_Attributes = Mapping[str, str | None]


def _lowered(value: str | None) -> str:
    return (value or "").strip().lower()


def _refresh_target(content: str) -> str | None:
    match = re.match(_REFRESH, content)
    if match is None:
        return None
    return _url(match[match.lastindex or 0])


def _canonical_link(attributes: _Attributes) -> str | None:
    if "canonical" not in _lowered(attributes.get("rel")).split():
        return None
    # A link with one of these attributes is about another language or device:
    # https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
    if attributes.keys() & {"hreflang", "lang", "media", "type"}:
        return None
    return _url(attributes.get("href"))


def _url(value: str | None) -> str | None:
    """Return the URL in an attribute; `None` if there is none."""
    url = (value or "").strip()
    if len(url) > _MAX_URL:
        return None
    return url or None


def has_noindex(content: str) -> bool:
    """Return whether the content of a robots meta element contains `noindex` or `none`,
    which is also a value of `max-image-preview`.

    Source:
    <https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag>.
    """
    words = re.split(r"[\s,;:]+", re.sub(_MAX_RULE, "", content.lower()))
    return "noindex" in words or "none" in words
