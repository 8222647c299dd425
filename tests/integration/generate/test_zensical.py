"""A project that leaves MkDocs 1.x keeps its URLs and dates with Zensical and with
ProperDocs.
"""

from __future__ import annotations

import shutil
import sys

import pytest
from support.cli import docs_sitemap
from support.command import run
from support.mkdocs import PROPERDOCS, MkDocsSite
from support.repository import noon

pytest.importorskip("zensical")

# In the order of the days of their commits, from the second.
DOCS = {
    "README.md": "# Home",
    "guide/index.md": "# Guide",
    "guide/01-install.md": "---\ntitle: Setup\n---\n# Install",
    "guide/Über uns.md": "# About",
    "guide/usage.md": '# Usage\n\n--8<-- "limits.md"\n',
    "tutorial.md": '# Tutorial\n\n```python\n--8<-- "example.py"\n```\n',
    "blog/index.md": "# News",
    "blog/posts/hello.md": "---\ndate: 2024-03-05\n---\n# Hello",
    "old.md": "---\nsitemap:\n  exclude: true\n---\n# Old",
}
INCLUDED = {"limits.md": "Up to 100 files.\n", "example.py": "print('Hello')\n"}


@pytest.fixture
def mkdocs_site(tmp_path_factory: pytest.TempPathFactory) -> MkDocsSite:
    """Return a project that MkDocs has built, with its first site in the folder
    `before`.
    """
    site = MkDocsSite.create(
        tmp_path_factory.mktemp("project"),
        {},
        plugins=["blog"],
        theme={"name": "material", "font": False, "features": ["content.action.edit"]},
        repo_url="https://github.com/example/project",
        edit_uri="edit/main/docs/",
        markdown_extensions=[
            "pymdownx.superfences",
            {"pymdownx.snippets": {"base_path": "parts"}},
        ],
    )
    site.repository.git("remote", "add", "origin", "git@github.com:example/project.git")
    files = {f"docs/{name}": text for name, text in DOCS.items()}
    files |= {f"parts/{name}": text for name, text in INCLUDED.items()}
    for day, (name, text) in enumerate(files.items(), start=2):
        site.repository.commit({name: text}, day=day)
    site.build()
    shutil.move(site.site, site.path / "before")
    return site


# What `compare` prints of sitemaps that say the same.
NOTHING = "9 URLs before, 9 after\n"


def dates(site: MkDocsSite) -> dict[str, str | None]:
    return {path: entry.lastmod for path, entry in site.read().items()}


def compare(site: MkDocsSite) -> str:
    """Return the differences to the site that MkDocs has built."""
    return docs_sitemap("compare", "before", "site", cwd=site.path).out


def test_zensical(mkdocs_site: MkDocsSite) -> None:
    site = mkdocs_site
    run((sys.executable, "-m", "zensical", "build"), cwd=site.path)
    assert set(dates(site).values()) == {None}
    done = docs_sitemap("generate", "site", "-v", "--min-dated", "75", cwd=site.path)
    assert "9 dated: 9 by" in done.out, done
    assert "archive/2024.md" not in done.out  # There is no such file.
    assert dates(site) == {
        "": noon(2),
        "guide/": noon(3),
        "guide/01-install/": noon(4),
        "guide/%C3%9Cber%20uns/": noon(5),
        "guide/usage/": noon(11),
        "tutorial/": noon(12),
        "blog/2024/03/05/hello/": noon(9),
        "blog/": noon(9),
        "blog/archive/2024/": noon(9),
    }
    done = docs_sitemap("check", "--strict", "site", cwd=site.path)
    assert done.code == 0, done
    assert compare(site) == NOTHING


def test_properdocs(mkdocs_site: MkDocsSite) -> None:
    run((*PROPERDOCS, "build", "--strict"), cwd=mkdocs_site.path)
    assert compare(mkdocs_site) == NOTHING
