"""Git commands: what is logged, and how failures are reported."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from support.fake_git import replace_git
from support.platforms import needs_posix
from support.repository import Repository

from docs_sitemap.git.run import Git, GitError, InteractiveGit
from docs_sitemap.tools.files import read_regular


def test_a_folder_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="the folder does not exist"):
        Git(str(tmp_path / "none")).output(["version"])


def test_the_time_between_two_reads_does_not_count(project: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"a": "x\n" * 100_000}, day=1)
    git = Git(str(project), timeout=0.5)
    size = 0
    for block in git.blocks(["cat-file", "blob", "HEAD:a"]):
        if not size:
            time.sleep(1.5)
        size += len(block)
    assert size == 200_000


@needs_posix
def test_an_error_of_git_has_no_punctuation_at_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_git(
        tmp_path,
        monkeypatch,
        'echo "fatal: cannot read from remote repository." >&2; exit 1',
    )
    with pytest.raises(GitError, match=r"^cannot read from remote repository$"):
        Git(str(tmp_path)).output([])


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
            assert diff_tree.ask(first) == first + b"\0a.md\0"
            assert diff_tree.ask(second) == second + b"\0b.md\0"
    finally:
        diff_tree.close()


@needs_posix
def test_the_size_of_the_output_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_git(tmp_path, monkeypatch, "tr '\\0' x < /dev/zero")
    with pytest.raises(GitError, match="git printed more than 1,000 bytes"):
        Git(str(tmp_path)).output([], limit=1_000)
    with pytest.raises(
        GitError, match="git printed a field with more than 16,777,216 bytes"
    ):
        next(Git(str(tmp_path)).fields([]))
    interactive = InteractiveGit(Git(str(tmp_path)), [])
    with pytest.raises(GitError, match="git printed more than 268,435,456 bytes"):
        interactive.ask(b"line")
    interactive.close()


@needs_posix
def test_a_large_output_is_read_in_linear_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = 2**27
    large = f"head -c {size} /dev/zero | tr '\\0' x"
    replace_git(
        tmp_path,
        monkeypatch,
        f'read line && read end; {large}; printf "\\0%s\\n" "$end"',
    )
    git = Git(str(tmp_path))
    begin = time.process_time()
    assert len(git.output([])) == size + 2
    diff_tree = InteractiveGit(git, [])
    assert len(diff_tree.ask(b"line")) == size + 1
    diff_tree.close()
    assert time.process_time() - begin < 15


@needs_posix
def test_only_regular_files_of_limited_size_are_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"text")
    assert read_regular(tmp_path / "file", 2**26) == b"text"
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "device").symlink_to("/dev/zero")
    with open(tmp_path / "large", "wb") as file:
        file.truncate(2**40)
    for name in ("pipe", "device", "large", "."):
        with pytest.raises(
            OSError, match=r"regular file|it has more than 67,108,864 bytes"
        ):
            read_regular(tmp_path / name, 2**26)
