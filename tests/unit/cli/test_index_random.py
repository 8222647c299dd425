"""`docs-sitemap index` with random sites, and the names of versions."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, strategies as st
from support.cli import invoke
from support.deployed import BASE_URL, read_index
from support.readers import parse
from support.sitemaps import check_data, url, urlset, write_site

from docs_sitemap_cli.version_names import (
    is_prerelease,
    is_version_name,
    version_order,
)

dates = st.none() | st.sampled_from(
    ["2024-01-01", "2024-01-01T10:00:00+02:00", "2024-02-01Z"]
)
paths = st.sampled_from(
    ["", "a/", "b/", "b/c.html", "caf%C3%A9/", "x?y=1&amp;z", "it's/"]
)
entries = st.lists(st.tuples(paths, dates), max_size=6)
folders = st.sampled_from(
    ["1.0", "2.0", "3.0rc1", "latest", "en/stable", "de/stable", "api", "a/b"]
)
broken = st.sampled_from(
    ["", "<urlset", urlset(), urlset(url("https://example.com/")), "\0"]
)
sites = st.dictionaries(folders, entries | broken, min_size=1, max_size=5)


def write_sites(root: Path, contents: dict[str, Any]) -> None:
    for folder, content in contents.items():
        text = content
        if isinstance(content, list):
            lines = []
            for path, date in content:
                lastmod = "" if date is None else f"<lastmod>{date}</lastmod>"
                lines.append(url(f"{BASE_URL}{folder}/{path}", lastmod))
            text = urlset(*lines)
        write_site(root, {f"{folder}/sitemap.xml": text})


def compose(root: Path, *arguments: str, may_fail: bool = False) -> dict[str, bytes]:
    """Return the files that are written."""
    done = invoke("index", root, "--base-url", BASE_URL, *arguments)
    assert done.code in (0, 1) or may_fail, done
    if done.code == 2:
        assert "there is no version" in done.err
        return {}
    files = {file.name: file.read_bytes() for file in root.glob("*.xml")}
    assert files or " is written: " in done.out
    return files


@given(sites, st.sampled_from(["canonical", "all", "*.0"]))
def test_random_sites_give_valid_sitemaps(
    contents: dict[str, Any], wanted: str
) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write_sites(root, contents)
        arguments = ("--versions", wanted)
        files = compose(root, *arguments, may_fail=not {"1.0", "2.0"} & contents.keys())
        for name, data in files.items():
            parse(data)
            assert not check_data(data, name, scope=BASE_URL) or b"02-01Z" in data
        # A second run reads its own output, and changes nothing.
        assert compose(root, *arguments, may_fail=True) == files


@given(sites)
def test_an_index_lists_each_sitemap_with_urls_once(contents: dict[str, Any]) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write_sites(root, contents)
        files = compose(root, "--versions", ",".join(["all", *contents]))
        expected = set()
        for name, content in contents.items():
            if isinstance(content, list) and content:
                expected.add(f"{name}/sitemap.xml")
        assert [*files] == (["sitemap.xml"] if expected else [])
        index = read_index(root / "sitemap.xml") if expected else {}
        assert {*index} == expected


NAMES = ("dev", "1.0", "v1.1", "1.9", "1.x", "2.0b1", "2.0")


def test_names_of_versions() -> None:
    for name in (
        *NAMES,
        "release-2.0",
        "stable",
        "LATEST",
        "1",
        "2024.10",
        "v3.0.dev4+local",
        "lts",
    ):
        assert is_version_name(name), name
    for name in ("api", "en", "v", "guide", "1.0 and more", "", "x1.0", "über"):
        assert not is_version_name(name), name
    assert [name for name in NAMES if is_prerelease(name)] == ["dev", "2.0b1"]
    ordered = sorted({*NAMES}, key=version_order)
    assert ordered == ["dev", "2.0b1", "1.0", "v1.1", "1.9", "1.x", "2.0"]


@given(st.text(max_size=20))
def test_any_name_has_an_order(name: str) -> None:
    assert version_order(name) <= version_order(name)
    assert is_version_name(name) or not is_prerelease(name)
