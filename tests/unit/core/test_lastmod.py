"""Dates from real git repositories. test_walk.py checks the dates against git itself."""

from __future__ import annotations

import os
import select
import shutil
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.builds import (
    BASE_URL,
    as_sources,
    build_dates,
    build_site,
    find_dates,
    find_lastmod,
)
from support.fake_git import GIT_VERSION, replace_git, stop_git_early
from support.platforms import needs_posix
from support.repository import Repository, noon

from docs_sitemap import (
    DateStatus,
    Diagnostic,
    Entry,
    History,
    Lastmod,
    Options,
    Page,
    Severity,
)


def find(*sources: Path) -> Lastmod:
    lastmod, _, messages = find_lastmod(*sources)
    assert messages == []
    return lastmod


def date(*sources: Path) -> str | None:
    _, text, messages = find_lastmod(*sources)
    assert messages == []
    return text


def messages(*sources: Path) -> list[str]:
    return [one.message for one in diagnostics(*sources)]


def diagnostics(*sources: Path) -> tuple[Diagnostic, ...]:
    pages = [
        Page(url=str(number), name="page", sources=as_sources(source))
        for number, source in enumerate(sources)
    ]
    report = build_dates(*pages, history=History())
    assert {one.code for one in report.diagnostics} <= {"git"}
    return report.diagnostics


def test_the_date_is_the_committer_date_of_the_newest_commit_in_utc(
    project: Path,
) -> None:
    repository = Repository.create(project)
    repository.commit({"docs/a.md": "1", "docs/b.md": "1"}, day=1)
    repository.commit({"docs/a.md": "2"}, day=3)
    repository.commit({"README": "later"}, day=5)
    lastmod = find(project / "docs/a.md")
    assert lastmod.value == datetime(2024, 1, 3, 10, tzinfo=UTC)
    assert lastmod.status is DateStatus.COMMIT
    assert (
        lastmod.commit
        == repository.git("log", "-1", "--format=%H", "--", "docs/a.md").strip()
    )
    assert lastmod.source == str(project / "docs/a.md")
    assert date(project / "docs/b.md") == noon(1)


def test_a_page_has_the_date_of_its_newest_source(project: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "1"}, day=1)
    repository.commit({"included.md": "1"}, day=4)
    assert date(project / "a.md", project / "included.md") == noon(4)
    lastmod = find(project / "a.md", project / "included.md")
    assert lastmod.source == str(project / "included.md")


def test_a_page_with_an_undated_source_has_no_date(project: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "1"}, day=1)
    repository.write({"new.md": "1"})
    lastmod = find(project / "a.md", project / "new.md")
    assert lastmod == Lastmod(DateStatus.UNTRACKED, source=str(project / "new.md"))
    assert find() == Lastmod(DateStatus.NO_SOURCE)


UNUSUAL_NAMES = [
    "-n",
    ":(glob)*",
    ":100644 100644 aaaaaaa bbbbbbb M",
    "a\nb",
    "a\tb",
    " ",
    'quo"te',
    "ünïcode",
    "*",
    "0123456789012345678901234567890123456789 1704103200",
    "\\",
]


@needs_posix
def test_unusual_file_names(project: Path) -> None:
    repository = Repository.create(project)
    for day, name in enumerate(UNUSUAL_NAMES, start=1):
        repository.commit({name: "1"}, day=day)
    raw = os.fsdecode(b"\xff")
    repository.commit({raw: "1"}, day=20)
    for day, name in enumerate(UNUSUAL_NAMES, start=1):
        assert date(project / name) == noon(day)
    assert date(project / raw) == noon(20)


def test_changes_in_the_merge_commit_itself_have_its_date(project: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"both.md": "0", "side.md": "0"}, day=1)
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit({"both.md": "side", "side.md": "side"}, day=2)
    repository.git("checkout", "--quiet", "main")
    repository.commit({"both.md": "main"}, day=3)
    with pytest.raises(Exception, match="merge"):
        repository.git("merge", "side")
    repository.write({"both.md": "merged"})
    repository.git("add", "both.md")
    repository.git("commit", "--quiet", "--message", "merge", day=5)
    assert date(project / "both.md") == noon(5)
    assert date(project / "side.md") == noon(5)


@needs_posix
def test_links_submodules_and_worktrees(project: Path, tmp_path: Path) -> None:
    other = Repository.create(tmp_path / "other")
    other.commit({"folder/page.md": "1"}, day=2)
    repository = Repository.create(project)
    repository.commit({"a.md": "1"}, day=7)
    repository.git("submodule", "--quiet", "add", str(other.path), "sub")
    (project / "link.md").symlink_to(other.path / "folder/page.md")
    (project / "linked").symlink_to(other.path / "folder")
    repository.commit({}, day=9)
    assert date(project / "sub/folder/page.md") == noon(2)
    for path in ("link.md", "linked/page.md"):
        assert date(project / path) == noon(2)
    other.commit({"folder/page.md": "2"}, day=11)
    for path in ("link.md", "linked/page.md"):
        assert date(project / path) == noon(11)
    (project / "uncommitted.md").symlink_to("a.md")
    assert date(project / "uncommitted.md") == noon(7)
    repository.git("worktree", "add", "--quiet", "-b", "tree", str(tmp_path / "tree"))
    assert date(tmp_path / "tree" / "a.md") == noon(7)


@needs_posix
def test_folders_with_line_breaks_in_their_names_are_one_warning(
    tmp_path: Path,
) -> None:
    project = tmp_path / "a\nb"
    repository = Repository.create(project)
    repository.commit({"a.md": "1"}, day=1)
    repository.commit({"b.md": "1"}, day=2)
    repository.git("worktree", "add", "--quiet", "-b", "tree", str(tmp_path / "tree"))
    (tmp_path / "separate").mkdir()
    repository.git("clone", "--quiet", "--separate-git-dir=../g\nt", ".", "../separate")
    clone = tmp_path / "clone\n"
    repository.git("clone", "--quiet", "--depth=1", project.as_uri(), str(clone))
    for folder in (project, tmp_path / "tree", tmp_path / "separate", clone):
        (message,) = messages(folder / "a.md")
        assert "git printed unexpected output" in message


IMPOSSIBLE_NAMES = ["a\0.md", "a\ud800.md", "a" * 300 + ".md", "a/" * 100_000 + "b.md"]


@needs_posix
def test_a_path_that_no_file_can_have_is_untracked(project: Path) -> None:
    Repository.create(project).commit({"a.md": "1"}, day=1)
    files = [f"{project}/{name}" for name in ("a.md", *IMPOSSIBLE_NAMES)]
    (known, *impossible), messages = find_dates(*files)
    assert known.date is not None
    assert {date.status for date in impossible} == {DateStatus.UNTRACKED}
    assert not any(date.date or date.hash for date in impossible)
    assert messages == []
    (known, *_), messages = find_dates(*files, repository=str(project))
    assert known.date is not None
    assert messages == []


@pytest.mark.parametrize(
    "text", ["\0", "a\0b", "\ud800", "a\nb", "-n", "--all", "^", "x" * 300_000]
)
@pytest.mark.parametrize("option", ["repository", "ref", "ignore_revs_file"])
@needs_posix
def test_invalid_options_are_one_warning(project: Path, option: str, text: str) -> None:
    Repository.create(project).commit({"a.md": "1"}, day=1)
    values = {"base_url": BASE_URL, "repository": str(project), option: text}
    page = Page(url="a/", name="a", sources=as_sources(project / "a.md"))
    # Options that a program creates are not parsed.
    report = build_site([page], Options(**values), project / "site")  # type: ignore[arg-type]
    assert len(report.diagnostics) <= 1
    known = report.listed[0].lastmod.value is not None
    assert known is (not report.diagnostics)


@needs_posix
def test_configuration_hooks_and_environment_do_not_change_dates(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository.create(project)
    repository.commit({"docs/a.md": "1"}, day=1)
    repository.commit({"docs/b.md": "1"}, day=2)
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    for name, value in {
        "core.fsmonitor": str(program),
        "core.pager": str(program),
        "core.quotePath": "true",
        "diff.external": str(program),
        "diff.relative": "true",
        "diff.orderFile": "/nonexistent",
        "i18n.logOutputEncoding": "UTF-16",
        "diff.renames": "copies",
        "gpg.program": str(program),
        "log.showSignature": "true",
        "log.showRoot": "false",
        "log.follow": "true",
        "log.diffMerges": "off",
        "log.mailmap": "true",
        "log.decorate": "full",
        "color.ui": "always",
        "format.pretty": "oneline",
        "format.notes": "true",
        "alias.log": f"!{program}",
    }.items():
        repository.git("config", name, value)
    for name in (
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_EXTERNAL_DIFF",
        "GIT_PAGER",
    ):
        monkeypatch.setenv(name, "/nonexistent")
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'core.bare'='true'")
    monkeypatch.chdir(tmp_path)
    assert date(project / "docs/a.md") == noon(1)
    assert date(project / "docs/b.md") == noon(2)
    assert not ran.exists()


def test_a_shallow_clone_gives_only_known_dates(project: Path, tmp_path: Path) -> None:
    origin = Repository.create(tmp_path / "origin")
    origin.commit({"1-old.md": "1"}, day=1)
    origin.commit({"2-middle.md": "1"}, day=2)
    origin.commit({"3-new.md": "1"}, day=3)
    Repository(tmp_path).git(
        "clone", "--quiet", "--depth=2", origin.path.as_uri(), str(project)
    )
    files = [project / name for name in ("1-old.md", "2-middle.md", "3-new.md")]
    pages = [
        Page(url=path.name, name=path.name, sources=as_sources(path)) for path in files
    ]
    report = build_dates(*pages)
    assert [entry.lastmod.status for entry in report.listed] == [
        "shallow",
        "shallow",
        "commit",
    ]
    assert [entry.url.lastmod for entry in report.listed] == [None, None, noon(3)]
    (one,) = report.diagnostics
    assert one.code == "git"
    assert one.severity is Severity.NOTICE
    assert one.message.startswith("2 of 3 pages")
    assert "git fetch --unshallow" in one.message


def test_no_repository_is_one_notice_unless_other_pages_have_dates(
    project: Path, tmp_path: Path
) -> None:
    loose = tmp_path / "loose.md"
    loose.touch()
    (one,) = diagnostics(loose, loose)
    assert "repository" in one.message
    assert one.severity is Severity.NOTICE
    Repository.create(project).commit({"a.md": "1"}, day=1)
    assert messages(loose, project / "a.md") == []


def test_a_missing_git_is_one_notice_with_the_fix(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Repository.create(project).commit({"a.md": "1"}, day=1)
    monkeypatch.setenv("PATH", str(tmp_path))
    (one,) = diagnostics(project / "a.md")
    assert "git is not installed" in one.message
    assert "install git" in one.message
    assert one.severity is Severity.NOTICE


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ("gitdir: /missing/.git/worktrees/a\n", "/missing/.git/worktrees/a"),
        ("gitdir: ../.git/modules/a\n", "../.git/modules/a"),
        ("gitdir: Z:/a/.git\n", "Z:/a/.git"),
        ("gitdir: \n", "invalid"),
        ("text", "invalid"),
        ("", "invalid"),
    ],
)
def test_a_git_file_that_leads_to_no_repository_is_one_notice(
    project: Path, content: str, word: str
) -> None:
    project.mkdir()
    (project / ".git").write_text(content)
    (one,) = diagnostics(project / "a.md")
    assert f" {word}" in one.message
    assert "--filter" not in one.message
    assert one.severity is Severity.NOTICE


def test_a_repository_without_commits_is_one_warning(project: Path) -> None:
    Repository.create(project).write({"a.md": "1"})
    (message,) = messages(project / "a.md")
    assert "is not a commit" in message


@pytest.mark.skipif(GIT_VERSION < (2, 36), reason="git did not check the owner")
@needs_posix
def test_dubious_ownership_is_one_notice_with_the_command_that_fixes_it(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Repository.create(project).commit({"a.md": "1"}, day=1)
    # The tests of git set this variable. `Git` would not pass it on, so the script sets
    # it.
    script = 'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {git} "$@"'
    replace_git(tmp_path, monkeypatch, script)
    (one,) = diagnostics(project / "a.md")
    assert f"git config --global --add safe.directory {project}" in one.message
    assert one.severity is Severity.NOTICE
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "safe.directory")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(project))
    assert messages(project / "a.md") == []


def test_a_broken_repository_is_one_warning(project: Path) -> None:
    Repository.create(project).commit({"a.md": "1"}, day=1)
    shutil.rmtree(project / ".git" / "objects")
    (one,) = diagnostics(project / "a.md")
    message = one.message
    assert one.severity is Severity.WARNING
    assert f" in {project}: " in message
    assert "\n" not in message


def replace_date(repository: Repository, timestamp: str) -> None:
    """Replace HEAD by the same commit with other dates."""
    commit = repository.git("cat-file", "commit", "HEAD")
    for word in ("author", "committer"):
        line = next(line for line in commit.splitlines() if line.startswith(f"{word} "))
        commit = commit.replace(line, f"{word} x <x@x> {timestamp}")
    (repository.path / "commit").write_text(commit)
    name = repository.git(
        "hash-object", "-t", "commit", "-w", "--literally", "commit"
    ).strip()
    repository.git("update-ref", "HEAD", name)


@pytest.mark.parametrize(
    ("timestamp", "expected"),
    [
        ("garbage", None),
        ("-100 +0000", None),
        ("253402300800 +0000", None),  # the year 10000
        ("99999999999999 +0000", None),
        ("99999999999999999999 +0000", None),
        ("9" * 5_000 + " +0000", None),
        ("1704189600 -9999", noon(2)),
        ("1704189600 +99999999999999", noon(2)),
    ],
    ids=lambda value: str(value)[:30],
)
def test_an_unusual_date_affects_only_the_files_of_its_commit(
    project: Path, timestamp: str, expected: str | None
) -> None:
    repository = Repository.create(project)
    repository.commit({"old.md": "1"}, day=1)
    repository.commit({"unusual.md": "1"}, day=2)
    replace_date(repository, timestamp)
    repository.commit({"new.md": "1"}, day=3)
    repository.git("commit-graph", "write", "--reachable")
    lastmod, text, diagnostics = find_lastmod(project / "unusual.md")
    assert (lastmod.status is DateStatus.INVALID_DATE) is (expected is None)
    assert (text, diagnostics) == (expected, [])
    assert date(project / "old.md") == noon(1)
    assert date(project / "new.md") == noon(3)


@pytest.mark.parametrize(
    ("timestamp", "is_future"),
    [
        ("1704362400 +0000", False),  # a day after the built commit
        ("1704362401 +0000", True),
        ("17179869184 +0000", True),  # 2**34: the year 2514
        ("253402300799 -1400", True),  # the year 9999
    ],
)
@pytest.mark.parametrize("kind", ["merged", "committed", "authored"])
def test_a_date_after_the_built_commit_is_omitted(
    project: Path, tmp_path: Path, timestamp: str, is_future: bool, kind: str
) -> None:
    """Nothing depends on the clock of the machine, or on dates that are cached."""
    repository = Repository.create(project)
    repository.commit({"old.md": "1"}, day=1)
    repository.commit({"future.md": "1"}, day=2)
    replace_date(repository, timestamp)
    page = Page(url="a", name="a", sources=as_sources(project / "future.md"))

    def read(cache: Path) -> Entry:
        report = build_dates(page, history=History(cache), lastmod_date=kind)
        assert not report.diagnostics
        return report.listed[0]

    built = datetime.fromtimestamp(int(timestamp.split()[0]), UTC).isoformat()
    # There is nothing to compare the built commit with.
    assert read(tmp_path / "cache").url.lastmod == built
    repository.commit({"other.md": "1"}, day=3)
    for cache in (tmp_path / "cache", tmp_path / "cache", tmp_path / "other"):
        entry = read(cache)
        assert entry.url.lastmod == (None if is_future else built)
        assert (entry.lastmod.status is DateStatus.FUTURE_DATE) is is_future
    later = "253402300799 +0000"
    repository.commit({"other.md": "2"}, day=4)
    replace_date(repository, later)
    assert read(tmp_path / "cache").url.lastmod == built


def test_a_commit_graph_that_git_cannot_read_has_no_effect(project: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"future.md": "1"}, day=1)
    replace_date(repository, "17179869184 +0000")
    repository.commit({"a.md": "1"}, day=2)
    repository.git("commit-graph", "write", "--reachable")
    graph = project / ".git" / "objects" / "info" / "commit-graph"
    content = graph.read_bytes()
    assert b"GDO2" in content  # the section for such dates
    graph.chmod(0o600)
    graph.write_bytes(content.replace(b"GDO2", b"none"))
    assert date(project / "a.md") == noon(2)


def test_a_file_that_git_no_longer_tracks_is_untracked(project: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "1"}, day=1)
    repository.git("rm", "--quiet", "--cached", "a.md")
    repository.git("commit", "--quiet", "--message", "delete", day=2)
    assert find(project / "a.md").status is DateStatus.UNTRACKED


def test_an_empty_folder_called_dot_git_is_not_a_repository(project: Path) -> None:
    Repository.create(project).commit({"docs/a.md": "1"}, day=1)
    (project / "docs/.git").mkdir()
    assert date(project / "docs/a.md") == noon(1)


def test_a_work_tree_in_another_folder_is_one_warning(
    project: Path, tmp_path: Path
) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "1"}, day=1)
    repository.git("config", "core.worktree", str(tmp_path))
    (message,) = messages(project / "a.md")
    assert "top level" in message


def test_an_incomplete_repository_in_a_folder_is_one_warning(project: Path) -> None:
    Repository.create(project).commit({"docs/a.md": "1"}, day=1)
    (project / "docs/.git").mkdir()
    (project / "docs/.git/HEAD").write_text("ref: refs/heads/main\n")
    (message,) = messages(project / "docs/a.md")
    assert "repair its .git" in message


@pytest.mark.parametrize(
    "script",
    [
        "echo hello",
        "exit 0",
        "head -c 3000 /dev/urandom",
        "head -c 3000 /dev/zero",
        'echo banner; exec {git} "$@"',
        '{git} "$@" | head -c 30',
        "kill -9 $$",
    ],
)
@needs_posix
def test_a_git_that_prints_invalid_output_or_fails_is_one_warning(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    Repository.create(project).commit({"a.md": "1"}, day=1)
    replace_git(tmp_path, monkeypatch, script)
    (one,) = diagnostics(project / "a.md")
    message = one.message
    assert one.severity is Severity.WARNING
    assert str(project) in message


@needs_posix
def test_the_reason_is_the_fatal_error_of_git(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Repository.create(project).commit({"a.md": "1"}, day=1)
    script = "echo warning: one >&2; echo fatal: two. >&2; exit 128"
    replace_git(tmp_path, monkeypatch, script)
    (message,) = messages(project / "a.md")
    assert f"of files in {project}: two. Fix: " in message


HANGS = "exec sleep 1000"


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("script", [HANGS, "exit 3", "kill -9 $$", "echo invalid"])
@needs_posix
def test_any_git_process_that_hangs_or_fails_is_one_warning(
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    script: str,
) -> None:
    repository = Repository.create(project)
    repository.commit({"a.txt": "1"}, day=1)
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit({"a.txt": "2"}, day=2)
    repository.git("checkout", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-ff", "-m", "merge", "side", day=5)
    log = tmp_path / "log"
    count = f"echo >> {log}; [ $(wc -l < {log}) -eq {number} ] && {{{{ {script}; }}}}"
    replace_git(tmp_path, monkeypatch, f'{count}; exec {{git}} "$@"')
    stop_git_early(monkeypatch)
    begin = time.monotonic()
    (message,) = messages(project / "a.txt")
    assert time.monotonic() - begin < 20
    assert str(project) in message
    if script == HANGS:
        assert "0.5 seconds" in message


@needs_posix
def test_git_and_the_programs_that_it_started_are_stopped(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Repository.create(project).commit({"a.md": "1"}, day=1)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    replace_git(
        tmp_path, monkeypatch, f"exec 3>{pipe}; echo started >&3; sleep 1000 & wait"
    )
    stop_git_early(monkeypatch)
    messages(project / "a.md")
    output = b""
    # The pipe ends when no process has it open any more.
    while not output.endswith(b"end"):
        ready, _, _ = select.select([reader], [], [], 20)
        assert ready, "a process is still running"
        output += os.read(reader, 100) or b"end"
    os.close(reader)
    assert output == b"started\nend"


@needs_posix
def test_a_git_in_the_repository_is_not_run(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "1"}, day=1)
    ran = tmp_path / "ran"
    (project / "git").write_text(f"#!/bin/sh\ntouch {ran}\n")
    (project / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(project)
    assert date(project / "a.md") == noon(1)
    assert not ran.exists()


class GitStarts:
    """Counts how often git is started."""

    def __init__(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._log = tmp_path / "log"
        replace_git(tmp_path, monkeypatch, f'echo >> {self._log}; exec {{git}} "$@"')

    def take(self) -> int:
        """Return the number of processes that were started since the last call."""
        lines = self._log.read_text().splitlines() if self._log.exists() else []
        self._log.unlink(missing_ok=True)
        return len(lines)


@needs_posix
def test_one_walk_finds_all_commits_and_is_not_repeated(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository.create(project)
    names = [f"{n}.md" for n in range(30)]
    repository.commit(dict.fromkeys(names, "1"), day=1)
    repository.commit({"0.md": "2"}, day=2)
    files = [project / name for name in names]
    starts = GitStarts(tmp_path, monkeypatch)
    cache = tmp_path / "cache"

    def find(history: History) -> list[str]:
        dates, messages = find_dates(*files, history=history)
        assert not messages
        return [found.date.isoformat() for found in dates if found.date is not None]

    first = History(cache)
    assert find(first) == [noon(2)] + [noon(1)] * 29
    assert starts.take() < 6  # The number does not depend on the number of files.
    assert find(first) == [noon(2)] + [noon(1)] * 29
    assert starts.take() == 0
    assert find(History(cache)) == [noon(2)] + [noon(1)] * 29
    assert starts.take() == 2  # Is the repository still the same?
    repository.commit({"3.md": "2"}, day=4)
    starts.take()
    assert find(History(cache)) == [noon(2), noon(1), noon(1), noon(4)] + [noon(1)] * 26
    assert starts.take() < 6


def test_the_option_to_fetch_does_not_change_the_cache(
    project: Path, tmp_path: Path
) -> None:
    Repository.create(project).commit({"a.md": "1"}, day=1)
    cache = tmp_path / "cache"
    for action in ("warn", "fetch"):
        find_dates(project / "a.md", history=History(cache), shallow=action)
    assert len(list(cache.glob("*.json"))) == 1


DAMAGES = [
    "empty",
    "cut off",
    "changed",
    "no name",
    "no path",
    "no date",
    "binary",
    "a folder",
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_cache_counts_as_empty(
    project: Path, tmp_path: Path, damage: str
) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "1"}, day=1)
    name = repository.git("rev-parse", "HEAD").strip().encode()
    cache = tmp_path / "cache"
    page = project / "a.md"
    expected = find_dates(page)
    assert find_dates(page, history=History(cache)) == expected
    (file,) = cache.iterdir()
    content = file.read_bytes()
    if damage == "a folder":
        file.unlink()
        file.mkdir()
    else:
        damaged = {
            "empty": b"",
            "cut off": content[:-20],
            "changed": content.replace(b"a.md", b"b.md"),
            "no name": content.replace(name, b"--all"),
            "no path": content.replace(b"a.md", rb"\u0000"),
            "no date": content.replace(b"2024-01-01T10:00:00Z", b"today"),
            "binary": bytes(range(256)),
        }
        assert damaged[damage] != content
        file.write_bytes(damaged[damage])
    assert find_dates(page, history=History(cache)) == expected
    assert find_dates(page, history=History(cache)) == expected


@needs_posix
def test_a_file_name_that_is_not_utf_8_can_be_cached(
    project: Path, tmp_path: Path
) -> None:
    name = os.fsdecode(b"\xff.md")
    Repository.create(project).commit({name: "1"}, day=1)
    expected = find_dates(project / name)
    assert expected[0][0].date is not None
    for _ in range(2):
        history = History(tmp_path / "cache")
        assert find_dates(project / name, history=history) == expected
    assert [*(tmp_path / "cache").iterdir()]


@needs_posix
def test_a_cache_that_cannot_be_written_changes_no_result(
    project: Path, tmp_path: Path
) -> None:
    Repository.create(project).commit({"a.md": "1"}, day=1)
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/none")):
        (found,), _ = find_dates(project / "a.md", history=History(folder))
        assert found.date is not None


def test_a_history_that_was_shortened_or_completed_is_read_again(
    project: Path, tmp_path: Path
) -> None:
    origin = Repository.create(tmp_path / "origin")
    for day in (1, 2, 3):
        origin.commit({f"{day}.md": "1"}, day=day)
    origin.git("clone", "--quiet", "--depth=1", origin.path.as_uri(), str(project))
    files = [project / f"{day}.md" for day in (1, 2, 3)]

    def known() -> list[bool]:
        dates, _ = find_dates(*files, history=History(tmp_path / "cache"))
        return [found.date is not None for found in dates]

    assert known() == [False, False, False]
    Repository(project).git("fetch", "--quiet", "--depth=2")
    assert known() == [False, False, True]
    Repository(project).git("fetch", "--quiet", "--unshallow")
    assert known() == [True, True, True]
    Repository(project).git("fetch", "--quiet", "--depth=1")
    assert known() == [False, False, False]


DAMAGED_TREES = {
    "no hash": b"100644 a.md\0short",
    "no name": b"100644",
    "no mode": b"a.md\0" + bytes(20),
    "an invalid mode": b"9 a.md\0" + bytes(20),
    "another mode": b"777 a.md\0" + bytes(20),
    "a missing file": b"100644 a.md\0" + bytes(20),
    "a missing folder": b"40000 docs\0" + bytes(20),
    "empty": b"",
}


@pytest.mark.parametrize("damage", DAMAGED_TREES)
@pytest.mark.parametrize("is_newest", [True, False])
def test_a_damaged_folder_of_a_commit_is_at_most_one_warning(
    project: Path, damage: str, is_newest: bool
) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "1", "docs/b.md": "1"}, day=1)
    (project / "tree").write_bytes(DAMAGED_TREES[damage])
    tree = repository.git(
        "hash-object", "-t", "tree", "-w", "--literally", "tree"
    ).strip()
    damaged = repository.git("commit-tree", "-m", "damaged", "-p", "HEAD", tree).strip()
    newest = damaged
    if not is_newest:
        newest = repository.git(
            "commit-tree", "-m", "after", "-p", damaged, "HEAD^{tree}"
        ).strip()
    repository.git("update-ref", "HEAD", newest)
    for message in messages(project / "a.md", project / "docs/b.md"):
        assert str(project) in message
