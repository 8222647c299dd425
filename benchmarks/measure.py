"""Processes that are timed, and gits that are counted."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO


class BenchError(Exception):
    """What cannot be measured, in one line."""


@dataclass(frozen=True)
class Cost:
    """What a process took.

    Attributes:
        seconds: from start to end.
        cpu: seconds of processor time, with those of the processes that it started.
        peak: the memory of the largest of these processes, in MB.
    """

    seconds: float
    cpu: float
    peak: float


def run(
    command: Sequence[str], *, cwd: Path, env: Mapping[str, str], stdin: str = ""
) -> tuple[Cost, str]:
    """Run a command; return its cost and what it prints.

    Raises:
        BenchError: it ended with an error.
    """
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as errors,
    ):
        given.write(stdin.encode("utf-8", "surrogateescape"))
        given.seek(0)
        start = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=cwd, env=env, stdin=given, stdout=out, stderr=errors
        )
        # Not process.wait(): of this one process, with its children, and of no other.
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        text, log = _text(out), _text(errors)
    if process.returncode != 0:
        lines = (log or text).splitlines() or [f"status {process.returncode}"]
        name = next(word for word in command[1:] if not word.startswith("-"))
        raise BenchError(f"{Path(name).name} failed: {lines[-1]}")
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit), text


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace").strip()


class CountedGit:
    """A `git` to be put first on PATH: it notes each start, then is git."""

    def __init__(self, folder: Path, path: str) -> None:
        self._log = folder / "starts"
        self._folder = folder / "bin"
        self._path = path
        self._folder.mkdir(parents=True)
        git = shutil.which("git", path=path)
        assert git is not None
        shim = self._folder / "git"
        log = shlex.quote(str(self._log))
        shim.write_text(f'#!/bin/sh\necho >>{log}\nexec {shlex.quote(git)} "$@"\n')
        shim.chmod(0o755)

    @property
    def path(self) -> str:
        return f"{self._folder}{os.pathsep}{self._path}"

    def take(self) -> int:
        """Return how often git was started since the last time."""
        starts = self._log.read_bytes().count(b"\n") if self._log.exists() else 0
        self._log.unlink(missing_ok=True)
        return starts
