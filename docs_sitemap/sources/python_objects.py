"""The objects of Python that a page of mkdocstrings shows, and the modules that define
them.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from docs_sitemap.page import Source
from docs_sitemap.shown import COMPLETE_FILE, Shown, ShownKind
from docs_sitemap.shown.shown_objects import Extent, ObjectStyle, ShownObject

from .mkdocstrings_blocks import GetOption, has_extension, read_style

# Regular expressions are fast if they start with a plain text.
_ID = re.compile(r'id="([\w.]+)"')


class PythonObject(Protocol):
    """An object of Python: what the objects of Griffe and those of this project have in
    common.

    Each attribute can raise any exception, for example if an alias cannot be resolved.
    """

    @property
    def name(self) -> str:
        """The name in its parent."""

    @property
    def path(self) -> str:
        """The path where it is found, such as `package.Class.method`."""

    @property
    def canonical_path(self) -> str:
        """The path where it is defined."""

    @property
    def parent(self) -> "PythonObject | None":
        """The module or class that contains it."""

    @property
    def module(self) -> "PythonObject":
        """The module that defines it."""

    @property
    def filepath(self) -> "str | os.PathLike[str] | Sequence[os.PathLike[str]]":
        """The file of this module; a list of folders for a namespace package."""

    @property
    def members(self) -> "Mapping[str, PythonObject]":
        """Its own members by name."""

    @property
    def all_members(self) -> "Mapping[str, PythonObject]":
        """Its own and inherited members by name."""

    @property
    def labels(self) -> Set[str]:
        """What else is known of it, such as `dataclass`."""

    @property
    def is_module(self) -> bool:
        """Whether it is a module."""

    @property
    def is_class(self) -> bool:
        """Whether it is a class."""

    @property
    def is_alias(self) -> bool:
        """Whether it is imported or inherited. These also have a `target`."""

    def mro(self) -> "Sequence[PythonObject]":
        """Return the base classes of a class in the order of their resolution."""


class DocumentedObject(NamedTuple):
    """An object that a block of a page documents.

    Attributes:
        root: The object.
        option: Returns the options of the block.
    """

    root: PythonObject
    option: GetOption


class _Place(NamedTuple):
    """Where an object is defined.

    Attributes:
        file: The file of the module.
        item: The object in it.
        has_code: Whether the page may show its code.
    """

    file: str
    item: ShownObject
    has_code: bool = True


def object_sources(
    documented: Iterable[DocumentedObject], html: str, *, is_custom: bool
) -> Iterator[Source]:
    """Yield the modules that define the objects on a page.

    Args:
        documented: What the blocks of the page document.
        html: The HTML of the page.
        is_custom: Whether templates of the project write it, which can show anything.
    """
    ids = find_ids(html)
    objects: defaultdict[str, set[ShownObject]] = defaultdict(set)
    for root, option in documented:
        style = read_style(option, {*ids, root.path})
        for file, item, has_code in _find_objects(root, ids, option, style):
            shows_source = has_code and style.source
            objects[file].add(item._replace(style=style._replace(source=shows_source)))
    for file, items in objects.items():
        shown = COMPLETE_FILE
        if not is_custom:
            shown = Shown(ShownKind.PYTHON, objects=tuple(sorted(items)))
        yield Source(file, shows=shown, is_optional=True)


def find_ids(html: str) -> set[str]:
    """Return the `id` attributes on a page that can be paths of objects."""
    return set(_ID.findall(html))


def _find_objects(
    root: PythonObject, ids: Set[str], option: GetOption, style: ObjectStyle
) -> Iterator[_Place]:
    """Yield what a page shows of each module.

    Args:
        root: The object that a block of the page documents.
        ids: The `id` attributes on the page. Those of objects are their paths.
        option: Returns the options of the block.
        style: How the block shows objects.
    """
    members = option("members", None)
    is_listed = members is False or isinstance(members, list | tuple)
    extent = Extent.ALL
    if is_listed and root.is_module:
        extent = Extent.DOCSTRING
    elif is_listed and root.is_class:
        extent = Extent.HEAD
    # It shows members without a docstring of their own, too.
    inherits_docstrings = has_extension(option, "inherited_docstrings")
    yield from _define(root, extent)
    members_on_page = list(_members_on_page(root, ids))
    for item in members_on_page:
        # Other members are those of the root object.
        if is_listed or item.is_alias or item.is_module or inherits_docstrings:
            yield from _define(item)
        yield from _find_exports(item)
    for item in [root, *members_on_page]:
        yield from _find_base_classes(item, option, style)
        if inherits_docstrings:
            yield from _find_inherited_docstrings(item)


class _Members:
    """Finds the members of an object, at any depth. Griffe itself would collect all
    members of a class again for each lookup.
    """

    def __init__(self, root: PythonObject) -> None:
        self._root = root
        # By path of the object.
        self._members: dict[str, Mapping[str, PythonObject]] = {}

    def find(self, path: str) -> PythonObject:
        """Return the object with a path below the one of the root."""
        if path == self._root.path:
            return self._root
        parent, _, name = path.rpartition(".")
        if parent not in self._members:
            self._members[parent] = self.find(parent).all_members
        return self._members[parent][name]


def _members_on_page(root: PythonObject, ids: Set[str]) -> Iterator[PythonObject]:
    members = _Members(root)
    prefix = f"{root.path}."
    for path in sorted(ids):
        if path.startswith(prefix):
            with suppress(Exception):  # not an object, or one that cannot be resolved
                yield members.find(path)


def _define(
    item: PythonObject,
    extent: Extent = Extent.ALL,
    *,
    member: str = "",
    has_code: bool = True,
) -> Iterator[_Place]:
    """Yield the definition of an object or, if it has one, of a member, in the module
    that contains it.
    """
    try:
        module = item.module.canonical_path
        name = item.canonical_path.removeprefix(module).removeprefix(".")
        file = item.filepath
    except Exception:  # an alias that cannot be resolved, or a built-in module
        return
    if not isinstance(file, str | os.PathLike):  # the folders of a namespace package
        return
    definition = ShownObject(name + member, extent, is_optional=bool(member))
    path = str(file)
    yield _Place(path, definition, has_code)
    stem, _ = os.path.splitext(path)
    stub = f"{stem}.pyi"
    if stub != path and os.path.isfile(stub):
        yield _Place(stub, definition._replace(is_optional=bool(name)), has_code)


def _find_exports(item: Any) -> Iterator[_Place]:
    """Yield what decides whether a module shows an object that it imports."""
    exported = ShownObject(extent=Extent.EXPORTS)
    with suppress(Exception):  # an alias that cannot be resolved
        if item.is_alias and not item.inherited and item.parent.is_module:
            yield _Place(str(item.parent.filepath), exported)
            # The other module decides which names there are.
            if item.wildcard_imported:
                yield from _define(item.target.module)
                yield _Place(str(item.target.filepath), exported)


def _find_inherited_docstrings(item: Any) -> Iterator[_Place]:
    """Yield the docstrings that griffe-inherited-docstrings shows with a member of a
    class.
    """
    with suppress(Exception):  # no member of a class, or an unknown base class
        for base in item.parent.mro():
            yield from _define(base, Extent.DOCSTRING, member=f".{item.name}")


def _find_base_classes(
    item: PythonObject, option: GetOption, style: ObjectStyle
) -> Iterator[_Place]:
    """Yield what a block shows of the base classes of a class."""
    with suppress(Exception):  # a base class that cannot be resolved
        if not item.is_class:
            return
        bases = item.mro()
        inherits = option("inherited_members", False) is True
        needs_init = option("merge_init_into_class", False)
        if "__init__" in item.members:
            needs_init = False
        for base in bases:
            if inherits:  # The page does not show the code of overridden members.
                yield from _define(base, has_code=False)
            # The fields of data classes are parameters.
            elif style.fields and "dataclass" in item.labels & base.labels:
                yield from _define(base, Extent.HEAD, has_code=False)
            if needs_init:
                yield from _define(base, member=".__init__")
            if "__init__" in base.members:
                needs_init = False
