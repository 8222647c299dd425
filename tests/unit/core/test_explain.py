"""Explanations of pages, in particular where the build and the site on disk differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from support.builds import from_files
from support.platforms import needs_posix

from docs_sitemap import BaseUrl, ExclusionReason
from docs_sitemap.saved_report import SavedPage, SavedReport
from docs_sitemap_cli.explain.pages import Explanation, explain_pages

BASE = BaseUrl("https://example.org/docs/")
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def report(*pages: SavedPage, files: tuple[str, ...] = ("sitemap.xml",)) -> SavedReport:
    return SavedReport(base_url=BASE, files=files, pages=pages)


def write(folder: Path, name: str, *urls: str, index: bool = False) -> None:
    root, entry = ("sitemapindex", "sitemap") if index else ("urlset", "url")
    locs = "".join(f"<{entry}>\n<loc>{BASE}{url}</loc></{entry}>\n" for url in urls)
    (folder / name).write_text(f'<{root} xmlns="{NAMESPACE}">\n{locs}</{root}>')


def one(folder: Path, query: str, saved: SavedReport | None = None) -> Explanation:
    (result,) = explain_pages(folder, [query], report=saved)
    (page,) = result.pages
    return page


def test_entries_are_found_in_the_sitemaps_of_an_index(tmp_path: Path) -> None:
    write(
        tmp_path,
        "sitemap.xml",
        "sitemap-1.xml",
        "sitemap-2.xml",
        "gone.xml",
        index=True,
    )
    write(tmp_path, "sitemap-1.xml", "a.html")
    write(tmp_path, "sitemap-2.xml", "b.html", "c.html")
    (tmp_path / "c.html").touch()
    expected = "sitemap-2.xml:5"
    page = SavedPage(name="c.md", url="c.html", loc=f"{BASE}c.html", output="c.html")
    assert one(tmp_path, "c.md", report(page)).sitemap == expected
    (result,) = explain_pages(tmp_path, ["c.html"], base_url=BASE)
    assert result.pages[0].sitemap == expected


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
        (result,) = explain_pages(tmp_path, [query], base_url=BASE)
        assert [(page.url, page.listed) for page in result.pages] == [
            (f"{BASE}{url}", True)
        ]


def test_the_sitemaps_of_robots_txt_are_read(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_text(f"Sitemap: {BASE}pages.xml")
    (tmp_path / "a.html").touch()
    write(tmp_path, "sitemap.xml", "stray.html")
    write(tmp_path, "pages.xml", "a.html")
    (result,) = explain_pages(
        tmp_path, ["a.html"], base_url=BaseUrl("https://example.org/")
    )
    assert not result.pages[0].listed
    (tmp_path / "robots.txt").write_text("Sitemap: https://example.org/pages.xml")
    (result,) = explain_pages(tmp_path, ["a.html"], base_url=BASE)
    assert result.pages[0].listed


def test_a_url_without_a_file_is_found_in_the_sitemap(tmp_path: Path) -> None:
    write(tmp_path, "sitemap.xml", "a.html", "old page/")
    for query in ("https://example.org/docs/old page/", "old%20page/", "/old page/"):
        (result,) = explain_pages(tmp_path, [query], base_url=BASE)
        (page,) = result.pages
        assert (page.listed, page.page.output) == (True, None)
        assert page.sitemap == "sitemap.xml:5"


@needs_posix
def test_files_outside_the_site_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.html").write_text("<title>Secret</title>")
    (tmp_path / "site").mkdir()
    (tmp_path / "site/link.html").symlink_to(tmp_path / "secret.html")
    for output in ("../secret.html", "a/../../secret.html", "link.html"):
        page = SavedPage(name="a.md", url="a/", output=output)
        assert one(tmp_path / "site", "a.md", report(page)).head is None


def test_names_with_invalid_characters_are_not_errors(tmp_path: Path) -> None:
    write(tmp_path, "sitemap.xml", "a.html")
    page = SavedPage(name="\udcff.md", url="\ud800", output="x")
    for query in (
        "caf\udce9.md",
        "https://example.org/\udce9",
        "\ud800",
        "https://[",
        "\0",
    ):
        explain_pages(tmp_path, [query], report=report(page))
        explain_pages(tmp_path, [query])


@needs_posix
def test_names_of_unusual_files_are_not_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").touch()
    saved = report(
        SavedPage(
            name="a.md",
            url="a/",
            **from_files(
                "x" * 300,
                "a\0b",
                "loop",
            ),
        )
    )
    for query in ("loop", "x" * 300, f"{'x' * 300}/a", "file", "loop/a"):
        (result,) = explain_pages(tmp_path, [query], report=saved)
        assert result.pages == ()


def test_a_sitemap_index_may_name_itself(tmp_path: Path) -> None:
    write(tmp_path, "sitemap.xml", "sitemap.xml", index=True)
    (tmp_path / "a.html").touch()
    (result,) = explain_pages(tmp_path, ["a.html"], base_url=BASE)
    assert not result.pages[0].listed


@pytest.mark.parametrize(
    ("reason", "fix"),
    [
        (
            ExclusionReason.NOT_WRITTEN,
            "change the build so that it writes the page",
        ),
        (ExclusionReason.INVALID_URL, "rename the page"),
        (ExclusionReason.DUPLICATE_URL, "give one of the two pages another URL"),
        (
            ExclusionReason.GENERATOR_PAGE,
            'add "a[[]b].md" to the option include, or ignore the reason for all',
        ),
    ],
)
def test_the_fix_depends_on_the_reason(
    tmp_path: Path, reason: ExclusionReason, fix: str
) -> None:
    page = SavedPage(name="a[b].md", url="a/", reason=reason)
    assert (one(tmp_path, "a[b].md", report(page)).fix or "").startswith(fix)


def test_both_pages_with_the_same_url_are_explained(tmp_path: Path) -> None:
    write(tmp_path, "sitemap.xml", "a/")
    first = SavedPage(
        name="a.md", url="a/", reason=ExclusionReason.DUPLICATE_URL, detail="a/index.md"
    )
    second = SavedPage(name="a/index.md", url="a/", loc=f"{BASE}a/")
    (result,) = explain_pages(tmp_path, ["a/"], report=report(second, first))
    assert [(page.page.name, page.listed) for page in result.pages] == [
        ("a/index.md", True),
        ("a.md", False),
    ]


def test_a_page_that_another_build_listed_is_the_page_of_the_report(
    tmp_path: Path,
) -> None:
    write(tmp_path, "sitemap.xml", "a.html")
    (tmp_path / "a.html").touch()
    page = SavedPage(
        name="a.md", url="a.html", output="a.html", reason=ExclusionReason.HOOK
    )
    for query in ("a.md", f"{BASE}a.html", "a.html"):
        explained = one(tmp_path, query, report(page))
        assert (explained.page, explained.is_built, explained.listed) == (
            page,
            True,
            False,
        )


@needs_posix
def test_files_may_be_named_through_symbolic_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    (real / "a.htm").touch()
    monkeypatch.chdir(tmp_path)
    saved = report(SavedPage(name="a.md", url="a", output="a.htm"))
    for query in ("a.htm", "real/a.htm", "link/a.htm", str(real / "a.htm")):
        assert one(link, query, saved).page.name == "a.md", query


def test_source_files_of_other_projects_are_not_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one/docs/a.md", "one/docs/b.md", "two/docs/a.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    pages = [
        SavedPage(name=f"{n}.md", url=n, **from_files(f"docs/{n}.md")) for n in "ab"
    ]
    site = tmp_path / "site"
    saved = replace(report(*pages), project="../one")
    assert one(site, "one/docs/a.md", saved).page.name == "a.md"
    (result,) = explain_pages(site, ["two/docs/a.md"], report=saved)
    assert result.pages == ()
