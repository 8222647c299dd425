"""What is said of a page, by its build and by the site on the disk, where they are not one."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_sitemap.explain import Entry, Explanation, explain
from docs_sitemap.model import Reason
from docs_sitemap.report import KeptPage, KeptReport

BASE = "https://example.org/docs/"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def report(*pages: KeptPage, files: tuple[str, ...] = ("sitemap.xml",)) -> KeptReport:
    return KeptReport(base_url=BASE, files=files, pages=pages)


def write(folder: Path, name: str, *urls: str, index: bool = False) -> None:
    root, entry = ("sitemapindex", "sitemap") if index else ("urlset", "url")
    locs = "".join(f"<{entry}>\n<loc>{BASE}{url}</loc></{entry}>\n" for url in urls)
    (folder / name).write_text(f'<{root} xmlns="{NAMESPACE}">\n{locs}</{root}>')


def one(folder: Path, asked: str, kept: KeptReport | None = None) -> Explanation:
    (answer,) = explain(folder, [asked], report=kept)
    (page,) = answer.pages
    return page


def test_the_entry_is_found_in_the_part_that_an_index_names(tmp_path: Path) -> None:
    write(tmp_path, "sitemap.xml", "sitemap-1.xml", "sitemap-2.xml", "gone.xml", index=True)
    write(tmp_path, "sitemap-1.xml", "a.html")
    write(tmp_path, "sitemap-2.xml", "b.html", "c.html")
    (tmp_path / "c.html").touch()
    expected = Entry("sitemap-2.xml", 5, f"{BASE}c.html", None)
    page = KeptPage(name="c.md", url="c.html", loc=f"{BASE}c.html", output="c.html")
    assert one(tmp_path, "c.md", report(page)).entry == expected
    (answer,) = explain(tmp_path, ["c.html"], base_url=BASE)
    assert answer.pages[0].entry == expected


@pytest.mark.parametrize(
    ("url", "file"),
    [("guide", "guide.html"), ("guide", "guide/index.html"), ("index.html", "index.html")],
)
def test_the_url_of_a_file_is_that_of_the_sitemap(tmp_path: Path, url: str, file: str) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text("<title>x</title>")
    write(tmp_path, "sitemap.xml", url)
    for asked in (f"{BASE}{url}", url, file):
        (answer,) = explain(tmp_path, [asked], base_url=BASE)
        assert [(page.url, page.is_listed) for page in answer.pages] == [(f"{BASE}{url}", True)]


def test_the_sitemaps_of_robots_txt_are_read(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_text(f"Sitemap: {BASE}pages.xml")
    (tmp_path / "a.html").touch()
    write(tmp_path, "sitemap.xml", "stray.html")
    write(tmp_path, "pages.xml", "a.html")
    (answer,) = explain(tmp_path, ["a.html"], base_url=BASE.replace("docs/", ""))
    assert not answer.pages[0].is_listed
    (tmp_path / "robots.txt").write_text("Sitemap: https://example.org/pages.xml")
    (answer,) = explain(tmp_path, ["a.html"], base_url=BASE)
    assert answer.pages[0].is_listed


def test_a_url_that_opens_no_file_is_found_in_the_sitemap(tmp_path: Path) -> None:
    write(tmp_path, "sitemap.xml", "a.html", "old page/")
    for asked in ("https://example.org/docs/old page/", "old%20page/", "/old page/"):
        (answer,) = explain(tmp_path, [asked], base_url=BASE)
        (page,) = answer.pages
        assert (page.is_listed, page.output) == (True, None)
        assert page.entry is not None
        assert page.entry.line == 5


def test_a_report_leads_out_of_no_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.html").write_text("<title>Secret</title>")
    (tmp_path / "site").mkdir()
    (tmp_path / "site/link.html").symlink_to(tmp_path / "secret.html")
    for output in ("../secret.html", "a/../../secret.html", "link.html"):
        page = KeptPage(name="a.md", url="a/", output=output)
        assert one(tmp_path / "site", "a.md", report(page)).head is None


def test_names_that_are_no_text_are_no_error(tmp_path: Path) -> None:
    write(tmp_path, "sitemap.xml", "a.html")
    page = KeptPage(name="\udcff.md", url="\ud800", output="x")
    for asked in ("caf\udce9.md", "https://example.org/\udce9", "\ud800", "https://[", "\0"):
        explain(tmp_path, [asked], report=report(page))
        explain(tmp_path, [asked])


def test_names_that_are_no_files_have_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").touch()
    kept = report(KeptPage(name="a.md", url="a/", sources=("x" * 300, "a\0b", "loop")))
    for asked in ("loop", "x" * 300, f"{'x' * 300}/a", "file", "loop/a"):
        (answer,) = explain(tmp_path, [asked], report=kept)
        assert answer.pages == ()


def test_the_sitemap_lists_a_page_by_the_url_of_its_build(tmp_path: Path) -> None:
    write(tmp_path, "sitemap.xml", "a/")
    kept = report(KeptPage(name="a.md", url="a/", loc=f"{BASE}a/"))
    (answer,) = explain(tmp_path, ["a.md"], report=kept, base_url="https://preview.example/")
    (page,) = answer.pages
    assert (page.url, page.entry and page.entry.loc) == ("https://preview.example/a/", f"{BASE}a/")
    assert page.notes == ()


def test_a_sitemap_that_names_itself_ends(tmp_path: Path) -> None:
    write(tmp_path, "sitemap.xml", "sitemap.xml", index=True)
    (tmp_path / "a.html").touch()
    (answer,) = explain(tmp_path, ["a.html"], base_url=BASE)
    assert not answer.pages[0].is_listed


@pytest.mark.parametrize(
    ("reason", "cure"),
    [
        (Reason.NOT_WRITTEN, "let the build write it, or set the option overrule: [not-written]"),
        (Reason.URL, "rename the page"),
        (Reason.DUPLICATE, "give one of the two another URL"),
        (Reason.UTILITY, 'set the option include: ["a[b].md"], or overrule: [utility]'),
    ],
)
def test_what_no_page_can_ask_for_itself_has_another_cure(
    tmp_path: Path, reason: Reason, cure: str
) -> None:
    page = KeptPage(name="a[b].md", url="a/", reason=reason)
    assert (one(tmp_path, "a[b].md", report(page)).cure or "").startswith(cure)


def test_a_file_that_the_build_did_not_write_may_be_there_by_now(tmp_path: Path) -> None:
    page = KeptPage(name="a.md", url="a.html", output="a.html", reason=Reason.NOT_WRITTEN)
    assert one(tmp_path, "a.md", report(page)).notes == ()
    (tmp_path / "a.html").touch()
    assert one(tmp_path, "a.md", report(page)).notes == (
        "its file is there by now; build the site again",
    )


def test_of_two_pages_with_one_url_both_are_explained(tmp_path: Path) -> None:
    write(tmp_path, "sitemap.xml", "a/")
    first = KeptPage(name="a.md", url="a/", reason=Reason.DUPLICATE, detail="a/index.md")
    second = KeptPage(name="a/index.md", url="a/", loc=f"{BASE}a/")
    (answer,) = explain(tmp_path, ["a/"], report=report(second, first))
    assert [(page.name, page.is_listed, page.notes) for page in answer.pages] == [
        ("a/index.md", True, ()),
        ("a.md", False, ()),
    ]
    left_out = KeptPage(name="a.md", url="a/", reason=Reason.PATTERN, detail="a*")
    assert one(tmp_path, "a.md", report(left_out)).notes == (
        "the sitemap on the disk lists it: another build wrote that",
    )


def test_files_are_named_as_they_lie_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    (real / "a.htm").touch()
    monkeypatch.chdir(tmp_path)
    kept = report(KeptPage(name="a.md", url="a", output="a.htm"))
    for asked in ("a.htm", "real/a.htm", "link/a.htm", str(real / "a.htm")):
        assert one(link, asked, kept).name == "a.md", asked


def test_a_source_is_no_page_of_another_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one/docs/a.md", "one/docs/b.md", "two/docs/a.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    pages = [KeptPage(name=f"{n}.md", url=n, sources=(f"docs/{n}.md",)) for n in "ab"]
    site = tmp_path / "site"
    assert one(site, "one/docs/a.md", report(*pages)).name == "a.md"
    (answer,) = explain(site, ["two/docs/a.md"], report=report(*pages))
    assert answer.pages == ()
