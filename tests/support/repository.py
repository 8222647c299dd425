"""Git repositories with fixed dates."""

from __future__ import annotations

import functools
import os
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory


@dataclass(frozen=True)
class Repository:
    """A git repository. Commits are made in January 2024, at noon in UTC+2."""

    path: Path

    @classmethod
    def create(cls, path: Path) -> Repository:
        (path / ".git").mkdir(parents=True, exist_ok=True)
        for name, content in _new_repository().items():
            target = path / ".git" / name
            if content is None:
                target.mkdir(parents=True, exist_ok=True)
            else:
                target.write_bytes(content)
        return cls(path)

    def git(self, *arguments: str, day: int = 1, committed: int | None = None) -> str:
        """Run git. Its date is a day in January 2024, or a Unix timestamp."""
        timestamp = (
            f"2024-01-{day:02}T12:00:00+02:00"
            if committed is None
            else f"@{committed} +0"
        )
        dates = {
            "GIT_COMMITTER_DATE": timestamp,
            "GIT_AUTHOR_DATE": "2020-02-02T02:02:02Z",
        }
        command = ["git", "-c", "protocol.file.allow=always", *arguments]
        done = subprocess.run(
            command,
            cwd=self.path,
            env=os.environ | dates,
            check=True,
            capture_output=True,
        )
        return done.stdout.decode()

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = self.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")

    def commit(self, files: dict[str, str], *, day: int) -> None:
        self.write(files)
        self.git("add", "--all", day=day)
        self.git(
            "commit", "--quiet", "--allow-empty", "--message", f"day {day}", day=day
        )

    def commit_all(
        self, commits: Iterable[tuple[datetime, str, Mapping[str, bytes]]]
    ) -> None:
        """Make commits in one process. They do not change the work tree.

        Args:
            commits: The date, the message, and the new content of files of each commit.
        """
        stream = bytearray()
        for date, message, files in commits:
            stream += b"commit refs/heads/main\n"
            stream += b"committer A U Thor <author@example.org> "
            stream += b"%d +0000\n" % date.timestamp()
            stream += _data(message.encode())
            for name, content in files.items():
                stream += b'M 100644 inline "%s"\n' % _quote(os.fsencode(name))
                stream += _data(content)
        subprocess.run(
            ["git", "fast-import", "--quiet"],
            cwd=self.path,
            input=bytes(stream),
            check=True,
        )
        self.git("reset", "--quiet")


def _quote(name: bytes) -> bytes:
    return name.replace(b"\\", rb"\\").replace(b'"', rb"\"").replace(b"\n", rb"\n")


def _data(content: bytes) -> bytes:
    return b"data %d\n%s\n" % (len(content), content)


@functools.cache
def _new_repository() -> dict[str, bytes | None]:
    """Return the folders and files that `git init` makes. A folder has no content.

    Writing them takes less time than a process.
    """
    with TemporaryDirectory() as folder:
        command = ["git", "init", "--quiet", "--initial-branch=main"]
        subprocess.run(command, cwd=folder, check=True)
        root = Path(folder, ".git")
        return {
            str(path.relative_to(root)): path.read_bytes() if path.is_file() else None
            for path in sorted(root.rglob("*"))
        }


def noon(day: int) -> str:
    """Return the `lastmod` of files that were committed on a day of January 2024."""
    return f"2024-01-{day:02}T10:00:00+00:00"
