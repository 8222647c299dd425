"""Decide which of the files that were opened while a page was built are sources of the page."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mkdocs.structure.files import File

from docs_sitemap import Shown

_WORD = re.compile(r"\w+")
_FOLDERS = re.compile(r"[\w./-]*\Z")
_DOTS = re.compile(r"^(?:\.{0,2}/)+")
_MAX_DOTS = 60


@dataclass(frozen=True, slots=True)
class PageFiles:
    """The files that were opened while a page was built.

    Attributes:
        included: The files that certainly are sources of the page.
        others: The files that code opened that may keep them in memory for other pages.
        views: What the page shows of files, if it does not show all of them.
    """

    included: tuple[str, ...]
    others: tuple[str, ...]
    views: Mapping[str, Shown] = field(default_factory=dict)


def attribute(
    pages: Mapping[str, PageFiles], reread: set[str], documents: Mapping[str, File]
) -> dict[str, tuple[str, ...]]:
    """Return the sources of each page, sorted.

    A hook or plugin may open a file for the first page that it builds, and use it for all pages. A
    file that was opened for one page only is a source of this page if it is the only page that
    names the file. The result does not depend on the order of the pages.

    Args:
        pages: The files that were opened for each page, by output file.
        reread: The files that the same code opened for several pages of one build. This code does
            not keep them in memory.
        documents: The Markdown files of all pages, by output file.
    """
    unclear = {path for page in pages.values() for path in page.others} - reread
    naming = _find_naming_pages(unclear, documents)
    sources = {}
    for output, page in pages.items():
        others = [path for path in page.others if path in reread or naming[path] == {output}]
        sources[output] = tuple(sorted({*page.included, *others}))
    return sources


def _find_naming_pages(paths: Iterable[str], documents: Mapping[str, File]) -> dict[str, set[str]]:
    """Return the pages whose Markdown contains the path of a file, or its last parts."""
    naming: dict[str, set[str]] = {path: set() for path in paths}
    if not naming:
        return naming
    # A page names few of the files. The longest word of a name finds them quickly.
    by_word: dict[str, list[str]] = {}
    for path in naming:
        word = max(_WORD.findall(os.path.basename(path)), key=len, default="")
        by_word.setdefault(word, []).append(path)
    for output, document in documents.items():
        try:
            text = document.content_string
        except (OSError, ValueError):
            continue
        for word in by_word.keys() & {"", *_WORD.findall(text)}:
            for path in by_word[word]:
                if _is_named(path, text):
                    naming[path].add(output)
    return naming


def _is_named(path: str, text: str) -> bool:
    name = os.path.basename(path)
    if name not in text:
        return False
    complete = f"/{path.replace(os.sep, '/').lstrip('/')}"
    for match in re.finditer(rf"{re.escape(name)}(?![\w-]|\.\w)", text):
        # A relative path can be longer than the complete path: `../../name`.
        start = max(0, match.start() - len(complete) - _MAX_DOTS)
        folders = _FOLDERS.search(text, start, match.start())
        words = _DOTS.sub("", folders[0] if folders else "")
        if complete.endswith(f"/{words}{name}"):
            return True
    return False
