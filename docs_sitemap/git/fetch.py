"""Fetch the missing history of a shallow clone."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from docs_sitemap.git.git_command import Git, GitError
from docs_sitemap.git.repository import read_if_exists

# In seconds. A quiet fetch prints nothing until it ends.
_PATIENCE = 600.0
_TIME_LIMIT = 7_200.0

# Fetch only from the remote, and run no program that its URL names.
_REMOTE_CONFIG = ("-c", "protocol.ext.allow=never", "-c", "fetch.bundleURI=")

# The name of an object, and the ref that leads to it. Other refs could be read as refspecs.
_REF = re.compile(rb"([0-9a-f]+)\t(HEAD|refs/[^\0-\x20\x7f:?*\[\\^~]+)(?:\^\{\})?")


def fetch_full_history(git: Git, head: str, boundary: Collection[str]) -> None:
    """Fetch the missing commits and folders of a shallow clone, but not the content of files.

    No ref is created, changed, or deleted. If the fetch fails, the repository is unchanged.

    Args:
        git: Git in a folder of the repository.
        head: The full name of the commit whose history is needed.
        boundary: The full names of the commits in this history whose parents are missing.

    Raises:
        GitError: There is no remote, or the fetch failed.
        OSError: The configuration of the repository cannot be read or restored.
    """
    remote = _remote(git)
    config, shallow = (_git_path(git, name) for name in ("config", "shallow"))
    old_config, old_shallow = read_if_exists(config), read_if_exists(shallow)
    online = replace(git, patience=_PATIENCE, time_limit=_TIME_LIMIT, network=True)
    options = ["--unshallow", "--filter=blob:none", "--no-tags", "--no-auto-maintenance"]
    options += ["--no-recurse-submodules", "--quiet", "--no-write-fetch-head", "--stdin"]
    # The refspecs and the pruning that the user has configured would change refs.
    options += ["--refmap=", "--no-prune", "--no-prune-tags"]
    fetch = [*_REMOTE_CONFIG, "fetch", *options, "--upload-pack=git-upload-pack", "--", remote]
    try:
        try:
            online.output(fetch, stdin="\n".join(sorted(boundary)).encode())
        except GitError:
            # Some servers do not allow fetching commits by name.
            online.output(fetch, stdin=b"\n".join(_refs_with_history(online, remote, head)))
    except BaseException:
        # Because of the filter, git has declared the remote a promisor of missing objects. Undo
        # that, unless another process has fetched the history or is fetching it.
        is_fetching = shallow.with_name("shallow.lock").exists()
        if (
            read_if_exists(config) != old_config
            and read_if_exists(shallow) == old_shallow
            and not is_fetching
        ):
            _restore(config, old_config)
        raise


def _remote(git: Git) -> str:
    names = os.fsdecode(git.output(["remote"])).split("\n")[:-1]
    if not names:
        raise GitError("the repository has no remote")
    return "origin" if "origin" in names else names[0]


def _refs_with_history(online: Git, remote: str, head: str) -> list[bytes]:
    """Return refs of the remote whose history contains a commit: one that leads to this commit if
    there is one, otherwise all branches.
    """
    arguments = [*_REMOTE_CONFIG, "ls-remote", "--quiet", "--upload-pack=git-upload-pack"]
    lines = online.output([*arguments, "--", remote]).split(b"\n")
    refs = [match.groups() for match in map(_REF.fullmatch, lines) if match]
    for name, ref in refs:
        if name == head.encode():
            return [ref]
    branches = [ref for _, ref in refs if ref == b"HEAD" or ref.startswith(b"refs/heads/")]
    if not branches:  # Without refspecs, git would use those of the configuration.
        raise GitError("the remote has no branches")
    return branches


def _git_path(git: Git, name: str) -> Path:
    line = git.output(["rev-parse", "--git-path", name])
    return Path(os.path.realpath(os.path.join(git.folder, os.fsdecode(line.removesuffix(b"\n")))))


def _restore(config: Path, content: bytes) -> None:
    """Replace the configuration as git does: write to the lock file, and then rename it."""
    lock = config.with_name(f"{config.name}.lock")
    try:
        with open(lock, "xb") as file:
            shutil.copymode(config, lock)  # The configuration may contain secrets.
            file.write(content)
        os.replace(lock, config)
    except FileExistsError:
        pass  # Another process is writing the configuration.
    except BaseException:
        lock.unlink(missing_ok=True)
        raise
