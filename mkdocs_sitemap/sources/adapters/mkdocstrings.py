"""mkdocstrings and its handler for Python: the objects of Griffe that a page shows, and
the modules that define them.
"""

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import suppress
from functools import partial
from typing import Any

from docs_sitemap.page import Source
from docs_sitemap.shown import COMPLETE_FILE, Shown, ShownKind
from docs_sitemap.shown.python import Extent, ObjectStyle, ShownObject
from mkdocs_sitemap.sources.adapters import Functions, Plugins, RenderedPage, Sources

# Regular expressions are fast if they start with a plain text.
_ID = re.compile(r'id="([\w.]+)"')

_GetOption = Callable[[str, Any], Any]
"""Returns an option of a block, or a default."""

_Place = tuple[str, ShownObject, bool]
"""The file of a module, an object in it, and whether the page may show its code."""


def functions(plugins: Plugins) -> Functions:
    plugin = plugins.get("mkdocstrings")
    if plugin is None or not plugin.config.enabled:
        return
    if "python" in (plugin.config.default_handler, *plugin.config.handlers):
        # It may be that the handler is not installed, and no page needs it.
        with suppress(ImportError):
            # `render(data, options)` renders a block of a page.
            yield plugin.handlers.get_handler("python"), "render"


def sources(page: RenderedPage) -> Sources:
    ids = set(_ID.findall(page.html))
    # A custom template can show anything.
    is_custom = bool(page.plugins["mkdocstrings"].config.custom_templates)
    objects: defaultdict[str, set[ShownObject]] = defaultdict(set)
    for call in page.calls:
        root, options = call.arguments[:2]
        option: _GetOption = partial(getattr, options)
        if isinstance(options, Mapping):  # in older versions
            option = options.get
        style = _style(option, {*ids, root.path})
        for path, item, has_code in _find_objects(root, ids, option, style):
            shows_source = has_code and style.source
            objects[path].add(item._replace(style=style._replace(source=shows_source)))
    for path, items in objects.items():
        shown = COMPLETE_FILE
        if not is_custom:
            shown = Shown(ShownKind.PYTHON, objects=tuple(sorted(items)))
        yield Source(path, shows=shown, is_optional=True)


def _style(option: _GetOption, paths: Set[str]) -> ObjectStyle:
    """Return how the options of a block show objects:
    <https://mkdocstrings.github.io/python/usage/configuration/general/>.

    Args:
        option: Returns the options of the block.
        paths: The paths of the objects on the page.
    """
    filters = option("filters", ["!^_[^_]"])
    is_public = filters == "public"
    if is_public:
        filters = ["!^_"]
    has_diagram = bool(option("show_inheritance_diagram", False))
    init = bool(option("merge_init_into_class", False))
    # griffe-fieldz lists the fields of data classes.
    shows_fields = init or _has_extension(option, "fieldz")
    for path in paths:
        shows_fields |= path.endswith(".__init__")
    shows_all = option("members", None) is True
    if shows_all:
        filters = []
    return ObjectStyle(
        tool="griffe",
        filters=tuple(map(_expression, filters or ())),
        exported=is_public and not shows_all,
        undocumented=shows_all or bool(option("show_if_no_docstring", False)),
        init=init,
        fields=shows_fields,
        bases=bool(option("show_bases", True)) or has_diagram,
        source=bool(option("show_source", True)),
    )


def _has_extension(option: _GetOption, name: str) -> bool:
    """Return whether a block uses an extension of Griffe."""
    return name in str(option("extensions", ""))


def _expression(regex: str | tuple[re.Pattern[str], bool]) -> str:
    """Return a filter, which the plugin may have compiled."""
    if isinstance(regex, str):
        return regex
    pattern, is_excluded = regex
    if is_excluded:
        return f"!{pattern.pattern}"
    return pattern.pattern


def _find_objects(
    root: Any, ids: Set[str], option: _GetOption, style: ObjectStyle
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
    inherits_docstrings = _has_extension(option, "inherited_docstrings")
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

    def __init__(self, root: Any) -> None:
        self._root = root
        self._members: dict[str, Mapping[str, Any]] = {}  # by path of the object

    def find(self, path: str) -> Any:
        """Return the object with a path below the one of the root."""
        if path == self._root.path:
            return self._root
        parent, _, name = path.rpartition(".")
        if parent not in self._members:
            self._members[parent] = self.find(parent).all_members
        return self._members[parent][name]


def _members_on_page(root: Any, ids: Set[str]) -> Iterator[Any]:
    members = _Members(root)
    prefix = f"{root.path}."
    for path in sorted(ids):
        if path.startswith(prefix):
            with suppress(Exception):  # not an object, or one that cannot be resolved
                yield members.find(path)


def _define(
    item: Any, extent: Extent = Extent.ALL, *, member: str = "", has_code: bool = True
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
    if isinstance(file, list):  # the folders of a namespace package
        return
    definition = ShownObject(name + member, extent, is_optional=bool(member))
    path = str(file)
    yield path, definition, has_code
    stem, _ = os.path.splitext(path)
    stub = f"{stem}.pyi"
    if stub != path and os.path.isfile(stub):
        yield stub, definition._replace(is_optional=bool(name)), has_code


def _find_exports(item: Any) -> Iterator[_Place]:
    """Yield what decides whether a module shows an object that it imports."""
    exported = ShownObject(extent=Extent.EXPORTS)
    with suppress(Exception):  # an alias that cannot be resolved
        if item.is_alias and not item.inherited and item.parent.is_module:
            yield str(item.parent.filepath), exported, True
            # The other module decides which names there are.
            if item.wildcard_imported:
                yield from _define(item.target.module)
                yield str(item.target.filepath), exported, True


def _find_inherited_docstrings(item: Any) -> Iterator[_Place]:
    """Yield the docstrings that griffe-inherited-docstrings shows with a member of a
    class.
    """
    with suppress(Exception):  # no member of a class, or an unknown base class
        for base in item.parent.mro():
            yield from _define(base, Extent.DOCSTRING, member=f".{item.name}")


def _find_base_classes(
    item: Any, option: _GetOption, style: ObjectStyle
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
