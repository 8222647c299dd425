"""The files that a stretch of the build reads, as Python itself reports them.

An audit hook sees every file that is opened, by whichever plugin or Markdown extension, without
any knowledge of their syntax: https://docs.python.org/3/library/sys.html#sys.addaudithook
"""

from __future__ import annotations

import os
import sys
import threading
from types import FrameType

_IMPORTERS = ("importlib._bootstrap", "_frozen_importlib")
# Reads a package as a whole when a page first names one of its modules: see apidocs.py.
_GRIFFE = "griffe"


class _Thread(threading.local):
    """What this thread has read. Other threads prepare images and the like."""

    paths: set[str] | None = None


_thread = _Thread()
_installed = threading.Event()


def start_reading() -> None:
    """Forget what was read, and note from now on what this thread reads."""
    # An audit hook cannot be removed: `mkdocs serve` must not add one with each build.
    if not _installed.is_set():
        _installed.set()
        sys.addaudithook(_note)
    _thread.paths = set()


def stop_reading() -> set[str]:
    """Return the absolute paths of what was read since `start_reading`."""
    paths, _thread.paths = _thread.paths or set(), None
    return paths


def _note(event: str, arguments: tuple[object, ...]) -> None:
    # This runs with every audit event of the process, and what it raises stops what is audited.
    if event != "open" or _thread.paths is None:
        return
    path, _, flags = arguments
    writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR)
    if writes or not isinstance(path, str | bytes | os.PathLike) or _reads_code(sys._getframe(1)):
        return
    try:
        # At once: the working directory may change.
        _thread.paths.add(os.path.abspath(os.fsdecode(path)))
    except (OSError, TypeError, ValueError):
        return


def _reads_code(frame: FrameType | None) -> bool:
    """Whether the first who asks, behind the standard library, imports or analyses modules."""
    while frame is not None:
        name = str(frame.f_globals.get("__name__"))
        package = name.partition(".")[0]
        if name.startswith(_IMPORTERS) or package == _GRIFFE:
            return True
        if package not in sys.stdlib_module_names:
            return False
        frame = frame.f_back
    return False
