"""Which documents other extensions generate, and from which files.

Git usually ignores such documents. If it is certain what they are generated from, they need not be
in git.
"""

import os
import posixpath
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from sphinx.builders import Builder

from docs_sitemap import shown_objects

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
        """Return whether all that a document shows is from its known sources, or from templates."""
        return (
            docname in self.stubs
            or any(True for _ in self.originals(docname))
            or self._is_stub(docname)
        )

    def originals(self, docname: str) -> Iterator[str]:
        """Yield the files from which another extension has generated a document."""
        for find_files in (self._gallery_scripts, self._autoapi_files, self._autodoc2_modules):
            yield from find_files(docname)

    def _is_stub(self, docname: str) -> bool:
        """Return whether a document has the name of an object that it documents, as in the output
        of sphinx-apidoc and sphinx-autogen.
        """
        entry = self._env.domains["py"].objects.get(posixpath.basename(docname))
        return entry is not None and entry.docname == docname

    @cached_property
    def stubs(self) -> set[str]:
        """The documents that autosummary generates."""
        return {stub for notes in all_notes(self._env).values() for stub in notes.stubs}

    def _gallery_scripts(self, docname: str) -> Iterator[str]:
        """Yield the script of a page of sphinx-gallery. Pages that list examples have none.

        Source: <https://sphinx-gallery.github.io/stable/configuration.html>.
        """
        settings = getattr(self._builder.config, "sphinx_gallery_conf", None)
        if settings is None:
            return
        for examples, gallery in zip(
            _as_list(settings["examples_dirs"]), _as_list(settings["gallery_dirs"]), strict=False
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
    def autoapi_objects(self) -> Mapping[str, Mapping[str, set[str]]]:
        """The modules on each page of sphinx-autoapi, and their parts on the page. A page can show
        objects that its module imports, and members that its classes inherit.

        Source: <https://sphinx-autoapi.readthedocs.io/en/latest/reference/templates.html>.
        """
        objects: Mapping[str, Any] = getattr(self._env, "autoapi_all_objects", {})
        pages: Mapping[str, Any] = getattr(self._env, "autoapi_objects", {})
        options = getattr(self._builder.config, "autoapi_options", ())
        hidden = "!^__.+__$" if "private-members" in options else "!^_"
        filters = [hidden, "^__.+__$"] if "special-members" in options else [hidden]
        tool = "autoapi"
        if self._builder.config.python_use_unqualified_type_names:
            tool = ""
        undocumented = "undoc-members" in options
        rules = shown_objects(tool=tool, filters=filters, undocumented=undocumented)
        found: dict[str, dict[str, set[str]]] = {}
        for page in pages.values():
            modules = found.setdefault(page.include_path.lstrip("/"), {})
            shown = [page]
            for item in shown:  # The list grows until all members are in it.
                shown += [child for child in item.children if child.display]
                for path, part in find_autoapi_files(objects, item):
                    modules.setdefault(path, {rules}).add(part)
        return found

    def _autodoc2_modules(self, docname: str) -> Iterator[str]:
        """Yield the module of a page of sphinx-autodoc2. The page has the name of the module.

        Source: <https://sphinx-autodoc2.readthedocs.io/en/latest/config.html>.
        """
        database = getattr(self._env, "autodoc2_db", None)
        folder = getattr(self._builder.config, "autodoc2_output_dir", None)
        if database is None or not folder or not docname.startswith(f"{folder.strip('/')}/"):
            return
        module = database.get_item(posixpath.basename(docname))
        if module is not None and module.get("file_path"):
            yield os.path.abspath(module["file_path"])


def _as_list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def find_autoapi_files(objects: Mapping[str, Any], item: Any) -> Iterator[tuple[str, str]]:
    """Yield the files that define an object of sphinx-autoapi, and the name of the object in each:
    a module can import it, and a class can inherit it.
    """
    inherited = item.obj.get("inherited_from") or {}
    for name in (item.id, item.obj.get("original_path"), inherited.get("full_name")):
        path, part = _find_autoapi_file(objects, name)
        if path is not None:
            yield path, part


def _find_autoapi_file(objects: Mapping[str, Any], name: str | None) -> tuple[str | None, str]:
    """Return the file of the module that contains an object, and the name of the object in it."""
    part = ""
    while name:
        path = objects[name].obj.get("file_path") if name in objects else None
        if isinstance(path, str):  # A namespace package has none.
            return os.path.abspath(path), part
        name, _, last = name.rpartition(".")
        part = f"{last}.{part}" if part else last
    return None, ""
