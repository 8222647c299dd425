"""The command `docs-sitemap`, run as a process or, which is faster, in this process."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from docs_sitemap_cli.root import run_command
from support.forked import can_fork, run_module
from support.json_schemas import check_schema

# Before click 8.2, `CliRunner` joins the two streams unless this option is set.
_SEPARATE_STREAMS: dict[str, Any] = {}
if "mix_stderr" in signature(CliRunner).parameters:
    _SEPARATE_STREAMS["mix_stderr"] = False

COMMAND = (sys.executable, "-m", "docs_sitemap_cli")


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    command: str
    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Return the document that the command printed, which its schema describes."""
        document = json.loads(self.out)
        if "$schema" not in document:  # such as SARIF
            check_schema(self.command, document)
        return document


def docs_sitemap(*arguments: str | Path, cwd: Path, **env: str) -> Done:
    """Run the command in a process of its own, which never ends with a traceback."""
    if can_fork(env):
        words = [*map(str, arguments)]
        done = run_module("docs_sitemap_cli", words, cwd=cwd, env=env)
    else:
        done = subprocess.run(
            [*COMMAND, *arguments],
            cwd=cwd,
            env=os.environ | env,
            capture_output=True,
            encoding="utf-8",
        )
    assert "Traceback" not in done.stderr, done.stderr
    return Done(str(arguments[0]), done.returncode, done.stdout, done.stderr)


def invoke(*arguments: str | Path, cwd: Path | str = ".", **env: str) -> Done:
    """Run the command in this process."""
    line = [*map(str, arguments)]
    runner = CliRunner(**_SEPARATE_STREAMS)
    with contextlib.chdir(cwd), runner.isolation(env=env) as (out, err, *_):
        code = run_command(line)
        texts = []
        for stream in (out, err):
            assert stream is not None
            texts.append(stream.getvalue().decode().replace("\r\n", "\n"))
    assert "Traceback" not in texts[1], texts[1]
    return Done(line[0] if line else "", code, texts[0], texts[1])
