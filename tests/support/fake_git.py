"""The version of git, and scripts that run instead of git."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from docs_sitemap.git.run import Git

GIT_VERSION = tuple(
    int(number)
    for number in subprocess.check_output(["git", "version"], text=True)
    .split()[2]
    .split(".")[:2]
)


def replace_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a script before git on the search path. In it, `{git}` is the path of git."""
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script.format(git=shutil.which('git'))}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


def stop_git_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop commands of git after half a second without output."""
    monkeypatch.setattr(Git.__new__, "__defaults__", (0.5, False, False))
