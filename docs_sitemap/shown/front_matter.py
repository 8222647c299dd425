"""Which keys of front matter pages show.

In MkDocs and Sphinx, the templates, plugins, and extensions of today decide this, for
all versions of the documents. For other generators, they are not known.
"""

import re
from collections.abc import Callable, Iterable, Set
from functools import cached_property
from typing import NamedTuple

# Keys for navigation and layout, which are no content even if a template reads them.
_LAYOUT_KEYS = {
    "aliases",
    "boost",
    "comments",
    "draft",
    "hide",
    "hide_table_of_contents",
    "icon",
    "jupytext",
    "kernelspec",
    "nav_exclude",
    "nav_order",
    "nosearch",
    "order",
    "orphan",
    "pagination_next",
    "pagination_prev",
    "robots",
    "search",
    "sidebar",
    "sidebar_label",
    "sidebar_position",
    "social",
    "status",
    "template",
    "toc_max_heading_level",
    "toc_min_heading_level",
    "tocdepth",
    "weight",
}
_SITEMAP_KEY = re.compile(r"sitemap[\w-]*")

# Generators themselves write them into each page.
_ALWAYS_SHOWN = {"title", "description"}

# Expressions and statements of Jinja.
_JINJA = re.compile(r"\{[{%](?:(?!\{[{%]).)*?[}%]\}", re.S)
_NAME = re.compile(r"[\w-]+")


class KeyReaders(NamedTuple):
    """What reads the front matter of the pages of a site.

    Attributes:
        keys: The keys that the known templates, plugins, and extensions show.
        unknown: The templates, hooks, plugins, and extensions that may show any key.
    """

    keys: Set[str]
    unknown: tuple[str, ...] = ()


class FrontMatterKeys:
    """Decides which keys of front matter the pages of a site show.

    Args:
        find_readers: Finds what reads front matter. It is called once, when a commit
            has changed nothing of a document but such keys. Without it, pages can show
            all keys that are not for navigation or layout.
    """

    def __init__(self, find_readers: Callable[[], KeyReaders] | None = None) -> None:
        self._find_readers = find_readers

    @cached_property
    def _readers(self) -> KeyReaders | None:
        return None if self._find_readers is None else self._find_readers()

    @property
    def unknown_readers(self) -> tuple[str, ...]:
        """What may show any key; empty if only known keys are shown, and for other
        generators.
        """
        return () if self._readers is None else self._readers.unknown

    def shows(self, key: str) -> bool:
        """Return whether pages can show the value of a key."""
        if key in _LAYOUT_KEYS or _SITEMAP_KEY.fullmatch(key):
            return False
        if key in _ALWAYS_SHOWN:
            return True
        readers = self._readers
        return readers is None or bool(readers.unknown) or key in readers.keys

    def agrees(self, hidden: Iterable[str], shown: Iterable[str]) -> bool:
        """Return whether pages still show some keys, and do not show others."""
        return not any(map(self.shows, hidden)) and all(map(self.shows, shown))


def find_jinja(text: str) -> list[str]:
    """Return the Jinja expressions and statements of a text."""
    return _JINJA.findall(text)


def names_in_jinja(text: str) -> set[str]:
    """Return the names in the Jinja expressions and statements of a text."""
    names: set[str] = set()
    for block in find_jinja(text):
        names.update(_NAME.findall(block))
    return names
