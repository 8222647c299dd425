"""Which pages are in the sitemap, and the reason for each that is not."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from fnmatch import translate
from posixpath import splitext
from urllib.parse import unquote

from docs_sitemap.model import Excluded, Page, Reason
from docs_sitemap.overrides import Overrides


def exclusion(
    page: Page, overrides: Overrides, exclude: Callable[[Page], str | None]
) -> Excluded | None:
    """Return why the page stays out, `None` if it is in."""
    if overrides.exclude:
        return Excluded(page, Reason.PAGE)
    if overrides.exclude is None:
        if page.utility:
            return Excluded(page, Reason.UTILITY)
        if (pattern := exclude(page)) is not None:
            return Excluded(page, Reason.PATTERN, pattern)
    if page.output is not None and not os.path.isfile(page.output):
        return Excluded(page, Reason.NOT_WRITTEN, page.output)
    return None


def first_match(patterns: Sequence[str]) -> Callable[[Page], str | None]:
    """Return a function that gives the first of the patterns that matches a page, or `None`.

    A pattern is a shell pattern in which `*` matches `/` too, and must match the whole of the
    page's URL relative to the base URL (encoded or not), of its name, or of its name without
    the suffix of its source file.
    """
    compiled = [(pattern, re.compile(translate(pattern)).match) for pattern in patterns]

    def first(page: Page) -> str | None:
        if not compiled:
            return None
        names = {page.url, unquote(page.url), page.name}
        if page.sources:
            names.add(splitext(page.name)[0])
        for pattern, match in compiled:
            if any(match(name) for name in names):
                return pattern
        return None

    return first
