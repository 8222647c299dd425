"""mkdocstrings with its handler for Python: the modules that are rendered on a page."""

from __future__ import annotations

from typing import Any

import jinja2


def handler_environments(plugin: Any) -> list[jinja2.Environment]:
    """Return the template environments of the handlers that the site uses."""
    environments = []
    for name in dict.fromkeys([plugin.config.default_handler, *plugin.config.handlers]):
        try:
            environments.append(plugin.handlers.get_handler(name).env)
        except Exception:  # noqa: S112  # not installed, or switched off: it renders nothing
            continue
    return environments


def is_documented(value: object) -> bool:
    """Whether this is a module, class, function or attribute that Griffe found."""
    return type(value).__module__.startswith("griffe.")


def files_of(value: object) -> list[str]:
    """Return the files of such an object."""
    try:
        found: Any = value.filepath  # type: ignore[attr-defined]
    except Exception:
        return []  # no object of a module, a built-in one, or an alias that leads nowhere
    # A package without an __init__.py has a list of folders; a module may have its types aside.
    return [] if isinstance(found, list) else [str(found), str(found.with_suffix(".pyi"))]
