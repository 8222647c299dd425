"""Which keys of front matter pages show.

In MkDocs and Sphinx, the templates, plugins, and extensions of today decide this, for
all versions of the documents. For other generators, they are not known.
"""

import re
from collections.abc import Callable, Iterable, Set
from functools import cached_property
from typing import NamedTuple

# Keys for navigation and layout, which are no content even if a template reads them.
_LAYOUT_KEY = re.compile(
    "aliases|boost|comments|draft|hide|hide_table_of_contents|icon|jupytext"
    "|kernelspec|nav_exclude|nav_order|nosearch|order|orphan|pagination_next"
    "|pagination_prev|robots|search|sidebar|sidebar_label|sidebar_position|sitemap"
    "|social|status|template|tocdepth|toc_max_heading_level|toc_min_heading_level"
    "|weight"
)

# Generators themselves write them into each page.
_ALWAYS_SHOWN = {"title", "description"}

# Expressions and statements of Jinja.
_JINJA = re.compile(r"\{[{%](?:(?!\{[{%]).)*?[}%]\}", re.S)
_NAME = re.compile(r"[\w-]+")

# How templates read a key: `meta.key`, `meta["key"]`, `meta.get("key")`, or
# `"key" in meta`, also as `page.meta`.
_META = r"(?<![\w.'\"-])(?:\w+\.)*meta"
_READ = re.compile(
    rf"{_META}(?:\.get\(\s*|\[\s*)[\"']([^\"']+)"
    rf"|{_META}\.(\w+)"
    rf"|[\"']([^\"']+)[\"']\s+(?:not\s+)?in\s+{_META}\b(?!\s*[.\[])"
)
# How templates read all keys, or one that is not named there.
_READ_ANY = re.compile(
    rf"{_META}(?:\.get\(\s*|\[\s*)[^\s\"']"
    rf"|{_META}\.(?:items|keys|values)\b"
    rf"|{_META}\s*\|"
    rf"|\bfor\s[^%]*\sin\s+{_META}\s*-?%"
    rf"|\b(?:set|with)\s+(?!meta\b)\w+\s*=\s*{_META}\s*(?:or\b|-?%)"
    r"|\[\s*[\"']meta[\"']\s*\]"
)


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
    def readers(self) -> KeyReaders | None:
        """What reads front matter; `None` if it is not known."""
        return None if self._find_readers is None else self._find_readers()

    def shows(self, key: str) -> bool:
        """Return whether pages can show the value of a key."""
        if _LAYOUT_KEY.fullmatch(key):
            return False
        if key in _ALWAYS_SHOWN:
            return True
        readers = self.readers
        return readers is None or bool(readers.unknown) or key in readers.keys

    def agrees(self, hidden: Iterable[str], shown: Iterable[str]) -> bool:
        """Return whether pages still show some keys, and do not show others."""
        return not any(map(self.shows, hidden)) and all(map(self.shows, shown))


def names_in_jinja(text: str) -> set[str]:
    """Return the names in the Jinja expressions and statements of a text."""
    names: set[str] = set()
    for block in _JINJA.findall(text):
        names.update(_NAME.findall(block))
    return names


def read_templates(templates: Iterable[tuple[str, str]]) -> KeyReaders:
    """Return the keys that templates read.

    Args:
        templates: The name and the text of each template.
    """
    keys: set[str] = set()
    unknown = []
    for name, text in templates:
        if "meta" not in text:
            continue
        for block in _JINJA.findall(text):
            for match in _READ.finditer(block):
                keys.update(filter(None, match.groups()))
            if _READ_ANY.search(block):
                unknown.append(name)
    return KeyReaders(keys, tuple(dict.fromkeys(unknown)))
