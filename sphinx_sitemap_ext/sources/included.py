"""Which lines of other files a document shows: the directives `literalinclude` and `include`."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.parsers.rst.languages import en
from sphinx.directives.code import LiteralInclude
from sphinx.directives.other import Include
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective

from docs_sitemap.shown import selected_lines
from sphinx_sitemap_ext.sources.notes import current_notes

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

ALL_LINES = ""
"""The inclusion shows all lines of the file."""

_LITERAL_OPTIONS = {"lines", "pyobject", "start-after", "start-at", "end-before", "end-at"}

_TEXT_OPTIONS = {"start-line", "end-line", "start-after", "end-before"}

# With `tab-width`, texts are searched for in lines with spaces in place of tabs. The lines decide
# which numbers `lineno-match` shows.
_OTHER_OPTIONS = {"diff", "tab-width", "lineno-match"}

# The start of a link or a substitution, which can have further lines; a comment; or an empty line.
_DEFINITION = re.compile(
    r"(\.\. +(?:_(?:`[^`\n]+`|[^_`\s](?:\\.|[^\\:\n])*):|\|[^|\n]+\|)) +\S.*(?:\n[ \t]+\S.*)*\n|"
    r"\.\.(?: +(?!_|\[|\||[\w.+:-]+::).*)?(?:\n[ \t]+\S.*)*\n|"
    r"[ \t]*\n"
)


def watch_inclusions(app: Sphinx) -> None:
    """Extend the directives, so that they note their lines: the event `builder-inited`.

    Other extensions may have replaced the directives. Then, any change to their files counts.
    """
    for name, original, noted in (
        ("literalinclude", LiteralInclude, _NotedLiteralInclude),
        ("include", Include, _NotedInclude),
    ):
        # The language and the document are only for names in other languages.
        directive, _ = directives.directive(name, en, None)  # type: ignore[arg-type]
        if directive is original:
            app.add_directive(name, noted, override=True)


class _NotedLiteralInclude(LiteralInclude):
    """Notes the lines of `literalinclude`."""

    def run(self) -> list[nodes.Node]:
        _note_lines(self, self.arguments[0], literal_lines(self.options))
        if "diff" in self.options:
            _note_lines(self, self.options["diff"], ALL_LINES)
        return super().run()


class _NotedInclude(Include):
    """Notes the lines of `include`."""

    def run(self) -> Sequence[nodes.Node]:
        if not self.arguments[0].startswith("<"):  # a file of docutils
            _note_lines(self, self.arguments[0], text_lines(self.options))
        return super().run()


def _note_lines(directive: SphinxDirective, argument: str, lines: str) -> None:
    current_notes(directive.env).add_inclusion(directive.env.relfn2path(argument)[1], lines)


class NoteDefinitions(SphinxTransform):
    """Notes which links and substitutions a document uses, of those in included files that contain
    nothing else. Often, `rst_epilog` includes such a file in every document.
    """

    default_priority = 15  # before docutils replaces the names

    def apply(self, **kwargs: object) -> None:
        elements = self.document.findall(nodes.Element)
        used = {_normalize(node["refname"]) for node in elements if "refname" in node}
        inclusions = current_notes(self.env).inclusions
        for path, lines in inclusions.items():
            is_complete = {*lines} == {ALL_LINES} and os.path.isfile(path)
            if is_complete and (starts := _find_definitions(path)):
                shown = [start for start in starts if _normalize(start) in used]
                inclusions[path] = [selected_lines(definition=start) for start in shown]


def _find_definitions(path: str) -> list[str]:
    """Return how the links and substitutions in a file start; nothing if the file contains
    anything else.
    """
    text = Path(path).read_text("utf-8-sig", "replace") + "\n"
    return [] if _DEFINITION.sub("", text) else [*filter(None, _DEFINITION.findall(text))]


def _normalize(name: str) -> str:
    return nodes.fully_normalize_name(name.replace("\\", "").strip(".:_|` "))


def literal_lines(options: Mapping[str, Any]) -> str:
    """Return the part of a file that `literalinclude` shows, as the core selects it."""
    if _OTHER_OPTIONS & options.keys():
        return ALL_LINES
    chosen = {name: options[name] for name in _LITERAL_OPTIONS & options.keys()}
    if "pyobject" in chosen:
        # The core selects all definitions of the name, so it cannot select lines of the last one.
        return selected_lines(pyobject=chosen["pyobject"])
    return selected_lines(**chosen) if chosen else ALL_LINES


def text_lines(options: Mapping[str, Any]) -> str:
    """Return the part of a file that `include` shows, as the core selects it."""
    chosen = {name: options[name] for name in _TEXT_OPTIONS & options.keys()}
    # Code shows its lines, even those of links and comments.
    is_selection = chosen or {"literal", "code"} & options.keys()
    return selected_lines(**chosen, text=True) if is_selection else ALL_LINES


def note_shown_code(app: Sphinx, doctree: nodes.document) -> None:
    """Note the files whose code a document shows in an unknown way: the event `doctree-read`."""
    # The directives name the file of a block.
    blocks = Counter(
        os.path.realpath(block["source"])
        for block in doctree.findall(nodes.literal_block)
        if block.get("source")
    )
    notes = current_notes(app.env)
    for path, number in blocks.items():
        if number > len(notes.inclusions.get(path, ())):
            notes.add_inclusion(path, ALL_LINES)
    if not _is_restructuredtext(app.env):
        # MyST-Parser has an `include` of its own, which may include the same files completely.
        recorded = {*map(os.path.realpath, doctree.settings.record_dependencies.list)}
        for path in recorded & notes.inclusions.keys():
            notes.add_inclusion(path, ALL_LINES)


def _is_restructuredtext(env: BuildEnvironment) -> bool:
    suffixes: Mapping[str, str] = env.config.source_suffix
    return suffixes.get(os.path.splitext(env.doc2path(env.docname))[1]) == "restructuredtext"
