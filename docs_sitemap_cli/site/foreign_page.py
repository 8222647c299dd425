"""Pages of other hosts, reduced to what decides whether search engines show them.

The parser of HTML needs the square of the time, or any amount of memory, for some
markup: thousands of attributes in a tag, or of elements in each other. None of it is
left in a reduced page.
"""

import re

from docs_sitemap.built.html import to_utf8

# https://html.spec.whatwg.org/multipage/syntax.html#attributes-2: what follows in a tag
# with more of them is text.
_ATTRIBUTES = rb"""
    (?: [\s/]*+ [^\s/>=][^\s/>=]*+
        (?: \s*+ = \s*+ (?: "[^"]*+" | '[^']*+' | [^\s"'>][^\s>]*+ ) )?+
    ){0,100}+
"""

# Each match starts where the one before ends, so the time is linear.
_PIECE = re.compile(
    rb"""
    <!--.*?(?:-->|\Z)
    | <(?P<raw> script|style|title|template|textarea|iframe|xmp|noembed|noframes )
      (?=[\s/>]) (?P<raw_attributes> %b ) [^>]*+ >?+ (?P<text>.*?) (?: </(?P=raw) | \Z )
    | <(?P<tag> /?[a-z][^\s/>]*+ ) (?P<attributes> %b )
    """
    % (_ATTRIBUTES, _ATTRIBUTES),
    re.I | re.S | re.X,
)

# Tags that are kept as they are.
_KEPT = (b"meta", b"link", b"base", b"noscript", b"/noscript", b"head", b"/head")


def reduce_page(page: bytes) -> bytes:
    """Return a page with nothing but the elements that its head may contain. `<p>` is
    instead of other elements: it ends the head.
    """
    reduced = [b"<!doctype html>"]
    for piece in _PIECE.finditer(to_utf8(page)):
        tag = (piece["tag"] or b"").lower()
        match (piece["raw"] or b"").lower():
            case b"script":
                reduced.append(b"<script%b></script>" % piece["raw_attributes"])
            case b"title":
                reduced.append(b"<title>%b</title>" % piece["text"])
        if tag in _KEPT or (tag == b"html" and len(reduced) == 1):
            reduced.append(b"<%b%b>" % (tag, piece["attributes"]))
        elif tag == b"body":
            reduced.append(b"<body>")
        elif tag and not tag.startswith(b"/"):
            reduced.append(b"<p>")
    return b"".join(reduced)
