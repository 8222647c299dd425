"""Material for MkDocs reads the sitemap in the browser: for instant navigation, the
selector of versions, and the selector of languages.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.browser import Browser, needs_browser, serve
from support.cli import invoke
from support.mike import run_mike
from support.mkdocs import MkDocsSite

pytest.importorskip("material")
pytest.importorskip("selenium")
pytestmark = needs_browser

PAGES = {"index.md": "# Home\n", "a.md": "# A\n", "b.md": "# B\n"}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


def create(project: Path, url: str, pages: dict[str, str], **config: Any) -> MkDocsSite:
    theme = {"name": "material", "font": False, "features": ["navigation.instant"]}
    return MkDocsSite.create(project, pages, site_url=url, theme=theme, **config)


def split_sitemap(site: Path, url: str) -> None:
    """Replace the sitemap with an index, as of a site with more than 50,000 pages."""
    (site / "sitemap.xml").rename(site / "sitemap-1.xml")
    (site / "sitemap.xml").write_text(
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        f"<sitemap><loc>{url}sitemap-1.xml</loc></sitemap></sitemapindex>"
    )


def test_instant_navigation(project: Path, browser: Browser) -> None:
    with serve(project) as root:
        url = f"{root}site/"
        site = create(project, url, PAGES)
        site.run("build")
        browser.open(url)
        browser.click('.md-nav a[href$="a/"]')
        browser.wait_for(f"{url}a/")
        assert browser.is_same_page


def test_with_an_index_pages_are_loaded_as_a_whole(
    project: Path, browser: Browser
) -> None:
    with serve(project) as root:
        url = f"{root}site/"
        site = create(project, url, PAGES)
        site.run("build")
        split_sitemap(site.site, url)
        browser.open(url)
        browser.click('.md-nav a[href$="a/"]')
        browser.wait_for(f"{url}a/")
        assert not browser.is_same_page


def test_the_selector_of_languages(project: Path, browser: Browser) -> None:
    pages = {
        name.replace(".md", f"{suffix}.md"): text
        for name, text in PAGES.items()
        for suffix in ("", ".fr")
        if (name, suffix) != ("b.md", ".fr")
    }
    languages = [
        {"locale": "en", "name": "English", "default": True, "build": True},
        {"locale": "fr", "name": "Français", "build": True},
    ]
    i18n = {
        "docs_structure": "suffix",
        "languages": languages,
        "fallback_to_default": False,
    }
    with serve(project) as root:
        url = f"{root}site/"
        site = create(project, url, pages, plugins=[{"i18n": i18n}])
        site.run("build")
        for page, expected in (("a/", "fr/a/"), ("b/", "fr/")):
            browser.open(f"{url}{page}")
            browser.click('.md-select a[hreflang="fr"]')
            browser.wait_for(f"{url}{expected}")


def deploy(site: MkDocsSite, versions: dict[str, dict[str, str]]) -> None:
    for number, (name, pages) in enumerate(versions.items(), start=1):
        site.repository.git("rm", "-rq", "--ignore-unmatch", "docs")
        site.repository.commit(
            {f"docs/{page}": text for page, text in pages.items()}, day=number
        )
        run_mike(site, "deploy", name)


@pytest.mark.parametrize("index", ["none", "above the versions", "in the version"])
def test_the_selector_of_versions(project: Path, browser: Browser, index: str) -> None:
    with serve(project) as root:
        url = f"{root}deployed/"
        version = {"provider": "mike"}
        site = create(project, url, {}, plugins=["mike"], extra={"version": version})
        deploy(
            site,
            {"1.0": PAGES, "2.0": {"index.md": "# Home", "a.md": "# A", "c.md": "# C"}},
        )
        if index == "above the versions":
            done = invoke(
                "index", "gh-pages", "--base-url", url, "--commit", cwd=site.path
            )
            assert done.code == 0, done.err
        subprocess.run(
            [
                "git",
                "-C",
                project,
                "worktree",
                "add",
                "--quiet",
                "deployed",
                "gh-pages",
            ],
            check=True,
        )
        if index == "in the version":
            split_sitemap(project / "deployed/2.0", f"{url}2.0/")
        target = "2.0/" if index == "in the version" else "2.0/a/"
        for page, expected in (("a/", target), ("b/", "2.0/")):
            browser.open(f"{url}1.0/{page}")
            browser.click(f'.md-version a[href="{url}2.0/"]')
            browser.wait_for(f"{url}{expected}")
