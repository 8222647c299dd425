"""The objects of Griffe that a page of mkdocstrings shows, and the modules that define them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Set
from typing import Any

# The file of a module, and the name of an object in it.
Place = tuple[str, str]


def find_objects(root: Any, ids: Set[str], option: Callable[[str, Any], Any]) -> Iterator[Place]:
    """Yield what a page shows of each module.

    Args:
        root: The object that a block of the page documents.
        ids: The `id` attributes on the page. Those of objects are their paths.
        option: Returns an option of the block, or a default.
    """
    members = option("members", None)
    is_listed = members is False or isinstance(members, list | tuple)
    yield from _define(root, _head(root) if is_listed else "")
    yield from _follow_imports(root, root)
    shown = [root, *_members(root, ids)]
    for item in shown[1:]:
        yield from _follow_imports(item, root)
        # Other members are those of the root object.
        if is_listed or item.is_alias or item.is_module:
            yield from _define(item)
    for item in shown:
        yield from _find_base_classes(item, option)
    summary = option("summary", False)
    if root.is_module and (summary is True or getattr(summary, "modules", False)):
        for module in root.modules.values():
            yield from _define(module, "__doc__")


def _members(root: Any, ids: Set[str]) -> Iterator[Any]:
    for path in sorted(ids):
        if path.startswith(f"{root.path}."):
            try:
                member = root.modules_collection[path]
            except Exception:  # noqa: S112  # not an object, or one that cannot be resolved
                continue
            yield member


def _head(item: Any) -> str:
    """Return the end of the name of an object without its members."""
    return "__doc__" if item.is_module else "()" if item.is_class else ""


def _define(item: Any, end: str = "") -> Iterator[Place]:
    """Yield the definition of an object, in the module that contains it."""
    try:
        module = item.module
        name = item.canonical_path.removeprefix(module.canonical_path).removeprefix(".")
        path = item.filepath
    except Exception:  # an alias that cannot be resolved, or a built-in module
        return
    if not isinstance(path, list):  # The list of folders of a namespace package.
        yield str(path), name + end
        stub = str(path.with_suffix(".pyi"))
        if stub != str(path) and os.path.isfile(stub):
            yield stub, f"{name}{end.removesuffix('?')}?" if name else end


def _follow_imports(item: Any, root: Any) -> Iterator[Place]:
    """Yield the imports through which a block shows an object."""
    try:
        while item.is_alias:
            parent = item.parent
            if not item.inherited and parent.is_module:
                yield str(parent.filepath), "*" if item.wildcard_imported else item.name
                if root.is_module:
                    yield str(parent.filepath), "__all__?"
                if root.is_module and item.wildcard_imported:
                    # The other module decides which names there are.
                    yield from _define(item.target.module)
                    yield str(item.target.filepath), "__all__?"
            item = item.target
    except Exception:  # an alias that cannot be resolved
        return


def _find_base_classes(item: Any, option: Callable[[str, Any], Any]) -> Iterator[Place]:
    """Yield what a block shows of the base classes of a class."""
    try:
        if not item.is_class:
            return
        bases = item.mro()
        yield from _find_imported_bases(item)
        inherits = option("inherited_members", False) is True
        # This extension of Griffe shows the docstrings of base classes.
        inherits |= "inherited_docstrings" in str(option("extensions", ""))
        has_diagram = option("show_inheritance_diagram", False)
        needs_init = option("merge_init_into_class", False) and "__init__" not in item.members
        for base in bases:
            if inherits:
                yield from _define(base)
            # The fields of data classes are parameters.
            elif has_diagram or "dataclass" in item.labels & base.labels:
                yield from _define(base, "()")
            if needs_init:
                yield from _define(base, ".__init__?")
            needs_init = needs_init and "__init__" not in base.members
    except Exception:  # a base class that cannot be resolved
        return


def _find_imported_bases(item: Any) -> Iterator[Place]:
    """Yield the imports of base classes: a class with the same name can replace them."""
    for base in item.bases:
        name = str(base).partition("[")[0].partition(".")[0]
        imported = item.module.members.get(name)
        if imported is not None and imported.is_alias:
            yield str(item.filepath), name
