"""Read the settings of each page, and match the patterns of the options."""

import glob
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

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
    patterns = [*_patterns(site.options)]
    if not patterns:
        return entries
    # Files that are not pages have patterns of their own: `search` may name both.
    others = [Entry(page) for page in _other_html(entries, os.fspath(site.out_dir))]
    finders = [_finder(entries, site), _finder(others, site)]
    for option, pattern, value in patterns:
        wildcard = pattern.replace(PLACEHOLDER, "*")
        matches = [entry for find in finders for entry in find(wildcard)]
        for entry in matches:
            _apply(option, pattern, value, entry)
        if not matches:
            _report_unmatched(option, pattern, diagnostics)
    for entry in others:
        if entry.included_by is not None or entry.excluded_by is not None:
            entries.append(entry)
    return entries


def _finder(entries: Sequence[Entry], site: Site) -> Callable[[str], Iterator[Entry]]:
    """Return a function that finds the entries that a pattern matches."""
    root = os.path.join(site.root, "")
    names = (_names(entry.page, root) for entry in entries)
    index = NameIndex(names, site.base_url)
    return lambda pattern: map(entries.__getitem__, index.find(pattern))


def _report_unmatched(option: str, pattern: str, diagnostics: Diagnostics) -> None:
    # Not every build writes all of the pages that a generator makes for its own use.
    if option != "exclude" or not is_generated_pattern(pattern):
        message = (
            f"the pattern {shorten(pattern)} of the option {option} matches no page. "
            "Fix: correct or remove it."
        )
        diagnostics.warn(BuildCode.PATTERN, message)


def _patterns(options: Options) -> Iterator[tuple[str, str, Any]]:
    """Yield all patterns: the name of the option, the pattern, and what it sets."""
    for pattern in options.include:
        yield "include", pattern, pattern
    for pattern in options.exclude:
        yield "exclude", pattern, pattern
    for rule in options.rules:
        for pattern in rule.match:
            yield "rules", pattern, rule
    for pattern, files in options.dependencies:
        yield "dependencies", pattern, files


def _apply(option: str, pattern: str, value: Any, entry: Entry) -> None:
    if option == "include":
        entry.included_by = entry.included_by or pattern
    elif option == "exclude":
        entry.excluded_by = entry.excluded_by or pattern
    elif option == "rules":
        entry.rule = entry.rule or value
    else:
        named = (_dependency(file, pattern, entry.page) for file in value)
        entry.dependencies = (*entry.dependencies, *named)


def _dependency(file: str, pattern: str, page: Page) -> Dependency:
    if PLACEHOLDER not in file:
        return Dependency(file)
    start, _, end = pattern.partition(PLACEHOLDER)
    name = PageNames(page.name, page.url).stem_between(start, end)
    return Dependency(file.replace(PLACEHOLDER, glob.escape(name)), template=file)


def _other_html(entries: Sequence[Entry], out_dir: str) -> Iterator[Page]:
    """Yield the HTML files of the output that are not pages: static files, redirects,
    404.
    """
    known = {entry.page.output for entry in entries}
    for path in walk_html_files(out_dir):
        output = os.path.join(out_dir, *path.split("/"))
        if output not in known:
            yield Page(url=page_url(path), name=path, output=output)


def _names(page: Page, root: str) -> PageNames:
    source = page.document
    if source is not None:
        source = source.removeprefix(root).replace(os.sep, "/")
    return PageNames(page.name, page.url, source)
