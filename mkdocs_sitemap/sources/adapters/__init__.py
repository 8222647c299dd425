"""What a module for a plugin provides, and what it can use."""

import builtins
import functools
import inspect
import os
import sysconfig
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

import msgspec
from mkdocs.structure.pages import Page

from docs_sitemap.page import Source
from docs_sitemap.sources.installed import module_path

Plugins = Mapping[str, Any]
"""The plugins of MkDocs by name."""

Functions = Iterable[tuple[Any, str]]
"""Functions of a plugin: their owners (classes, objects, or modules) and names."""

Sources = Iterable[Source]


class Call(msgspec.Struct, frozen=True):
    """A call of a function that returned.

    Attributes:
        arguments: The positional arguments.
        result: The result.
    """

    arguments: tuple[Any, ...]
    result: Any


class RenderedPage(msgspec.Struct, frozen=True):
    """A page whose text is complete.

    Attributes:
        page: The page of MkDocs.
        html: The HTML of the text, without the theme.
        plugins: The plugins of MkDocs.
        calls: The calls of the functions of the adapter while the page was rendered.
        ran_code: Receives what ran code for the page: see `docs_sitemap.Page`.
    """

    page: Page
    html: str
    plugins: Plugins
    calls: list[Call]
    ran_code: set[str]


class Adapter(Protocol):
    """A module that knows how one plugin or Markdown extension includes files."""

    def functions(self, plugins: Plugins) -> Functions:
        """Return the functions that include files. Their calls are recorded for each
        page.
        """

    def sources(self, page: RenderedPage) -> Sources:
        """Return the files that a page includes, besides its own file.

        If the adapter has functions, their calls find the files: there are no others.
        """


def record_calls(owner: Any, name: str, calls: list[Call]) -> Callable[[], None]:
    """Record the calls of a function, also of a built-in one that a module calls, until
    the returned function is called.

    Raises:
        AttributeError: There is no such function.
    """
    function = getattr(owner, name, None) or getattr(builtins, name)

    @functools.wraps(function)
    def recorded(*arguments: Any, **options: Any) -> Any:
        result = function(*arguments, **options)
        calls.append(Call(arguments, result))
        return result

    is_inherited = name not in vars(owner)  # such as a method of an object, or `open`
    setattr(owner, name, recorded)
    if is_inherited:
        return functools.partial(delattr, owner, name)
    return functools.partial(setattr, owner, name, function)


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
    return path.startswith(_standard_library()) and not module_path(path)


@functools.cache
def _standard_library() -> str:
    return os.path.join(os.path.realpath(sysconfig.get_path("stdlib")), "")
