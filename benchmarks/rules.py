"""What each rule and each threshold of `generate` decides: how many pages have another
source without it.

The sources of the pages in `tests/sites` are known from `expected.json`. Those of built
projects are the documents that the plugin or the extension knows.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.analyses import (
    Analysis,
    Replace,
    count_tokens,
    is_any,
    returns,
    switch_off,
)
from benchmarks.projects import Project

_RULES = "docs_sitemap_cli.generate.source_rules"
_PATHS = "docs_sitemap_cli.generate.source_paths"
_WORDS = "docs_sitemap_cli.generate.source_words"
_FILES = "docs_sitemap_cli.generate.built_files"

Sources = dict[str, str]
"""The own file of each page, by the HTML file; empty if it has none."""


class BuiltSite(NamedTuple):
    """A built site whose sources are known.

    Attributes:
        name: The name of the project.
        project: The folder of its repository.
        folder: The folder of the site.
        base_url: The address of the site.
        expected: The sources of its pages.
    """

    name: str
    project: Path
    folder: Path
    base_url: str
    expected: Mapping[str, str]


class Outcome(NamedTuple):
    """How the sources of pages change without a rule.

    Attributes:
        pages: The pages of the site.
        incorrect: The pages that then have an incorrect source.
        missing: The pages that then have no source, but should have one.
        corrected: The pages that only then have their source, or correctly none.
    """

    pages: int
    incorrect: int
    missing: int
    corrected: int


def _rule(name: str, target: str, replace: Replace) -> Analysis:
    return Analysis(f"generate: {name}", is_any, {target: replace}, code=(target,))


def _threshold(target: str) -> list[Analysis]:
    """Return the analyses with half and twice a threshold."""
    name = target.partition(":")[2].strip("_").lower().replace("_", " ")
    half = Analysis(f"generate: half of {name}", is_any, {target: _halve})
    twice = Analysis(f"generate: twice {name}", is_any, {target: _double})
    return [half, twice]


def _halve(original: float) -> float:
    return original // 2 if isinstance(original, int) else original / 2


def _double(original: float) -> float:
    return min(1.0, original * 2) if isinstance(original, float) else original * 2


RULES = [
    _rule("data of generators", f"{_RULES}:SourceRules.recorded", returns(())),
    _rule("edit links", f"{_RULES}:SourceRules.edit_link", returns(())),
    _rule(
        "edit links of other branches", f"{_FILES}:_built_refs", returns(frozenset())
    ),
    _rule(
        "plain links agree with words",
        f"{_RULES}:SourceRules._agree_with_words",
        returns(True),
    ),
    _rule(
        "source links, and copies", f"{_RULES}:SourceRules._add_linked", returns(None)
    ),
    _rule("own files", f"{_RULES}:SourceRules._add_own", returns(None)),
    _rule("code", f"{_RULES}:SourceRules._add_code", returns(None)),
    _rule("words", f"{_WORDS}:find_documents", returns({})),
    _rule("paths", f"{_PATHS}:SourcePaths._match", returns(None)),
    _rule(
        "folders by paths alone",
        f"{_PATHS}:SourcePaths._find_agreed_folders",
        returns({}),
    ),
    _rule("unusual suffixes", f"{_PATHS}:find_unusual", returns([])),
    _rule("lists and templates", f"{_RULES}:SourceRules._is_list", returns(False)),
    _rule("code in templates", f"{_RULES}:SourceRules._contains", returns(False)),
    _rule(
        "words of paths' candidates",
        f"{_RULES}:SourceRules._compare",
        lambda original: _unknown,
    ),
    *_threshold(f"{_RULES}:_MIN_LINKED"),
    *_threshold(f"{_RULES}:_MAX_CONTRADICTED"),
    *_threshold(f"{_RULES}:_MIN_COPIED"),
    *_threshold(f"{_RULES}:_MIN_API"),
    *_threshold(f"{_PATHS}:_MIN_SUFFIX"),
    *_threshold(f"{_PATHS}:_MIN_SUFFIX_SHARE"),
    *_threshold(f"{_PATHS}:_MIN_KNOWN"),
    *_threshold(f"{_PATHS}:_MIN_SHARE"),
    *_threshold(f"{_WORDS}:MIN_GROUPS"),
    *_threshold(f"{_WORDS}:_MIN_COMMON"),
    *_threshold(f"{_WORDS}:_MAX_WORDS"),
    *_threshold(f"{_WORDS}:_MIN_SCORE"),
    *_threshold(f"{_WORDS}:_NEAR"),
    *_threshold(f"{_WORDS}:_MIN_CODE"),
    *_threshold(f"{_WORDS}:_REPEATED_SHARE"),
    *_threshold(f"{_WORDS}:_MIN_REPEATED"),
    *_threshold(f"{_WORDS}:_MAX_SAMPLE"),
    *_threshold(f"{_FILES}:_MIN_PAGES"),
    *_threshold(f"{_FILES}:_MIN_FORM"),
]


def _unknown(self: object, page: str, files: list[str]) -> tuple[list[str], list[str]]:
    return [], list(files)


def make_sites(folder: Path) -> list[BuiltSite]:
    """Return the sites in `tests/sites`, each with a repository in a folder."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    from support.sites import make_project, site_names

    sites = []
    for name in site_names():
        project = make_project(folder / name, name)
        expected = {}
        for page, sources in project.pages.items():
            expected[page] = sources[0] if sources else ""
        site = BuiltSite(name, project.path, project.site, project.base_url, expected)
        sites.append(site)
    return sites


def read_built(project: Project, saved: Path) -> BuiltSite:
    """Return the site of a real project, without the sitemap of the build.

    Args:
        project: The project.
        saved: The folder of the build.
    """
    report = json.loads((saved / "report.json").read_text())
    root = saved / report["project"]
    (saved / "site" / "sitemap.xml").unlink(missing_ok=True)
    expected = {}
    for page in report["pages"]:
        document = page.get("document", "")
        known = page.get("date_status") == "commit"
        if document and known:
            document = os.path.relpath(root / document, project.clone)
        if known and page.get("loc"):
            expected[page["output"]] = document
    base_url = report["base_url"]
    return BuiltSite(project.name, project.clone, saved / "site", base_url, expected)


def find_sources(site: BuiltSite, analysis: Analysis | None) -> Sources:
    """Return the own file of each page without an analysis."""
    from docs_sitemap_cli.generate.built_site import read_site
    from docs_sitemap_cli.generate.config_file import read_settings

    if analysis is not None:
        switch_off(analysis)
    os.chdir(site.project)
    found, _ = read_site(str(site.folder), read_settings({"base_url": site.base_url}))
    sources = {}
    for page in found.pages:
        first = page.sources[0].path if page.sources else ""
        if first:
            first = os.path.relpath(first, site.project)
        sources[page.name] = first
    return sources


def compare(site: BuiltSite, before: Sources, after: Sources) -> Outcome:
    """Return how the sources of pages change."""
    incorrect = missing = corrected = 0
    for page, source in site.expected.items():
        old, new = before.get(page, ""), after.get(page, "")
        if old == new:
            continue
        if new == source:
            corrected += 1
        elif new:
            incorrect += 1
        else:
            missing += 1
    return Outcome(len(site.expected), incorrect, missing, corrected)


def decide(site: BuiltSite) -> dict[str, Outcome]:
    """Return what each rule and threshold decides for a site."""
    from benchmarks.decisions import in_child

    before = in_child(partial(find_sources, site, None))
    outcomes = {}
    for analysis in RULES:
        after = in_child(partial(find_sources, site, analysis))
        outcomes[analysis.name] = compare(site, before, after)
    return outcomes


def print_table(decided: Mapping[str, Mapping[str, Outcome]]) -> None:
    """Print what each rule and threshold decides for all sites together."""
    header = "| Without | Incorrect | Missing | Corrected | Tokens | Sites |"
    print(f"\n{header}\n| --- | --: | --: | --: | --: | --- |")
    for analysis in RULES:
        total = Outcome(0, 0, 0, 0)
        names = []
        for name, outcomes in decided.items():
            outcome = outcomes[analysis.name]
            total = Outcome(*map(sum, zip(total, outcome, strict=True)))
            if any(outcome[1:]):
                names.append(name)
        tokens = count_tokens(analysis) if analysis.code else ""
        numbers = f"{total.incorrect} | {total.missing} | {total.corrected} | {tokens}"
        rule = analysis.name.removeprefix("generate: ")
        print(f"| {rule} | {numbers} | {', '.join(names)} |")
