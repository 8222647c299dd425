"""Read the settings of each page, and match the patterns of the options."""

import glob
import os
from collections.abc import Iterable, Iterator, Sequence

from docs_sitemap.built.generated_pages import is_generated_pattern
from docs_sitemap.config.options import Options
from docs_sitemap.config.page_settings import read_settings
from docs_sitemap.config.parsers import PLACEHOLDER
from docs_sitemap.diagnostics import BuildCode, Diagnostics
from docs_sitemap.entry import Dependency, Entry
from docs_sitemap.page import Page
from docs_sitemap.site import Site
from docs_sitemap.sitemap.urls import page_url
from docs_sitemap.tools.files import walk_html_files
from docs_sitemap.tools.printing import shorten

from .patterns import NameIndex, PageNames


def match_pages(site: Site, diagnostics: Diagnostics) -> list[Entry]:
    """Return an entry for each page, and for each other HTML file that a pattern names.
    Invalid settings and patterns that match nothing are reported.
    """
    entries = [Entry(page, read_settings(page, diagnostics)) for page in site.pages]
    options = site.options
    if not any((options.include, options.exclude, options.rules, options.dependencies)):
        return entries
    # Files that are not pages have patterns of their own: `search` may name both.
    others = [*_other_html(entries, os.fspath(site.out_dir))]
    _apply_options(options, _Matcher([entries, others], site, diagnostics))
    for entry in others:
        if entry.included_by is not None or entry.excluded_by is not None:
            entries.append(entry)
    return entries


class _Matcher:
    """Finds the entries that a pattern matches, and reports patterns without any.

    Args:
        groups: Entries that have patterns of their own.
        site: The site of the entries.
        diagnostics: Receives the problems.
    """

    def __init__(
        self, groups: Iterable[Sequence[Entry]], site: Site, diagnostics: Diagnostics
    ) -> None:
        self._diagnostics = diagnostics
        self._groups = []
        for entries in groups:
            index = NameIndex(_names(entries, site), site.base_url)
            self._groups.append((entries, index))

    def find(self, option: str, pattern: str) -> list[Entry]:
        """Return the entries that a pattern of an option matches."""
        wildcard = pattern.replace(PLACEHOLDER, "*")
        matches = []
        for entries, index in self._groups:
            for number in index.find(wildcard):
                matches.append(entries[number])
        # Not every build writes all of the pages that a generator makes for its own
        # use.
        may_be_missing = option == "exclude" and is_generated_pattern(pattern)
        if not matches and not may_be_missing:
            message = (
                f"the pattern {shorten(pattern)} of the option {option} matches no "
                "page. Fix: correct or remove it."
            )
            self._diagnostics.warn(BuildCode.PATTERN, message)
        return matches


def _apply_options(options: Options, matcher: _Matcher) -> None:
    """Apply the patterns of all options to the entries. Dependencies of several
    patterns add up; of the other options, the first pattern that matches applies.
    """
    for pattern in options.include:
        for entry in matcher.find("include", pattern):
            entry.included_by = entry.included_by or pattern
    for pattern in options.exclude:
        for entry in matcher.find("exclude", pattern):
            entry.excluded_by = entry.excluded_by or pattern
    for rule in options.rules:
        for pattern in rule.match:
            for entry in matcher.find("rules", pattern):
                entry.rule = entry.rule or rule
    for pattern, files in options.dependencies:
        for entry in matcher.find("dependencies", pattern):
            named = _dependencies(files, pattern, entry.page)
            entry.dependencies += tuple(named)


def _dependencies(
    files: Iterable[str], pattern: str, page: Page
) -> Iterator[Dependency]:
    """Yield the files that date a page, with the part of its name that the placeholder
    of the pattern stands for.
    """
    start, _, end = pattern.partition(PLACEHOLDER)
    for file in files:
        if PLACEHOLDER in file:
            name = PageNames(page.name, page.url).stem_between(start, end)
            path = file.replace(PLACEHOLDER, glob.escape(name))
            yield Dependency(path, template=file)
        else:
            yield Dependency(file)


def _other_html(entries: Sequence[Entry], out_dir: str) -> Iterator[Entry]:
    """Yield the HTML files of the output that are not pages: static files, redirects,
    404.
    """
    known = {entry.page.output for entry in entries}
    for path in walk_html_files(out_dir):
        output = os.path.join(out_dir, *path.split("/"))
        if output not in known:
            page = Page(url=page_url(path), name=path, output=output)
            yield Entry(page)


def _names(entries: Iterable[Entry], site: Site) -> Iterator[PageNames]:
    root = os.path.join(site.root, "")
    for entry in entries:
        page = entry.page
        source = page.document
        if source is not None:
            source = source.removeprefix(root).replace(os.sep, "/")
        yield PageNames(page.name, page.url, source)
