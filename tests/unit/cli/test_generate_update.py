"""`docs-sitemap generate --update`: the sitemap of the generator with accurate dates."""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import etree
from support.cli import Done, invoke
from support.platforms import needs_posix
from support.readers import NAMESPACE
from support.repository import Repository, noon
from support.sitemaps import (
    BASE,
    DECLARATION,
    NAMESPACES,
    links,
    page,
    url,
    urlset,
    write_site,
)
from support.sites import built_file, make_project

Project = Callable[..., Path]


def dated(date: str) -> str:
    return f"<lastmod>{date}</lastmod>"


def without_dates(text: str) -> str:
    return re.sub(r"\s*<lastmod>[^<]*</lastmod>", "", text)


def indexed(*children: str) -> str:
    return f"{DECLARATION}<sitemapindex {NAMESPACES}>\n{''.join(children)}</sitemapindex>\n"


def child(name: str, rest: str = "") -> str:
    return f"<sitemap><loc>{BASE}{name}</loc>{rest}</sitemap>\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Return a function that makes a project whose pages a, b, and c changed on days 1,
    2, and 3, with files in the folder of its site, and returns that folder.
    """

    def make(files: dict[str, str | bytes]) -> Path:
        repository = Repository.create(tmp_path)
        for day, name in enumerate("abc", start=1):
            repository.commit({f"docs/{name}.md": f"# Page {name}\n"}, day=day)
        pages = {f"{name}/index.html": page(f"Page {name}") for name in "abc"}
        # No file of the project is the source of this page.
        pages["tags/index.html"] = page("Tags")
        monkeypatch.chdir(tmp_path)
        return write_site(tmp_path / "site", {**pages, **files})

    return make


def update(*arguments: str, site: str = "site") -> Done:
    return invoke("generate", site, "--base-url", BASE, "--update", *arguments)


def test_dates_are_added_and_corrected(project: Project) -> None:
    others = "<priority>0.5</priority><x:y xmlns:x='urn:x'/><!-- b -->"
    site = project(
        {
            "sitemap.xml": urlset(
                url(f"{BASE}b/", others + dated("2025-01-01T00:00:00Z")),
                url(f"{BASE}a/", others),
                url(f"{BASE}c/", dated("2024-01-03T12:00:00.000+02:00")),
                url(f"{BASE}tags/", dated("2025-01-01")),
                url(f"{BASE}elsewhere/"),
            )
        }
    )
    done = update()
    assert done.code == 0
    assert done.err == (
        "Note: sitemap.xml: 5 URLs; dates: 1 added, 1 corrected, 1 unchanged, "
        "1 kept that could not be checked, 1 unknown\n"
    )
    assert (site / "sitemap.xml").read_text() == urlset(
        url(f"{BASE}b/", others + dated(noon(2))),
        url(f"{BASE}a/", dated(noon(1)) + others),
        url(f"{BASE}c/", dated("2024-01-03T12:00:00.000+02:00")),
        url(f"{BASE}tags/", dated("2025-01-01")),
        url(f"{BASE}elsewhere/"),
    )


def test_a_dry_run_compares_the_dates_and_writes_nothing(project: Project) -> None:
    before = urlset(url(f"{BASE}a/"), url(f"{BASE}b/", dated("2025-01-01")))
    site = project({"sitemap.xml": before})
    done = update("--dry-run")
    assert done.out.splitlines()[:2] == [
        "2024-01-01  a/  its path: docs/a.md",
        "2024-01-02  b/  its path: docs/b.md",
    ]
    assert done.err.endswith(" 1 added, 1 corrected\n")
    assert (site / "sitemap.xml").read_text() == before
    assert sorted(path.name for path in site.iterdir()) == [
        *"abc",
        "sitemap.xml",
        "tags",
    ]
    assert invoke("explain", "site", "a/").err.startswith(
        "Note: this machine has no report"
    )


@pytest.mark.parametrize("name", ["antora", "hugo", "jekyll", "starlight"])
def test_sitemaps_of_generators(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project(tmp_path, name)
    monkeypatch.chdir(project.path)
    before = {file: file.read_text() for file in project.site.rglob("sitemap*.xml")}
    assert invoke("generate", project.site, "--update").code == 0
    assert {file: without_dates(file.read_text()) for file in before} == {
        file: without_dates(text) for file, text in before.items()
    }
    assert {file: file.read_text() for file in before} != before
    dates = {}
    for sitemap in before:
        for entry in etree.parse(sitemap).iterfind(f"{NAMESPACE}url"):
            loc = str(entry.findtext(f"{NAMESPACE}loc"))
            file = built_file(project.site, loc.removeprefix(project.base_url))
            lastmod = entry.findtext(f"{NAMESPACE}lastmod")
            # Dates are kept if no source is found.
            if project.pages.get(file) and lastmod:
                dates[file] = lastmod
    assert dates
    assert dates == {file: project.lastmod(file) for file in dates}


def canonical(target: str) -> str:
    return page(head=f'<link rel="canonical" href="{target}">')


NOINDEX = page(head='<meta name="robots" content="noindex">')
# The HTML file of a page that a new sitemap would not list, and the options.
EXCLUDED = [
    (NOINDEX, ""),
    (canonical(f"{BASE}b/"), ""),
    (canonical("https://elsewhere.example/a/"), ""),
    ("<!doctype html>", ""),
    (page(), "exclude = ['a/']\n"),
]


@pytest.mark.parametrize(("html", "options"), EXCLUDED)
def test_pages_that_a_new_sitemap_would_exclude_are_dated(
    project: Project, html: str, options: str
) -> None:
    old = [
        url(f"{BASE}a/", dated("2020-01-01")),
        url(f"{BASE}b/", dated("2020-01-01")),
    ]
    site = project({"sitemap.xml": urlset(*old), "a/index.html": html})
    Path("docs-sitemap.toml").write_text(options)
    done = invoke("generate", "site", "--base-url", BASE, "--dry-run")
    assert "1 left out: " in done.out
    assert "2 corrected" in update().err
    expected = [
        url(f"{BASE}a/", dated("2024-01-01")),
        url(f"{BASE}b/", dated("2024-01-02")),
    ]
    assert (site / "sitemap.xml").read_text() == urlset(*expected)
    explained = invoke("explain", "site", f"{BASE}a/").out
    assert "listed:     yes, site/sitemap.xml:3" in explained
    assert "lastmod:    2024-01-01" in explained


def test_front_matter_that_excludes_a_page_in_the_sitemap(
    project: Project, tmp_path: Path
) -> None:
    site = project({"sitemap.xml": urlset(url(f"{BASE}d/")), "d/index.html": page()})
    text = "---\nsitemap: {disable: true, lastmod: 2024-01-09}\n---\n"
    Repository(tmp_path).commit({"docs/d.md": text}, day=4)
    assert "1 added" in update().err
    expected = urlset(url(f"{BASE}d/", dated("2024-01-09")))
    assert (site / "sitemap.xml").read_text() == expected


@pytest.mark.parametrize(("html", "options"), EXCLUDED)
def test_dates_of_excluded_pages_in_a_shallow_clone_are_removed(
    project: Project,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    html: str,
    options: str,
) -> None:
    old = url(f"{BASE}a/", dated("2020-01-01"))
    site = project({"sitemap.xml": urlset(old), "a/index.html": html})
    clone = tmp_path / "clone"
    Repository(tmp_path).git(
        "clone", "--quiet", "--depth=1", tmp_path.as_uri(), str(clone)
    )
    (clone / "docs-sitemap.toml").write_text(options)
    monkeypatch.chdir(clone)
    done = update(site=str(site))
    assert "dates: 1 removed, " in done.err
    assert "shallow" in done.err
    assert (site / "sitemap.xml").read_text() == urlset(url(f"{BASE}a/"))


def test_a_page_that_the_sitemap_does_not_list_stays_excluded(project: Project) -> None:
    project({"sitemap.xml": urlset(url(f"{BASE}a/")), "b/index.html": NOINDEX})
    update()
    assert "no, noindex" in invoke("explain", "site", f"{BASE}b/").out


@pytest.mark.parametrize(
    "base",
    [
        "http://localhost:3000/docs/",
        "http://example.org/docs/",
        "https://www.example.org/docs/",
        "https://example.org/",
        "https://example.org/docs/docs/",
        "/docs/",
        "",
    ],
)
@pytest.mark.parametrize("arguments", [(), ("--dry-run",)])
def test_the_sitemap_of_another_site_is_an_error(
    project: Project, base: str, arguments: tuple[str, ...]
) -> None:
    pages = urlset(url(f"{base}a/"), url(f"{base}b/"))
    index = indexed(f"<sitemap><loc>{base}map.xml</loc></sitemap>")
    for files in ({"sitemap.xml": pages}, {"sitemap.xml": index, "map.xml": pages}):
        site = project(files)
        done = update(*arguments)
        assert done.code == 1
        first = "map.xml" if "map.xml" in files else "a/"
        assert (
            "site lists no page of this site: none of its URLs, such as "
            f"'{base}{first}', opens a file of the site at {BASE}. Fix: correct the URL"
            in done.err
        )
        assert {path.name: path.read_text() for path in site.glob("*.xml")} == files


def test_a_second_run_writes_nothing(project: Project) -> None:
    site = project({"sitemap.xml": urlset(url(f"{BASE}a/"), url(f"{BASE}b/"))})
    update()
    before = {path: path.stat() for path in site.iterdir()}
    done = update()
    assert done.err.endswith("dates: 2 unchanged\n")
    assert {path: path.stat() for path in site.iterdir()} == before


def test_pages_are_found_by_all_urls_that_open_them(project: Project) -> None:
    urls = (
        f"{BASE}a",
        f"{BASE}a/index.html",
        f"{BASE}%61/",
        "https://EXAMPLE.org:443/docs/a/",
    )
    site = project({"sitemap.xml": urlset(*map(url, urls))})
    assert update().code == 0
    assert (site / "sitemap.xml").read_text() == urlset(
        *(url(u, dated(noon(1))) for u in urls)
    )


def test_days_stay_days(project: Project) -> None:
    old = [url(f"{BASE}a/", dated("2024-01-01")), url(f"{BASE}b/", dated("2024-02-01"))]
    site = project({"sitemap.xml": urlset(*old)})
    assert "1 corrected, 1 unchanged" in update().err
    expected = urlset(old[0], url(f"{BASE}b/", dated("2024-01-02")))
    assert (site / "sitemap.xml").read_text() == expected


def test_days_do_not_replace_times_of_the_same_day(
    project: Project, tmp_path: Path
) -> None:
    old = url(f"{BASE}a/", dated("2024-01-01T08:00:00Z"))
    site = project({"sitemap.xml": urlset(old, url(f"{BASE}b/"))})
    (tmp_path / "docs-sitemap.toml").write_text("lastmod_format = 'date'\n")
    assert update().code == 0
    expected = urlset(old, url(f"{BASE}b/", dated("2024-01-02")))
    assert (site / "sitemap.xml").read_text() == expected


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_the_sitemaps_of_an_index_are_updated(project: Project, suffix: str) -> None:
    site = project(
        {
            "sitemap-index.xml": indexed(
                child(f"sitemap-0.xml{suffix}", dated("2025-01-01T00:00:00Z")),
                child(f"blog/sitemap.xml{suffix}"),
                "<sitemap><loc>https://example.com/sitemap.xml</loc></sitemap>",
            ),
            f"sitemap-0.xml{suffix}": urlset(url(f"{BASE}a/"), url(f"{BASE}b/")),
            f"blog/sitemap.xml{suffix}": urlset(url(f"{BASE}c/")),
        }
    )
    done = update()
    assert done.err.startswith("Note: sitemap-index.xml and 2 more: ")
    assert done.err.endswith("3 URLs; dates: 3 added\n")
    assert (site / "sitemap-index.xml").read_text() == indexed(
        child(f"sitemap-0.xml{suffix}", dated(noon(2))),
        child(f"blog/sitemap.xml{suffix}"),
        "<sitemap><loc>https://example.com/sitemap.xml</loc></sitemap>",
    )
    data = (site / f"sitemap-0.xml{suffix}").read_bytes()
    text = gzip.decompress(data).decode() if suffix else data.decode()
    assert text == urlset(
        url(f"{BASE}a/", dated(noon(1))), url(f"{BASE}b/", dated(noon(2)))
    )
    assert {path.name for path in site.glob("*.xml*")} == {
        "sitemap-index.xml",
        f"sitemap-0.xml{suffix}",
    }


def test_compressed_copies_are_updated(project: Project) -> None:
    data = urlset(url(f"{BASE}a/"))
    site = project({"sitemap.xml": data, "sitemap.xml.gz": data})
    update()
    updated = (site / "sitemap.xml").read_bytes()
    assert updated == urlset(url(f"{BASE}a/", dated(noon(1)))).encode()
    assert gzip.decompress((site / "sitemap.xml.gz").read_bytes()) == updated


def test_an_index_may_list_a_sitemap_or_its_copy(project: Project) -> None:
    for names in (("map.xml.gz",), ("map.xml", "map.xml.gz")):
        children = [child(name, dated("2025-01-01")) for name in names]
        data = urlset(url(f"{BASE}a/"))
        site = project(
            {"sitemap.xml": indexed(*children), "map.xml": data, "map.xml.gz": data}
        )
        assert "dates: 1 added\n" in update().err
        updated = [child(name, dated("2024-01-01")) for name in names]
        assert (site / "sitemap.xml").read_text() == indexed(*updated)
        text = gzip.decompress((site / "map.xml.gz").read_bytes()).decode()
        assert text == (site / "map.xml").read_text()
        assert text == urlset(url(f"{BASE}a/", dated(noon(1))))


def test_feeds_in_an_index_stay(project: Project) -> None:
    feed = '<rss version="2.0"><channel/></rss>'
    site = project(
        {
            "sitemap.xml": indexed(child("rss.xml"), child("map.xml")),
            "map.xml": urlset(url(f"{BASE}a/")),
            "rss.xml": feed,
        }
    )
    assert update().code == 0
    assert (site / "map.xml").read_text() == urlset(url(f"{BASE}a/", dated(noon(1))))
    assert (site / "rss.xml").read_text() == feed


def test_no_sitemap_is_updated_if_they_are_too_large_together(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs_sitemap_cli.published.sitemaps._MAX_TOTAL_BYTES", 10)
    data = urlset(url(f"{BASE}a/"))
    site = project({"sitemap.xml": indexed(child("map.xml")), "map.xml": data})
    done = update()
    assert done.code == 1
    message = "site/map.xml is not read: the sitemaps before it are too many or too"
    assert message in done.err
    assert (site / "map.xml").read_text() == data


def test_an_index_that_lists_itself_and_another_index(project: Project) -> None:
    site = project(
        {
            "sitemap.xml": indexed(
                child("sitemap.xml"), child("other.xml"), child("map.xml")
            ),
            "other.xml": indexed(child("map.xml"), child("sitemap.xml")),
            "map.xml": urlset(url(f"{BASE}a/")),
        }
    )
    assert update().code == 0
    assert (site / "map.xml").read_text() == urlset(url(f"{BASE}a/", dated(noon(1))))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {},
            "site contains no sitemap with URLs. Fix: run without --update",
        ),
        ({"sitemap.xml": indexed()}, "site contains no sitemap with URLs"),
        (
            {"sitemap.xml": indexed(child("a/"))},
            f"site/sitemap.xml, line 3: {BASE}a/ is a page, not a sitemap. Fix: list",
        ),
        (
            {"sitemap.xml": "<urlset"},
            "site/sitemap.xml, line 1: unclosed token, in column 1. Fix:",
        ),
        (
            {"sitemap.xml": "<!DOCTYPE a [<!ENTITY b 'c'>]><urlset/>"},
            "site/sitemap.xml, line 1: it declares the document type 'a'. Fix: remove <!DOCTYPE",
        ),
        (
            {"sitemap.xml": "<html></html>"},
            "site/sitemap.xml, line 1: it is a web page. Fix:",
        ),
    ],
)
def test_unusable_sitemaps_are_errors(
    project: Project, files: dict[str, str], message: str
) -> None:
    site = project(files)
    done = update()
    assert done.code == 1
    assert message in done.err
    assert {path.name: path.read_text() for path in site.glob("*.xml")} == files


def test_nothing_is_written_if_one_sitemap_is_unusable(project: Project) -> None:
    files = {
        "sitemap.xml": indexed(child("map.xml"), child("broken.xml.gz")),
        "map.xml": urlset(url(f"{BASE}a/")),
    }
    site = project({**files, "broken.xml.gz": b"\x1f\x8bbroken"})
    done = update()
    assert done.code == 1
    assert "site/broken.xml.gz: it cannot be uncompressed" in done.err
    assert {path.name: path.read_text() for path in site.glob("*.xml")} == files


def test_a_folder_is_no_sitemap(project: Project) -> None:
    project({"sitemap.xml/index.html": page()})
    done = update()
    assert done.code == 1
    assert "site/sitemap.xml: it cannot be" in done.err


@needs_posix
def test_files_outside_of_the_site_are_not_changed(
    project: Project, tmp_path: Path
) -> None:
    data = urlset(url(f"{BASE}a/"))
    outside = write_site(
        tmp_path / "outside", {"a.xml": data, "b.xml.gz": data, "c.xml": data}
    )
    before = {path: path.read_bytes() for path in outside.iterdir()}
    site = project(
        {"b.xml": data, "sitemap.xml": indexed(child("b.xml"), child("c.xml"))}
    )
    os.symlink(outside / "b.xml.gz", site / "b.xml.gz")
    os.symlink(outside / "c.xml", site / "c.xml")
    update()
    assert {path: path.read_bytes() for path in outside.iterdir()} == before
    assert dated(noon(1)) in (site / "b.xml").read_text()


def test_the_report_is_written(project: Project) -> None:
    project({"sitemap.xml": urlset(url(f"{BASE}a/"))})
    assert update().code == 0
    assert f"{BASE}a/" in invoke("explain", "site", f"{BASE}a/").out


def test_a_dry_run_writes_nothing(project: Project) -> None:
    data = urlset(url(f"{BASE}a/"))
    site = project({"sitemap.xml": data})
    assert update("--dry-run").code == 0
    assert (site / "sitemap.xml").read_text() == data


def test_dates_that_a_shallow_clone_cannot_confirm_are_removed(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = dated("2024-01-03")
    listed = [url(f"{BASE}{name}/", f"\n  {old}") for name in ("a", "b", "c", "tags")]
    site = project({"sitemap.xml": urlset(*listed)})
    clone = tmp_path / "clone"
    Repository(tmp_path).git(
        "clone", "--quiet", "--depth=1", tmp_path.as_uri(), str(clone)
    )
    monkeypatch.chdir(clone)
    done = update(site=str(site))
    expected = urlset(*(url(f"{BASE}{name}/", "\n  ") for name in "abc"), listed[-1])
    assert (site / "sitemap.xml").read_text() == expected
    assert "3 removed, because the clone is shallow, 1 kept" in done.err


def test_two_dates_in_an_entry_are_an_error(project: Project) -> None:
    data = urlset(url(f"{BASE}a/", dated("2020-01-01") + dated("2021-01-01")))
    site = project({"sitemap.xml": data})
    done = update()
    assert done.code == 1
    assert "line 3: " in done.err
    assert "more than one <lastmod>" in done.err
    assert (site / "sitemap.xml").read_text() == data


def test_an_interrupted_run_loses_no_compressed_sitemap(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = urlset(url(f"{BASE}a/"))
    site = project({"sitemap.xml.gz": data})

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(os, "replace", interrupt)
        update()
    assert gzip.decompress((site / "sitemap.xml.gz").read_bytes()).decode() == data


def test_a_kept_date_is_explained(project: Project) -> None:
    project({"sitemap.xml": urlset(url(f"{BASE}tags/", dated("2020-01-01")))})
    update()
    done = invoke("explain", "site", "tags/")
    assert "sitemap keeps 2020-01-01 " in done.out


def test_lost_links_to_languages_are_announced(project: Project) -> None:
    project({"sitemap.xml": urlset(url(f"{BASE}a/", links(de=f"{BASE}a/")))})
    done = invoke("generate", "site")
    assert "languages and images" in done.err
    assert "Fix: add --update" in done.err
    assert "are lost" not in invoke("generate", "site").err


@pytest.mark.parametrize("name", ["sitemap.txt", "urls/list.txt", "sitemap.txt.gz"])
def test_text_sitemaps_contain_no_dates(project: Project, name: str) -> None:
    robots = f"Sitemap: https://example.org/{name}\n"
    text = f"{BASE}a/\n".encode()
    content = gzip.compress(text) if name.endswith(".gz") else text
    site = project({"robots.txt": robots, name: content})
    done = update()
    assert done.code == 1
    assert f"{name} is a text sitemap" in done.err
    assert "without --update" in done.err
    done = invoke("generate", site, "--base-url", BASE)
    assert f"{name} of the generator stays" in done.err
    assert "add --update" not in done.err
    # The dates of other sitemaps are corrected.
    (site / "sitemap.xml").write_text(urlset(url(f"{BASE}a/", dated("2025-01-01"))))
    (site / "robots.txt").write_text(
        f"{robots}Sitemap: https://example.org/sitemap.xml\n"
    )
    assert "1 corrected" in update().err
    assert (site / name).read_bytes() == content
