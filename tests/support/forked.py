"""Commands in copies of this process, which has already imported most of their modules.

A new Python process imports MkDocs, Sphinx, or the command for longer than it builds a
small site.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryFile
from typing import BinaryIO

# Only new processes read these variables.
_READ_AT_START = ("PYTHON", "LC_", "LANG")


def can_fork(env: Mapping[str, str]) -> bool:
    """Tell whether a copy of this process behaves like a new one with more variables."""
    return hasattr(os, "fork") and not any(
        name.startswith(_READ_AT_START) for name in env
    )


def run_module(
    module: str, arguments: Sequence[str], *, cwd: Path, env: Mapping[str, str]
) -> CompletedProcess[str]:
    """Run a module as `python -m` does, with more variables in its environment."""

    def main() -> None:
        sys.path.insert(0, str(cwd))
        runpy.run_module(module, run_name="__main__", alter_sys=True)

    return run_function(main, [module, *arguments], cwd=cwd, env=env)


def run_function(
    function: Callable[[], object],
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
) -> CompletedProcess[str]:
    """Run a function in a copy of this process, with a command line and its own output.

    Only a pipe or a terminal would show what the function prints at once.
    """
    with TemporaryFile() as out, TemporaryFile() as err:
        with warnings.catch_warnings():
            # The threads of pytest-xdist hold no locks that the function needs.
            warnings.simplefilter("ignore", DeprecationWarning)
            process = os.fork()
        if process == 0:
            _run_and_exit(function, argv, cwd, env, out, err)
        _, status = os.waitpid(process, 0)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode())
    code = os.waitstatus_to_exitcode(status)
    return CompletedProcess([*argv], code, texts[0], texts[1])


def _run_and_exit(
    function: Callable[[], object],
    argv: Sequence[str],
    cwd: Path,
    env: Mapping[str, str],
    out: BinaryIO,
    err: BinaryIO,
) -> None:
    code = 1
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
        sys.argv = [*argv]
        os.chdir(cwd)
        os.environ.update(env)
        time.tzset()
        # What Python itself shows by default.
        warnings.resetwarnings()
        for category in (DeprecationWarning, ImportWarning, ResourceWarning):
            warnings.simplefilter("ignore", category)
        warnings.filterwarnings("ignore", module="runpy")
        function()
        code = 0
    except SystemExit as error:
        if isinstance(error.code, str):
            print(error.code, file=sys.stderr)
        else:
            code = error.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        # sphinx-sitemap starts a server, which would outlive this process.
        for child in multiprocessing.active_children():
            child.terminate()
        # Nothing that pytest does at the end of its process.
        os._exit(code)
