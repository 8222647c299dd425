"""Commands, run as a user runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from support.forked import can_fork, run_module

# ProperDocs replaces modules of MkDocs, for example, so it needs a new process.
_FORKED = {
    "docs_sitemap_cli",
    "mkdocs",
    "sphinx",
    "sphinx_multiversion",
    "sphinx_polyversion",
}


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    succeeds: bool = True,
) -> str:
    """Run a command that ends as expected and without a traceback, and return what it
    prints.

    Most modules run in a copy of this process unless a variable needs a new one.
    """
    env = env or {}
    words = [*map(str, command)]
    is_module = words[:2] == [sys.executable, "-m"]
    if is_module and words[2] in _FORKED and can_fork(env):
        done = run_module(words[2], words[3:], cwd=cwd, env=env)
    else:
        done = subprocess.run(
            words,
            cwd=cwd,
            env={**os.environ, **env},
            capture_output=True,
            encoding="utf-8",
        )
    log = done.stdout + done.stderr
    assert "Traceback (most recent call last)" not in log, log
    assert (done.returncode == 0) is succeeds, log
    return log
