"""`docs-sitemap index --prune-alternates`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.cli import invoke
from support.deployed import read_index, read_urls
from support.sitemaps import links, page, url, urlset, write_site

ROOT = "https://example.org/"


def write_languages(root: Path) -> None:
    """Write an English site at the root and a German one, which lacks a page."""
    home, old = ({"en": ROOT + name, "de": f"{ROOT}de/{name}"} for name in ("", "old/"))
    files = {
        "sitemap.xml": urlset(url(home["en"], links(**home)), url(old["en"], links(**old))),
        "de/sitemap.xml": urlset(url(home["de"], links(**home))),
    }
    pages = ("index.html", "old/index.html", "de/index.html")
    write_site(root, files | dict.fromkeys(pages, page()))


def run(root: Path, *arguments: str) -> str:
    done = invoke("index", root, "--base-url", ROOT, *arguments)
    assert done.code == 0, done
    return done.out


def test_links_to_pages_that_do_not_exist_are_removed(tmp_path: Path) -> None:
    write_languages(tmp_path)
    run(tmp_path)
    before = (tmp_path / "sitemap.xml").read_text(encoding="utf-8")
    out = run(tmp_path, "--prune-alternates")
    assert "Note: sitemap.xml: 2 links to other languages removed" in out
    text = (tmp_path / "sitemap.xml").read_text(encoding="utf-8")
    assert text == before.replace(links(en=f"{ROOT}old/", de=f"{ROOT}de/old/"), "")
    assert [*read_index(tmp_path / "sitemap-index.xml", ROOT)] == ["sitemap.xml", "de/sitemap.xml"]
    assert "removed" not in run(tmp_path, "--prune-alternates")


def test_a_sitemap_of_all_languages_has_only_the_remaining_links(tmp_path: Path) -> None:
    write_languages(tmp_path)
    run(tmp_path, "--prune-alternates", "--merge")
    entries = read_urls(tmp_path / "sitemap-index.xml", ROOT)
    tags = {path: [*entry.alternates] for path, entry in entries.items()}
    assert tags == {"": ["en", "de"], "de/": ["en", "de"], "old/": []}
    # The merged sitemap lists links that the German one does not have any more.
    (tmp_path / "de/sitemap.xml").write_text(urlset(url(f"{ROOT}de/")), encoding="utf-8")
    run(tmp_path, "--prune-alternates", "--merge")
    assert b"hreflang" not in (tmp_path / "sitemap.xml").read_bytes()


def test_what_is_removed_is_a_note_in_json(tmp_path: Path) -> None:
    write_languages(tmp_path)
    document = json.loads(run(tmp_path, "--prune-alternates", "--format", "json"))
    text = "sitemap.xml: 2 links to other languages removed"
    assert document["messages"][0] == {"kind": "note", "text": text}


def test_a_sitemap_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    write_languages(tmp_path)
    before = (tmp_path / "sitemap.xml").read_bytes()
    (tmp_path / "de/sitemap.xml").write_text("<urlset><url>", encoding="utf-8")
    done = invoke("index", tmp_path, "--base-url", ROOT, "--prune-alternates")
    assert done.code == 2
    assert "no link is removed: " in done.err
    assert "de/sitemap.xml: it is not well-formed" in done.err
    assert (tmp_path / "sitemap.xml").read_bytes() == before


@pytest.mark.parametrize("option", [[], ["--commit"]])
def test_a_branch_is_an_error(option: list[str]) -> None:
    done = invoke("index", "gh-pages", "--base-url", ROOT, "--prune-alternates", *option)
    assert done.code == 2
    assert "--prune-alternates needs a folder, and gh-pages is none" in done.err
