"""Record the files that the current thread opens.

Python calls an audit hook for each file that any plugin or Markdown extension opens, so this
module does not depend on the syntax of includes: <https://docs.python.org/3/library/sys.html#sys.addaudithook>.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
from dataclasses import dataclass, field
from types import FrameType

_IMPORT_SYSTEM = ("importlib._bootstrap", "_frozen_importlib")

# Packages that insert the files that a page names, and read them again for each page.
_INCLUDE_PACKAGES = {"markdown_include", "mdx_include", "mkdocs_include_markdown_plugin"} | {
    "pymdownx"
}


@dataclass(frozen=True, slots=True)
class OpenedFiles:
    """The absolute paths of the files that were opened for reading.

    Attributes:
        included: Opened by code that inserts files into pages.
        others: Opened by other code. A file can be in both sets.
    """

    included: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)


class _Recorder(threading.local):
    """The files that this thread has opened; `None` if it does not record them.

    Files that other threads open are not recorded. For example, such threads prepare images.
    """

    files: OpenedFiles | None = None


_recorder = _Recorder()


def start_recording() -> None:
    """Start recording, without any files."""
    _add_audit_hook()
    _recorder.files = OpenedFiles()


def stop_recording() -> OpenedFiles:
    """Return the files that were opened since `start_recording`."""
    files, _recorder.files = _recorder.files, None
    return files or OpenedFiles()


@functools.cache  # Once per process: an audit hook cannot be removed.
def _add_audit_hook() -> None:
    sys.addaudithook(_record)


def _record(event: str, arguments: tuple[object, ...]) -> None:
    # This is called for every audit event of the process. An exception would stop the operation.
    files = _recorder.files
    if event != "open" or files is None:
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
    reader = _find_reader(sys._getframe(1))
    if reader is not None:
        (files.included if _is_include(reader) else files.others).add(absolute)


def _find_reader(frame: FrameType | None) -> FrameType | None:
    """Return the frame of the code that uses the standard library to open a file; `None` for
    Python's import system and Griffe. Both read modules that the page does not show.
    """
    while frame is not None:
        name = str(frame.f_globals.get("__name__"))
        package = name.partition(".")[0]
        if name.startswith(_IMPORT_SYSTEM) or package == "griffe":
            return None
        if package not in sys.stdlib_module_names:
            return frame
        frame = frame.f_back
    return None


def _is_include(reader: FrameType) -> bool:
    return str(reader.f_globals.get("__name__")).partition(".")[0] in _INCLUDE_PACKAGES
