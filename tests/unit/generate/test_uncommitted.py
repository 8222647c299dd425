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


@pytest.mark.parametrize(
    "file",
    ["src/new.md", "src/deep/new.md", "src/private.md", "later/new.md", "src/new.qmd"],
)
def test_a_page_has_the_words_of_a_file_that_is_not_committed(
    repository: Repository, file: str
) -> None:
    source, page = made_from("new")
    repository.write({file: source})
    write_site(Path("site"), {"new.html": page})
    meaning = IGNORED if "private" in file else NOT_COMMITTED
    assert origins()["new.html"] == f"{meaning}: {file}"
    repository.git("add", "--force", file)
    assert origins()["new.html"] == f"{NOT_COMMITTED}: {file}"


def test_a_page_has_the_path_of_a_file_that_is_not_committed(
    repository: Repository,
) -> None:
    repository.write({"src/short.md": "# Short\n"})
    write_site(Path("site"), {"short.html": html("Short"), "tags.html": html("Tags")})
    found = origins()
    assert found["short.html"] == f"{NOT_COMMITTED}: src/short.md"
    assert found["tags.html"].startswith("no source found")


def test_files_that_are_not_committed_change_no_dates(repository: Repository) -> None:
    source, _ = made_from("src/a.md")
    _, other = made_from("other")
    write_site(Path("site"), {"lists/b.html": other})
    before = origins()
    copies = ("src/a copy.md", "backup/src/a.md", "node_modules/a/README.md", "a.md")
    repository.write(dict.fromkeys(copies, source))
    # The output of another build, and what a package contains.
    repository.write({"public/b.html": other, "node_modules/b/README.md": "# B\n"})
    assert origins() == before
    assert before["a.html"] == "its words: src/a.md"


def test_a_tie_stays_a_tie(repository: Repository) -> None:
    source, _ = made_from("src/a.md")
    repository.commit({"old/src/a.md": source}, day=4)
    before = origins()["a.html"]
    repository.write({"src/a copy.md": source})
    assert origins()["a.html"] == before


@pytest.mark.parametrize("folder", ["", "docs/"])
def test_a_new_page_of_a_site_of_html_files(
    project: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    repository = Repository.create(project)
    pages = {f"{folder}{name}.html": html(name) for name in ("index", "a", "b")}
    repository.commit(pages, day=1)
    repository.write({f"{folder}new.html": html("New")})
    monkeypatch.chdir(project)
    done = generate(folder or ".", "--base-url", BASE, "--dry-run")
    assert f"new.html  {NOT_COMMITTED}: {folder}new.html" in done.out
    assert "3 dated: 3 by their own file in git" in done.out
