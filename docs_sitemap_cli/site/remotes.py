"""The remotes of a repository."""

import os

from docs_sitemap.git.remotes import Remote, parse_remote
from docs_sitemap.git.run import Git


def read_remotes(git: Git) -> frozenset[Remote]:
    """Return the remotes of a repository that are at hosting services.

    Raises:
        GitError: Git failed.
    """
    remotes = set()
    for line in os.fsdecode(git.output(["remote", "-v"])).split("\n"):
        # The line ends in the use of the URL, and partial clones add their filter.
        url = line.partition("\t")[2].rpartition(" (")[0]
        remote = parse_remote(url)
        if remote is not None:
            remotes.add(remote)
    return frozenset(remotes)
