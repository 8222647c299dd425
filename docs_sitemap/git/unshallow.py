"""Fetch the missing history of shallow clones."""

import os
from collections.abc import Collection
from contextlib import suppress

from .remotes import hide_credentials, read_urls
from .run import Git, GitError

# In seconds. A quiet fetch prints nothing until it ends.
_TIMEOUT = 600.0

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


class FetchError(GitError):
    """The missing history cannot be fetched."""


def fetch_full_history(git: Git, boundary: Collection[str]) -> None:
    """Fetch the missing history of a shallow clone. No ref is created, changed, or
    deleted. If the fetch fails, the repository is unchanged.

    Args:
        git: Git in a folder of the repository.
        boundary: The hashes of the commits whose parents are missing.

    Raises:
        FetchError: There is no remote, or the fetch failed.
    """
    online = git._replace(timeout=_TIMEOUT, network=True)
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
        with suppress(GitError):
            message = hide_credentials(message, read_urls(git))
        raise FetchError(message) from None
