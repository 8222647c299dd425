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
    "|pagination_prev|robots|search|sidebar|sidebar_label|sidebar_position"
    r"|sitemap[\w-]*|social|status|template|tocdepth|toc_max_heading_level|toc_min_heading_level"
    "|weight"
)

# Generators themselves write them into each page.
_ALWAYS_SHOWN = {"title", "description"}

# Expressions and statements of Jinja.
_JINJA = re.compile(r"\{[{%](?:(?!\{[{%]).)*?[}%]\}", re.S)
_NAME = re.compile(r"[\w-]+")

# The front matter in templates and in Python: `meta` or `page.meta`. In a string, it is
# another word.
_META = r"(?:\.|(?<![\w.'\"<-]))meta(?![\w'\"-])"
_OF_PAGE = rf"[\w.\[\]'\"]*?{_META}"
_USE = re.compile(
    # "key" in meta
    rf"[\"'](?P<member>[^\"']+)[\"']\s+(?:not\s+)?in\s+{_OF_PAGE}(?!\s*[.\[])"
    # meta["key"], meta.get("key")
    rf"|{_META}(?:\.(?:get|pop|setdefault)\(\s*|\[\s*)[\"'](?P<item>[^\"']+)"
    # meta.key, in templates
    rf"|{_META}\.(?P<attribute>\w+)"
    # if page.meta, meta = page.meta, page.meta = ...
    rf"|\b(?:if|and|or|not)\s+{_OF_PAGE}(?=\s*(?:and|or|else|is|-?%|:|\)))"
    rf"|\bmeta\s*=\s*{_OF_PAGE}(?=\s*(?:or|and|if|,|\)|-?%|$))"
    rf"|{_META}\s*=(?!=)"
    # All other uses: they may read any key.
    r"|(?P<any>\.meta(?![\w'\"-])|\bin\s+meta\b|(?<![\w.'\"<-])meta\s*[\[|]"
    r"|\[[\"']meta[\"']\])",
    re.M,
)
_MENTION = re.compile(rf"{_META}|\[[\"']meta[\"']\]")
_OR_EMPTY = re.compile(r"\(([\w.]*\bmeta) or \{\}\)")
_METHODS = {"copy", "get", "items", "keys", "pop", "setdefault", "values"}
# A template passes all keys to a macro, in which they have the same name.
_ARGUMENT = re.compile(rf"{_META}(?=\s*[,)])")
_COMMENT = re.compile(r"\"\"\".*?\"\"\"|\n[^\S\n]*+#[^\n]*", re.S)


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
        if _LAYOUT_KEY.fullmatch(key):
            return False
        if key in _ALWAYS_SHOWN:
            return True
        readers = self._readers
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


def keys_in_template(text: str) -> set[str] | None:
    """Return the keys that a template reads; `None` if it may read any key."""
    if _MENTION.search(text) is None:
        return set()
    blocks = "\n".join(_JINJA.findall(text))
    return _find_keys(_ARGUMENT.sub("", blocks))


def keys_in_code(text: str) -> set[str] | None:
    """Return the keys that a Python module reads; `None` if it may read any key."""
    if "meta" not in text:
        return set()
    return _find_keys(_COMMENT.sub("", text))


def _find_keys(text: str) -> set[str] | None:
    keys = set()
    for use in _USE.finditer(_OR_EMPTY.sub(r"\1", text)):
        if use["any"] or use["attribute"] in _METHODS:
            return None
        key = use["member"] or use["item"] or use["attribute"]
        if key:
            keys.add(key)
    return keys
