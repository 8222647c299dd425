"""Git repositories with fixed dates."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Repository:
    """A git repository. Commits are made in January 2024, at noon in UTC+2."""

    path: Path

    @classmethod
    def create(cls, path: Path) -> Repository:
        path.mkdir(parents=True, exist_ok=True)
        repository = cls(path)
        repository.git("init", "--quiet", "--initial-branch=main")
        return repository

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


def noon(day: int) -> str:
    """Return the `lastmod` of files that were committed on a day of January 2024."""
    return f"2024-01-{day:02}T10:00:00+00:00"
