"""The options for dates: which commits count, which of their dates, and where they are."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest
from support.builds import as_sources, build_dates, build_site, find_lastmod
from support.repository import Repository, noon

from docs_sitemap import (
    DateStatus,
    History,
    Lastmod,
    OptionError,
    Page,
    Source,
    quote_path,
    read_options,
)

AUTHORED = "2020-02-02T02:02:02+00:00"


def find(*sources: Path, **options: object) -> tuple[Lastmod, list[str]]:
    lastmod, _, messages = find_lastmod(*sources, **options)
    return lastmod, messages


def date(*sources: Path, **options: object) -> str | None:
    _, text, messages = find_lastmod(*sources, **options)
    assert messages == []
    return text


def commit_as(
    repository: Repository, author: str, message: str, text: str, *, day: int
) -> str:
    repository.write({"a.md": text})
    repository.git(
        "commit", "--quiet", "--all", f"--author={author}", f"-m{message}", day=day
    )
    return repository.git("rev-parse", "HEAD").strip()


@pytest.fixture
def repository(project: Path) -> Repository:
    repository = Repository.create(project)
    repository.commit({"a.md": "1"}, day=1)
    return repository


def test_the_author_date_can_be_used(repository: Repository) -> None:
    assert date(repository.path / "a.md", lastmod_date="authored") == AUTHORED


def merge(repository: Repository, *days: int, merged: int) -> None:
    """Commit to a branch on some days, and merge it."""
    repository.git("checkout", "--quiet", "-b", f"side-{merged}")
    for day in days:
        repository.commit({"a.md": str(day)}, day=day)
    repository.git("checkout", "--quiet", "main")
    repository.git(
        "merge", "--quiet", "--no-ff", "-m", "merge", f"side-{merged}", day=merged
    )


def ignore(repository: Repository, expression: str) -> None:
    """Ignore the commits with a message."""
    search = ["--all", "--extended-regexp", f"--grep={expression}", "--format=%H"]
    revs = repository.git("log", *search)
    repository.commit({".git-blame-ignore-revs": revs}, day=20)


def test_a_change_has_the_date_of_its_merge(repository: Repository) -> None:
    page = repository.path / "a.md"
    merge(repository, 2, 3, merged=5)
    assert date(page) == date(page, lastmod_date="merged") == noon(5)
    assert date(page, lastmod_date="committed") == noon(3)
    found, _ = find(page)
    assert found.commit == repository.git("rev-parse", "HEAD^2").strip()
    # A fast-forward is no merge, and neither is a commit on the branch itself.
    repository.commit({"a.md": "6"}, day=6)
    assert date(page) == noon(6)


def test_branches_of_branches_arrive_with_the_outer_merge(
    repository: Repository,
) -> None:
    repository.git("checkout", "--quiet", "-b", "outer")
    repository.git("branch", "--quiet", "--force", "main", "outer")
    repository.git("checkout", "--quiet", "-b", "inner")
    repository.commit({"a.md": "2"}, day=2)
    repository.git("checkout", "--quiet", "outer")
    repository.git("merge", "--quiet", "--no-ff", "-m", "inner", "inner", day=3)
    repository.git("checkout", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-ff", "-m", "outer", "outer", day=5)
    assert date(repository.path / "a.md") == noon(5)


def test_a_merge_of_ignored_commits_is_no_change(repository: Repository) -> None:
    page = repository.path / "a.md"
    merge(repository, 2, merged=5)
    merge(repository, 7, merged=8)
    merge(repository, 9, 10, merged=12)
    assert date(page) == noon(12)
    ignore(repository, "^day (9|10)$")
    assert date(page) == noon(8)
    ignore(repository, "^day (7|9|10)$")
    assert date(page) == noon(5)
    ignore(repository, "^day [0-9]")
    assert date(page) == noon(1)
    # Ignored commits are those on the branch. A merge does not change what it merges.
    ignore(repository, "^merge$")
    assert date(page) == noon(12)


def test_old_content_that_a_merge_brings_back_is_new(repository: Repository) -> None:
    """The date is that of `git log --first-parent`, and the commit is that of `git
    log`.
    """
    page = repository.path / "a.md"
    first = repository.git("rev-parse", "HEAD").strip()
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit({"b.md": "1"}, day=2)
    repository.git("checkout", "--quiet", "main")
    repository.commit({"a.md": "wrong"}, day=3)
    repository.git("merge", "--quiet", "--no-commit", "side", day=5)
    repository.git("checkout", "--quiet", first, "--", "a.md")
    repository.commit({}, day=5)
    assert find(page)[0].commit == first
    assert date(page) == noon(5)
    repository.commit({"a.md": "reformatted"}, day=6)
    ignore(repository, "^day 6$")
    assert date(page) == noon(5)


def test_dates_that_are_cached_on_a_branch_are_not_those_of_the_merge(
    repository: Repository, tmp_path: Path
) -> None:
    page = Page(url="a", name="a", sources=as_sources(repository.path / "a.md"))

    def cached_date() -> str | None:
        (entry,) = build_dates(page, history=History(tmp_path)).listed
        return entry.url.lastmod

    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit({"a.md": "2"}, day=2)
    assert cached_date() == noon(2)
    repository.git("checkout", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-ff", "-m", "merge", "side", day=5)
    assert cached_date() == noon(5)
    repository.commit({"b.md": "1"}, day=6)
    assert cached_date() == noon(5)


def test_only_the_day_can_be_written(repository: Repository) -> None:
    sources = as_sources(repository.path / "a.md")
    pages = (
        Page(url="a", name="a", sources=sources),
        Page(
            url="b",
            name="b",
            sources=sources,
            overrides={"lastmod": "2024-05-05T23:59:59Z"},
        ),
        # YAML allows spaces here.
        Page(url="c", name="c", overrides={"lastmod": "2024-05-06 01:00:00  +02:00"}),
        Page(url="d", name="d", overrides={"lastmod": "2024-05-06 01:00:00 Z"}),
    )
    report = build_dates(*pages, lastmod_format="date")
    assert [entry.url.lastmod for entry in report.listed] == [
        "2024-01-01",
        "2024-05-05",
        "2024-05-05",
        "2024-05-06",
    ]


def test_commits_in_git_blame_ignore_revs_are_ignored_by_default(
    repository: Repository,
) -> None:
    page = repository.path / "a.md"
    ignored = commit_as(repository, "A <a@x>", "reformat", "2", day=2)
    assert date(page) == noon(2)
    content = f"# reformatted\n\n{ignored}  # by a program\r\n"
    repository.commit({".git-blame-ignore-revs": content, "etc/revs": "0" * 40}, day=3)
    assert date(page) == noon(1)
    assert date(page, ignore_revs_file=False) == noon(2)
    assert date(page, ignore_revs_file="etc/revs") == noon(2)
    assert date(page, ignore_revs_file="none/here") == noon(2)
    # Only the committed content counts.
    repository.write({".git-blame-ignore-revs": ""})
    assert date(page) == noon(1)


def test_spellings_of_git_blame_ignore_revs(repository: Repository) -> None:
    ignored = commit_as(repository, "A <a@x>", "reformat", "2", day=2)
    for day, content in enumerate((f"\ufeff{ignored}", ignored.upper()), start=3):
        repository.commit({".git-blame-ignore-revs": content}, day=day)
        assert date(repository.path / "a.md") == noon(1)


def test_a_change_of_git_blame_ignore_revs_is_seen_with_a_cache(
    repository: Repository, tmp_path: Path
) -> None:
    page = Page(url="a", name="a", sources=as_sources(repository.path / "a.md"))
    ignored = commit_as(repository, "A <a@x>", "reformat", "2", day=2)

    def lastmod() -> str | None:
        return (
            build_dates(page, history=History(tmp_path / "cache")).listed[0].url.lastmod
        )

    assert lastmod() == noon(2)
    repository.commit({".git-blame-ignore-revs": ignored}, day=3)
    assert lastmod() == noon(1)
    for day, content in ((4, ""), (5, ignored)):
        repository.commit({".git-blame-ignore-revs": content}, day=day)
        assert lastmod() == noon(1 if content else 2)
    repository.git("rm", "--quiet", ".git-blame-ignore-revs")
    repository.commit({}, day=6)
    assert lastmod() == noon(2)


def test_an_invalid_line_in_git_blame_ignore_revs_is_one_warning(
    repository: Repository,
) -> None:
    repository.commit({".git-blame-ignore-revs": "# fine\nabc1234\n"}, day=3)
    for _ in range(2):
        lastmod, (message,) = find(repository.path / "a.md")
        assert lastmod.status is DateStatus.GIT_FAILED
        assert "line 2 of .git-blame-ignore-revs" in message
        assert "ignore_revs_file" in message


def test_a_huge_git_blame_ignore_revs_is_one_warning(repository: Repository) -> None:
    repository.commit({".git-blame-ignore-revs": "x" * (2**24 + 1)}, day=3)
    lastmod, (message,) = find(repository.path / "a.md")
    assert lastmod.status is DateStatus.GIT_FAILED
    assert "16,777,216 bytes" in message
    assert date(repository.path / "a.md", ignore_revs_file=False) == noon(1)


def test_the_commit_that_added_a_file_always_counts(repository: Repository) -> None:
    commit_as(repository, "A <a@x>", "m", "2", day=2)
    commit_as(repository, "B <a@x>", "m", "3", day=3)
    ignore(repository, ".")
    assert date(repository.path / "a.md") == noon(1)


def test_a_file_that_git_ignores_has_its_own_status(repository: Repository) -> None:
    repository.commit({".gitignore": "*.log\n"}, day=2)
    repository.write({"a.log": "", "b.md": "", ":(glob)x.log": "", "x/-n.log": ""})
    for name in ("a.log", ":(glob)x.log", "x/-n.log"):
        assert find(repository.path / name)[0].status is DateStatus.IGNORED
    assert find(repository.path / "b.md")[0].status is DateStatus.UNTRACKED


def export(repository: Repository, ref: str, folder: Path, below: str = ".") -> None:
    folder.mkdir(parents=True)
    archive = folder.with_suffix(".zip")
    repository.git("archive", f"--output={archive}", ref, below)
    with zipfile.ZipFile(archive) as files:
        files.extractall(folder)


def test_an_exported_tree_has_the_dates_of_its_commit(
    repository: Repository, tmp_path: Path
) -> None:
    repository.commit({"docs/index.md": "1", "index.md": "other"}, day=2)
    repository.git("tag", "v1")
    repository.commit({"docs/index.md": "2"}, day=6)
    bare = tmp_path / "bare.git"
    repository.git("clone", "--quiet", "--bare", ".", str(bare))
    complete, part = tmp_path / "complete", tmp_path / "elsewhere" / "part"
    export(repository, "v1", complete)
    export(repository, "v1", part, "docs")
    for named in (
        repository.path,
        repository.path / "docs",
        repository.path / ".git",
        bare,
    ):
        options = {"repository": str(named), "ref": "v1"}
        assert date(complete / "docs/index.md", **options) == noon(2)
        assert date(complete / "docs/index.md", complete / "a.md", **options) == noon(2)
        assert date(part / "docs/index.md", **options) == noon(2)
        assert date(part / "docs/index.md", repository=str(named)) == noon(6)


def test_an_invalid_repository_or_ref_is_one_warning(
    repository: Repository, tmp_path: Path
) -> None:
    page = tmp_path / "copy" / "a.md"
    lastmod, (message,) = find(page, repository=str(tmp_path / "none"))
    assert lastmod.status is DateStatus.GIT_FAILED
    assert str(tmp_path / "none") in message
    lastmod, (message,) = find(page, repository=str(repository.path), ref="v9")
    assert message.startswith(f"v9 of {repository.path} is not a commit")
    lastmod, messages = find(
        tmp_path / "copy" / "z.md", repository=str(repository.path)
    )
    assert lastmod.status is DateStatus.NO_REPOSITORY
    assert f"HEAD of {repository.path} contains none" in messages[0]


def test_dependencies_of_options_and_pages_are_sources(
    repository: Repository, tmp_path: Path
) -> None:
    repository.commit({"src/pkg/a.py": "1", "src/b.py": "1"}, day=3)
    repository.commit({"data.csv": "1"}, day=4)

    def build(
        overrides: object = None, **dependencies: object
    ) -> tuple[str | None, list[str]]:
        source = str(repository.path / "a.md")
        page = Page(
            url="x/a/", name="x/a.md", sources=as_sources(source), overrides=overrides
        )
        options = read_options(
            {"base_url": "https://example.org/", "dependencies": dependencies}
        )
        report = build_site([page], options, tmp_path, root=repository.path)
        return report.listed[0].url.lastmod, [one.message for one in report.diagnostics]

    assert build() == (noon(1), [])
    assert build(**{"x/*": ["src/**/*.py"]}) == (noon(3), [])
    assert build(**{"x/a": "src/b.py", "*": ["data.csv"]}) == (noon(4), [])
    lastmod, (message,) = build(**{"y/*": ["src/**/*.py"]})
    assert lastmod == noon(1)
    assert "'y/*' of the option" in message
    assert build({"dependencies": ["data.*"]}) == (noon(4), [])
    repository.write({"src/pkg/__pycache__/a.pyc": "", "src/new.py": ""})
    assert build(**{"x/*": ["src/**"]}) == (noon(3), []), (
        "patterns skip untracked files"
    )
    assert build(**{"x/*": ["src/new.py"]}) == (None, []), "names do not"
    lastmod, (message,) = build({"dependencies": ["nothing/*"]})
    assert lastmod == noon(1)
    assert "'nothing/*' of x/a.md" in message
    lastmod, (message,) = build({"dependencies": "/etc/passwd"})
    assert "relative paths" in message


@pytest.mark.parametrize(
    ("key", "file", "days"),
    [
        ("x/{name}", "src/{name}.py", {"x/a.md": 3, "x/b [1].md": 4, "x/index.md": 1}),
        (
            "x/{name}.md",
            "src/{name}.py",
            {"x/a.md": 3, "x/b [1].md": 4, "x/index.md": 1},
        ),
        ("{name}", "src/{name}.py", {"x/a.md": 1, "x/b [1].md": 1, "x/index.md": 5}),
        ("x/a", "src/b [[]1].py", {"x/a.md": 4, "x/b [1].md": 1, "x/index.md": 1}),
        ("x/a", "src/{name}.py", None),
        ("x/*/{name}", "src/{name}.py", None),
        ("{name}/{name}", "src/{name}.py", None),
    ],
)
def test_the_name_of_the_page_can_name_its_dependency(
    repository: Repository,
    tmp_path: Path,
    key: str,
    file: str,
    days: dict[str, int] | None,
) -> None:
    repository.commit(
        {f"{name}.md": "1" for name in ("x/a", "x/b [1]", "x/index")}, day=1
    )
    for day, name in enumerate(("a", "b [1]", "x/index"), start=3):
        repository.commit({f"src/{name}.py": "1"}, day=day)
    if days is None:
        with pytest.raises(OptionError, match=r"dependencies: .*\{name\}"):
            read_options({"dependencies": {key: [file]}})
        return
    pages = [
        Page(
            url=quote_path(name), name=name, sources=as_sources(repository.path / name)
        )
        for name in days
    ]
    options = read_options(
        {"base_url": "https://example.org/", "dependencies": {key: [file]}}
    )
    report = build_site(pages, options, tmp_path, root=repository.path)
    assert report.diagnostics == ()
    dates = {entry.page.name: entry.url.lastmod for entry in report.listed}
    assert dates == {name: noon(day) for name, day in days.items()}


def test_a_named_dependency_that_no_page_has_is_one_warning(
    repository: Repository, tmp_path: Path
) -> None:
    pages = [Page(url=f"x/{n}", name=f"x/{n}", sources=()) for n in range(3)]
    dependencies = {"x/{name}": ["src/{name}.py"]}
    options = read_options(
        {"base_url": "https://example.org/", "dependencies": dependencies}
    )
    report = build_site(pages, options, tmp_path, root=repository.path)
    (one,) = report.diagnostics
    assert "'src/{name}.py' of the option" in one.message


def test_detected_files_can_be_left_out(repository: Repository, tmp_path: Path) -> None:
    repository.commit({"glossary.md": "1", "links/a.txt": "1"}, day=5)

    def build(*, overrides: object = None, **options: Any) -> str | None:
        names = ("a.md", "glossary.md", "links/a.txt")
        sources = as_sources(*(repository.path / name for name in names))
        page = Page(url="a/", name="a.md", sources=sources, overrides=overrides)
        values = read_options({"base_url": "https://example.org/", **options})
        report = build_site([page], values, tmp_path, root=repository.path)
        assert report.diagnostics == ()
        return report.listed[0].url.lastmod

    both = ["glossary.md", "links/*"]
    assert build() == noon(5)
    assert build(ignore_dependencies=["glossary.md"]) == noon(5)
    assert build(ignore_dependencies=both) == noon(1)
    assert build(overrides={"ignore-dependencies": both}) == noon(1)
    assert build(ignore_dependencies=[*both, "a.md", "nothing/*"]) == noon(1)
    assert build(ignore_dependencies=both, dependencies={"a": ["links/*"]}) == noon(5)


def test_a_detected_file_that_git_ignores_does_not_count(
    repository: Repository, tmp_path: Path
) -> None:
    repository.commit({".gitignore": "*.cache\n"}, day=2)
    repository.write({"a.cache": "1", "own.cache": "1", "new.txt": "1"})

    def build(*names: str) -> DateStatus:
        sources = as_sources(*(repository.path / name for name in names))
        return (
            build_dates(Page(url="a/", name="a", sources=sources))
            .listed[0]
            .lastmod.status
        )

    def build_optional(*names: str) -> DateStatus:
        paths = (repository.path / name for name in names)
        sources = tuple(Source(str(path), is_optional=True) for path in paths)
        report = build_dates(Page(url="a/", name="a", sources=sources))
        return report.listed[0].lastmod.status

    assert build("a.md", "a.cache") is DateStatus.COMMIT
    assert build("a.md", "removed.cache") is DateStatus.IGNORED
    assert build("a.md", "new.txt") is DateStatus.UNTRACKED
    assert build("own.cache", "a.md") is DateStatus.IGNORED
    assert build_optional("new.txt", "a.cache") is DateStatus.IGNORED
    assert build_optional("a.cache", "new.txt") is DateStatus.UNTRACKED
