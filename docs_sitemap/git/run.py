"""Run git commands. No other module starts git."""

import math
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from typing import IO, NamedTuple

# Settings of the user or the repository that would change the output or start other
# programs.
_CONFIG = (
    # It saves no time here, and git fails if it is damaged.
    "core.commitGraph=false",
    "core.fsmonitor=false",
    "core.useReplaceRefs=true",
    "log.follow=false",
    "log.showRoot=true",
    "log.showSignature=false",
    "diff.relative=false",
    "gc.auto=0",
    "maintenance.auto=false",
)

# The starts of the variables of git that are kept: configuration such as
# `safe.directory`, the author of commits, and what a fetch needs: credentials, proxies,
# and allowed protocols. Others select another repository, for example in a git hook.
_KEPT_VARIABLES = (
    "GIT_CONFIG_",
    "GIT_AUTHOR_",
    "GIT_COMMITTER_",
    "GIT_ASKPASS",
    "GIT_SSH",
    "GIT_SSL_",
    "GIT_PROXY_",
    "GIT_HTTP_",
    "GIT_ALLOW_PROTOCOL",
    "GIT_PROTOCOL_FROM_USER",
)

# In bytes: of a command whose output is read piece by piece, of any other command or
# answer, and of one field.
_MAX_STREAM = 2**32
_MAX_OUTPUT = 2**28
_MAX_FIELD = 2**24


class GitError(Exception):
    """Git is missing or failed. The message is one line without a full stop.

    Attributes:
        fix: What the user can do, if that is known.
        output: The complete error output, such as that of a hook.
    """

    def __init__(self, message: str, *, fix: str = "", output: str = "") -> None:
        super().__init__(message)
        self.fix = fix
        self.output = output


class GitMissingError(GitError):
    """Git is not installed."""


class UntrustedFolderError(GitError):
    """Git does not trust the folder: another user owns it."""

    def __init__(self, folder: str) -> None:
        super().__init__(
            f"git does not trust {folder}: the folder belongs to another user",
            fix="if you trust it, run git config --global --add safe.directory "
            f"{shlex.quote(folder)}",
        )


class MissingRepositoryError(GitError):
    """The file `.git` of a submodule or a linked work tree leads to no repository, for
    example in a container.
    """


class UnknownCommitError(GitError):
    """A name is not the name of a commit."""


class Git(NamedTuple):
    """Git, run in one folder.

    Attributes:
        folder: The folder to run in.
        timeout: Seconds without output after which a command is stopped.
        network: Whether commands may connect to other machines.
        hooks: Whether commands run the hooks of the repository.
    """

    folder: str
    timeout: float = 60.0
    network: bool = False
    hooks: bool = False

    def output(
        self,
        arguments: Sequence[str],
        *,
        stdin: bytes = b"",
        accept: Sequence[int] = (0,),
        limit: int = _MAX_OUTPUT,
    ) -> bytes:
        """Run a command and return its output.

        Args:
            arguments: The options of git, the subcommand, and its arguments.
            stdin: What the command reads.
            accept: The exit statuses that are not errors.
            limit: The largest output that is accepted, in bytes.

        Raises:
            GitError: Git cannot be started, does not answer, prints too much, or fails.
        """
        return b"".join(self.blocks(arguments, stdin=stdin, accept=accept, limit=limit))

    def fields(self, arguments: Sequence[str]) -> Generator[bytes]:
        """Run a command and yield its output, split at NUL bytes, without an empty last
        field. To stop the command early, close the generator.

        The arguments and errors are the same as for `output`.
        """
        with closing(self.blocks(arguments)) as blocks:
            yield from _split_fields(blocks)

    def blocks(
        self,
        arguments: Sequence[str],
        *,
        stdin: bytes = b"",
        accept: Sequence[int] = (0,),
        limit: int = _MAX_STREAM,
    ) -> Generator[bytes]:
        """Run a command and yield its output in blocks. To stop the command early,
        close the generator.

        The arguments and errors are the same as for `output`.
        """
        with tempfile.TemporaryFile() as file:
            file.write(stdin)
            file.seek(0)
            with closing(_Process(self, arguments, file)) as process:
                yield from process.blocks(limit)
            process.check(accept)


class _Process:
    """A git process. A second thread stops it if its output pauses for too long."""

    def __init__(
        self, git: Git, arguments: Sequence[str], stdin: IO[bytes] | int
    ) -> None:
        self._git = git
        options = list(_OPTIONS)
        if not git.hooks:
            options += ["-c", f"core.hooksPath={os.devnull}"]
        command = [_program(), *options, *arguments]
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # `close` closes it.
        self._error = ""
        try:
            self._process = subprocess.Popen(
                command,
                cwd=git.folder,
                env=_environment(git),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                # Return output as soon as there is some.
                bufsize=0,
                # Programs that git starts can be stopped with it.
                start_new_session=True,
            )
        # For example, the name of a file is too long.
        except (OSError, ValueError) as error:
            self._errors.close()
            reason = "the folder does not exist"
            if os.path.isdir(git.folder):
                reason = f"git cannot be run ({error})"
            raise GitError(reason) from None
        self._deadline = math.inf
        self._is_late = False
        self._closed = threading.Event()
        self._watchdog = threading.Thread(target=self._watch, daemon=True)
        self._watchdog.start()

    def blocks(self, limit: int) -> Iterator[bytes]:
        """Yield the output in blocks, each as soon as it is available, until the
        process ends.

        Raises:
            GitError: The output has more bytes than the limit.
        """
        stream = self._process.stdout
        assert stream is not None  # noqa: S101  # Popen was called with PIPE.
        size = 0
        block = b"start"
        while block:
            self._deadline = time.monotonic() + self._git.timeout
            block = stream.read(65_536)
            if not block:
                self._process.wait()
            self._deadline = math.inf
            size += len(block)
            if size > limit:
                raise GitError(f"git printed more than {limit:,} bytes")
            yield block

    def close(self) -> None:
        """Stop the process if it is still running, and free its resources."""
        if self._closed.is_set():
            return
        if self._process.poll() is None:
            self._stop()
        self._closed.set()
        self._watchdog.join()
        with self._process, self._errors:  # Close the pipes and the file.
            self._errors.seek(0)
            self._error = self._errors.read(10_000).decode("utf-8", "backslashreplace")

    def check(self, accept: Sequence[int]) -> None:
        """Raise an error unless the closed process ended with one of the statuses.

        Raises:
            GitError: The process failed or was stopped by the watchdog.
        """
        if self._is_late:
            raise GitError(f"git did not answer within {self._git.timeout:g} seconds")
        if self._process.returncode in accept:
            return
        message = _first_error(self._error)
        if not message:
            message = f"git exited with {self._process.returncode}"
        if "dubious ownership" in message:
            folder = message.partition(" at '")[2].removesuffix("'")
            raise UntrustedFolderError(folder)
        if "unknown revision" in message or "bad revision" in message:
            raise UnknownCommitError(message, output=self._error)
        _, _, target = message.partition("not a git repository: ")
        if target:
            target = target.removeprefix(os.path.join(self._git.folder, ""))
            raise MissingRepositoryError(
                f"the file .git leads to {target}, which is not on this machine",
                fix="if you build in a container, mount that repository at the same "
                "path, too",
            )
        if "gitfile" in message:
            raise MissingRepositoryError(
                "the file .git is invalid", fix="clone the repository again"
            )
        raise GitError(message, output=self._error)

    def _watch(self) -> None:
        while not self._closed.wait(min(1.0, self._git.timeout)):
            if time.monotonic() >= self._deadline:
                self._is_late = True
                self._stop()

    def _stop(self) -> None:
        """Stop the process, and the programs that it started."""
        if not hasattr(os, "killpg"):
            self._process.kill()
            return
        with suppress(OSError):  # The process has just ended.
            # Git removes its locks and temporary files.
            os.killpg(self._process.pid, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(3)
            os.killpg(self._process.pid, signal.SIGKILL)


class InteractiveGit(_Process):
    """A git command that keeps running and answers one line of input at a time.

    `git diff-tree --stdin` and similar commands print a line that is not an object
    name, unchanged or with a text. Such a line after each question marks the end of the
    answer.

    Args:
        git: Git in a folder.
        arguments: The subcommand and its arguments.
        echo_end: What git prints after a line that is not an object name.

    Raises:
        GitError: Git cannot be started.
    """

    def __init__(
        self, git: Git, arguments: Sequence[str], echo_end: str = "\n"
    ) -> None:
        super().__init__(git, arguments, subprocess.PIPE)
        # The token is random, so that no file contains it.
        token = f"end of answer {os.urandom(32).hex()}"
        self._end_line = f"{token}\n".encode()
        self._end = f"{token}{echo_end}".encode()

    def ask(self, line: bytes) -> bytes:
        """Return the answer to one line.

        Raises:
            GitError: Git did not answer.
        """
        return b"".join(self._answer(line, _MAX_OUTPUT)).removesuffix(self._end)

    def fields(self, line: bytes, limit: int = _MAX_STREAM) -> Iterator[bytes]:
        """Yield the answer to one line, split at NUL bytes, as soon as git prints it.
        Take all fields before you ask again.

        Args:
            line: The line.
            limit: The largest answer that is accepted, in bytes.

        Raises:
            GitError: Git did not answer, or printed too much. Close the process.
        """
        for field in _split_fields(self._answer(line, limit)):
            if field != self._end:
                yield field

    def _answer(self, line: bytes, limit: int) -> Iterator[bytes]:
        """Yield the answer to one line, and its end, in blocks."""
        stream = self._process.stdin
        assert stream is not None  # noqa: S101  # Popen was called with PIPE.
        with suppress(OSError):  # Git has ended. `check` reports why.
            stream.write(line + b"\n" + self._end_line)
        last = b""
        for block in self.blocks(limit):
            yield block
            last = (last + block)[-len(self._end) :]
            if last == self._end:
                return
        self.close()
        self.check(accept=(0,))
        raise GitError("git stopped before its answer was complete")


_OPTIONS = ["--no-pager"]
for _setting in _CONFIG:
    _OPTIONS += ["-c", _setting]


def _split_fields(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield blocks split at NUL bytes, without an empty last field.

    Raises:
        GitError: A field is too long.
    """
    rest = bytearray()
    for block in blocks:
        rest += block
        if b"\0" in block:
            *fields, last = bytes(rest).split(b"\0")
            yield from fields
            rest = bytearray(last)
        if len(rest) > _MAX_FIELD:
            size = f"{_MAX_FIELD:,} bytes"
            raise GitError(f"git printed a field with more than {size}")
    if rest:
        yield bytes(rest)


def _program() -> str:
    """Return the absolute path of git. A program called `git` in the current folder,
    which may be part of an untrusted repository, is never used.
    """
    name = "git.exe" if os.name == "nt" else "git"
    for folder in os.get_exec_path():
        # `which` with several folders would search the current folder on Windows.
        program = shutil.which(os.path.join(folder, name))
        if program is not None and os.path.isabs(folder):
            return program
    fix = "install git where the site is built"
    raise GitMissingError("git is not installed", fix=fix)


def _environment(git: Git) -> dict[str, str]:
    environment = {}
    for name, value in os.environ.items():
        if not name.startswith("GIT_") or name.startswith(_KEPT_VARIABLES):
            environment[name] = value
    # Git itself sets this one for the commands that it starts.
    environment.pop("GIT_CONFIG_PARAMETERS", None)
    environment |= {
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        # `git log` would write each commit by itself, which is slow to read.
        "GIT_FLUSH": "0",
        # In a partial clone, git would fetch missing objects one by one. A fetch from
        # a shallow remote would start itself again and again.
        "GIT_NO_LAZY_FETCH": "1",
    }
    if not git.network:
        # Git before 2.44 ignores the variable above.
        environment["GIT_ALLOW_PROTOCOL"] = "none"
    return environment


def _first_error(output: str) -> str:
    lines = output.splitlines()
    fatal = [line for line in lines if line.startswith("fatal: ")]
    first = (fatal + lines + [""])[0]
    return first.removeprefix("fatal: ").strip().rstrip(".:")
