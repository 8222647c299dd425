"""Links between languages that are built separately: removed where they lead nowhere."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from support.builds import build_site
from support.platforms import needs_posix
from support.sitemaps import NAMESPACES, index, links, url, urlset, write_site

from docs_sitemap import Options, Page, parse_base_url
from docs_sitemap.commands.index.prune import PruneError, find_sitemap_files, prune_alternates

ROOT = "https://example.org/"
Links = dict[str, dict[str, list[str]]]


def prune(folder: Path, base_url: str | None = ROOT) -> dict[str, int]:
    """Prune all sitemaps of a folder, and return the number of removed links of each."""
    base = None if base_url is None else parse_base_url(base_url)
    pruned = prune_alternates(find_sitemap_files(folder), folder, base)
    return {one.path.relative_to(folder.resolve()).as_posix(): one.links for one in pruned}


def build(out: Path, language: str, *names: str, **options: object) -> None:
    """Build the sitemap of one language."""
    values = {
        "base_url": f"{ROOT}{language}/",
        "language": language,
        "locales": ["de", "en", "fr"],
        "x_default": "en",
        "lastmod": False,
    }
    pages = [Page(url=f"{name}/", name=name) for name in names]
    build_site(pages, Options(**values | options), out / language)  # type: ignore[arg-type]


def test_languages_are_complete_when_the_last_one_is_built(tmp_path: Path) -> None:
    for language, names in {"de": "ab", "en": "abc", "fr": "ad"}.items():
        build(tmp_path, language, *names)
    files = [tmp_path / f"{language}/sitemap.xml" for language in ("de", "en", "fr")]
    before = {file: file.read_text(encoding="utf-8") for file in files}
    # b is not in French, c is only in English, and d is only in French.
    assert prune(tmp_path) == {
        "de/sitemap.xml": 1,
        "en/sitemap.xml": 1 + 4,
        "fr/sitemap.xml": 4,
    }
    for file in files:
        text = file.read_text(encoding="utf-8")
        # Only complete lines are removed.
        removed = [line for line in before[file].splitlines() if "<xhtml:link" in line]
        kept = [line for line in text.splitlines() if "<xhtml:link" in line]
        assert len(removed) > len(kept) > 0
        others = [line for line in before[file].splitlines() if "<xhtml:link" not in line]
        assert [line for line in text.splitlines() if "<xhtml:link" not in line] == others
        copy = file.with_name("sitemap.xml.gz").read_bytes()
        assert gzip.decompress(copy) == file.read_bytes()
        assert copy[4:8] == bytes(4)
    times = [os.stat(file).st_mtime_ns for file in files]
    assert prune(tmp_path) == {}
    assert [os.stat(file).st_mtime_ns for file in files] == times
    # With the page, the link comes back when English is built again.
    build(tmp_path, "fr", "a", "b", "d")
    build(tmp_path, "en", "a", "b", "c")
    prune(tmp_path)
    assert f"{ROOT}fr/b/" in files[1].read_text(encoding="utf-8")


A, B, C = (f"{ROOT}{name}/" for name in "abc")
ONLY_A = links(en=A)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (url(A, links(en=A, de=B)), url(A)),
        (url(A, links(en=A, de=B, x_default=A)), url(A)),
        (url(A, links(de=B)), url(A)),
        (
            f'<url><xhtml:link rel="alternate" hreflang="de" href="{B}"></xhtml:link >'
            f"<loc>\n {A}\n</loc></url>",
            f"<url><loc>\n {A}\n</loc></url>",
        ),
        (
            f"<url>\r\n\t<loc><![CDATA[{A}]]></loc>\r\n\t<xhtml:link href='{B}' hreflang='de'\r\n"
            "\t\trel='Alternate nofollow' title='a > b'\r\n/>\r\n<!-- é -->\r\n</url>",
            f"<url>\r\n\t<loc><![CDATA[{A}]]></loc>\r\n<!-- é -->\r\n</url>",
        ),
        (
            url(
                A,
                f'<h:link xmlns:h="http://www.w3.org/1999/xhtml" rel="alternate" hreflang="de" '
                f'href="{B}"> </h:link>',
            ),
            url(A),
        ),
    ],
)
def test_exactly_the_links_are_removed(tmp_path: Path, line: str, expected: str) -> None:
    text, rest = urlset("@", url(B)), url(C, ONLY_A)
    write_site(tmp_path, {"sitemap.xml": text.replace("@", line + rest)})
    (number,) = prune(tmp_path).values()
    assert number == line.count("hreflang") + 1
    expected_text = text.replace("@", expected + url(C))
    assert (tmp_path / "sitemap.xml").read_bytes() == expected_text.encode()


@pytest.mark.parametrize(
    "lines",
    [
        [url(A)],
        [url(A, links(en=A, de=B)), url(B, links(en=A, de=B))],
        # Other spellings of a URL.
        [url("HTTPS://example.org:443/%61/", links(en=A, de=B)), url(B, links(en=A, de=B))],
        # Links of one page in two places.
        [url(A, links(de=B)), url(B, links(en=A)), url(A, links(de=B)), url(B), url(A)],
        # A page that is linked only with itself, which sphinx-sitemap writes.
        [url(A, ONLY_A)],
        # Links that are not for languages.
        [url(A, f'<xhtml:link rel="alternate" media="handheld" href="{B}"/>')],
        [url(A, f'<xhtml:link rel="amphtml" hreflang="de" href="{B}"/>')],
        # Other sites, whose sitemaps are not known.
        [url(A, links(en=A, de="https://example.de/a/"))],
    ],
)
def test_other_files_keep_every_byte(tmp_path: Path, lines: list[str]) -> None:
    dead = urlset(url(f"{ROOT}dead/", links(en=f"{ROOT}dead/", de=f"{ROOT}gone/")))
    text = "\ufeff" + urlset(*lines)
    write_site(tmp_path, {"a/sitemap.xml": text, "a/sitemap.xml.gz": b"?", "b/sitemap.xml": dead})
    before = os.stat(tmp_path / "a/sitemap.xml")
    assert prune(tmp_path) == {"b/sitemap.xml": 2}
    assert (tmp_path / "a/sitemap.xml").read_bytes() == text.encode()
    assert os.stat(tmp_path / "a/sitemap.xml").st_mtime_ns == before.st_mtime_ns
    assert (tmp_path / "a/sitemap.xml.gz").read_bytes() == b"?"


def test_links_to_other_sites_are_removed_only_without_a_base_url(tmp_path: Path) -> None:
    line = url(A, links(en=A, de=B, fr="https://example.fr/"))
    write_site(tmp_path, {"sitemap.xml": urlset(line)})
    assert prune(tmp_path) == {"sitemap.xml": 1}
    text = (tmp_path / "sitemap.xml").read_text(encoding="utf-8")
    assert text == urlset(url(A, links(en=A, fr="https://example.fr/")))
    assert prune(tmp_path, base_url=None) == {"sitemap.xml": 2}


def test_a_sitemap_that_is_only_compressed_is_compressed_again(tmp_path: Path) -> None:
    write_site(tmp_path, {"sitemap.xml.gz": urlset(url(A, links(en=A, de=B)))})
    assert prune(tmp_path) == {"sitemap.xml.gz": 2}
    data = (tmp_path / "sitemap.xml.gz").read_bytes()
    assert gzip.decompress(data).decode() == urlset(url(A))
    assert data[4:8] == bytes(4)


def test_parts_of_an_index_and_files_with_any_name_are_found(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "sitemap.xml": index(f"{ROOT}pages-1.xml", f"{ROOT}pages-2.xml.gz"),
        "pages-1.xml": urlset(url(A, links(en=A, de=B))),
        "pages-2.xml.gz": urlset(url(B, links(en=A, de=B))),
        "feed.xml": "<rss><channel/></rss>",
        "broken.xml": "<",
        "broken.xml.gz": b"?",
        ".hidden/sitemap.xml": "<",
    }
    write_site(tmp_path, files)
    found = [path.name for path in find_sitemap_files(tmp_path)]
    assert found == ["pages-1.xml", "pages-2.xml.gz"]
    assert prune(tmp_path) == {}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (urlset(url(A))[:-5], r"it is not well-formed \(line 4: "),
        ("<!DOCTYPE urlset>" + urlset(url(A)).partition("\n")[2], "a document type declaration"),
        (urlset(url(A)).encode("utf-16"), "it is not UTF-8"),
        (urlset(url(A, links(de=A) * 1_001)), "a page has more than 1,000 links"),
        (urlset(url(A, f'<a b="{"x" * 2**21}"/>')), "a tag has more than 1,048,576 bytes"),
    ],
)
def test_a_file_that_cannot_be_read_stops_everything(
    tmp_path: Path, content: str | bytes, message: str
) -> None:
    dead = urlset(url(A, links(en=A, de=B)))
    write_site(tmp_path, {"a/sitemap.xml": dead, "b/sitemap.xml": content})
    files = [tmp_path / "a/sitemap.xml", tmp_path / "b/sitemap.xml"]
    with pytest.raises(PruneError, match=message) as raised:
        prune_alternates(files, tmp_path)
    assert raised.value.path == files[1]
    assert files[0].read_text(encoding="utf-8") == dead


def test_a_file_with_the_name_of_a_sitemap_must_be_readable(tmp_path: Path) -> None:
    write_site(tmp_path, {"sitemap.xml.gz": b"?"})
    with pytest.raises(PruneError, match="it cannot be uncompressed"):
        find_sitemap_files(tmp_path)


@needs_posix
def test_symbolic_links_are_followed_inside_the_folder(tmp_path: Path) -> None:
    site = write_site(tmp_path / "site", {"1.0/sitemap.xml": urlset(url(A, links(en=A, de=B)))})
    (site / "latest").symlink_to("1.0")
    paths = [site / "latest/sitemap.xml", site / "1.0/sitemap.xml"]
    assert [one.path.parent.name for one in prune_alternates(paths, site)] == ["1.0"]
    assert (site / "latest").is_symlink()
    outside = write_site(tmp_path / "other", {"sitemap.xml": urlset(url(A))}) / "sitemap.xml"
    (site / "sitemap.xml").symlink_to(outside)
    with pytest.raises(PruneError, match="it is not in "):
        prune_alternates([site / "sitemap.xml"], site)


NAMES = st.sampled_from([f"{ROOT}{name}" for name in ("a", "b", "c", "d", "e", "%66")])
ENTRIES = st.tuples(NAMES, st.lists(NAMES, max_size=4))
SITES = st.lists(st.lists(ENTRIES, max_size=4), min_size=1, max_size=3)


def write_entries(entries: list[tuple[str, list[str]]], indent: str) -> bytes:
    tags = ["en", "de", "fr", "x-default"]
    lines = []
    for loc, targets in entries:
        lines += [f"{indent}<url>", f"{indent * 2}<loc>{loc}</loc>"]
        lines += [
            f'{indent * 2}<xhtml:link rel="alternate" hreflang="{tag}" href="{target}"/>'
            for tag, target in zip(tags, targets, strict=False)
        ]
        lines += [f"{indent}</url>"]
    end = "\n" if indent else ""
    return f"<urlset {NAMESPACES}>{end}{end.join(lines)}{end}</urlset>{end}".encode()


def read_entries(path: Path) -> list[tuple[str, list[str]]]:
    return [
        (str(entry.findtext("{*}loc")), [str(link.get("href")) for link in entry.iter("{*}link")])
        for entry in etree.parse(path).getroot()
    ]


@given(SITES, st.sampled_from(["", "  "]))
def test_afterwards_every_link_is_listed_and_reciprocal(
    sites: list[list[tuple[str, list[str]]]], indent: str
) -> None:
    def expected(entries: list[tuple[str, list[str]]]) -> list[tuple[str, list[str]]]:
        result = []
        for loc, targets in entries:
            kept = [target for target in targets if target == loc or (target, loc) in pairs]
            is_changed = len(kept) < len(targets)
            result.append((loc, [] if is_changed and {*kept} == {loc} else kept))
        return result

    pairs = {(loc, target) for site in sites for loc, targets in site for target in targets}
    with TemporaryDirectory() as name:
        folder = Path(name)
        paths = [folder / f"{number}.xml" for number in range(len(sites))]
        for path, site in zip(paths, sites, strict=True):
            path.write_bytes(write_entries(site, indent))
        prune_alternates(paths, folder)
        after = [read_entries(path) for path in paths]
        for path, site, entries in zip(paths, sites, after, strict=True):
            assert entries == expected(site)
            # Exactly what would have been written without the links.
            assert path.read_bytes() == write_entries(entries, indent) or _tags_differ(
                site, entries
            )
        listed = {loc for entries in after for loc, _ in entries}
        links_after = {(loc, target) for site in after for loc, to in site for target in to}
        for loc, target in links_after:
            assert target in listed
            assert (target, loc) in links_after or target == loc
        assert prune_alternates(reversed(paths), folder) == []


def _tags_differ(before: list[tuple[str, list[str]]], after: list[tuple[str, list[str]]]) -> bool:
    """Whether links before others were removed, which then have other language tags."""
    return any(old[: len(new)] != new for (_, old), (_, new) in zip(before, after, strict=True))
