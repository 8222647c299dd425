"""The text of a Markdown or reStructuredText document: whether readers see a change to
it.

Most changes change a word. Only if all words are the same, a parser of the generator
renders both versions, and what comes out is compared. Without a parser, white space
counts, and so does what the parser does not know, such as the directives of Sphinx
extensions.
"""

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from io import StringIO

# In characters. To render longer documents takes seconds.
_MAX_RENDERED = 2**17

# The extensions of PyMdown that read other files. Others only read the text itself,
# like those of Python-Markdown. Extensions of other packages could open files or run
# code.
_READS_FILES = ("pymdownx.b64", "pymdownx.snippets")

_FRONT_MATTER = re.compile(
    r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M
)
# A key at the top level, and its value.
_KEY = re.compile(r"^([\w-]+):(.*\n(?:(?:[ \t-].*)?\n)*)", re.M)
# The keys of generators and themes for navigation and layout. Pages can show all
# others, and some are part of the URL.
_HIDDEN_KEY = re.compile(
    "aliases|boost|comments|draft|hide|hide_table_of_contents|icon|jupytext"
    "|kernelspec|nav_exclude|nav_order|nosearch|order|orphan|pagination_next"
    "|pagination_prev|robots|search|sidebar|sidebar_label|sidebar_position|sitemap"
    "|social|status|template|tocdepth|toc_max_heading_level|toc_min_heading_level"
    "|weight"
)

_HIDDEN_TOCTREE = {
    ".md": re.compile(
        r"^(`{3,}|~{3,}|:{3,})\{toctree\}.*\n"
        r"(?:(?!\1).*\n)*?:hidden:.*\n(?:(?!\1).*\n)*\1.*\n?",
        re.M,
    ),
    ".rst": re.compile(
        r"^( *)\.\. toctree::.*\n"
        r"(?:\1 +:(?!hidden:).*\n)*\1 +:hidden:.*\n(?: *\n|\1 +.*\n)*",
        re.M,
    ),
}
# Fields of a document that only Sphinx reads, and labels that links can name.
_RST_SETTING = re.compile(
    r"^:(?:sitemap[\w-]*|orphan|nosearch):.*\n|^ *\.\. _[^:\n]+:[ \t]*\n", re.M
)

# What may be a comment. In code, it is text: only the parser knows.
# https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#explicit-markup-blocks
_COMMENT = {
    ".md": re.compile(r"<!--.*?-->", re.S),
    ".rst": re.compile(
        r"^( *)\.\.(?! +(?:_|\[|\||[\w.+:-]+::))(?: .*)?\n(?: *\n|\1 +\S.*\n)*", re.M
    ),
}
_FENCE_OR_HEADING = re.compile(r"[ >]*(`{3,}|~{3,})|#{1,6} ")
_WORD = re.compile(r"\w+")

# Lines of Markdown that extensions read in their own way, such as `::: module`.
_EXTENSION_LINE = re.compile(r"\s*(?::::|///|;?--8<--|\{[%{!]|\[=|<<<)")

_PREFORMATTED = re.compile(r"(<pre\b.*?</pre>)", re.S)
_HTML_COMMENT = re.compile(r"<!--.*?-->", re.S)


def find_parser(
    path: str, markdown_extensions: Sequence[str] | None
) -> tuple[str, ...]:
    """Return the parser of a document, in the form that `is_same` needs.

    Args:
        path: The path of the document.
        markdown_extensions: The extensions with which the generator runs
            Python-Markdown; `None` if the generator has another parser.
    """
    if path.endswith(".rst"):
        return _installed("docutils")
    if markdown_extensions is None:
        return _installed("markdown_it") or _installed("markdown")
    names = (name.removeprefix("markdown.extensions.") for name in markdown_extensions)
    return ("markdown", *filter(_is_safe, names))


@cache
def _is_safe(extension: str) -> bool:
    if extension.startswith("pymdownx."):
        return extension not in _READS_FILES
    return (
        "." not in extension
        and find_spec(f"markdown.extensions.{extension}") is not None
    )


@cache
def _installed(module: str) -> tuple[str, ...]:
    return () if find_spec(module) is None else (module,)


def is_same(path: bytes, old: bytes, new: bytes, parser: Sequence[str]) -> bool:
    """Return whether readers see the same in two versions of a document.

    Args:
        path: The path of the document.
        old: The content of one version.
        new: The content of the other.
        parser: The module of the parser, and the names of its extensions; empty if
            there is none.

    Raises:
        ValueError: The content is not UTF-8.
    """
    suffix = ".rst" if path.endswith(b".rst") else ".md"
    before, after = _read(old, suffix), _read(new, suffix)
    if before == after:
        return True
    if not parser or max(len(before), len(after)) > _MAX_RENDERED:
        return False
    if not _has_same_words(before, after, suffix):
        return False
    if suffix == ".md":
        sections = _find_sections(before.split("\n"), after.split("\n"))
        if sections is None:
            return False
        before, after = sections
    rendered = _render(before, parser)
    return rendered is not None and rendered == _render(after, parser)


def _read(content: bytes, suffix: str) -> str:
    """Return the text of a document, without what is never shown."""
    text = content.decode("utf-8-sig").replace("\r\n", "\n")
    if suffix == ".md":
        text = _read_front_matter(text)
    else:
        text = _RST_SETTING.sub("", text)
    if ":hidden:" in text:
        text = _HIDDEN_TOCTREE[suffix].sub("", text)
    return text


def _read_front_matter(text: str) -> str:
    """Return a document with only those lines of its front matter that are shown."""
    front_matter = _FRONT_MATTER.match(text)
    if front_matter is None:
        return text
    shown = []
    for key, value in _KEY.findall(front_matter[1]):
        if _HIDDEN_KEY.fullmatch(key) is None:
            shown.append(" ".join([key, *value.split()]))
    return "\n".join([*sorted(shown), "", text[front_matter.end() :]])


def _has_same_words(before: str, after: str, suffix: str) -> bool:
    """Return whether the words outside of comments are the same, in the same order."""
    old = _COMMENT[suffix].sub("", before).split("\n")
    new = _COMMENT[suffix].sub("", after).split("\n")
    start, end = _count_equal_ends(old, new)
    old_words = _WORD.findall(" ".join(old[start : len(old) - end]))
    return old_words == _WORD.findall(" ".join(new[start : len(new) - end]))


def _count_equal_ends(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """Return how many lines are equal at the start and at the end."""
    start = _count_equal(before, after)
    return start, _count_equal(before[start:][::-1], after[start:][::-1])


def _count_equal(before: Sequence[str], after: Sequence[str]) -> int:
    number = 0
    for line, other in zip(before, after, strict=False):
        if line != other:
            break
        number += 1
    return number


def _find_sections(
    before: Sequence[str], after: Sequence[str]
) -> tuple[str, str] | None:
    """Return the sections of two versions of a Markdown document that differ: parsers
    of Markdown are slow. Return `None` if a line of an extension may decide what
    readers see.
    """
    start, end = _count_equal_ends(before, after)
    block = start
    while block and before[block - 1].strip():
        block -= 1
    for lines in (before, after):
        if any(map(_EXTENSION_LINE.match, lines[block : len(lines) - end])):
            return None
    first, last = 0, len(before)
    for heading in _headings(before):
        if heading <= start:
            first = heading
        elif heading >= len(before) - end:
            last = heading
            break
    shift = len(after) - len(before)
    return "\n".join(before[first:last]), "\n".join(after[first : last + shift])


def _headings(lines: Sequence[str]) -> Iterator[int]:
    """Yield the numbers of lines with headings. In code, a line can start like a
    heading.
    """
    fence = ""
    for number, line in enumerate(lines):
        match = _FENCE_OR_HEADING.match(line)
        if match is None:
            continue
        marks = match[1]
        if marks is None and not fence:
            yield number
        elif not fence:
            fence = marks
        elif marks is not None and marks.startswith(fence):
            fence = ""


def _render(text: str, parser: Sequence[str]) -> str | None:
    """Return what readers see of a text; `None` if the parser fails."""
    name, *extensions = parser
    try:
        with warnings.catch_warnings():
            # In this process, warnings of parsers may be errors.
            warnings.simplefilter("ignore")
            if name == "docutils":
                return _render_rst(text)
            html = _markdown_renderer(name, *extensions)(text)
    # Any text may be in the history, and parsers raise any exception.
    except Exception:
        return None
    pieces = _PREFORMATTED.split(_HTML_COMMENT.sub("", html))
    pieces[::2] = (" ".join(piece.split()) for piece in pieces[::2])
    return "\n".join(pieces)


@cache
def _markdown_renderer(parser: str, *extensions: str) -> Callable[[str], str]:
    """Return a function that renders Markdown as HTML."""
    module = import_module(parser)
    if parser == "markdown":
        markdown = module.Markdown(extensions=extensions)
        return lambda text: str(markdown.reset().convert(text))
    reader = module.MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return lambda text: str(reader.render(text))


def _render_rst(text: str) -> str:
    """Return the structure of a reStructuredText document, without comments."""
    from docutils import nodes
    from docutils.core import publish_doctree
    from docutils.parsers.rst import directives, roles

    settings = {
        "_disable_config": True,
        "file_insertion_enabled": False,
        "halt_level": 6,  # never
        "line_length_limit": _MAX_RENDERED,
        "report_level": 2,
        "syntax_highlight": "none",
        "warning_stream": StringIO(),
    }
    # Those of Sphinx need its environment. Documents can also change both, for later
    # documents.
    registered = directives._directives, roles._roles  # type: ignore[attr-defined]
    directives._directives, roles._roles = {}, {}  # type: ignore[attr-defined]
    try:
        document = publish_doctree(text, settings_overrides=settings)
    finally:
        directives._directives, roles._roles = registered  # type: ignore[attr-defined]
    for node in [*document.findall()]:
        if isinstance(node, nodes.comment):
            node.parent.remove(node)
        elif isinstance(node, nodes.system_message):
            del node["line"]
        elif not isinstance(node, nodes.Text):
            continue
        elif not isinstance(node.parent, nodes.FixedTextElement):
            node.parent.replace(node, nodes.Text(" ".join(node.split())))
    return document.pformat()
