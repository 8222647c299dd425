"""First step: read the settings of each page, and match the patterns of the options."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from docs_sitemap.entry import Candidate, Dependency
from docs_sitemap.files import walk_html_files
from docs_sitemap.options import Options
from docs_sitemap.overrides import read_overrides
from docs_sitemap.page import Page
from docs_sitemap.patterns import NameIndex, PageNames, find_pages
from docs_sitemap.result import Problem, ProblemKind
from docs_sitemap.sitemap.urls import BaseUrl, page_url
from docs_sitemap.text import shorten
from docs_sitemap.values import PLACEHOLDER


def match_pages(
    pages: Iterable[Page],
    options: Options,
    base_url: BaseUrl,
    out_dir: str,
    root: str,
    generator_pages: Iterable[str],
    problems: list[Problem],
) -> list[Candidate]:
    """Return a candidate for each page, and for each other HTML file that a pattern names.

    Args:
        pages: The pages of the generator.
        options: The options of the sitemap.
        base_url: The URL that the URLs of all pages start with.
        out_dir: The absolute path of the built site.
        root: The absolute path of the project folder, with a trailing separator.
        generator_pages: The pages that the generator may write for its own use, without `.html`.
        problems: Receives invalid settings, and patterns that match nothing.
    """
    candidates = [Candidate(page, read_overrides(page, problems)) for page in pages]
    patterns = _patterns(options)
    if not patterns:
        return candidates
    others = [Candidate(page) for page in _other_html(candidates, out_dir)]
    page_index = NameIndex((_names(candidate.page, root) for candidate in candidates), base_url)
    other_index = NameIndex((_names(candidate.page, root) for candidate in others), base_url)
    unwritten = (PageNames(name, f"{name}/", output=f"{name}.html") for name in generator_pages)
    unwritten_index = NameIndex(unwritten, base_url)
    # A pattern of `include` uses the first tier in which it matches a page or another file. The
    # other options must not miss a page because of another file: they use the first tier in which
    # the pattern matches a page.
    for_include: dict[str, list[Candidate]] = {}
    for_other_options: dict[str, list[Candidate]] = {}
    for pattern, names in patterns.items():
        wildcard = pattern.replace(PLACEHOLDER, "*") if "dependencies" in names else pattern
        in_pages, in_others = find_pages(wildcard, page_index, other_index)
        for_include[pattern] = [candidates[number] for number in in_pages]
        for_include[pattern] += [others[number] for number in in_others]
        if in_others:
            (in_pages,) = find_pages(wildcard, page_index)
        for_other_options[pattern] = [candidates[number] for number in in_pages]
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
            problems.append(Problem(ProblemKind.PATTERN, message))
    _apply(options, for_include, for_other_options)
    return candidates + [other for other in others if other.included_by or other.excluded_by]


def _apply(
    options: Options,
    for_include: Mapping[str, Sequence[Candidate]],
    for_other_options: Mapping[str, Sequence[Candidate]],
) -> None:
    for pattern in options.include:
        for candidate in for_include[pattern]:
            candidate.included_by = candidate.included_by or pattern
    for pattern in options.exclude:
        for candidate in for_other_options[pattern]:
            candidate.excluded_by = candidate.excluded_by or pattern
    for rule in options.rules:
        for pattern in rule.match:
            for candidate in for_other_options[pattern]:
                candidate.rule = candidate.rule or rule
    for pattern, files in options.dependencies:
        for candidate in for_other_options[pattern]:
            named = (_dependency(file, pattern, candidate.page) for file in files)
            candidate.dependencies = (*candidate.dependencies, *named)


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


def _other_html(candidates: Sequence[Candidate], out_dir: str) -> Iterator[Page]:
    """Yield the HTML files of the output that are not pages: static files, redirects, 404."""
    known = {candidate.page.output for candidate in candidates}
    for path in walk_html_files(out_dir):
        output = os.path.join(out_dir, *path.split("/"))
        if output not in known:
            yield Page(url=page_url(path), name=path, output=output)


def _names(page: Page, root: str) -> PageNames:
    source = None
    if page.sources:
        source = page.sources[0].removeprefix(root).replace(os.sep, "/")
    return PageNames(page.name, page.url, source)
