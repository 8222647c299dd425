"""What directives show of other files: lines, links, and the results of code."""

import os
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from sphinx.application import Sphinx
from sphinx.directives.code import LiteralInclude
from sphinx.directives.other import Include
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective

from docs_sitemap.installed import module_path
from docs_sitemap.shown import selected_lines
from sphinx_sitemap_ext.sources.definitions import module_files
from sphinx_sitemap_ext.sources.notes import current_notes

ALL_LINES = ""
"""The inclusion shows all lines of the file."""

_LITERAL_OPTIONS = {"lines", "pyobject", "start-after", "start-at", "end-before", "end-at"}

_TEXT_OPTIONS = {"start-line", "end-line", "start-after", "end-before"}

# With `tab-width`, texts are searched for in lines with spaces in place of tabs. The lines decide
# which numbers `lineno-match` shows.
_OTHER_OPTIONS = {"diff", "tab-width", "lineno-match"}

# The start of a link or a substitution, which can have further lines; a comment; or an empty line.
_DEFINITION = re.compile(
    r"^(\.\. +(?:_(?:`[^`\n]+`|[^_`\s](?:\\.|[^\\:\n])*):|\|[^|\n]+\|)) +\S.*(?:\n[ \t]+\S.*)*\n|"
    r"^\.\.(?: ++(?!_|\[|\||[\w.+:-]+::).*)?(?:\n[ \t]+\S.*)*\n|"
    r"^[ \t]*\n",
    re.MULTILINE,
)


# Directives that run code, of matplotlib, sphinx-click, sphinx-argparse,
# sphinxcontrib-programoutput, and similar extensions.
_CODE = re.compile(
    "argparse|autoprogram|click|command-output|exec|exec_code|execute_code|ipython|"
    "jupyter-execute|plot|program-output|runblock|sphinx_argparse_cli"
)
_WORD = re.compile(r"[\w./-]+")


def watch_directives(app: Sphinx) -> None:
    """Extend directives, so that they note what they show: the event `builder-inited`.

    All directives of the project itself are code that runs. Other extensions may have replaced
    directives of Sphinx. Then, any change to the files of these directives counts.
    """
    registered: dict[str, Any] = getattr(directives, "_directives", {})
    for name, directive in [*registered.items()]:
        classes = getattr(directive, "__mro__", ())
        files = module_files(directive.__module__)  # none for directives in `conf.py`
        is_own = not any(map(module_path, files))
        if _NotedCode in classes:  # An earlier build in this process has extended it.
            continue
        if directive is LiteralInclude:
            app.add_directive(name, _NotedLiteralInclude, override=True)
        elif directive is Include:
            app.add_directive(name, _NotedInclude, override=True)
        elif (is_own or _CODE.fullmatch(name)) and Directive in classes:
            noted = type(name, (_NotedCode, directive), {"original": directive})
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


class _NotedCode(Directive):
    """Notes that a directive runs code, and the files and modules that it names."""

    original: type[Directive]

    def run(self) -> Sequence[nodes.Node]:
        # Directives may name or compare their own class: `super(self.__class__, self)`.
        self.__class__ = self.original  # type: ignore[assignment]
        content = self.run()
        env = getattr(self.state.document.settings, "env", None)
        if env is None or not env.temp_data.get("docname"):  # text that is not a document
            return content
        notes, document = current_notes(env), os.fspath(env.doc2path(env.docname))
        notes.ran_code.add(self.name)
        for word in _WORD.findall(" ".join([*self.arguments, *map(str, self.options.values())])):
            files = [f"{os.path.dirname(document)}/{word}", f"{env.srcdir}/{word}"]
            files += module_files(word) + module_files(word.rpartition(".")[0])
            for file in filter(os.path.isfile, files):
                notes.add_source(file)
        return content


class NoteDefinitions(SphinxTransform):
    """Notes which links and substitutions a document uses, of those in included files that contain
    nothing else. Often, `rst_epilog` includes such a file in every document.
    """

    default_priority = 15  # before docutils replaces the names

    def apply(self, **kwargs: object) -> None:
        used = self._used_names()
        inclusions = current_notes(self.env).inclusions
        for path, lines in inclusions.items():
            is_complete = {*lines} == {ALL_LINES} and os.path.isfile(path)
            if is_complete and (starts := _find_definitions(path)):
                shown = [start for start in starts if _normalize(start) in used]
                inclusions[path] = [selected_lines(definition=start) for start in shown]

    def _used_names(self) -> set[str]:
        """Return the links and substitutions in the text, and in the substitutions that it uses."""
        # The names by the substitution that uses them; the text has an empty name.
        names: defaultdict[str, set[str]] = defaultdict(set)
        for node in self.document.findall(nodes.Element):
            if "refname" in node:
                user = node
                while not isinstance(user, nodes.document | nodes.substitution_definition):
                    user = user.parent
                defined = "" if user is self.document else "".join(user["names"])
                names[_normalize(defined)].add(_normalize(node["refname"]))
        used = {""}
        pending = [""]
        while pending:
            new = names[pending.pop()] - used
            used |= new
            pending += new
        return used


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
    # Code shows all lines, even those of links that the document does not use.
    return selected_lines(**chosen or {"lines": "1-"})


def text_lines(options: Mapping[str, Any]) -> str:
    """Return the part of a file that `include` shows, as the core selects it."""
    chosen = {name: options[name] for name in _TEXT_OPTIONS & options.keys()}
    # Code shows its lines, even those of links and comments.
    is_selection = chosen or {"literal", "code"} & options.keys()
    return selected_lines(**chosen, text=True) if is_selection else ALL_LINES
