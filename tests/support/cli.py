"""The command `docs-sitemap`, run as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMAND = (sys.executable, "-m", "docs_sitemap")


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


def docs_sitemap(*arguments: str | Path, cwd: Path, **env: str) -> Done:
    """Run the command, which never ends with a traceback."""
    done = subprocess.run(
        [*COMMAND, *arguments], cwd=cwd, env=os.environ | env, capture_output=True, text=True
    )
    assert "Traceback" not in done.stderr, done.stderr
    return Done(done.returncode, done.stdout, done.stderr)
