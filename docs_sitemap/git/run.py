"""The one door to git."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Generator, Sequence
from typing import IO

# What a repository's or a user's configuration could change in an answer, or run.
_CONFIG = (
    "core.fsmonitor=false",
    "log.follow=false",
    "log.showRoot=true",
    "log.showSignature=false",
    "diff.relative=false",
)


class GitError(Exception):
    """Git is not there, or failed; the message is one line, fit for a warning."""


def git_pieces(arguments: Sequence[str], *, cwd: str) -> Generator[bytes]:
    """Run git and yield its output between NUL bytes; closing the iterator early stops git.

    Args:
        arguments: the sub-command and what follows it.
        cwd: the folder to run in.

    Raises:
        GitError: git cannot be started, or exits with an error.
    """
    command = ["git", *(word for item in _CONFIG for word in ("-c", item))]
    command += ["--no-pager", "--literal-pathspecs", *arguments]
    with _temporary_file() as errors:
        try:
            process = subprocess.Popen(
                command,
                cwd=cwd,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,  # take what there is: the walk may stop early
            )
        except OSError as error:
            message = f"git cannot be run ({error.strerror}); install it where the site is built"
            raise GitError(message) from None
        with process:
            try:
                yield from _split(process.stdout)
            except GeneratorExit:
                process.kill()
                raise
        status = process.returncode
        if status != 0:
            errors.seek(0)
            raise GitError(_first_error(errors.read(10_000), status))


def _temporary_file() -> IO[bytes]:
    try:
        return tempfile.TemporaryFile()
    except OSError as error:
        raise GitError(f"there is no folder for temporary files ({error})") from None


def _split(stream: IO[bytes] | None) -> Generator[bytes]:
    rest = b""
    while stream is not None and (block := stream.read(65_536)):
        *pieces, rest = (rest + block).split(b"\0")
        yield from pieces
    if rest:
        yield rest


def _environment() -> dict[str, str]:
    """The environment without the variables by which a caller (a git hook, say) names another
    repository, but with those that point at the configuration: `safe.directory` may be there.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_")
        or (name.startswith("GIT_CONFIG_") and name != "GIT_CONFIG_PARAMETERS")
    }
    return kept | {
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
    }


def _first_error(output: bytes, status: int) -> str:
    lines = output.decode("utf-8", "backslashreplace").splitlines()
    fatal = [line for line in lines if line.startswith("fatal: ")] or lines
    return fatal[0].removeprefix("fatal: ").strip() if fatal else f"git ended with status {status}"
