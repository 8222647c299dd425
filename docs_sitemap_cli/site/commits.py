"""Commits: their subjects, and their pages at the hosting service."""

import re
from collections.abc import Iterable
from contextlib import suppress

import msgspec

from docs_sitemap.git.remotes import read_remotes
from docs_sitemap.git.repository import find_repository
from docs_sitemap.git.run import Git, GitError

_HASH = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")

_LOG = [
    "log",
    "--no-walk=unsorted",
    "--ignore-missing",
    "--stdin",
    "--encoding=UTF-8",
    "--format=%H%x00%s",
]


class ReportedCommit(msgspec.Struct, frozen=True):
    """A commit that decides the date of a page.

    Attributes:
        subject: The first line of the message.
        url: Its page at the hosting service; `None` if the repository has no remote.
    """

    subject: str
    url: str | None


def read_commits(hashes: Iterable[str], folder: str) -> dict[str, ReportedCommit]:
    """Return the commits that the repository of a folder contains, by their hashes."""
    commits: dict[str, ReportedCommit] = {}
    # Git would read other texts as options.
    valid = "\n".join(filter(_HASH.fullmatch, hashes))
    if not valid:
        return commits
    with suppress(GitError):
        git = find_repository(folder)
        output = git.output(_LOG, stdin=valid.encode())
        address = _find_address(git)
        for line in output.decode("utf-8", "replace").split("\n")[:-1]:
            text, _, subject = line.partition("\0")
            url = None
            if address is not None:
                url = f"{address}/{text}"
            commits[text] = ReportedCommit(subject, url)
    return commits


def _find_address(git: Git) -> str | None:
    """Return the start of the URLs of commits; `None` if no remote has a host."""
    for remote in sorted(read_remotes(git)):
        if "." not in remote.host:  # a name in the settings of SSH
            continue
        folder_of_commits = "commit"
        if "gitlab" in remote.host:
            folder_of_commits = "-/commit"
        elif "bitbucket" in remote.host:
            folder_of_commits = "commits"
        return f"https://{remote}/{folder_of_commits}"
    return None
