"""The dates of `docs-sitemap generate` depend on the commit, and not on the computer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from support.readers import read
from support.repository import Repository, noon
from support.sitemaps import BASE, write_site
from support.small_sites import html

# Parsers that other packages install.
PARSERS = ("docutils", "markdown", "myst_parser", "pymdownx", "sphinx")

RUN = """\
import sys
for name in sys.argv.pop(1).split():
    sys.modules[name] = None
from docs_sitemap_cli.root import main
main()
"""


def test_the_same_commit_has_the_same_dates(project: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"docs/index.md": "One two.\n"}, day=1)
    repository.commit({"docs/a.md": "One two.\n", "docs/b.rst": "One two.\n"}, day=2)
    wrapped = "One\ntwo.\n"
    repository.commit({"docs/index.md": wrapped, "docs/a.md": f"{wrapped}\n"}, day=3)
    repository.commit({"docs/b.rst": wrapped}, day=4)
    repository.commit({"docs/b.rst": f"{wrapped}\n"}, day=5)
    pages = ("index.html", "a.html", "b.html")
    write_site(project / "site", {name: html(name) for name in pages})

    def dates(hidden: str) -> dict[str, str | None]:
        command = [sys.executable, "-c", RUN, hidden, "generate", "site"]
        subprocess.run([*command, "--base-url", BASE], cwd=project, check=True)
        entries = read((project / "site/sitemap.xml").read_bytes())
        return {entry.loc.removeprefix(BASE): entry.lastmod for entry in entries}

    expected = {"": noon(1), "a.html": noon(2), "b.html": noon(2)}
    assert dates("") == expected
    assert dates(" ".join(PARSERS)) == expected
