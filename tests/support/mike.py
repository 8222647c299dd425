"""Versions that mike deploys."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from mkdocs.__main__ import cli

from support.forked import can_fork, run_function
from support.mkdocs import MkDocsSite, forget_builds

SCRIPTS = Path(sys.executable).parent


def run_mike(site: MkDocsSite, *arguments: str) -> str:
    """Run mike as a command, and return what it logs."""
    if not can_fork({}):
        return run_new_mike(site, *arguments)
    forget_builds()
    done = run_function(_main, ["mike", *arguments], cwd=site.path, env={})
    assert done.returncode == 0, done
    return done.stdout + done.stderr


def run_new_mike(site: MkDocsSite, *arguments: str) -> str:
    """Run mike in a new process, which runs the command of MkDocs or ProperDocs."""
    path = f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"
    return site.run_process(*arguments, command=(str(SCRIPTS / "mike"),), PATH=path)


def _main() -> None:
    driver: Any = importlib.import_module("mike.driver")
    driver.mkdocs_utils.build = _build
    driver.main()


def _build(config_file: str | None, version: str, **_: Any) -> None:
    """Build in another copy of the process instead of a new one."""
    command = ["mkdocs", "build", "--clean"]
    if config_file:
        command += ["--config-file", config_file]
    env = {"MIKE_DOCS_VERSION": version}
    done = run_function(cli, command, cwd=Path.cwd(), env=env)
    print(done.stdout, done.stderr)
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, command)
