"""`mkdocs serve`."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from support.mkdocs import MKDOCS, MkDocsSite
from support.platforms import needs_posix
from support.readers import read
from support.repository import noon


@contextmanager
def serve(project: Path, **env: str) -> Iterator[str]:
    """Serve a project, and return the URL of its home page."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    # With click 8.3, MkDocs does not watch files by default:
    # https://github.com/mkdocs/mkdocs/issues/4032.
    command = [*MKDOCS, "serve", "--livereload", "--dev-addr", address]
    # The output is in a temporary folder, which a killed server does not remove.
    environment = os.environ | {"TMPDIR": str(project.parent)} | env
    with subprocess.Popen(
        command, cwd=project, env=environment, stderr=subprocess.DEVNULL
    ) as server:
        try:
            yield f"http://{address}/docs/"
        finally:
            server.kill()  # not an interrupt, which tests in the background ignore


def fetch_sitemap(base_url: str) -> bytes:
    """Return the sitemap; empty while the server is not ready."""
    try:
        with urlopen(f"{base_url}sitemap.xml") as response:  # noqa: S310  # our own server
            return bytes(response.read())
    except OSError:
        return b""


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_added_pages_are_listed_and_removed_pages_are_not(project: Path) -> None:
    pages = {"index.md": "# Home", "a.md": "# A", "draft.md": "# D"}
    MkDocsSite.create(project, pages, draft_docs="draft.md\n")
    with serve(project) as base_url:

        def urls() -> set[str]:
            data = fetch_sitemap(base_url)
            return (
                {entry.loc.removeprefix(base_url) for entry in read(data)}
                if data
                else set()
            )

        wait_until(lambda: urls() == {"", "a/"})
        (project / "docs/new.md").write_text("# New")
        wait_until(lambda: urls() == {"", "a/", "new/"})
        (project / "docs/a.md").unlink()
        wait_until(lambda: urls() == {"", "new/"})


def test_a_failed_build_does_not_change_the_next_one(project: Path) -> None:
    site = MkDocsSite.create(project, {"index.md": "# Home"}, hooks=["hook.py"])
    hook = """
def on_page_markdown(markdown, **kwargs):
    if "broken" in markdown:
        open("failed", "x").close()
        raise RuntimeError
"""
    site.repository.write({"hook.py": hook})
    page = project / "docs" / "index.md"
    with serve(project) as base_url:
        wait_until(lambda: fetch_sitemap(base_url) != b"")
        page.write_text("# broken")
        wait_until((project / "failed").exists)
        page.write_text("---\nsitemap: {priority: 0.1}\n---\n# Home")
        wait_until(lambda: b"<priority>0.1" in fetch_sitemap(base_url))


@needs_posix
def test_rebuilds_do_not_run_git(project: Path, tmp_path: Path) -> None:
    MkDocsSite.create(project, {"index.md": "# Home\n", "a.md": "# A\n"})
    log, program = tmp_path / "log", tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\necho "$@" >> {log}\nexec {shutil.which("git")} "$@"\n'
    )
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    with serve(project, PATH=path) as base_url:
        wait_until(lambda: fetch_sitemap(base_url).count(noon(1).encode()) == 2)
        commands = log.read_text()
        assert commands
        page = project / "docs" / "a.md"
        page.write_text("---\nsitemap: {priority: 0.1}\n---\n# Changed\n")
        wait_until(lambda: b"<priority>0.1" in fetch_sitemap(base_url))
        assert fetch_sitemap(base_url).count(noon(1).encode()) == 2
        assert log.read_text() == commands


def test_robots_txt_is_served_as_it_is(project: Path) -> None:
    pages = {"index.md": "# Home", "robots.txt": "User-agent: *"}
    MkDocsSite.create(
        project, pages, sitemap={"robots": True}, site_url="https://example.org/"
    )
    with serve(project) as base_url:
        root = base_url.removesuffix("docs/")
        wait_until(lambda: fetch_sitemap(root) != b"")
        with urlopen(f"{root}robots.txt") as response:  # noqa: S310  # our own server
            assert response.read() == b"User-agent: *"
