"""Read a branch without checking it out, and commit files to it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from docs_sitemap.git.repository import merge_base, parse_object_name, read_tree
from docs_sitemap.git.run import Git, GitError

REMOTE = "origin"

FOLDER_MODE = "040000"
LINK_MODE = "120000"
_FILE_MODE = "100644"

_PUSH_TIMEOUT = 600.0


class TreeEntry(NamedTuple):
    """A file, folder, or link in a commit."""

    mode: str
    object_name: str


class Branch(NamedTuple):
    """A branch of a repository.

    Attributes:
        git: Git in a folder of the repository.
        name: The name of the branch.
        tip: The full name of the commit to read.
        old: The full name of the commit that the local branch names; `None` if it does
            not exist.
        work_tree: The folder in which the branch is checked out; empty if there is
            none.
    """

    git: Git
    name: str
    tip: str
    old: str | None
    work_tree: str

    @classmethod
    def find(cls, folder: str, name: str) -> Branch:
        """Find a branch. If the remote has newer commits than the local branch, or only
        the remote has the branch, the tip is the one of the remote, as far as it was
        fetched.

        Args:
            folder: A folder of the repository.
            name: The name of the branch.

        Raises:
            GitError: There is no such branch, the local branch and the one of the
                remote both have commits that the other one does not have, or there is
                no repository, or no git.
        """
        git = Git(folder)
        local = f"refs/heads/{name}"
        tracked = f"refs/remotes/{REMOTE}/{name}"
        fields = "%(refname)%00%(objectname)%00%(worktreepath)"
        arguments = ["for-each-ref", f"--format={fields}", local, tracked]
        tips = {}
        work_tree = ""
        for line in os.fsdecode(git.output(arguments)).splitlines():
            ref, tip, folder = line.split("\0")
            # The names are patterns, which may match other branches.
            if ref in (local, tracked):
                tips[ref] = tip
            if ref == local:
                work_tree = folder
        if not tips:
            fetch = fetch_command(name)
            fix = f"correct the name, or fetch the branch: {fetch}"
            raise GitError("there is no folder or branch of this name", fix=fix)
        for tip in tips.values():
            if all(merge_base(git, tip, other) == other for other in tips.values()):
                return cls(git, name, tip, tips.get(local), work_tree)
        command = shlex.join(["git", "branch", "--force", name, f"{REMOTE}/{name}"])
        raise GitError(
            f"{name} and {REMOTE}/{name} have different commits",
            fix=f"{command}, if you do not need your commits",
        )

    def entries(self, folder: str) -> dict[str, TreeEntry]:
        """Return everything in a folder by path. The empty path is the folder itself.

        Args:
            folder: The folder; empty for the top level.

        Raises:
            GitError: The branch does not contain the folder, or cannot be read.
        """
        entries = {"": TreeEntry(FOLDER_MODE, "")}
        tree = f"{self.tip}:{folder}"
        try:
            for path, mode, object_name in read_tree(self.git, "-t", tree):
                entries[path] = TreeEntry(mode, object_name)
        except GitError as error:
            fix = (
                "correct the name of the folder or, if git fsck reports damage, clone "
                "the repository again"
            )
            raise GitError(str(error), fix=fix) from None
        return entries

    def commit(
        self,
        folder: str,
        files: Iterable[tuple[str, bytes | None]],
        message: str,
        *,
        push: bool,
    ) -> str | None:
        """Commit files to the branch, with the author of the git configuration.

        Args:
            folder: The folder of the files in the branch; empty for its top level.
            files: The path of each file below the folder, and its content; `None` to
                remove it. Files that exist keep their permissions.
            message: The message of the commit.
            push: Whether to push the branch, unless the remote has other commits. The
                local branch changes only if this succeeds.

        Returns:
            The name of the new commit; `None` if nothing changes.

        Raises:
            GitError: Git failed, the branch is checked out or was changed by another
                process, or one of the names is a folder.
        """
        if self.work_tree:
            raise GitError(
                f"{self.name} is checked out in {self.work_tree}",
                fix="name that folder instead of the branch, or check out another "
                "branch there",
            )
        tree = self._write_tree(folder, self._write_blobs(files))
        old_tree = self.git.output(["rev-parse", f"{self.tip}^{{tree}}"])
        commit = None
        if tree != parse_object_name(old_tree):
            commit = self._write_commit(tree, message)
        if push:
            self._push(commit or self.tip)
        if commit is not None:
            self._move(commit)
        return commit

    def _write_commit(self, tree: str, message: str) -> str:
        arguments = ["commit-tree", tree, "-p", self.tip, "-F", "-"]
        try:
            commit = self.git.output(arguments, stdin=os.fsencode(message))
            return parse_object_name(commit)
        except GitError as error:
            fix = (
                "if git does not know the author, set user.name and user.email with "
                "git config"
            )
            raise GitError(f"git cannot commit: {error}", fix=fix) from None

    def _push(self, commit: str) -> None:
        """Push a commit, but no tags. If the remote rejects it, the error is the
        message of the remote.
        """
        git = self.git._replace(timeout=_PUSH_TIMEOUT, network=True)
        # With --porcelain, the errors do not start with the address of the remote.
        push = ["push", "--quiet", "--porcelain", "--no-follow-tags", REMOTE]
        try:
            git.output([*push, f"{commit}:refs/heads/{self.name}"])
        except GitError as error:
            fetch = fetch_command(self.name)
            raise GitError(
                f"{self.name} was not pushed, and is unchanged: {error}",
                fix=f"{fetch}, and run the command again; if the error stays, check "
                f"your access to {REMOTE}, and its rules for {self.name}",
            ) from None

    def _move(self, commit: str) -> None:
        """Let the branch name a new commit if it still names the old one."""
        old = self.old or "0" * len(commit)
        update = ["update-ref", "-m", "docs-sitemap index"]
        # If it is stopped, it may leave a lock behind.
        git = self.git._replace(grace=self.git.timeout)
        try:
            git.output([*update, f"refs/heads/{self.name}", commit, old])
        except GitError as error:
            raise GitError(str(error), fix="run the command again") from None

    def _write_blobs(
        self, files: Iterable[tuple[str, bytes | None]]
    ) -> dict[str, str | None]:
        """Write the contents of files into the repository. Pages of many versions need
        too much memory together.

        Returns:
            The names of their objects by path; `None` for files to remove.
        """
        objects: dict[str, str | None] = {}
        names: list[str] = []
        paths: list[str] = []
        with TemporaryDirectory() as folder:
            for name, data in files:
                objects[name] = None
                if data is not None:
                    path = Path(folder, str(len(names)))
                    path.write_bytes(data)
                    names.append(name)
                    paths.append(f"{path}\n")
            command = ["hash-object", "-w", "--no-filters", "--stdin-paths"]
            output = self.git.output(command, stdin=os.fsencode("".join(paths)))
        for name, line in zip(names, output.splitlines(), strict=True):
            objects[name] = parse_object_name(line)
        return objects

    def _write_tree(self, folder: str, changes: Mapping[str, str | None]) -> str:
        """Write a copy of the top-level folder with changed files.

        Args:
            folder: The folder of the files.
            changes: The name of each object by path; `None` for a file to remove.

        Returns:
            The object name of the new folder.
        """
        old = self.entries(folder)
        stdin = bytearray()
        for name, object_name in changes.items():
            mode = _FILE_MODE
            if name in old:
                mode = old[name].mode
            if mode == FOLDER_MODE:
                fix = "remove it, or choose another name"
                raise GitError(f"{name} is a folder in {self.name}", fix=fix)
            # A link is replaced by a file.
            if mode == LINK_MODE:
                mode = _FILE_MODE
            if object_name is None:
                mode, object_name = "0", "0" * len(self.tip)
            path = f"{folder}/{name}" if folder else name
            stdin += os.fsencode(f"{mode} {object_name}\t{path}\0")
        with TemporaryDirectory() as temporary:
            git = self.git._replace(index_file=os.path.join(temporary, "index"))
            git.output(["read-tree", self.tip])
            git.output(["update-index", "-z", "--index-info"], stdin=bytes(stdin))
            return parse_object_name(git.output(["write-tree", "--missing-ok"]))


def fetch_command(name: str) -> str:
    """Return the command that fetches a branch, also in a clone of a single branch."""
    return shlex.join(["git", "fetch", REMOTE, f"{name}:refs/remotes/{REMOTE}/{name}"])
