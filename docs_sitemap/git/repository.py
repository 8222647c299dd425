"""Read the state of a repository."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from hashlib import sha256
from typing import NamedTuple

from docs_sitemap.tools.files import read_regular

from .run import Git, GitError

# In bytes.
_MAX_FILE = 2**26

# Git compares each path with each folder on the command line.
_MAX_FOLDERS = 16

_OBJECT_NAME = re.compile(rb"[0-9a-f]{40}|[0-9a-f]{64}")
_TREE_ENTRY = re.compile(rb"([0-7]{6}) [a-z]+ ([0-9a-f]+)\t(.+)", re.DOTALL)
_SUBMODULE_MODE = "160000"


class RepositorySnapshot(NamedTuple):
    """A repository at one commit. All methods raise `GitError` if git fails.

    Attributes:
        git: Git in a folder of the repository.
        head: The hash of the commit.
        boundary: The commits at which the history of a shallow clone may end. Git
            reports them as the newest commits of all files that were not changed later.
        shape: A digest of what changes the history before the commit: the boundary,
            replaced objects, and grafts.
    """

    git: Git
    head: str
    boundary: frozenset[str]
    shape: str

    @classmethod
    def read(
        cls, git: Git, *, ref: str = "HEAD", is_top: bool = True
    ) -> RepositorySnapshot:
        """Read the state of a repository.

        Args:
            git: Git in a folder of the repository.
            ref: The commit.
            is_top: Whether the folder must be the top level of a work tree.

        Raises:
            GitError: Git failed, or the folder is not the top level.
            OSError: A file of the repository cannot be read.
        """
        arguments = ["rev-parse", f"{ref}^{{commit}}"]
        arguments += ["--git-path", "shallow", "--git-path", "info/grafts"]
        count = 2
        if is_top:
            arguments.append("--show-toplevel")
            count = 3
        # The objects that replace others, and the names of the replaced ones. Git
        # prints an unknown option as it is.
        replaced = "--glob=refs/replace/"
        arguments += ["--replaced", replaced, "--symbolic", replaced]
        output, _, replaced_objects = git.output(arguments).partition(b"\n--replaced\n")
        head, *paths = output.split(b"\n")
        # A folder above the repository may have a line break in its name.
        if len(paths) != count:
            raise GitError(f"git printed unexpected output: {output[:60]!r}")
        shallow_path, grafts_path, *tops = map(os.fsdecode, paths)
        for top in tops:
            if not os.path.samefile(top, git.folder):
                raise GitError(
                    f"git uses {top!r} as the top level of the work tree",
                    fix="repair its .git folder, and remove core.worktree from its "
                    "configuration",
                )
        shallow = _read_if_exists(os.path.join(git.folder, shallow_path))
        grafts = _read_if_exists(os.path.join(git.folder, grafts_path))
        boundary = shallow.decode("ascii", "replace").split()
        shape = sha256(repr((sorted(boundary), grafts, replaced_objects)).encode())
        return cls(git, parse_object_name(head), frozenset(boundary), shape.hexdigest())

    def files(self, folders: Iterable[str] = ()) -> dict[str, str]:
        """Return the object names of the files in the commit by path, without
        submodules.

        Args:
            folders: The folders and files to list, relative to the top level; none to
                list all.
        """
        files = {}
        for path, mode, object_name in read_tree(self.git, self.head, "--", *folders):
            if mode != _SUBMODULE_MODE:
                files[path] = object_name
        return files

    def is_truncated(self, commit: str) -> bool:
        """Return whether the parents of a commit are missing, because the clone is
        shallow. A commit at the boundary may also be a root commit, which has no
        parents.
        """
        if commit not in self.boundary:
            return False
        content = self.git.output(["cat-file", "commit", commit])
        header, _, _ = content.partition(b"\n\n")
        return b"\nparent " in header


def find_repository(folder: str) -> Git:
    """Return git in the top level of the work tree that contains a folder, or in the
    folder itself if it is not in a work tree but, for example, a bare repository.
    """
    git = Git(os.path.realpath(folder))
    try:
        line = git.output(["rev-parse", "--show-toplevel"])
    except GitError:
        return git
    top = os.fsdecode(line.removesuffix(b"\n"))
    if top:
        return git._replace(folder=top)
    return git


def find_ignored(git: Git, paths: Iterable[str]) -> frozenset[str]:
    """Return the untracked paths that git ignores.

    Args:
        git: Git in the top level of a work tree.
        paths: Paths relative to the top level.

    Raises:
        GitError: Git failed.
    """
    # Git would interpret a colon at the start of a path.
    stdin = b"".join(b"./" + os.fsencode(path) + b"\0" for path in paths)
    arguments = ["check-ignore", "--stdin", "-z"]
    # 1: no path is ignored. 128: a path is invalid, for example because it is in a
    # submodule.
    output = git.output(arguments, stdin=stdin, accept=(0, 1, 128))
    ignored = os.fsdecode(output).split("\0")
    return frozenset(path.removeprefix("./") for path in ignored)


def read_tree(git: Git, *arguments: str) -> Iterator[tuple[str, str, str]]:
    """Yield the path, the mode, and the object name of each entry of a tree and the
    trees below it.

    Args:
        git: Git in a folder of the repository.
        arguments: More options of git-ls-tree(1), the tree, and paths.

    Raises:
        GitError: Git failed, or there is no such tree.
    """
    command = ["--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree"]
    with closing(git.fields([*command, *arguments])) as lines:
        for line in lines:
            entry = _TREE_ENTRY.fullmatch(line)
            if entry is None:
                raise GitError(f"git printed unexpected output: {line[:40]!r}")
            mode, object_name, path = map(os.fsdecode, entry.groups())
            yield path, mode, object_name


def _read_if_exists(path: str) -> bytes:
    with suppress(FileNotFoundError):
        return read_regular(path, _MAX_FILE)
    return b""


def parse_object_name(output: bytes) -> str:
    """Return the name of an object that git printed.

    Raises:
        GitError: Git printed anything else.
    """
    name = output.strip()
    if not _OBJECT_NAME.fullmatch(name):
        raise GitError(f"git printed unexpected output: {output[:60]!r}")
    return name.decode("ascii")


def common_folders(paths: Iterable[str]) -> tuple[str, ...]:
    """Return up to 16 folders or files that contain all paths; none if more are
    necessary.
    """
    parts = [path.split("/") for path in paths]
    for depth in range(max(map(len, parts), default=0), 0, -1):
        folders = {"/".join(names[:depth]) for names in parts}
        if len(folders) <= _MAX_FOLDERS:
            return tuple(sorted(folders))
    return ()
