"""Git commands: what is logged, and how failures are reported."""

from __future__ import annotations

import logging
import os
import re
from pathlib import Path

import pytest
from support.platforms import needs_posix
from support.repository import Repository

from docs_sitemap._git.git_command import Git, GitError, InteractiveGit


def log_lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "docs_sitemap.git"]


def test_every_command_is_logged_with_its_status_and_duration(
    project: Path, caplog: pytest.LogCaptureFixture
) -> None:
    Repository.create(project).commit({"a.md": "1"}, day=1)
    git = Git(str(project))
    with caplog.at_level(logging.DEBUG, logger="docs_sitemap.git"):
        git.output(["rev-parse", "HEAD"])
        git.output(["config", "no.such setting"], accept=(0, 1))
        with pytest.raises(GitError):
            git.output(["no-such-command"])
        diff_tree = InteractiveGit(git, ["diff-tree", "--stdin"])
        diff_tree.close()
    patterns = [
        r"git rev-parse HEAD: exit 0 in \d+\.\d{3} s",
        r"git config 'no.such setting': exit 1 in \d+\.\d{3} s",
        r"git no-such-command: exit 1 in \d+\.\d{3} s",
        r"git diff-tree --stdin: stopped in \d+\.\d{3} s",
    ]
    lines = log_lines(caplog)
    assert len(lines) == len(patterns)
    assert all(map(re.fullmatch, patterns, lines))


@needs_posix
def test_a_log_line_is_printable_whatever_the_arguments(
    project: Path, caplog: pytest.LogCaptureFixture
) -> None:
    Repository.create(project)
    with caplog.at_level(logging.DEBUG, logger="docs_sitemap.git"):
        Git(str(project)).output(["ls-files", "--", os.fsdecode(b"\xff"), "a\nb"])
    (line,) = log_lines(caplog)
    assert line.startswith(r"git ls-files -- '\udcff' 'a\nb': exit 0 in ")
    assert line.isprintable()


def test_a_folder_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="the folder does not exist"):
        Git(str(tmp_path / "none")).output(["version"])


def test_the_answers_to_questions_are_separate(project: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "1"}, day=1)
    first = repository.git("rev-parse", "HEAD").strip().encode()
    repository.commit({"b.md": "1"}, day=2)
    second = repository.git("rev-parse", "HEAD").strip().encode()
    arguments = ["diff-tree", "--stdin", "--root", "-r", "-z", "--name-only"]
    diff_tree = InteractiveGit(Git(str(project)), arguments)
    try:
        for _ in range(2):
            assert diff_tree.ask(first) == [first, b"a.md"]
            assert diff_tree.ask(second) == [second, b"b.md"]
    finally:
        diff_tree.close()
