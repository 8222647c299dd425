"""Complete files that `mdx_include` and `markdown_include` insert with `{! file.md !}`,
and markdown-include-variants with `{* file.py ln[1:4] *}`.

Sources: <https://github.com/neurobin/mdx_include>,
<https://github.com/cmacmackin/markdown-include>, and
<https://github.com/tiangolo/markdown-include-variants>.
"""

import os
import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from docs_sitemap.page import Source
from docs_sitemap_cli.generate.mkdocs_project.markdown_page import MarkdownPage

from .insertions import InsertedTexts, text_option

_EXTENSIONS = (
    "mdx_include",
    "mdx_include.mdx_include",
    "markdown_include",
    "markdown_include.include",
)
_VARIANTS = "markdown_include_variants"

# A backslash of `mdx_include` escapes one. Marks, lines, and encodings are left out.
_INCLUSION = re.compile(
    r"(?<!\\)\{![+-]?>?[ \t]*([^]\[|\n!{]++)[^\n!]*!(?:lines=[0-9 -]+)?\}"
)
_VARIANT = re.compile(r"^\{\*[ \t]*+((?:(?!\*\})\S)++)[^\n]*\*\}$", re.M)

# The ends of the names of variants for versions of Python, the first one first.
_SUFFIXES = (
    "_an_py311",
    "_py311",
    "_an_py310",
    "_py310",
    "_an_py39",
    "_py39",
    "_an",
    "",
)


def sources(page: MarkdownPage) -> Iterator[Source]:
    for name in _EXTENSIONS:
        options = page.project.extension(name)
        if options is not None:
            inclusions = _Inclusions(page, options)
            page.texts[:] = map(inclusions.expand_page, page.texts)
            for path in inclusions.files:
                yield Source(path)
            return


class _Inclusions:
    """Replaces inclusions by what they insert.

    Attributes:
        files: The inserted files.
    """

    def __init__(self, page: MarkdownPage, options: Mapping[str, Any]) -> None:
        self.files: dict[str, None] = {}
        folder = page.project.folder
        self._base = os.path.join(folder, text_option(options, "base_path", "."))
        self._reader = InsertedTexts()
        self._variant_folder = ""
        if page.project.extension(_VARIANTS) is not None:
            self._variant_folder = folder

    def expand_page(self, text: str) -> str:
        """Return the text of a page with what it inserts."""
        if self._variant_folder:
            text = _VARIANT.sub(self._replace_variants, text)
        return self._expand((), text)

    def _replace_variants(self, match: re.Match[str]) -> str:
        """Return inclusions of all variants of a file."""
        paths = _find_variants(os.path.join(self._variant_folder, match[1]))
        return "\n".join(f"{{!{path}!}}" for path in paths) or match[0]

    def _expand(self, parents: tuple[str, ...], text: str) -> str:
        """Return a text with what it inserts.

        Args:
            parents: The files that contain it, the first one first.
            text: The text.
        """
        return _INCLUSION.sub(partial(self._insert, parents), text)

    def _insert(self, parents: tuple[str, ...], match: re.Match[str]) -> str:
        path = os.path.normpath(os.path.join(self._base, match[1].strip()))
        if not os.path.isfile(path):
            return ""
        self.files[path] = None
        text = self._reader.read(path)
        if path in parents:
            return text
        return self._expand((*parents, path), text)


def _find_variants(path: str) -> list[str]:
    """Return the variants of a file for versions of Python: those in its folder, or
    files with its name in variants of its folder.
    """
    file = Path(path)
    stem = _strip_suffixes(file.stem)
    files = [file.with_name(f"{stem}{suffix}.py") for suffix in _SUFFIXES]
    folder = _strip_suffixes(file.parent.name)
    folders = [
        file.parent.with_name(f"{folder}{suffix}") / file.name for suffix in _SUFFIXES
    ]
    found = list(filter(os.path.isfile, files))
    others = list(filter(os.path.isfile, folders))
    if len(found) == 1 and len(others) > 1:
        found = others
    return list(map(str, found))


def _strip_suffixes(name: str) -> str:
    shorter = name
    for suffix in _SUFFIXES:
        shorter = shorter.removesuffix(suffix)
    return name if shorter == name else _strip_suffixes(shorter)
