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
