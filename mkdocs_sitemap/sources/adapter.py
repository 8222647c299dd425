"""What a module for a plugin provides, and what it can use."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page

from docs_sitemap import Source


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page whose text is complete.

    Attributes:
        page: The page of MkDocs.
        html: The HTML of the text, without the theme.
        config: The configuration of MkDocs.
    """

    page: Page
    html: str
    config: MkDocsConfig


class Call(NamedTuple):
    """A call of a function that returned.

    Attributes:
        arguments: The positional arguments.
        result: The result.
    """

    arguments: tuple[Any, ...]
    result: Any


class Adapter(Protocol):
    """A module that knows how one plugin or Markdown extension includes files."""

    def functions(self, config: MkDocsConfig) -> Iterable[tuple[Any, str]]:
        """Return the functions of the plugin that include files, for a recorder of calls: their
        owners (classes, objects, or modules) and names.
        """

    def sources(self, page: RenderedPage, calls: Sequence[Call]) -> Iterable[Source]:
        """Return the files that a page includes, except for its own file.

        Args:
            page: The page.
            calls: The calls of the functions while the page was rendered.
        """


class CallRecorder:
    """Records the calls of functions.

    Args:
        functions: The owners and names of the functions. Only `calls` raises their exceptions.
    """

    def __init__(self, functions: Iterable[tuple[Any, str]]) -> None:
        self._calls: list[Call] = []
        self._undo: list[Callable[[], None]] = []
        self._error: Exception | None = None
        try:
            for owner, name in functions:
                self._record(owner, name)
        except Exception as error:
            self._error = error

    def _record(self, owner: Any, name: str) -> None:
        function = getattr(owner, name)

        @functools.wraps(function)
        def recorded(*arguments: Any, **options: Any) -> Any:
            result = function(*arguments, **options)
            self._calls.append(Call(arguments, result))
            return result

        if name in vars(owner):
            self._undo.append(functools.partial(setattr, owner, name, function))
        else:  # a method of an object
            self._undo.append(functools.partial(delattr, owner, name))
        setattr(owner, name, recorded)

    def stop(self) -> None:
        """Restore the functions."""
        while self._undo:
            self._undo.pop()()

    def calls(self) -> list[Call]:
        """Return the calls, in the order in which they returned.

        Raises:
            Exception: There is no such function.
        """
        if self._error is not None:
            raise self._error
        return self._calls
