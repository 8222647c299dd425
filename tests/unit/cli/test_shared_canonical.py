"""Layouts that write the canonical link of one page into all: `generate` and `check`
say so, and not if pages have good reasons to name another page.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from support.cli import invoke
from support.repository import Repository
from support.sitemaps import BASE, check, summarize, urls, write_site
from support.small_sites import html

# The target of the canonical link of each page, relative to the URL of the site; `None`
# stands for no link.
Links = Mapping[str, str | None]

OWN = {f"{name}.html": f"{name}.html" for name in ("a", "b", "c")}
OLD = "https://old.example/"

WRONG: dict[str, Links] = {
    "all name the home page": {"index.html": "", **dict.fromkeys(OWN, "")},
    "all but the home page": {"index.html": None, **dict.fromkeys(OWN, "index.html")},
    "all name the old home page": {"index.html": OLD, **dict.fromkeys(OWN, OLD)},
    "all name a page that does not exist": dict.fromkeys(OWN, "gone/"),
    "the layout of the posts": {
        "index.html": "",
        "a.html": "a.html",
        **{f"posts/{number}.html": "posts/1.html" for number in range(1, 6)},
    },
}
INTENDED: dict[str, Links] = {
    "own links": {"index.html": "", **OWN},
    "later pages of a list": {
        "index.html": "",
        **OWN,
        "blog/index.html": "blog/",
        **{f"blog/{number}/index.html": "blog/" for number in range(2, 6)},
    },
    "print versions, and pages for phones": {
        "index.html": "",
        **OWN,
        **{f"print/{name}": name for name in OWN},
        **{f"amp/{name}": name for name in OWN},
    },
    # More versions than pages.
    "old versions": {
        **{f"latest/{name}": f"latest/{name}" for name in OWN},
        **{f"{n}.0/{name}": f"latest/{name}" for name in OWN for n in range(6)},
    },
    "posts from an old blog": {
        "index.html": "",
        **OWN,
        **{f"old/{name}": f"{OLD}{name}" for name in OWN},
    },
    "two pages, one for printing": {"index.html": "", "print.html": ""},
}


def write(links: Links) -> Path:
    """Write a site with a sitemap that lists all pages."""
    pages = {}
    for name, target in links.items():
        link = ""
        if target is not None:
            url = target if "://" in target else BASE + target
            link = f'<link rel="canonical" href="{url}">'
        pages[name] = html(name, f"<p>{name}</p>", head=link)
    listed = urls(*(name.removesuffix("index.html") for name in links))
    return write_site(Path("site"), {**pages, "sitemap.xml": listed})


@pytest.fixture(autouse=True)
def repository(project: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    repository = Repository.create(project)
    monkeypatch.chdir(project)
    return repository


def shared(site: Path) -> int:
    """Return how often `check` reports the canonical link of a layout."""
    found = summarize(check(site, base_url=BASE).diagnostics)
    return found.count("canonical-shared")


@pytest.mark.parametrize("links", WRONG.values(), ids=WRONG)
def test_a_layout_with_the_link_of_one_page(links: Links) -> None:
    site = write(links)
    assert shared(site) == 1
    done = invoke("generate", site, "--base-url", BASE)
    assert done.err.count("Warning: ") == 1 + (done.code == 1)
    assert "template" in done.err
    # The new sitemap lists no such page, and its report has the reasons.
    if done.code == 0:
        assert shared(site) == 1
        (site / "sitemap.xml").touch()
        assert invoke("check", site, "--strict").code == 1


@pytest.mark.parametrize("links", INTENDED.values(), ids=INTENDED)
def test_pages_that_name_another_page_on_purpose(links: Links) -> None:
    site = write(links)
    assert shared(site) == 0
    done = invoke("generate", site, "--base-url", BASE)
    assert "template" not in done.err
    assert shared(site) == 0


def test_a_list_of_reasons_to_ignore() -> None:
    site = write(WRONG["all name the home page"])
    Path("docs-sitemap.toml").write_text('ignore_reasons = ["canonical"]\n')
    done = invoke("generate", site, "--base-url", BASE)
    assert "template" not in done.err
