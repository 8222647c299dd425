"""Commands, run as a user runs them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    succeeds: bool = True,
) -> str:
    """Run a command that ends as expected and without a traceback, and return what it
    prints.
    """
    done = subprocess.run(
        command,
        cwd=cwd,
        env=os.environ | (env or {}),
        capture_output=True,
        encoding="utf-8",
    )
    log = done.stdout + done.stderr
    assert "Traceback (most recent call last)" not in log, log
    assert (done.returncode == 0) is succeeds, log
    return log
