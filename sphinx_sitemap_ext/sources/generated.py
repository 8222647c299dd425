"""Which documents other extensions generate, and from which files.

Git usually ignores such documents. If it is certain what they are generated from, they
need not be in git.
"""

import os
import posixpath
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from sphinx.builders import Builder

from docs_sitemap import ObjectStyle, ShownObject

from .definitions import Definition
from .notes import all_notes


class GeneratedDocuments:
    """Finds out which documents are generated.

    Args:
        builder: The builder, after the build.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._env = builder.env

    def is_generated(self, docname: str) -> bool:
        """Return whether all that a document shows is from its known sources, or from
        templates.
        """
        if docname in self.stubs or self._is_stub(docname):
            return True
        return next(self.originals(docname), None) is not None

    def originals(self, docname: str) -> Iterator[str]:
        """Yield the files from which another extension has generated a document."""
        for find_files in (
            self._gallery_scripts,
            self._autoapi_files,
            self._autodoc2_modules,
        ):
            yield from find_files(docname)

    def _is_stub(self, docname: str) -> bool:
        """Return whether a document has the name of an object that it documents, as in
        the output of sphinx-apidoc and sphinx-autogen.
        """
        entry = self._env.domains["py"].objects.get(posixpath.basename(docname))
        return entry is not None and entry.docname == docname

    @cached_property
    def stubs(self) -> set[str]:
        """The documents that autosummary generates."""
        return {stub for notes in all_notes(self._env).values() for stub in notes.stubs}

    def _gallery_scripts(self, docname: str) -> Iterator[str]:
        """Yield the script of a page of sphinx-gallery. Pages that list examples have
        none.

        Source: <https://sphinx-gallery.github.io/stable/configuration.html>.
        """
        settings = getattr(self._builder.config, "sphinx_gallery_conf", None)
        if settings is None:
            return
        for examples, gallery in zip(
            _as_list(settings["examples_dirs"]),
            _as_list(settings["gallery_dirs"]),
            strict=False,
        ):
            folder = os.path.relpath(self._env.srcdir / gallery, self._env.srcdir)
            prefix = f"{folder}/".replace(os.sep, "/")
            if docname.startswith(prefix):
                stem = self._env.srcdir / examples / docname.removeprefix(prefix)
                if os.path.isfile(f"{stem}.py"):
                    yield os.path.abspath(f"{stem}.py")

    def _autoapi_files(self, docname: str) -> Iterator[str]:
        yield from self.autoapi_objects.get(docname, ())

    @cached_property
    def autoapi_objects(self) -> Mapping[str, Mapping[str, set[ShownObject]]]:
        """The modules on each page of sphinx-autoapi, and their objects on the page. A
        page can show objects that its module imports, and members that its classes
        inherit.

        Source:
        <https://sphinx-autoapi.readthedocs.io/en/latest/reference/templates.html>.
        """
        objects: Mapping[str, Any] = getattr(self._env, "autoapi_all_objects", {})
        pages: Mapping[str, Any] = getattr(self._env, "autoapi_objects", {})
        options = getattr(self._builder.config, "autoapi_options", ())
        uses_full_names = not self._builder.config.python_use_unqualified_type_names
        style = ObjectStyle(
            tool="autoapi" if uses_full_names else "",
            filters=member_filters(
                "private-members" in options, "special-members" in options
            ),
            undocumented="undoc-members" in options,
        )
        found: dict[str, dict[str, set[ShownObject]]] = {}
        for page in pages.values():
            modules = found.setdefault(page.include_path.lstrip("/"), {})
            shown = [page]
            for item in shown:  # The list grows until all members are in it.
                shown += [child for child in item.children if child.display]
                for path, part in find_autoapi_files(objects, item):
                    modules.setdefault(path, set()).add(part._replace(style=style))
        return found

    def _autodoc2_modules(self, docname: str) -> Iterator[str]:
        """Yield the module of a page of sphinx-autodoc2. The page has the name of the
        module.

        Source: <https://sphinx-autodoc2.readthedocs.io/en/latest/config.html>.
        """
        database = getattr(self._env, "autodoc2_db", None)
        folder = getattr(self._builder.config, "autodoc2_output_dir", None)
        if (
            database is None
            or not folder
            or not docname.startswith(f"{folder.strip('/')}/")
        ):
            return
        module = database.get_item(posixpath.basename(docname))
        if module is not None and module.get("file_path"):
            yield os.path.abspath(module["file_path"])


def _as_list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def member_filters(is_private: bool, is_special: bool) -> tuple[str, ...]:
    """Return the filters of members that options for private and special members set."""
    hidden = "!^__.+__$" if is_private else "!^_"
    return (hidden, "^__.+__$") if is_special else (hidden,)


def find_autoapi_files(objects: Mapping[str, Any], item: Any) -> Iterator[Definition]:
    """Yield the definitions of an object of sphinx-autoapi: a module can import it, and
    a class can inherit it.
    """
    inherited = item.obj.get("inherited_from") or {}
    for name in (item.id, item.obj.get("original_path"), inherited.get("full_name")):
        if name:
            yield from _find_autoapi_file(objects, name)


def _find_autoapi_file(objects: Mapping[str, Any], name: str) -> Iterator[Definition]:
    """Yield the definition of an object in the module that contains it."""
    module = name
    while module:
        entry = objects.get(module)
        path = entry and entry.obj.get("file_path")
        if isinstance(path, str):  # A namespace package has none.
            yield (
                os.path.abspath(path),
                ShownObject(name.removeprefix(module).lstrip(".")),
            )
            return
        module = module.rpartition(".")[0]
