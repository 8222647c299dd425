"""The Python files of what the plugins of a project run."""

import inspect
import os
import sysconfig

from docs_sitemap.sources.installed import module_path

_STANDARD_LIBRARY = os.path.join(os.path.realpath(sysconfig.get_path("stdlib")), "")


def source_file(value: object) -> str | None:
    """Return the Python file of a module or function."""
    try:
        return inspect.getsourcefile(inspect.unwrap(value))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None  # not written in Python, or not a function


def is_standard_library(path: str) -> bool:
    """Return whether a file is part of Python, which can be in a folder of the
    repository.

    Args:
        path: The path without symbolic links.
    """
    return path.startswith(_STANDARD_LIBRARY) and not module_path(path)
