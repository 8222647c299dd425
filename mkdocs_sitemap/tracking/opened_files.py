"""Record the files that the current thread opens.

Python calls an audit hook for each file that any plugin or Markdown extension opens, so this
module does not depend on the syntax of includes: <https://docs.python.org/3/library/sys.html#sys.addaudithook>.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import os
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FrameType, FunctionType

import jinja2

from mkdocs_sitemap.tracking.snippets import find_statement

_IMPORT_SYSTEM = ("importlib._bootstrap", "_frozen_importlib")

# Packages that insert the files that a page names, and read them again for each page.
_INCLUDE_PACKAGES = {"markdown_include", "mdx_include", "pymdownx"} | {
    "mkdocs_include_markdown_plugin"
}

_CACHED_PROPERTY = functools.cached_property.__get__.__code__


# These packages call hooks, extensions, macros, and code blocks.
_CALLERS = {"jinja2", "markdown", "mkdocs", "properdocs"}

# These modules build all pages.
_BUILD = {"mkdocs.commands.build", "properdocs.commands.build"}

# File names and lines.
Call = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class OpenedFiles:
    """The absolute paths of the files that were opened for reading. A file can be in several sets.

    Attributes:
        included: Opened by code that inserts files into pages, or by code in the page itself; with
            the statements of `pymdownx.snippets`, and with an empty string for other code.
        others: Opened by other code, with the calls that opened them: the lines of code from the
            hook or the Markdown extension to the function that opens the file.
        cached: Opened by a function whose result Python keeps in memory.
    """

    included: dict[str, set[str]] = field(default_factory=dict)
    others: dict[str, set[Call]] = field(default_factory=dict)
    cached: set[str] = field(default_factory=set)


class _Recorder(threading.local):
    """The files that this thread has opened; `None` if it does not record them. Templates of the
    environments are included files.

    Files that other threads open are not recorded. For example, such threads prepare images.
    """

    files: OpenedFiles | None = None
    environments: tuple[jinja2.Environment, ...] = ()


_recorder = _Recorder()


def start_recording(*environments: jinja2.Environment) -> None:
    """Start recording, without any files.

    Args:
        environments: The environments that read their templates again for each page.
    """
    _add_audit_hook()
    _recorder.files = OpenedFiles()
    _recorder.environments = environments


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
    if reader is None:
        return
    if any(map(_is_cached_call, _callers_in_page(reader))):
        files.cached.add(absolute)
    elif _is_include(reader):
        files.included.setdefault(absolute, set()).add(find_statement(reader))
    else:
        files.others.setdefault(absolute, set()).add(_describe_call(reader))


def _find_reader(frame: FrameType) -> FrameType | None:
    """Return the frame of the code that uses the standard library to open a file; `None` for
    Python's import system and Griffe, which read modules that the page does not show, and for the
    lines of code in warnings and tracebacks.
    """
    for caller in _callers(frame):
        package = _module(caller).partition(".")[0]
        if _is_import_system(caller) or package in ("griffe", "traceback", "warnings"):
            return None
        if package not in sys.stdlib_module_names:
            return caller
    return None


def _is_include(reader: FrameType) -> bool:
    # markdown-exec runs the code blocks of a page. Blocks of several pages can share a session.
    name = reader.f_code.co_filename
    if name.startswith("<code block: "):
        return not name.startswith("<code block: session ")
    package = _module(reader).partition(".")[0]
    if package == "jinja2":  # the method `get_source` of a loader
        environment = reader.f_locals.get("environment")
        return any(environment is known for known in _recorder.environments)
    return package in _INCLUDE_PACKAGES


def _is_cached_call(frame: FrameType) -> bool:
    """Whether a call happens only once, because Python keeps its result: the import of a module,
    and the functions that `functools` decorates.
    """
    if _is_import_system(frame) or frame.f_code is _CACHED_PROPERTY:
        return True
    # `functools.cache` has no frame of its own. The name of a function leads to its decorators.
    first, *others = frame.f_code.co_qualname.split(".")
    function = frame.f_globals.get(first)
    for name in others:
        function = inspect.getattr_static(function, name, None)
    while isinstance(function, FunctionType | staticmethod | classmethod):
        function = getattr(function, "__wrapped__", None)
    return isinstance(function, functools._lru_cache_wrapper)


def _describe_call(reader: FrameType) -> Call:
    frames = itertools.takewhile(
        lambda frame: _module(frame).partition(".")[0] not in _CALLERS, _callers(reader)
    )
    return tuple((frame.f_code.co_filename, frame.f_lineno) for frame in frames)


def _callers_in_page(reader: FrameType) -> Iterator[FrameType]:
    """Yield the frames up to the one that builds all pages."""
    return itertools.takewhile(lambda frame: _module(frame) not in _BUILD, _callers(reader))


def _callers(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))


def _is_import_system(frame: FrameType) -> bool:
    return _module(frame).startswith(_IMPORT_SYSTEM)
