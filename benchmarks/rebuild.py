"""Check dates by rebuilding pages: at the commit that dates them, before it, and now.

A date is exact if the page shows another text since this commit, and the same text now.
It is too new if the commit changed nothing that readers see, and too old if the page
shows another text now. Only the documents that are checked are built, so links to other
documents have no title, at all commits.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from selectolax.lexbor import LexborHTMLParser

_MAX_PAGES = 15

# The first of these elements contains the text of a page.
_MAIN = (
    "article.md-content__inner",
    "article[role=main]",
    "div[role=main]",
    "[itemprop=articleBody]",
    "main",
    "body",
)
_OTHER = (
    "nav, aside, header, footer, script, style, svg, .headerlink, .viewcode-link, "
    ".viewcode-back, .md-source-file, .md-content__button, .toctree-wrapper, .prev-next-area, "
    ".md-tags, .related-pages, [class*=git-revision], .sidebar-drawer, .theme-toggle-content"
)
_VERSION = re.compile(r"\bv?\d+\.\d+[\w.+-]*")
_DATE = re.compile(r"\b\d{4}-\d\d-\d\d\b|\b\w+ \d{1,2}, \d{4}\b|\b\d{1,2} \w+ \d{4}\b")


class Checked(NamedTuple):
    """A page whose date is checked.

    Attributes:
        document: The document, relative to the folder of documents.
        output: The HTML file, relative to the site.
        commit: The commit that dates the page.
        source: The file that dates it.
    """

    document: str
    output: str
    commit: str
    source: str


def choose_pages(report: Path, documents: str) -> list[Checked]:
    """Return the pages with the newest commits.

    Args:
        report: The report of a build.
        documents: The folder of documents, relative to the project of the report.
    """
    found = []
    for page in json.loads(report.read_text())["pages"]:
        document = page.get("document", "")
        date = page.get("lastmod")
        if date and page.get("commit") and document.startswith(documents):
            name = document.removeprefix(documents)
            one = Checked(name, page["output"], page["commit"], page.get("source", ""))
            found.append((date, one))
    found.sort(key=lambda item: item[0], reverse=True)
    return [one for _, one in found[:_MAX_PAGES]]


def check(
    pages: Sequence[Checked], clone: Path, tree: Path, project: Mapping[str, Any]
) -> list[tuple[Checked, str]]:
    """Return the verdict on each page: `exact`, `too new`, `too old`, or `unknown` if
    one of its builds fails.
    """
    git = ["git", "-C", str(tree)]
    if not tree.exists():
        subprocess.run(["git", "clone", "-q", clone, tree], check=True)
    by_commit: defaultdict[str, list[Checked]] = defaultdict(list)
    for page in pages:
        by_commit[page.commit].append(page)
    verdicts = []
    for commit, dated in by_commit.items():
        parent = subprocess.run(
            [*git, "rev-parse", "-q", "--verify", f"{commit}^"],
            stdout=subprocess.PIPE,
            text=True,
        ).stdout.strip()
        # With the same other documents, links have the same texts.
        now = _build_texts(dated, project["commit"], tree, project)
        then = _build_texts(dated, commit, tree, project)
        before = _build_texts(dated, parent, tree, project) if parent else {}
        for page in dated:
            name = page.output
            verdict = judge(before.get(name, ""), then.get(name), now.get(name))
            verdicts.append((page, verdict))
    return verdicts


def judge(before: str | None, then: str | None, now: str | None) -> str:
    if not then or not now:
        return "unknown"
    if _without_versions(then) != _without_versions(now):
        return "too old"
    if before == then:
        return "too new"
    return "exact"


def _build_texts(
    pages: Sequence[Checked], commit: str, tree: Path, project: Mapping[str, Any]
) -> dict[str, str]:
    """Return the text of pages at a commit, by their HTML files."""
    for command in (["checkout", "-qf", commit], ["clean", "-fdq"]):
        subprocess.run(["git", "-C", tree, *command], check=True)
    folder = Path(tempfile.mkdtemp())
    try:
        settings = {name: project[name] for name in _FIELDS if name in project}
        settings |= {"clone": str(tree), "out": str(folder / "site")}
        settings["only"] = [page.document for page in pages]
        command = [
            sys.executable,
            "-P",
            str(Path(__file__).with_name("documentation.py")),
        ]
        env = dict(os.environ, PYTHONPATH=f"{tree}/src{os.pathsep}{tree}")
        subprocess.run(
            [*command, json.dumps(settings)],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=600,
        )
        texts = {}
        for page in pages:
            path = folder / "site" / page.output
            if path.exists():
                texts[page.output] = read_text(path.read_bytes())
        return texts
    finally:
        shutil.rmtree(folder)


_FIELDS = ("config", "source", "drop", "settings")


def read_text(html: bytes) -> str:
    """Return the visible text of a page, without navigation and dates."""
    document = LexborHTMLParser(html)
    main = None
    for selector in _MAIN:
        main = main or document.css_first(selector)
    if main is None:
        return ""
    for node in main.css(_OTHER):
        node.decompose()
    text = " ".join(main.text(separator=" ").split())
    return _DATE.sub("DATE", text)


def _without_versions(text: str) -> str:
    """Return a text without versions: pages show the version of their project."""
    return _VERSION.sub("VERSION", text)


def main(arguments: Sequence[str]) -> None:
    """Check a project: its name, `projects.toml`, its clone, a folder for another
    clone, and the report of a build.
    """
    name, projects, clone, tree, report, documents = arguments
    project = tomllib.loads(Path(projects).read_text())[name]
    pages = choose_pages(Path(report), documents)
    for page, verdict in check(pages, Path(clone), Path(tree), project):
        print(json.dumps([name, verdict, *page]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
