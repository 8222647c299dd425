"""Which lines of other files a document shows: the directives `literalinclude` and `include`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from docutils.parsers.rst.directives.misc import Include
from docutils.parsers.rst.languages import en
from sphinx.directives.code import LiteralInclude
from sphinx.util.docutils import SphinxDirective

from docs_sitemap.shown import selected_lines
from sphinx_sitemap_ext.sources.notes import current_notes

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

ALL_LINES = ""
"""The inclusion shows all lines of the file."""

_LITERAL_OPTIONS = {"lines", "start-after", "start-at", "end-before", "end-at"}

_TEXT_OPTIONS = {
    "start-line": "start_line",
    "end-line": "end_line",
    "start-after": "text_after",
    "end-before": "text_before",
}

_UTF8 = ("utf-8", "utf8", "utf-8-sig", "utf_8", "utf_8_sig")


def watch_inclusions(app: Sphinx) -> None:
    """Extend the directives, so that they note their lines: the event `builder-inited`.

    Other extensions may have replaced the directives. If they are not based on those of Sphinx and
    docutils, their options are unknown, so any change to their files counts.
    """
    for name, base, mixin in (
        ("literalinclude", LiteralInclude, _NotedLiteralInclude),
        ("include", Include, _NotedInclude),
    ):
        # The language and the document are only for names in other languages.
        directive, _ = directives.directive(name, en, None)  # type: ignore[arg-type]
        if (
            isinstance(directive, type)
            and issubclass(directive, base)
            and issubclass(directive, SphinxDirective)
            and not issubclass(directive, mixin)
        ):
            noted = type(directive.__name__, (mixin, directive), {"__doc__": directive.__doc__})
            app.add_directive(name, noted, override=True)


class _NotedLiteralInclude(Directive):
    """Notes the lines of `literalinclude`."""

    def run(self) -> Sequence[nodes.Node]:
        options = dict(self.options)
        env = self.state.document.settings.env
        path = env.relfn2path(self.arguments[0])[1]
        result = super().run()
        lines = ALL_LINES
        if _is_utf8(options, env.config.source_encoding) and (
            _is_restructuredtext(env) or not _is_document(env, path)
        ):
            lines = literal_lines(options)
        notes = current_notes(env)
        notes.add_inclusion(path, lines)
        if "diff" in options:
            notes.add_inclusion(env.relfn2path(options["diff"])[1], ALL_LINES)
        return result


class _NotedInclude(Directive):
    """Notes the lines of `include`."""

    def run(self) -> Sequence[nodes.Node]:
        options = dict(self.options)
        env = self.state.document.settings.env
        argument = self.arguments[0]
        result = super().run()
        if not argument.startswith("<"):  # a file of docutils
            lines = ALL_LINES
            encoding = self.state.document.settings.input_encoding
            if _is_utf8(options, encoding) and _is_restructuredtext(env):
                lines = text_lines(options)
            current_notes(env).add_inclusion(env.relfn2path(argument)[1], lines)
        return result


def literal_lines(options: Mapping[str, Any]) -> str:
    """Return the part of a file that `literalinclude` shows, as the core selects it."""
    # With `tab-width`, texts are searched for in lines with spaces in place of tabs.
    if "diff" in options or "tab-width" in options:
        return ALL_LINES
    numbers = True if "lineno-match" in options else None
    if "pyobject" in options:
        # The core selects all definitions of the name, so it cannot select lines of the last one.
        return selected_lines(pyobject=options["pyobject"], lineno_match=numbers)
    chosen = {name.replace("-", "_"): options[name] for name in _LITERAL_OPTIONS & options.keys()}
    return selected_lines(**chosen, lineno_match=numbers) if chosen else ALL_LINES


def text_lines(options: Mapping[str, Any]) -> str:
    """Return the part of a file that `include` shows, as the core selects it."""
    chosen = {key: options[name] for name, key in _TEXT_OPTIONS.items() if name in options}
    return selected_lines(**chosen) if chosen else ALL_LINES


def _is_restructuredtext(env: BuildEnvironment) -> bool:
    """Return whether the document is not Markdown, for example: MyST-Parser has an `include` of its
    own, which is not noted, so it may include the same file completely.
    """
    suffixes: Mapping[str, str] = env.config.source_suffix
    return suffixes.get(os.path.splitext(env.doc2path(env.docname))[1]) == "restructuredtext"


def _is_document(env: BuildEnvironment, path: str) -> bool:
    return path.endswith(tuple(env.config.source_suffix))


def _is_utf8(options: dict[str, Any], default: str | None) -> bool:
    return (options.get("encoding") or default or "utf-8").lower() in _UTF8


def note_shown_code(app: Sphinx, doctree: nodes.document) -> None:
    """Note the files whose code a document shows in an unknown way: the event `doctree-read`."""
    # The directives name the file of a block.
    blocks = Counter(
        os.path.realpath(block["source"])
        for block in doctree.findall(nodes.literal_block)
        if block.get("source")
    )
    notes = current_notes(app.env)
    notes.code |= {
        path for path, number in blocks.items() if number > len(notes.inclusions.get(path, ()))
    }
