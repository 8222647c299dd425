"""The same commit gives the same sitemap, however it is built."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.mkdocs import MkDocsSite

ORDER = """
def on_files(files, config):
    import os
    if os.environ.get("ORDER") == "reversed":
        ordered = list(files)[::-1]
        for file in ordered:
            files.remove(file)
        for file in ordered:
            files.append(file)
"""

READ = """
import functools, pathlib

FOLDER = pathlib.Path(__file__).parent

@functools.cache
def note():
    return (FOLDER / "note.txt").read_text()

def on_page_markdown(markdown, page, config, files):
    (FOLDER / "data.txt").read_text()
    return markdown + note()
"""


def create(project: Path) -> MkDocsSite:
    # Only absolute paths make snippets independent of the working directory.
    options = {"auto_append": ["terms.md"], "base_path": [str(project)]}
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home\n\n--8<-- 'part.py:one'\n",
            "lines.md": "# L\n\n--8<-- 'part.py:1:2'\n\nThe HTML page.\n",
            "api.md": "# API\n\n::: pack.mod.load\n",
            "data.md": "# D\n\n{{ word }}\n",
        },
        sitemap={"report": "site/report.json"},
        markdown_extensions=[{"pymdownx.snippets": options}, "abbr"],
        plugins=[
            {"macros": {"include_yaml": ["words.yml"]}},
            {
                "mkdocstrings": {
                    "handlers": {"python": {"options": {"show_source": False}}}
                }
            },
        ],
        hooks=["order.py", "read.py"],
    )
    module = (
        'def load():\n    """Load."""\n    return {}\n\ndef save():\n    """Save."""\n'
    )
    part = "# --8<-- [start:one]\n{}\n# --8<-- [end:one]\n{}\n"
    site.repository.commit(
        {"order.py": ORDER, "read.py": READ, "words.yml": "word: Tea"}, day=2
    )
    site.repository.commit(
        {"note.txt": "\n\nNote.", "data.txt": "1", "terms.md": "*[HTML]: H\n"}, day=3
    )
    for day in range(4, 9):
        site.repository.commit({"pack/mod.py": module.format(day)}, day=day)
        site.repository.commit({"part.py": part.format(day % 3, day)}, day=day)
        site.repository.commit({"terms.md": f"*[HTML]: H\n*[CSS]: {day}\n"}, day=day)
    return site


BUILDS: dict[str, Callable[[MkDocsSite], object]] = {
    "warm cache": lambda site: site.run("build"),
    "reversed": lambda site: site.run("build", ORDER="reversed"),
    "relative path": lambda site: site.run(
        "build", "-f", "../mkdocs.yml", folder="docs"
    ),
    "absolute path": lambda site: site.run(
        "build", "-f", str(site.path / "mkdocs.yml")
    ),
    "new process": lambda site: site.run_process(
        "build", PYTHONHASHSEED="1", TZ="America/Lima", LC_ALL="C"
    ),
    "cold cache": lambda site: site.run(
        "build", DOCS_SITEMAP_CACHE_DIR=str(site.path / "cold")
    ),
    "reversed, cold cache": lambda site: site.run(
        "build", ORDER="reversed", DOCS_SITEMAP_CACHE_DIR=str(site.path / "other")
    ),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[MkDocsSite, list[bytes]]:
    site = create(tmp_path_factory.mktemp("same") / "project")
    site.run("build")
    return site, read(site)


def read(site: MkDocsSite) -> list[bytes]:
    names = ("sitemap.xml", "sitemap.xml.gz", "report.json")
    return [(site.site / name).read_bytes() for name in names]


@pytest.mark.parametrize("name", BUILDS)
def test_all_builds_of_a_commit_give_the_same_bytes(
    built: tuple[MkDocsSite, list[bytes]], name: str
) -> None:
    site, expected = built
    BUILDS[name](site)
    assert read(site) == expected
