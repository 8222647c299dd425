"""Branches of deployments, made by `git fast-import`."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from support.sitemaps import BASE


@dataclass(frozen=True)
class Deployment:
    """A commit on a branch of built pages.

    Attributes:
        day: The day in January 2024.
        files: The content of all files, or the mode and the content.
    """

    day: int
    files: Mapping[str, str | tuple[str, bytes]] = field(default_factory=dict)


def deploy(
    repository: Path,
    deployments: Sequence[Deployment],
    branch: str = "gh-pages",
    *,
    hour: int = 11,
) -> None:
    """Make a branch, in place of an earlier one with this name.

    Args:
        repository: The repository.
        deployments: The commits, the oldest first.
        branch: The branch.
        hour: The time of all commits, in UTC.
    """
    ref = f"refs/heads/{branch}".encode()
    stream = [b"reset %s" % ref]
    for number, one in enumerate(deployments, start=1):
        seconds = int(datetime(2024, 1, one.day, hour, tzinfo=UTC).timestamp())
        stream += [b"commit %s" % ref, b"mark :%d" % number]
        stream += [
            b"committer A <a@example.org> %d +0000" % seconds,
            _data(b"Update documentation"),
        ]
        stream += [b"from :%d" % (number - 1)] if number > 1 else []
        stream += [b"deleteall"]
        for name, content in one.files.items():
            mode, data = ("100644", content.encode()) if isinstance(content, str) else content
            path = b'"%s"' % os.fsencode(name).replace(b"\n", b"\\n")
            is_submodule = mode == "160000"
            value = data if is_submodule else b"inline"
            stream += [b"M %s %s %s" % (mode.encode(), value, path)]
            stream += [] if is_submodule else [_data(data)]
    command = ["git", "fast-import", "--quiet", "--force"]
    subprocess.run(command, input=b"\n".join(stream) + b"\n", cwd=repository, check=True)


def built_page(url: str, text: str, build: object = "", base_url: str = BASE) -> str:
    """Return a page that each build writes in another way, with the same main content."""
    return (
        f"<!doctype html><title>{url or 'Home'}</title>"
        f'<link rel="canonical" href="{base_url}{url}">'
        f'<link rel="stylesheet" href="style.{build}.css"><main><h1>{url}</h1>{text}</main>'
    )


def site_files(
    texts: Mapping[str, str], build: object = "", *, folder: str = "", base_url: str = BASE
) -> dict[str, str]:
    """Return the files of a site from the texts of its pages by URL."""
    return {
        f"{folder}{url}index.html": built_page(url, text, build, base_url)
        for url, text in texts.items()
    }


def _data(content: bytes) -> bytes:
    return b"data %d\n%b" % (len(content), content)
