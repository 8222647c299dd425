"""Remotes: which repository at which hosting service a URL in git's configuration
names.

Such a URL can contain a password or a token: as its user, or in its query or fragment.
None of them is part of a `Remote`.
"""

import os
import re
from typing import NamedTuple

from .run import Git

# https://git-scm.com/docs/git-clone#_git_urls, without local folders.
_SCHEMES = {
    *("git", "git+http", "git+https", "git+ssh", "http", "https", "ssh", "ssh+git"),
}

_HOST = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
# https://www.rfc-editor.org/rfc/rfc1123#section-2.1
_MAX_HOST = 253
_PORT = re.compile(r"[0-9]{0,5}")
# Longer than what any hosting service allows.
_MAX_URL = 2_000
# Hosting services allow no other characters in the names of groups and repositories,
# apart from encoded spaces and letters.
_SEGMENT = re.compile(r"(?:[A-Za-z0-9._~+-]|%(?:20|[89A-F][0-9A-F]))+", re.I)

# What only URLs and paths contain in a message of git, and what surrounds them.
_MARKS = frozenset("@:?#")
_PUNCTUATION = "'\":.,"

# A password can contain spaces and quotes, so only the outer quotes are certain. The
# apostrophe in "couldn't" is none.
_QUOTED = re.compile(r"(?P<start>[^']*')(?P<quoted>.*)(?P<end>'(?:[^A-Za-z].*)?)", re.S)


class Remote(NamedTuple):
    """A repository at a hosting service. The text is `github.com/Group/project`.

    Attributes:
        host: The host in lower case, without `www.` and without a port.
        path: The path as written, percent-encoded, without slashes around it and
            without `.git`.
    """

    host: str
    path: str

    def __str__(self) -> str:
        return f"{self.host}/{self.path}"


def parse_remote(url: str) -> Remote | None:
    """Return the repository that the URL of a remote names; `None` for local folders,
    and for a URL that is not one of a hosting service.

    Args:
        url: A URL such as `https://host/group/project.git`, or in the short form of
            SSH, `git@host:group/project.git`.
    """
    if len(url) > _MAX_URL:
        return None
    scheme, separator, rest = url.partition("://")
    if separator:
        if scheme.lower() not in _SCHEMES:
            return None
        authority = re.split("[/?#]", rest, maxsplit=1)[0]
        path = rest.removeprefix(authority)
        # Then a password contains a slash, and the host is not where it seems to be.
        if "@" in path:
            return None
        path = re.split("[?#]", path, maxsplit=1)[0]
        host, _, port = authority.rpartition("@")[2].partition(":")
    else:
        authority, _, path = url.partition(":")
        host = authority.rpartition("@")[2]
        port = ""
        # `./a:b` is a folder, and so is `C:/a` on Windows.
        if "/" in authority or len(authority) == 1:
            return None
    host = host.lower().removeprefix("www.")
    if len(host) > _MAX_HOST or not _HOST.fullmatch(host) or not _PORT.fullmatch(port):
        return None
    path = path.strip("/").removesuffix(".git")
    segments = [segment for segment in path.split("/") if segment]
    for segment in segments:
        if segment in (".", "..") or not _SEGMENT.fullmatch(segment):
            return None
    if not segments:
        return None
    return Remote(host, "/".join(segments))


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


def hide_credentials(message: str) -> str:
    """Return a message of git with the host and path of a remote instead of its URL.
    Git itself does not remove all passwords and tokens.
    """
    match = _QUOTED.fullmatch(message)
    if match is None or not _is_remote(match["quoted"]):
        return _hide(message)
    return _hide(match["start"]) + _name(match["quoted"]) + _hide(match["end"])


def _hide(text: str) -> str:
    """Return a text with the names of the remotes in its words."""
    words = text.split(" ")
    return " ".join(_name(word) if _is_remote(word) else word for word in words)


def _is_remote(text: str) -> bool:
    """Return whether a text may be a remote: a URL, a path with a query or a fragment,
    or a host with a port or a path.
    """
    return not _MARKS.isdisjoint(text.strip(_PUNCTUATION))


def _name(url: str) -> str:
    """Return the name of a remote in the text of a message."""
    stripped = url.strip(_PUNCTUATION)
    # Without a scheme, a port that is no number looks like a path.
    remote = parse_remote(stripped) if "://" in stripped else None
    return url.replace(stripped, "the remote" if remote is None else str(remote))
