"""The repositories at hosting services that a clone has as remotes."""

import os
import re

from docs_sitemap.git.run import Git

# The lines of `git remote -v` end in the use of the URL, and partial clones add their
# filter.
_REMOTE = re.compile(r"[^\t\n]*\t(.*) \((?:fetch|push)\).*")
# `https://host/group/project.git` and `git@host:group/project.git`.
_REMOTE_URL = re.compile(
    r"(?:[a-z+]+://(?:[^@/]*@)?(?P<host>[^:/]+)(?::\d+)?/|(?:[^@/]*@)?(?P<alias>[^:/]+):)"
    r"(?P<path>.+?)(?:\.git)?/*",
    re.I,
)


def read_remotes(git: Git) -> frozenset[str]:
    """Return the hosts and paths of the remotes, such as `github.com/group/project`.

    Raises:
        GitError: Git failed.
    """
    repositories = set()
    for match in _REMOTE.finditer(os.fsdecode(git.output(["remote", "-v"]))):
        repository = _repository(match[1])
        if repository is not None:
            repositories.add(repository)
    return frozenset(repositories)


def _repository(url: str) -> str | None:
    match = _REMOTE_URL.fullmatch(url)
    if match is None:
        return None
    host = (match["host"] or match["alias"]).lower().removeprefix("www.")
    return f"{host}/{match['path'].strip('/').lower()}"
