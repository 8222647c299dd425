"""Read the settings of each page, and match the patterns of the options."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Mapping, Sequence

from docs_sitemap.diagnostics import BuildCode, Diagnostic
from docs_sitemap.entry import Dependency, Entry
from docs_sitemap.files import walk_html_files
from docs_sitemap.options import Options
from docs_sitemap.page import Page
from docs_sitemap.patterns import NameIndex, PageNames, find_pages
from docs_sitemap.settings import read_settings
from docs_sitemap.site import Site
from docs_sitemap.sitemap.urls import page_url
from docs_sitemap.text import shorten
from docs_sitemap.values import PLACEHOLDER


def match_pages(site: Site, diagnostics: list[Diagnostic]) -> list[Entry]:
    """Return an entry for each page, and for each other HTML file that a pattern names. Invalid
    settings and patterns that match nothing are reported.
    """
    options, base_url, root = site.options, site.base_url, os.path.join(site.root, "")
    entries = [Entry(page, read_settings(page, diagnostics)) for page in site.pages]
    patterns = _patterns(options)
    if not patterns:
        return entries
    others = [Entry(page) for page in _other_html(entries, os.fspath(site.out_dir))]
    page_index = NameIndex((_names(entry.page, root) for entry in entries), base_url)
    other_index = NameIndex((_names(entry.page, root) for entry in others), base_url)
    unwritten = (
        PageNames(name, f"{name}/", output=f"{name}.html") for name in site.generator_pages
    )
    unwritten_index = NameIndex(unwritten, base_url)
    # A pattern of `include` uses the first tier in which it matches a page or another file. The
    # other options must not miss a page because of another file: they use the first tier in which
    # the pattern matches a page.
    for_include: dict[str, list[Entry]] = {}
    for_other_options: dict[str, list[Entry]] = {}
    for pattern, names in patterns.items():
        wildcard = pattern.replace(PLACEHOLDER, "*") if "dependencies" in names else pattern
        in_pages, in_others = find_pages(wildcard, page_index, other_index)
        for_include[pattern] = [entries[number] for number in in_pages]
        for_include[pattern] += [others[number] for number in in_others]
        if in_others:
            (in_pages,) = find_pages(wildcard, page_index)
        for_other_options[pattern] = [entries[number] for number in in_pages]
        for_other_options[pattern] += [others[number] for number in in_others]
        if for_include[pattern]:
            continue
        for name in names:
            if name == "exclude" and any(find_pages(pattern, unwritten_index)):
                continue
            message = (
                f"the pattern {shorten(pattern)} of the option {name} matches no page. "
                "Fix: correct or remove it."
            )
            diagnostics.append(Diagnostic(BuildCode.PATTERN, message))
    _apply(options, for_include, for_other_options)
    return entries + [other for other in others if other.included_by or other.excluded_by]


def _apply(
    options: Options,
    for_include: Mapping[str, Sequence[Entry]],
    for_other_options: Mapping[str, Sequence[Entry]],
) -> None:
    for pattern in options.include:
        for entry in for_include[pattern]:
            entry.included_by = entry.included_by or pattern
    for pattern in options.exclude:
        for entry in for_other_options[pattern]:
            entry.excluded_by = entry.excluded_by or pattern
    for rule in options.rules:
        for pattern in rule.match:
            for entry in for_other_options[pattern]:
                entry.rule = entry.rule or rule
    for pattern, files in options.dependencies:
        for entry in for_other_options[pattern]:
            named = (_dependency(file, pattern, entry.page) for file in files)
            entry.dependencies = (*entry.dependencies, *named)


def _dependency(file: str, pattern: str, page: Page) -> Dependency:
    if PLACEHOLDER not in file:
        return Dependency(file)
    start, _, end = pattern.partition(PLACEHOLDER)
    name = PageNames(page.name, page.url).stem_between(start, end)
    return Dependency(file.replace(PLACEHOLDER, glob.escape(name)), template=file)


def _patterns(options: Options) -> dict[str, list[str]]:
    """Return all patterns, each with the names of the options that contain it."""
    by_option = {
        "include": options.include,
        "exclude": options.exclude,
        "rules": [pattern for rule in options.rules for pattern in rule.match],
        "dependencies": [pattern for pattern, _ in options.dependencies],
    }
    names: dict[str, list[str]] = {}
    for name, patterns in by_option.items():
        for pattern in dict.fromkeys(patterns):
            names.setdefault(pattern, []).append(name)
    return names


def _other_html(entries: Sequence[Entry], out_dir: str) -> Iterator[Page]:
    """Yield the HTML files of the output that are not pages: static files, redirects, 404."""
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
