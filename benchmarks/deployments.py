"""Date the pages of a branch in which each deployment rewrites all pages, and changes a few."""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.core import BASE_URL

_START = 1_600_000_000
_DAY = 86_400

_HTML = (
    '<!doctype html><html><head><title>Page {page}</title><link rel="stylesheet" '
    'href="style.{deployment}.css"><link rel="canonical" href="{url}"></head><body>'
    f"<nav>{'<a href=x>Page</a>' * 50}</nav>"
    "<main><h1>Page {page}</h1><p>Revision {revision}.</p>"
    f"{'<p>Some <b>text</b> of the page.</p>' * 50}</main></body></html>"
)


def generate(folder: Path, pages: int, deployments: int) -> dict[str, int]:
    """Create a repository with a branch `gh-pages`, and an empty branch `main`.

    Returns:
        The number of the deployment that changed each page last, by URL.
    """
    folder.mkdir(parents=True)
    git = ["git", "-C", str(folder)]
    subprocess.run([*git, "init", "--quiet", "--initial-branch=main"], check=True)
    with subprocess.Popen([*git, "fast-import", "--quiet"], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        last = [0] * pages
        for block in _stream(last, deployments):
            process.stdin.write(block)
    if process.returncode:
        raise RuntimeError("git fast-import failed")
    return {f"page-{page}/": number for page, number in enumerate(last)}


def _stream(last: list[int], deployments: int) -> Iterator[bytes]:
    """Yield the input of `git fast-import`, and update the last change of each page."""
    source = random.Random(0)  # noqa: S311  # not for cryptography
    for number in range(deployments):
        for branch in (b"main", b"gh-pages"):
            seconds = _START + number * _DAY
            yield b"commit refs/heads/%s\ncommitter A <a@example.org> %d +0000\n" % (
                branch,
                seconds,
            )
            yield b"data 0\n"
        for page in range(len(last)):
            # A site changes in one place more often than in another.
            if number and source.random() < 0.5 / (1 + page % 50):
                last[page] = number
            url = f"{BASE_URL}page-{page}/"
            data = _HTML.format(page=page, deployment=number, url=url, revision=last[page])
            yield b"M 644 inline page-%d/index.html\n" % page
            yield b"data %d\n%b\n" % (len(data), data.encode())


def record(folder: str, expected: str) -> Callable[[], dict[str, Any]]:
    """Make a content record, and compare its dates with those that are expected."""
    from docs_sitemap.any_site.config_file import read_settings
    from docs_sitemap.any_site.deployments import record_deployments
    from docs_sitemap.record.digest import digest_content

    os.chdir(folder)
    dates = {
        url: datetime.fromtimestamp(_START + number * _DAY, UTC) if number else None
        for url, number in json.loads(expected).items()
    }

    def measured() -> dict[str, Any]:
        name = "docs_sitemap.any_site.deployments.digest_content"
        with patch(name, wraps=digest_content) as digest:
            content, _ = record_deployments("gh-pages", "", read_settings({}))
        pages = content.pages
        incorrect = sum(
            url not in pages or date != pages[url].lastmod for url, date in dates.items()
        )
        return {"read": digest.call_count, "incorrect": incorrect}

    return measured
