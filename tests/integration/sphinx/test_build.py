"""Which pages are listed after full, incremental, and parallel builds."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
import sphinx
from sphinx.errors import ExtensionError
from support.platforms import needs_posix
from support.readers import read
from support.repository import noon
from support.sphinx import BASE_URL, SphinxSite, document

PAGES = {
    "index.rst": document("Home", toctree=("a", "sub/index")),
    "a.rst": document("A"),
    "sub/index.rst": document("Sub", toctree=("b",)),
    "sub/b.rst": document("B"),
    "alone.rst": document("Alone", fields=":orphan:\n:nosearch:"),
}
HTML = ["a.html", "alone.html", "index.html", "sub/b.html", "sub/index.html"]
DIRHTML = ["", "a/", "alone/", "sub/", "sub/b/"]


def test_the_installed_sphinx_is_the_expected_version() -> None:
    assert sphinx.version_info >= (7, 4)
    assert os.environ.get("EXPECTED_SPHINX", "") in sphinx.__version__


@pytest.mark.parametrize(("builder", "urls"), [("html", HTML), ("dirhtml", DIRHTML)])
def test_each_page_is_listed_under_its_canonical_url(
    project: Path, builder: str, urls: list[str]
) -> None:
    site = SphinxSite.create(project, PAGES)
    site.repository.commit({"docs/a.rst": document("A, edited")}, day=3)
    entries = site.build(builder)
    assert list(entries) == urls
    edited = {"html": "a.html", "dirhtml": "a/"}[builder]
    assert entries[edited].lastmod == noon(3)
    assert all(entries[url].lastmod == noon(1) for url in urls if url != edited)
    for url in urls:
        page = site.out(builder) / (
            url if url.endswith(".html") else f"{url}index.html"
        )
        html = page.read_text(encoding="utf-8")
        canonical = html.partition('<link rel="canonical" href="')[2].partition('"')[0]
        # Before Sphinx 8.1, the canonical links of dirhtml were incorrect.
        if builder == "html" or sphinx.version_info >= (8, 1):
            assert canonical.partition("#")[0] == BASE_URL + url


@pytest.mark.parametrize("base", ["StandaloneHTMLBuilder", "DirectoryHTMLBuilder"])
def test_subclasses_of_the_html_builders_get_a_sitemap(
    project: Path, base: str
) -> None:
    extension = (
        "from sphinx.builders.html import StandaloneHTMLBuilder\n"
        "from sphinx.builders.dirhtml import DirectoryHTMLBuilder\n"
        f"class CustomBuilder({base}):\n    name = 'custom'\n"
        "def setup(app):\n"
        "    app.add_builder(CustomBuilder)\n"
        "    return {'parallel_read_safe': True}\n"
    )
    pages = PAGES | {"custom_builder.py": extension}
    site = SphinxSite.create(project, pages, extensions=["custom_builder"])
    assert list(site.build("custom")) == (
        HTML if base == "StandaloneHTMLBuilder" else DIRHTML
    )


@pytest.mark.parametrize(
    "builder",
    [
        "singlehtml",
        "json",
        "pickle",
        "htmlhelp",
        "qthelp",
        "devhelp",
        "epub",
        "latex",
        "text",
        "xml",
        "man",
        "texinfo",
        "gettext",
        "linkcheck",
        "dummy",
        "changes",
        "pseudoxml",
    ],
)
def test_other_builders_get_no_sitemap_and_no_warning(
    project: Path, builder: str
) -> None:
    site = SphinxSite.create(
        project, PAGES, html_baseurl="", version="1", copyright="2024"
    )
    assert not site.log(builder).warnings
    assert not list(site.out(builder).rglob("sitemap*"))


def test_a_changed_option_reads_and_writes_no_document_again(project: Path) -> None:
    site = SphinxSite.create(project, PAGES)
    site.run()  # In this process, extensions of other tests may have changed defaults of Sphinx.
    log = site.run("html", "-D", "sitemap_priority=0.2", "-D", "sitemap_indent=0")
    assert "0 added, 0 changed, 0 removed" in log
    assert "building [html]: targets for 0 source files" in log
    assert {entry.priority for entry in site.read().values()} == {"0.2"}


def test_incremental_builds_are_complete(project: Path) -> None:
    site = SphinxSite.create(project, PAGES)
    site.build()
    first = (site.out() / "sitemap.xml").read_bytes()
    site.build()
    assert (site.out() / "sitemap.xml").read_bytes() == first
    (project / "docs/sub/b.rst").unlink()
    site.repository.write({"docs/sub/index.rst": document("Sub", toctree=("new",))})
    site.repository.commit({"docs/sub/new.rst": document("New")}, day=2)
    entries = site.build()
    assert set(entries) == {*HTML, "sub/new.html"} - {"sub/b.html"}
    assert entries["a.html"].lastmod == noon(1)
    assert entries["sub/index.html"].lastmod == noon(2)
    assert (site.out() / "sub/b.html").exists(), (
        "Sphinx does not remove the deleted page"
    )


def test_a_build_of_one_file_lists_all_pages_that_exist(project: Path) -> None:
    site = SphinxSite.create(project, PAGES)
    site.run("html", "docs/a.rst")
    assert list(site.read()) == [
        "a.html",
        "index.html",
    ]  # and the page whose toctree names it
    site.build()
    site.run("html", "docs/a.rst")
    assert list(site.read()) == HTML


def test_parallel_builds_give_the_same_bytes(project: Path) -> None:
    many = {
        f"many/{n}.rst": document(f"Page {n}", fields=":orphan:") for n in range(40)
    }
    additional = {"html_additional_pages": {"extra/page": "page.html"}}
    site = SphinxSite.create(project, PAGES | many, **additional)
    site.run("html", "-j", "1", "-W", PYTHONHASHSEED="1", TZ="Asia/Kathmandu")
    serial = [
        (site.out() / name).read_bytes() for name in ("sitemap.xml", "sitemap.xml.gz")
    ]
    shutil.rmtree(site.out())
    log = site.run("html", "-j", "4", "-W", PYTHONHASHSEED="2", TZ="America/Lima")
    assert "doing serial" not in log
    parallel = [
        (site.out() / name).read_bytes() for name in ("sitemap.xml", "sitemap.xml.gz")
    ]
    assert parallel == serial
    assert len(site.read()) == len(PAGES) + len(many) + 1


def test_pages_of_sphinx_are_excluded_and_other_additional_pages_are_listed(
    project: Path,
) -> None:
    api = (
        document("API", fields=":orphan:")
        + "\n.. automodule:: own_code\n   :members:\n"
    )
    code = '"""Module."""\n\ndef f():\n    """Function."""\n'
    site = SphinxSite.create(
        project,
        PAGES | {"api.rst": api, "own_code.py": code},
        extensions=["sphinx.ext.autodoc", "sphinx.ext.viewcode", "notfound.extension"],
        html_additional_pages={"extra": "page.html"},
        html_use_opensearch=BASE_URL,
        html_split_index=True,
    )
    entries = site.build()
    built = {str(path.relative_to(site.out())) for path in site.out().rglob("*.html")}
    site.log(overrides={"sitemap_report": "../report.json"})
    assert "opensearch" not in (site.path / "report.json").read_text()
    assert {
        "genindex.html",
        "genindex-O.html",
        "py-modindex.html",
        "search.html",
    } <= built
    assert {"404.html", "_modules/index.html", "_modules/own_code.html"} <= built
    assert set(entries) == {*HTML, "api.html", "extra.html"}
    assert entries["extra.html"].lastmod is None
    assert set(site.build()) == set(entries), "also if nothing changed"


WRITES_MISSING_PAGES = """
import os

def collect(app):
    for name in ("tags/x", "tags/y"):
        if not os.path.exists(app.builder.get_outfilename(name)):
            yield name, {"body": ""}, "page.html"

def setup(app):
    app.connect("html-collect-pages", collect)
    return {"parallel_read_safe": True}
"""


def test_pages_that_an_extension_wrote_in_an_earlier_build_are_listed(
    project: Path,
) -> None:
    site = SphinxSite.create(
        project,
        PAGES | {"missing_pages.py": WRITES_MISSING_PAGES},
        extensions=["missing_pages"],
        html_additional_pages={"extra": "page.html"},
    )
    urls = {*HTML, "extra.html", "tags/x.html", "tags/y.html"}
    assert set(site.build()) == urls
    site.repository.write({"docs/a.rst": document("A, edited")})
    for force_all in (False, False, True):
        assert set(site.build(force_all=force_all)) == urls
    for path in (project / "docs").rglob("*.rst"):
        path.write_text(path.read_text() + "\nMore.\n")
    assert set(site.build()) == urls, "also if all documents changed"
    site.configure()
    assert set(site.build()) == set(HTML), "not without the extension"


WRITES_TAGS = """
import json
from pathlib import Path

def collect(app):
    for name in Path(app.srcdir, "tags.txt").read_text().split():
        yield name, {"body": ""}, "page.html"

def setup(app):
    app.connect("html-collect-pages", collect)
    return {"parallel_read_safe": True}
"""


def test_a_build_from_scratch_forgets_pages_that_extensions_no_longer_write(
    project: Path,
) -> None:
    pages = PAGES | {"tags.py": WRITES_TAGS, "tags.txt": "tags/x tags/y"}
    site = SphinxSite.create(project, pages, extensions=["tags", "sphinx.ext.viewcode"])
    assert set(site.build()) == {*HTML, "tags/x.html", "tags/y.html"}
    site.repository.write({"docs/tags.txt": "tags/x"})
    assert set(site.build(freshenv=True)) == {*HTML, "tags/x.html"}
    assert (site.out() / "tags/y.html").exists()
    site.repository.write({"docs/tags.txt": ""})
    assert set(site.build(overrides={"language": "de"})) == set(HTML)


@pytest.mark.parametrize(
    "content", [None, "{", '{"version": 1}', '{"version": 0, "pages": []}']
)
def test_unusable_saved_pages_do_not_matter(project: Path, content: str | None) -> None:
    site = SphinxSite.create(project, PAGES)
    record = project / "out/doctrees/sitemap-html.json"
    if content is None:
        record.mkdir(parents=True)
    else:
        site.repository.write({"out/doctrees/sitemap-html.json": content})
    assert list(site.build()) == HTML


def test_documents_with_the_names_of_pages_of_sphinx(project: Path) -> None:
    names = [
        "opensearch",
        "_modules/x",
        "genindex-a",
        "genindex",
        "search",
        "py-modindex",
    ]
    placeholders = {f"{name}.rst": document("X", fields=":orphan:") for name in names}
    module = document("API", fields=":orphan:") + "\n.. py:module:: foo\n"
    site = SphinxSite.create(project, PAGES | placeholders | {"api.rst": module})
    urls = {*HTML, "opensearch.html", "_modules/x.html", "genindex-a.html", "api.html"}
    assert set(site.build()) == urls
    assert set(site.build()) == urls, "also if nothing changed"


@pytest.mark.parametrize("suffix", ["", ".htm"])
def test_urls_have_the_link_suffix_of_the_canonical_links(
    project: Path, suffix: str
) -> None:
    site = SphinxSite.create(project, PAGES, html_link_suffix=suffix)
    assert not site.log().warnings
    locs = [entry.loc for entry in read((site.out() / "sitemap.xml").read_bytes())]
    assert locs[0] == f"{BASE_URL}a{suffix}"
    # Before Sphinx 8.1, canonical links did not have the suffix.
    if sphinx.version_info >= (8, 1):
        html = (site.out() / "a.html").read_text(encoding="utf-8")
        assert f'rel="canonical" href="{locs[0]}"' in html


@needs_posix
@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_unusual_file_names_are_encoded_once(project: Path, builder: str) -> None:
    names = {
        "a b": "a%20b",
        "c&d": "c%26d",
        "e'f": "e%27f",
        "g#h": "g%23h",
        "i?j": "i%3Fj",
        "100%": "100%25",
        "k%20l": "k%2520l",
        "ünï": "%C3%BCn%C3%AF",
        "m<n>": "m%3Cn%3E",
        "o+p~q": "o%2Bp~q",
        "r:s": "r%3As",
        "#t": "%23t",
    }
    pages = {f"{name}.rst": document("Unusual", fields=":orphan:") for name in names}
    site = SphinxSite.create(project, {"index.rst": document("Home")} | pages)
    suffix, home = (".html", "index.html") if builder == "html" else ("/", "")
    assert set(site.build(builder)) == {
        home,
        *(name + suffix for name in names.values()),
    }


def test_a_failed_build_keeps_the_old_sitemap(project: Path) -> None:
    site = SphinxSite.create(project, PAGES)
    site.build()
    old = (site.out() / "sitemap.xml").read_bytes()
    site.repository.write({"docs/new.rst": document("New", fields=":orphan:")})
    site.extend_configuration(
        "sitemap_priority = 0.1\n"
        "def fail(*_): raise ValueError('no')\n"
        "def setup(app): app.connect('html-page-context', fail)\n"
    )
    with pytest.raises(ExtensionError):
        site.log()
    assert (site.out() / "sitemap.xml").read_bytes() == old


SAVED_PAGES: list[object] = [
    *(
        {"\ud800": True},
        {"a\0b": False},
        {"\udcff": False},
        [],
        {"search": 3},
        None,
        "x",
    ),
    {"../../index": False, "/etc/hostname": False, "": True, "x" * 5_000: False},
]


def test_the_saved_pages_of_an_earlier_build_may_have_any_shape(project: Path) -> None:
    site = SphinxSite.create(project, PAGES, sitemap_include=["genindex"])
    urls = {*HTML, "genindex.html"}
    assert set(site.build()) == urls
    (saved,) = (project / "out").rglob("sitemap-html.json")
    document = json.loads(saved.read_text(encoding="utf-8"))
    for pages in SAVED_PAGES:
        saved.write_text(json.dumps(document | {"pages": pages}), encoding="utf-8")
        assert set(site.build(force_all=True)) == urls
    saved.write_bytes(b"[" * 100_000)
    assert set(site.build(force_all=True)) == urls
    saved.unlink()
    saved.mkdir()
    assert set(site.build(force_all=True)) == urls


def test_metadata_from_other_extensions_may_have_any_shape(project: Path) -> None:
    site = SphinxSite.create(project, PAGES)
    site.extend_configuration(
        "def change(app, env):\n"
        "    env.metadata['a'] = {1: 2, None: 3, 'sitemap': ['x'], 'sitemap-x': '[' * 100_000}\n"
        "def setup(app): app.connect('env-updated', change)\n"
    )
    log = site.log()
    assert log.number_of_warnings == 1
    assert "a.rst: sitemap is ignored" in log.warnings
    assert set(site.read()) == set(HTML)


@needs_posix
def test_a_committed_link_does_not_lead_out_of_the_repository(
    project: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    leftover = outside / f".docs-sitemap-{'0' * 16}.tmp"
    leftover.touch()
    site = SphinxSite.create(project, PAGES, sitemap_report="../rec/a.json")
    (project / "rec").symlink_to(outside)
    site.repository.commit({}, day=2)
    log = site.log()
    assert log.number_of_warnings == 1
    assert "rec/a.json (its folder" in log.warnings
    assert [*outside.iterdir()] == [leftover]
    # Paths that the configuration itself puts outside are written.
    site.log(overrides={"sitemap_report": str(outside / "a.json")})
    assert {path.name for path in outside.iterdir()} == {"a.json"}
