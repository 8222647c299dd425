"""`docs-sitemap explain` after real builds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.cli import invoke
from support.mkdocs import BASE_URL, MAIN, MkDocsSite
from support.repository import noon
from support.sphinx import SphinxSite

from docs_sitemap import DateStatus


def make_mkdocs(path: Path, **options: Any) -> MkDocsSite:
    pages = {
        "index.md": "# Home",
        "guide/setup.md": '# Set up\n\n--8<-- "docs/part.txt"\n',
        "part.txt": "one",
        "secret.md": "---\nrobots: noindex\n---\n# Secret",
        "moved.md": "---\nmoved: ../guide/setup/\n---\n# Moved",
        "asked.md": "---\nrobots: noindex\nsitemap: true\n---\n# Asked",
        "own.md": "---\nsitemap: false\n---\n# Own",
        "drafts/a b.md": "# Draft",
        "404.md": "# Not found",
    }
    site = MkDocsSite.create(
        path,
        pages,
        sitemap={"exclude": ["drafts/*"], "report": "report.json"} | options,
        theme={"name": "mkdocs", "custom_dir": "overrides"},
        markdown_extensions=["pymdownx.snippets"],
        plugins=[{"redirects": {"redirect_maps": {"old.md": "guide/setup.md"}}}],
    )
    site.repository.commit({"docs/part.txt": "two", "overrides/main.html": MAIN}, day=2)
    site.repository.write({"docs/new.md": "# New"})
    site.run("build")
    return site


def make_sphinx(path: Path) -> SphinxSite:
    site = SphinxSite.create(
        path,
        {
            "index.rst": "Home\n====\n\n.. toctree::\n   :glob:\n\n   *\n   */*\n",
            "guide/setup.rst": "Set up\n======\n\n.. include:: /part.txt\n",
            "part.txt": "one",
            "secret.rst": ".. meta::\n   :robots: noindex\n\nSecret\n======\n",
            "moved.rst": "Moved\n=====\n",
            "drafts/a.rst": "Draft\n=====\n",
        },
        extensions=["sphinx_reredirects"],
        redirects={"moved": "guide/setup.html"},
        sitemap_excludes=["drafts/*"],
        sitemap_report="../report.json",
    )
    site.repository.commit({"docs/part.txt": "two"}, day=2)
    site.log()
    return site


@pytest.fixture(scope="module", autouse=True)
def _reports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the reports of the builds that several tests use."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOCS_SITEMAP_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


# Tests that do not change a site share it: building takes longer than explaining.
@pytest.fixture(scope="module")
def mkdocs_site(_reports: None, tmp_path_factory: pytest.TempPathFactory) -> MkDocsSite:
    return make_mkdocs(tmp_path_factory.mktemp("mkdocs") / "project")


@pytest.fixture(scope="module")
def sphinx_site(_reports: None, tmp_path_factory: pytest.TempPathFactory) -> SphinxSite:
    return make_sphinx(tmp_path_factory.mktemp("sphinx") / "project")


def explain(site: MkDocsSite | SphinxSite, out: Path, *queries: str) -> dict[str, Any]:
    """Return the one page that each query names."""
    done = invoke("explain", "--format", "json", out, *queries, cwd=site.path)
    assert done.code == 0, done.err
    pages = {}
    for result in done.json()["results"]:
        (pages[result["query"]],) = result["pages"]
    return pages


@pytest.mark.parametrize(
    ("fixture", "folder"), [("mkdocs_site", "site"), ("sphinx_site", "out/html")]
)
def test_explain_agrees_with_the_build(
    request: pytest.FixtureRequest, fixture: str, folder: str
) -> None:
    site: MkDocsSite | SphinxSite = request.getfixturevalue(fixture)
    out = site.path / folder
    report = json.loads((site.path / "report.json").read_text(encoding="utf-8"))
    assert len(report["pages"]) >= 7
    explained = explain(site, out, *(page["name"] for page in report["pages"]))
    for saved in report["pages"]:
        page = explained[saved["name"]]
        assert page["page"] == saved
        assert page["listed"] is ("loc" in saved) is (page["sitemap"] is not None)
        assert page["head"] is not None
        if "loc" in saved:
            assert page["url"] == saved["loc"]
        else:
            assert page["fix"]
            assert saved["reason"]


def noon_utc(day: int) -> str:
    """Return a date as JSON documents contain it."""
    return noon(day).replace("+00:00", "Z")


def test_the_source_of_a_date_is_explained(mkdocs_site: MkDocsSite) -> None:
    site = mkdocs_site
    pages = explain(site, site.site, "guide/setup.md", "new.md")
    setup = pages["guide/setup.md"]["page"]
    assert setup["lastmod"] == noon(2)
    assert setup["date_status"] == DateStatus.COMMIT
    assert setup["commit"] == site.repository.git("rev-parse", "HEAD").strip()
    assert setup["sources"][0]["date"]["authored"] == "2020-02-02T02:02:02Z"
    assert setup["source"] == "docs/part.txt"
    dates = {source["path"]: source["date"]["date"] for source in setup["sources"]}
    assert dates == {"docs/guide/setup.md": noon_utc(1), "docs/part.txt": noon_utc(2)}
    assert pages["new.md"]["page"]["date_status"] == DateStatus.UNTRACKED
    text = invoke("explain", "site", f"{BASE_URL}guide/setup/", cwd=site.path).out
    assert f"  lastmod:    {noon(2)}, commit: {DateStatus.COMMIT.meaning}\n" in text
    assert "  dated by:   docs/part.txt\n" in text
    head = site.repository.git("rev-parse", "HEAD").strip()[:12]
    first = site.repository.git("rev-parse", "HEAD^").strip()[:12]
    assert f"  source:     docs/part.txt: {noon(2)}, commit {head}\n" in text
    assert f"  source:     docs/guide/setup.md: {noon(1)}, commit {first}\n" in text
    done = invoke("explain", "--format", "json", "site", "docs/part.txt", cwd=site.path)
    assert done.json()["results"][0]["source_of"] == ["guide/setup.md"]
    text = invoke("explain", "site", "docs/part.txt", cwd=site.path).out
    assert text.endswith(" a source of guide/setup.md\n")


def test_the_commit_and_its_merge_are_explained(mkdocs_site: MkDocsSite) -> None:
    site, git = mkdocs_site, mkdocs_site.repository.git
    git("checkout", "--quiet", "-b", "side")
    site.repository.commit({"docs/part.txt": "three"}, day=5)
    git("checkout", "--quiet", "main")
    git("merge", "--quiet", "--no-ff", "--message", "merge", "side", day=20)
    merge, commit = git("rev-parse", "HEAD", "HEAD^2").split()
    site.run("build")
    text = invoke("explain", "site", "guide/setup.md", cwd=site.path).out
    assert (
        f"  commit:     changed by {commit[:12]} on 2024-01-05, authored on "
        f"2020-02-02, merged by {merge[:12]} on 2024-01-20\n"
    ) in text
    source = (
        f"docs/part.txt: {noon(20)}, commit {commit[:12]}, merged by {merge[:12]}\n"
    )
    assert f"  source:     {source}" in text
    (page,) = explain(site, site.site, "guide/setup.md").values()
    assert page["page"]["commit"] == commit
    (date,) = (
        one["date"] for one in page["page"]["sources"] if one["path"] == "docs/part.txt"
    )
    assert (date["hash"], date["merge"]) == (commit, merge)
    assert (date["committed"], date["merged"]) == (noon_utc(5), noon_utc(20))


def test_the_commits_that_do_not_count_are_explained(project: Path) -> None:
    pytest.importorskip("mkdocstrings")
    handlers = {"python": {"options": {"show_source": False}}}
    site = MkDocsSite.create(
        project,
        {"index.md": "# Home\n", "api.md": "# API\n\n::: mod.load\n"},
        plugins=[{"mkdocstrings": {"handlers": handlers}}],
    )
    texts = ["pass", "return 1", "return 2"]
    for day, text in enumerate(texts, start=2):
        module = f'def load():\n    """Load."""\n    {text}\n'
        site.repository.commit({"mod.py": module}, day=day)
    site.run("build")
    text = invoke("explain", "site", "api.md", cwd=site.path).out
    first = site.repository.git("rev-parse", "HEAD~2").strip()[:12]
    assert (
        f"  source:     mod.py: {noon(2)}, commit {first}, dated by its documentation "
        "(load); 2 newer commits skipped\n"
    ) in text


def test_a_complete_module_is_named(project: Path) -> None:
    pytest.importorskip("mkdocstrings")
    site = MkDocsSite.create(
        project, {"index.md": "# API\n\n::: mod\n"}, plugins=["mkdocstrings"]
    )
    site.repository.commit({"mod.py": '"""A module."""\n'}, day=2)
    site.run("build")
    text = invoke("explain", "site", "index.md", cwd=site.path).out
    assert " (the complete module)\n" in text


def test_sources_that_do_not_date_the_page_are_explained(project: Path) -> None:
    """Material has no file for an archive of its blog, which the posts date, and a link
    has the date of its target.
    """
    pytest.importorskip("material")
    post = "---\ndate: 2024-01-05\n---\n# Post\n\nText\n\n<!-- more -->\n"
    pages = {"index.md": "# Home", "blog/index.md": "# Blog", "blog/posts/a.md": post}
    site = MkDocsSite.create(project, pages, theme="material", plugins=["blog"])
    (site.path / "docs/changes.md").symlink_to("../CHANGES.md")
    site.repository.commit({"CHANGES.md": "# Changes"}, day=2)
    site.run("build")
    text = invoke("explain", "site", "blog/archive/2024.md", cwd=site.path).out
    assert f"  source:     docs/blog/posts/a.md: {noon(1)}, commit " in text
    assert DateStatus.UNTRACKED.meaning not in text
    text = invoke("explain", "site", "changes.md", cwd=site.path).out
    assert f"  source:     docs/changes.md: {noon(2)}, commit " in text
    text = invoke("explain", "site", "CHANGES.md", cwd=site.path).out
    assert text.endswith(" a source of changes.md\n")


def test_a_build_without_an_address_is_explained(project: Path) -> None:
    """Such a build writes no report, and removes the sitemap of a build with an
    address.
    """
    site = MkDocsSite.create(project, {"index.md": "# A"}, site_url="")
    site.run("build")
    fix = "Fix: build again (with site_url in MkDocs, html_baseurl in Sphinx), or run"
    assert fix in invoke("explain", "site", "index.html", cwd=site.path).err
    site.replace_in_config("site_url: ''", f"site_url: {BASE_URL}")
    site.run("build")
    assert invoke("explain", "site", "index.html", cwd=site.path).err == ""
    site.replace_in_config(f"site_url: {BASE_URL}", "site_url: ''")
    site.run("build")
    for command in (["explain", "site", "index.html"], ["check", "site"]):
        assert fix in invoke(*command, cwd=site.path).err


@pytest.mark.parametrize("query", [".", "./index.md", "guide/../new.md"])
def test_a_page_in_another_spelling_is_not_called_a_part_of_itself(
    mkdocs_site: MkDocsSite, query: str
) -> None:
    text = invoke("explain", "site", query, cwd=mkdocs_site.path).out
    assert "of its own" not in text


def test_the_option_include_lists_pages_as_explained(project: Path) -> None:
    include = ["secret.md", "moved.md", "drafts/a b.md", "404.md", "old/index.html"]
    site = make_mkdocs(project, include=include)
    pages = explain(site, site.site, *include)
    assert [page["listed"] for page in pages.values()] == [True] * len(include)


def test_pages_of_sphinx(sphinx_site: SphinxSite) -> None:
    site = sphinx_site
    out = site.path / "out/html"
    names = ["guide/setup", "docs/guide/setup.rst", "guide/setup.html"]
    pages = explain(site, out, *names, "secret", "moved.rst", "drafts/a", "search")
    setup = pages["guide/setup"]
    assert [pages[name] for name in names] == [setup] * 3
    assert setup["sitemap"].startswith("sitemap.xml:")
    assert setup["page"]["lastmod"] == noon(2)
    assert setup["page"]["source"] == "part.txt"
    reasons = {
        name: page["page"]["reason"]
        for name, page in pages.items()
        if not page["listed"]
    }
    assert reasons == {
        "secret": "noindex",
        "moved.rst": "redirect",
        "drafts/a": "exclude-pattern",
        "search": "generator-page",
    }
    assert pages["search"]["fix"] == (
        'add "search" to sitemap_include, or ignore the reason for all pages: add generator-page '
        "to sitemap_ignore_reasons"
    )
    assert 'add "secret.rst" to sitemap_include' in pages["secret"]["fix"]
    assert pages["moved.rst"]["fix"].startswith("list the target instead: ")
    assert "sitemap_excludes" in pages["drafts/a"]["meaning"]


def test_a_named_dependency_is_a_source(project: Path) -> None:
    site = make_mkdocs(project, dependencies={"index.md": ["tool.py"]})
    site.repository.commit({"tool.py": "1"}, day=3)
    site.run("build")
    text = invoke("explain", "site", "tool.py", cwd=site.path).out
    assert text == "tool.py is not a page of its own, but a source of index.md\n"


def test_all_pages_can_be_explained(mkdocs_site: MkDocsSite) -> None:
    site = mkdocs_site
    done = invoke("explain", "--format", "json", "site", cwd=site.path)
    assert done.code == 0
    pages = {result["query"]: result["pages"][0] for result in done.json()["results"]}
    assert pages["guide/setup.md"]["page"]["sources"][1]["path"] == "docs/part.txt"
    assert pages["own.md"]["page"]["reason"] == "front-matter"
    assert "docs/part.txt" not in pages
    text = invoke("explain", "site", cwd=site.path).out
    assert text.count("  listed:") == len(pages)
