"""`docs-sitemap record`: copy the record of the last deployment."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.cli import invoke
from support.platforms import needs_posix
from support.repository import Repository

RECORD = json.dumps(
    {
        "version": 1,
        "rules": 1,
        "base_path": "/docs/",
        "commit": "1" * 40,
        "commit_date": "2024-01-01T10:00:00Z",
        "pages": {"": {"digest": "0" * 32, "lastmod": None}},
    }
)
COPIED = "copied the content record of 1 page to site/record.json\n"


@pytest.fixture
def repository(project: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with a deployed site on the branch `gh-pages`."""
    repository = Repository.create(project)
    repository.commit({"a.md": "a"}, day=1)
    repository.git("checkout", "-q", "--orphan", "gh-pages")
    repository.git("rm", "-q", "-r", "-f", ".")
    repository.commit({"record.json": RECORD, "dev/record.json": RECORD}, day=2)
    repository.git("checkout", "-q", "main")
    monkeypatch.chdir(project)
    return repository


@pytest.mark.parametrize(
    "where", ["gh-pages", "gh-pages:dev/record.json", "gh-pages~0"]
)
def test_a_branch_is_read_without_a_checkout(
    repository: Repository, where: str
) -> None:
    done = invoke("record", "--previous", where, "site/record.json")
    assert (done.code, done.out, done.err) == (0, COPIED, "")
    assert json.loads(
        (repository.path / "site/record.json").read_bytes()
    ) == json.loads(RECORD)
    assert repository.git("status", "--porcelain") == "?? site/\n"


def test_a_branch_of_the_remote_is_found(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = tmp_path / "clone"
    repository.git("clone", "-q", str(repository.path), str(clone))
    (clone / "docs").mkdir()
    monkeypatch.chdir(clone / "docs")
    for where in ("gh-pages", "origin/gh-pages"):
        done = invoke("record", "--previous", where, "site/record.json")
        assert (done.code, done.out) == (0, COPIED)


def test_a_file(repository: Repository) -> None:
    repository.write({"last/record.json": RECORD})
    done = invoke("record", "--previous", "last/record.json", "site/record.json")
    assert (done.code, done.out, done.err) == (0, COPIED, "")
    assert json.loads(
        (repository.path / "site/record.json").read_bytes()
    ) == json.loads(RECORD)


def test_the_first_build_has_no_record(repository: Repository) -> None:
    done = invoke("record", "--previous", "missing.json", "site/record.json")
    assert (done.code, done.err) == (0, "")
    assert done.out == "first build: there is no content record at missing.json yet\n"
    assert not (repository.path / "site").exists()


@pytest.mark.parametrize("where", ["pages", "origin/pages", "pages:dev/record.json"])
def test_a_branch_that_the_clone_does_not_contain_can_be_fetched(
    repository: Repository, where: str
) -> None:
    done = invoke("record", "--previous", where, "site/record.json")
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        f"first build: there is no content record at {where} yet\nNote: a clone may "
        "not contain all branches. If this is not the first build, run: git fetch "
        "origin pages:refs/remotes/origin/pages\n"
    )


def test_the_advised_fetch_makes_the_branch_available(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = tmp_path / "clone"
    repository.git("clone", "-q", "--depth=1", repository.path.as_uri(), str(clone))
    monkeypatch.chdir(clone)
    command = ("record", "--previous", "gh-pages", "site/record.json")
    advice = invoke(*command).out.rpartition("run: git ")[2].split()
    repository.git("-C", str(clone), *advice)
    assert invoke(*command).out == COPIED


def test_a_damaged_record_is_a_warning(repository: Repository) -> None:
    repository.write({"last.json": RECORD[:-5], "site/record.json": RECORD})
    done = invoke("record", "--previous", "last.json", "site/record.json")
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith(
        "Warning: the content record at last.json is not used: it is invalid"
    )
    assert (repository.path / "site/record.json").read_text() == RECORD


@pytest.mark.parametrize(
    ("where", "error"),
    [
        ("--help=x", "is not the name of a branch"),
        ("", "is not the name of a branch"),
        (":record.json", "is not the name of a branch"),
        ("a b", "is not the name of a branch"),
        (
            "https://example.org/record.json",
            "URLs are not downloaded. Fix: download the record to a",
        ),
        ("folder", "cannot be read"),
    ],
)
def test_invalid_places_are_errors(
    repository: Repository, where: str, error: str
) -> None:
    (repository.path / "folder/site/record.json").mkdir(parents=True)
    (repository.path / "folder/record.json").mkdir(parents=True)
    done = invoke("record", f"--previous={where}", "site/record.json")
    assert done.code == 2
    assert error in done.err


def test_outside_a_repository_a_branch_is_an_error(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.mkdir()
    monkeypatch.chdir(project)
    done = invoke("record", "--previous", "gh-pages", "site/record.json")
    assert done.code == 2
    assert (
        "Fix: run the command in the git repository, or correct --previous." in done.err
    )


def test_a_record_that_cannot_be_written_is_an_error(repository: Repository) -> None:
    repository.write({"site": "a file"})
    done = invoke("record", "--previous", "gh-pages", "site/record.json")
    assert done.code == 2
    assert "Fix: " in done.err


@needs_posix
def test_a_committed_link_does_not_lead_out_of_the_repository(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "outside").mkdir()
    (repository.path / "site").symlink_to(tmp_path / "outside")
    (repository.path / "docs").mkdir()
    for folder, path in (".", "site/record.json"), ("docs", "../site/record.json"):
        monkeypatch.chdir(repository.path / folder)
        done = invoke("record", "--previous", "gh-pages", path)
        assert done.code == 2
        assert "PATH cannot be written: " in done.err
        assert "is a symbolic link to a place outside the project" in done.err
    assert not [*(tmp_path / "outside").iterdir()]
