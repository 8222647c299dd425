"""mkdocstrings and its handler for Python: the modules that a page documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from typing import Any, NamedTuple

import jinja2

from docs_sitemap import COMPLETE_FILE, Shown, ShownKind, selected_lines


def handler_environments(plugin: Any) -> list[jinja2.Environment]:
    """Return the template environments of the configured handlers."""
    environments = []
    for name in dict.fromkeys([plugin.config.default_handler, *plugin.config.handlers]):
        try:
            environments.append(plugin.handlers.get_handler(name).env)
        except Exception:  # noqa: S112  # A handler that is not installed renders nothing.
            continue
    return environments


class ShownName(NamedTuple):
    """What a page shows of a module.

    Attributes:
        name: The name of an object, from the module on; empty for the complete module.
        is_import: Whether the module only imports the name.
    """

    name: str
    is_import: bool = False


def view_of(shown: Set[ShownName], plugin: Any, markdown: str, content: str) -> Shown:
    """Return what a page shows of a module.

    Source: <https://mkdocstrings.github.io/python/usage/configuration/general/#show_source>.

    Args:
        shown: The documented objects, and the imports through which the page shows objects.
        plugin: The plugin mkdocstrings.
        markdown: The Markdown of the page.
        content: Its HTML, without the theme.
    """
    options = plugin.config.handlers.get("python", {}).get("options", {})
    is_off = options.get("show_source") is False and "show_source" not in markdown
    shows_source = not is_off or "mkdocstrings-source" in content
    names = {item.name for item in shown if not item.is_import}
    # A custom template can show anything.
    if plugin.config.custom_templates or (shows_source and "" in names):
        return COMPLETE_FILE
    # A page that documents a class shows its members, too.
    parts = {name for name in names if not _has_parent(name, names)}
    imports = {item.name for item in shown if item.is_import}
    if shows_source:
        lines = {selected_lines(pyobject=part) for part in parts if part[-1:] != "?"}
        lines |= {selected_lines(imported=name) for name in imports}
        return Shown(ShownKind.LINES, tuple(sorted(lines)))
    if "" in names:
        parts = {""} if imports else set()
    return Shown(ShownKind.PYTHON, tuple(sorted(parts | imports)))


def _has_parent(name: str, names: Set[str]) -> bool:
    parent = name.rpartition(".")[0]
    return parent != "" and (parent in names or _has_parent(parent, names))


def documented_objects(values: Iterable[object]) -> dict[str, set[ShownName]]:
    """Return what a page shows of each file, from the values that the templates look up: objects of
    Griffe, such as modules and classes, and the options with which they are rendered.
    """
    values = [*values]
    options = [value for value in values if _is_options(value)]
    objects = [value for value in values if type(value).__module__.startswith("griffe.")]
    modules = {_path(value) for value in objects if type(value).__name__ in ("Module", "Alias")}
    documented: defaultdict[str, set[ShownName]] = defaultdict(set)
    for value in objects:
        for griffe_object, name in (
            *_definition_of(value),
            *_imports_of(value, modules),
            *_base_classes_of(value, options),
            *_submodules_of(value, options),
        ):
            try:
                path = griffe_object.filepath
            except Exception:  # noqa: S112  # a built-in module
                continue
            # A namespace package has a list of folders. The types of a module may be in a stub
            # file.
            if not isinstance(path, list):
                documented[str(path)].add(name)
                documented[str(path.with_suffix(".pyi"))].add(name)
    return dict(documented)


def _is_options(value: object) -> bool:
    """Return whether a value is the options. Those of older versions are a mapping."""
    is_mapping = isinstance(value, dict) and "inherited_members" in value
    return is_mapping or type(value).__name__ == "PythonOptions"


def _option(options: Any, name: str) -> Any:
    return options.get(name) if isinstance(options, dict) else getattr(options, name, None)


_Shown = tuple[Any, ShownName]


def _path(griffe_object: Any) -> str:
    try:
        return str(griffe_object.path)
    except Exception:  # not an object that can be documented
        return ""


def _definition_of(griffe_object: Any, suffix: str = "") -> list[_Shown]:
    """Return the definition, in the module that contains it."""
    try:
        module = griffe_object.module.canonical_path
        name = griffe_object.canonical_path.removeprefix(module).removeprefix(".")
    except Exception:  # an alias that cannot be resolved
        return []
    return [(griffe_object, ShownName(name + suffix))]


def _imports_of(griffe_object: Any, documented: Set[str]) -> Iterator[_Shown]:
    """Yield the imports through which the page shows an object.

    Args:
        griffe_object: The object.
        documented: The paths of the modules on the page.
    """
    try:
        while griffe_object.is_alias:
            parent = griffe_object.parent
            if not griffe_object.inherited and parent.is_module:
                is_wildcard = griffe_object.wildcard_imported
                name = "*" if is_wildcard else griffe_object.name
                yield parent, ShownName(name, is_import=True)
                if is_wildcard and parent.path in documented:
                    # The other module decides which names there are.
                    yield griffe_object.target.module, ShownName("")
            griffe_object = griffe_object.target
    except Exception:  # an alias that cannot be resolved
        return


def _base_classes_of(griffe_object: Any, options: Iterable[Any]) -> Iterator[_Shown]:
    """Yield what the page shows of the base classes of a class."""
    try:
        if not griffe_object.is_class:
            return
        bases = griffe_object.mro()
        labels = {label for owner in (griffe_object, *bases) for label in owner.labels}
    except Exception:  # a base class that cannot be resolved
        return
    # The parameters of data classes, and members that are inherited or were removed.
    shows_all = "dataclass" in labels or any(
        _option(option, name)
        for option in options
        for name in ("inherited_members", "show_inheritance_diagram", "extensions")
    )
    for owner in (griffe_object, *bases):
        yield from _imported_bases_of(owner)
    for base in bases:
        if shows_all:
            yield from _definition_of(base)
        elif any(_option(option, "merge_init_into_class") for option in options):
            end = "" if "__init__" in base.members else "?"
            yield from _definition_of(base, f".__init__{end}")


def _imported_bases_of(griffe_class: Any) -> Iterator[_Shown]:
    """Yield the imports of the base classes: a class with the same name can replace them."""
    for base in griffe_class.bases:
        name = str(base).partition("[")[0].partition(".")[0]
        imported = griffe_class.module.members.get(name)
        if imported is not None and imported.is_alias:
            yield griffe_class, ShownName(name, is_import=True)


def _submodules_of(griffe_object: Any, options: Iterable[Any]) -> Iterator[_Shown]:
    """Yield the docstrings of submodules in a summary."""
    try:
        summaries = [_option(option, "summary") for option in options]
        is_listed = any(summary is True or _option(summary, "modules") for summary in summaries)
        modules = [*griffe_object.modules.values()] if is_listed else []
    except Exception:  # an object without submodules, or another version
        return
    for module in modules:
        yield from _definition_of(module, "__doc__")
