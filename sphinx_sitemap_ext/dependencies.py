"""The files that a document's page is made from, besides its source."""

from __future__ import annotations

import filecmp
import os
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.util.i18n import docname_to_domain

if TYPE_CHECKING:
    from sphinx.builders import Builder


class Dependencies:
    """What Sphinx notes of a document while it reads it: files that it includes, images, modules
    that autodoc documents, files to download; and the catalog of its translation.

    What the build itself makes is no source, and installed packages are no part of the project. A
    project that is itself installed to be documented is found again: by files of the same path
    and content.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._libraries = [
            os.path.join(os.path.realpath(sysconfig.get_path(name)), "")
            for name in ("purelib", "platlib", "stdlib")
        ]
        # Extensions keep what they make (plots, say) beside the doctrees.
        doctrees = Path(builder.doctreedir)
        built = [Path(builder.outdir), doctrees, doctrees.parent]
        self._built = [
            os.path.join(os.path.realpath(folder), "")
            for folder in built
            if not Path(builder.srcdir).is_relative_to(folder)
        ]
        self._kept: dict[str, str | None] = {}

    def of(self, docname: str) -> list[str]:
        env = self._builder.env
        # Relative to the sources, with ".." in it, or absolute: that depends on Sphinx' version.
        noted = {
            os.path.abspath(env.srcdir / path)
            for path in env.dependencies.get(docname, ())
            if not os.fspath(path).endswith(".mo")
        }
        noted |= self._catalogs(docname)
        for path in noted - self._kept.keys():
            self._kept[path] = self._keep(path)
        return sorted({kept for path in noted if (kept := self._kept[path]) is not None})

    def stubs(self, sources: Iterable[str]) -> frozenset[str]:
        """Return those that autosummary made of a module, if they are in no repository: they say
        nothing themselves, but what to document.
        """
        if "sphinx.ext.autosummary" not in self._builder.config.extensions:
            return frozenset()
        suffixes = tuple(self._builder.config.source_suffix)
        return frozenset(path for path in sources if path.endswith(suffixes) and _is_stub(path))

    def _catalogs(self, docname: str) -> set[str]:
        """The texts in the language of the site. Sphinx itself notes only what it compiles them
        to, and that from the second build on.
        """
        config = self._builder.config
        domain = docname_to_domain(docname, config.gettext_compact)
        catalogs = set()
        for name in config.locale_dirs:
            for language in {config.language, config.language.partition("_")[0]}:
                folder = self._builder.srcdir / name / language / "LC_MESSAGES"
                for path in (folder / f"{domain}.po", folder / f"{domain}.mo"):
                    if path.is_file():
                        catalogs.add(os.path.abspath(path))
                        break
        return catalogs

    def _keep(self, path: str) -> str | None:
        if not os.path.isfile(path):
            return None
        real = os.path.realpath(path)
        if real.startswith(tuple(self._built)):
            return None
        for library in self._libraries:
            if real.startswith(library):
                return self._original(real, real.removeprefix(library))
        return None if "site-packages" in Path(real).parts else path

    def _original(self, installed: str, module: str) -> str | None:
        confdir = Path(os.path.abspath(self._builder.confdir))
        for folder in [confdir, *confdir.parents]:
            for candidate in (folder / module, folder / "src" / module):
                if candidate.is_file() and filecmp.cmp(candidate, installed, shallow=False):
                    return str(candidate)
        return None


def _is_stub(path: str) -> bool:
    """Whether a document is but a title and directives that document something."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = [line for line in file if line.strip()]
    except (OSError, ValueError):
        return False
    outer = [line for line in lines[2:] if not line[0].isspace()]
    return bool(outer) and all(
        line.startswith((".. auto", ".. currentmodule::", ".. rubric::")) for line in outer
    )
