"""The history that a shallow clone lacks, fetched."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from docs_sitemap.git.run import GitError, git_pieces

# Seconds after which a fetch is given up: it says nothing before its end.
_PATIENCE = 600.0


def unshallow(path: str, boundary: Collection[str]) -> None:
    """Fetch the commits and trees that a shallow clone lacks, not the content of their files.

    If that cannot be, the repository is left as it was.

    Args:
        path: a folder of the repository.
        boundary: the commits whose parents are missing.

    Raises:
        GitError: there is no remote, or the fetch failed.
    """
    remote = _remote(path)
    config, shallow = (_git_path(path, name) for name in ("config", "shallow"))
    before = config.read_bytes(), _read(shallow)
    fetch = ["-c", "protocol.ext.allow=never", "fetch", "--unshallow", "--filter=blob:none"]
    fetch += ["--no-tags", "--no-auto-maintenance", "--no-recurse-submodules", "--quiet"]
    fetch += ["--no-write-fetch-head", "--upload-pack=git-upload-pack", "--", remote]
    try:
        try:
            _run([*fetch, *sorted(boundary)], path)
        except GitError:
            # Not every server gives what is asked for by its name.
            _run(fetch, path)
    except BaseException:
        # A filter makes git note in its configuration that objects may be missing. If another
        # build has fetched them meanwhile, some are.
        lock = shallow.with_name("shallow.lock")
        if config.read_bytes() != before[0] and _read(shallow) == before[1] and not lock.exists():
            _restore(config, before[0])
        raise


def _run(arguments: list[str], path: str) -> None:
    for _ in git_pieces(arguments, cwd=path, network=True, patience=_PATIENCE):
        pass


def _remote(path: str) -> str:
    names = os.fsdecode(b"".join(git_pieces(["remote"], cwd=path))).splitlines()
    if not names:
        raise GitError("it has no remote")
    return "origin" if "origin" in names else names[0]


def _git_path(path: str, name: str) -> Path:
    line = b"".join(git_pieces(["rev-parse", "--git-path", name], cwd=path))
    return Path(os.path.realpath(os.path.join(path, os.fsdecode(line.removesuffix(b"\n")))))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def _restore(config: Path, content: bytes) -> None:
    lock = config.with_name(f"{config.name}.lock")
    with suppress(FileExistsError):  # git's own lock: someone else writes just now
        with open(lock, "xb") as file:
            shutil.copymode(config, lock)  # it may hold secrets
            file.write(content)
        os.replace(lock, config)
