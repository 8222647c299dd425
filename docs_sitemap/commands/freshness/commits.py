"""Commits: their subjects, and their pages at the hosting service."""

import re
from collections.abc import Iterable
from contextlib import suppress

import msgspec

from docs_sitemap.any_site.project_files import ProjectFiles
from docs_sitemap.git.repository import open_repository
from docs_sitemap.git.run import GitError

_HASH = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")

_LOG = ["log", "--no-walk=unsorted", "--ignore-missing", "--stdin"]
_LOG += ["--encoding=UTF-8", "--format=%H%x00%s"]

# A remote such as `github.com/group/project`. Local folders have no host with a dot.
_HOSTED = re.compile(r"[^/]+\.[^/]+/.+")

# The folder of commits in the URLs of a repository. GitHub, Codeberg, Gitea, and
# Forgejo have the first one.
_FOLDERS = {"": "commit", "gitlab": "-/commit", "bitbucket": "commits"}


class ReportedCommit(msgspec.Struct, frozen=True):
    """The commit that decides the date of a page.

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
    if not valid:  # Git would print the current commit.
        return commits
    with suppress(GitError):
        output = open_repository(folder).output(_LOG, stdin=valid.encode())
        address = _find_address(folder)
        for line in output.decode("utf-8", "replace").split("\n")[:-1]:
            text, _, subject = line.partition("\0")
            url = address and f"{address}/{text}"
            commits[text] = ReportedCommit(subject, url)
    return commits


def _find_address(folder: str) -> str | None:
    """Return the start of the URLs of commits; `None` if no remote has a host."""
    remotes = filter(_HOSTED.fullmatch, ProjectFiles.read(folder).repositories)
    address = None
    for remote in sorted(remotes)[:1]:
        for host, commits in _FOLDERS.items():
            if host in remote.partition("/")[0]:
                address = f"https://{remote}/{commits}"
    return address
