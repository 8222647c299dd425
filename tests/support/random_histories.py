"""Random histories: any parents, files, and dates, made by `git fast-import`."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

PATHS = ("docs/a.md", "docs/b.md", "docs/sub/c.md", "docs/sub/d.md", "x", "y")
AUTHORS = ("Ann", "Bob", "A Bot")
CLOCKS = (0, 0, 0, 0, 0, 0, 50, -250, 900, 200_000)

State = tuple[str, str]
"""The mode and the content of a file."""


@dataclass(frozen=True)
class PlannedCommit:
    """A commit that is not made yet; its parents are indexes into the list of commits."""

    parents: tuple[int, ...]
    files: dict[str, State]
    seconds: int
    author: str


@dataclass(frozen=True)
class RandomHistory:
    """A repository with the planned commits; `names` are their full names."""

    path: Path
    commits: tuple[PlannedCommit, ...]
    names: tuple[str, ...]

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env=os.environ,
            check=True,
            capture_output=True,
        )
        return done.stdout.decode()

    def check_out(self, commit: int) -> None:
        """Let HEAD name a commit. The files of the work tree do not matter."""
        (self.path / ".git" / "HEAD").write_text(f"{self.names[commit]}\n")

    def newest_commit(self, path: str, *options: str) -> tuple[str, int, int]:
        """Return what git itself reports as the newest commit of a file: its name, its
        committer date, and its author date.
        """
        log = ["log", "-1", "--format=%H %ct %at", *options, "--", path]
        name, committed, authored = self.git(*log).split()
        return name, int(committed), int(authored)


def _states() -> st.SearchStrategy[State]:
    return st.tuples(st.sampled_from(["100644", "100755"]), st.sampled_from("123"))


@st.composite
def histories(draw: st.DrawFn, *, most: int = 12) -> tuple[PlannedCommit, ...]:
    """Plan commits that take each file from one of their parents, or change it."""
    commits: list[PlannedCommit] = []
    for number in range(draw(st.integers(2, most))):
        earlier = st.integers(max(0, number - 5), max(0, number - 1))
        parents = draw(st.lists(earlier, unique=True, max_size=3 if number else 0))
        # Without this, most histories would fall apart into unrelated commits.
        if number and not parents and draw(st.integers(0, 3)):
            parents = [number - 1]
        files: dict[str, State] = {}
        for path in PATHS:
            choice = draw(st.integers(0, 7))
            if parents and choice < 6:
                source = commits[parents[choice % len(parents)]].files
                if path in source:
                    files[path] = source[path]
            elif choice < 7:
                files[path] = draw(_states())
        commits.append(
            PlannedCommit(
                tuple(parents),
                files,
                # Some clocks are wrong.
                1_700_000_000 + 100 * number + draw(st.sampled_from(CLOCKS)),
                draw(st.sampled_from(AUTHORS)),
            )
        )
    return tuple(commits)


@st.composite
def histories_with_moves(
    draw: st.DrawFn, paths: tuple[str, ...], contents: tuple[str, ...] = ("1", "2")
) -> tuple[PlannedCommit, ...]:
    """Plan commits that move a file to a free path, copy, remove, or change files, or
    merge branches.
    """
    files = dict.fromkeys(paths[:2], ("100644", contents[0]))
    commits = [PlannedCommit((), files, 1_700_000_000, AUTHORS[0])]
    for number in range(1, draw(st.integers(2, 9))):
        parents = [draw(st.integers(max(0, number - 3), number - 1))]
        files = dict(commits[parents[0]].files)
        free = [path for path in paths if path not in files]
        if number - 1 not in parents and draw(st.booleans()):
            parents = draw(st.permutations([*parents, number - 1]))
        if free and files and draw(st.booleans()):
            files[draw(st.sampled_from(free))] = files.pop(
                draw(st.sampled_from(sorted(files)))
            )
            files.pop(draw(st.sampled_from(paths)), None)
        if not free or draw(st.booleans()):
            # With the content of another file, it is a copy.
            files[draw(st.sampled_from(paths))] = (
                "100644",
                draw(st.sampled_from(contents)),
            )
        date = 1_700_000_000 + 100 * number
        commits.append(PlannedCommit((*parents,), files, date, AUTHORS[0]))
    return tuple(commits)


def create_history(
    path: Path, commits: tuple[PlannedCommit, ...], *init_options: str
) -> RandomHistory:
    """Make a repository whose HEAD is the last of the commits."""
    path.mkdir(parents=True)
    # Without the template, git need not copy its examples of hooks.
    init = ["git", "init", "--quiet", "--template=", *init_options]
    subprocess.run(init, cwd=path, check=True)
    stream = []
    for number, commit in enumerate(commits):
        written, date = (
            f"<x@example.org> {commit.seconds - days} +0100" for days in (7_000, 0)
        )
        stream += [f"commit refs/heads/c{number}", f"mark :{number + 1}"]
        stream += [f"author {commit.author} {written}", f"committer C {date}"]
        stream += [_data(f"commit {number} by {commit.author}")]
        for word, parent in zip(
            ["from", "merge", "merge"], commit.parents, strict=False
        ):
            stream += [f"{word} :{parent + 1}"]
        stream += ["deleteall"]
        for name, (mode, content) in commit.files.items():
            stream += [f"M {mode} inline {name}", _data(content)]
    subprocess.run(
        ["git", "fast-import", "--quiet", "--export-marks=marks"],
        cwd=path,
        input="\n".join([*stream, ""]).encode(),
        check=True,
    )
    lines = (path / "marks").read_text().splitlines()
    marks = dict(line.removeprefix(":").split() for line in lines)
    names = tuple(marks[str(number + 1)] for number in range(len(commits)))
    history = RandomHistory(path, commits, names)
    history.check_out(-1)
    return history


def _data(text: str) -> str:
    return f"data {len(text)}\n{text}"
