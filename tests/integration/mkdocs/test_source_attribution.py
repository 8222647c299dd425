"""A source file counts for the pages that show it, however the build is run."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.mkdocs import MkDocsSite
from support.repository import noon


def days(site: MkDocsSite) -> dict[str, int | None]:
    """Return the day in January of each page, by URL."""
    dates = {noon(day): day for day in range(1, 32)}
    return {
        url: dates[entry.lastmod] if entry.lastmod else None for url, entry in site.read().items()
    }


def build(site: MkDocsSite, *arguments: str) -> dict[str, int | None]:
    site.build(*arguments)
    return days(site)


GENERATE = """
import mkdocs_gen_files
with mkdocs_gen_files.open("made.md", "w") as file:
    file.write("# Made\\n")
"""


@pytest.mark.parametrize(
    ("folder", "config"),
    [
        (".", "mkdocs.yml"),
        (".", "./mkdocs.yml"),
        (".", "{absolute}"),
        ("..", "project/mkdocs.yml"),
        ("docs", "../mkdocs.yml"),
    ],
)
def test_the_path_of_the_configuration_does_not_matter(
    project: Path, folder: str, config: str
) -> None:
    site = MkDocsSite.create(
        project,
        {"index.md": "# Home\n\n--8<-- 'part.txt'\n", "a.md": "# A\n\n{{ word }}\n"},
        sitemap={"report": "site/report.json"},
        markdown_extensions=[{"pymdownx.snippets": {"base_path": ["docs/parts"]}}],
        plugins=[
            {"macros": {"include_yaml": ["words.yml"]}},
            # The folder of the script is relative to the working directory.
            {"gen-files": {"scripts": [str(project / "generate.py")]}},
        ],
    )
    # Only absolute paths make snippets independent of the working directory.
    site.replace_in_config("docs/parts", str(project / "docs/parts"))
    site.repository.commit({"words.yml": "word: Tea", "generate.py": GENERATE}, day=2)
    site.repository.commit({"docs/parts/part.txt": "Part."}, day=3)
    assert build(site) == {"": 3, "a/": 2, "made/": None}
    results = [(site.site / name).read_bytes() for name in ("report.json", "sitemap.xml")]
    config = config.format(absolute=project / "mkdocs.yml")
    site.run("build", "--strict", "-f", config, folder=folder)
    assert [(site.site / name).read_bytes() for name in ("report.json", "sitemap.xml")] == results
    assert b"mkdocs_gen_files" not in results[0]


def test_configuration_is_no_source(project: Path) -> None:
    names = ("mkdocs.yml", "mkdocs.part.yaml", "properdocs.yml", ".pages", ".nav.yml", ".meta.yml")
    site = MkDocsSite.create(
        project,
        {"index.md": "# Home\n", "a.md": "# A\n", "b.md": "# B\n\n--8<-- 'part/mkdocs.yml'\n"},
        markdown_extensions=["pymdownx.snippets"],
        hooks=["hook.py"],
    )
    hook = f"""
import pathlib
def on_page_markdown(markdown, page, config, files):
    for name in {names}:
        pathlib.Path("part", name).read_text()
"""
    site.repository.commit({"hook.py": hook, ".meta.yml": ""}, day=2)
    site.repository.commit({f"part/{name}": "" for name in names}, day=3)
    assert build(site) == {"": 1, "a/": 1, "b/": 3}


def test_the_navigation_of_literate_nav_is_no_page(project: Path) -> None:
    pytest.importorskip("mkdocs_literate_nav")
    summary = "* [Home](index.md)\n* [A](a.md)\n"
    pages = {"index.md": "# Home", "a.md": "# A", "SUMMARY.md": summary}
    site = MkDocsSite.create(project, pages, plugins=["literate-nav"])
    site.repository.commit({"docs/SUMMARY.md": "* [A](a.md)\n* [Home](index.md)\n"}, day=2)
    assert build(site) == {"": 1, "a/": 1}
    site.replace_in_config("- literate-nav", "- literate-nav: {nav_file: index.md}")
    site.repository.commit({"docs/index.md": f"# Home\n\n{summary}"}, day=3)
    site.run("build")
    assert days(site) == {"": 3, "SUMMARY/": 2, "a/": 1}
