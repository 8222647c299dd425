"""Fetch the missing history of a shallow clone."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from docs_sitemap._git.git_command import Git, GitError
from docs_sitemap._git.repository import read_if_exists

# In seconds. A quiet fetch prints nothing until it ends.
_PATIENCE = 600.0


def fetch_full_history(git: Git, boundary: Collection[str]) -> None:
    """Fetch the missing commits and folders of a shallow clone, but not the content of files.

    If the fetch fails, the repository is unchanged.

    Args:
        git: Git in a folder of the repository.
        boundary: The full names of the commits whose parents are missing.

    Raises:
        GitError: There is no remote, or the fetch failed.
        OSError: The configuration of the repository cannot be read or restored.
    """
    remote = _remote(git)
    config, shallow = (_git_path(git, name) for name in ("config", "shallow"))
    old_config, old_shallow = config.read_bytes(), read_if_exists(shallow)
    online = replace(git, patience=_PATIENCE, network=True)
    fetch = ["-c", "protocol.ext.allow=never", "fetch", "--unshallow", "--filter=blob:none"]
    fetch += ["--no-tags", "--no-auto-maintenance", "--no-recurse-submodules", "--quiet"]
    fetch += ["--no-write-fetch-head", "--upload-pack=git-upload-pack", "--", remote]
    try:
        try:
            online.output([*fetch, *sorted(boundary)])
        except GitError:
            # Some servers do not allow fetching commits by name.
            online.output(fetch)
    except BaseException:
        # Because of the filter, git has declared the remote a promisor of missing objects. Undo
        # that, unless another process has fetched the history or is fetching it.
        is_fetching = shallow.with_name("shallow.lock").exists()
        if (
            config.read_bytes() != old_config
            and read_if_exists(shallow) == old_shallow
            and not is_fetching
        ):
            _restore(config, old_config)
        raise


def _remote(git: Git) -> str:
    names = os.fsdecode(git.output(["remote"])).splitlines()
    if not names:
        raise GitError("the repository has no remote")
    return "origin" if "origin" in names else names[0]


def _git_path(git: Git, name: str) -> Path:
    line = git.output(["rev-parse", "--git-path", name])
    return Path(os.path.realpath(os.path.join(git.folder, os.fsdecode(line.removesuffix(b"\n")))))


def _restore(config: Path, content: bytes) -> None:
    """Replace the configuration as git does: write to the lock file, and then rename it."""
    lock = config.with_name(f"{config.name}.lock")
    with suppress(FileExistsError):  # Another process is writing the configuration.
        with open(lock, "xb") as file:
            shutil.copymode(config, lock)  # The configuration may contain secrets.
            file.write(content)
        os.replace(lock, config)
