"""What directives show of other files: lines, definitions in glossaries, links, and the
results of code.
"""

import functools
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from sphinx.application import Sphinx
from sphinx.directives.code import LiteralInclude
from sphinx.directives.other import Include
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform

from docs_sitemap.shown import selected_lines
from docs_sitemap.shown.glossaries import (
    SETTINGS,
    definition_name,
    find_definitions,
    is_glossary,
)
from docs_sitemap.sources.installed import module_path
from docs_sitemap.tools.files import read_text_file

from .definitions import module_files
from .noted_files import current_notes

ALL_LINES = ""
"""The inclusion shows all lines of the file."""

_TEXTS = {"start-after", "end-before"}
_LITERAL_OPTIONS = {"lines", "pyobject", "start-at", "end-at"} | _TEXTS
_TEXT_OPTIONS = {"start-line", "end-line"} | _TEXTS

# With `tab-width`, texts are searched for in lines with spaces in place of tabs. The
# lines decide which numbers `lineno-match` shows.
_OTHER_OPTIONS = {"diff", "tab-width", "lineno-match"}

# Directives that run code, of matplotlib, sphinx-click, sphinx-argparse,
# sphinxcontrib-programoutput, and similar extensions.
_CODE = re.compile(
    "argparse|autoprogram|click|command-output|exec|exec_code|execute_code|ipython|"
    "jupyter-execute|plot|program-output|runblock|sphinx_argparse_cli"
)
_KNOWN_MODULES = ("docutils.", "sphinx.")
_WORD = re.compile(r"[\w./-]+")

# The extended directives, and the functions that they define themselves.
_WATCHED: list[tuple[Any, Any]] = []

Note = Callable[[BuildEnvironment, Any], AbstractContextManager[None]]
"""Notes what a directive shows, while the directive runs."""


def watch_directives(app: Sphinx) -> None:
    """Extend directives, so that they note what they show: the event `builder-inited`.

    All directives of the project itself are code that runs. Those of other extensions
    show the files that they name: any change to the files counts.
    """
    _restore_directives()
    for directive in getattr(directives, "_directives", {}).values():
        if directive is LiteralInclude:
            _watch(directive, _note_code)
        elif directive is Include:
            _watch(directive, _note_text)
        elif Directive not in getattr(directive, "__mro__", ()):
            continue
        elif not directive.__module__.startswith(_KNOWN_MODULES):
            _watch(directive, _note_files)
    if "myst_parser" in app.extensions:
        from myst_parser.mocking import MockIncludeDirective

        _watch(MockIncludeDirective, _note_text)
    if "sphinx_click" in app.extensions or "sphinx_click.ext" in app.extensions:
        app.connect("sphinx-click-process-usage", _note_commands)


def _watch(directive: Any, note: Note) -> None:
    """Extend a directive, so that it notes what it shows.

    Directives may name or compare their own class, so the class stays the same.
    """
    run = directive.run

    @functools.wraps(run)
    def noted(self: Any) -> Sequence[nodes.Node]:
        state = getattr(self, "state", self)
        env = getattr(state.document.settings, "env", None)
        # Other texts than documents have no name.
        if env is None or not env.temp_data.get("docname"):
            return run(self)  # type: ignore[no-any-return]
        # A directive that extends this one has notes of its own.
        if type(self) is not directive:
            return run(self)  # type: ignore[no-any-return]
        with note(env, self):
            return run(self)  # type: ignore[no-any-return]

    _WATCHED.append((directive, vars(directive).get("run")))
    directive.run = noted


def _restore_directives() -> None:
    """Forget what an earlier build in this process has extended."""
    while _WATCHED:
        directive, run = _WATCHED.pop()
        if run is None:
            del directive.run
        else:
            directive.run = run


@contextmanager
def _note_code(env: BuildEnvironment, directive: Any) -> Iterator[None]:
    """Note the lines of `literalinclude`."""
    _note_lines(env, directive.arguments[0], literal_lines(directive.options))
    if "diff" in directive.options:
        _note_lines(env, directive.options["diff"], ALL_LINES)
    yield


@contextmanager
def _note_text(env: BuildEnvironment, directive: Any) -> Iterator[None]:
    """Note the lines of `include`, which changes its argument while it runs."""
    # MyST removes front matter.
    notation = ".rst" if isinstance(directive, Include) else "myst"
    argument = directive.arguments[0]
    if not argument.startswith("<"):  # a file of docutils
        _note_lines(env, argument, text_lines(directive.options, notation))
    yield


def _note_lines(env: BuildEnvironment, argument: str, lines: str) -> None:
    _, path = env.relfn2path(argument)
    current_notes(env).add_inclusion(path, lines)


@contextmanager
def _note_files(env: BuildEnvironment, directive: Any) -> Iterator[None]:
    """Note the files that a directive names. One that runs code can read files that are
    named in any way, and modules.
    """
    values = [*directive.arguments, *map(str, directive.options.values())]
    yield
    notes = current_notes(env)
    runs_code = _runs_code(directive)
    if runs_code:
        notes.ran_code.add(directive.name)
        values = _WORD.findall(" ".join(values))
    folders = (os.path.dirname(env.doc2path(env.docname)), env.srcdir)
    for value in values:
        path, _, _ = value.partition("#")
        files = [os.path.abspath(f"{folder}/{path}") for folder in folders]
        if runs_code:
            module, _, _ = value.rpartition(".")
            files += module_files(value)
            files += module_files(module)
        for file in filter(os.path.isfile, files):
            # Other directives only link to documents.
            if runs_code or env.path2doc(file) not in env.found_docs:
                notes.add_source(file)


def _runs_code(directive: Directive) -> bool:
    # Directives in `conf.py` have no file.
    files = module_files(type(directive).__module__)
    is_own = not any(map(module_path, files))
    return is_own or _CODE.fullmatch(directive.name) is not None


def _note_commands(app: Sphinx, context: Any, lines: list[str]) -> None:
    """Note the modules of a command and its subcommands: an event of sphinx-click."""
    subcommands = getattr(context.command, "commands", {})
    for command in (context.command, *subcommands.values()):
        for file in module_files(getattr(command.callback, "__module__", None)):
            current_notes(app.env).add_source(file)


def literal_lines(options: Mapping[str, Any]) -> str:
    """Return the part of a file that `literalinclude` shows, as the core selects it."""
    if _OTHER_OPTIONS & options.keys():
        return ALL_LINES
    chosen = {name: options[name] for name in _LITERAL_OPTIONS & options.keys()}
    if "pyobject" in chosen:
        # The core selects all definitions of the name, so it cannot select lines of the
        # last one.
        chosen = {"pyobject": chosen["pyobject"]}
    return selected_lines(**chosen, notation="code")


def text_lines(options: Mapping[str, Any], notation: str) -> str:
    """Return the part of a file that `include` shows, as the core selects it.

    Args:
        options: The options of the directive.
        notation: The notation of the document, for `selected_lines`.
    """
    chosen = {name: options[name] for name in _TEXT_OPTIONS & options.keys()}
    if {"literal", "code"} & options.keys():
        notation = "code"
    elif "parser" in options:
        notation = ".md" if "myst" in options["parser"].__module__ else ""
    return selected_lines(**chosen, text=True, notation=notation or None)


_COMPLETE_TEXTS = {text_lines({}, notation) for notation in (".rst", "myst")}


class NoteDefinitions(SphinxTransform):
    """Notes which definitions a document uses of glossaries: included files that only
    define links and substitutions, as often in `rst_epilog`.
    """

    default_priority = 15  # before docutils replaces the names

    def apply(self, **kwargs: object) -> None:
        inclusions = current_notes(self.env).inclusions
        glossaries = {}
        for path, lines in inclusions.items():
            if lines <= _COMPLETE_TEXTS:
                with suppress(OSError):
                    text = read_text_file(path)
                    if is_glossary(text):
                        glossaries[path] = find_definitions(text)
        if not glossaries:
            return
        used = _used_names(self.document) | SETTINGS
        for path, definitions in glossaries.items():
            inclusions[path] = set()
            for name in used & definitions.keys():
                part = selected_lines(definition=definitions[name].start)
                inclusions[path].add(part)


def _used_names(document: nodes.document) -> set[str]:
    """Return the names of links and substitutions in the text of a document, and in the
    substitutions that the text uses.
    """
    # By the name of the substitution that contains them; the text has an empty name.
    names: defaultdict[str, set[str]] = defaultdict(set)
    for node in document.findall(nodes.Element):
        if "refname" in node:
            name = definition_name(node["refname"])
            names[_container(node)].add(name)
    used = {""}
    pending = [""]
    while pending:
        new = names[pending.pop()] - used
        used |= new
        pending += new
    return used


def _container(node: nodes.Element) -> str:
    """Return the name of the substitution that contains a node; empty for the text."""
    parent: nodes.Element | None = node
    while parent is not None:
        if isinstance(parent, nodes.substitution_definition):
            return definition_name("".join(parent["names"]))
        parent = parent.parent
    return ""
