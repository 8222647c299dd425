"""Merged sitemaps, composed of random sitemaps."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from itertools import starmap
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.deployed import BASE_URL
from support.readers import Entry, parse, read
from support.sitemaps import url, urlset, write_site

from docs_sitemap import parse_base_url
from docs_sitemap.commands.index import (
    ComposeError,
    DeployedFolder,
    IndexOptions,
    compose_sitemaps,
    write_to_folder,
)
from docs_sitemap.commands.index.merged_entries import MergedEntry
from docs_sitemap.commands.index.spooled_files import write_urlsets
from docs_sitemap.commands.index.version_names import (
    is_prerelease,
    is_version_name,
    parse_version,
    version_order,
)
from docs_sitemap.sitemap.protocol import Alternate, Url
from docs_sitemap.sitemap.render import Renderer
from docs_sitemap.sitemap.validation import check_sitemap

NOW = datetime(2030, 1, 1, tzinfo=UTC)

dates = st.none() | st.sampled_from(["2026-01-01", "2026-01-01T10:00:00+02:00", "2026-02-01Z"])
paths = st.sampled_from(["", "a/", "b/", "b/c.html", "caf%C3%A9/", "x?y=1&amp;z", "it's/"])
entries = st.lists(st.tuples(paths, dates), max_size=6)
folders = st.sampled_from(
    ["1.0", "2.0", "3.0rc1", "latest", "en/stable", "de/stable", "api", "a/b"]
)
broken = st.sampled_from(["", "<urlset", urlset(), urlset(url("https://example.com/")), "\0"])
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


def compose(root: Path, **options: Any) -> dict[str, bytes]:
    """Return the files that are written."""
    chosen = IndexOptions(parse_base_url(BASE_URL), **options)
    with TemporaryDirectory() as scratch:
        composition = compose_sitemaps(DeployedFolder(str(root)), chosen, Path(scratch), NOW)
        if not composition.files:
            assert composition.has_errors or composition.messages
            return {}
        written = write_to_folder(composition, root)
    return {path.name: path.read_bytes() for path in written}


@given(sites, st.booleans(), st.booleans(), st.sampled_from(["canonical", "all", "*.0"]))
def test_random_sites_give_valid_sitemaps(
    contents: dict[str, Any], merge: bool, keep_removed: bool, wanted: str
) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write_sites(root, contents)
        options: dict[str, Any] = {"merge": merge, "keep_removed": keep_removed}
        if wanted == "*.0" and not {"1.0", "2.0"} & contents.keys():
            with pytest.raises(ComposeError, match="there is no version"):
                compose(root, versions=(wanted,), **options)
            return
        files = compose(root, versions=(wanted,), **options)
        for name, data in files.items():
            parse(data)
            assert not check_sitemap(io.BytesIO(data), name, BASE_URL) or b"02-01Z" in data
        # A second run reads its own output, and changes nothing.
        assert compose(root, versions=(wanted,), **options) == files


@given(sites)
def test_a_merged_sitemap_lists_each_url_of_all_sitemaps_once(contents: dict[str, Any]) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write_sites(root, contents)
        files = compose(root, versions=("all",), prereleases=True, merge=True)
        merged = read(files["sitemap.xml"]) if files else []
        expected = {
            f"{BASE_URL}{folder}/{path}".replace("&amp;", "&")
            for folder, content in contents.items()
            if isinstance(content, list)
            for path, _ in content
        }
        assert [entry.loc for entry in merged] == sorted(expected)


values = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1)
merged_entries = st.builds(
    MergedEntry,
    loc=values.map(lambda text: f"https://example.org/?x&'{quote(text)}"),
    lastmod=st.none() | st.just("2026-01-01"),
    changefreq=st.none() | st.just("weekly"),
    priority=st.none() | st.just("0.5"),
    alternates=st.lists(
        st.tuples(
            st.sampled_from(["en", "pt-BR"]),
            values.map(quote).map("https://example.org/?x&'{}".format),
        ),
        max_size=2,
    ).map(tuple),
)


@given(st.lists(merged_entries, min_size=1, max_size=12), st.integers(1, 5), st.integers(400, 900))
def test_parts_keep_the_limits_and_the_order(
    chosen: list[MergedEntry], max_entries: int, max_bytes: int
) -> None:
    with TemporaryDirectory() as folder:
        parts = write_urlsets(
            chosen,
            Path(folder),
            has_alternates=True,
            max_entries=max_entries,
            max_bytes=max_bytes,
        )
        listed: list[Entry] = []
        for part in parts:
            data = part.path.read_bytes()
            one = read(data)
            assert 0 < len(one) <= max_entries
            assert len(data) <= max_bytes or len(one) == 1
            assert part.lastmod == max(entry.lastmod or "" for entry in one) or not part.lastmod
            listed += one
    assert [(entry.loc, entry.lastmod, entry.changefreq, entry.priority) for entry in listed] == [
        entry[:4] for entry in chosen
    ]


def test_a_merged_sitemap_has_the_form_of_the_built_in_template(tmp_path: Path) -> None:
    links = (("en", "https://example.org/a/?x&'y'"), ("de", 'https://example.org/de/"'))
    merged = [
        MergedEntry("https://example.org/a/?x&'y'", "2026-01-01", "weekly", "0.5", links),
        MergedEntry("https://example.org/b/", None, None, None),
    ]
    (part,) = write_urlsets(merged, tmp_path, has_alternates=True)
    first, mark, *rest = part.path.read_text(encoding="utf-8").split("\n")
    assert mark == "<!-- Written by docs-sitemap index -->"
    urls = [Url(*entry[:4], tuple(starmap(Alternate, entry.alternates))) for entry in merged]
    rendered = Renderer().sitemap(urls).decode()
    text = "\n".join([first, *rest])
    assert text.replace("&#x27;", "&#39;").replace("&quot;", "&#34;") == rendered


NAMES = ("dev", "1.0", "v1.1", "1.9", "1.x", "2.0b1", "2.0")


def test_names_of_versions() -> None:
    for name in (*NAMES, "release-2.0", "stable", "LATEST", "1", "2024.10", "v3.0.dev4+local"):
        assert is_version_name(name), name
    for name in ("api", "en", "v", "guide", "1.0 and more", "", "x1.0", "über"):
        assert not is_version_name(name), name
    assert [name for name in NAMES if is_prerelease(name)] == ["dev", "2.0b1"]
    ordered = sorted({*NAMES}, key=version_order)
    assert ordered == ["dev", "2.0b1", "1.0", "v1.1", "1.9", "1.x", "2.0"]


@given(st.text(max_size=20))
def test_any_name_has_an_order(name: str) -> None:
    assert version_order(name) <= version_order(name)
    assert is_version_name(name) or parse_version(name) is None
