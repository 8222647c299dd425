"""Record the files that the current thread opens.

Python calls an audit hook for each file that any plugin or Markdown extension opens, so this
module does not depend on the syntax of includes: <https://docs.python.org/3/library/sys.html#sys.addaudithook>.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
from types import FrameType

_IMPORT_SYSTEM = ("importlib._bootstrap", "_frozen_importlib")


class _Recorder(threading.local):
    """The paths that this thread has opened; `None` if it does not record them.

    Files that other threads open are not recorded. For example, such threads prepare images.
    """

    paths: set[str] | None = None


_recorder = _Recorder()


def start_recording() -> None:
    """Start recording, without any paths."""
    _add_audit_hook()
    _recorder.paths = set()


def stop_recording() -> set[str]:
    """Return the absolute paths that were opened for reading since `start_recording`."""
    paths, _recorder.paths = _recorder.paths, None
    return paths or set()


@functools.cache  # Once per process: an audit hook cannot be removed.
def _add_audit_hook() -> None:
    sys.addaudithook(_record)


def _record(event: str, arguments: tuple[object, ...]) -> None:
    # This is called for every audit event of the process. An exception would stop the operation.
    if event != "open" or _recorder.paths is None:
        return
    path, _, flags = arguments
    is_written = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR)
    if is_written or not isinstance(path, str | bytes | os.PathLike):
        return
    try:
        # Resolve the path now, because the working directory may change.
        absolute = os.path.abspath(os.fsdecode(path))
    except (OSError, TypeError, ValueError):
        return
    if absolute not in _recorder.paths and not _is_code_reader(sys._getframe(1)):
        _recorder.paths.add(absolute)


def _is_code_reader(frame: FrameType | None) -> bool:
    """Whether Python's import system or Griffe opens the file. Both read modules that the page
    does not show.
    """
    while frame is not None:
        name = str(frame.f_globals.get("__name__"))
        package = name.partition(".")[0]
        if name.startswith(_IMPORT_SYSTEM) or package == "griffe":
            return True
        if package not in sys.stdlib_module_names:
            return False
        frame = frame.f_back
    return False
