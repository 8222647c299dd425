"""The parsers with which versions of a document are compared. They read no other files,
and run no code.
"""

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from types import SimpleNamespace
from typing import Any

from .links import name_html_links, name_role, name_target

MAX_RENDERED = 2**14
"""In characters. To render longer texts can take seconds."""

# The parsers need the square of the time for longer texts, for more lines, for longer
# lines, and for more brackets that no other bracket closes in their paragraph.
_MAX_LINES = 2_000
_MAX_LINE = 2_000
_MAX_OPEN = 100
_BRACKET = re.compile(r"[\[\]()<>]|\n\s*\n")
_CLOSES = {"]": "[", ")": "(", ">": "<"}

# The extensions of PyMdown that read other files. Others only read the text itself,
# like those of Python-Markdown. Extensions of other packages could open files or run
# code.
_READS_FILES = ("pymdownx.b64", "pymdownx.snippets")

# Directives that change what later documents mean.
_CHANGES_PARSER = ("role", "default-role")

# Directives of Sphinx that contain text, as `note` does.
_NOTES = (
    "deprecated",
    "seealso",
    "versionadded",
    "versionchanged",
    "versionremoved",
)

_PREFORMATTED = re.compile(r"(<pre\b.*?</pre>)", re.S)
_HTML_COMMENT = re.compile("<!--.*?-->", re.S)
# https://myst-parser.readthedocs.io/en/latest/syntax/cross-referencing.html
_MYST_LABEL = re.compile(r"<p>\([^()<>]+\)=</p>|(?<=<p>)\([^()<>]+\)=\n")


def find_parser(
    path: str, markdown_extensions: Sequence[str] | None, *, uses_docutils: bool
) -> tuple[str, ...]:
    """Return the parser of a document: the name of its module, and the names of its
    extensions; empty if there is none. It depends on the generator, and not on what is
    installed: the same commit has the same dates on all computers.

    Args:
        path: The path of the document.
        markdown_extensions: The extensions with which the generator runs
            Python-Markdown; `None` if it has another parser.
        uses_docutils: Whether the generator reads reStructuredText with docutils.
    """
    if path.endswith(".rst"):
        return ("docutils",) if uses_docutils else ()
    if markdown_extensions is None:
        return ("markdown_it",)
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


def remove_html_comments(text: str) -> str:
    """Return a text without its comments."""
    if "<!--" not in text:
        return text
    # Each start before the last end has an end, so no start is searched in vain.
    commented, end, rest = text.rpartition("-->")
    return _HTML_COMMENT.sub("", commented + end) + rest


def render(text: str, parser: Sequence[str]) -> str | None:
    """Return what readers see of a text; `None` if the parser fails, or may need
    minutes.
    """
    lines = text.split("\n")
    if len(lines) > _MAX_LINES or max(map(len, lines)) > _MAX_LINE:
        return None
    if len(text) > MAX_RENDERED or _is_tangled(text):
        return None
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
    if name == "markdown_it":
        html = _MYST_LABEL.sub("", html)
    html, end, rest = name_html_links(remove_html_comments(html)).rpartition("</pre>")
    pieces = _PREFORMATTED.split(html + end)
    pieces[-1] += rest
    pieces[::2] = (" ".join(piece.split()) for piece in pieces[::2])
    return "\n".join(pieces)


def _is_tangled(text: str) -> bool:
    """Return whether many brackets are open at the same time."""
    is_open: Counter[str] = Counter()
    for bracket in _BRACKET.findall(text):
        if bracket in _CLOSES:
            opening = _CLOSES[bracket]
            is_open[opening] = max(0, is_open[opening] - 1)
        elif bracket.isspace():  # the end of a paragraph
            is_open.clear()
        else:
            is_open[bracket] += 1
            if is_open[bracket] > _MAX_OPEN:
                return True
    return False


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

    settings = {
        "_disable_config": True,
        "file_insertion_enabled": False,
        "halt_level": 6,  # never
        "report_level": 2,
        "syntax_highlight": "none",
        "warning_stream": StringIO(),
    }
    with _without_sphinx():
        document = publish_doctree(text, settings_overrides=settings)
    for node in list(document.findall()):
        if isinstance(node, nodes.comment):
            node.parent.remove(node)
        elif isinstance(node, nodes.system_message):
            del node["line"]
        elif isinstance(node, nodes.reference | nodes.target | nodes.image):
            for attribute in ("refuri", "uri"):
                if attribute in node:
                    node[attribute] = name_target(node[attribute])
        elif not isinstance(node, nodes.Text):
            continue
        elif not isinstance(node.parent, nodes.FixedTextElement):
            node.parent.replace(node, nodes.Text(" ".join(node.split())))
    return document.pformat()


@contextmanager
def _without_sphinx() -> Iterator[None]:
    """Leave the directives and roles of Sphinx as they are written: they need its
    environment. Sphinx replaces the same functions of docutils while it reads
    documents.
    """
    from docutils import nodes
    from docutils.parsers.rst import directives, roles

    find_directive, find_role = directives.directive, roles.role

    def find_own(directive_name: str, language_module: Any, document: Any) -> Any:
        name = directive_name.lower()
        original = language_module.directives.get(name)
        if name in _NOTES:
            original = "note"
        if original is None or original in _CHANGES_PARSER:
            return None, []
        # Sphinx has its own directives with some names of docutils, but none with this
        # name.
        alias = f"docutils {original}"
        aliases = SimpleNamespace(directives={alias: original})
        return find_directive(alias, aliases, document)

    def leave_role(_name: str, rawtext: str, *_: Any, **_options: Any) -> Any:
        return [nodes.inline(rawtext, name_role(rawtext))], []

    directives.directive = find_own
    roles.role = lambda *_: (leave_role, [])
    try:
        yield
    finally:
        directives.directive, roles.role = find_directive, find_role
