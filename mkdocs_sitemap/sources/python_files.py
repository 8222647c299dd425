"""The Python files of what the plugins of a project run."""

import inspect


def source_file(value: object) -> str | None:
    """Return the Python file of a module or function."""
    try:
        return inspect.getsourcefile(inspect.unwrap(value))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None  # not written in Python, or not a function
