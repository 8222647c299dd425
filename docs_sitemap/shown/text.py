"""The text of a Markdown or reStructuredText document, without what readers do not see."""

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)
# A key at the top level with its value, if readers or search results show it.
_SHOWN_VALUE = re.compile(r"^(?:title|description):.*\n(?:[ \t]+.*\n)*", re.M)

_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})")
_HTML_COMMENT_START = re.compile(r"^ {0,3}<!--", re.M)

# Explicit markup other than comments: targets, footnotes, substitutions, and directives.
# https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#explicit-markup-blocks
_RST_MARKUP = re.compile(r"\s*\.\. +(?:_|\[|\||[\w.+:-]+::)")
_RST_COMMENT = re.compile(r"\s*\.\.(?: |$)")
_RST_LITERAL = re.compile(r".*::$|\s*\.\. +(?:code|code-block|sourcecode|parsed-literal)::")
_RST_SETTING = re.compile(r":sitemap[\w-]*:")

# The length of the line below a title does not matter.
_UNDERLINE = re.compile(r"\s*([^\w\s])\1{2,}\s*")


def digest(path: bytes, content: bytes, parts: Sequence[str]) -> bytes:
    """Return a digest of the text of a document, without comments, white space outside of code
    blocks, and front matter other than the title and the description.

    Args:
        path: The path of the document.
        content: Its content.
        parts: Unused: the text is not divided.

    Raises:
        ValueError: The content is not UTF-8.
    """
    text = content.decode("utf-8-sig").replace("\r\n", "\n")
    blocks = _rst_parts(text) if path.endswith(b".rst") else _markdown_parts(text)
    return sha256("\n".join(blocks).encode()).digest()


def _markdown_parts(text: str) -> Iterator[str]:
    """Yield paragraphs without line breaks, and the lines of code blocks."""
    front_matter = _FRONT_MATTER.match(text)
    if front_matter is not None:
        yield from _SHOWN_VALUE.findall(front_matter[1])
        text = text[front_matter.end() :]
    prose: list[str] = []
    fence = ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if fence:
            yield line.rstrip()
            if match is not None and match[0].strip().startswith(fence):
                fence = ""
        elif match is not None:
            yield _joined(_without_html_comments("\n".join(prose)).split("\n"))
            yield line.rstrip()
            prose, fence = [], match[0].strip()
        else:
            prose.append(line)
    yield _joined(_without_html_comments("\n".join(prose)).split("\n"))


def _without_html_comments(text: str) -> str:
    parts = []
    position = 0
    while start := _HTML_COMMENT_START.search(text, position):
        end = text.find("-->", start.end())
        if end < 0:  # It is not a comment.
            break
        parts.append(text[position : start.start()])
        position = end + len("-->")
    return "".join([*parts, text[position:]])


def _rst_parts(text: str) -> Iterator[str]:
    """Yield paragraphs without line breaks, and the lines of literal blocks."""
    prose: list[str] = []
    # The indentation of the line before an indented block, and whether it is a literal block.
    # Otherwise, it is a comment.
    above: tuple[int, bool] | None = None
    lines = text.split("\n")
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        indentation = len(line) - len(line.lstrip())
        if above is not None and (not line.strip() or indentation > above[0]):
            if above[1]:
                yield line.rstrip()
            continue
        above = None
        if _RST_COMMENT.match(line) and not _RST_MARKUP.match(line):
            # An empty comment does not contain the block below it.
            if line.strip() != ".." or following.strip():
                above = indentation, False
        elif not _RST_SETTING.match(line):
            prose.append(line)
            if _RST_LITERAL.match(line.rstrip()):
                yield _joined(prose)
                prose, above = [], (indentation, True)
    yield _joined(prose)


def _joined(lines: Iterable[str]) -> str:
    words: list[str] = []
    for line in lines:
        underline = _UNDERLINE.fullmatch(line)
        words += line.split() if underline is None else [underline[1]]
    return " ".join(words)
