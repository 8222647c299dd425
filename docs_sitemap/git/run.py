"""The one door to git."""

from __future__ import annotations

import math
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from secrets import token_hex
from typing import IO

# Seconds without any output after which git counts as hanging.
PATIENCE = 60.0

# What a repository's or a user's configuration could change in an answer, or run.
_CONFIG = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.useReplaceRefs=true",
    "log.follow=false",
    "log.showRoot=true",
    "log.showSignature=false",
    "diff.relative=false",
    "gc.auto=0",
    "maintenance.auto=false",
)

# What a fetch needs of the environment: how to log in, and what to trust.
_FOR_NETWORK = (
    *("GIT_ASKPASS", "GIT_SSH", "GIT_SSL_", "GIT_PROXY_", "GIT_HTTP_"),
    *("GIT_ALLOW_PROTOCOL", "GIT_PROTOCOL_FROM_USER"),
)


class GitError(Exception):
    """Git is not there, or failed; the message is one line, fit for a warning."""


def git_pieces(
    arguments: Sequence[str],
    *,
    cwd: str,
    stdin: bytes = b"",
    accept: Sequence[int] = (0,),
    network: bool = False,
    patience: float | None = None,
) -> Generator[bytes]:
    """Run git and yield its output between NUL bytes; closing the iterator early stops git.

    Args:
        arguments: options of git itself, the sub-command and what follows it.
        cwd: the folder to run in.
        stdin: what git reads.
        accept: the exit codes that are no errors.
        network: whether git may talk to other machines.
        patience: seconds without output after which git is stopped; by default, `PATIENCE`.

    Raises:
        GitError: git cannot be started, does not answer, or exits with an error.
    """
    with _temporary_file() as given:
        given.write(stdin)
        given.seek(0)
        with _running(
            arguments, cwd=cwd, stdin=given, accept=accept, network=network, patience=patience
        ) as (process, watch):
            yield from _split(_blocks(process, watch))


class Questions:
    """A git that stays, and answers one question after the other: `diff-tree --stdin` and its like
    echo a line that names no object, which marks the end of an answer.
    """

    def __init__(self, arguments: Sequence[str], *, cwd: str) -> None:
        self._end = f"end of answer {token_hex()}\n".encode()  # no file has this name
        self._running = ExitStack()
        git = _running(arguments, cwd=cwd, stdin=subprocess.PIPE, accept=(0, -signal.SIGKILL))
        self._process, self._watch = self._running.enter_context(git)

    def ask(self, question: bytes) -> list[bytes]:
        """Return the pieces of output, between NUL bytes, that answer a line.

        Raises:
            GitError: git did not answer.
        """
        stdin = self._process.stdin
        assert stdin is not None  # noqa: S101  # it was asked for
        try:
            stdin.write(question + b"\n" + self._end)
            stdin.flush()
        except OSError:
            raise GitError("git stopped before it was asked") from None
        output = b""
        for block in _blocks(self._process, self._watch):
            output += block
            if output.endswith(self._end):
                return output.removesuffix(self._end).split(b"\0")[:-1]
        self._watch.check()
        raise GitError("git stopped before its answer was complete")

    def close(self) -> None:
        self._watch.stop_process()
        with suppress(GitError):  # it has said all that was asked
            self._running.close()


@contextmanager
def _running(
    arguments: Sequence[str],
    *,
    cwd: str,
    stdin: IO[bytes] | int,
    accept: Sequence[int] = (0,),
    network: bool = False,
    patience: float | None = None,
) -> Iterator[tuple[subprocess.Popen[bytes], _Watch]]:
    command = [_program(), *(word for item in _CONFIG for word in ("-c", item))]
    command += ["--no-pager", *arguments]
    with _temporary_file() as errors:
        try:
            process = subprocess.Popen(
                command,
                cwd=cwd,
                env=_environment(network=network),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,  # take what there is: the walk may stop early
                start_new_session=True,  # so that what git has started can be stopped with it
            )
        except OSError as error:
            if not os.path.isdir(cwd):
                raise GitError("there is no such folder") from None
            message = f"git cannot be run ({error.strerror}); install it where the site is built"
            raise GitError(message) from None
        watch = _Watch(process, PATIENCE if patience is None else patience, gentle=network)
        with process:
            try:
                yield process, watch
                with watch.waiting():
                    process.wait()
            except BaseException:
                watch.stop_process()
                raise
            finally:
                watch.end()
        watch.check()
        if process.returncode not in accept:
            errors.seek(0)
            raise GitError(_first_error(errors.read(10_000), process.returncode))


class _Watch:
    """Stops a process that is waited for, and says nothing for too long."""

    def __init__(self, process: subprocess.Popen[bytes], patience: float, *, gentle: bool) -> None:
        self._patience = patience
        self._gentle = gentle
        self._expired = False
        self._process = process
        self._deadline = math.inf
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        self._deadline = time.monotonic() + self._patience
        yield
        self._deadline = math.inf

    def check(self) -> None:
        if self._expired:
            raise GitError(f"git did not answer within {self._patience:.0f} seconds")

    def stop_process(self) -> None:
        """Stop git, and what it has started; one that writes may tidy up before."""
        with suppress(OSError):  # it has ended by itself
            if not hasattr(os, "killpg"):
                self._process.kill()
                return
            if self._gentle:
                os.killpg(self._process.pid, signal.SIGTERM)
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(3)
            os.killpg(self._process.pid, signal.SIGKILL)

    def end(self) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(min(1.0, self._patience)):
            if time.monotonic() >= self._deadline:
                self._expired = True
                self.stop_process()
                return


def _blocks(process: subprocess.Popen[bytes], watch: _Watch) -> Iterator[bytes]:
    stream = process.stdout
    assert stream is not None  # noqa: S101  # it was asked for
    while True:
        with watch.waiting():
            block = stream.read(65_536)
        if not block:
            return
        yield block


def _split(blocks: Iterator[bytes]) -> Generator[bytes]:
    rest = b""
    for block in blocks:
        *pieces, rest = (rest + block).split(b"\0")
        yield from pieces
    if rest:
        yield rest


def _program() -> str:
    """The git of the search path; never the one that happens to lie in the current folder."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    path = os.pathsep.join(folder for folder in folders if os.path.isabs(folder))
    program = shutil.which("git", path=path)
    if program is None:
        raise GitError("git cannot be run (it is not there); install it where the site is built")
    return program


def _temporary_file() -> IO[bytes]:
    try:
        return tempfile.TemporaryFile()
    except OSError as error:
        raise GitError(f"there is no folder for temporary files ({error})") from None


def _environment(*, network: bool) -> dict[str, str]:
    """The environment without the variables by which a caller (a git hook, say) names another
    repository, but with those that point at the configuration: `safe.directory` may be there.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_")
        or (name.startswith("GIT_CONFIG_") and name != "GIT_CONFIG_PARAMETERS")
        or (network and name.startswith(_FOR_NETWORK))
    }
    kept |= {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    if not network:
        # In a partial clone, git would fetch what is missing, object by object. The second is for
        # versions that do not know the first (2.44).
        kept |= {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
    return kept


def _first_error(output: bytes, status: int) -> str:
    lines = output.decode("utf-8", "backslashreplace").splitlines()
    fatal = [line for line in lines if line.startswith("fatal: ")] or lines
    return fatal[0].removeprefix("fatal: ").strip() if fatal else f"git ended with status {status}"
