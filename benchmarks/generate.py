"""Write the sitemap of the built site of any generator."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from benchmarks.core import BASE_URL

_REPOSITORY = "https://github.com/example/project"
_PAGES_OF_A_COMMIT = 10


def generate(folder: str, count: str, links: str = "") -> Callable[[], None]:
    """Create a repository and a site; with edit links if `links` is not empty."""
    path = Path(folder)

    def measured() -> None:
        path.mkdir()
        git = ["git", "-C", folder]
        subprocess.run([*git, "init", "--quiet", "--initial-branch=main"], check=True)
        subprocess.run([*git, "remote", "add", "origin", _REPOSITORY], check=True)
        lines: list[str] = []
        for number in range(int(count)):
            name = f"section-{number % 100}/page-{number}"
            if number % _PAGES_OF_A_COMMIT == 0:
                lines += ["commit refs/heads/main"]
                lines += [f"committer A <a@example.org> {1_700_000_000 + number} +0000"]
                lines += ["data 1", "x"]
            lines += [f"M 100644 inline docs/{name}.md", f"data {len(name)}", name]
            page = path / f"site/{name}/index.html"
            page.parent.mkdir(parents=True)
            page.write_text(_page(name, links))
        stream = "\n".join([*lines, ""])
        subprocess.run(
            [*git, "fast-import", "--quiet"], input=stream, text=True, check=True
        )
        subprocess.run([*git, "reset", "--hard", "--quiet"], check=True)

    return measured


def _page(name: str, links: str) -> str:
    link = (
        f'<a href="{_REPOSITORY}/edit/main/docs/{name}.md">Edit this page</a>'
        if links
        else ""
    )
    text = '<p>Some text with a <a href="/docs/">link</a>.</p>' * 400
    return (
        f'<!doctype html><html><head><meta charset="utf-8"><title>{name}</title></head>'
        f"<body><main>{text}</main>{link}"
    )


def this_project(folder: str, count: str) -> Callable[[], int]:
    """Run the command in the project. The result is the number of pages."""
    from docs_sitemap_cli.generate.command import generate

    os.chdir(folder)

    def measured() -> int:
        output = StringIO()
        with redirect_stdout(output):
            generate.main(["site", "--base-url", BASE_URL], standalone_mode=False)
        if (
            f"{int(count):,} pages listed, {int(count):,} dated"
            not in output.getvalue()
        ):
            raise AssertionError(output.getvalue())
        return int(count)

    return measured
