"""Run the steps of GitHub Actions workflows in the documentation."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import yaml

from support.command import run

_DOCS = Path(__file__).parents[2] / "docs"
_PROGRAMS = {
    "docs-sitemap": "docs_sitemap",
    "ghp-import": "ghp_import",
    "mkdocs": "mkdocs",
    "sphinx-build": "sphinx",
}


def yaml_blocks(guide: str) -> list[Any]:
    """Return the YAML examples of a guide."""
    text = (_DOCS / guide).read_text(encoding="utf-8")
    return [
        yaml.safe_load(block)
        for block in re.findall(r"```yaml\n(.*?)```", text, flags=re.S)
    ]


def run_steps(steps: list[dict[str, Any]], clone: Path, programs: Path) -> str:
    """Run the commands of a workflow except those that install packages, and return the
    log.

    Args:
        steps: The steps of a job.
        clone: The folder to run in.
        programs: An empty folder for scripts with the names of the programs.
    """
    programs.mkdir(exist_ok=True)
    for name, module in _PROGRAMS.items():
        script = programs / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n')
        script.chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    commands = [
        step["run"]
        for step in steps
        if "run" in step and "pip install" not in step["run"]
    ]
    return "".join(
        run(["sh", "-e", "-c", command], cwd=clone, env={"PATH": path})
        for command in commands
    )
