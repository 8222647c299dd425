"""Check a branch out into a temporary folder, and commit to it. Git does the work."""

import os
import shlex
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory
from typing import NamedTuple

from docs_sitemap.git.repository import parse_object_name
from docs_sitemap.git.run import Git, GitError
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.published.folder import SiteFolder, join

_REMOTE = "origin"

_PREFIX = "docs-sitemap-"

# Settings of the user that would change files, leave them out, or refuse to add them.
_CONFIG = ("core.autocrlf=false", "core.safecrlf=false", "core.sparseCheckout=false")

# The seconds that a hook, or the checkout of a large branch, may take.
_TIMEOUT = 600.0


class CommitError(GitError):
    """Git or a hook rejects the commit. The output says why."""


class Checkout(NamedTuple):
    """A branch in a temporary folder.

    Attributes:
        name: The name of the branch.
        tip: The hash of its newest commit when it was checked out.
        folder: The folder of the site: the top level of the branch, or a folder in it.
        options: The options of git commands in this folder.
    """

    name: str
    tip: str
    folder: SiteFolder
    options: list[str]

    def commit(self, files: Collection[str], message: str) -> str | None:
        """Commit files of the site, with the identity, the hooks, and the signatures
        that the user has configured.

        Args:
            files: The paths of files that were written or removed, relative to the
                folder of the site.
            message: The message of the commit.

        Returns:
            The hash of the new commit; `None` if nothing changes.

        Raises:
            CommitError: Git or a hook rejects the commit.
            GitError: Git failed, or another process changed the branch.
        """
        if not files:
            return None
        git = Git(self.folder.root, timeout=_TIMEOUT)
        # `--all` also adds removals.
        add = ["add", "--all", "--force"]
        from_stdin = ["--pathspec-from-file=-", "--pathspec-file-nul"]
        paths = b"".join(os.fsencode(file) + b"\0" for file in files)
        git.output([*self.options, *add, *from_stdin], stdin=paths)
        changes = ["diff-index", "--cached", "--name-only", self.tip]
        if not git.output([*self.options, *changes]):
            return None
        # These files were written without what the other process has committed.
        if parse_object_name(git.output(["rev-parse", "HEAD"])) != self.tip:
            fix = "run the command again"
            raise GitError(f"another process changed {self.name}", fix=fix)
        git = git._replace(network=True, hooks=True)
        # If another process commits only now, `--only` keeps what it has committed.
        commit = ["commit", "--quiet", "-m", message, "--only"]
        try:
            git.output([*self.options, *commit, *from_stdin], stdin=paths)
        except GitError as error:
            raise CommitError(
                f"git cannot commit: {error}",
                fix="if git does not know the author, set user.name and user.email "
                "with git config; if a hook rejects the commit, or it cannot be "
                "signed, fix what git reports",
                output=error.output,
            ) from None
        return parse_object_name(git.output(["rev-parse", "HEAD"]))


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
        GitError: There is no such branch or folder in it, the local branch and the one
            of `origin` both have commits that the other one does not have, the branch
            is checked out elsewhere, or there is no repository, or no git.
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
        options = _write_files(git._replace(folder=temporary.name))
        top = SiteFolder(temporary.name)
        real = top.real_path(directory.strip("/"))
        if real is None or not os.path.isdir(os.path.join(top.root, real)):
            raise GitError(
                f"{name} contains no folder {shorten(directory)}",
                fix="correct the name of the folder",
            )
        folder = SiteFolder(os.path.join(top.root, real), join(name, real))
        yield Checkout(name, tip, folder, options)
    finally:
        # Git does not know the folder if the command was interrupted.
        with suppress(GitError):
            git.output(["worktree", "remove", "--force", temporary.name])
        temporary.cleanup()


def push_command(name: str) -> str:
    """Return the command that publishes a branch."""
    return shlex.join(["git", "push", _REMOTE, name])


def _find_tip(git: Git, name: str) -> tuple[str, str]:
    """Return the newest of the local branch and the one of the remote, and its commit.

    Raises:
        GitError: There is none, both have commits that the other one does not have, or
            there is no repository, or no git.
    """
    local = f"refs/heads/{name}"
    tracked = f"refs/remotes/{_REMOTE}/{name}"
    command = ["for-each-ref", "--format=%(refname) %(objectname)", local, tracked]
    tips = {}
    for line in os.fsdecode(git.output(command)).split("\n")[:-1]:
        ref, tip = line.split(" ")
        # The names are patterns, which may match other branches.
        if ref in (local, tracked):
            tips[ref] = tip
    # Git would read such a name as an option.
    if not tips or name.startswith("-"):
        # It also works in a clone of a single branch.
        fetch = shlex.join(["git", "fetch", _REMOTE, f"{name}:{tracked}"])
        raise GitError(
            "there is no folder or branch with this name",
            fix=f"correct the name, or fetch the branch: {fetch}",
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


def _write_files(git: Git) -> list[str]:
    """Write all files of a new work tree, as they are in the repository.

    Filters, such as those of Git LFS, are programs that the configuration of the
    repository names. It can depend on the branch and the work tree.

    Args:
        git: Git in the work tree.

    Returns:
        The options with which git also adds files as they are.

    Raises:
        GitError: Git failed, or a filter cannot be turned off.
    """
    options = ["--literal-pathspecs"]
    for setting in _CONFIG:
        options += ["-c", setting]
    command = ["config", "--null", "--name-only", "--get-regexp", r"^filter\."]
    # 1: there are no filters.
    names = os.fsdecode(git.output(command, accept=(0, 1)))
    for name in names.split("\0")[:-1]:
        if "=" in name:
            fix = "remove it from the git configuration"
            raise GitError(f"{shorten(name)} cannot be turned off", fix=fix)
        value = "false" if name.endswith(".required") else ""
        options += ["-c", f"{name}={value}"]
    try:
        git.output(
            [*options, "read-tree", "--reset", "-u", "--no-recurse-submodules", "HEAD"]
        )
    except GitError as error:
        fix = (
            "if the clone is partial, fetch all files with git fetch --refetch; if git "
            "fsck reports damage, clone the repository again"
        )
        raise GitError(str(error), fix=fix) from None
    return options


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
    fix = "name that folder instead of the branch, or check out another branch there"
    if not os.path.lexists(used):
        fix = "the folder does not exist any more: run git worktree prune"
    elif os.path.basename(used).startswith(_PREFIX):
        remove = shlex.join(["git", "worktree", "remove", "--force", used])
        fix = (
            "run the command again when the other one has ended; if none is running, "
            f"run {remove} first"
        )
    return GitError(f"{name} is checked out in {used}", fix=fix)
