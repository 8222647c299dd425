"""HTML reports of the installed coverage.py."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support.command import run


def write_coverage_report(folder: Path) -> None:
    """Measure a program in a folder, and write the report into its subfolder `htmlcov`."""
    pytest.importorskip("coverage")
    (folder / "program.py").write_text("def f():\n    return 1\n")
    for arguments in (["run", "program.py"], ["html"]):
        run([sys.executable, "-m", "coverage", *arguments], cwd=folder)
