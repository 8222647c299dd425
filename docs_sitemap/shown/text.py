"""The text of a Markdown or reStructuredText document: whether readers see a change to it.

Most changes change a word. Only if all words are the same, a parser of the generator renders both
versions, and what comes out is compared. Without a parser, white space counts, and so does what
the parser does not know, such as the directives of Sphinx extensions.
"""

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from itertools import zip_longest

# In characters. To render longer documents takes seconds.
_MAX_RENDERED = 2**17

# Extensions of Python-Markdown that only read the text itself. Others could open files or run code.
_SAFE_EXTENSIONS = {
    *("abbr", "admonition", "attr_list", "def_list", "extra", "fenced_code", "footnotes"),
    *("md_in_html", "nl2br", "sane_lists", "smarty", "tables", "toc", "wikilinks"),
    *("pymdownx.arithmatex", "pymdownx.betterem", "pymdownx.blocks.admonition"),
    *("pymdownx.blocks.caption", "pymdownx.blocks.definition", "pymdownx.blocks.details"),
    *("pymdownx.blocks.html", "pymdownx.blocks.tab", "pymdownx.caret", "pymdownx.critic"),
    *("pymdownx.details", "pymdownx.extra", "pymdownx.keys", "pymdownx.magiclink"),
    *("pymdownx.mark", "pymdownx.superfences", "pymdownx.tabbed", "pymdownx.tasklist"),
    "pymdownx.tilde",
}

_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)
# A key at the top level with its value, if readers or search results show it.
_SHOWN_VALUE = re.compile(r"^(?:title|description):.*\n(?:[ \t]+.*\n)*", re.M)

_HIDDEN_TOCTREE = {
    ".md": re.compile(
        r"^(`{3,}|~{3,}|:{3,})\{toctree\}.*\n(?:(?!\1).*\n)*?:hidden:.*\n(?:(?!\1).*\n)*\1.*\n?",
        re.M,
    ),
    ".rst": re.compile(
        r"^( *)\.\. toctree::.*\n(?:\1 +:(?!hidden:).*\n)*\1 +:hidden:.*\n(?: *\n|\1 +.*\n)*",
        re.M,
    ),
}
# Fields of a document that only Sphinx reads.
_RST_SETTING = re.compile(r"^:(?:sitemap[\w-]*|orphan|nosearch):.*\n", re.M)

# What may be a comment. In code, it is text: only the parser knows.
# https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#explicit-markup-blocks
_COMMENT = {
    ".md": re.compile(r"<!--.*?-->", re.S),
    ".rst": re.compile(
        r"^( *)\.\.(?! +(?:_|\[|\||[\w.+:-]+::))(?: .*)?\n(?: *\n|\1 +\S.*\n)*", re.M
    ),
}
_FENCE_OR_HEADING = re.compile(r"^(?:[ >]*(`{3,}|~{3,})|#{1,6} )", re.M)
_WORD = re.compile(r"\w+")

# Lines of Markdown that extensions read in their own way, such as `::: module`.
_EXTENSION_LINE = re.compile(r"^\s*(?::::|///|;?--8<--|\{[%{!]|\[=|<<<)", re.M)

_PREFORMATTED = re.compile(r"(<pre\b.*?</pre>)", re.S)
_HTML_COMMENT = re.compile(r"<!--.*?-->", re.S)


def find_parser(path: str, markdown_extensions: Sequence[str] | None) -> tuple[str, ...]:
    """Return the parser of a document, in the form that `is_same` needs.

    Args:
        path: The path of the document.
        markdown_extensions: The extensions with which the generator runs Python-Markdown; `None` if
            the generator has another parser.
    """
    if path.endswith(".rst"):
        return _installed("docutils")
    if markdown_extensions is None:
        return _installed("markdown_it") or _installed("markdown")
    names = (name.removeprefix("markdown.extensions.") for name in markdown_extensions)
    return ("markdown", *(name for name in names if name in _SAFE_EXTENSIONS))


@cache
def _installed(module: str) -> tuple[str, ...]:
    return () if find_spec(module) is None else (module,)


def is_same(path: bytes, old: bytes, new: bytes, parser: Sequence[str]) -> bool:
    """Return whether readers see the same in two versions of a document.

    Args:
        path: The path of the document.
        old: The content of one version.
        new: The content of the other.
        parser: The module of the parser, and the names of its extensions; empty if there is none.

    Raises:
        ValueError: The content is not UTF-8.
    """
    suffix = ".rst" if path.endswith(b".rst") else ".md"
    before, after = _read(old, suffix), _read(new, suffix)
    if before == after:
        return True
    if not _has_same_words(before, after, suffix):
        return False
    if not parser or max(len(before), len(after)) > _MAX_RENDERED:
        return False
    if suffix == ".md":
        start, end = _equal_ends(before, after)
        block = before.rfind("\n\n", 0, start) + 1
        if any(_EXTENSION_LINE.search(text, block, len(text) - end) for text in (before, after)):
            return False
        start, end = _equal_sections(before, start, end)
        before, after = (text[start : len(text) - end] for text in (before, after))
    rendered = _render(before, parser)
    return rendered is not None and rendered == _render(after, parser)


def _read(content: bytes, suffix: str) -> str:
    """Return the text of a document, without what is never shown."""
    text = content.decode("utf-8-sig").replace("\r\n", "\n")
    if suffix == ".md":
        front_matter = _FRONT_MATTER.match(text)
        if front_matter is not None:
            shown = [" ".join(value.split()) for value in _SHOWN_VALUE.findall(front_matter[1])]
            text = "\n".join([*shown, "", text[front_matter.end() :]])
    else:
        text = _RST_SETTING.sub("", text)
    return _HIDDEN_TOCTREE[suffix].sub("", text) if ":hidden:" in text else text


def _has_same_words(before: str, after: str, suffix: str) -> bool:
    """Return whether the words outside of comments are the same, in the same order."""
    comment = _COMMENT[suffix]
    before, after = comment.sub("", before), comment.sub("", after)
    start, end = _equal_ends(before, after)
    old = _WORD.finditer(before, start, len(before) - end)
    new = _WORD.finditer(after, start, len(after) - end)
    for old_word, new_word in zip_longest(old, new):
        if old_word is None or new_word is None or old_word[0] != new_word[0]:
            return False
    return True


def _equal_ends(before: str, after: str) -> tuple[int, int]:
    """Return how many characters are equal at the start and at the end, in complete lines."""
    start = before.rfind("\n", 0, _count_equal(before, after)) + 1
    before, after = before[start:], after[start:]
    line_end = before.find("\n", len(before) - _count_equal(before[::-1], after[::-1]))
    return start, 0 if line_end < 0 else len(before) - line_end


def _count_equal(first: str, second: str) -> int:
    """Return how many characters are equal at the start. Python compares texts faster than
    characters.
    """
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _equal_sections(text: str, start: int, end: int) -> tuple[int, int]:
    """Return how many characters are equal at the start and at the end of a Markdown document, in
    complete sections: parsers of Markdown are slow.
    """
    headings = [*_headings(text)]
    before = [heading for heading in headings if heading <= start]
    after = [heading for heading in headings if heading >= len(text) - end]
    return max(before, default=0), len(text) - min(after, default=len(text))


def _headings(text: str) -> Iterator[int]:
    """Yield the positions of headings. In code, a line can start like a heading."""
    fence = ""
    for line in _FENCE_OR_HEADING.finditer(text):
        marks = line[1]
        if marks is None and not fence:
            yield line.start()
        elif not fence:
            fence = marks
        elif marks is not None and marks.startswith(fence):
            fence = ""


def _render(text: str, parser: Sequence[str]) -> str | None:
    """Return what readers see of a text; `None` if the parser fails."""
    name, *extensions = parser
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of parsers, which may be errors in this process
            if name == "docutils":
                return _render_rst(text)
            html = _markdown_renderer(name, *extensions)(text)
    except Exception:  # Any text may be in the history, and parsers raise any exception.
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
    # Those of Sphinx need its environment. Documents can also change both, for later documents.
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
        elif isinstance(node, nodes.Text) and not isinstance(node.parent, nodes.FixedTextElement):
            node.parent.replace(node, nodes.Text(" ".join(node.split())))
    return document.pformat()
