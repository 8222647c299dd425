"""Dates with a content record: which date each page has, and what is recorded."""

from __future__ import annotations

import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.builds import BASE_URL, as_sources, build_site
from support.platforms import needs_posix
from support.repository import Repository, noon

from docs_sitemap import History, OptionError, Page, Report, Severity, read_options
from docs_sitemap.git.run import GitError


@dataclass
class Project:
    """A project whose site the tests write, as a generator would."""

    repository: Repository

    @property
    def path(self) -> Path:
        return self.repository.path

    @property
    def record(self) -> Path:
        return self.path / "record.json"

    def write(self, **pages: str) -> None:
        """Write HTML files. Pages with a file `docs/NAME.md` have this file as source."""
        self.repository.write(
            {
                f"site/{name}.html": f"<main>{text}</main>"
                for name, text in pages.items()
            }
        )

    def build(
        self,
        *,
        is_complete: bool = True,
        history: History | None = None,
        **options: Any,
    ) -> Report:
        pages = []
        for output in sorted(self.path.glob("site/*.html")):
            source = self.path / f"docs/{output.stem}.md"
            overrides = None
            if source.exists() and "lastmod:" in source.read_text():
                overrides = {"lastmod": source.read_text().split()[-1]}
            pages.append(
                Page(
                    url=output.stem,
                    name=output.stem,
                    output=str(output),
                    sources=as_sources(source) if source.exists() else (),
                    overrides=overrides,
                )
            )
        values = {"base_url": BASE_URL, "lastmod_record": str(self.record)} | options
        return build_site(
            pages,
            read_options(values),
            self.path / "site",
            root=self.path,
            history=history or History(),
            is_complete=is_complete,
        )

    def dates(self, **options: Any) -> dict[str, str | None]:
        """Build, and return the dates and date statuses."""
        report = self.build(**options)
        return {
            entry.page.name: f"{entry.lastmod.status} {day(entry.url.lastmod)}".strip()
            for entry in report.listed
        }

    def recorded(self) -> dict[str, int | None]:
        """Return the recorded days."""
        pages = self.read()["pages"]
        return {
            url: int(day(page["lastmod"])) if page["lastmod"] else None
            for url, page in pages.items()
        }

    def read(self) -> Any:
        return json.loads(self.record.read_bytes())


def recorded(day: int) -> str:
    return noon(day).replace("+00:00", "Z")


def day(lastmod: str | None) -> str:
    return "" if lastmod is None else str(int(lastmod[8:10]))


@pytest.fixture
def site(project: Path) -> Project:
    """A site with the page `a`, which has a source, and `made`, which has none, built
    on day 1.
    """
    repository = Repository.create(project)
    repository.commit({".gitignore": "/site/\n/record.json\n", "docs/a.md": "a"}, day=1)
    site = Project(repository)
    site.write(a="a", made="made")
    return site


def messages(report: Report) -> list[tuple[bool, str]]:
    return [
        (one.severity is Severity.NOTICE, one.message) for one in report.diagnostics
    ]


def test_the_first_build_has_the_dates_from_git(site: Project) -> None:
    report = site.build()
    assert messages(report) == [
        (
            True,
            f"the content record {site.record} does not exist yet: this build has the "
            "dates from git.",
        )
    ]
    assert site.recorded() == {"a": 1, "made": None}
    digests = [page["digest"] for page in site.read()["pages"].values()]
    bodies = [page["body"] for page in site.read()["pages"].values()]
    assert site.record.read_text().splitlines()[-4:] == [
        f'"a": {{"digest":"{digests[0]}","lastmod":"{recorded(1)}",'
        f'"body":"{bodies[0]}"}},',
        f'"made": {{"digest":"{digests[1]}","lastmod":null,"body":"{bodies[1]}"}}',
        "}",
        "}",
    ]
    assert site.read()["commit"] == site.repository.git("rev-parse", "HEAD").strip()
    assert site.read()["commit_date"] == recorded(1)


def test_unchanged_pages_keep_their_dates(site: Project) -> None:
    site.build()
    site.repository.commit({"docs/a.md": "a reformatted"}, day=2)
    assert site.dates() == {"a": "record 1", "made": "record 1"}
    assert site.recorded() == {"a": 1, "made": 1}
    assert not site.build().diagnostics


def test_a_generated_page_has_the_date_of_the_first_commit_that_the_record_knows(
    site: Project,
) -> None:
    assert site.dates()["made"] == "no-source"
    assert site.dates()["made"] == "no-source"  # Another build of the same commit.
    for day in range(2, 5):
        site.repository.commit({"other": str(day)}, day=day)
        assert site.dates()["made"] == "record 1"
    site.write(made="changed")
    assert site.dates()["made"] == "built-commit 4"


@pytest.mark.parametrize("status", ["untracked", "git-ignored"])
def test_a_source_that_is_not_in_git_makes_a_generated_page(
    site: Project, status: str
) -> None:
    if status == "git-ignored":
        site.repository.commit(
            {".gitignore": "/site/\n/record.json\n/docs/made.md\n"}, day=1
        )
    site.repository.write({"docs/made.md": "made"})
    assert site.dates()["made"] == status
    site.repository.git("commit", "-q", "--allow-empty", "-m", "2", day=2)
    assert site.dates()["made"] == "record 1"


def test_a_page_whose_history_is_missing_is_not_a_generated_page(
    site: Project, tmp_path: Path
) -> None:
    site.repository.commit({"other": "1"}, day=2)
    clone = Project(Repository(tmp_path / "clone"))
    site.repository.git("clone", "-q", "--depth=1", site.path.as_uri(), str(clone.path))
    clone.write(a="a")
    assert clone.dates() == {"a": "shallow"}
    assert clone.dates() == {"a": "shallow"}
    clone.repository.git("fetch", "-q", "--unshallow")
    assert clone.dates() == {"a": "commit 1"}


def test_changed_pages_have_the_date_of_a_newer_commit_or_of_the_built_commit(
    site: Project,
) -> None:
    site.build()
    site.repository.commit({"docs/a.md": "b"}, day=2)
    site.repository.commit({"other": "1"}, day=3)
    site.write(a="b", made="changed")
    assert site.dates() == {"a": "commit 2", "made": "built-commit 3"}
    assert site.recorded() == {"a": 2, "made": 3}
    # The page changes again, but its source does not, and has the date of the recorded
    # commit.
    site.repository.commit({"docs/b.md": "b"}, day=3)
    site.write(b="b")
    assert site.dates()["b"] == "commit 3"
    site.repository.git("commit", "-q", "--allow-empty", "-m", "4", day=4)
    site.write(b="c")
    assert site.dates()["b"] == "built-commit 4"
    (site.path / "site/b.html").unlink()
    site.repository.commit({"other": "2"}, day=4)
    site.write(a="c")
    report = site.build()
    assert [day(entry.url.lastmod) for entry in report.listed] == ["4", "3"]
    assert (
        report.listed[0].lastmod.commit
        == site.repository.git("rev-parse", "HEAD").strip()
    )
    assert (
        "2 with lastmod (1 from the content record), 0 pages excluded" in report.summary
    )


def test_new_pages_have_the_date_from_git_or_of_the_built_commit(site: Project) -> None:
    site.build()
    site.repository.commit({"docs/b.md": "b"}, day=2)
    site.build()
    site.repository.commit({"other": "1"}, day=3)
    site.write(b="b", new="new")
    assert site.dates() == {
        "a": "record 1",
        "b": "commit 2",
        "made": "record 1",
        "new": "built-commit 3",
    }


def test_a_commit_that_is_merged_later_does_not_make_a_page_older(
    site: Project,
) -> None:
    site.repository.git("checkout", "-q", "-b", "branch")
    site.repository.commit({"docs/a.md": "branch"}, day=2)
    site.repository.git("checkout", "-q", "main")
    site.write(a="changed")
    site.repository.commit({"other": "1"}, day=3)
    site.build()
    site.repository.commit({"other": "2"}, day=4)
    site.write(a="changed again")
    assert site.dates()["a"] == "built-commit 4"
    site.repository.git("merge", "-q", "branch", day=5)
    site.repository.commit({"other": "3"}, day=6)
    site.write(a="merged")
    assert site.dates()["a"] == "commit 5"


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("merged", "commit 11"),
        ("committed", "built-commit 12"),
        ("authored", "built-commit 12"),
    ],
)
def test_a_changed_page_is_never_dated_before_the_recorded_commit(
    site: Project, tmp_path: Path, kind: str, expected: str
) -> None:
    site.repository.git("checkout", "-q", "-b", "branch")
    site.repository.commit({"docs/a.md": "branch"}, day=5)
    site.repository.git("checkout", "-q", "main")
    site.repository.commit({"other": "1"}, day=10)
    cache = tmp_path / "cache"
    site.build(lastmod_date=kind, history=History(cache))
    site.repository.git("merge", "-q", "branch", day=11)
    site.repository.commit({"other": "2"}, day=12)
    site.write(a="merged")
    earlier = site.record.read_bytes()
    for history in History(), History(cache), History(cache):
        site.record.write_bytes(earlier)
        assert site.dates(lastmod_date=kind, history=history)["a"] == expected
    # Readers saw another page on day 10, even if git knows less.
    for depth in range(1, 4):
        clone = Project(Repository(tmp_path / str(depth)))
        origin = site.path.as_uri()
        site.repository.git("clone", "-q", f"--depth={depth}", origin, str(clone.path))
        clone.record.write_bytes(earlier)
        clone.write(a="merged")
        assert clone.dates(lastmod_date=kind)["a"] in (expected, "built-commit 12")


def test_the_built_commit_may_be_dated_before_the_recorded_commit(
    site: Project,
) -> None:
    site.repository.commit({"other": "1"}, day=10)
    site.build()
    site.repository.commit({"other": "2"}, day=9)
    site.write(a="changed")
    assert site.dates()["a"] == "built-commit 10"


def test_dates_after_the_built_commit_are_omitted_until_it_has_a_later_date(
    site: Project,
) -> None:
    site.repository.commit({"docs/a.md": "b"}, day=10)
    site.write(a="b", made="b")
    assert site.dates()["a"] == "commit 10"
    site.repository.commit({"docs/b.md": "b"}, day=8)
    site.write(b="b", made="changed")
    assert site.dates() == {"a": "future-date", "b": "commit 8", "made": "future-date"}
    assert site.recorded() == {"a": 10, "b": 8, "made": 10}
    site.repository.commit({"other": "1"}, day=9)
    assert site.dates() == {"a": "record 10", "b": "record 8", "made": "record 10"}


def test_the_same_commit_and_record_give_the_same_bytes(site: Project) -> None:
    site.build()
    site.repository.commit({"docs/a.md": "b"}, day=2)
    site.write(a="b", made="changed")
    earlier = site.record.read_bytes()
    site.build()
    files = (site.record, site.path / "site/sitemap.xml")
    first = [file.read_bytes() for file in files]
    site.record.write_bytes(earlier)
    site.build()
    assert [file.read_bytes() for file in files] == first
    # The record of this commit changes nothing.
    modified = site.record.stat().st_mtime_ns
    site.build()
    assert [file.read_bytes() for file in files] == first
    assert site.record.stat().st_mtime_ns == modified


def test_front_matter_and_hooks_take_precedence(site: Project) -> None:
    site.build()
    site.repository.commit({"docs/a.md": "lastmod: 2024-01-20"}, day=2)
    site.write(a="b")
    assert site.dates()["a"] == "front-matter 20"
    assert site.recorded()["a"] is None
    site.repository.commit({"docs/a.md": "b"}, day=3)
    assert site.dates()["a"] == "commit 3"


def test_pages_with_their_own_dates_are_recorded(site: Project) -> None:
    (site.path / "site/made.html").unlink()
    site.repository.commit({"docs/a.md": "lastmod: 2024-01-20"}, day=2)
    assert site.dates() == {"a": "front-matter 20"}
    assert site.recorded() == {"a": None}


def test_options_for_dates_apply(site: Project) -> None:
    site.build()
    site.write(made="changed")
    report = site.build(lastmod_format="date", lastmod_date="authored")
    # The content of a page is as new as the commit that is built, whoever wrote it
    # earlier.
    assert [entry.url.lastmod for entry in report.listed] == [
        "2024-01-01",
        "2024-01-01",
    ]
    assert site.read()["pages"]["made"]["lastmod"] == recorded(1)


def test_without_lastmod_the_record_is_not_used(site: Project) -> None:
    site.build()
    data = site.record.read_bytes()
    site.write(a="b")
    report = site.build(lastmod=False)
    assert [entry.url.lastmod for entry in report.listed] == [None, None]
    assert site.record.read_bytes() == data


def test_a_change_of_the_rules_is_not_a_change_of_the_pages(
    site: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.build()
    before = site.read()
    site.repository.commit({"docs/a.md": "b"}, day=2)
    monkeypatch.setattr("docs_sitemap.record.dates.RULES_VERSION", 99)
    site.write(a="x")
    assert site.dates() == {"a": "record 1", "made": "record 1"}
    assert site.recorded() == {"a": 1, "made": 1}
    assert site.read()["rules"] != before["rules"]


def test_the_domain_may_change_but_not_the_path(site: Project) -> None:
    site.build()
    site.repository.commit({"docs/a.md": "b"}, day=2)
    site.write(a='<a href="https://example.org/docs/made">b</a>')
    site.build()
    site.write(a='<a href="https://example.com/docs/made">b</a>')
    site.repository.commit({"docs/a.md": "c"}, day=3)
    moved = "https://example.com/docs/"
    assert site.dates(base_url=moved)["a"] == "record 2"
    data = site.record.read_bytes()
    report = site.build(base_url="https://example.com/docs/de/")
    assert report.listed[0].lastmod.status == "commit"
    (message,) = messages(report)
    assert message[0]
    assert (
        "it is for a site at /docs/, and this site is at /docs/de/. Fix: " in message[1]
    )
    assert site.record.read_bytes() == data


def branch(site: Project) -> None:
    """Build main on day 3, and check out a branch of day 2 that changes `a` on day 4."""
    site.repository.commit({"docs/b.md": "b"}, day=2)
    site.write(b="b")
    site.build()
    site.repository.git("branch", "branch")
    site.repository.commit({"docs/b.md": "c"}, day=3)
    site.write(b="c", made="made on main")
    site.build()
    site.repository.git("checkout", "-q", "branch")
    site.repository.commit({"docs/a.md": "branch"}, day=4)
    site.write(a="branch", b="b", made="made")


def test_the_record_of_another_branch_is_replaced(site: Project) -> None:
    branch(site)
    report = site.build()
    assert {entry.page.name: str(entry.lastmod.status) for entry in report.listed} == {
        "a": "commit",
        "b": "commit",
        "made": "no-source",
    }
    (message,) = messages(report)
    assert message[0]
    assert (
        "which is not in the history of this build. This build has the dates"
        in message[1]
    )
    assert "Fix: give each branch its own file." in message[1]
    assert site.recorded() == {"a": 4, "b": 2, "made": None}
    # And back again.
    site.repository.git("checkout", "-q", "main")
    site.write(a="a", b="c", made="made on main")
    assert site.dates() == {"a": "commit 1", "b": "commit 3", "made": "no-source"}
    assert site.dates() == {"a": "record 1", "b": "record 3", "made": "no-source"}


def test_an_older_build_keeps_the_record_of_a_newer_one(site: Project) -> None:
    site.build()
    site.repository.commit({"docs/a.md": "b"}, day=2)
    site.write(a="b", made="new")
    site.build()
    data = site.record.read_bytes()
    site.repository.git("checkout", "-q", "HEAD~1")
    site.write(a="a", made="made")
    report = site.build()
    assert report.listed[0].url.lastmod == noon(1)
    assert (
        "newer than this build. This build has the dates from git"
        in messages(report)[0][1]
    )
    assert site.record.read_bytes() == data


def test_a_rewritten_history_starts_again(site: Project, tmp_path: Path) -> None:
    site.build()
    changed = site.read() | {"commit": "1" * 40}
    site.record.write_text(json.dumps(changed))
    site.write(made="changed")
    report = site.build()
    assert [str(entry.lastmod.status) for entry in report.listed] == [
        "commit",
        "no-source",
    ]
    assert "which is not in the history of this build" in messages(report)[0][1]
    assert site.read()["commit"] == site.repository.git("rev-parse", "HEAD").strip()


def test_a_shallow_clone_uses_the_record(site: Project, tmp_path: Path) -> None:
    site.build()
    site.repository.commit({"docs/a.md": "b"}, day=2)
    site.repository.commit({"docs/b.md": "b"}, day=3)
    clone = Project(Repository(tmp_path / "clone"))
    site.repository.git("clone", "-q", "--depth=1", site.path.as_uri(), str(clone.path))
    shutil.copy(site.record, clone.record)
    clone.write(a="a", b="b", made="changed")
    report = clone.build(shallow="error")
    assert [
        f"{entry.lastmod.status} {day(entry.url.lastmod)}" for entry in report.listed
    ] == [
        "record 1",
        "built-commit 3",
        "built-commit 3",
    ]
    assert not report.diagnostics
    site.repository.git(
        "clone", "-q", "--depth=2", site.path.as_uri(), str(tmp_path / "second")
    )
    second = Project(Repository(tmp_path / "second"))
    shutil.copy(site.record, second.record)
    second.repository.commit({"other": "1"}, day=5)
    second.write(a="a", b="b", made="made")
    assert second.dates() == {"a": "record 1", "b": "commit 3", "made": "record 1"}
    second.write(a="changed")
    second.repository.commit({"docs/a.md": "changed"}, day=6)
    second.repository.commit({"other": "2"}, day=7)
    shutil.copy(site.record, second.record)
    assert second.dates()["a"] == "commit 6"
    # The record may be of an ancestor with the same date that the clone does not
    # contain.
    clone.record.write_text(json.dumps(site.read() | {"commit_date": recorded(3)}))
    assert clone.dates()["a"] == "record 1"
    # A record of a later commit cannot be of an ancestor.
    clone.record.write_text(json.dumps(site.read() | {"commit_date": noon(4)}))
    assert "not in the history" in messages(clone.build())[0][1]


def test_without_git_recorded_dates_stay_and_the_record_too(
    site: Project, tmp_path: Path
) -> None:
    site.build()
    data = site.record.read_bytes()
    copy = Project(Repository(tmp_path / "copy"))
    shutil.copytree(site.path, copy.path, ignore=shutil.ignore_patterns(".git"))
    copy.write(made="changed")
    report = copy.build()
    assert [day(entry.url.lastmod) for entry in report.listed] == ["1", ""]
    assert {is_notice for is_notice, _ in messages(report)} == {True}
    assert (
        "is not updated: the commit that is built is unknown" in messages(report)[0][1]
    )
    assert copy.record.read_bytes() == data


def test_without_the_built_commit_no_page_is_dated_before_the_recorded_commit(
    site: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.repository.commit({"other": "1"}, day=5)
    site.build()
    site.repository.commit({"docs/b.md": "b"}, day=6)
    site.write(a="changed", b="b")
    monkeypatch.setattr("docs_sitemap.record.dates.merge_base", fail)
    report = site.build()
    dates = {entry.page.name: entry.url.lastmod for entry in report.listed}
    assert dates == {"a": None, "b": noon(6), "made": None}
    assert [str(entry.lastmod.status) for entry in report.listed] == [
        "git-failed",
        "commit",
        "no-source",
    ]
    assert "the commit that is built is unknown (it failed)" in messages(report)[0][1]


def fail(*arguments: object, **options: object) -> str:
    raise GitError("it failed")


def test_an_exported_tree_belongs_to_the_commit_that_the_options_name(
    site: Project, tmp_path: Path
) -> None:
    site.build()
    site.repository.commit({"docs/a.md": "b"}, day=2)
    copy = Project(Repository(tmp_path / "copy"))
    shutil.copytree(site.path, copy.path, ignore=shutil.ignore_patterns(".git"))
    copy.write(a="b", made="changed")
    dates = copy.dates(repository=str(site.path), ref="main")
    assert dates == {"a": "commit 2", "made": "built-commit 2"}


def damaged(valid: dict[str, Any]) -> dict[str, bytes]:
    pages = valid["pages"]
    variants: dict[str, Any] = {
        "list": [],
        "version": valid | {"version": 99},
        "rules": valid | {"rules": "1"},
        "commit": valid | {"commit": "--help"},
        "commit date": valid | {"commit_date": "2024-13-01T00:00:00+00:00"},
        "digest": valid | {"pages": {"a": pages["a"] | {"digest": "x"}}},
        "date": valid
        | {"pages": {"a": pages["a"] | {"lastmod": "2024-02-31T00:00:00+00:00"}}},
        "time zone": valid
        | {"pages": {"a": pages["a"] | {"lastmod": "2024-02-01T00:00:00"}}},
        "pages": valid | {"pages": []},
    }
    texts = {name: json.dumps(value).encode() for name, value in variants.items()}
    texts |= {
        "empty": b"",
        "half": json.dumps(valid).encode()[:-20],
        "binary": b"\xff\0\x01",
    }
    return texts | {"deep": b"[" * 100_000}


VARIANTS = (
    *(
        "list",
        "version",
        "rules",
        "commit",
        "commit date",
        "digest",
        "date",
        "time zone",
    ),
    *("pages", "empty", "half", "binary", "deep"),
)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_damaged_record_is_one_warning_and_the_dates_from_git(
    site: Project, variant: str
) -> None:
    site.build()
    good = site.record.read_bytes()
    texts = damaged(site.read())
    assert texts.keys() == {*VARIANTS}
    site.record.write_bytes(texts[variant])
    report = site.build()
    ((is_notice, message),) = messages(report)
    assert is_notice == (variant == "version")
    assert message.startswith(f"the content record {site.record} is not used: it ")
    assert report.listed[0].url.lastmod == noon(1)
    assert site.record.read_bytes() == good
    assert not site.build().diagnostics


@needs_posix
def test_a_symbolic_link_is_replaced(site: Project, tmp_path: Path) -> None:
    site.build()
    other = tmp_path / "other.json"
    shutil.move(site.record, other)
    site.record.symlink_to(other)
    data = other.read_bytes()
    site.repository.commit({"docs/a.md": "b"}, day=2)
    site.write(a="b")
    site.build()
    assert not site.record.is_symlink()
    assert other.read_bytes() == data


@needs_posix
@pytest.mark.parametrize("option", ["lastmod_record", "report"])
def test_a_folder_that_is_a_link_out_of_the_project_is_not_written(
    site: Project, tmp_path: Path, option: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    leftover = outside / f".docs-sitemap-{'0' * 16}.tmp"
    leftover.touch()
    (site.path / "link").symlink_to(outside)
    for folder in ("link", "link/below"):
        values: dict[str, Any] = {option: str(site.path / folder / "a.json")}
        report = site.build(**values)
        assert (
            "to a place outside the project; if you want this place, name it"
            in (messages(report)[-1][1])
        )
    assert [*outside.iterdir()] == [leftover]
    # The project itself may be reached through a link, and links within it are
    # followed.
    (tmp_path / "alias").symlink_to(site.path)
    (site.path / "inside").symlink_to("docs")
    site = Project(Repository(tmp_path / "alias"))
    values = {option: str(site.path / "inside/a.json")}
    report = site.build(**values)
    assert (site.path / "docs/a.json").exists()


def test_a_folder_and_a_huge_file_are_damaged_records(site: Project) -> None:
    site.record.mkdir()
    kinds = [
        (one.code, one.severity is Severity.NOTICE) for one in site.build().diagnostics
    ]
    assert kinds == [("record", False), ("write", False)]
    site.record.rmdir()
    with site.record.open("wb") as file:
        file.truncate(2**25 + 1)
    assert "(it has more than 33,554,432 bytes)" in messages(site.build())[0][1]


def test_a_build_that_is_not_deployed_does_not_write(site: Project) -> None:
    site.build(is_complete=False)
    assert not site.record.exists()


def test_a_build_without_pages_keeps_the_record(site: Project) -> None:
    site.build()
    data = site.record.read_bytes()
    shutil.rmtree(site.path / "site")
    site.build()
    assert site.record.read_bytes() == data


def test_concurrent_builds_never_leave_half_a_record(site: Project) -> None:
    site.write(**{f"page{number}": str(number) for number in range(50)})
    site.build()
    data = site.record.read_bytes()
    with ThreadPoolExecutor(4) as pool:
        reports = [*pool.map(lambda _: site.build(), range(8))]
    assert not any(report.diagnostics for report in reports)
    assert site.record.read_bytes() == data
    assert not [
        name for name in os.listdir(site.path) if name.startswith(".docs-sitemap")
    ]


def invalid(**options: Any) -> dict[str, str]:
    with pytest.raises(OptionError) as caught:
        read_options(options)
    return dict(caught.value.errors)


def test_options_are_checked_before_the_build() -> None:
    assert "a file that ends in .json" in invalid(lastmod_record="a")["lastmod_record"]
    assert read_options({"lastmod_record": "a.json", "report": False}).report is False
    assert read_options({"lastmod_record": ""}).lastmod_record is None
    same = invalid(lastmod_record="a.json", report="a.json")
    assert "names the same file" in same["lastmod_record"]


def change_pages(site: Project, **values: str | None) -> None:
    """Change values of all pages in the record; `None` removes them."""
    record = site.read()
    for page in record["pages"].values():
        for name, value in values.items():
            page[name] = value
            if value is None:
                del page[name]
    site.record.write_text(json.dumps(record))


def digests(site: Project) -> dict[str, str]:
    return {url: page["digest"] for url, page in site.read()["pages"].items()}


def test_only_pages_with_other_bytes_are_parsed(site: Project) -> None:
    site.build()
    actual = digests(site)
    change_pages(site, digest="0" * 32)
    site.repository.commit({"other": ""}, day=2)
    head, end = "<!-- 1 --><html><head></head><body>", "</body></html>"
    assert site.dates()["a"] == "record 1"
    assert digests(site) == {"a": "0" * 32, "made": "0" * 32}
    change_pages(site, digest="0" * 32)
    site.repository.write({"site/a.html": "<main>a</main> "})
    site.build()
    assert digests(site) == {"a": actual["a"], "made": "0" * 32}
    # Heads, and comments after the body, are no content.
    site.repository.write({"site/a.html": f"{head}<main>a</main>{end}"})
    site.repository.commit({"other": "2"}, day=3)
    site.build()
    change_pages(site, digest="1" * 32)
    page = f"{head.replace('1', '2')}<main>a</main>{end}\n<!-- now -->\n"
    site.repository.write({"site/a.html": page})
    site.build()
    assert digests(site)["a"] == "1" * 32
    site.repository.write({"site/a.html": f"{page}more<!-- -->"})
    site.build()
    assert digests(site)["a"] == actual["a"]


def test_another_base_url_or_version_of_the_rules_needs_all_pages(
    site: Project,
) -> None:
    site.build()
    actual = digests(site)
    change_pages(site, digest="0" * 32)
    site.build(base_url=BASE_URL.replace("example", "other"))
    assert digests(site) == actual
    change_pages(site, digest="0" * 32)
    record = site.read()
    site.record.write_text(json.dumps(record | {"rules": record["rules"] - 1}))
    site.build()
    assert digests(site) == actual


def test_records_of_older_versions_are_used(site: Project) -> None:
    site.build()
    data = site.record.read_bytes()
    change_pages(site, body=None)
    site.repository.commit({"docs/a.md": "a reformatted"}, day=2)
    assert site.dates()["a"] == "record 1"
    assert site.read()["pages"]["a"] == json.loads(data)["pages"]["a"]
