"""What each rule of `generate` decides: how many pages have another source without it.

The sources of the pages in `tests/sites` are known from `expected.json`. Those of built
projects are the documents that the plugin or the extension knows.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
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
from docs_sitemap.page import SourceRule

_RULES = "docs_sitemap_cli.generate.sources.source_rules"
_ASSIGNMENT = "docs_sitemap_cli.generate.sources.assignment"
_DOCUMENTS = "docs_sitemap_cli.generate.sources.documents"

Sources = dict[str, str]
"""The own file of each page, by the HTML file; empty if it has none."""

Expected = Mapping[str, Sequence[str]]
"""The files that may be the own one of each page; none if it must have none."""


class BuiltSite(NamedTuple):
    """A built site whose sources are known.

    Attributes:
        name: The name of the project.
        project: The folder of its repository.
        folder: The folder of the site.
        base_url: The address of the site.
        expected: The sources of its pages.
        has_links: Whether the links of its pages are read.
    """

    name: str
    project: Path
    folder: Path
    base_url: str
    expected: Expected
    has_links: bool = True


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


def _row(name: str, kind: SourceRule, function: str) -> Analysis:
    """Return a row of the table of rules."""
    target = f"{_RULES}:SourceRules.{function}"
    without: dict[str, Replace] = {
        target: returns(()),
        f"{_RULES}:RULES": lambda rows: [row for row in rows if row[0] is not kind],
    }
    return Analysis(f"generate: {name}", is_any, without, code=(target,))


RULES = [
    _row("own files", SourceRule.OWN_FILE, "find_itself"),
    _row("data of generators", SourceRule.GENERATOR_DATA, "find_recorded"),
    _row("edit links", SourceRule.EDIT_LINK, "find_edited"),
    _rule("words", f"{_ASSIGNMENT}:Assignment._assign_by_words", returns(None)),
    _rule("copies", f"{_ASSIGNMENT}:Assignment._assign_copies", returns(None)),
    _rule("paths", f"{_ASSIGNMENT}:Assignment._assign_by_path", returns(None)),
    _row("source links", SourceRule.SOURCE_LINKS, "find_linked"),
    _rule("lists", f"{_DOCUMENTS}:DocumentReader.is_list", returns(False)),
]
_NO_LINKS = _rule(
    "all links",
    "docs_sitemap_cli.generate.sources.edit_links:LinkReader.read",
    returns([]),
)


def make_sites(folder: Path) -> list[BuiltSite]:
    """Return the sites in `tests/sites`, each with a repository in a folder."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    from support.sites import make_project, site_names

    sites = []
    for name in site_names():
        project = make_project(folder / name, name)
        expected = {}
        for page, sources in project.pages.items():
            expected[page] = sources[:1]
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
            expected[page["output"]] = [document] if document else []
    base_url = report["base_url"]
    return BuiltSite(project.name, project.clone, saved / "site", base_url, expected)


def read_sites(folder: Path) -> list[BuiltSite]:
    """Return the sites that files `truth.json` in the folders below a folder describe.

    Such a file has the project and the site as absolute paths, the base URL, and the
    expected sources of pages. With `no_links`, the links of pages are not read.
    """
    sites = []
    for file in sorted(folder.glob("*/truth.json")):
        truth = json.loads(file.read_bytes())
        site = BuiltSite(
            file.parent.name,
            Path(truth["project"]),
            Path(truth["site"]),
            truth["base_url"],
            truth["expected"],
            not truth.get("no_links"),
        )
        sites.append(site)
    return sites


def find_sources(site: BuiltSite, analysis: Analysis | None) -> Sources:
    """Return the own file of each page without an analysis."""
    from docs_sitemap_cli.generate.built_site import read_site
    from docs_sitemap_cli.generate.config_file import read_settings

    if not site.has_links:
        switch_off(_NO_LINKS)
    if analysis is not None:
        switch_off(analysis)
    os.chdir(site.project)
    settings = read_settings({"base_url": site.base_url}, str(site.folder))
    found, _ = read_site(settings)
    sources = {}
    for page in found.pages:
        first = page.sources[0].path if page.sources else ""
        if first:
            first = os.path.relpath(first, site.project)
        file = os.path.relpath(page.output or page.name, site.folder)
        sources[file] = first
    return sources


def compare(site: BuiltSite, before: Sources, after: Sources) -> Outcome:
    """Return how the sources of pages change."""
    incorrect = missing = corrected = 0
    for page, sources in site.expected.items():
        right = sources or [""]
        old, new = before.get(page, ""), after.get(page, "")
        if old == new or {old, new} <= set(right):
            continue
        if new in right:
            corrected += 1
        elif new:
            incorrect += 1
        else:
            missing += 1
    return Outcome(len(site.expected), incorrect, missing, corrected)


def decide(site: BuiltSite) -> dict[str, Outcome]:
    """Return what each rule decides for a site."""
    from benchmarks.decisions import in_child

    before = in_child(partial(find_sources, site, None))
    outcomes = {}
    for analysis in RULES:
        after = in_child(partial(find_sources, site, analysis))
        outcomes[analysis.name] = compare(site, before, after)
    return outcomes


def print_table(decided: Mapping[str, Mapping[str, Outcome]]) -> None:
    """Print what each rule decides for all sites together."""
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
