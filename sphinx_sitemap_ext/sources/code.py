"""Directives that run code of the project, and show its results."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from docutils.parsers.rst import Directive, directives

from sphinx_sitemap_ext.sources.definitions import LIBRARIES, module_files
from sphinx_sitemap_ext.sources.notes import current_notes

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

# Of matplotlib, sphinx-click, sphinx-argparse, sphinxcontrib-programoutput, and similar extensions.
_NAMES = re.compile(
    "argparse|autoprogram|click|command-output|exec|exec_code|execute_code|ipython|"
    "jupyter-execute|plot|program-output|runblock|sphinx_argparse_cli"
)
_WORD = re.compile(r"[\w./-]+")


def watch_code(app: Sphinx) -> None:
    """Extend the directives that run code, so that they are noted: the event `builder-inited`.

    All directives of the project itself are such code.
    """
    for name, directive in [*vars(directives)["_directives"].items()]:
        files = module_files(directive.__module__)  # none for directives in `conf.py`
        is_own = not any(LIBRARIES.intersection(Path(file).parts) for file in files)
        if isinstance(directive, type) and (is_own or _NAMES.fullmatch(name)):
            app.add_directive(name, type(name, (_NotedCode, directive), {}), override=True)


class _NotedCode(Directive):
    """Notes that a directive runs code, and the files and modules that it names."""

    def run(self) -> Sequence[nodes.Node]:
        content = super().run()
        env = self.state.document.settings.env
        notes = current_notes(env)
        notes.ran_code.add(self.name)
        for word in _WORD.findall(" ".join([*self.arguments, *map(str, self.options.values())])):
            files = [env.relfn2path(word)[1], env.relfn2path(f"/{word}")[1]]
            files += module_files(word) + module_files(word.rpartition(".")[0])
            for file in filter(os.path.isfile, files):
                notes.add_source(file)
        return content
