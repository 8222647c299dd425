"""Check a branch out into a temporary folder, and commit to it.

Files are written and committed as they are in the branch. Git would change their line
endings or encodings, or run filters, as attributes and the configuration say.
"""

import os
import shlex
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click

from docs_sitemap.git.repository import parse_object_name
from docs_sitemap.git.run import Git, GitError
from docs_sitemap.tools.files import create_file, relative_path
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.arguments import check_folder
from docs_sitemap_cli.published.folder import SiteFolder, join

_REMOTE = "origin"

_PREFIX = "docs-sitemap-"

_FILE, _PROGRAM, _LINK = b"100644", b"100755", b"120000"

# In bytes. A git host rejects such a branch.
_MAX_BRANCH = 2**40

# The seconds that a hook, or the checkout of a large branch, may take.
_TIMEOUT = 600.0


class CommitError(GitError):
    """Git or a hook rejects the commit. The output says why."""


class _IndexedFile(NamedTuple):
    """A file in the index.

    Attributes:
        mode: What it is: a file, a program, a symbolic link, or a submodule.
        blob: The hash of its content.
        path: The path below the top level.
    """

    mode: bytes
    blob: bytes
    path: bytes


class Checkout(NamedTuple):
    """A branch in a temporary folder.

    Attributes:
        name: The name of the branch.
        tip: The hash of its newest commit when it was checked out.
        folder: The folder of the site: the top level of the branch, or a folder in it.
        top: The path of the top level.
    """

    name: str
    tip: str
    folder: SiteFolder
    top: str

    def commit(self, files: Collection[str], message: str) -> str | None:
        """Commit files of the site, with the identity, the hooks, and the signatures
        that the user has configured.

        Args:
            files: The paths of files that were written, relative to the folder of the
                site.
            message: The message of the commit.

        Returns:
            The hash of the new commit; `None` if nothing changes.

        Raises:
            CommitError: Git or a hook rejects the commit.
            GitError: Git failed, or another process changed the branch.
        """
        if not files:
            return None
        git = Git(self.top, timeout=_TIMEOUT)
        _add(git, [os.path.join(self.folder.root, file) for file in files])
        if not git.output(["diff-index", "--cached", "--name-only", self.tip]):
            return None
        try:
            command = ["commit", "--quiet", "-m", message]
            git._replace(network=True, hooks=True).output(command)
        except GitError as error:
            raise CommitError(
                f"git cannot commit: {error}",
                fix="if git does not know the author, set user.name and user.email "
                "with git config; if a hook rejects the commit, or it cannot be "
                "signed, fix what git reports",
                output=error.output,
            ) from None
        commit = parse_object_name(git.output(["rev-parse", "HEAD"]))
        update = ["update-ref", "-m", f"commit: {message}", f"refs/heads/{self.name}"]
        try:
            # The files are without what another process has committed.
            git.output([*update, commit, self.tip])
        except GitError as error:
            fix = "run the command again"
            text = f"another process changed {self.name} ({error})"
            raise GitError(text, fix=fix) from None
        return commit


@contextmanager
def check_out(place: str, *, to_commit: bool = False) -> Iterator[Checkout]:
    """Check a branch of the repository in the current folder out into a temporary
    folder, and remove this folder at the end.

    If only `origin` has the branch, or if it has newer commits than the local branch,
    the newest commit that was fetched is checked out.

    Args:
        place: The name of the branch, or `BRANCH:DIR` for a folder in it.
        to_commit: Whether to commit to the branch. It is created, or moved forward to
            the commit of `origin`, as `git checkout` and `git pull` would do.
            Otherwise, no branch changes.

    Yields:
        The branch in its temporary folder.

    Raises:
        click.BadParameter: There is no such branch.
        GitError: There is no such folder in the branch, the local branch and the one of
            `origin` both have commits that the other one does not have, the branch is
            checked out elsewhere, or there is no git.
    """
    # The name of a branch contains no colon.
    name, _, directory = place.partition(":")
    git = Git(os.curdir, timeout=_TIMEOUT)
    ref, tip = _find_tip(git, name)
    temporary = TemporaryDirectory(prefix=_PREFIX)
    target = ["--detach", temporary.name, tip]
    if to_commit:
        target = [temporary.name, name]
        if ref != f"refs/heads/{name}":
            target = ["-B", name, temporary.name, ref]
    try:
        add = ["worktree", "add", "--quiet", "--no-checkout"]
        try:
            git.output([*add, *target])
        except GitError as error:
            raise _explain(git, name, error) from None
        # Only the complete commit changes the branch, and a command that is killed does
        # not keep it from others.
        git = git._replace(folder=temporary.name)
        git.output(["update-ref", "--no-deref", "HEAD", tip])
        _write_files(git)
        top = SiteFolder(temporary.name)
        real = top.real_path(directory.strip("/"))
        if real is None or not os.path.isdir(os.path.join(top.root, real)):
            raise GitError(
                f"{name} contains no folder {shorten(directory)}",
                fix="correct the name of the folder",
            )
        folder = SiteFolder(os.path.join(top.root, real), join(name, real))
        yield Checkout(name, tip, folder, top.root)
    finally:
        # Git does not know the folder if the command was interrupted.
        with suppress(GitError):
            remove = ["worktree", "remove", "--force", temporary.name]
            git._replace(folder=os.curdir).output(remove)
        temporary.cleanup()


def push_command(name: str) -> str:
    """Return the command that publishes a branch."""
    return shlex.join(["git", "push", _REMOTE, name])


def _find_tip(git: Git, name: str) -> tuple[str, str]:
    """Return the newest of the local branch and the one of the remote, and its commit.

    Raises:
        click.BadParameter: There is none.
        GitError: Both have commits that the other one does not have, or there is no
            git.
    """
    local = f"refs/heads/{name}"
    tracked = f"refs/remotes/{_REMOTE}/{name}"
    command = ["for-each-ref", "--format=%(refname) %(objectname)", local, tracked]
    tips = {}
    try:
        refs = os.fsdecode(git.output(command))
    except GitError as error:
        if not error.fix:  # The current folder is in no repository.
            check_folder(name)
        raise
    for line in refs.split("\n")[:-1]:
        ref, tip = line.split(" ")
        # The names are patterns, which may match other branches.
        if ref in (local, tracked):
            tips[ref] = tip
    if not name:
        check_folder(name)
    # Git would read such a name as an option.
    if not tips or name.startswith("-"):
        # It also works in a clone of a single branch.
        fetch = shlex.join(["git", "fetch", _REMOTE, f"{name}:{tracked}"])
        raise click.BadParameter(
            f"{name} does not exist, neither as a folder nor as a "
            "branch. Fix: correct the name, build the site first, or fetch the branch: "
            f"{fetch}"
        )
    if len(tips) == 1:
        return tips.popitem()
    # 1: the two have no commit in common.
    common = git.output(["merge-base", *tips.values()], accept=(0, 1)).decode().strip()
    if common == tips[tracked]:
        return local, tips[local]
    if common == tips[local]:
        return tracked, tips[tracked]
    command = ["git", "branch", "--force", name, f"{_REMOTE}/{name}"]
    raise GitError(
        f"{name} and {_REMOTE}/{name} have different commits",
        fix=f"if you do not need your commits, run {shlex.join(command)}",
    )


def _write_files(git: Git) -> None:
    """Write all files of a new work tree.

    Args:
        git: Git in the work tree.

    Raises:
        GitError: Git failed.
    """
    try:
        # Git accepts no names that lead out of the folder.
        git.output(["read-tree", "--reset", "HEAD"])
        entries = _list(git)
        _keep(git, [entry.path for entry in entries])
        files = [entry for entry in entries if entry.mode in (_FILE, _PROGRAM)]
        links = [entry for entry in entries if entry.mode == _LINK]
        for entry in (*files, *links):
            os.makedirs(os.path.dirname(_path(git, entry)), exist_ok=True)
        # Nothing is written through a link.
        for entry, content in _read(git, files):
            # Some file systems ignore the case of names.
            with suppress(FileExistsError):
                create_file(_path(git, entry), content)
            if entry.mode == _PROGRAM:
                os.chmod(_path(git, entry), 0o755)  # noqa: S103  # as git does
        for entry, content in _read(git, links):
            # Others have no links.
            with suppress(OSError, ValueError):
                os.symlink(os.fsdecode(content), _path(git, entry))
    except GitError as error:
        fix = (
            "if the clone is partial, fetch all files with git fetch --refetch; if git "
            "fsck reports damage, clone the repository again"
        )
        raise GitError(str(error), fix=fix) from None


def _path(git: Git, entry: _IndexedFile) -> str:
    return os.path.join(git.folder, os.fsdecode(entry.path))


def _list(git: Git) -> list[_IndexedFile]:
    """Return the files in the index."""
    entries = []
    for field in git.fields(["ls-files", "--stage", "-z"]):
        values, _, path = field.partition(b"\t")
        mode, blob, _ = values.split()
        entries.append(_IndexedFile(mode, blob, path))
    return entries


def _keep(git: Git, paths: Iterable[bytes]) -> None:
    """Let git not compare files in the index with those in the work tree, for which it
    would run filters.
    """
    stdin = b"".join(path + b"\0" for path in paths)
    git.output(["update-index", "-z", "--assume-unchanged", "--stdin"], stdin=stdin)


def _read(
    git: Git, entries: Sequence[_IndexedFile]
) -> Iterator[tuple[_IndexedFile, bytes]]:
    """Yield files and their contents.

    Raises:
        GitError: A content is missing or damaged.
    """
    names = b"".join(entry.blob + b"\n" for entry in entries)
    output = git.blocks(["cat-file", "--batch"], stdin=names, limit=_MAX_BRANCH)
    rest = bytearray()
    with closing(output) as blocks:
        for entry in entries:
            while b"\n" not in rest:
                rest += next(blocks)
            header = bytes(rest[: rest.index(b"\n")])
            if not header.startswith(entry.blob + b" blob "):
                raise GitError(header.decode())
            start = len(header) + 1
            end = start + int(header.split()[2])
            while len(rest) <= end:
                rest += next(blocks)
            yield entry, bytes(rest[start:end])
            del rest[: end + 1]


def _add(git: Git, files: Sequence[str]) -> None:
    """Add files to the index.

    Args:
        git: Git at the top level of the work tree.
        files: The absolute paths.
    """
    modes = {entry.path: entry.mode for entry in _list(git)}
    paths = []
    for file in files:
        paths.append(os.fsencode(relative_path(file, git.folder)))
    # In quotation marks, a name can contain line breaks.
    names = "".join(f'"{_escape(path)}"\n' for path in paths).encode()
    command = ["hash-object", "-w", "--no-filters", "--stdin-paths"]
    blobs = git.output(command, stdin=names).split()
    lines = bytearray()
    for path, blob in zip(paths, blobs, strict=True):
        mode = _PROGRAM if modes.get(path) == _PROGRAM else _FILE
        lines += b"%b %b\t%b\0" % (mode, blob, path)
    git.output(["update-index", "-z", "--index-info"], stdin=bytes(lines))
    _keep(git, paths)


def _escape(path: bytes) -> str:
    return "".join(f"\\{byte:03o}" for byte in path)


def _explain(git: Git, name: str, error: GitError) -> GitError:
    """Return the error for a branch that git cannot check out."""
    command = ["for-each-ref", "--format=%(worktreepath)", f"refs/heads/{name}"]
    used = os.fsdecode(git.output(command)).removesuffix("\n")
    if not used:
        fix = (
            "if another git command uses the branch, finish it; if git fsck reports "
            "damage, clone the repository again"
        )
        return GitError(str(error), fix=fix)
    fix = "pass that folder instead of the branch, or check out another branch there"
    if not os.path.lexists(used):
        fix = "the folder no longer exists: run git worktree prune"
    elif os.path.basename(used).startswith(_PREFIX):
        # The second option is for a folder that git was still preparing.
        remove = ["git", "worktree", "remove", "--force", "--force", used]
        fix = (
            "run the command again when the other one has ended; if none is running, "
            f"run {shlex.join(remove)} first"
        )
    return GitError(f"{name} is checked out in {used}", fix=fix)
