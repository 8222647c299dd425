"""Which keys of front matter pages show.

In MkDocs, Zensical, and Sphinx, the templates, plugins, and extensions of today decide
this, for all versions of the documents. For other generators, they are not known.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Set
from functools import cached_property

from docs_sitemap.tools.files import read_text_file, walk_files

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

# Generators and MyST themselves write them into each page.
_ALWAYS_SHOWN = {"title", "description", "html_meta", "myst", "substitutions"}

# Expressions and statements of Jinja.
_JINJA = re.compile(r"\{[{%](?:(?!\{[{%]).)*?[}%]\}", re.S)
_NAME = re.compile(r"[\w-]+")

# The front matter in code: `page.meta` in MkDocs, `env.metadata` or `meta` in Sphinx,
# but not the HTML element, the module of Python, or other texts.
_META = re.compile(
    r"(?<![\w<\"'-])(?<!importlib\.)meta(?:data)?(?![\w\"'-])|[\"']meta[\"']"
)
# A text, or an attribute.
_NAME_IN_CODE = re.compile(r"\"([^\"\n]+)\"|'([^'\n]+)'|\.(\w+)")

_TEMPLATES = (".html", ".htm", ".jinja", ".jinja2", ".j2")


class FrontMatterKeys:
    """Decides which keys of front matter the pages of a site show.

    Args:
        find_words: Finds the words in the code that reads front matter. It is called
            once, when a commit has changed nothing of a document but such keys. Without
            it, pages can show all keys that are not for navigation or layout.
    """

    def __init__(self, find_words: Callable[[], Set[str]] | None = None) -> None:
        self._find_words = find_words

    @cached_property
    def _words(self) -> Set[str] | None:
        return None if self._find_words is None else self._find_words()

    def shows(self, key: str) -> bool:
        """Return whether pages can show the value of a key."""
        if key in _LAYOUT_KEYS or _SITEMAP_KEY.fullmatch(key):
            return False
        if key in _ALWAYS_SHOWN:
            return True
        return self._words is None or key in self._words

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


def names_in_templates(folder: str, *, is_theme: bool) -> set[str]:
    """Return the names that the templates in a folder use.

    Args:
        folder: The folder.
        is_theme: Whether the theme contains the templates. In expressions without the
            front matter, they use many names for other things.
    """
    names: set[str] = set()
    for path in walk_files(folder):
        if not path.endswith(_TEMPLATES):
            continue
        for block in find_jinja(_read(os.path.join(folder, path))):
            if not is_theme or _META.search(block) is not None:
                names.update(_NAME.findall(block))
    return names


def names_in_module(name: str) -> set[str]:
    """Return the names in an installed module, and in the others of its package."""
    module = sys.modules.get(name)
    package = sys.modules.get(getattr(module, "__package__", None) or "")
    package_file = getattr(package, "__file__", None)  # A namespace has none.
    if package_file is not None:
        return names_in_code(os.path.dirname(package_file))
    return names_in_code(getattr(module, "__file__", None) or "")


def names_in_options(options: Mapping[str, object]) -> set[str]:
    """Return all texts in the options of a plugin, which can name keys."""
    names: set[str] = set()
    known: set[int] = set()  # YAML can repeat values, and nest them in themselves.
    waiting: list[object] = [options]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            names.add(value)
        elif id(value) not in known:
            known.add(id(value))
            if isinstance(value, Mapping):
                waiting.extend(value.values())
            elif isinstance(value, list | tuple):
                waiting.extend(value)
    return names


def names_in_macros(module: str, include_dir: str | None) -> set[str]:
    """Return the names in what a project writes for mkdocs-macros.

    Args:
        module: The path of the module or package with the macros, without suffix.
        include_dir: The folder of files that pages include; `None` if there is none.
    """
    names = names_in_code(module) | names_in_code(f"{module}.py")
    if include_dir is not None:
        for path in walk_files(include_dir):
            names |= names_in_jinja(_read(os.path.join(include_dir, path)))
    return names


def names_in_code(path: str) -> set[str]:
    """Return the names in a Python file that uses front matter, or in all those in a
    folder.
    """
    if os.path.isdir(path):
        files = [os.path.join(path, name) for name in walk_files(path)]
    else:
        files = [path]
    names: set[str] = set()
    for file in files:
        if not file.endswith(".py"):
            continue
        text = _read(file)
        if _META.search(text) is not None:
            for found in _NAME_IN_CODE.findall(text):
                names.update(found)
    return names


def _read(path: str) -> str:
    """Return the text of a file; empty if it cannot be read."""
    try:
        return read_text_file(path)
    except OSError:
        return ""
