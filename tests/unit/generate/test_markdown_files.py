"""The Markdown file of each page of Zensical and MkDocs."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.sitemaps import write_site

from docs_sitemap_cli.generate.mkdocs_project.markdown_files import MarkdownFiles
from docs_sitemap_cli.generate.mkdocs_project.project import MkDocsProject


@pytest.mark.parametrize(
    ("documents", "page", "expected"),
    [
        ("index.md README.md", "index.html", "index.md"),
        ("a/README.md a/index.markdown", "a/index.html", "a/index.markdown"),
        ("a.md a/index.md", "a/index.html", None),
        ("a.md a/README.md", "a/index.html", None),
        # MkDocs shows one of them, and Zensical another one.
        ("a.md a.mkd", "a/index.html", None),
        ("a/index.md a/index.markdown", "a/index.html", None),
        # The page of an index has no folder of its own.
        ("index.md index/index.md", "index/index.html", "index/index.md"),
        ("a/README.md a/README/README.md", "a/README/index.html", "a/README/README.md"),
        ("index.md a/index.md", "a/index/index.html", None),
        ("README.md", "README/index.html", None),
    ],
)
def test_markdown_files(
    tmp_path: Path, documents: str, page: str, expected: str | None
) -> None:
    docs = tmp_path / "docs"
    write_site(docs, dict.fromkeys(documents.split(), ""))
    files = MarkdownFiles(MkDocsProject(str(tmp_path / "mkdocs.yml"), {}))
    assert files.find(page) == (expected and str(docs / expected))
