"""Explanations of pages, in particular where the build and the site on disk differ."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.cli import invoke
from support.platforms import needs_posix
from support.small_builds import (
    Document,
    build_small_site,
    edit_report,
    forget_build,
    page,
)

from docs_sitemap import ExclusionReason

BASE = "https://example.org/docs/"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def write(folder: Path, name: str, *urls: str, index: bool = False) -> None:
    root, entry = ("sitemapindex", "sitemap") if index else ("urlset", "url")
    locs = "".join(f"<{entry}>\n<loc>{BASE}{url}</loc></{entry}>\n" for url in urls)
    (folder / name).write_text(f'<{root} xmlns="{NAMESPACE}">\n{locs}</{root}>')


def explain(site: Path, query: str, *options: str | Path) -> list[Any]:
    """Return the pages that a query names."""
    done = invoke("explain", "--format", "json", *options, site, query)
    [result] = done.json()["results"]
    assert done.code == (0 if result["pages"] else 1)
    pages: list[Any] = result["pages"]
    return pages


def explain_built(project: Path, query: str) -> list[Any]:
    """Return the pages in the report of a build, which may have been edited."""
    return explain(project / "site", query, "--report", project / "report.json")


def explain_unbuilt(site: Path, query: str, base_url: str = BASE) -> list[Any]:
    """Return the pages of a site without a report."""
    return explain(site, query, "--base-url", base_url)


def test_entries_are_found_in_the_sitemaps_of_an_index(tmp_path: Path) -> None:
    build_small_site(tmp_path, Document("c.html", {"c.md": None}))
    site = tmp_path / "site"
    sitemaps = ("sitemap-1.xml", "sitemap-2.xml", "gone.xml")
    write(site, "sitemap.xml", *sitemaps, index=True)
    write(site, "sitemap-1.xml", "a.html")
    write(site, "sitemap-2.xml", "b.html", "c.html")
    expected = "sitemap-2.xml:5"
    forget_build(tmp_path)
    [built] = explain_built(tmp_path, "c.md")
    [unbuilt] = explain_unbuilt(site, "c.html")
    assert built["sitemap"] == unbuilt["sitemap"] == expected


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("guide", "guide.html"),
        ("guide", "guide/index.html"),
        ("index.html", "index.html"),
    ],
)
def test_without_a_report_the_sitemap_decides_the_url_of_a_file(
    tmp_path: Path, url: str, file: str
) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text("<title>x</title>")
    write(tmp_path, "sitemap.xml", url)
    for query in (f"{BASE}{url}", url, file):
        [one] = explain_unbuilt(tmp_path, query)
        assert (one["url"], one["listed"]) == (f"{BASE}{url}", True)


def test_the_sitemaps_of_robots_txt_are_read(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_text(f"Sitemap: {BASE}pages.xml")
    (tmp_path / "a.html").touch()
    write(tmp_path, "sitemap.xml", "stray.html")
    write(tmp_path, "pages.xml", "a.html")
    [one] = explain_unbuilt(tmp_path, "a.html", "https://example.org/")
    assert not one["listed"]
    (tmp_path / "robots.txt").write_text("Sitemap: https://example.org/pages.xml")
    [one] = explain_unbuilt(tmp_path, "a.html")
    assert one["listed"]


def test_a_url_without_a_file_is_found_in_the_sitemap(tmp_path: Path) -> None:
    write(tmp_path, "sitemap.xml", "a.html", "old page/")
    for query in ("https://example.org/docs/old page/", "old%20page/", "/old page/"):
        [one] = explain_unbuilt(tmp_path, query)
        assert (one["listed"], one["page"].get("output")) == (True, None)
        assert one["sitemap"] == "sitemap.xml:5"


@needs_posix
def test_files_outside_the_site_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.html").write_text("<title>Secret</title>")
    build_small_site(tmp_path, page("a/", None))
    (tmp_path / "site/link.html").symlink_to(tmp_path / "secret.html")
    for output in ("../secret.html", "a/../../secret.html", "link.html"):
        edit_report(tmp_path, "a/", output=output)
        [one] = explain_built(tmp_path, "a.md")
        assert one["head"] is None
    edit_report(tmp_path, "a/", output="a/index.html")
    [one] = explain_built(tmp_path, "a.md")
    assert one["head"] is not None


def test_names_with_invalid_characters_are_not_errors(tmp_path: Path) -> None:
    build_small_site(tmp_path, page("a.html", None))
    edit_report(tmp_path, "a.html", name="\udcff.md", url="\ud800")
    forget_build(tmp_path)
    [one] = explain_built(tmp_path, "\ud800")
    assert one["page"]["name"] == "\udcff.md"
    for query in ("caf\udce9.md", "https://example.org/\udce9", "https://[", "\0"):
        assert explain_built(tmp_path, query) == []
        assert explain_unbuilt(tmp_path / "site", query) == []


@needs_posix
def test_names_of_unusual_files_are_not_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").touch()
    build_small_site(tmp_path, page("a/", None))
    paths = ("x" * 300, "a\0b", "loop")
    sources = [{"path": path} for path in paths]
    edit_report(tmp_path, "a/", document="x" * 300, sources=sources)
    for query in ("loop", "x" * 300, f"{'x' * 300}/a", "file", "loop/a"):
        assert explain_built(tmp_path, query) == []


def test_a_sitemap_index_may_name_itself(tmp_path: Path) -> None:
    write(tmp_path, "sitemap.xml", "sitemap.xml", index=True)
    (tmp_path / "a.html").touch()
    [one] = explain_unbuilt(tmp_path, "a.html")
    assert not one["listed"]


@pytest.mark.parametrize(
    ("url", "details", "fix"),
    [
        ("a/", {"output": "missing"}, "change the build so that it writes the page"),
        ("a" * 2048, {"output": None}, "rename the page"),
        ("a/", {"is_fragment": True}, "give it a `<title>`"),
        ("", {}, "give one of the two pages another URL"),
        (
            "a/",
            {"generator_page": True},
            'add "a[[]b].md" to the option include, or ignore the reason for all',
        ),
    ],
)
def test_the_fix_depends_on_the_reason(
    tmp_path: Path, url: str, details: dict[str, Any], fix: str
) -> None:
    excluded = Document(url, {}, {"name": "a[b].md", **details})
    build_small_site(tmp_path, excluded, Document("", {}))
    [one] = explain_built(tmp_path, "a[b].md")
    assert one["fix"].startswith(fix)


def test_both_pages_with_the_same_url_are_explained(tmp_path: Path) -> None:
    first, second = Document("a/", {"a.md": None}), Document("a/", {"a/index.md": None})
    build_small_site(tmp_path, first, second)
    pages = explain_built(tmp_path, "a/")
    assert [(one["page"]["name"], one["listed"]) for one in pages] == [
        ("a/index.md", True),
        ("a.md", False),
    ]


def test_a_page_that_another_build_listed_is_the_page_of_the_report(
    tmp_path: Path,
) -> None:
    build_small_site(
        tmp_path, Document("a.html", {"a.md": None}), edit_url=lambda page, url: None
    )
    write(tmp_path / "site", "sitemap.xml", "a.html")
    for query in ("a.md", f"{BASE}a.html", "a.html"):
        [one] = explain_built(tmp_path, query)
        assert one["page"]["reason"] == ExclusionReason.HOOK
        assert (one["is_built"], one["listed"]) == (True, False)


@needs_posix
def test_files_may_be_named_through_symbolic_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    monkeypatch.chdir(tmp_path)
    build_small_site(real, Document("a.html", {"a.md": None}))
    file = "site/a.html"
    for query in ("a.html", f"real/{file}", f"link/{file}", str(real / file)):
        [one] = explain_built(link, query)
        assert one["page"]["name"] == "a.md", query


def test_source_files_of_other_projects_are_not_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one/docs/a.md", "one/docs/b.md", "two/docs/a.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    project = tmp_path / "one"
    build_small_site(project, page("a/", None), page("b/", None))
    [one] = explain_built(project, "one/docs/a.md")
    assert one["page"]["name"] == "a.md"
    assert explain_built(project, "two/docs/a.md") == []
