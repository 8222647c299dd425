"""Read a branch without checking it out, and commit files to it."""

from __future__ import annotations

import io
import os
import re
import tempfile
from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from docs_sitemap.git.repository import find_commit, merge_base, parse_object_name
from docs_sitemap.git.run import Git, GitError, InteractiveGit

FOLDER_MODE = 0o040000
LINK_MODE = 0o120000
_FILE_MODE = 0o100644
_SUBMODULE_MODE = 0o160000

# Larger files are not read with the process that stays open, which needs a multiple of their size.
_MAX_KEPT = 2**20
# No file that is read from a branch may be larger.
_MAX_FILE = 2**26

_PUSH_TIMEOUT = 600.0

# The mode and the name of an entry, before the hash.
_TREE_ENTRY = re.compile(rb"([0-7]{1,6}) ([^\0]+)\0")
_DAMAGED = "check the repository with git fsck, or clone it again"

# What a revision may contain, but not the name of a branch: see git-check-ref-format(1).
_REVISION = re.compile(r"[\x00-\x20~^:?*\[\\\x7f]|\.\.|@\{|^-")
# What git reports if the remote does not accept a push.
_REJECTED = "error: failed to push some refs"
_LOCK = re.compile(r"Unable to create '(.+\.lock)': File exists")
_NO_AUTHOR = re.compile(r"identity|ident name|auto-detect|(?:name|email) was given|tell me who")


class BranchChangedError(GitError):
    """The branch has changed since it was read. Nothing was committed."""


class PushRejectedError(GitError):
    """The remote has commits that the branch does not have."""


class TreeEntry(NamedTuple):
    """An entry of a folder in a commit: its mode, and the name of its object."""

    mode: int
    object_name: str


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch, or another commit, of a repository.

    Attributes:
        git: Git in a folder of the repository.
        name: The name that the user wrote.
        tip: The full name of the commit to read.
        ref: The full name of the local branch; `None` if the commit is not the tip of a branch.
        old: The full name of the commit that the local branch names; `None` if it does not exist.
        remote: The remote whose branch was compared with the local one.
        is_diverged: Whether the local branch and the branch of the remote both have commits that
            the other one does not have.
    """

    git: Git
    name: str
    tip: str
    ref: str | None = None
    old: str | None = None
    remote: str = "origin"
    is_diverged: bool = False

    @classmethod
    def find(cls, folder: str, name: str, remote: str = "origin") -> Branch:
        """Find a branch. If the remote has newer commits than the local branch, or only the remote
        has the branch, the tip is the one of the remote, as far as it was fetched.

        Args:
            folder: A folder of the repository.
            name: The name of a branch, or anything else that names a commit.
            remote: The name of the remote.

        Raises:
            GitError: There is no such commit, no repository, or no git.
        """
        git = Git(folder)
        ref = f"refs/heads/{name}"
        local = tracked = None
        if name and not _REVISION.search(name):
            local = find_commit(git, ref)
            tracked = find_commit(git, f"refs/remotes/{remote}/{name}")
        if local is None and tracked is None:
            tip = None if name.startswith("-") else find_commit(git, name)
            if tip is None:
                is_name = name and not _REVISION.search(name)
                fix = fetch_command(remote, name) if is_name else ""
                raise GitError("there is no folder or branch of this name", fix=fix)
            return cls(git, name, tip)
        if local is None or tracked is None:
            return cls(git, name, local or tracked or "", ref, local, remote)
        if _is_ancestor(git, tracked, local):
            return cls(git, name, local, ref, local, remote)
        is_behind = _is_ancestor(git, local, tracked)
        tip = tracked if is_behind else local
        return cls(git, name, tip, ref, local, remote, is_diverged=not is_behind)

    def check_writable(self) -> None:
        """Raise an error unless commits to the branch lose nothing, and are seen everywhere.

        Raises:
            GitError: It is not a branch, stands for another branch, is checked out, or the remote
                has different commits.
        """
        if self.ref is None:
            raise GitError(f"{self.name!r} is not a branch", fix="name a branch, or omit --commit")
        if self.is_diverged:
            fix = f"git branch --force {self.name} {self.remote}/{self.name}, if you do not need "
            raise GitError(
                f"{self.name} and {self.remote}/{self.name} have different commits",
                fix=f"{fix}the commits that are not pushed",
            )
        line = self.git.output(["for-each-ref", "--format=%(symref)%00%(worktreepath)", self.ref])
        target, _, work_tree = os.fsdecode(line.removesuffix(b"\n")).partition("\0")
        if target:
            other = target.removeprefix("refs/heads/")
            raise GitError(f"{self.name} is a symbolic ref to {other}", fix=f"name {other} instead")
        if work_tree:
            raise GitError(
                f"{self.name} is checked out in {work_tree}",
                fix="name that folder instead of the branch, or check out another branch there",
            )

    def commit(self, folder: str, files: Mapping[str, Path | None], message: str) -> str | None:
        """Commit files to the branch, with the author of the git configuration.

        Args:
            folder: The folder of the files in the branch; empty for its top level.
            files: For each name, the file with its new content; `None` to remove it.
            message: The message of the commit.

        Returns:
            The name of the new commit; `None` if nothing changes.

        Raises:
            BranchChangedError: Another process has changed the branch.
            GitError: Git failed, or one of the names is a folder. Nothing was committed.
        """
        with closing(BranchReader(self)) as reader:
            tree = self._write_tree(reader, reader.root, folder, files)
            if tree == reader.root:
                return None
        arguments = ["commit-tree", tree, "-p", self.tip, "-F", "-"]
        try:
            commit = parse_object_name(self.git.output(arguments, stdin=os.fsencode(message)))
        except GitError as error:
            if _NO_AUTHOR.search(str(error)):
                fix = "set user.name and user.email with git config"
                raise GitError("git does not know the author of the commit", fix=fix) from None
            raise
        self._move(commit, self.old)
        return commit

    def undo(self, commit: str) -> None:
        """Move the branch back to where it was before a commit."""
        self._move(self.old, commit)

    def push(self) -> None:
        """Push the branch to the remote, unless the remote has other commits. Tags are not pushed.

        Raises:
            PushRejectedError: The remote has other commits.
            GitError: The branch could not be pushed. If a hook of the remote rejects it, this is
                the message of the hook.
        """
        git = Git(self.git.folder, timeout=_PUSH_TIMEOUT, network=True)
        # With --porcelain, the errors do not start with the address of the remote.
        push = ["push", "--quiet", "--porcelain", "--no-follow-tags"]
        refs = ["--", self.remote, f"{self.ref}:{self.ref}"]
        try:
            git.output([*push, *refs])
        except GitError as error:
            message = str(error)
            if message.startswith(_REJECTED):
                # Only the remote knows whether it has other commits, or a hook has no message.
                if b"[rejected]" in git.output([*push, "--dry-run", *refs], accept=(0, 1)):
                    raise PushRejectedError(f"{self.remote} has other commits") from None
                message = f"{self.remote} rejected it without a message"
            raise GitError(message.removeprefix("remote: ").strip(), fix=error.fix) from None

    def _move(self, new: str | None, old: str | None) -> None:
        """Let the branch name another commit if it still names the old one."""
        zeros = "0" * len(self.tip)
        arguments = ["update-ref", "-m", "docs-sitemap index", str(self.ref)]
        try:
            self.git.output([*arguments, new or zeros, old or zeros])
        except GitError as error:
            if find_commit(self.git, str(self.ref)) != old:
                raise BranchChangedError(f"another process has changed {self.name}") from None
            lock = _LOCK.search(str(error))
            if lock is None:
                raise
            raise GitError(
                f"{lock[1]} exists: another git command is running, or was stopped",
                fix="wait until it ends, or remove this file if no git command is running",
            ) from None

    def _write_tree(
        self, reader: BranchReader, tree: str, folder: str, files: Mapping[str, Path | None]
    ) -> str:
        """Write a copy of a tree with changed files in one of its folders."""
        entries = dict(reader.entries(tree))
        name, _, rest = folder.partition("/")
        if name:
            subtree = self._write_tree(reader, entries[name].object_name, rest, files)
            entries[name] = TreeEntry(FOLDER_MODE, subtree)
        for name, path in files.items() if not folder else ():
            if name in entries and entries[name].mode in (FOLDER_MODE, _SUBMODULE_MODE):
                raise GitError(
                    f"{name} is a folder in {self.name}", fix="remove it, or choose another name"
                )
            entries.pop(name, None)
            if path is not None:
                arguments = ["hash-object", "-w", "--no-filters", "--", str(path.resolve())]
                blob = parse_object_name(self.git.output(arguments))
                entries[name] = TreeEntry(_FILE_MODE, blob)
        types = {FOLDER_MODE: "tree", _SUBMODULE_MODE: "commit"}
        lines = (
            os.fsencode(f"{mode:06o} {types.get(mode, 'blob')} {object_name}\t{name}\0")
            for name, (mode, object_name) in entries.items()
        )
        return parse_object_name(
            self.git.output(["mktree", "-z", "--missing"], stdin=b"".join(lines))
        )


class BranchReader:
    """Reads the objects of a branch. Close it after use.

    Attributes:
        root: The object name of the top-level folder.

    Args:
        branch: The branch. Commits to it that are made later are not seen.
    """

    def __init__(self, branch: Branch) -> None:
        self._git = branch.git
        self._processes: dict[str, InteractiveGit] = {}
        header = self._ask("--batch-check", f"{branch.tip}^{{tree}}").split()
        if header[1:2] != [b"tree"]:
            raise GitError(f"the commit {branch.tip} has no readable tree", fix=_DAMAGED)
        self.root = header[0].decode()

    def entries(self, tree: str) -> Generator[tuple[str, TreeEntry]]:
        """Yield the entries of a folder by name, in the order of git.

        Raises:
            GitError: The folder cannot be read.
        """
        header, _, content = self._ask("--batch", tree).partition(b"\n")
        if b" tree " not in header:
            raise GitError(f"the folder {tree} is not in the repository", fix=_DAMAGED)
        size = len(tree) // 2
        start, end = 0, int(header.rpartition(b" ")[2])
        while start < end:
            entry = _TREE_ENTRY.match(content, start)
            if entry is None or entry.end() + size > end:
                raise GitError(f"the folder {tree} is damaged", fix=_DAMAGED)
            start = entry.end() + size
            name, blob = os.fsdecode(entry[2]), content[entry.end() : start].hex()
            yield name, TreeEntry(int(entry[1], 8), blob)

    def open(self, blob: str) -> BinaryIO:
        """Open a file. Of a file over 64 MiB, only the start is read.

        Raises:
            GitError: The file cannot be read.
        """
        header = self._ask("--batch-check", blob).split()
        if len(header) != 3 or header[1] != b"blob":
            raise GitError("the file is not in the repository, for example in a partial clone")
        if int(header[2]) <= _MAX_KEPT:
            return io.BytesIO(self._ask("--batch", blob).partition(b"\n")[2][:-1])
        file = tempfile.TemporaryFile()  # noqa: SIM115  # The caller closes it.
        try:
            with closing(self._git.blocks(["cat-file", "blob", blob])) as blocks:
                for block in blocks:
                    file.write(block)
                    if file.tell() > _MAX_FILE:
                        break
            file.seek(0)
        except BaseException:
            file.close()
            raise
        return file

    def close(self) -> None:
        for process in self._processes.values():
            process.close()

    def _ask(self, mode: str, name: str) -> bytes:
        if mode not in self._processes:
            # By default, git keeps up to 96 MiB of objects in memory.
            arguments = ["-c", "core.deltaBaseCacheLimit=8m", "cat-file", mode]
            self._processes[mode] = InteractiveGit(self._git, arguments, " missing\n")
        return self._processes[mode].ask(name.encode())


def fetch_command(remote: str, name: str) -> str:
    """Return the command that fetches a branch, also in a clone of a single branch."""
    return f"git fetch {remote} {name}:refs/remotes/{remote}/{name}"


def _is_ancestor(git: Git, one: str, other: str) -> bool:
    """Return whether a commit is an ancestor of another one. Unrelated commits are not."""
    return merge_base(git, one, other) == one
