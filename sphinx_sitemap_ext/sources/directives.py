"""What directives show of other files: lines, links, and the results of code."""

import functools
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from sphinx.application import Sphinx
from sphinx.directives.code import LiteralInclude
from sphinx.directives.other import Include
from sphinx.environment import BuildEnvironment

from docs_sitemap.shown import selected_lines
from docs_sitemap.sources.installed import module_path

from .definitions import module_files
from .notes import current_notes

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
# The directives of these packages are known. An earlier build in this process may have
# extended directives already.
_KNOWN_MODULES = ("docutils.", "sphinx.", "sphinx_sitemap_ext.")
_WORD = re.compile(r"[\w./-]+")


def watch_directives(app: Sphinx) -> None:
    """Extend directives, so that they note what they show: the event `builder-inited`.

    All directives of the project itself are code that runs. Those of other extensions
    show the files that they name, and may replace directives of Sphinx: any change to
    the files counts.
    """
    registered = getattr(directives, "_directives", {})
    for name, directive in list(registered.items()):
        extended = _extend(name, directive)
        if extended is not None:
            app.add_directive(name, extended, override=True)
    if "myst_parser" in app.extensions:
        _watch_myst_includes()
    if "sphinx_click" in app.extensions or "sphinx_click.ext" in app.extensions:
        app.connect("sphinx-click-process-usage", _note_commands)


def _extend(name: str, directive: Any) -> type[Directive] | None:
    """Return the class that replaces a directive; `None` if none does."""
    if directive is LiteralInclude:
        return _NotedLiteralInclude
    if directive is Include:
        return _NotedInclude
    if Directive not in getattr(directive, "__mro__", ()):
        return None
    if directive.__module__.startswith(_KNOWN_MODULES):
        return None
    files = module_files(directive.__module__)  # none for directives in `conf.py`
    is_own = not any(map(module_path, files))
    runs_code = is_own or _CODE.fullmatch(name) is not None
    members = {"original": directive, "runs_code": runs_code}
    return type(name, (_NotedFiles, directive), members)


class _NotedLiteralInclude(LiteralInclude):
    """Notes the lines of `literalinclude`."""

    def run(self) -> list[nodes.Node]:
        _note_lines(self.env, self.arguments[0], literal_lines(self.options))
        if "diff" in self.options:
            _note_lines(self.env, self.options["diff"], ALL_LINES)
        return super().run()


class _NotedInclude(Include):
    """Notes the lines of `include`."""

    def run(self) -> Sequence[nodes.Node]:
        _note_text(self.env, self)
        return super().run()


def _note_text(env: BuildEnvironment, directive: Any) -> None:
    argument = directive.arguments[0]
    if not argument.startswith("<"):  # a file of docutils
        _note_lines(env, argument, text_lines(directive.options))


def _note_lines(env: BuildEnvironment, argument: str, lines: str) -> None:
    _, path = env.relfn2path(argument)
    current_notes(env).add_inclusion(path, lines)


def _watch_myst_includes() -> None:
    """Extend the class with which MyST replaces `include`, so that it notes lines."""
    from myst_parser.mocking import MockIncludeDirective

    run = MockIncludeDirective.run
    if hasattr(run, "__wrapped__"):  # An earlier build in this process has extended it.
        return

    @functools.wraps(run)
    def noted(self: MockIncludeDirective) -> list[nodes.Element]:
        env = getattr(self.document.settings, "env", None)
        if env is not None:
            _note_text(env, self)
        return run(self)

    MockIncludeDirective.run = noted  # type: ignore[method-assign]


class _NotedFiles(Directive):
    """Notes the files that a directive names and, if it runs code, the modules.

    Attributes:
        original: The directive.
        runs_code: Whether it runs code, which can read files that are named in any way.
    """

    original: type[Directive]
    runs_code: bool

    def run(self) -> Sequence[nodes.Node]:
        values = list(self.arguments)
        values += map(str, self.options.values())
        # Directives may name or compare their own class: `super(self.__class__, self)`.
        original = self.original(
            self.name,
            self.arguments,
            self.options,
            self.content,
            self.lineno,
            self.content_offset,
            self.block_text,
            self.state,
            self.state_machine,
        )
        content = original.run()
        env = getattr(self.state.document.settings, "env", None)
        # Other texts than documents have no name.
        if env is None or not env.temp_data.get("docname"):
            return content
        notes = current_notes(env)
        if self.runs_code:
            notes.ran_code.add(self.name)
            values = _WORD.findall(" ".join(values))
        document = env.doc2path(env.docname)
        folders = (os.path.dirname(document), env.srcdir)
        for value in values:
            path, _, _ = value.partition("#")
            files = [os.path.abspath(f"{folder}/{path}") for folder in folders]
            if self.runs_code:
                module, _, _ = value.rpartition(".")
                files += module_files(value)
                files += module_files(module)
            for file in filter(os.path.isfile, files):
                # Other directives only link to documents.
                if self.runs_code or env.path2doc(file) not in env.found_docs:
                    notes.add_source(file)
        return content


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
        return selected_lines(pyobject=chosen["pyobject"])
    # Code shows all lines, even those of links that the document does not use.
    return selected_lines(**chosen or {"lines": "1-"})


def text_lines(options: Mapping[str, Any]) -> str:
    """Return the part of a file that `include` shows, as the core selects it."""
    chosen = {name: options[name] for name in _TEXT_OPTIONS & options.keys()}
    # Code shows its lines, even those of links and comments.
    if chosen or {"literal", "code"} & options.keys():
        return selected_lines(**chosen, text=True)
    return ALL_LINES
