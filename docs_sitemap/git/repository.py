"""What a repository is at this moment: everything that its answers depend on."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from docs_sitemap.git.run import GitError, git_pieces

_OBJECT_NAME = re.compile(rb"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True)
class Repository:
    """A repository, seen from one commit.

    Attributes:
        path: a folder in which git finds it: the top level of its work tree, or a bare one.
        head: the full name of the commit.
        boundary: the commits whose parents a shallow clone lacks: git blames them for all older
            changes.
        surroundings: a digest of what else changes the history that git sees: the boundary,
            replaced objects, grafts.
    """

    path: str
    head: str
    boundary: frozenset[str]
    surroundings: str

    @classmethod
    def open(cls, path: str, *, ref: str = "HEAD", is_top: bool = True) -> Repository:
        """Ask git for the facts.

        Args:
            path: where to run git.
            ref: the name of the commit.
            is_top: whether the path must be the top level of a work tree.

        Raises:
            GitError: git gives no answer; the message says what to do.
        """
        arguments = ["rev-parse", f"{ref}^{{commit}}", "--git-path", "shallow"]
        arguments += ["--git-path", "info/grafts", *(["--show-toplevel"] if is_top else [])]
        arguments += ["--glob=refs/replace/", "--symbolic", "--glob=refs/replace/"]
        lines = b"".join(git_pieces(arguments, cwd=path)).splitlines()
        if len(lines) < 3 + is_top or not _OBJECT_NAME.fullmatch(lines[0]) or b"^" in lines[1][:1]:
            raise GitError(f"git printed something unexpected: {b' '.join(lines)[:40]!r}")
        if is_top and not _same(lines[3], path):
            raise GitError(f"git takes {os.fsdecode(lines[3])!r} for the top of its work tree")
        shallow, grafts = (_read(os.path.join(path, os.fsdecode(line))) for line in lines[1:3])
        return cls(
            path=path,
            head=lines[0].decode("ascii"),
            boundary=frozenset(shallow.decode("ascii", "replace").split()),
            surroundings=digest([shallow, grafts, *lines[3 + is_top :]]),
        )

    def tree(self, folders: Iterable[str]) -> dict[str, str]:
        """Return the files of the commit below some folders: from path to object name. A
        submodule is no file.
        """
        arguments = ["--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree"]
        arguments += [self.head, "--", *folders]
        files = {}
        for piece in git_pieces(arguments, cwd=self.path):
            about, _, path = piece.partition(b"\t")
            mode, _, name = about.partition(b" ")
            if not (mode.isdigit() and path):
                raise GitError(f"git ls-tree printed something unexpected: {piece[:40]!r}")
            if mode != b"160000":
                files[os.fsdecode(path)] = name.rpartition(b" ")[2].decode("ascii", "replace")
        return files

    def read(self, blob: str) -> bytes:
        """Return the content of a file by its object name."""
        return b"\0".join(git_pieces(["cat-file", "blob", blob], cwd=self.path))

    def ignored(self, paths: Iterable[str]) -> frozenset[str]:
        """Return those of the paths, of files that are not tracked, that git is told to ignore."""
        # A path that begins with a colon would be more than a path.
        stdin = b"".join(b"./" + os.fsencode(path) + b"\0" for path in paths)
        arguments = ["check-ignore", "--stdin", "-z"]
        # 1: none of them; 128: a path that git cannot place, such as one in a submodule.
        pieces = git_pieces(arguments, cwd=self.path, stdin=stdin, accept=(0, 1, 128))
        return frozenset(os.fsdecode(piece.removeprefix(b"./")) for piece in pieces if piece)

    def truncated(self, names: Iterable[str]) -> frozenset[str]:
        """Return those of the commits of which the clone lacks the parents. A commit at the
        boundary may be a root, which has none.
        """
        asked = self.boundary.intersection(names)
        if not asked:
            return asked
        stdin = "".join(f"{name}\n" for name in asked).encode()
        output = b"\0".join(git_pieces(["cat-file", "--batch"], cwd=self.path, stdin=stdin))
        truncated = set()
        while output:
            about, _, rest = output.partition(b"\n")
            name, _, size = about.split(b" ")
            commit, output = rest[: int(size)], rest[int(size) + 1 :]
            if b"\nparent " in commit.partition(b"\n\n")[0]:
                truncated.add(name.decode("ascii"))
        return frozenset(truncated)

    def filter(self) -> str:
        """Return what a partial clone leaves out: `blob:none`, say."""
        arguments = ["config", "--get-regexp", r"^remote\..*\.partialclonefilter$"]
        output = b"".join(git_pieces(arguments, cwd=self.path, accept=(0, 1)))
        return output.decode("utf-8", "replace").strip().rpartition(" ")[2]

    @cached_property
    def version(self) -> tuple[int, ...]:
        """The version of git."""
        text = b"".join(git_pieces(["version"], cwd=self.path))
        return tuple(int(number) for number in re.findall(rb"\d+", text)[:2])


def work_tree(path: str) -> str:
    """Return the top level of the work tree that a folder lies in; the folder itself if it lies
    in none: a bare repository, say.
    """
    try:
        line = b"".join(git_pieces(["rev-parse", "--show-toplevel"], cwd=path))
    except GitError:
        return path
    return os.fsdecode(line.removesuffix(b"\n")) or path


def digest(parts: Iterable[bytes]) -> str:
    return sha256(b"".join(b"%d:%b" % (len(part), part) for part in parts)).hexdigest()


def _same(top: bytes, path: str) -> bool:
    try:
        return os.path.samefile(os.fsdecode(top), path)
    except OSError:
        return False


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""
