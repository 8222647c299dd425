"""Random histories: any parents, files and dates, made by `git fast-import`."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

PATHS = ("docs/a.md", "docs/b.md", "docs/sub/c.md", "x")
AUTHORS = ("Ann", "Bob", "A Bot")

State = tuple[str, str]
"""The mode and the content of a file."""


@dataclass(frozen=True)
class MadeCommit:
    """A commit of a random history; parents are places in it."""

    parents: tuple[int, ...]
    files: dict[str, State]
    seconds: int
    author: str


@dataclass(frozen=True)
class MadeHistory:
    """A history; `names` are the names that git gave to its commits."""

    path: Path
    commits: tuple[MadeCommit, ...]
    names: tuple[str, ...]

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.path, env=os.environ, check=True, capture_output=True
        )
        return done.stdout.decode()

    def truth(self, path: str, commit: int, *options: str) -> str:
        """What git itself names as the newest commit of a file."""
        return self.git(
            "log", "-1", "--format=%H", *options, self.names[commit], "--", path
        ).strip()


def _states() -> st.SearchStrategy[State]:
    return st.tuples(st.sampled_from(["100644", "100755", "120000"]), st.sampled_from("123"))


@st.composite
def commits(draw: st.DrawFn, *, most: int = 12) -> tuple[MadeCommit, ...]:
    """A history of which each commit takes each file from one of its parents, or changes it."""
    made: list[MadeCommit] = []
    for number in range(draw(st.integers(2, most))):
        earlier = st.integers(max(0, number - 5), max(0, number - 1))
        parents = draw(st.lists(earlier, unique=True, max_size=3 if number else 0))
        # Mostly on: one history, not many of one commit.
        if number and not parents and draw(st.integers(0, 3)):
            parents = [number - 1]
        files: dict[str, State] = {}
        for path in PATHS:
            choice = draw(st.integers(0, 7))
            if parents and choice < 6:
                source = made[parents[choice % len(parents)]].files
                if path in source:
                    files[path] = source[path]
            elif choice < 7:
                files[path] = draw(_states())
        made.append(
            MadeCommit(
                tuple(parents),
                files,
                # Clocks are wrong, now and then.
                1_700_000_000 + 100 * number + draw(st.sampled_from([0, 0, 0, 50, -250, 900])),
                draw(st.sampled_from(AUTHORS)),
            )
        )
    return tuple(made)


def make(path: Path, commits: tuple[MadeCommit, ...], *init: str) -> MadeHistory:
    path.mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", *init], cwd=path, check=True)
    stream = []
    for number, commit in enumerate(commits):
        about = f"<x@example.org> {commit.seconds} +0100"
        stream += [f"commit refs/heads/c{number}", f"mark :{number + 1}"]
        stream += [f"author {commit.author} {about}", f"committer C {about}"]
        stream += [_data(f"commit {number} by {commit.author}")]
        for word, parent in zip(["from", "merge", "merge"], commit.parents, strict=False):
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
    history = MadeHistory(path, commits, names)
    history.git("symbolic-ref", "HEAD", f"refs/heads/c{len(commits) - 1}")
    return history


def _data(text: str) -> str:
    return f"data {len(text)}\n{text}"
