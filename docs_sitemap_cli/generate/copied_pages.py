"""Home pages that repeat another page: mdBook writes the first chapter twice."""

import posixpath
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from docs_sitemap.page import Page, SourceRule
from docs_sitemap.sitemap.urls import is_index
from docs_sitemap_cli.site.page import read_page

from .built_files import BuiltFile
from .words import count_common, page_words


def add_sources_of_copies(
    pages: Mapping[str, Page], files: Sequence[BuiltFile]
) -> list[Page]:
    """Return the pages of a site. An index page without a source gets the sources of
    the page below its folder that it repeats.

    Args:
        pages: The pages by their files.
        files: The files.
    """
    by_title: defaultdict[str, list[BuiltFile]] = defaultdict(list)
    for file in files:
        if pages[file.name].sources:
            by_title[file.head.title].append(file)
    made = []
    for file in files:
        page = pages[file.name]
        others = by_title[file.head.title]
        is_wanted = page.found_by is None and is_index(file.name)
        # Comparing words takes time, and all pages may have the same title.
        if is_wanted and len(others) == 1 and _repeats(file, others[0]):
            original = pages[others[0].name]
            page = replace(
                page,
                sources=original.sources,
                unknown_because=original.unknown_because,
                found_by=SourceRule.WORDS,
            )
        made.append(page)
    return made


def _repeats(file: BuiltFile, other: BuiltFile) -> bool:
    """Return whether a page has all words of a page below its folder."""
    if not other.name.startswith(posixpath.dirname(file.name)):
        return False
    words = page_words(read_page(file.path).parse())
    has_enough_words = count_common(words, words) is not None
    return has_enough_words and words == page_words(read_page(other.path).parse())
