"""The configuration values, the base URL, and messages about them."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest
from sphinx.errors import ConfigError, ExtensionError, VersionRequirementError
from support.readers import read
from support.sphinx import BASE_URL, SphinxSite, document

PAGES = {
    "index.rst": document("Home", toctree=("a", "sub/b")),
    "a.rst": document("A"),
    "sub/b.rst": document("B"),
}
HTML = ["a.html", "index.html", "sub/b.html"]


def test_sphinx_sitemap_options_keep_their_names(project: Path) -> None:
    site = SphinxSite.create(
        project,
        PAGES,
        site_url="https://example.org/",
        html_baseurl="https://elsewhere.example/",
        sitemap_url_scheme="{lang}{version}{link}",
        sitemap_filename="pages.xml",
        sitemap_excludes=["search.html", "sub/*"],
        sitemap_show_lastmod=False,
        sitemap_indent=0,  # It is ignored, without a warning.
        language="fr",
        version="1.0",
    )
    log = site.log()
    assert 'html_baseurl = "https://example.org/fr/1.0/"' in log.warnings
    assert log.number_of_warnings == 1
    data = (site.out() / "pages.xml").read_bytes()
    assert [(entry.loc, entry.lastmod) for entry in read(data)] == [
        ("https://example.org/fr/1.0/a.html", None),
        ("https://example.org/fr/1.0/index.html", None),
    ]
    assert not (site.out() / "sitemap.xml").exists()


@pytest.mark.parametrize("order", [1, -1])
def test_sphinx_sitemap_as_well_is_an_error(project: Path, order: int) -> None:
    extensions = ["sphinx_sitemap", "sphinx_sitemap_ext"][::order]
    site = SphinxSite.create(project, PAGES)
    with pytest.raises(
        ExtensionError, match="Fix: remove 'sphinx_sitemap' from extensions"
    ):
        site.log(overrides={"extensions": extensions})


def test_older_sphinx_is_an_error(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = SphinxSite.create(project, PAGES)
    monkeypatch.setattr("sphinx.version_info", (7, 3, 7, "final", 0))
    with pytest.raises(VersionRequirementError, match=r"at least Sphinx v7\.4"):
        site.log()


def test_an_extension_that_loads_sphinx_sitemap_gets_this_extension(
    project: Path,
) -> None:
    site = SphinxSite.create(project, PAGES, extensions=["our_theme"])
    module = """
        def setup(app):
            app.setup_extension("sphinx_sitemap")
            return {"parallel_read_safe": True}
    """
    site.repository.write({"docs/our_theme.py": dedent(module)})
    assert site.build()
    site.run("html", "-j", "2", "-W", "-a")
    with pytest.raises(
        ExtensionError, match="put 'sphinx_sitemap_ext' before that extension"
    ):
        site.log(overrides={"extensions": ["our_theme", "sphinx_sitemap_ext"]})


def test_rules_and_values_for_all_pages(project: Path) -> None:
    entries = SphinxSite.create(
        project,
        PAGES,
        sitemap_changefreq="weekly",
        sitemap_rules=[{"match": ["sub/*"], "priority": 0.2}],
        sitemap_gzip=False,
    ).build()
    assert entries["sub/b.html"].priority == "0.2"
    assert {entry.changefreq for entry in entries.values()} == {"weekly"}


def test_all_invalid_options_are_listed_before_anything_is_built(project: Path) -> None:
    site = SphinxSite.create(
        project,
        PAGES,
        sitemap_filename="a/b.xml",
        sitemap_excludes=3,
        sitemap_url_scheme="{link}/",
        sitemap_template="missing.xml",
    )
    log = site.run(succeeds=False)
    assert "invalid options in conf.py:\n" in log
    for name in ("filename", "excludes", "url_scheme", "template"):
        assert f"  sitemap_{name}: " in log
    assert not list(site.out().glob("*.html"))


@pytest.mark.parametrize(
    ("option", "value", "error"),
    [
        ("gzip", "perhaps", "'perhaps' is not true or false"),
        ("template", "a\0", ".* not a path: .*"),
        ("template", "missing.xml", ".*missing.xml' does not exist"),
    ],
)
def test_an_invalid_value_is_one_error(
    project: Path, option: str, value: str, error: str
) -> None:
    site = SphinxSite.create(project, PAGES, **{f"sitemap_{option}": value})
    with pytest.raises(ConfigError, match=rf"\n  sitemap_{option}: {error}$"):
        site.log()


def test_a_name_similar_to_an_option_is_a_warning(project: Path) -> None:
    similar = {"sitemap_exclude": ["a"], "sitemap_urls": 1, "sitemap_gzip": False}
    site = SphinxSite.create(project, PAGES, **similar)
    site.extend_configuration("def sitemap_rule(): pass\n")
    log = site.log()
    assert log.number_of_warnings == 1
    assert "use sitemap_excludes instead" in log.warnings
    site.build(overrides={"suppress_warnings": "sitemap.option"})


@pytest.mark.parametrize(
    "config", [{"sitemap_url_scheme": "en/{link}"}, {"site_url": f"{BASE_URL}en/"}]
)
def test_other_canonical_links_are_a_warning(
    project: Path, config: dict[str, str]
) -> None:
    log = SphinxSite.create(project, PAGES, **config).log()
    assert f'set html_baseurl = "{BASE_URL}en/"' in log.warnings


def test_an_address_that_cname_contradicts_is_one_notice(project: Path) -> None:
    site = SphinxSite.create(
        project, PAGES, html_baseurl="https://example.org/", html_extra_path=["x"]
    )
    site.repository.commit({"docs/x/CNAME": "docs.example.org"}, day=2)
    log = site.run("html", "-W")
    assert log.count("CNAME contains https://docs.example.org/") == 1


@pytest.mark.parametrize(
    "config", [{"html_baseurl": ""}, {"html_baseurl": "/", "site_url": "/"}]
)
def test_a_missing_base_url_is_one_notice_and_no_sitemap(
    project: Path, config: dict[str, str]
) -> None:
    site = SphinxSite.create(project, PAGES)
    site.build()
    site.configure(**config)
    log = site.run("html", "-W")
    assert log.count("written: html_baseurl") == 1
    assert not list(site.out().glob("sitemap*")), (
        "the one of the earlier build would be outdated"
    )


@pytest.mark.parametrize("url", ["example.org", "https://example.org/index.html", "./"])
def test_an_invalid_base_url_is_one_warning_and_no_sitemap(
    project: Path, url: str
) -> None:
    site = SphinxSite.create(project, PAGES)
    site.build()
    log = site.log(overrides={"html_baseurl": url})
    assert log.number_of_warnings == 1
    reason = f"'{url}' is not a valid base URL: "
    assert f"no sitemap is written: {reason}" in log.warnings
    assert not list(site.out().glob("sitemap*")), (
        "the one of the earlier build would be outdated"
    )
    suppressed = {"html_baseurl": url, "suppress_warnings": "sitemap.base_url"}
    assert not site.log(overrides=suppressed).warnings


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            {"sitemap_repository": "nope"},
            "git cannot find the dates of files in {docs}/nope: the folder "
            "does not exist. Fix: correct sitemap_repository, or set "
            "sitemap_show_lastmod to False.",
        ),
        (
            {"sitemap_repository": "..", "sitemap_ref": "v9"},
            "v9 of {docs}/.. is not a commit. Fix: commit the pages, or correct "
            "sitemap_repository or sitemap_ref.",
        ),
    ],
)
def test_an_unusable_repository_or_ref_is_one_warning(
    project: Path, config: dict[str, str], message: str
) -> None:
    site = SphinxSite.create(project, PAGES, **config)
    log = site.run()
    assert log.count(message.format(docs=project / "docs")) == 1
    assert [entry.lastmod for entry in site.read().values()] == [None] * len(PAGES)
    site.configure(**config, sitemap_show_lastmod=False)
    site.build()


@pytest.mark.parametrize(
    "config",
    [
        {"html_baseurl": f"https://example.org/{'x' * 2_020}/"},
        {
            "html_baseurl": f"https://example.org/{'x' * 2_000}/",
            "sitemap_url_scheme": "{version}{link}",
            "version": "x" * 30,
        },
        {
            "sitemap_filename": "\u4e2d" * 96 + ".xml",
            "site_url": f"https://e.org/{'x' * 1_300}/",
        },
    ],
)
def test_a_sitemap_without_a_valid_url_is_an_error_before_the_build(
    project: Path, config: dict[str, str]
) -> None:
    site = SphinxSite.create(project, PAGES, **config)
    with pytest.raises(ConfigError, match="the protocol allows 2,047"):
        site.log()
    assert not list(site.out().glob("*.html"))


def test_the_address_from_read_the_docs_is_used_if_none_is_set(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", "https://p.example.org/en/latest/")
    site = SphinxSite.create(project, PAGES, html_baseurl="")
    assert not site.log().warnings
    entries = read((site.out() / "sitemap.xml").read_bytes())
    assert entries[0].loc == "https://p.example.org/en/latest/a.html"


def test_an_address_that_read_the_docs_contradicts_is_one_warning(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", "https://example.org/de/v1/")
    site = SphinxSite.create(
        project, PAGES, html_baseurl="https://example.org/en/stable"
    )
    log = site.log()
    assert log.number_of_warnings == 1
    assert "https://example.org/en/stable/" in log.warnings
    assert "https://example.org/de/v1/" in log.warnings
    monkeypatch.setenv(
        "READTHEDOCS_VERSION_TYPE", "external"
    )  # a preview of a pull request
    assert not site.log().warnings
    monkeypatch.delenv("READTHEDOCS_VERSION_TYPE")
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", "https://example.org/en/stable/")
    assert not site.log().warnings


def test_a_base_url_gets_its_trailing_slash(project: Path) -> None:
    site = SphinxSite.create(project, PAGES, html_baseurl=BASE_URL.rstrip("/"))
    assert list(site.build()) == HTML


TEMPLATE = """\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{% for url in urls %}<url><loc>{{ url.loc }}</loc><priority>0.1</priority></url>{% endfor %}
</urlset>
"""


def test_a_custom_template(project: Path) -> None:
    ampersand = {"e&f.rst": document("E and F", fields=":orphan:")}
    pages = PAGES | ampersand | {"etc/custom.xml": TEMPLATE}
    site = SphinxSite.create(project, pages, sitemap_template="etc/custom.xml")
    entries = site.build()
    assert set(entries) == {*HTML, "e%26f.html"}
    assert {entry.priority for entry in entries.values()} == {"0.1"}


def test_a_copied_file_of_the_same_name_is_replaced_with_a_warning(
    project: Path,
) -> None:
    site = SphinxSite.create(
        project, PAGES | {"extra/sitemap.xml": "<urlset/>"}, html_extra_path=["extra"]
    )
    log = site.log()
    assert log.number_of_warnings == 1
    assert f"the sitemap replaces {project / 'docs/extra/sitemap.xml'} " in log.warnings
    assert "set sitemap_filename" in log.warnings
    assert list(site.read()) == HTML
    for overrides in ({"html_baseurl": ""}, {"sitemap_excludes": "*"}):
        assert "replaces" not in site.log(overrides=overrides, freshenv=True).warnings
        assert (site.out() / "sitemap.xml").read_text() == "<urlset/>"


def test_a_folder_of_the_same_name_is_one_warning(project: Path) -> None:
    site = SphinxSite.create(project, PAGES)
    (site.out() / "sitemap.xml").mkdir(parents=True)
    for url in ("", BASE_URL):
        log = site.log(
            overrides={"html_baseurl": url, "suppress_warnings": "sitemap.base_url"}
        )
        assert log.number_of_warnings == 1
        assert f"{site.out() / 'sitemap.xml'} (Is a directory)" in log.warnings


def test_the_report_is_written_where_the_option_says(project: Path) -> None:
    hidden = ".. meta::\n   :robots: noindex\n\n" + document("Hidden")
    site = SphinxSite.create(
        project,
        PAGES | {"hidden.rst": f":orphan:\n\n{hidden}"},
        sitemap_report="../report.json",
    )
    site.build()
    report = json.loads((site.path / "report.json").read_text())
    pages = {page["name"]: page for page in report["pages"]}
    assert [one["path"] for one in pages["a.rst"]["sources"]] == ["a.rst"]
    assert pages["a.rst"]["sources"][0]["date"]["authored"] == "2020-02-02T02:02:02Z"
    assert pages["hidden.rst"]["reason"] == "noindex"
    assert pages["search"]["reason"] == "generator-page"
