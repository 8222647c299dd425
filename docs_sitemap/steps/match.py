"""Read the settings of each page, and match the patterns of the options."""

import glob
import os
from collections.abc import Iterable, Iterator, Sequence

from docs_sitemap.built.verdict import Head
from docs_sitemap.config.options import Options
from docs_sitemap.config.page_settings import read_settings
from docs_sitemap.config.parsers import PLACEHOLDER, PageRule
from docs_sitemap.config.patterns import NameIndex, PageNames
from docs_sitemap.diagnostics import BuildCode, Diagnostics
from docs_sitemap.entry import Dependency, Entry
from docs_sitemap.page import Page, Source, SourceRole
from docs_sitemap.site import Site
from docs_sitemap.sitemap.urls import page_url
from docs_sitemap.tools.files import relative_path, walk_files, walk_html_files
from docs_sitemap.tools.printing import shorten


def match_pages(site: Site, diagnostics: Diagnostics) -> list[Entry]:
    """Return an entry for each page of a site, with its settings and what the options
    set for it. Invalid settings are reported.
    """
    entries = []
    for page in site.pages:
        settings = read_settings(
            page.name,
            page.overrides,
            page.front_matter,
            site.options.lastmod_fields,
            diagnostics,
        )
        entry = Entry(page, settings)
        if settings.dependencies:  # Few pages name any.
            own = [Dependency(file, page=page.name) for file in settings.dependencies]
            entry.dependencies = tuple(own)
        entries.append(entry)
    _apply_patterns(list(_patterns(site.options)), entries, site)
    return entries


def match_other_files(
    entries: Sequence[Entry], site: Site, diagnostics: Diagnostics
) -> list[Entry]:
    """Return an entry for each HTML file that is not a page, but that the options
    `include` or `exclude` name, and for each other file that only `include` names.
    Patterns that match neither pages nor files are reported.

    Args:
        entries: The entries of all pages.
        site: The site, with all files in its output.
        diagnostics: Receives the problems.
    """
    patterns = list(_patterns(site.options))
    if not patterns:
        return []
    # Few sites have patterns.
    from docs_sitemap.built.generated_pages import is_generated_pattern

    # Files that are not pages have patterns of their own: `search` may name both.
    out_dir = os.fspath(site.out_dir)
    others = list(_other_files(entries, out_dir, walk_html_files(out_dir)))
    _apply_patterns(patterns, others, site)
    matched: set[tuple[str, str]] = set()
    for entry in (*entries, *others):
        matched |= entry.patterns
    # A pattern of pages, such as `guide/*`, names no images.
    unmatched = []
    for one in patterns:
        option, pattern, _ = one
        if option == "include" and (option, pattern) not in matched:
            unmatched.append(one)
    if unmatched:
        known = [*entries, *others]
        for entry in _include_files(unmatched, patterns, known, site):
            matched |= entry.patterns
            others.append(entry)
    for option, pattern, _ in patterns:
        # Not every build writes all of the pages that a generator makes for its own
        # use.
        may_be_missing = option == "exclude" and is_generated_pattern(pattern)
        if (option, pattern) not in matched and not may_be_missing:
            message = (
                f"the pattern {shorten(pattern)} of {site.names[option]} matches no "
                "page. Fix: correct or remove it."
            )
            diagnostics.warn(BuildCode.PATTERN, message)
    named = []
    for entry in others:
        if entry.included_by is not None or entry.excluded_by is not None:
            entry.page = _with_original(entry.page, site)
            named.append(entry)
    return named


# The name of an option, a pattern of pages in it, and what the option sets for these
# pages: a rule, or the files of `dependencies`.
_Pattern = tuple[str, str, PageRule | tuple[str, ...] | None]


def _include_files(
    unmatched: Sequence[_Pattern],
    patterns: Sequence[_Pattern],
    known: Sequence[Entry],
    site: Site,
) -> list[Entry]:
    """Return an entry for each file of any type that is included.

    Args:
        unmatched: The patterns of `include` that match no page and no HTML file.
        patterns: The patterns of all options.
        known: The entries of pages and HTML files.
        site: The site.
    """
    out_dir = os.fspath(site.out_dir)
    files = list(_other_files(known, out_dir, walk_files(out_dir)))
    _apply_patterns(unmatched, files, site)
    included = [entry for entry in files if entry.included_by is not None]
    _apply_patterns([one for one in patterns if one[0] != "include"], included, site)
    for entry in included:  # They have no head.
        entry.page = entry.page._replace(head=Head())
    return included


def _patterns(options: Options) -> Iterator[_Pattern]:
    """Yield the patterns of all options."""
    for pattern in options.include:
        yield "include", pattern, None
    for pattern in options.exclude:
        yield "exclude", pattern, None
    for rule in options.rules:
        for pattern in rule.match:
            yield "rules", pattern, rule
    for pattern, files in options.dependencies:
        yield "dependencies", pattern, files


def _apply_patterns(
    patterns: Sequence[_Pattern], entries: Sequence[Entry], site: Site
) -> None:
    """Apply the patterns of all options to pages. Dependencies of several patterns add
    up; of the other options, the first pattern that matches applies.
    """
    if not patterns:
        return
    index = NameIndex(_names(entries, site), site.base_url)
    for option, pattern, value in patterns:
        for number in index.match(pattern.replace(PLACEHOLDER, "*")):
            entry = entries[number]
            entry.patterns |= {(option, pattern)}
            if option == "include":
                entry.included_by = entry.included_by or pattern
            elif option == "exclude":
                entry.excluded_by = entry.excluded_by or pattern
            elif isinstance(value, PageRule):
                entry.rule = entry.rule or value
            elif value is not None:
                named = _dependencies(value, pattern, entry.page)
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


def _other_files(
    entries: Sequence[Entry], out_dir: str, paths: Iterable[str]
) -> Iterator[Entry]:
    """Yield the files of the output that are not pages: static files, redirects, or
    404.
    """
    known = {entry.page.output for entry in entries}
    for path in paths:
        output = os.path.join(out_dir, *path.split("/"))
        if output not in known:
            page = Page(url=page_url(path), name=path, output=output)
            yield Entry(page)


def _with_original(page: Page, site: Site) -> Page:
    """Return an HTML file with the file that the generator copied, as its source."""
    if site.find_original is None:
        return page
    original = site.find_original(page.name)
    if original is None:
        return page
    source = Source(os.path.abspath(original), SourceRole.DOCUMENT)
    return page._replace(sources=(source,))


def _names(entries: Iterable[Entry], site: Site) -> Iterator[PageNames]:
    root = os.path.join(site.root, "")
    for entry in entries:
        page = entry.page
        source = page.document
        if source is not None:
            source = source.removeprefix(root).replace(os.sep, "/")
        # In a site of any generator, users may know only the HTML file.
        output = None
        if site.generator == "any" and page.output is not None:
            output = relative_path(page.output, os.fspath(site.out_dir))
        yield PageNames(page.name, page.url, source, output)
