"""The Python modules of which a page shows only the documentation, and not the code."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

# The files whose code each document shows: an attribute of the environment, which Sphinx saves.
_ATTRIBUTE = "sitemap_shown_code"


def connect_events(app: Sphinx) -> None:
    """Note the code that documents show while Sphinx reads them, also in other processes."""
    app.connect("doctree-read", _note_code)
    app.connect("env-purge-doc", _purge)
    app.connect("env-merge-info", _merge)


def documented_modules(
    env: BuildEnvironment, docnames: Sequence[str], files: Iterable[str]
) -> frozenset[str]:
    """Return the files of which a page shows only the documentation: Python modules in a package of
    which it documents an object, unless it also shows code of the file.

    Args:
        env: The environment, after the build.
        docnames: The documents of the page.
        files: The absolute paths of its sources.
    """
    modules = [file for file in files if file.endswith(".py")]
    if not modules:
        return frozenset()
    shown = _shown_code(env)
    code = {path for docname in docnames for path in shown.get(docname, ())}
    packages = {
        name.partition(".")[0]
        for name, entry in env.domains["py"].objects.items()
        if entry.docname in docnames
    }
    return frozenset(
        file
        for file in modules
        if os.path.realpath(file) not in code and _top_package(file) in packages
    )


def _top_package(file: str) -> str:
    """Return the name of the package that contains a module; its own name if there is none."""
    folder, name = os.path.split(os.path.abspath(file))
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
    return name.removesuffix(".py")


def _shown_code(env: BuildEnvironment) -> dict[str, set[str]]:
    shown: dict[str, set[str]] = getattr(env, _ATTRIBUTE, {})
    setattr(env, _ATTRIBUTE, shown)
    return shown


def _note_code(app: Sphinx, doctree: nodes.document) -> None:
    # `literalinclude` and `include` name the file of a block.
    sources = {str(block.get("source", "")) for block in doctree.findall(nodes.literal_block)}
    paths = {os.path.realpath(source) for source in sources if source.endswith(".py")}
    if paths:
        _shown_code(app.env)[app.env.docname] = paths


def _purge(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    _shown_code(env).pop(docname, None)


def _merge(
    app: Sphinx, env: BuildEnvironment, docnames: Iterable[str], other: BuildEnvironment
) -> None:
    found = _shown_code(other)
    _shown_code(env).update({name: found[name] for name in docnames if name in found})
