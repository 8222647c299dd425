"""Remotes: which repository at which hosting service a URL in git's configuration
names.

Such a URL can contain a password or a token: as its user, or in its query or fragment.
None of them is part of a `Remote`.
"""

import os
import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import quote, unquote

from .run import Git

# https://git-scm.com/docs/git-clone#_git_urls, without local folders. If there is an
# `@` behind the host, a password contains a slash, and the host is not where it seems
# to be.
_URL = re.compile(
    r"(?:git|https?|ssh|git\+https?|git\+ssh|ssh\+git)://(?:[^/?#]*@)?"
    r"(?P<host>[^/?#@:]+)(?::[0-9]{0,5})?(?P<path>/[^?#@]*)(?:[?#][^@]*)?",
    re.I,
)
# `./a:b` is a folder, and so is `C:/a` on Windows.
_SHORT_URL = re.compile(r"(?:[^/:]*@)?(?P<host>[^/:@]{2,}):(?!//)(?P<path>[^@]*)")

_HOST = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
# https://www.rfc-editor.org/rfc/rfc1123#section-2.1
_MAX_HOST = 253
# Longer than what any hosting service allows.
_MAX_URL = 2_000
# Hosting services allow no other characters in the names of groups and repositories,
# apart from encoded spaces and letters.
_SEGMENT = re.compile(r"(?!\.\.?\Z)(?:[A-Za-z0-9._~+-]|%(?:20|[89A-F][0-9A-F]))+", re.I)


# The folders of commits, and of the files of a commit, at hosting services whose hosts
# contain these names.
_SERVICES = {
    "github": ("commit", "blob"),
    "gitlab": ("-/commit", "-/blob"),
    "bitbucket": ("commits", "src"),
    "codeberg": ("commit", "src/commit"),
    "forgejo": ("commit", "src/commit"),
    "gitea": ("commit", "src/commit"),
}


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

    def commit_url(self, commit: str) -> str:
        """Return the page of a commit. Most services have it at the same path."""
        folder, _ = self._find_folders() or ("commit", "")
        return f"https://{self}/{folder}/{commit}"

    def file_url(self, commit: str, path: str) -> str | None:
        """Return the page of a file of a commit; `None` if the service is unknown."""
        folders = self._find_folders()
        if folders is None:
            return None
        return f"https://{self}/{folders[1]}/{commit}/{quote(os.fsencode(path))}"

    def _find_folders(self) -> tuple[str, str] | None:
        for name, folders in _SERVICES.items():
            if name in self.host:
                return folders
        return None


def parse_remote(url: str) -> Remote | None:
    """Return the repository that the URL of a remote names; `None` for local folders,
    and for a URL that is not one of a hosting service.

    Args:
        url: A URL such as `https://host/group/project.git`, or in the short form of
            SSH, `git@host:group/project.git`.
    """
    if len(url) > _MAX_URL:
        return None
    match = _URL.fullmatch(url) or _SHORT_URL.fullmatch(url)
    if match is None:
        return None
    host = match["host"].lower().removeprefix("www.")
    if len(host) > _MAX_HOST or not _HOST.fullmatch(host):
        return None
    path = match["path"].strip("/").removesuffix(".git")
    segments = [segment for segment in path.split("/") if segment]
    if not segments or not all(map(_SEGMENT.fullmatch, segments)):
        return None
    return Remote(host, "/".join(segments))


def read_urls(git: Git) -> list[str]:
    """Return the URLs that git uses for the remotes of a repository, each once.

    Raises:
        GitError: Git failed.
    """
    urls: dict[str, None] = {}
    for line in os.fsdecode(git.output(["remote", "-v"])).split("\n")[:-1]:
        # The line ends in the use of the URL, and partial clones add their filter.
        urls[line.partition("\t")[2].rpartition(" (")[0]] = None
    return list(urls)


def read_remotes(git: Git) -> frozenset[Remote]:
    """Return the remotes of a repository that are at hosting services.

    Raises:
        GitError: Git failed.
    """
    remotes = map(parse_remote, read_urls(git))
    return frozenset(remote for remote in remotes if remote is not None)


def hide_credentials(message: str, urls: Iterable[str]) -> str:
    """Return a message of git without the passwords and tokens in the URLs of remotes.
    Git itself does not remove all of them.

    Args:
        message: The message.
        urls: The URLs that git uses.
    """
    for url in urls:
        message = message.replace(url, str(parse_remote(url) or "the remote"))
        # Git also names only a part of the URL, such as `user@host`.
        for secret in _find_secrets(url):
            message = message.replace(secret, "")
    return message


def _find_secrets(url: str) -> list[str]:
    """Return the parts of a URL that may be secrets, each with the character that
    separates it from the others.
    """
    rest = url.rpartition("://")[2]
    place = re.split("[?#]", rest, maxsplit=1)[0]
    secrets = [rest.removeprefix(place)]
    login, at, _ = place.rpartition("@")
    user = login.partition(":")[0]
    # Git writes the user in its own spelling.
    for name in (login, user, quote(unquote(user), safe="")):
        secrets.append(name + at)
    port = re.match("[^/]*(:[^/]*)", place.removeprefix(login + at))
    # What is no port may be the rest of a password.
    if port is not None and not port[1][1:].isdigit():
        secrets.append(port[1])
    return [secret for secret in secrets if secret.strip("@:")]
