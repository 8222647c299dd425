"""Which pages are in the sitemap, and the reason for each that is not."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from fnmatch import translate
from posixpath import splitext
from urllib.parse import unquote

from docs_sitemap.model import Excluded, Page, Reason
from docs_sitemap.overrides import Overrides


def exclusion(
    page: Page, overrides: Overrides, exclude: Matcher, names: Sequence[str]
) -> Excluded | None:
    """Return why the page stays out, `None` if it is in."""
    if overrides.exclude:
        return Excluded(page, Reason.PAGE)
    if overrides.exclude is None:
        if page.utility:
            return Excluded(page, Reason.UTILITY)
        if (pattern := exclude.first(names)) is not None:
            return Excluded(page, Reason.PATTERN, pattern)
    if page.output is not None and not os.path.isfile(page.output):
        return Excluded(page, Reason.NOT_WRITTEN, page.output)
    return None


def page_names(page: Page) -> list[str]:
    """Return what a pattern may match the whole of: the page's name, with and without the suffix
    of its source file, and its URL relative to the base URL, encoded or not.
    """
    names = [page.name, page.url]
    if "%" in page.url:
        names.append(unquote(page.url))
    if page.sources:
        names.append(splitext(page.name)[0])
    return names


class Matcher:
    """A list of shell patterns, in which `*` matches `/` too; the first that matches counts."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = [(pattern, re.compile(translate(pattern)).match) for pattern in patterns]

    def first(self, names: Sequence[str]) -> str | None:
        """Return the first pattern that matches any of the names, `None` if none does."""
        for pattern, match in self._patterns:
            for name in names:
                if match(name):
                    return pattern
        return None
