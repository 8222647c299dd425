"""Dates from real git repositories. That they are exact is held by test_walk.py."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.repository import Repository, noon

from docs_sitemap import History, Lastmod, LastmodState, Options, Page, ProblemKind
from docs_sitemap.git import Commit, Settings, Unknown, history, run
from docs_sitemap.lastmod import find_lastmods
from docs_sitemap.values import lastmod_text

GIT_VERSION = tuple(
    int(number)
    for number in subprocess.check_output(["git", "version"], text=True).split()[2].split(".")[:2]
)


def page(*sources: Path) -> Page:
    return Page(url="a/", name="a.md", sources=tuple(map(str, sources)))


def find(*sources: Path) -> Lastmod:
    ((lastmod,), problems) = find_lastmods([page(*sources)], Options(), History())
    assert problems == []
    return lastmod


def messages(*sources: Path) -> list[str]:
    _, problems = find_lastmods([page(source) for source in sources], Options(), History())
    assert {problem.kind for problem in problems} <= {ProblemKind.GIT}
    return [problem.message for problem in problems]


def text(lastmod: Lastmod) -> str:
    assert lastmod.value is not None
    return lastmod_text(lastmod.value)


def test_the_date_is_the_committer_date_of_the_newest_commit_in_utc(project: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"docs/a.md": "1", "docs/b.md": "1"}, day=1)
    repository.commit({"docs/a.md": "2"}, day=3)
    repository.commit({"README": "later"}, day=5)
    lastmod = find(project / "docs/a.md")
    assert lastmod.value == datetime(2024, 1, 3, 10, tzinfo=UTC)
    assert lastmod.state is LastmodState.COMMIT
    assert lastmod.commit == repository.git("log", "-1", "--format=%H", "--", "docs/a.md").strip()
    assert lastmod.source == str(project / "docs/a.md")
    assert text(find(project / "docs/b.md")) == noon(1)


def test_a_page_is_as_new_as_its_newest_source(project: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "1"}, day=1)
    repository.commit({"included.md": "1"}, day=4)
    lastmod = find(project / "a.md", project / "included.md")
    assert text(lastmod) == noon(4)
    assert lastmod.source == str(project / "included.md")


def test_a_source_without_a_date_leaves_the_page_without_one(project: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "1"}, day=1)
    repository.write({"new.md": "1"})
    lastmod = find(project / "a.md", project / "new.md")
    assert lastmod == Lastmod(LastmodState.UNTRACKED, source=str(project / "new.md"))
    assert find() == Lastmod(LastmodState.GENERATED)


ODD_NAMES = [
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


def test_odd_names_are_names(project: Path) -> None:
    repository = Repository.create(project)
    for day, name in enumerate(ODD_NAMES, start=1):
        repository.commit({name: "1"}, day=day)
    raw = os.fsdecode(b"\xff")
    repository.commit({raw: "1"}, day=20)
    for day, name in enumerate(ODD_NAMES, start=1):
        assert text(find(project / name)) == noon(day)
    assert text(find(project / raw)) == noon(20)


def test_what_a_merge_itself_changed_has_the_date_of_the_merge(project: Path) -> None:
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
    assert text(find(project / "both.md")) == noon(5)
    assert text(find(project / "side.md")) == noon(2)


def test_links_submodules_and_worktrees_have_the_history_they_really_lie_in(
    project: Path, tmp_path: Path
) -> None:
    other = Repository.create(tmp_path / "other")
    other.commit({"folder/page.md": "1"}, day=2)
    repository = Repository.create(project)
    repository.commit({"a.md": "1"}, day=7)
    repository.git("submodule", "--quiet", "add", str(other.path), "sub")
    (project / "link.md").symlink_to(other.path / "folder/page.md")
    (project / "linked").symlink_to(other.path / "folder")
    repository.commit({}, day=9)
    assert text(find(project / "sub/folder/page.md")) == noon(2)
    for path in ("link.md", "linked/page.md"):
        assert text(find(project / path)) == noon(9)  # that is when the page came to be
    other.commit({"folder/page.md": "2"}, day=11)
    for path in ("link.md", "linked/page.md"):
        assert text(find(project / path)) == noon(11)
    repository.git("worktree", "add", "--quiet", "-b", "tree", str(tmp_path / "tree"))
    assert text(find(tmp_path / "tree" / "a.md")) == noon(7)


def test_configuration_hooks_and_environment_change_nothing(
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
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF", "GIT_PAGER"):
        monkeypatch.setenv(name, "/nonexistent")
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'core.bare'='true'")
    monkeypatch.chdir(tmp_path)
    assert text(find(project / "docs/a.md")) == noon(1)
    assert text(find(project / "docs/b.md")) == noon(2)
    assert not ran.exists()


def test_in_a_shallow_clone_only_dates_that_are_known_are_given(
    project: Path, tmp_path: Path
) -> None:
    origin = Repository.create(tmp_path / "origin")
    origin.commit({"old.md": "1"}, day=1)
    origin.commit({"middle.md": "1"}, day=2)
    origin.commit({"new.md": "1"}, day=3)
    Repository(tmp_path).git("clone", "--quiet", "--depth=2", origin.path.as_uri(), str(project))
    pages = [page(project / name) for name in ("old.md", "middle.md", "new.md")]
    lastmods, problems = find_lastmods(pages, Options(), History())
    assert [lastmod.state for lastmod in lastmods] == ["shallow", "shallow", "commit"]
    assert text(lastmods[2]) == noon(3)
    (problem,) = problems
    assert problem.kind == ProblemKind.GIT
    assert problem.message.startswith("2 of 3 pages get no lastmod")
    assert "git fetch --unshallow" in problem.message


def test_no_repository_is_one_warning_and_none_where_other_pages_have_dates(
    project: Path, tmp_path: Path
) -> None:
    loose = tmp_path / "loose.md"
    loose.touch()
    (message,) = messages(loose, loose)
    assert "in no git repository" in message
    Repository.create(project).commit({"a.md": "1"}, day=1)
    assert messages(loose, project / "a.md") == []


def test_what_git_does_not_know_is_a_state_of_the_page() -> None:
    assert {unknown.value for unknown in Unknown} < {state.value for state in LastmodState}


def test_no_git_is_one_warning_that_names_the_cure(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Repository.create(project).commit({"a.md": "1"}, day=1)
    monkeypatch.setenv("PATH", str(tmp_path))
    (message,) = messages(project / "a.md")
    assert "git cannot be run" in message
    assert "install it" in message


def test_no_commits_is_one_warning(project: Path) -> None:
    Repository.create(project).write({"a.md": "1"})
    (message,) = messages(project / "a.md")
    assert "names no commit" in message


@pytest.mark.skipif(GIT_VERSION < (2, 36), reason="git did not look at the owner")
def test_dubious_ownership_is_one_warning_with_the_command_that_cures_it(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Repository.create(project).commit({"a.md": "1"}, day=1)
    # Git's own switch for its own tests of this; ours would not let it through.
    script = 'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {git} "$@"'
    replace_git(tmp_path, monkeypatch, script)
    (message,) = messages(project / "a.md")
    assert f"git config --global --add safe.directory {project}" in message
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "safe.directory")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(project))
    assert messages(project / "a.md") == []


def test_a_broken_repository_is_one_warning(project: Path) -> None:
    Repository.create(project).commit({"a.md": "1"}, day=1)
    shutil.rmtree(project / ".git" / "objects")
    (message,) = messages(project / "a.md")
    assert message.startswith(f"git gave no dates for {project}: ")
    assert "\n" not in message


@pytest.mark.parametrize("date", ["garbage", "99999999999999 +0000", "99999999999999999999 +0000"])
def test_a_commit_without_a_valid_date_gives_none_to_its_files_only(
    project: Path, date: str
) -> None:
    repository = Repository.create(project)
    repository.commit({"good.md": "1"}, day=1)
    repository.commit({"bad.md": "1"}, day=2)
    commit = repository.git("cat-file", "commit", "HEAD")
    committer = next(line for line in commit.splitlines() if line.startswith("committer "))
    (project / "commit").write_text(commit.replace(committer, f"committer x <x@x> {date}"))
    name = repository.git("hash-object", "-t", "commit", "-w", "--literally", "commit").strip()
    repository.git("update-ref", "HEAD", name)
    assert find(project / "bad.md").state == LastmodState.NO_VALID_DATE
    assert text(find(project / "good.md")) == noon(1)


def test_a_file_that_was_deleted_in_git_is_untracked(project: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "1"}, day=1)
    repository.git("rm", "--quiet", "--cached", "a.md")
    repository.git("commit", "--quiet", "--message", "delete", day=2)
    assert find(project / "a.md").state == LastmodState.UNTRACKED


def test_git_does_not_stop_at_an_empty_folder_called_dot_git(project: Path) -> None:
    Repository.create(project).commit({"docs/a.md": "1"}, day=1)
    (project / "docs/.git").mkdir()
    assert text(find(project / "docs/a.md")) == noon(1)


def test_a_work_tree_that_lies_elsewhere_is_one_warning(project: Path, tmp_path: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "1"}, day=1)
    repository.git("config", "core.worktree", str(tmp_path))
    (message,) = messages(project / "a.md")
    assert "for the top of its work tree" in message


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
def test_a_git_that_prints_rubbish_or_dies_is_one_warning(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    Repository.create(project).commit({"a.md": "1"}, day=1)
    replace_git(tmp_path, monkeypatch, script)
    (message,) = messages(project / "a.md")
    assert message.startswith(f"git gave no dates for {project}: ")


HANGS = "exec sleep 1000"


@pytest.mark.parametrize("command", ["rev-parse", "ls-tree", "version", "log", "diff-tree"])
@pytest.mark.parametrize("script", [HANGS, "exit 3", "kill -9 $$", "echo rubbish"])
def test_a_git_that_hangs_or_dies_at_any_stage_is_one_warning(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, script: str
) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "1"}, day=1)
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit({"a.md": "2"}, day=2)
    repository.git("checkout", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-ff", "-m", "merge", "side", day=5)
    at_that = f'case " $* " in *" {command} "*) {script};; esac; exec {{git}} "$@"'
    replace_git(tmp_path, monkeypatch, at_that)
    monkeypatch.setattr(run, "PATIENCE", 0.5)
    monkeypatch.setattr(history, "SINCE", (999,))  # newer gits need no diff-tree
    begin = time.monotonic()
    found = messages(project / "a.md")
    assert time.monotonic() - begin < 20
    if command == "version" and script == "echo rubbish":
        assert found == []  # no version that has better ways
    else:
        (message,) = found
        assert message.startswith(f"git gave no dates for {project}: ")
        if script == HANGS:
            assert "git did not answer within" in message


def test_no_git_is_left_behind(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not what git has started either."""
    Repository.create(project).commit({"a.md": "1"}, day=1)
    pids = tmp_path / "pids"
    replace_git(tmp_path, monkeypatch, f"echo $$ >> {pids}; sleep 1000 & echo $! >> {pids}; wait")
    monkeypatch.setattr(run, "PATIENCE", 0.5)
    messages(project / "a.md")
    time.sleep(0.2)
    for pid in pids.read_text().split():
        status = Path("/proc", pid, "status")
        assert not status.exists() or "zombie" in status.read_text()


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
    assert text(find(project / "a.md")) == noon(1)
    assert not ran.exists()


def replace_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a script in the place of git; `{git}` in it is the real one."""
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script.format(git=shutil.which('git'))}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


class Processes:
    """Notes which commands of git are run."""

    def __init__(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._log = tmp_path / "log"
        replace_git(tmp_path, monkeypatch, f'echo "$@" >> {self._log}; exec {{git}} "$@"')

    def take(self) -> list[str]:
        """Return the commands that were run since the last time."""
        lines = self._log.read_text().splitlines() if self._log.exists() else []
        self._log.unlink(missing_ok=True)
        commands = {"rev-parse", "ls-tree", "version", "log", "diff-tree", "last-modified"}
        return [next((word for word in line.split() if word in commands), "") for line in lines]


def test_one_walk_serves_all_files_and_is_remembered(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository.create(project)
    names = [f"{n}.md" for n in range(30)]
    repository.commit(dict.fromkeys(names, "1"), day=1)
    repository.commit({"0.md": "2"}, day=2)
    files = [str(project / name) for name in names]
    processes = Processes(tmp_path, monkeypatch)
    cache = tmp_path / "cache"

    def ask(history: History) -> list[str]:
        answer = history.newest_commits(files, Settings())
        assert not answer.errors
        return [
            lastmod_text(commit.date)
            for commit in answer.commits.values()
            if isinstance(commit, Commit)
        ]

    serving = History(cache)
    assert ask(serving) == [noon(2)] + [noon(1)] * 29
    cold = processes.take()
    assert cold[:3] == ["rev-parse", "ls-tree", "version"]
    assert cold[3:] in (["log"], ["last-modified", "log"])
    assert ask(serving) == [noon(2)] + [noon(1)] * 29
    assert processes.take() == []  # while MkDocs serves, nobody waits for git
    assert ask(History(cache)) == [noon(2)] + [noon(1)] * 29
    assert processes.take() == ["rev-parse"]
    repository.commit({"3.md": "2"}, day=4)
    processes.take()
    assert ask(History(cache)) == [noon(2), noon(1), noon(1), noon(4)] + [noon(1)] * 26
    assert processes.take() == ["rev-parse", "ls-tree", "log"]


@pytest.mark.parametrize("damage", ["empty", "cut off", "changed", "binary", "a folder"])
def test_a_damaged_cache_counts_as_empty(project: Path, tmp_path: Path, damage: str) -> None:
    Repository.create(project).commit({"a.md": "1"}, day=1)
    cache = tmp_path / "cache"
    files = [str(project / "a.md")]
    truth = History().newest_commits(files, Settings())
    assert History(cache).newest_commits(files, Settings()) == truth
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
            "binary": bytes(range(256)),
        }
        file.write_bytes(damaged[damage])
    assert History(cache).newest_commits(files, Settings()) == truth
    assert History(cache).newest_commits(files, Settings()) == truth


def test_a_cache_that_cannot_be_written_is_no_matter(project: Path, tmp_path: Path) -> None:
    Repository.create(project).commit({"a.md": "1"}, day=1)
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/none")):
        answer = History(folder).newest_commits([str(project / "a.md")], Settings())
        assert isinstance(answer.commits[str(project / "a.md")], Commit)


def test_a_history_that_was_cut_or_completed_is_read_anew(project: Path, tmp_path: Path) -> None:
    origin = Repository.create(tmp_path / "origin")
    for day in (1, 2, 3):
        origin.commit({f"{day}.md": "1"}, day=day)
    origin.git("clone", "--quiet", "--depth=1", origin.path.as_uri(), str(project))
    files = [str(project / f"{day}.md") for day in (1, 2, 3)]

    def known() -> list[bool]:
        answer = History(tmp_path / "cache").newest_commits(files, Settings())
        return [isinstance(answer.commits[file], Commit) for file in files]

    assert known() == [False, False, False]
    Repository(project).git("fetch", "--quiet", "--depth=2")
    assert known() == [False, False, True]
    Repository(project).git("fetch", "--quiet", "--unshallow")
    assert known() == [True, True, True]
    Repository(project).git("fetch", "--quiet", "--depth=1")
    assert known() == [False, False, False]
