"""Write composed sitemaps into a folder, or commit them to a branch."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from docs_sitemap.commands.index.composition import Composition
from docs_sitemap.commands.index.tree import DeployedBranch, DeployedTree
from docs_sitemap.files import lock_folder, replace_files
from docs_sitemap.git.branch import Branch, BranchChangedError, PushRejectedError, fetch_command
from docs_sitemap.git.run import GitError
from docs_sitemap.text import printable

# How often a commit is tried while other processes commit to the same branch.
_ATTEMPTS = 10

Compose = Callable[[DeployedTree, Path], Composition]
"""Composes the sitemap of a tree in an empty folder."""


def write_to_folder(composition: Composition, folder: Path) -> None:
    """Replace the files of an earlier sitemap: all of them, or none.

    Raises:
        OSError: A file cannot be written.
    """
    filename, files = composition.filename, composition.files
    folder.mkdir(parents=True, exist_ok=True)
    # The sitemap itself is replaced last.
    order = sorted(files, key=lambda name: name.removesuffix(".gz") == filename)
    contents = {folder / name: files[name] for name in order}
    with lock_folder(folder):
        replace_files({path: source for path, source in contents.items() if source is not None})
        replace_files({path: None for path, source in contents.items() if source is None})
    composition.document.files = [printable(str(folder / name)) for name in composition.names]


def commit_to_branch(
    repository: str,
    name: str,
    folder: str,
    compose: Compose,
    *,
    message: str,
    remote: str | None,
) -> Composition:
    """Compose the sitemap of a branch, and commit it to the branch.

    If another process commits to the branch in the meantime, its commit is kept, and everything
    starts again from that commit.

    Args:
        repository: A folder of the repository.
        name: The name of the branch.
        folder: The folder of the deployed tree in the branch; empty for its top level.
        compose: Composes the sitemap.
        message: The message of the commit.
        remote: The remote to push to; `None` to push nothing.

    Raises:
        FileNotFoundError: The branch does not contain the folder.
        GitError: Git failed. The branch was not changed.
    """
    for attempt in range(_ATTEMPTS):
        branch = Branch.find(repository, name, remote or "origin")
        branch.check_writable()
        with TemporaryDirectory() as scratch:
            with closing(DeployedBranch(branch, folder)) as tree:
                composition = compose(tree, Path(scratch))
            if not composition.files:
                return composition
            try:
                commit = branch.commit(folder, composition.files, message)
            except BranchChangedError:
                if attempt + 1 == _ATTEMPTS:
                    raise
                continue
        # Without a new commit, the remote may have newer ones than the local branch.
        if remote is not None and (commit is not None or branch.old == branch.tip):
            _push(branch, commit)
        composition.document.files = composition.names
        composition.document.commit = commit
        return composition
    raise AssertionError  # The last attempt returns or raises.


def _push(branch: Branch, commit: str | None) -> None:
    try:
        branch.push()
    except GitError as error:
        if commit is not None:
            branch.undo(commit)
        fix = error.fix or f"make sure that this works: git push {branch.remote} {branch.name}"
        if isinstance(error, PushRejectedError):
            fix = f"{fetch_command(branch.remote, branch.name)}, and run the command again"
        message = f"{branch.name} was not pushed, and is unchanged: {error}"
        raise GitError(message, fix=fix) from None
