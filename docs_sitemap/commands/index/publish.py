"""Write composed sitemaps into a folder, or commit them to a branch."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from docs_sitemap.commands.index.compose import Composition, IndexOptions, compose_sitemaps
from docs_sitemap.commands.index.deployed_tree import DeployedBranch
from docs_sitemap.files import lock_folder
from docs_sitemap.git import Branch, BranchChangedError, GitError, fetch_command
from docs_sitemap.sitemap.protocol import is_part_name
from docs_sitemap.sitemap.writer import replace_sitemap

# How often a commit is tried while other processes commit to the same branch.
_ATTEMPTS = 10
# What git reports if the remote has other commits.
_REJECTED = "error: failed to push some refs"


def write_to_folder(composition: Composition, folder: Path) -> list[Path]:
    """Replace the files of an earlier sitemap: all of them, or none.

    Returns:
        The paths of the sitemap and its parts.

    Raises:
        OSError: A file cannot be written.
    """
    filename, files = composition.filename, composition.files
    folder.mkdir(parents=True, exist_ok=True)
    # The sitemap itself is replaced last.
    names = [name for name in files if name.removesuffix(".gz") != filename]
    contents = {folder / name: files[name] for name in names if files[name] is not None}
    contents |= {folder / name: files[name] for name in (filename, f"{filename}.gz")}
    parts = {name for name, path in files.items() if path and is_part_name(filename, name)}
    old_parts = {name for name, path in files.items() if path is None and name.endswith(".xml")}
    with lock_folder(folder):
        replace_sitemap(folder, filename, contents, parts, old_parts)
    return [folder / name for name in (filename, *sorted(parts, key=_number))]


def commit_to_branch(
    repository: str,
    name: str,
    folder: str,
    options: IndexOptions,
    now: datetime,
    *,
    message: str,
    remote: str | None,
) -> tuple[Composition, str | None]:
    """Compose the sitemaps of a branch, and commit them to the branch.

    If another process commits to the branch in the meantime, its commit is kept, and everything
    starts again from that commit.

    Args:
        repository: A folder of the repository.
        name: The name of the branch.
        folder: The folder of the deployed tree in the branch; empty for its top level.
        options: What to compose.
        now: The current time.
        message: The message of the commit.
        remote: The remote to push to; `None` to push nothing.

    Returns:
        What was composed, and the name of the commit; `None` if nothing changed.

    Raises:
        ComposeError: The options do not fit the branch.
        FileNotFoundError: The branch does not contain the folder.
        GitError: Git failed. The branch was not changed.
    """
    for attempt in range(_ATTEMPTS):
        branch = Branch.find(repository, name, remote or "origin")
        _check_writable(branch)
        with TemporaryDirectory() as scratch:
            tree = DeployedBranch(branch, folder)
            try:
                composition = compose_sitemaps(tree, options, Path(scratch), now)
            finally:
                tree.close()
            if not composition.files:
                return composition, None
            try:
                commit = branch.commit(folder, composition.files, message)
            except BranchChangedError:
                if attempt + 1 == _ATTEMPTS:
                    raise
                continue
        # Without a new commit, the remote may have newer ones than the local branch.
        if remote is not None and (commit is not None or branch.old == branch.tip):
            _push(branch, commit)
        return composition, commit
    raise AssertionError  # The last attempt returns or raises.


def _check_writable(branch: Branch) -> None:
    if branch.ref is None:
        raise GitError(f"{branch.name!r} is not a branch", fix="name a branch, or omit --commit")
    if branch.is_diverged:
        fix = f"git branch --force {branch.name} {branch.remote}/{branch.name}, if you do not need "
        raise GitError(
            f"{branch.name} and {branch.remote}/{branch.name} have different commits",
            fix=f"{fix}the commits that are not pushed",
        )
    work_tree = branch.work_tree()
    if work_tree is not None:
        raise GitError(
            f"{branch.name} is checked out in {work_tree}",
            fix="name that folder instead of the branch, or check out another branch there",
        )


def _push(branch: Branch, commit: str | None) -> None:
    try:
        branch.push()
    except GitError as error:
        if commit is not None:
            branch.undo(commit)
        reason = str(error)
        fix = f"make sure that this works: git push {branch.remote} {branch.name}"
        if reason.startswith(_REJECTED):
            fix = f"{fetch_command(branch.remote, branch.name)}, and run the command again"
        raise GitError(
            f"{branch.name} was not pushed, and is unchanged: {reason.removeprefix('error: ')}",
            fix=error.fix or fix,
        ) from None


def _number(name: str) -> int:
    return int(name.removesuffix(".xml").rpartition("-")[2])
