"""`docs-sitemap generate` before files are committed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.repository import Repository
from support.sitemaps import BASE, write_site
from support.small_sites import REPOSITORY, generate, html, made_from

from docs_sitemap import DateStatus

NOT_COMMITTED = DateStatus.UNTRACKED.meaning
IGNORED = DateStatus.IGNORED.meaning


@pytest.fixture
def repository(project: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A project with three documents, and a built site with their pages."""
    repository = Repository.create(project)
    repository.git("remote", "add", "origin", f"{REPOSITORY}.git")
    repository.write({".gitignore": "/site/\nnode_modules\nprivate.md\n"})
    for day, name in enumerate(("index", "a", "b"), start=1):
        source, page = made_from(f"src/{name}.md")
        repository.commit({f"src/{name}.md": source}, day=day)
        write_site(project / "site", {f"{name}.html": page})
    monkeypatch.chdir(project)
    return repository


def origins() -> dict[str, str]:
    """Return where the date of each page comes from, or why it has none."""
    done = generate("site", "--base-url", BASE, "--dry-run")
    lines = [re.split(" {2,}", line) for line in done.out.splitlines() if "  " in line]
    return {line[1]: line[2] for line in lines}


@pytest.mark.parametrize(
    "file", ["src/new.md", "src/deep/new.md", "src/private.md", "later/new.md"]
)
@pytest.mark.parametrize("staged", [False, True])
def test_the_edit_link_of_a_page_opens_a_file_that_is_not_committed(
    repository: Repository, file: str, staged: bool
) -> None:
    repository.write({file: "# New\n"})
    for page in ("index", "a", "b"):
        text = html(page, edit=f"main/src/{page}.md")
        write_site(Path("site"), {f"{page}.html": text})
    write_site(Path("site"), {"new.html": html("New", edit=f"main/{file}")})
    if staged:
        repository.git("add", "--force", file)
    is_ignored = "private" in file and not staged
    meaning = IGNORED if is_ignored else NOT_COMMITTED
    assert origins()["new.html"] == f"{meaning}: {file}"
    done = generate("site", "--base-url", BASE)
    assert f"1 not dated: {meaning} (new.html)" in done.out
    assert done.err == ""
