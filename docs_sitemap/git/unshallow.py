"""The history that a shallow clone lacks, fetched."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from docs_sitemap.git.run import GitError, git_pieces

# Seconds without a word after which a fetch counts as hanging.
_PATIENCE = 600.0


def unshallow(path: str, head: str) -> None:
    """Fetch the commits and trees that lead to a commit, not the content of their files.

    If that cannot be, the repository is left as it was.

    Args:
        path: a folder of the repository.
        head: the full name of the commit.

    Raises:
        GitError: there is no remote, or the fetch failed.
    """
    remote = _remote(path)
    arguments = ["rev-parse", "--git-path", "config"]
    line = b"".join(git_pieces(arguments, cwd=path)).removesuffix(b"\n")
    config = Path(path, os.fsdecode(line))
    before = config.read_bytes()
    fetch = ["fetch", "--unshallow", "--filter=blob:none", "--no-tags", "--no-auto-maintenance"]
    fetch += ["--no-recurse-submodules", "--no-write-fetch-head", "--quiet", remote, head]
    try:
        for _ in git_pieces(fetch, cwd=path, network=True, patience=_PATIENCE):
            pass
    except BaseException:
        # A filter makes git note in its configuration that objects may be missing.
        if config.read_bytes() != before:
            temporary = config.with_name(f"{config.name}.lock")
            with suppress(FileExistsError):  # git's own lock: someone else writes just now
                with open(temporary, "xb") as file:
                    file.write(before)
                os.replace(temporary, config)
        raise


def _remote(path: str) -> str:
    names = b"".join(git_pieces(["remote"], cwd=path)).decode("utf-8", "replace").splitlines()
    if not names:
        raise GitError("it has no remote")
    return "origin" if "origin" in names else names[0]
