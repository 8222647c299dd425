"""Find repositories, read their state, and complete shallow clones."""

from __future__ import annotations

import hashlib
import os
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing, suppress

import msgspec

from docs_sitemap.tools.files import MAX_TEXT, find_top, read_regular

from .run import Git, GitError

# In bytes: more than 400,000 commits.
_MAX_FILE = 2**24

# Git compares each path with each folder on the command line.
_MAX_FOLDERS = 16

_OBJECT_NAME = rb"[0-9a-f]{40}|[0-9a-f]{64}"
_TREE_ENTRY = re.compile(rb"([0-7]{6}) [a-z]+ ([0-9a-f]+)\t(.+)", re.DOTALL)
_SUBMODULE_MODE = "160000"
_SHA256_LENGTH = 64
_IGNORED_REV = r"(?i)([0-9a-f]{64}|[0-9a-f]{40})(\s*#.*)?"

# In seconds. A quiet fetch prints nothing until it ends.
_FETCH_TIMEOUT = 600.0

_FETCH = [
    # Fetch only from the remote, and run no program that its URL or the configuration
    # names.
    "-c",
    "protocol.ext.allow=never",
    "-c",
    "fetch.bundleURI=",
    "fetch",
    "--upload-pack=git-upload-pack",
    "--unshallow",
    "--no-tags",
    "--no-auto-maintenance",
    "--no-recurse-submodules",
    "--no-write-fetch-head",
    "--quiet",
    "--stdin",
    # The refspecs and the pruning that the user has configured would change refs.
    "--refmap=",
    "--no-prune",
    "--no-prune-tags",
    "--",
]


class IgnoreRevsError(GitError):
    """A line of the file of ignored commits is invalid."""


class FetchError(GitError):
    """The missing history cannot be fetched."""


class NoCopiesError(Exception):
    """None of the files is a copy of a file in the named repository."""


class RepositorySnapshot(msgspec.Struct, frozen=True):
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
                    fix="repair its .git folder and remove core.worktree from its "
                    "configuration",
                )
        shallow = _read_if_exists(os.path.join(git.folder, shallow_path))
        grafts = _read_if_exists(os.path.join(git.folder, grafts_path))
        boundary = shallow.decode("ascii", "replace").split()
        shape = hashlib.sha256(
            repr((sorted(boundary), grafts, replaced_objects)).encode()
        )
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
    folder = os.path.realpath(folder)
    objects = os.path.join(folder, "objects")
    head = os.path.join(folder, "HEAD")
    is_bare = os.path.isdir(objects) and os.path.lexists(head)
    # Git reports a folder that does not exist.
    if is_bare or not os.path.isdir(folder):
        return Git(folder)
    return Git(find_top(folder) or folder)


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


def blob_name(data: bytes, *, like: str) -> str:
    """Return the name of the blob with some content.

    Args:
        data: The content.
        like: The name of an object of the same repository.
    """
    algorithm = "sha256" if len(like) == _SHA256_LENGTH else "sha1"
    digest = hashlib.new(algorithm, b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def find_changed(
    git: Git, paths: Iterable[str], object_names: Mapping[str, str]
) -> list[str]:
    """Return the committed text files that are different in the work tree, except in
    their line endings. To compare files, git would run programs that the configuration
    of the repository names.

    Args:
        git: Git in the top level of a work tree.
        paths: Paths relative to the top level.
        object_names: The object names of committed files, as far as they are known.

    Raises:
        GitError: Git failed.
    """
    wanted = set(paths)
    if not object_names.keys() >= wanted:
        tree = read_tree(git, "HEAD", "--", *common_folders(wanted))
        object_names = {path: name for path, _, name in tree}
    changed = []
    for path in wanted & object_names.keys():
        name = object_names[path]
        with suppress(OSError):  # A build may remove files that it has read.
            data = read_regular(os.path.join(git.folder, path), MAX_TEXT)
            if name == blob_name(data, like=name):
                continue
            lines = data.replace(b"\r\n", b"\n")
            if b"\0" not in data and name != blob_name(lines, like=name):
                changed.append(path)
    return changed


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
    if not re.fullmatch(_OBJECT_NAME, name):
        raise GitError(f"git printed unexpected output: {output[:60]!r}")
    return name.decode("ascii")


def common_folders(paths: Iterable[str]) -> tuple[str, ...]:
    """Return up to 16 folders or files that contain all paths; none if more are
    necessary.
    """
    paths = list(paths)
    deepest = max((path.count("/") + 1 for path in paths), default=0)
    # There are never fewer folders at a greater depth.
    depth = bisect_right(
        range(1, deepest + 1),
        _MAX_FOLDERS,
        key=lambda depth: len(_folders_at(depth, paths)),
    )
    if depth == 0:
        return ()
    return tuple(sorted(_folders_at(depth, paths)))


def _folders_at(depth: int, paths: Iterable[str]) -> set[str]:
    """Return the folders that contain some paths, with so many names at most."""
    return {"/".join(path.split("/", depth)[:depth]) for path in paths}


def read_ignored_revs(git: Git, object_name: str | None, path: str) -> tuple[str, ...]:
    """Read a committed file of ignored commits, as for `git blame --ignore-revs-file`:
    full hashes, one per line, and comments.

    Args:
        git: Git in a folder of the repository.
        object_name: The object name of the file; `None` if it is not in the commit.
        path: The path of the file, for messages.

    Returns:
        The hashes, sorted.

    Raises:
        IgnoreRevsError: A line is invalid.
        GitError: Git failed.
    """
    if object_name is None:
        return ()
    content = git.output(["cat-file", "blob", object_name], limit=_MAX_FILE)
    revs = set()
    lines = content.decode("utf-8", "replace").split("\n")
    for number, line in enumerate(lines, start=1):
        text = line.strip().lstrip("\ufeff")
        if not text or text.startswith("#"):
            continue
        match = re.fullmatch(_IGNORED_REV, text)
        if match is None:
            raise IgnoreRevsError(
                f"line {number} of {path} is not the full hash of a commit"
            )
        revs.add(match[1].lower())
    return tuple(sorted(revs))


def fetch_full_history(git: Git, boundary: Collection[str]) -> None:
    """Fetch the missing history of a shallow clone. No ref is created, changed, or
    deleted. If the fetch fails, the repository is unchanged.

    Args:
        git: Git in a folder of the repository.
        boundary: The hashes of the commits whose parents are missing.

    Raises:
        FetchError: There is no remote, or the fetch failed.
    """
    online = git._replace(timeout=_FETCH_TIMEOUT, network=True)
    stdin = "\n".join(boundary).encode()
    try:
        remotes = os.fsdecode(git.output(["remote"])).split("\n")[:-1]
        if not remotes:
            raise FetchError("the repository has no remote")
        remote = remotes[0]
        if "origin" in remotes:
            remote = "origin"
        online.output([*_FETCH, remote], stdin=stdin)
    except GitError as error:
        message = str(error)
        from .remotes import hide_credentials, read_urls  # Few builds need them.

        with suppress(GitError):
            message = hide_credentials(message, read_urls(git))
        raise FetchError(message) from None
