"""The recipes in the documentation work for the sites that the generators have built."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from support.cli import Done, invoke
from support.readers import read
from support.sites import commit_files, make_project
from support.small_sites import unique_text

GUIDE = Path(__file__).parents[3] / "docs/guides/recipes.md"
RECIPES = dict(
    re.findall(r"^## (.+)\n\n```console\n([^`]*)```", GUIDE.read_text("utf-8"), re.M)
)
SITES = {"MkDocs 2": "mkdocs2", "MyST and Jupyter Book 2": "myst", "Plain HTML": "html"}
SHOW_DATES = {"Docusaurus", "Starlight", "VitePress"}
BUILT_IN_OTHER_TESTS = {"pdoc", "Zensical"}
_PKGDOWN = "Source: <a href='https://github.com/example/project/blob/HEAD/{}'><code>{}</code></a>"
# Pages where these generators write them: the output folder, and the source of each
# page. `None` stands for no source.
LAYOUTS: dict[str, tuple[str, dict[str, str | None]]] = {
    "Hexo": (
        "public",
        {
            "about/index.html": "source/about/index.md",
            "guide/setup.html": "source/guide/setup.md",
            "2024/03/05/hello/index.html": "source/_posts/2024-03-05-hello.md",
            "2024/04/01/second/index.html": "source/_posts/second.md",
            "archives/index.html": None,
        },
    ),
    "HonKit": (
        "_book",
        {
            "index.html": "README.md",
            "guide/index.html": "guide/README.md",
            "faq.html": "faq.md",
        },
    ),
    "Next.js": (
        "out",
        {
            "index.html": "app/page.tsx",
            "docs/setup.html": "app/docs/setup/page.mdx",
            "pricing.html": "app/(marketing)/pricing/page.tsx",
        },
    ),
    "pkgdown": (
        "docs",
        {
            "index.html": "README.md",
            "articles/setup.html": "vignettes/setup.Rmd",
            "reference/add.html": "R/add.R",
            "news/index.html": "NEWS.md",
            "reference/index.html": None,
        },
    ),
    "Quarto": (
        "_site",
        {
            "index.html": "index.qmd",
            "guide/setup.html": "guide/setup.qmd",
            "guide/run.html": "guide/run.ipynb",
        },
    ),
    "Rspress": (
        "doc_build",
        {"index.html": "docs/index.md", "guide/start.html": "docs/guide/start.mdx"},
    ),
    "VuePress": (
        "docs/.vuepress/dist",
        {"index.html": "docs/README.md", "guide/setup.html": "docs/guide/setup.md"},
    ),
}


def run_and_check(title: str) -> tuple[Done, Done]:
    """Write the sitemap as in a recipe, and check the folder of the site."""
    (line,) = re.findall(r"^\$ docs-sitemap (.+)", RECIPES[title], re.M)
    command, folder, *options = shlex.split(line)
    return invoke(command, folder, *options), invoke("check", folder)


@pytest.mark.parametrize(
    "title", sorted(RECIPES.keys() - BUILT_IN_OTHER_TESTS - LAYOUTS.keys())
)
def test_recipe(title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project(tmp_path, SITES.get(title, title.lower()))
    monkeypatch.chdir(
        project.path / "docs" if title.startswith("MyST") else project.path
    )
    written, checked = run_and_check(title)
    assert written.code == 0, written.err
    # The generator does not know that an included file is newer.
    expected = "lastmod-not-shown" if title in SHOW_DATES else "no problems found"
    if title.startswith("MyST"):
        expected = "1 notice in"
    assert expected in checked.out
    assert checked.out.count(": warning ") <= 2


@pytest.mark.parametrize("title", sorted(LAYOUTS))
def test_recipe_for_a_layout(
    title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """These generators are not installed: a few pages are where they write them."""
    site, pages = LAYOUTS[title]
    for file in ("README.md", *filter(None, pages.values())):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(f"# {file}\n\n{unique_text(file)}\n")
    dates = commit_files(tmp_path)
    for name, source in pages.items():
        page = tmp_path / site / name
        page.parent.mkdir(parents=True, exist_ok=True)
        url = f"https://example.org/docs/{name.removesuffix('index.html')}"
        link = _PKGDOWN.format(source, source) if title == "pkgdown" and source else ""
        page.write_text(
            f"<title>{name}</title><link rel=canonical href={url}><h1>{name}</h1>{link}"
            f"<p>{unique_text(source or name)}</p>"
        )
    monkeypatch.chdir(tmp_path)
    written, checked = run_and_check(title)
    assert written.code == 0, written.err
    assert "no problems found" in checked.out
    found = {
        entry.loc: entry.lastmod
        for entry in read((tmp_path / site / "sitemap.xml").read_bytes())
    }
    assert found == {
        f"https://example.org/docs/{name.removesuffix('index.html')}": dates.get(
            source or ""
        )
        for name, source in pages.items()
    }
