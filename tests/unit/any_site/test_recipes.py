"""The recipes in the guide "Any generator" work for the sites that the generators have built."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from support.cli import invoke
from support.sites import make_project

GUIDE = Path(__file__).parents[3] / "docs/guides/any-generator.md"
RECIPES = dict(re.findall(r"^### (.+)\n\n```console\n([^`]*)```", GUIDE.read_text("utf-8"), re.M))
SITES = {"MyST and Jupyter Book 2": "myst", "Plain HTML": "html"}
BUILT_IN_OTHER_TESTS = {"pdoc", "Zensical"}


@pytest.mark.parametrize("title", sorted(RECIPES.keys() - BUILT_IN_OTHER_TESTS))
def test_recipe(title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project(tmp_path, SITES.get(title, title.lower()))
    monkeypatch.chdir(project.path / "docs" if title.startswith("MyST") else project.path)
    lines = re.findall(r"^\$ docs-sitemap (.+)", RECIPES[title], re.M)
    written, checked = (invoke(*shlex.split(line)) for line in lines)
    assert written.code == 0, written.err
    assert "no problems found" in checked.out
