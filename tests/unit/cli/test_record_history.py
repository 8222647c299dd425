"""`docs-sitemap record --from-history`: a content record from the deployments on a branch."""

from __future__ import annotations

import json
import os
import random
import subprocess
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from support.cli import invoke
from support.deployments import Deployment, built_page, deploy, site_files
from support.platforms import needs_posix
from support.readers import read_site
from support.repository import Repository, noon
from support.sitemaps import BASE

TEXTS = {"": "Welcome.", "a/": "One.", "b/": "Two."}
EDITED = TEXTS | {"a/": "One, edited."}


@pytest.fixture
def repository(project: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A project with a commit on each of the days 1 to 9, an hour before the deployments."""
    repository = Repository.create(project)
    deploy(project, [Deployment(day) for day in range(1, 10)], "main", hour=10)
    monkeypatch.chdir(project)
    return repository


def record(branch: str = "gh-pages", *options: str) -> Any:
    """Write a record, and return its content."""
    done = invoke("record", "--from-history", branch, *options, "record.json")
    assert (done.code, done.err) == (0, ""), done
    return json.loads(Path("record.json").read_bytes())


def days(document: Any) -> dict[str, int | None]:
    """Return the day of each page."""
    dates = {url: page["lastmod"] for url, page in document["pages"].items()}
    return {
        url: None if date is None else datetime.fromisoformat(date).day
        for url, date in dates.items()
    }


def test_a_page_has_the_date_of_the_deployment_since_which_its_content_is_the_same(
    repository: Repository,
) -> None:
    new = EDITED | {"c/": "New."}
    states = [TEXTS, EDITED, EDITED, new, new]
    deploy(
        repository.path,
        [Deployment(2 + n, site_files(texts, n)) for n, texts in enumerate(states)],
    )
    done = invoke("record", "--from-history", "gh-pages", "record.json")
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "recorded 4 pages from 5 deployments in record.json: 2 dated, 2 keep the date from git\n"
    )
    document = json.loads(Path("record.json").read_bytes())
    assert days(document) == {"": None, "a/": 3, "b/": None, "c/": 5}
    assert document["pages"]["a/"]["lastmod"] == "2024-01-03T11:00:00Z"
    assert (document["base_path"], document["selector"]) == ("/docs/", None)
    assert repository.git("status", "--porcelain") == "?? record.json\n"


def test_the_next_build_keeps_the_dates(repository: Repository) -> None:
    deploy(
        repository.path,
        [
            Deployment(2, site_files(TEXTS, 1)),
            Deployment(4, site_files(EDITED, 2)),
            Deployment(5, site_files(EDITED, 3)),
        ],
    )
    record()
    files = site_files(EDITED | {"b/": "Changed."}, 4)
    repository.write({f"site/{name}": text for name, text in files.items()})
    repository.write({".gitignore": "site\n"})
    for day in (10, 11):
        assert invoke("generate", "site", "--record", "record.json").code == 0
        dates = {url: entry.lastmod for url, entry in read_site(Path("site"), BASE).items()}
        # The home page was the same in the first deployment, so its date is unknown.
        assert dates == {"": None, "a/": "2024-01-04T11:00:00+00:00", "b/": noon(9)}
        repository.commit({"other.txt": str(day)}, day=day)


def test_any_sequence_of_changes_is_found(repository: Repository) -> None:
    """Each page changes at some deployments, and each deployment rewrites all pages."""
    source = random.Random(1)  # noqa: S311
    number = 28
    changes = {f"{n}/": sorted(source.sample(range(1, number), n)) for n in range(12)}
    expected = {url: max(numbers, default=0) for url, numbers in changes.items()}
    deployments = []
    for n in range(number):
        texts = {url: str(sum(one <= n for one in numbers)) for url, numbers in changes.items()}
        deployments.append(Deployment(1 + n, site_files(texts, n)))
    deploy(repository.path, deployments)
    deploy(repository.path, [Deployment(28)], "main", hour=23)
    assert days(record()) == {url: 1 + n if n else None for url, n in expected.items()}


def test_the_record_is_of_the_newest_commit_when_the_site_was_deployed(
    repository: Repository,
) -> None:
    hashes = repository.git("rev-list", "--reverse", "main").split()
    texts = [TEXTS, EDITED, EDITED | {"b/": "Two, edited."}]
    deployments = [Deployment(day, site_files(t)) for day, t in zip((1, 2, 5), texts, strict=True)]
    deploy(repository.path, deployments)
    document = record()
    assert document["commit"] == hashes[4]
    assert document["commit_date"] == "2024-01-05T10:00:00Z"
    # No page is newer than the commit of the record.
    assert document["pages"]["b/"]["lastmod"] == "2024-01-05T10:00:00Z"
    assert days(document) == {"": None, "a/": 2, "b/": 5}


def test_a_new_theme_dates_no_page(repository: Repository) -> None:
    texts = {f"{n}/": "Text." for n in range(14)}
    new_theme = {url: f"<h2>{text}</h2>" for url, text in texts.items()}
    edited = {f"{n}/": "Edited." for n in range(5)}
    states = [{}, texts, new_theme, new_theme | edited]
    deployments = [Deployment(2 + n, site_files({"": ""} | s)) for n, s in enumerate(states)]
    deploy(repository.path, deployments)
    assert days(record()) == {"": None} | dict.fromkeys(texts) | dict.fromkeys(edited, 5)


def test_a_page_keeps_its_date_while_it_is_missing(repository: Repository) -> None:
    states = [TEXTS, EDITED, {"": "Welcome."}, EDITED]
    deploy(repository.path, [Deployment(2 + n, site_files(s, n)) for n, s in enumerate(states)])
    assert days(record()) == {"": None, "a/": 3, "b/": None}


def test_a_single_deployment_dates_no_page(repository: Repository) -> None:
    deploy(repository.path, [Deployment(2, site_files(TEXTS))])
    done = invoke("record", "--from-history", "gh-pages", "record.json")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "recorded 3 pages from 1 deployment in record.json: 0 dated, 3 keep the date from git",
        "Note: a single deployment shows no changes. Fix: fetch all commits of the branch, and "
        "deploy without force_orphan, single-commit, or --no-history, which remove them",
    ]
    assert set(days(json.loads(Path("record.json").read_bytes())).values()) == {None}


def test_the_site_can_be_in_a_folder_of_the_branch(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = [(TEXTS, EDITED), (EDITED, EDITED), (EDITED, TEXTS)]
    base_url = f"{BASE}dev/"
    deploy(
        repository.path,
        [
            Deployment(
                2 + n,
                site_files(dev, n, folder="dev/", base_url=base_url)
                | site_files(other, folder="1/"),
            )
            for n, (dev, other) in enumerate(states)
        ],
    )
    (repository.path / "docs").mkdir()
    monkeypatch.chdir(repository.path / "docs")
    document = record("gh-pages:dev")
    assert document["base_path"] == "/docs/dev/"
    assert days(document) == {"": None, "a/": 3, "b/": None}


def test_the_base_url_can_be_given(repository: Repository) -> None:
    page = "<title>A</title><main>Text</main>"
    deploy(repository.path, [Deployment(2, {"a.html": page})])
    done = invoke("record", "--from-history", "gh-pages", "record.json")
    assert (done.code, done.out) == (2, "")
    assert "for example with --base-url https://example.org/docs/" in done.err
    document = record("gh-pages", "--base-url", "https://example.org/x")
    assert (document["base_path"], [*document["pages"]]) == ("/x/", ["a.html"])


def test_folders_that_are_too_deep(repository: Repository) -> None:
    page = "<title>A</title><main>Text</main>"
    deploy(repository.path, [Deployment(2, {"a.html": page, f"{'d/' * 1_000}a.html": page})])
    assert [*record("gh-pages", "--base-url", "https://example.org/x")["pages"]] == ["a.html"]


def test_the_options_of_the_project_apply(repository: Repository) -> None:
    states = [TEXTS, {url: f"<nav>x</nav>{text}" for url, text in TEXTS.items()}]
    deploy(repository.path, [Deployment(2 + n, site_files(s, n)) for n, s in enumerate(states)])
    assert set(days(record()).values()) == {None}
    repository.write(
        {"docs-sitemap.toml": 'lastmod_record_selector = "nav, h1"\nexclude = "b/*"\n'}
    )
    document = record()
    assert document["selector"] == "nav, h1"
    assert days(document) == {"": 3, "a/": 3}


def test_redirects_and_error_pages_are_not_recorded(repository: Repository) -> None:
    files = site_files(TEXTS)
    files["404.html"] = built_page("404.html", "Not found.")
    files["old.html"] = '<title>Old</title><meta http-equiv="refresh" content="0; url=a/">'
    deploy(repository.path, [Deployment(2, files)])
    assert [*record()["pages"]] == ["", "a/", "b/"]


@needs_posix
def test_unusual_files_on_the_branch_do_no_harm(repository: Repository) -> None:
    commit = repository.git("rev-parse", "main").strip().encode()
    unusual: dict[str, str | tuple[str, bytes]] = {
        "link.html": ("120000", b"<title>Link</title>"),
        "module.html": ("160000", commit),
        "huge.html": f"<title>Huge</title>{'x' * 2**23}",
        "a b\n%20é.html": "<title>Name</title><main>Text",
        os.fsdecode(b"\xff.html"): "<title>Not UTF-8</title><main>Text",
        "bytes.html": ("100644", b"<title>Bytes</title><main>\xff\0\xfe"),
        "empty.html": "",
        "sitemap.xml": "<not XML",
    }
    files = site_files(TEXTS) | unusual
    deploy(repository.path, [Deployment(2, files), Deployment(3, files | site_files(EDITED))])
    assert days(record()) == {
        "": None,
        "a/": 3,
        "b/": None,
        "bytes.html": None,
        "a%20b%0A%2520%C3%A9.html": None,
        "%FF.html": None,
    }


def test_names_cannot_lead_out_of_the_copy_of_a_deployment(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    page = built_page("a.html", "Text")
    blob = repository_object(repository, ["hash-object", "-w", "--stdin"], page)
    tree = repository_object(repository, ["mktree"], f"100644 blob {blob}\tevil.html\n")
    tree = repository_object(
        repository, ["mktree"], f"040000 tree {tree}\t..\n100644 blob {blob}\ta.html\n"
    )
    commit = repository.git("commit-tree", "-m", "evil", tree, day=2).strip()
    repository.git("branch", "gh-pages", commit)
    assert days(record()) == {"a.html": None}
    assert not [*(tmp_path / "temporary").iterdir()]
    assert not (tmp_path / "evil.html").exists()


def repository_object(repository: Repository, command: list[str], text: str) -> str:
    done = subprocess.run(
        ["git", *command], input=text.encode(), cwd=repository.path, check=True, capture_output=True
    )
    return done.stdout.decode().strip()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--from-history", "pages"], "Fix: correct the name, or fetch the branch: git fetch "),
        (["--from-history", "gh-pages:dev"], "Fix: correct the name of the folder"),
        (["--from-history", "empty"], "it has no HTML files, or this clone does not have them"),
        (["--from-history", "--x"], "there is no folder or branch of this name"),
        (
            ["--from-history", "gh-pages", "--previous", "gh-pages"],
            "Use either --previous or --from",
        ),
        ([], "Use either --previous or --from-history."),
    ],
)
def test_errors_say_what_to_do(repository: Repository, arguments: list[str], error: str) -> None:
    deploy(repository.path, [Deployment(2, site_files(TEXTS))])
    deploy(repository.path, [Deployment(2, {"README": ""})], "empty")
    repository.write({"record.json": "old"})
    done = invoke("record", *arguments, "record.json")
    assert (done.code, done.out) == (2, "")
    assert error in done.err.replace("\n", " ")
    assert (repository.path / "record.json").read_text() == "old"


def test_outside_a_repository(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project.mkdir()
    monkeypatch.chdir(project)
    done = invoke("record", "--from-history", "gh-pages", "record.json")
    assert done.code == 2
    assert "not a git repository" in done.err
    assert "Fix: run the command in the git repository" in done.err


def test_a_shallow_clone_dates_only_what_it_shows(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [TEXTS, EDITED, EDITED | {"b/": "Two, edited."}]
    deploy(repository.path, [Deployment(2 + n, site_files(t, n)) for n, t in enumerate(texts)])
    clone = tmp_path / "clone"
    options = ["--depth=2", "--no-single-branch", repository.path.as_uri()]
    repository.git("clone", "-q", *options, str(clone))
    monkeypatch.chdir(clone)
    assert days(record()) == {"": None, "a/": None, "b/": 4}
