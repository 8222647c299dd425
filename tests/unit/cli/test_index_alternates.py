"""`docs-sitemap index --prune-alternates`: links to languages that lead nowhere are left out."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, strategies as st
from support.cli import Done, invoke
from support.deployed import read_index, read_urls
from support.readers import read
from support.repository import Repository
from support.sitemaps import index as sitemap_index, links, page, url, urlset, write_site

ROOT = "https://example.org/"
HOME = {"en": ROOT, "de": f"{ROOT}de/"}
OLD = {"en": f"{ROOT}old/", "de": f"{ROOT}de/old/"}


def write_languages(root: Path, german: str | bytes | None = None) -> None:
    """Write an English site at the root and a German one, which lacks a page."""
    write_site(
        root,
        {
            "sitemap.xml": urlset(url(HOME["en"], links(**HOME)), url(OLD["en"], links(**OLD))),
            "de/sitemap.xml": german or urlset(url(HOME["de"], links(**HOME))),
            **dict.fromkeys(("index.html", "old/index.html", "de/index.html"), page()),
        },
    )


def run(root: Path, *arguments: str, code: int = 0) -> Done:
    done = invoke("index", root, "--base-url", ROOT, "--prune-alternates", *arguments)
    assert done.code == code, done
    return done


def alternates(path: Path) -> dict[str, list[str]]:
    return {name: [*entry.alternates] for name, entry in read_urls(path, ROOT).items()}


@pytest.mark.parametrize("arguments", [(), ("--merge",)])
def test_a_merged_sitemap_has_only_the_other_links(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    write_languages(tmp_path)
    before = (tmp_path / "sitemap.xml").read_bytes()
    expected = {"": ["en", "de"], "de/": ["en", "de"], "old/": []}
    for _ in range(2):
        assert "Notice: 1 link to other languages left out: " in run(tmp_path, *arguments).out
        assert alternates(tmp_path / "sitemap-index.xml") == expected
        assert (tmp_path / "sitemap.xml").read_bytes() == before
    # With the page, the links come back.
    german = urlset(url(HOME["de"], links(**HOME)), url(OLD["de"], links(**OLD)))
    write_languages(tmp_path, german)
    assert "left out" not in run(tmp_path, *arguments).out
    assert alternates(tmp_path / "sitemap-index.xml")["old/"] == ["en", "de"]


@pytest.mark.parametrize("arguments", [(), ("--merge",)])
@pytest.mark.parametrize("robots", [None, "sitemap-index.xml", "sitemap.xml"])
def test_check_agrees(tmp_path: Path, arguments: tuple[str, ...], robots: str | None) -> None:
    """The sitemap of the site at the root still has the links, but crawlers read the index."""
    write_languages(tmp_path)
    if robots is not None:
        write_site(tmp_path, {"robots.txt": f"Sitemap: {ROOT}{robots}"})
    assert "alternate-not-found" in invoke("check", tmp_path).out
    done = run(tmp_path, *arguments)
    checked = invoke("check", tmp_path, "--base-url", ROOT)
    assert checked.code == 0
    if robots == "sitemap.xml":
        line = f"Sitemap: {ROOT}sitemap-index.xml"
        assert f"Fix: in robots.txt, list it instead: {line}" in done.out
        assert "warning robots-no-sitemap: " in checked.out
    else:
        assert "no problems found in " in checked.out


def test_a_language_at_another_address_is_named(tmp_path: Path) -> None:
    english = {"en": f"{ROOT}en/latest/", "pt_BR": f"{ROOT}pt_BR/latest/"}
    brazilian = english | {"pt_BR": f"{ROOT}pt-br/latest/"}
    write_site(
        tmp_path,
        {
            "en/latest/sitemap.xml": urlset(url(english["en"], links(**english))),
            "pt-br/latest/sitemap.xml": urlset(url(brazilian["pt_BR"], links(**brazilian))),
        },
    )
    out = run(tmp_path).out
    assert "Notice: 2 links to other languages left out: the targets are not listed, or do " in out
    assert f"such as {ROOT}pt_BR/latest/ in {ROOT}en/latest/. Fix: " in out
    assert "Fix: if a language loses all its links, correct its folder in the option locales" in out


def test_a_branch(project: Path) -> None:
    repository = Repository.create(project)
    write_languages(project)
    repository.commit({"README": "x"}, day=1)
    command = ("index", "main", "--base-url", ROOT, "--prune-alternates", "--merge")
    assert invoke(*command, "--output", "x.xml", cwd=project).code == 0
    assert (project / "x.xml").read_text(encoding="utf-8").count("hreflang") == 4


@pytest.mark.parametrize(
    "encoding", ["euc-jp", "shift_jis", "utf-7", "nope", "hex", "idna", "utf-16", "iso-8859-1"]
)
def test_other_encodings_are_reported(tmp_path: Path, encoding: str) -> None:
    text = urlset(url(HOME["de"], links(**HOME))).replace("UTF-8", encoding)
    write_languages(tmp_path, text.encode("utf-16") if encoding == "utf-16" else text)
    done = run(tmp_path, "--merge", code=1)
    (line,) = [line for line in done.out.splitlines() if ": encoding: " in line]
    assert line.startswith("Error: de/sitemap.xml:1: encoding: ")
    assert "It is left out. Fix: " in line
    assert alternates(tmp_path / "sitemap-index.xml") == {"": [], "old/": []}


def test_only_listed_sitemaps_are_read(tmp_path: Path) -> None:
    write_languages(tmp_path)
    write_site(tmp_path, {"_downloads/sitemap.xml": "<", "de/sample.xml": "<urlset"})
    run(tmp_path)
    assert (tmp_path / "de/sample.xml").read_text(encoding="utf-8") == "<urlset"


A, B = f"{ROOT}a/", f"{ROOT}b/"


@pytest.mark.parametrize(
    "lines",
    [
        [url(A)],
        [url(A, links(en=A, de=B)), url(B, links(en=A, de=B))],
        # Other spellings of a URL.
        [url("HTTPS://example.org:443/%61/", links(en=A, de=B)), url(B, links(en=A, de=B))],
        # A page that is linked only with itself, which sphinx-sitemap writes.
        [url(A, links(en=A))],
        # Links that are not for languages.
        [url(A, f'<xhtml:link rel="alternate" media="handheld" href="{B}"/>')],
        [url(A, f'<xhtml:link rel="amphtml" hreflang="fr" href="{B}"/>')],
        # Other sites, whose sitemaps are not known.
        [url(A, links(en=A, de="https://example.de/a/"))],
    ],
)
def test_other_links_stay(tmp_path: Path, lines: list[str]) -> None:
    write_site(tmp_path, {"sitemap.xml": urlset(*lines), "x/sitemap.xml": urlset(url(f"{ROOT}x/"))})
    assert "left out" not in run(tmp_path).out


@pytest.mark.parametrize(
    ("targets", "expected"),
    [
        ({"en": A, "de": B}, {}),
        ({"de": B}, {}),
        ({"en": A, "de": B, "x_default": A}, {}),
        ({"en": A, "de": B, "fr": "https://example.fr/"}, {"en": A, "fr": "https://example.fr/"}),
    ],
)
def test_which_links_stay(
    tmp_path: Path, targets: dict[str, str], expected: dict[str, str]
) -> None:
    write_site(tmp_path, {"sitemap.xml": urlset(url(A, links(**targets)), url(B))})
    run(tmp_path, "--merge")
    assert read_urls(tmp_path / "sitemap-index.xml", ROOT)["a/"].alternates == expected


NAMES = st.sampled_from([f"{ROOT}{name}" for name in ("a", "b", "c", "d", "e", "%66")])
TAGS = ("en", "de", "fr", "x_default")
ENTRIES = st.tuples(NAMES, st.lists(NAMES, max_size=4))
# A sitemap lists no page twice, but several sitemaps may list the same page.
SITEMAPS = st.lists(ENTRIES, min_size=1, max_size=4, unique_by=lambda entry: entry[0])
SITES = st.lists(SITEMAPS, min_size=1, max_size=3)


@given(SITES, st.booleans())
def test_every_link_that_remains_is_returned(
    sites: list[list[tuple[str, list[str]]]], merge: bool
) -> None:
    with TemporaryDirectory() as name:
        root = Path(name)
        files = {f"{number}.xml": site for number, site in enumerate(sites)}
        texts = {
            file: urlset(
                *(url(loc, links(**dict(zip(TAGS, to, strict=False)))) for loc, to in site)
            )
            for file, site in files.items()
        }
        locs = [ROOT + file for file in files]
        other = {"x/sitemap.xml": urlset(url(f"{ROOT}x/"))}
        write_site(root, texts | other | {"sitemap.xml": sitemap_index(*locs)})
        run(root, "--merge" if merge else "--prereleases")
        path = root / "sitemap-index.xml"
        listed = [path]
        if b"<sitemapindex" in path.read_bytes():
            listed = [root / file for file in read_index(path, ROOT)]
        entries = [entry for file in listed for entry in read(file.read_bytes())]
        pairs = {(entry.loc, target) for entry in entries for target in entry.alternates.values()}
        assert all((target, loc) in pairs or target == loc for loc, target in pairs)
        # Of the links that were returned before, none is lost, unless a page is listed twice.
        before = {(loc, target) for site in sites for loc, to in site for target in to}
        if len({loc for site in sites for loc, _ in site}) == sum(map(len, sites)):
            returned = {(one, two) for one, two in before if (two, one) in before and one != two}
            assert returned <= pairs
