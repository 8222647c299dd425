"""`docs-sitemap index` with folders."""

from __future__ import annotations

import gzip
import json
import shutil
import sys
import tracemalloc
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from support.cli import Done, invoke
from support.deployed import BASE_URL, read_index, write_version
from support.sitemaps import index as sitemap_index, page, url, urlset, write_site

VERSIONS = ("1.0", "1.1", "2.0")
PAGES = ("", "guide/")


def run(root: Path, *arguments: str) -> Done:
    done = invoke("index", root, "--base-url", BASE_URL, *arguments)
    assert done.code == 0, done
    return done


def write_versions(root: Path, *names: str, **arguments: str) -> None:
    for name in names or VERSIONS:
        write_version(root, name, PAGES, **arguments)  # type: ignore[arg-type]


def write_alias(root: Path, pages: Iterable[str] = PAGES) -> None:
    """Write the version 2.0, whose canonical links name the alias `latest`."""
    write_version(root, "2.0", pages, canonical="latest/")
    (root / "latest").symlink_to("2.0", target_is_directory=True)


def redirect(target: str) -> str:
    return page(head=f'<meta http-equiv="refresh" content="0; url={target}">')


def listed(root: Path, *arguments: str) -> list[str]:
    run(root, *arguments)
    return [*read_index(root / "sitemap.xml")]


# Which versions are listed


def test_the_highest_released_version_is_listed(tmp_path: Path) -> None:
    write_versions(tmp_path, "1.0", "9.0", "v10.1", "11.0rc1", "dev")
    assert listed(tmp_path) == ["v10.1/sitemap.xml"]
    assert (
        gzip.decompress((tmp_path / "sitemap.xml.gz").read_bytes())
        == (tmp_path / "sitemap.xml").read_bytes()
    )


@pytest.mark.parametrize(
    ("names", "canonical"),
    [
        (("1.0", "2.0", "stable", "latest"), "stable"),
        (("1.0", "2.0", "latest"), "latest"),
        (("1.x", "1.5", "1.10"), "1.x"),
        (("main", "1.0b1", "1.0b2"), "1.0b2"),
        (("main", "dev"), "main"),
        (("rel/1.0", "rel/2.0", "main"), "rel/2.0"),
        (("1.0", "1.1-SNAPSHOT", "2.x-snapshot"), "1.0"),
    ],
)
def test_the_canonical_version_by_its_name(
    tmp_path: Path, names: tuple[str, ...], canonical: str
) -> None:
    for number, name in enumerate(names):
        write_version(tmp_path, name, ["", f"{number}/"])
    assert listed(tmp_path) == [f"{canonical}/sitemap.xml"]


def test_canonical_links_decide_which_version_is_canonical(tmp_path: Path) -> None:
    for name in ("1.0", "2.0", "stable"):
        write_version(tmp_path, name, ["", f"{name}/"], canonical="2.0/")
    write_site(tmp_path, {"index.html": redirect("stable/")})
    assert listed(tmp_path) == ["2.0/sitemap.xml"]


def test_a_redirect_at_the_root_decides_which_version_is_canonical(
    tmp_path: Path,
) -> None:
    write_versions(tmp_path)
    write_site(tmp_path, {"index.html": redirect("1.1/")})
    assert listed(tmp_path) == ["1.1/sitemap.xml"]


def test_versions_by_name_alias_and_pattern(tmp_path: Path) -> None:
    write_versions(tmp_path, "1.0", "1.1", "2.0", "2.1rc1", "dev")
    (tmp_path / "latest").symlink_to("2.0")

    def names(*arguments: str) -> list[str]:
        return [
            file.removesuffix("/sitemap.xml") for file in listed(tmp_path, *arguments)
        ]

    assert names("--versions", "1.0") == ["1.0"]
    assert names("--versions", "1.0/,latest") == ["2.0", "1.0"]
    assert names("--versions", "1.0", "--versions", "dev") == ["1.0", "dev"]
    assert names("--versions", "[12].*") == ["2.0", "1.1", "1.0"]
    assert names("--versions", "all") == ["2.0", "1.1", "1.0"]
    assert names("--versions", "all,dev") == ["2.0", "1.1", "1.0", "dev"]
    assert names("--versions", "canonical,1.0") == ["2.0", "1.0"]


def test_an_unknown_version_is_an_error(tmp_path: Path) -> None:
    write_versions(tmp_path)
    done = invoke("index", tmp_path, "--base-url", BASE_URL, "--versions", "3.0,1.0")
    assert done.code == 2
    assert "Fix: use one of canonical, all, 2.0, 1.1, 1.0\n" in done.err
    assert not (tmp_path / "sitemap.xml").exists()


def test_versions_by_name_and_pattern_can_be_skipped(tmp_path: Path) -> None:
    for name in ("0.8", "0.9", "1.0", "2.0", "3.0"):
        write_version(tmp_path, name, ["", f"only-{name}/"])
    for name in ("0.8/sitemap.xml", "0.9/sitemap.xml", "1.0/sitemap.xml"):
        (tmp_path / name).write_text("<urlset", encoding="utf-8")
    done = invoke("index", tmp_path, "--base-url", BASE_URL, "--versions", "all")
    assert done.code == 1
    assert done.out.count("Error: ") == 3
    done = run(tmp_path, "--skip", "0.*,1.0", "--versions", "all")
    assert "skipped, left out by --skip: 1.0, 0.9, 0.8\n" in done.out
    assert "Error" not in done.out
    # These versions cannot get canonical links any more.
    assert "0.8/" not in done.out
    assert [*read_index(tmp_path / "sitemap.xml")] == [
        "3.0/sitemap.xml",
        "2.0/sitemap.xml",
    ]
    # The canonical version is the next one.
    assert listed(tmp_path, "--skip", "3.0", "--skip", "1.0,0.*/") == [
        "2.0/sitemap.xml"
    ]
    done = invoke("index", tmp_path, "--base-url", BASE_URL, "--skip", "4.*")
    assert done.code == 2
    assert "there is no version '4.*'. Fix: use " in done.err


def test_sites_without_versions_are_all_listed(tmp_path: Path) -> None:
    for name in ("api", "handbook", "größe & co", "libs/core", "libs/extra"):
        write_version(tmp_path, name, PAGES)
    names = ["api", "gr%C3%B6%C3%9Fe%20%26%20co", "handbook", "libs/core", "libs/extra"]
    assert listed(tmp_path) == [f"{name}/sitemap.xml" for name in names]


def test_pages_with_the_name_of_a_version_are_no_versions(tmp_path: Path) -> None:
    write_version(tmp_path, "", ["", "changelog/", "changelog/1.0/", "changelog/2.0/"])
    write_version(tmp_path, "blog", PAGES)
    write_site(tmp_path, {"404/index.html": page(), "blog/3.0/index.html": page()})
    done = run(tmp_path)
    assert [line.partition(":")[0] for line in done.out.splitlines()[:2]] == [
        "/",
        "blog",
    ]
    write_versions(tmp_path, "1.0")
    assert "1.0: version 1.0, listed" in run(tmp_path).out


def test_sites_without_versions_can_be_skipped(tmp_path: Path) -> None:
    for name in ("api", "blog", "feature-x"):
        write_version(tmp_path, name, PAGES)
    assert listed(tmp_path, "--skip", "feature-*") == [
        "api/sitemap.xml",
        "blog/sitemap.xml",
    ]


def test_different_versions_may_have_the_same_sitemap(tmp_path: Path) -> None:
    # Without dates, the sitemaps of MkDocs with canonical_version are equal.
    text = urlset(url(f"{BASE_URL}stable/"))
    for name in ("1.0", "1.1", "stable"):
        link = f'<link rel="canonical" href="{BASE_URL}stable/">'
        write_site(
            tmp_path,
            {f"{name}/index.html": page(name, link), f"{name}/sitemap.xml": text},
        )
    done = run(tmp_path)
    assert [*read_index(tmp_path / "sitemap.xml")] == ["stable/sitemap.xml"]
    assert "stable: version stable, listed" in done.out
    assert "skipped, not the canonical version: 1.1, 1.0\n" in done.out


def test_the_trees_of_read_the_docs(tmp_path: Path) -> None:
    for folder in ("en/latest", "en/stable", "en/1.0", "de/latest", "de/1.0"):
        write_version(tmp_path, folder, ["", f"{folder}/"])
    assert listed(tmp_path) == ["de/latest/sitemap.xml", "en/stable/sitemap.xml"]


def test_languages_in_the_folders_of_versions(tmp_path: Path) -> None:
    for folder in ("1.0/en", "1.0/fr", "2.0/en"):
        write_version(tmp_path, folder, PAGES)
    write_site(
        tmp_path, {f"{name}/index.html": redirect("en/") for name in ("1.0", "2.0")}
    )
    assert listed(tmp_path) == ["2.0/en/sitemap.xml", "1.0/fr/sitemap.xml"]


# Metadata


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[1]",
        '[{"version": 1}]',
        '[{"version": "1.0", "aliases": "latest"}]',
        "[" * 100_000,
        "\xff",
        f'["{"x" * 2**22}"]',
    ],
)
def test_other_files_named_like_that_of_mike_are_ignored(
    tmp_path: Path, text: str
) -> None:
    write_versions(tmp_path)
    write_site(tmp_path, {"versions.json": text.encode("latin-1")})
    run(tmp_path)
    assert [*read_index(tmp_path / "sitemap.xml")] == ["2.0/sitemap.xml"]


@pytest.mark.parametrize("name", ["..", ".", "", "a/b", "..\\x", "x\0", "\u202e"])
def test_names_that_are_no_folders_are_ignored(tmp_path: Path, name: str) -> None:
    root = tmp_path / "root"
    write_versions(root)
    write_version(tmp_path, "secret", PAGES)
    text = [
        {"version": name, "aliases": [name]},
        {"version": "2.0", "aliases": [name, "latest"]},
    ]
    write_site(root, {"versions.json": json.dumps(text)})
    run(root)
    assert [*read_index(root / "sitemap.xml")] == ["2.0/sitemap.xml"]


def test_aliases_that_contradict_each_other(tmp_path: Path) -> None:
    write_versions(tmp_path)
    aliases = {"1.0": ["1.0", "2.0"], "1.1": ["1.0", "x"], "2.0": ["2.0", "x"]}
    text = [{"version": name, "aliases": others} for name, others in aliases.items()]
    write_site(tmp_path, {"versions.json": json.dumps(text)})
    assert "2.0/sitemap.xml" in listed(tmp_path, "--versions", "all")


def test_a_version_that_does_not_exist_any_more(tmp_path: Path) -> None:
    write_versions(tmp_path, "1.0")
    text = [
        {"version": "1.0", "aliases": []},
        {"version": "2.0", "aliases": ["latest"]},
    ]
    write_site(tmp_path, {"versions.json": json.dumps(text)})
    assert listed(tmp_path) == ["1.0/sitemap.xml"]


@pytest.mark.parametrize(
    "invalid", [{"version": 3}, {"version": "3.0", "aliases": None}, "3.0"]
)
def test_no_version_of_an_invalid_file_is_used(tmp_path: Path, invalid: object) -> None:
    write_versions(tmp_path, "1.0", "2.0")
    text = [{"version": "1.0", "aliases": ["2.0"]}, invalid]
    write_site(tmp_path, {"versions.json": json.dumps(text)})
    assert listed(tmp_path) == ["2.0/sitemap.xml"]


def test_the_name_of_a_version_is_no_alias_of_another_one(tmp_path: Path) -> None:
    write_versions(tmp_path, "1.0", "2.0")
    text = [{"version": "1.0", "aliases": ["2.0"]}, {"version": "2.0", "aliases": []}]
    write_site(tmp_path, {"versions.json": json.dumps(text)})
    assert "skipped, not the canonical version: 1.0\n" in run(tmp_path).out
    assert [*read_index(tmp_path / "sitemap.xml")] == ["2.0/sitemap.xml"]


def test_folders_that_mike_does_not_record_are_no_versions(tmp_path: Path) -> None:
    write_versions(tmp_path, "1.0", "2.0", "3.0", "experiment", "de/2.0", "de/1.0")
    text = '[{"version": "1.0", "aliases": []}, {"version": "2.0", "aliases": []}]'
    write_site(tmp_path, {"versions.json": text})
    done = run(tmp_path)
    assert "skipped, not in versions.json: 3.0, experiment\n" in done.out
    # Another language may have a file of its own.
    names = ["2.0/sitemap.xml", "de/2.0/sitemap.xml"]
    assert [*read_index(tmp_path / "sitemap.xml")] == names
    for options in (["canonical,experiment"], ["canonical,exp*"]):
        assert "experiment/sitemap.xml" in listed(tmp_path, "--versions", *options)
    assert "3.0/sitemap.xml" not in listed(tmp_path, "--versions", "all")
    # The file names no version of this tree.
    write_site(tmp_path, {"versions.json": '[{"version": "0.1", "aliases": []}]'})
    assert "3.0/sitemap.xml" in listed(tmp_path)


# Aliases


@pytest.mark.parametrize("kind", ["copy", "link", "redirect"])
def test_canonical_links_may_name_any_alias(tmp_path: Path, kind: str) -> None:
    write_versions(tmp_path, "1.0", "2.0", "3.0", canonical="production/")
    if kind == "copy":
        write_version(tmp_path, "production", PAGES, canonical="production/")
    elif kind == "link":
        (tmp_path / "production").symlink_to("2.0", target_is_directory=True)
    else:
        write_site(tmp_path, {"production/index.html": redirect("../2.0/")})
    aliases = {"1.0": [], "2.0": ["production"], "3.0": []}
    text = [{"version": name, "aliases": others} for name, others in aliases.items()]
    write_site(tmp_path, {"versions.json": json.dumps(text)})
    done = run(tmp_path)
    assert "2.0 (production), listed" in done.out


@pytest.mark.parametrize("kind", ["copy", "link"])
def test_an_alias_is_no_version_of_its_own(tmp_path: Path, kind: str) -> None:
    write_versions(tmp_path, "1.0", "2.0")
    if kind == "copy":
        for name in ("index.html", "guide/index.html", "sitemap.xml"):
            text = (tmp_path / "2.0" / name).read_text(encoding="utf-8")
            write_site(tmp_path, {f"latest/{name}": text})
        names = {"1.0": [], "2.0": ["latest"]}
        items = [{"version": name, "aliases": others} for name, others in names.items()]
        write_site(tmp_path, {"versions.json": json.dumps(items)})
    else:
        (tmp_path / "latest").symlink_to("2.0", target_is_directory=True)
    done = run(tmp_path, "--versions", "all")
    assert [*read_index(tmp_path / "sitemap.xml")] == [
        "2.0/sitemap.xml",
        "1.0/sitemap.xml",
    ]
    assert "2.0 (latest), listed, 2 URLs" in done.out
    assert listed(tmp_path, "--versions", "latest") == ["2.0/sitemap.xml"]


def test_the_sitemap_is_in_the_folder_of_its_urls(tmp_path: Path) -> None:
    # mike's canonical_version, with a sitemap of MkDocs itself.
    write_version(tmp_path, "latest", PAGES, canonical="latest/")
    for name in ("index.html", "guide/index.html", "sitemap.xml"):
        write_site(tmp_path, {f"2.0/{name}": (tmp_path / "latest" / name).read_bytes()})
    write_version(tmp_path, "1.0", PAGES, canonical="latest/")
    assert listed(tmp_path) == ["latest/sitemap.xml"]


@pytest.mark.parametrize("kind", ["link", "copy"])
def test_the_sitemap_is_listed_in_the_folder_of_its_urls(
    tmp_path: Path, kind: str
) -> None:
    """Sphinx builds every version with the address of the alias."""
    text = urlset(url(f"{BASE_URL}latest/"), url(f"{BASE_URL}latest/guide/"))
    for name in ("1.0", "2.0", "latest"):
        write_version(tmp_path, name, PAGES, canonical="latest/")
        write_site(tmp_path, {f"{name}/sitemap.xml": text})
    versions = '[{"version": "1.0"}, {"version": "2.0", "aliases": ["latest"]}]'
    write_site(tmp_path, {"versions.json": versions})
    if kind == "link":
        shutil.rmtree(tmp_path / "latest")
        (tmp_path / "latest").symlink_to("2.0", target_is_directory=True)
    done = run(tmp_path)
    assert [*read_index(tmp_path / "sitemap.xml")] == ["latest/sitemap.xml"]
    assert "2.0 (latest), listed, " in done.out
    assert "html_baseurl" not in done.out
    done = invoke("index", tmp_path, "--base-url", BASE_URL, "--versions", "all")
    assert done.code == 1
    assert "Error: 1.0/sitemap.xml: out-of-scope: " in done.out


def test_a_sitemap_is_not_in_the_folder_of_an_alias_that_redirects(
    tmp_path: Path,
) -> None:
    write_version(tmp_path, "2.0", PAGES, canonical="latest/")
    files = {
        "2.0/sitemap.xml": urlset(url(f"{BASE_URL}latest/")),
        "latest/index.html": redirect("../2.0/"),
        "versions.json": '[{"version": "2.0", "aliases": ["latest"]}]',
    }
    write_site(tmp_path, files)
    done = invoke("index", tmp_path, "--base-url", BASE_URL)
    assert done.code == 1
    assert "Error: 2.0/sitemap.xml: out-of-scope: " in done.out
    assert not (tmp_path / "sitemap.xml").exists()


def test_canonical_links_to_an_alias_have_a_notice(tmp_path: Path) -> None:
    write_alias(tmp_path)
    done = run(tmp_path)
    assert [*read_index(tmp_path / "sitemap.xml")] == ["2.0/sitemap.xml"]
    [notice] = [line for line in done.out.splitlines() if "Notice: " in line]
    assert f"links to {BASE_URL}2.0/ with canonical_version in mike" in notice
    write_version(tmp_path, "2.0", PAGES, canonical="2.0/")
    assert "canonical_version" not in run(tmp_path).out


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write_versions(root, "1.0")
    write_version(tmp_path, "secret", PAGES)
    (root / "2.0").symlink_to(tmp_path / "secret")
    (root / "loop").symlink_to("loop")
    (root / "3.0").mkdir()
    (root / "3.0/sitemap.xml").symlink_to(tmp_path / "secret/sitemap.xml")
    done = invoke("index", root, "--base-url", BASE_URL, "--versions", "all")
    assert done.code == 1
    assert "Error: 3.0/sitemap.xml: unreadable: " in done.out
    assert [*read_index(root / "sitemap.xml")] == ["1.0/sitemap.xml"]


# Children


def test_the_date_of_a_sitemap_is_its_newest_date(tmp_path: Path) -> None:
    dates = {
        "a/": "2026-03-01",
        "b/": "2026-03-01T10:00:00+14:00",
        "c/": "2025-12-31T23:59:59Z",
    }
    dates |= {"d/": "2027", "e/": "tomorrow"}
    write_version(tmp_path, "x", ["a/", "b/", "c/", "d/", "e/", "f/"], dates=dates)
    write_version(tmp_path, "y", PAGES)
    run(tmp_path)
    assert read_index(tmp_path / "sitemap.xml") == {
        "x/sitemap.xml": "2026-03-01",
        "y/sitemap.xml": None,
    }


def test_the_sitemaps_of_a_split_sitemap_are_listed_themselves(tmp_path: Path) -> None:
    start = f"{BASE_URL}x/"
    write_site(
        tmp_path,
        {
            "x/sitemap.xml": sitemap_index(
                f"{start}sitemap-1.xml", f"{start}sub/part.xml.gz"
            ),
            "x/sitemap-1.xml": urlset(
                url(f"{start}a/", "<lastmod>2026-01-01</lastmod>")
            ),
            "x/sub/part.xml.gz": urlset(url(f"{start}sub/b/")),
        },
    )
    run(tmp_path)
    assert read_index(tmp_path / "sitemap.xml") == {
        "x/sitemap-1.xml": "2026-01-01",
        "x/sub/part.xml.gz": None,
    }


def test_feeds_in_the_index_of_a_version_are_skipped(tmp_path: Path) -> None:
    parts = (f"{BASE_URL}x/rss.xml", f"{BASE_URL}x/1.xml", f"{BASE_URL}x/1.xml.gz")
    part = urlset(url(f"{BASE_URL}x/"))
    write_site(
        tmp_path,
        {
            "x/sitemap.xml": sitemap_index(*parts),
            "x/rss.xml": '<rss version="2.0"><channel/></rss>',
            "x/1.xml": part,
            "x/1.xml.gz": gzip.compress(part.encode()),
        },
    )
    assert listed(tmp_path) == ["x/1.xml"]


def test_an_alias_at_the_end_of_site_url_has_its_own_fix(tmp_path: Path) -> None:
    """The version is added to it."""
    write_version(tmp_path, "1.0", PAGES)
    write_version(tmp_path, "2.0", [])
    moved = urlset(*(url(f"{BASE_URL}latest/2.0/{path}") for path in PAGES))
    write_site(tmp_path, {"2.0/sitemap.xml": moved})
    done = invoke("index", tmp_path, "--base-url", BASE_URL)
    assert (
        f"{BASE_URL}latest/2.0/, are not below {BASE_URL}2.0/. Fix: remove latest from "
        in done.out
    )
    assert "check the base URL" not in done.out


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">]><urlset>&b;</urlset>'


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "not-well-formed"),
        ("<urlset", "not-well-formed"),
        (BOMB, "doctype"),
        (page(), "wrong-root"),
        (urlset(), "empty"),
        (urlset(url("None")), "empty"),
        (urlset(url("https://example.com/docs/bad/")), "out-of-scope"),
        (urlset(url(f"{BASE_URL}other/")), "out-of-scope"),
        (sitemap_index(f"{BASE_URL}bad/missing.xml"), "unreadable"),
        (sitemap_index("https://example.com/docs/bad/missing.xml"), "out-of-scope"),
        (sitemap_index(f"{BASE_URL}bad/sitemap.xml"), "wrong-root"),
        (sitemap_index(f"{BASE_URL}good/"), "wrong-root"),
        (urlset(url(f"{BASE_URL}bad/")) + "x", "not-well-formed"),
    ],
)
def test_a_sitemap_that_cannot_be_used_is_left_out(
    tmp_path: Path, text: str, code: str
) -> None:
    write_version(tmp_path, "good", PAGES)
    write_site(tmp_path, {"bad/sitemap.xml": text})
    done = invoke("index", tmp_path, "--base-url", BASE_URL)
    assert done.code == 1, done
    (error,) = [line for line in done.out.splitlines() if line.startswith("Error:")]
    assert f": {code}: " in error
    assert ". Fix: " in error
    assert error.splitlines()[0].endswith("; or leave the version out with --skip")
    assert [*read_index(tmp_path / "sitemap.xml")] == ["good/sitemap.xml"]
    assert (tmp_path / "bad/sitemap.xml").read_text(encoding="utf-8") == text


def test_feeds_and_compressed_copies_in_an_index_are_skipped(tmp_path: Path) -> None:
    names = ("1.xml", "1.xml.gz", "rss.xml")
    sitemap = urlset(url(f"{BASE_URL}a/"))
    files = {
        "sitemap.xml": sitemap_index(*(f"{BASE_URL}a/{name}" for name in names)),
        "1.xml": sitemap,
        "1.xml.gz": sitemap,
        "rss.xml": '<rss version="2.0"><channel/></rss>',
    }
    write_site(tmp_path, {f"a/{name}": text for name, text in files.items()})
    done = invoke("index", tmp_path, "--base-url", BASE_URL)
    assert done.code == 0, done
    assert [*read_index(tmp_path / "sitemap.xml")] == ["a/1.xml"]


def test_a_version_without_a_sitemap(tmp_path: Path) -> None:
    write_versions(tmp_path, "1.0", "2.0")
    (tmp_path / "1.0/sitemap.xml").unlink()
    assert "1.0" not in run(tmp_path, "--versions", "all").out
    text = '[{"version": "1.0", "aliases": []}, {"version": "2.0", "aliases": []}]'
    write_site(tmp_path, {"versions.json": text})
    done = run(tmp_path, "--versions", "all")
    assert "skipped, no sitemap: 1.0\n" in done.out
    assert "Warning: 1.0 was deployed without a sitemap" in done.out
    assert "no sitemap: " not in run(tmp_path).out
    (tmp_path / "2.0/sitemap.xml").unlink()
    before = (tmp_path / "sitemap.xml").read_bytes()
    done = invoke("index", tmp_path, "--base-url", BASE_URL)
    assert done.code == 1
    assert "2.0 was deployed without" in done.out
    assert "Error: no sitemap is written: " in done.out
    assert (tmp_path / "sitemap.xml").read_bytes() == before


@pytest.mark.parametrize(
    ("files", "option"),
    [
        ({"search/search_index.json": "{}"}, "site_url"),
        ({"_static/documentation_options.js": ""}, "html_baseurl"),
        ({}, "its address"),
    ],
)
@pytest.mark.parametrize("entries", [[], [url("None"), url("None")]])
def test_versions_that_were_built_without_their_address(
    tmp_path: Path, files: dict[str, str], option: str, entries: list[str]
) -> None:
    names = [f"1.{number}" for number in range(12)]
    for name in names:
        site = {**files, "index.html": page(), "sitemap.xml": urlset(*entries)}
        write_site(tmp_path, {f"{name}/{file}": text for file, text in site.items()})
    items = [{"version": name} for name in names]
    write_site(tmp_path, {"versions.json": json.dumps(items)})
    done = invoke("index", tmp_path, "--base-url", BASE_URL, "--dry-run")
    assert done.code == 1
    lines = [line for line in done.out.splitlines() if line.startswith("skipped, ")]
    assert [line.partition(": ")[2] for line in lines] == [
        "1.11",
        "1.10, 1.9, 1.8, 1.7, 1.6 and 6 more",
    ]
    [error] = [line for line in done.out.splitlines() if ": empty: " in line]
    assert f"built without {option}. Fix: " in error
    assert f"generate {tmp_path}/1.11 --base-url {BASE_URL}1.11/; " in error
    assert "to write it" not in done.out
    # The links are complete anyway.
    done = invoke("index", tmp_path, "--base-url", BASE_URL, "--dry-run", "--canonical")
    assert "canonical links: 11 changed, not written\nto write it: " in done.out


def test_nothing_is_deployed(tmp_path: Path) -> None:
    write_site(tmp_path, {"1.0/index.html": page(), "2.0/index.html": page()})
    done = invoke("index", tmp_path, "--base-url", BASE_URL)
    assert done.code == 1
    assert done.out.startswith("Error: no sitemap is written: ")


@pytest.mark.parametrize("name", ["MAX_ENTRIES", "MAX_BYTES"])
def test_an_index_above_the_limits_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for folder in ("a", "b", "c"):
        write_version(tmp_path, folder, PAGES)
    monkeypatch.setattr(f"docs_sitemap_cli.versions.sitemap_index.{name}", 2)
    done = invoke("index", tmp_path, "--base-url", BASE_URL)
    assert done.code == 2
    assert "would list 3 sitemaps" in done.err
    assert "Fix: list fewer versions" in done.err
    assert not (tmp_path / "sitemap.xml").exists()


def test_memory_does_not_depend_on_the_number_of_listed_urls(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        entries = [url(f"{BASE_URL}x/page-{number}/") for number in range(1_000)]
        text = urlset(*entries)
        for number in range(count):
            folder = f"site-{number}"
            write_site(
                tmp_path, {f"{folder}/sitemap.xml": text.replace("/x/", f"/{folder}/")}
            )
        tracemalloc.start()
        done = run(tmp_path)
        assert f"{count},000 URLs" in done.out
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    peak(1)
    few = peak(2)
    # The entries of ten more sitemaps would need at least two megabytes.
    assert peak(12) - few < 1_000_000


def test_a_folder_is_not_locked_if_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_site(tmp_path, {"1.0/sitemap.xml": "<urlset>"})
    path = "docs_sitemap_cli.versions.composition.lock_folder"
    monkeypatch.setattr(path, None)
    done = invoke("index", tmp_path, "--base-url", BASE_URL)
    assert done.code == 1
    assert "Error: no sitemap is written: " in done.out


def test_a_sitemap_that_lists_pages_above_its_folder(tmp_path: Path) -> None:
    text = sitemap_index(f"{BASE_URL}1.0/parts/1.xml")
    part = urlset(url(f"{BASE_URL}1.0/a/"))
    write_site(tmp_path, {"1.0/sitemap.xml": text, "1.0/parts/1.xml": part})
    done = invoke("index", tmp_path, "--base-url", BASE_URL)
    assert done.code == 1
    assert "1.0/parts/1.xml: out-of-scope: " in done.out


# Canonical links


def test_canonical_links_of_other_versions_are_checked(tmp_path: Path) -> None:
    write_version(tmp_path, "1.0", ["", "gone/"], canonical="stable/")
    write_version(tmp_path, "1.1", ["", "x/"], canonical="1.1/")
    write_version(tmp_path, "1.2", [""])
    write_version(tmp_path, "stable", ["", "new/"], canonical="stable/")
    done = run(tmp_path)
    assert "2 of 3 pages in other versions, such as 1.2/index" in done.out
    # Versions that are listed on purpose may compete.
    assert "1 of 2 pages in other" in run(tmp_path, "--versions", "stable,1.1").out


def test_accurate_canonical_links_cause_no_message(tmp_path: Path) -> None:
    for name in ("1.0", "2.0"):
        write_version(tmp_path, name, PAGES, canonical="2.0/")
    write_site(tmp_path, {"1.0/404.html": page(), "1.0/x.html": redirect("guide/")})
    assert "Warning" not in run(tmp_path).out


# The site at the root


def test_the_sitemap_of_a_site_at_the_root_is_not_replaced(tmp_path: Path) -> None:
    write_version(tmp_path, "", ["", "guide/", "about/"])
    write_version(tmp_path, "blog", ["", "post/"])
    before = (tmp_path / "sitemap.xml").read_bytes()
    for _ in range(2):
        done = run(tmp_path)
        assert read_index(tmp_path / "sitemap-index.xml") == {
            "sitemap.xml": None,
            "blog/sitemap.xml": None,
        }
        assert (tmp_path / "sitemap.xml").read_bytes() == before
        line = f"in robots.txt, list it instead: Sitemap: {BASE_URL}sitemap-index.xml"
        assert line in done.out
    arguments = ("index", tmp_path, "--base-url", BASE_URL, "--output", "sitemap.xml")
    done = invoke(*arguments)
    assert done.code == 2
    assert "sitemap.xml would be replaced" in done.err
    # Its compressed copy is not replaced, either.
    data = gzip.compress((tmp_path / "sitemap.xml").read_bytes())
    (tmp_path / "sitemap.xml").unlink()
    (tmp_path / "sitemap.xml.gz").write_bytes(data)
    assert invoke(*arguments).code == 2
    assert (tmp_path / "sitemap.xml.gz").read_bytes() == data


def test_the_newest_version_is_at_the_root(tmp_path: Path) -> None:
    write_version(tmp_path, "", ["", "guide/", "new/"], canonical="")
    write_version(tmp_path, "v1", [*PAGES, "old/"], canonical="")
    write_version(tmp_path, "v2", PAGES, canonical="")
    done = run(tmp_path)
    assert "already lists all pages" in done.out
    assert "robots.txt" not in done.out
    assert "skipped, not the canonical version: v2, v1\n" in done.out
    assert not (tmp_path / "sitemap-index.xml").exists()
    run(tmp_path, "--versions", "all")
    names = ["v2/sitemap.xml", "v1/sitemap.xml", "sitemap.xml"]
    assert [*read_index(tmp_path / "sitemap-index.xml")] == names


def test_a_split_sitemap_of_a_site_at_the_root(tmp_path: Path) -> None:
    write_version(tmp_path, "", PAGES)
    (tmp_path / "sitemap.xml").rename(tmp_path / "sitemap-1.xml")
    write_site(tmp_path, {"sitemap.xml": sitemap_index(f"{BASE_URL}sitemap-1.xml")})
    write_version(tmp_path, "blog", PAGES)
    run(tmp_path)
    files = [*read_index(tmp_path / "sitemap-index.xml")]
    assert files == ["sitemap-1.xml", "blog/sitemap.xml"]


@pytest.mark.parametrize("name", ["sitemap.xml", "other.xml"])
def test_the_file_of_another_tool_is_not_replaced(tmp_path: Path, name: str) -> None:
    write_versions(tmp_path)
    text = urlset(url(BASE_URL), url(f"{BASE_URL}about/"))
    write_site(tmp_path, {name: text})
    done = invoke("index", tmp_path, "--base-url", BASE_URL, "--output", name)
    assert done.code == 2
    assert f"{name} " in done.err
    assert "would be replaced" in done.err
    assert (tmp_path / name).read_text(encoding="utf-8") == text


def test_the_work_is_linear_in_the_number_of_folders(tmp_path: Path) -> None:
    def calls(name: str, number: int) -> int:
        """Return how many functions are called, which no other process changes."""
        root = tmp_path / name
        for one in range(number):
            # The sitemap lists pages of another folder.
            text = urlset(url(f"{BASE_URL}{one + 1}/"))
            write_site(root, {f"{one}/sitemap.xml": text, f"empty-{one}/x": ""})
        events: Counter[str] = Counter()
        sys.setprofile(lambda _frame, event, _argument: events.update([event]))
        try:
            options = ("--base-url", BASE_URL, "--versions", "all")
            assert invoke("index", root, *options).code == 1
        finally:
            sys.setprofile(None)
        return events["call"] + events["c_call"]

    calls("warm", 10)
    assert calls("many", 160) < 4.5 * calls("few", 40)


# Output


def test_the_same_tree_gives_the_same_bytes(tmp_path: Path) -> None:
    write_versions(tmp_path)
    first = []
    for arguments in ((), ("--versions", "all"), ("--versions", "1.0")):
        pair = []
        for _ in range(2):
            run(tmp_path, *arguments)
            pair.append((tmp_path / "sitemap.xml").read_bytes())
        assert pair[0] == pair[1]
        first.append(pair[0])
    assert len({*first}) == 3


def test_the_sitemap_can_have_another_name(tmp_path: Path) -> None:
    write_versions(tmp_path)
    run(tmp_path, "--output", "all.xml")
    assert [*read_index(tmp_path / "all.xml")] == ["2.0/sitemap.xml"]
    assert not (tmp_path / "sitemap.xml").exists()
    run(tmp_path, "--output", "")
    assert (tmp_path / "sitemap.xml").exists()
    for name in ("x.txt", "x/", "2.0/sitemap.xml", str(tmp_path / "x.xml")):
        wrong = invoke("index", tmp_path, "--base-url", BASE_URL, "--output", name)
        assert wrong.code == 2
        assert "--output is not " in wrong.err


def test_nothing_is_half_written(tmp_path: Path) -> None:
    write_versions(tmp_path)
    run(tmp_path)
    before = (tmp_path / "sitemap.xml").read_bytes()
    (tmp_path / "sitemap.xml.gz").unlink()
    (tmp_path / "sitemap.xml.gz").mkdir()
    write_version(tmp_path, "3.0", ["", "new/"])
    done = invoke("index", tmp_path, "--base-url", BASE_URL)
    assert done.code == 2
    assert "Is a directory" in done.err
    assert (tmp_path / "sitemap.xml").read_bytes() == before
    assert not [*tmp_path.glob(".docs-sitemap-*.tmp")]


# What other people wrote


def test_a_sitemap_that_several_indexes_list_is_listed_once(tmp_path: Path) -> None:
    write_version(tmp_path, "api", PAGES)
    children = sitemap_index(f"{BASE_URL}api/sitemap.xml", f"{BASE_URL}all/own.xml")
    write_site(
        tmp_path,
        {"all/sitemap.xml": children, "all/own.xml": urlset(url(f"{BASE_URL}all/"))},
    )
    done = run(tmp_path)
    assert {*read_index(tmp_path / "sitemap.xml")} == {"all/own.xml", "api/sitemap.xml"}
    assert "an index of 2 sitemaps, 3 URLs" in done.out


def test_a_sitemap_that_an_index_lists_in_vain_is_named(tmp_path: Path) -> None:
    children = sitemap_index(f"{BASE_URL}api/one.xml", f"{BASE_URL}api/two.xml")
    write_site(
        tmp_path,
        {"api/sitemap.xml": children, "api/one.xml": urlset(url(f"{BASE_URL}api/"))},
    )
    done = invoke("index", tmp_path, "--base-url", BASE_URL)
    assert done.code == 1
    assert f"Error: {BASE_URL}api/two.xml: unreadable: " in done.out


def test_dates_in_the_future_are_omitted(tmp_path: Path) -> None:
    dates = {"": "2024-05-01", "guide/": "2999-01-01"}
    write_version(tmp_path, "api", PAGES, dates=dates)
    run(tmp_path)
    text = (tmp_path / "sitemap.xml").read_text(encoding="utf-8")
    assert "2024-05-01" in text
    assert "2999" not in text
