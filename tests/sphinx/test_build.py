"""`sphinx-build`, as users run it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import sphinx
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


@pytest.mark.parametrize(
    ("builder", "urls"), [("html", HTML), ("dirhtml", DIRHTML), ("singlehtml", [""])]
)
def test_each_page_is_listed_under_its_canonical_url(
    project: Path, builder: str, urls: list[str]
) -> None:
    site = SphinxSite.create(project, PAGES)
    site.repository.commit({"docs/a.rst": document("A, again")}, day=3)
    entries = site.build(builder)
    assert list(entries) == urls
    changed = {"html": "a.html", "dirhtml": "a/", "singlehtml": ""}[builder]
    assert entries[changed].lastmod == noon(3)
    assert all(entries[url].lastmod == noon(1) for url in urls if url != changed)
    for url in urls:
        page = site.out(builder) / (url if url.endswith(".html") else f"{url}index.html")
        canonical = page.read_text().partition('<link rel="canonical" href="')[2].partition('"')[0]
        if builder == "html" or sphinx.version_info >= (8, 1):  # dirhtml's was wrong before
            assert canonical.partition("#")[0] == BASE_URL + url


@pytest.mark.parametrize("base", ["StandaloneHTMLBuilder", "DirectoryHTMLBuilder"])
def test_builders_made_from_these_are_served_too(project: Path, base: str) -> None:
    extension = (
        "from sphinx.builders.html import StandaloneHTMLBuilder\n"
        "from sphinx.builders.dirhtml import DirectoryHTMLBuilder\n"
        f"class Mine({base}):\n    name = 'mine'\n"
        "def setup(app):\n    app.add_builder(Mine)\n    return {'parallel_read_safe': True}\n"
    )
    site = SphinxSite.create(project, PAGES | {"mine.py": extension}, extensions=["mine"])
    entries = site.build("mine", PYTHONPATH="docs")
    assert list(entries) == (HTML if base == "StandaloneHTMLBuilder" else DIRHTML)


def test_a_change_of_an_option_reads_and_writes_no_document_again(project: Path) -> None:
    site = SphinxSite.create(project, PAGES)
    site.build()
    log = site.run("html", "-D", "sitemap_priority=0.2", "-D", "sitemap_indent=0")
    assert "0 added, 0 changed, 0 removed" in log
    assert "building [html]: targets for 0 source files" in log
    assert {entry.priority for entry in site.read().values()} == {"0.2"}


@pytest.mark.parametrize(
    "builder",
    [
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
def test_other_builders_get_no_sitemap_and_no_warning(project: Path, builder: str) -> None:
    site = SphinxSite.create(
        project,
        PAGES,
        html_baseurl="",
        version="1",
        copyright="2024",
        applehelp_bundle_id="org.example",
    )
    site.run(builder, "-W")
    assert not list(site.out(builder).rglob("sitemap*"))


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
    assert (site.out() / "sub/b.html").exists(), "what Sphinx left of the deleted page"


def test_the_date_of_a_commit_made_after_a_build_is_seen(project: Path) -> None:
    site = SphinxSite.create(project, PAGES)
    site.repository.write({"docs/a.rst": document("A, edited")})
    assert site.build()["a.html"].lastmod == noon(1)
    site.repository.commit({}, day=5)
    assert site.build()["a.html"].lastmod == noon(5)


def test_a_build_of_one_file_lists_all_that_were_built(project: Path) -> None:
    site = SphinxSite.create(project, PAGES)
    site.run("html", "docs/a.rst")
    assert list(site.read()) == ["a.html", "index.html"]  # and the page whose toctree has it
    site.build()
    site.run("html", "docs/a.rst")
    assert list(site.read()) == HTML


def test_parallel_builds_give_the_same_bytes(project: Path) -> None:
    many = {f"many/{n}.rst": document(f"Page {n}", fields=":orphan:") for n in range(40)}
    additional = {"html_additional_pages": {"extra/page": "page.html"}}
    site = SphinxSite.create(project, PAGES | many, **additional)
    site.build("html", "-j", "1", PYTHONHASHSEED="1", TZ="Asia/Kathmandu")
    serial = [(site.out() / name).read_bytes() for name in ("sitemap.xml", "sitemap.xml.gz")]
    shutil.rmtree(site.out())
    log = site.run("html", "-j", "4", "-W", PYTHONHASHSEED="2", TZ="America/Lima")
    assert "doing serial" not in log
    parallel = [(site.out() / name).read_bytes() for name in ("sitemap.xml", "sitemap.xml.gz")]
    assert parallel == serial
    assert len(site.read()) == len(PAGES) + len(many) + 1


def test_sphinx_own_pages_are_left_out_and_others_without_a_document_listed(
    project: Path,
) -> None:
    site = SphinxSite.create(
        project,
        PAGES
        | {
            "api.rst": document("API", fields=":orphan:")
            + "\n.. automodule:: code_of_mine\n   :members:\n",
            "code_of_mine.py": '"""Module."""\n\ndef f():\n    """Function."""\n',
        },
        extensions=["sphinx.ext.autodoc", "sphinx.ext.viewcode", "notfound.extension"],
        html_additional_pages={"extra": "page.html"},
        html_use_opensearch=BASE_URL,
        html_split_index=True,
    )
    entries = site.build(PYTHONPATH="docs")
    built = {str(path.relative_to(site.out())) for path in site.out().rglob("*.html")}
    assert {"genindex.html", "genindex-C.html", "py-modindex.html", "search.html"} <= built
    assert {"404.html", "_modules/index.html", "_modules/code_of_mine.html"} <= built
    assert set(entries) == {*HTML, "api.html", "extra.html"}
    assert entries["extra.html"].lastmod is None
    assert set(site.build(PYTHONPATH="docs")) == set(entries), "also if nothing changed"


INCREMENTAL = """
import os

def collect(app):
    for name in ("tags/x", "tags/y"):
        if not os.path.exists(app.builder.get_outfilename(name)):
            yield name, {"body": ""}, "page.html"

def setup(app):
    app.connect("html-collect-pages", collect)
    return {"parallel_read_safe": True}
"""


def test_pages_that_an_extension_made_in_an_earlier_build_stay(project: Path) -> None:
    pages = PAGES | {"tags.py": INCREMENTAL}
    site = SphinxSite.create(
        project, pages, extensions=["tags"], html_additional_pages={"extra": "page.html"}
    )
    urls = [*HTML, "extra.html", "tags/x.html", "tags/y.html"]
    assert set(site.build(PYTHONPATH="docs")) == set(urls)
    site.repository.write({"docs/a.rst": document("A, again")})
    for arguments in ([], [], ["-a"]):
        assert set(site.build("html", *arguments, PYTHONPATH="docs")) == set(urls)
    for path in (project / "docs").rglob("*.rst"):
        path.write_text(path.read_text() + "\nMore.\n")
    assert set(site.build(PYTHONPATH="docs")) == set(urls), "also if all documents changed"
    site.configure(extensions=["sphinx_sitemap_ext"], html_baseurl=BASE_URL, html_theme="basic")
    assert set(site.build()) == set(HTML)


TAGS = """
from pathlib import Path

def collect(app):
    for name in Path(app.srcdir, "tags.txt").read_text().split():
        yield name, {"body": ""}, "page.html"

def setup(app):
    app.connect("html-collect-pages", collect)
    return {"parallel_read_safe": True}
"""


def test_pages_that_an_extension_makes_no_more_go_when_all_is_built_anew(project: Path) -> None:
    pages = PAGES | {"tags.py": TAGS, "tags.txt": "tags/x tags/y"}
    site = SphinxSite.create(project, pages, extensions=["tags", "sphinx.ext.viewcode"])
    assert set(site.build(PYTHONPATH="docs")) == {*HTML, "tags/x.html", "tags/y.html"}
    site.repository.write({"docs/tags.txt": "tags/x"})
    assert set(site.build("html", "-E", PYTHONPATH="docs")) == {*HTML, "tags/x.html"}
    assert (site.out() / "tags/y.html").exists()
    site.repository.write({"docs/tags.txt": ""})
    assert set(site.build("html", "-D", "language=de", PYTHONPATH="docs")) == set(HTML)


def test_a_memory_that_cannot_be_kept_is_no_matter(project: Path) -> None:
    site = SphinxSite.create(project, PAGES)
    (project / "out/doctrees/sitemap-html.json").mkdir(parents=True)
    assert list(site.build()) == HTML


def test_documents_that_are_named_like_pages_of_sphinx(project: Path) -> None:
    names = ["opensearch", "_modules/x", "genindex-a", "genindex", "search", "py-modindex"]
    placeholders = {f"{name}.rst": document("X", fields=":orphan:") for name in names}
    module = document("API", fields=":orphan:") + "\n.. py:module:: foo\n"
    site = SphinxSite.create(project, PAGES | placeholders | {"api.rst": module})
    urls = {*HTML, "opensearch.html", "_modules/x.html", "genindex-a.html", "api.html"}
    assert set(site.build()) == urls
    assert set(site.build()) == urls, "also if nothing changed"


def test_redirects_that_are_written_over_nothing_are_not_listed(project: Path) -> None:
    site = SphinxSite.create(
        project, PAGES, extensions=["sphinx_reredirects"], redirects={"old": "a.html"}
    )
    assert list(site.build()) == HTML
    assert (site.out() / "old.html").exists()


def test_file_wide_metadata(project: Path) -> None:
    fields = {
        "out": ":sitemap: false",
        "all": ":sitemap-lastmod: 2020-02-03\n:sitemap-changefreq: never\n:sitemap-priority: 1",
        "excluded": ":sitemap-exclude: yes\n:sitemap-priority: 0.3",
        "both": ":sitemap: true\n:sitemap-priority: 0.3",
        "search": ":sitemap: true",
    }
    pages = {
        f"{name}.rst": document("X", fields=f":orphan:\n{text}") for name, text in fields.items()
    }
    entries = SphinxSite.create(project, {"index.rst": document("Home")} | pages).build()
    assert list(entries) == ["all.html", "both.html", "index.html", "search.html"]
    complete = entries["all.html"]
    assert (complete.lastmod, complete.changefreq, complete.priority) == (
        "2020-02-03",
        "never",
        "1.0",
    )
    assert entries["both.html"].priority == "0.3"


def test_front_matter_of_myst_is_that_of_mkdocs(project: Path) -> None:
    site = SphinxSite.create(
        project,
        {
            "index.md": "# Home\n",
            "out.md": "---\norphan: true\nsitemap: false\n---\n# Out\n",
            "in.md": "---\norphan: 1\nsitemap: {priority: 0.8, lastmod: '2020-02-03'}\n---\n# In\n",
            "null.md": "---\norphan: 1\nsitemap:\n---\n# Null\n",
            "field.md": "---\norphan: true\nsitemap-priority: 0.7\n---\n# Field\n",
        },
        extensions=["myst_parser"],
    )
    entries = site.build()
    assert list(entries) == ["field.html", "in.html", "index.html", "null.html"]
    assert (entries["in.html"].priority, entries["in.html"].lastmod) == ("0.8", "2020-02-03")
    assert entries["field.html"].priority == "0.7"
    assert entries["field.html"].lastmod == noon(1)


def test_a_wrong_value_on_a_page_is_a_warning_that_can_be_suppressed(project: Path) -> None:
    pages = PAGES | {"a.rst": document("A", fields=":sitemap-priority: high")}
    site = SphinxSite.create(project, pages)
    log = site.run()
    assert (
        "WARNING: a.rst: sitemap priority: 'high' is not a number from 0.0 to 1.0; "
        "the value is left out"
    ) in log
    assert list(site.read()) == HTML
    site.run("html", "-W", "-D", "suppress_warnings=sitemap.page")


def test_options_of_sphinx_sitemap_keep_their_names(project: Path) -> None:
    site = SphinxSite.create(
        project,
        PAGES,
        site_url="https://example.org/",
        html_baseurl="https://elsewhere.example/",
        sitemap_url_scheme="{lang}{version}{link}",
        sitemap_filename="pages.xml",
        sitemap_excludes=["search.html", "sub/*"],
        sitemap_show_lastmod=False,
        sitemap_indent=0,
        language="fr",
        version="1.0",
    )
    log = site.run("html")
    assert "set html_baseurl to 'https://example.org/fr/1.0/'" in log
    assert log.count("WARNING") == 1
    data = (site.out() / "pages.xml").read_bytes()
    assert data.count(b"\n") == 2
    assert [(entry.loc, entry.lastmod) for entry in read(data)] == [
        ("https://example.org/fr/1.0/a.html", None),
        ("https://example.org/fr/1.0/alone.html", None),
        ("https://example.org/fr/1.0/index.html", None),
    ]
    assert not (site.out() / "sitemap.xml").exists()


def test_sphinx_sitemap_beside_it_is_one_error_that_says_what_to_do(project: Path) -> None:
    site = SphinxSite.create(project, PAGES)
    for extensions in (
        ["sphinx_sitemap", "sphinx_sitemap_ext"],
        ["sphinx_sitemap_ext", "sphinx_sitemap"],
    ):
        site.configure(extensions=extensions, html_baseurl=BASE_URL)
        log = site.run(succeeds=False)
        assert "remove 'sphinx_sitemap' from extensions in conf.py" in log


def test_rules_and_site_wide_values(project: Path) -> None:
    entries = SphinxSite.create(
        project,
        PAGES,
        sitemap_changefreq="weekly",
        sitemap_rules=[{"match": ["sub/*"], "priority": 0.2}],
        sitemap_gzip=False,
    ).build()
    assert entries["sub/b.html"].priority == "0.2"
    assert {entry.changefreq for entry in entries.values()} == {"weekly"}


def test_wrong_options_are_all_listed_before_anything_is_built(project: Path) -> None:
    site = SphinxSite.create(
        project,
        PAGES,
        site_url="example.org",
        sitemap_filename="a/b.xml",
        sitemap_excludes=3,
        sitemap_url_scheme="{link}/",
        sitemap_template="missing.xml",
    )
    log = site.run(succeeds=False)
    for name in ("site_url", "filename", "excludes", "url_scheme", "template"):
        assert f"  {name if name == 'site_url' else f'sitemap_{name}'}: " in log
    assert not list(site.out().glob("*.html"))


@pytest.mark.parametrize("url", ["", "/", "example.org"])
def test_no_base_url_is_one_warning_and_no_sitemap(project: Path, url: str) -> None:
    site = SphinxSite.create(project, PAGES)
    site.build()
    log = site.run("html", "-D", f"html_baseurl={url}")
    assert log.count("WARNING") == 1
    assert "no sitemap is written: html_baseurl " in log
    assert "set html_baseurl in conf.py to the address at which the site is published" in log
    assert not list(site.out().glob("sitemap*")), "the one of the earlier build would be stale"
    site.run("html", "-W", "-D", f"html_baseurl={url}", "-D", "suppress_warnings=sitemap.base_url")


def test_the_address_that_read_the_docs_gives_is_used_where_none_is_set(project: Path) -> None:
    site = SphinxSite.create(project, PAGES, html_baseurl="")
    site.run("html", "-W", READTHEDOCS_CANONICAL_URL="https://p.example.org/en/latest/")
    entries = read((site.out() / "sitemap.xml").read_bytes())
    assert entries[0].loc == "https://p.example.org/en/latest/a.html"


def test_a_base_url_without_its_slash_gets_it(project: Path) -> None:
    site = SphinxSite.create(project, PAGES, html_baseurl=BASE_URL.rstrip("/"))
    assert list(site.build()) == HTML


@pytest.mark.parametrize("suffix", ["", ".htm"])
def test_the_link_suffix_is_that_of_the_canonical_link(project: Path, suffix: str) -> None:
    site = SphinxSite.create(project, PAGES, html_link_suffix=suffix)
    site.run("html", "-W")
    locs = [entry.loc for entry in read((site.out() / "sitemap.xml").read_bytes())]
    assert locs[0] == f"{BASE_URL}a{suffix}"
    if sphinx.version_info >= (8, 1):  # before, Sphinx itself forgot the suffix there
        assert f'rel="canonical" href="{locs[0]}"' in (site.out() / "a.html").read_text()


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_odd_file_names_are_encoded_once(project: Path, builder: str) -> None:
    names = [
        "a b",
        "c&d",
        "e'f",
        "g#h",
        "i?j",
        "100%",
        "k%20l",
        "ünï",
        "m<n>",
        "o+p~q",
        "r:s",
        "#t",
    ]
    pages = {f"{name}.rst": document("Odd", fields=":orphan:") for name in names}
    entries = SphinxSite.create(project, {"index.rst": document("Home")} | pages).build(builder)
    end, home = (".html", "index.html") if builder == "html" else ("/", "")
    odd = "a%20b c%26d e%27f g%23h i%3Fj 100%25 k%2520l %C3%BCn%C3%AF m%3Cn%3E o%2Bp~q r%3As %23t"
    assert set(entries) == {home, *(name + end for name in odd.split())}


def test_a_failed_build_leaves_the_old_file(project: Path) -> None:
    site = SphinxSite.create(project, PAGES, suppress_warnings=["config.cache"])
    site.build()
    old = (site.out() / "sitemap.xml").read_bytes()
    (project / "docs/broken.rst").write_text(document("New", fields=":orphan:"))
    with (project / "docs/conf.py").open("a") as conf:
        conf.write("sitemap_priority = 0.1\n")
        conf.write("def fail(*_): raise ValueError('no')\n")
        conf.write("def setup(app): app.connect('html-page-context', fail)\n")
    command = [sys.executable, "-m", "sphinx", "-b", "html", "docs", str(site.out())]
    assert subprocess.run(command, cwd=project, capture_output=True).returncode != 0
    assert (site.out() / "sitemap.xml").read_bytes() == old


def test_a_place_that_is_taken_is_one_warning(project: Path) -> None:
    site = SphinxSite.create(project, PAGES)
    (site.out() / "sitemap.xml").mkdir(parents=True)
    for setting in ("html_baseurl=", f"html_baseurl={BASE_URL}"):
        log = site.run("html", "-D", setting, "-D", "suppress_warnings=sitemap.base_url")
        assert log.count("WARNING") == 1
        assert "sitemap.xml cannot be replaced (Is a directory)" in log


def test_no_git_and_no_repository_are_one_warning_each(project: Path, tmp_path: Path) -> None:
    site = SphinxSite.create(project, PAGES)
    log = site.run(PATH=str(tmp_path))
    assert log.count("WARNING") == 1
    assert "git cannot be run" in log
    (project / ".git").rename(tmp_path / "away")
    log = site.run()
    assert log.count("WARNING") == 1
    assert "the sources lie in no git repository" in log
    assert [entry.lastmod for entry in site.read().values()] == [None] * 5
    site.run("html", "-W", "-D", "suppress_warnings=sitemap.git")


TEMPLATE = """\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{% for url in urls %}<url><loc>{{ url.loc }}</loc><priority>0.1</priority></url>{% endfor %}
</urlset>
"""


@pytest.mark.parametrize(
    ("file", "config"),
    [
        ("_templates/sitemap.xml", {"templates_path": ["_templates"]}),
        ("etc/mine.xml", {"sitemap_template": "etc/mine.xml"}),
    ],
)
def test_a_template_of_ones_own(project: Path, file: str, config: dict[str, object]) -> None:
    site = SphinxSite.create(
        project, PAGES | {file: TEMPLATE, "e&f.rst": PAGES["alone.rst"]}, **config
    )
    entries = site.build()
    assert set(entries) == {*HTML, "e%26f.html"}
    assert {entry.priority for entry in entries.values()} == {"0.1"}


def test_a_file_of_ones_own_is_replaced_and_a_warning_says_so(project: Path) -> None:
    site = SphinxSite.create(
        project, PAGES | {"extra/sitemap.xml": "<urlset/>"}, html_extra_path=["extra"]
    )
    log = site.run()
    assert log.count("WARNING") == 1
    assert "extra/sitemap.xml" in log
    assert "set sitemap_filename" in log
    assert list(site.read()) == HTML
    for setting in ("html_baseurl=", "sitemap_excludes=*"):
        assert "is replaced" not in site.run("html", "-D", setting, "-E")
        assert (site.out() / "sitemap.xml").read_text() == "<urlset/>"


def test_the_version_under_test_is_supported() -> None:
    assert sphinx.version_info >= (7, 4)
    assert os.environ.get("EXPECTED_SPHINX", "") in sphinx.__version__
