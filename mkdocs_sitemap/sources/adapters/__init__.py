"""What a module for a plugin provides, and what it can use."""

import builtins
import functools
import inspect
import os
import sysconfig
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from mkdocs.structure.pages import Page

from docs_sitemap.page import Source
from docs_sitemap.shown import Shown, ShownKind, selected_lines
from docs_sitemap.sources.installed import module_path

Plugins = Mapping[str, Any]
"""The plugins of MkDocs by name."""

Functions = Iterable[tuple[Any, str]]
"""Functions of a plugin: their owners (classes, objects, or modules) and names."""

Sources = Iterable[Source]

Selection = Mapping[str, str | None]
"""The options that select lines of a file: see `selected_lines`."""

_MARKDOWN = (".md", ".markdown")

_STANDARD_LIBRARY = os.path.join(os.path.realpath(sysconfig.get_path("stdlib")), "")


class Call(NamedTuple):
    """A call of a function that returned.

    Attributes:
        arguments: The positional arguments.
        result: The result.
    """

    arguments: tuple[Any, ...]
    result: Any


class RenderedPage(NamedTuple):
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


def included_files(
    files: Sequence[tuple[str, Selection]], texts: Iterable[str]
) -> Sources:
    """Yield files that a page inserts into its Markdown. Files of Markdown are compared
    as text, unless one of them is named in a block of code, and may be shown there.

    Args:
        files: The path of each file, and the options that select lines of it.
        texts: All that can insert files: the text of the page, and inserted ones.
    """
    if not files:  # as on most pages
        return
    from docs_sitemap.shown.document_notations import find_code

    names = {os.path.basename(path) for path, _ in files}
    code = ""
    for text in texts:
        if any(name in text for name in names):
            code += find_code(text)
    in_code = {path for path, _ in files if os.path.basename(path) in code}
    is_text = not any(path.endswith(_MARKDOWN) for path in in_code)
    for path, selection in files:
        notation = None
        if path.endswith(_MARKDOWN):
            notation = ".md" if is_text else None
        elif path in in_code:
            notation = "code"
        if selection or notation:
            part = selected_lines(**selection, notation=notation)
            yield Source(path, shows=Shown(ShownKind.LINES, (part,)))
        else:
            yield Source(path)


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
    return path.startswith(_STANDARD_LIBRARY) and not module_path(path)
