"""Each page describes itself to search engines, and what it says about the code is
there.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

PROJECT = Path(__file__).parents[3]
DOCS = PROJECT / "docs"
PAGES = sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))


def description(page: str) -> str:
    text = (DOCS / page).read_text(encoding="utf-8")
    front_matter = yaml.safe_load(text.split("---\n")[1])
    return str(front_matter["description"])


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_a_short_description(page: str) -> None:
    assert 40 <= len(description(page)) <= 155


def test_all_descriptions_differ() -> None:
    assert len({description(page) for page in PAGES}) == len(PAGES)


@pytest.mark.parametrize(
    ("file", "heading"),
    [
        ("CONTRIBUTING.md", "## Where a change goes"),
        ("ARCHITECTURE.md", "## One answer to each question"),
    ],
)
def test_each_path_in_a_table_exists(file: str, heading: str) -> None:
    text = (PROJECT / file).read_text(encoding="utf-8")
    table = text.split(heading)[1].split("\n## ")[0]
    names = re.findall(r"`([\w/.]+(?:\.\w+|/))`", table)
    missing = []
    for name in names:
        paths = (PROJECT / name, PROJECT / "docs_sitemap" / name)
        if not any(path.exists() for path in paths):
            missing.append(name)
    assert names
    assert not missing


def test_the_layout_in_the_architecture_is_that_of_the_files() -> None:
    text = (PROJECT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    layout = text.split("## Layout")[1].split("\n## ")[0]
    described: dict[str, list[str]] = {}
    for line in layout.splitlines():
        name = line.split(" ")[0]
        if line == name and name.endswith("/"):
            names = described.setdefault(name, [])
        elif line.startswith("  "):
            names.append(line.split()[0])
    assert len(described) == 4
    for package, names in described.items():
        expected = [path.name for path in (PROJECT / package).glob("[!_]*.py")]
        for path in (PROJECT / package).glob("*/__init__.py"):
            expected.append(f"{path.parent.name}/")
        assert sorted(names) == sorted(expected), package


WORKFLOWS = [PROJECT / "action.yml", *PROJECT.glob(".github/workflows/*.yml")]
GUIDES = [PROJECT / "README.md", *DOCS.rglob("*.md")]


def test_every_action_has_one_commit_in_workflows_and_guides() -> None:
    pins: dict[str, set[str]] = {}
    for file in (*WORKFLOWS, *GUIDES):
        text = file.read_text(encoding="utf-8")
        for action, pin in re.findall(r"uses: (\w[^@\s]+)@(.+)", text):
            if action != "OWNER/docs-sitemap":
                pins.setdefault(action, set()).add(pin)
    assert len(pins) > 5
    for action, found in pins.items():
        assert len(found) == 1, action
        assert re.fullmatch(r"[0-9a-f]{40} # v\d+\.\d+\.\d+", found.pop()), action


@pytest.mark.parametrize("file", GUIDES, ids=lambda path: path.stem)
def test_a_job_that_runs_python_sets_it_up(file: Path) -> None:
    """The Python of a runner changes with its image, and may refuse `pip install`."""
    for block in re.findall(
        r"```yaml\n(.*?)```", file.read_text(encoding="utf-8"), re.S
    ):
        if "actions/checkout" in block and "pip install" in block:
            assert "actions/setup-python" in block


@pytest.mark.parametrize("page", ["README.md", "docs/getting-started.md"])
def test_the_first_command_works(page: str) -> None:
    """Until the project is published, the package index does not have it."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    is_published = "example.org" not in project["project"]["urls"]["Source"]
    text = (PROJECT / page).read_text(encoding="utf-8")
    command = re.findall(r"```console\n\$ (.*)", text)[0]
    assert command == f"pip install {'docs-sitemap' if is_published else '.'}"


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("gh-pages", "guides/versions.md"),
        ("mkdocs serve", "questions.md"),
        ("mkdocs gh-deploy", "questions.md"),
        ("Windows", "questions.md"),
        ("uv", "questions.md"),
        ("turn it off", "questions.md"),
        ("slow", "questions.md"),
        ("Amazon S3", "guides/ci-and-hosting.md"),
        ("Firebase", "guides/ci-and-hosting.md"),
    ],
)
def test_what_people_search_for_is_in_a_heading(words: str, page: str) -> None:
    """Both search engines of the documentation show such pages first."""
    text = (DOCS / page).read_text(encoding="utf-8").replace("`", "")
    assert re.search(rf"^##.*\b{re.escape(words)}\b", text, re.M)


def test_pictures_have_the_colors_of_both_themes() -> None:
    pictures = {path.stem for path in DOCS.glob("pictures/*.png")}
    light = {name for name in pictures if not name.endswith("-dark")}
    assert pictures - light == {f"{name}-dark" for name in light}
