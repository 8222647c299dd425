"""Documentation sites of other generators: their sources, the built pages, and what is
right.

`tests/sites/build.py` builds them. Most tests only read what it has built.
"""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import unquote

from support.command import run
from support.repository import Repository

SITES = Path(__file__).parent.parent / "sites"
REMOTE = "https://github.com/example/project.git"
_PDOC_LINKS = "renamer=https://github.com/example/project/blob/main/src/renamer/"
# Built in the tests.
_COMMANDS = {
    "pdoc": (
        "pdoc",
        "--edit-url",
        _PDOC_LINKS,
        "--output-directory",
        "html",
        "renamer",
        "renamer_tests",
    ),
    "zensical": ("zensical", "build"),
}
_FIRST_COMMIT = datetime(2024, 1, 1, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Project:
    """A project with a dated history, and its built site."""

    name: str
    path: Path
    site: Path
    base_url: str
    source_dir: str | None
    # The sources of each HTML file: first its own file, then those that it includes.
    # Generated pages and redirects have none.
    pages: dict[str, list[str]]
    dates: dict[str, str]  # The `lastmod` of each file of the project.

    def lastmod(self, page: str) -> str | None:
        """Return the right date of a page, or `None` if it has no source."""
        return max((self.dates[source] for source in self.pages[page]), default=None)


def site_names() -> list[str]:
    """Return the names of the sites that `make_project` returns with their built pages."""
    return sorted(
        file.parent.name for file in SITES.glob("*/expected.json") if _is_built(file)
    )


def make_project(parent: Path, name: str) -> Project:
    """Copy a project and its built site, and commit its files: one a day, in sorted
    order.
    """
    folder = SITES / name
    expected = json.loads((folder / "expected.json").read_bytes())
    path = parent / "project"
    shutil.copytree(SITES / expected.get("project", name) / "project", path)
    dates = commit_files(path)
    site = path / expected["site_dir"]
    if (folder / "built").is_dir():
        shutil.copytree(folder / "built", site, dirs_exist_ok=True)
    if (folder / "records").is_dir():
        shutil.copytree(folder / "records", path, dirs_exist_ok=True)
    return Project(
        name,
        path,
        site,
        expected["base_url"],
        expected["source_dir"],
        expected["pages"],
        dates,
    )


def build_project(parent: Path, name: str) -> Project:
    """Make a project, and build its site: of pdoc or Zensical, which are installed with
    pip.
    """
    project = make_project(parent, name)
    command = (sys.executable, "-m", *_COMMANDS[name])
    run(
        command,
        cwd=project.path,
        env={"PYTHONPATH": "src", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    return project


def built_file(site: Path, url: str) -> str:
    """Return the HTML file that a server sends for a URL relative to the base URL."""
    path = unquote(url)
    if path == "" or path.endswith("/"):
        path += "index.html"
    names = (path, f"{path}.html", f"{path}/index.html")
    return next(name for name in names if (site / name).is_file())


def commit_files(path: Path) -> dict[str, str]:
    """Commit each file of a folder on a day of its own, and return the dates of the
    files.
    """
    files = sorted(
        file.relative_to(path).as_posix() for file in path.rglob("*") if file.is_file()
    )
    dates, commits = {}, []
    for day, file in enumerate(files):
        date = _FIRST_COMMIT + timedelta(days=day)
        dates[file] = date.isoformat()
        commits.append((date, f"Add {file}", {file: (path / file).read_bytes()}))
    repository = Repository.create(path)
    with (path / ".git/config").open("a", encoding="utf-8") as config:
        config.write(f'[remote "origin"]\n\turl = {REMOTE}\n')
    repository.commit_all(commits)
    return dates


def _is_built(expected: Path) -> bool:
    """Tell whether the built pages are committed, or are sources themselves."""
    folder = expected.parent
    site = json.loads(expected.read_bytes())["site_dir"]
    return (folder / "built").is_dir() or (folder / "project" / site).is_dir()
