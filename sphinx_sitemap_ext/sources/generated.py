"""Which documents other extensions generate, and from which files.

Git usually ignores such documents. If it is certain what they are generated from, they
need not be in git.
"""

import os
import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from sphinx import addnodes
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment

from docs_sitemap.shown.shown_objects import Extent, ObjectStyle, ShownObject

from .definitions import Definition
from .noted_files import all_notes


class GeneratedDocuments:
    """Finds out which documents are generated.

    Args:
        builder: The builder, after the build.
    """

    def __init__(self, builder: Builder) -> None:
        self._config = builder.config
        self._env = builder.env

    def is_generated(self, docname: str) -> bool:
        """Return whether all that a document shows is from its known sources, or from
        templates.
        """
        # The output of sphinx-apidoc and sphinx-autogen has the names of objects.
        name = posixpath.basename(docname)
        entry = self._env.domains["py"].objects.get(name)
        if entry is not None and entry.docname == docname:
            return True
        return (
            docname in self.stubs
            or docname in self._indexes
            or any(self.originals(docname))
        )

    def originals(self, docname: str) -> Iterator[str]:
        """Yield the files from which another extension has generated a document: its
        own module first.
        """
        yield from self._gallery_scripts(docname)
        module = self._autodoc2_module(docname)
        if module is not None:
            yield os.path.abspath(module["file_path"])
        yield from self.objects(docname)

    def objects(self, docname: str) -> Mapping[str, set[ShownObject]]:
        """Return what a generated document shows of modules. Of any other original, it
        shows all.
        """
        return self._autoapi_objects.get(docname, {})

    @cached_property
    def stubs(self) -> Mapping[str, tuple[str, str]]:
        """The documents that autosummary generates: the file with the table that lists
        them, and the names of their objects there.

        A table in such a document is from a template. The table that lists this
        document decides then.
        """
        listed = {}
        for docname, notes in sorted(all_notes(self._env).items()):
            for stub, place in notes.stubs.items():
                listed[stub] = docname, place
        stubs = {}
        for stub, (docname, place) in listed.items():
            seen = {stub}
            while docname in listed and docname not in seen:
                seen.add(docname)
                docname, place = listed[docname]
            stubs[stub] = place
        return stubs

    def listed_modules(self, docname: str) -> Iterator[str]:
        """Yield the modules whose pages a generated document lists."""
        depth = -1
        for tree in self._env.tocs[docname].findall(addnodes.toctree):
            depth = max(depth, tree["maxdepth"])
        level = {docname}
        listed = set[str]()
        while level and depth != 0:
            depth -= 1
            children = set[str]()
            for parent in level:
                children.update(self._env.toctree_includes.get(parent, ()))
            level = children - listed
            listed |= level
        for child in sorted(listed):
            for module in self.originals(child):
                yield module  # The others define what the page of the module shows.
                break

    def _gallery_scripts(self, docname: str) -> Iterator[str]:
        """Yield the script of a page of sphinx-gallery. Pages that list examples have
        none.

        Source: <https://sphinx-gallery.github.io/stable/configuration.html>.
        """
        settings = getattr(self._config, "sphinx_gallery_conf", None)
        if settings is None:
            return
        srcdir = self._env.srcdir
        examples_dirs = _as_list(settings["examples_dirs"])
        gallery_dirs = _as_list(settings["gallery_dirs"])
        document = srcdir / docname
        for examples, gallery in zip(examples_dirs, gallery_dirs, strict=False):
            folder = os.path.abspath(srcdir / gallery)
            if document.is_relative_to(folder):
                name = document.relative_to(folder)
                script = os.path.abspath(srcdir / examples / f"{name}.py")
                if os.path.isfile(script):
                    yield script

    @cached_property
    def _autoapi_objects(self) -> Mapping[str, Mapping[str, set[ShownObject]]]:
        """The modules on each page of sphinx-autoapi, and their objects on the page. A
        page can show objects that its module imports, and members that its classes
        inherit.

        Source:
        <https://sphinx-autoapi.readthedocs.io/en/latest/reference/templates.html>.
        """
        modules_by_name = _autoapi_modules(self._env)
        options = getattr(self._config, "autoapi_options", ())
        is_private = "private-members" in options
        is_special = "special-members" in options
        style = ObjectStyle(
            filters=member_filters(is_private, is_special),
            exported=True,
            undocumented="undoc-members" in options,
            fields=False,
            full_types=not self._config.python_use_unqualified_type_names,
        )
        line = style._replace(end="\n")
        pages = getattr(self._env, "autoapi_objects", {})
        modules_of = {}
        for page in pages.values():
            modules: defaultdict[str, set[ShownObject]] = defaultdict(set)
            for item in _shown_objects(page, pages):
                for path, part in _find_autoapi_files(self._env, modules_by_name, item):
                    modules[path].add(part._replace(style=style))
            for item in _listed_objects(page, pages):
                # A class is listed with the docstring of its constructor.
                extent = Extent.DOCSTRING
                if item.type in ("function", "method"):
                    extent = Extent.HEAD
                for path, part in _find_autoapi_files(self._env, modules_by_name, item):
                    modules[path].add(part._replace(extent=extent, style=line))
            docname = page.include_path.lstrip("/")
            modules_of[docname] = modules
        return modules_of

    @cached_property
    def _indexes(self) -> set[str]:
        """The pages with which sphinx-autoapi and sphinx-autodoc2 list all others."""
        indexes = set[str]()
        if hasattr(self._env, "autoapi_objects"):
            indexes.add(posixpath.join(self._config.autoapi_root.strip("/"), "index"))
        if hasattr(self._env, "autodoc2_db"):
            folder = self._config.autodoc2_output_dir.strip("/")
            indexes.add(posixpath.join(folder, "index"))
        return indexes

    def _autodoc2_module(self, docname: str) -> Any:
        """Return the module of a page of sphinx-autodoc2, which has the name of the
        module; `None` for other pages.

        Source: <https://sphinx-autodoc2.readthedocs.io/en/latest/config.html>.
        """
        database = getattr(self._env, "autodoc2_db", None)
        if database is None:
            return None
        folder = getattr(self._config, "autodoc2_output_dir", "").strip("/")
        if not docname.startswith(f"{folder}/"):
            return None
        module = database.get_item(posixpath.basename(docname))
        if module is None or not module.get("file_path"):
            return None
        return module


def _shown_objects(item: Any, pages: Mapping[str, Any]) -> Iterator[Any]:
    """Yield an object of sphinx-autoapi, and the members that are shown with it: those
    without a page of their own.
    """
    yield item
    for child in item.children:
        if child.display and pages.get(child.id) is not child:
            yield from _shown_objects(child, pages)


def _listed_objects(page: Any, pages: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the objects that a page lists: those with a page of their own. It shows
    their names and the first lines of their docstrings, and signatures of functions.
    """
    for child in page.children:
        if pages.get(child.id) is child:
            yield child


def _as_list(value: object) -> list[Any]:
    if isinstance(value, list | tuple):
        return list(value)
    return [value]


def member_filters(is_private: bool, is_special: bool) -> tuple[str, ...]:
    """Return the filters of members with options for private and special members."""
    filters = ["!^_"]
    if is_private:
        filters = ["!^__.+__$"]
    if is_special:
        filters.append("^__.+__$")
    return tuple(filters)


def _autoapi_modules(env: BuildEnvironment) -> Mapping[str, str]:
    """Return the files of the modules of sphinx-autoapi, by the names of the modules.
    The records lack a module if another object of its package has its name.
    """
    modules = {}
    others = set[str]()
    for record in ("autoapi_all_objects", "autoapi_objects"):
        for item in getattr(env, record, {}).values():
            path = item.obj.get("file_path")
            if isinstance(path, str):  # A namespace package has none.
                modules[item.id] = os.path.abspath(path)
            else:
                others.add(item.id)
    for name in others - modules.keys():
        package, _, stem = name.rpartition(".")
        folder, file = os.path.split(modules.get(package, ""))
        path = os.path.join(folder, f"{stem}.py")
        if file == "__init__.py" and os.path.isfile(path):
            modules[name] = path
    return modules


def _find_autoapi_files(
    env: BuildEnvironment, modules: Mapping[str, str], item: Any
) -> Iterator[Definition]:
    """Yield the definitions of what is shown with an object of sphinx-autoapi, apart
    from other members.
    """
    yield from _definitions(env, modules, item)
    # A class is shown with the parameters of its constructor, which can be hidden.
    constructor = getattr(item, "constructor", None)
    if constructor is not None:
        yield from _definitions(env, modules, constructor)


def _definitions(
    env: BuildEnvironment, modules: Mapping[str, str], item: Any
) -> Iterator[Definition]:
    """Yield the definitions of an object of sphinx-autoapi: a module can import it or
    its class, and a class can inherit it.
    """
    names = _follow_imports(getattr(env, "autoapi_all_objects", {}), item)
    base: Any = item.obj.get("inherited_from")
    if base:
        names = [f"{base['full_name']}.{item.short_name}"]
    for name in names:
        module = name
        if "file_path" not in item.obj:  # A module can have the same name.
            module, _, _ = name.rpartition(".")
        while module and module not in modules:
            module, _, _ = module.rpartition(".")
        if module:
            name = name.removeprefix(module).lstrip(".")
            # Its members are other objects.
            yield modules[module], ShownObject(name, Extent.NAMES)


def _follow_imports(all_objects: Mapping[str, Any], item: Any) -> list[str]:
    """Return the names of an object of sphinx-autoapi: its own name, and those in the
    modules from which its module imports the object or its class, up to the definition.
    """
    names = [item.id]
    for name in names:  # It grows.
        scope, owner = name, all_objects.get(name)
        if name == item.id:  # A module can have the same name.
            owner = item
        while owner is not None:
            original = owner.obj.get("original_path")
            if original:
                names.append(original + name.removeprefix(scope))
            scope, _, _ = scope.rpartition(".")
            owner = all_objects.get(scope)
            # A module can have the name of a function.
            if getattr(owner, "type", "") not in ("class", "exception"):
                break
    return names
