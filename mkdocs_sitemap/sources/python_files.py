"""The Python files of what the plugins of a project run."""

import inspect
import os
import sysconfig

_PACKAGES = {"site-packages", "dist-packages"}
_STANDARD_LIBRARY = os.path.join(os.path.realpath(sysconfig.get_path("stdlib")), "")


def source_file(value: object) -> str | None:
    """Return the Python file of a module or function."""
    try:
        return inspect.getsourcefile(inspect.unwrap(value))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None  # not written in Python, or not a function


def is_library(path: str) -> bool:
    """Return whether a file is part of Python or of an installed package. Both can be in folders
    of the repository.

    Args:
        path: The path without symbolic links.
    """
    is_installed = not _PACKAGES.isdisjoint(path.split(os.sep))
    return is_installed or path.startswith(_STANDARD_LIBRARY)
