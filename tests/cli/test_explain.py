from __future__ import annotations

import os
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from support.cli import Done, docs_sitemap
from support.mkdocs import BASE_URL, MAIN, MkDocsSite
from support.repository import noon
from support.sphinx import SphinxSite

from docs_sitemap.model import LastmodState
from docs_sitemap.report import KeptPage, KeptReport, kept_path, read_report


def make_mkdocs(path: Path, **config: Any) -> MkDocsSite:
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
        sitemap={"exclude": ["drafts/*"]},
        theme={"name": "mkdocs", "custom_dir": "overrides"},
        markdown_extensions=["pymdownx.snippets"],
        plugins=[{"redirects": {"redirect_maps": {"old.md": "guide/setup.md"}}}],
        **config,
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
    )
    site.repository.commit({"docs/part.txt": "two"}, day=2)
    site.run()
    return site


@pytest.fixture
def mkdocs(project: Path) -> MkDocsSite:
    return make_mkdocs(project)


@pytest.fixture
def sphinx(project: Path) -> SphinxSite:
    return make_sphinx(project)


def explain(site: MkDocsSite, *asked: str, **env: str) -> Done:
    return docs_sitemap("explain", "site", *asked, cwd=site.path, **env)


def lines(done: Done) -> dict[str, str]:
    """What is said of one page, by label."""
    assert done.code == 0, done.err
    url, *rest = done.out.rstrip().splitlines()
    labels = dict(re.fullmatch(r"  ([a-z ]+): +(.+)", line).groups() for line in rest)  # type: ignore[union-attr]
    return {"url": url, **labels}


def test_a_listed_page_and_where_its_date_is_from(mkdocs: MkDocsSite) -> None:
    commit = mkdocs.repository.git("rev-parse", "HEAD").strip()
    assert lines(explain(mkdocs, "guide/setup.md")) == {
        "url": f"{BASE_URL}guide/setup/",
        "listed": "yes, site/sitemap.xml:12",
        "lastmod": f"{noon(2)}, commit: {LastmodState.COMMIT.meaning}",
        "commit": f"{commit}, written 2020-02-02T02:02:02+00:00",
        "decided by": "docs/part.txt",
        "page": "guide/setup.md",
        "made from": "docs/guide/setup.md, docs/part.txt",
        "file": "site/guide/setup/index.html",
        "title": "Set up - Test",
        "canonical": f"{BASE_URL}guide/setup/",
    }
    undated = lines(explain(mkdocs, "new.md"))
    assert undated["lastmod"] == "none, untracked: one of its files is not committed yet"


def test_pages_that_are_not_listed_and_how_to_list_them(mkdocs: MkDocsSite) -> None:
    reasons = {
        "secret.md": "noindex: it tells search engines not to list it (robots: noindex)",
        "moved.md": f"redirect: it sends readers to another page ({BASE_URL}guide/setup/)",
        "drafts/a b.md": "pattern: a pattern of the option exclude matches it (drafts/*)",
        "404.md": "utility: it is a page of the tool's own",
        "own.md": "page: the page asks to be left out",
    }
    for page, reason in reasons.items():
        said = lines(explain(mkdocs, page))
        overrule = f"overrule: [{reason.partition(':')[0]}] for all such pages"
        assert said["listed"] == f"no, {reason}"
        assert said["to list it"] == (
            f"take `sitemap: false` out of the page, or set the option {overrule}"
            if page == "own.md"
            else f"write `sitemap: true` into the page, set the option include: "
            f'["{page}"], or {overrule}'
        )
        assert "note" not in said
    redirect = lines(explain(mkdocs, "old/"))
    assert redirect["listed"] == "no, its build does not know it as a page"
    assert redirect["to list it"] == 'set the option include: ["old/index.html"]'


def test_the_cures_that_it_names_are_cures(project: Path) -> None:
    site = make_mkdocs(project)
    include = ["secret.md", "moved.md", "drafts/a b.md", "404.md", "old/index.html"]
    config = (site.path / "mkdocs.yml").read_text()
    changed = config.replace(
        "sitemap:\n    exclude:", f"sitemap:\n    include: {include}\n    exclude:"
    )
    assert changed != config
    site.repository.write({"mkdocs.yml": changed})
    site.run("build")
    answers = explain(site, "--format", "json", *include).json()
    assert [page["listed"] for answer in answers["answers"] for page in answer["pages"]] == [
        True
    ] * len(include)


def test_a_page_has_many_names(mkdocs: MkDocsSite) -> None:
    draft = [
        "drafts/a b.md",
        "docs/drafts/a b.md",
        "drafts/a b",
        "drafts/a b/",
        "/drafts/a b/",
        "/docs/drafts/a%20b/",
        "drafts/a%20b/index.html",
        "drafts/a b.html",
        "site/drafts/a b/index.html",
        f"{mkdocs.site}/drafts/a b/",
        f"{mkdocs.path}/docs/drafts/a b.md",
        "https://example.org/docs/drafts/a%20b/",
        "HTTPS://Example.org:443/docs/drafts/a%20b/index.html#part",
    ]
    home = [
        *("index.md", "docs/index.md", "index", "/", "/docs/", "site", "site/index.html"),
        *(BASE_URL, BASE_URL[:-1], f"{BASE_URL}index.html"),
    ]
    for name, asked in {"drafts/a b.md": draft, "index.md": home}.items():
        done = explain(mkdocs, "--format", "json", *asked)
        assert [
            (answer["asked"], [page["name"] for page in answer["pages"]])
            for answer in done.json()["answers"]
        ] == [(text, [name]) for text in asked]


def test_a_page_that_there_is_not(mkdocs: MkDocsSite) -> None:
    closest = {
        "guide/setpu.md": "guide/setup.md",
        "https://example.org/docs/guid/setup/": "guide/setup.md",
        "https://example.com/docs/guide/setup/": None,
        "xxxxxxxxxxxxxxxxxxx": None,
        "[red]\x1b[31m": None,
        "*": None,
    }
    for asked, close in closest.items():
        done = explain(mkdocs, asked)
        assert done.code == 1
        (line,) = done.out.splitlines()
        assert line.startswith("There is no page ")
        assert line.isprintable()
        assert ("did you mean" in line) is (close is not None)
        assert close is None or close in line
    both = explain(mkdocs, "--format", "json", "nope", "index.md")
    assert both.code == 1
    assert [len(answer["pages"]) for answer in both.json()["answers"]] == [0, 1]


def test_what_changed_after_the_build_is_said(mkdocs: MkDocsSite) -> None:
    robots = '<meta name="robots" content="noindex">'
    secret = mkdocs.site / "secret/index.html"
    secret.write_text(secret.read_text().replace(robots, ""))
    setup = mkdocs.site / "guide/setup/index.html"
    setup.write_text(setup.read_text().replace("<head>", f"<head>{robots}"))
    (mkdocs.site / "new/index.html").unlink()
    sitemap = mkdocs.site / "sitemap.xml"
    sitemap.write_text(sitemap.read_text().replace(noon(2), "2025-01-01"))

    def notes(page: str) -> list[str]:
        done = explain(mkdocs, "--format", "json", page)
        (found,) = done.json()["answers"][0]["pages"]
        return list(found["notes"])

    assert notes("secret.md") == ["its file does not say so any more; build the site again"]
    assert notes("guide/setup.md") == [
        "the sitemap on the disk says 2025-01-01: another build wrote that",
        "its file says noindex (robots: noindex): that did not count, or is new",
    ]
    assert notes("new.md") == ["its file is not there any more"]
    assert "new/index.html, which does not exist" in explain(mkdocs, "new.md").out
    setup.unlink()
    os.mkfifo(setup)
    assert "setup/index.html, which cannot be read" in explain(mkdocs, "guide/setup.md").out
    assert notes("asked.md") == [
        "its file says noindex (robots: noindex): that did not count, or is new"
    ]
    sitemap.unlink()
    sitemap.with_name("sitemap.xml.gz").unlink()
    assert notes("index.md") == [
        "the sitemap on the disk does not list it: another build wrote that"
    ]


def test_without_a_report_the_site_itself_is_asked(mkdocs: MkDocsSite, tmp_path: Path) -> None:
    elsewhere = {"XDG_CACHE_HOME": str(tmp_path / "empty")}
    done = explain(mkdocs, f"{BASE_URL}guide/setup/", **elsewhere)
    said = lines(done)
    assert said == {
        "url": f"{BASE_URL}guide/setup/",
        "listed": "yes, site/sitemap.xml:12",
        "lastmod": noon(2),
        "file": "site/guide/setup/index.html",
        "title": "Set up - Test",
        "canonical": f"{BASE_URL}guide/setup/",
    }
    (hint,) = done.err.splitlines()
    assert "--report FILE" in hint
    secret = lines(explain(mkdocs, "secret/", **elsewhere))
    assert secret["listed"] == "no"
    assert secret["meta"] == "robots: noindex"
    assert secret["note"] == "its file says noindex (robots: noindex)"
    assert explain(mkdocs, "secret.md", **elsewhere).code == 1


def test_a_report_can_be_named(project: Path, tmp_path: Path) -> None:
    site = MkDocsSite.create(project, {"index.md": "# Home"}, sitemap={"report": "report.json"})
    site.run("build")
    elsewhere = {"XDG_CACHE_HOME": str(tmp_path / "empty")}
    done = explain(site, "--report", "report.json", "index.md", **elsewhere)
    assert lines(done)["lastmod"].startswith(noon(1))
    done = explain(site, "--report", "mkdocs.yml", "index.md")
    assert done.code == 2
    assert "mkdocs.yml is no report of a build" in done.err


def test_a_site_without_a_sitemap(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<title>A</title>")
    done = docs_sitemap("explain", ".", "a.html", cwd=tmp_path)
    assert lines(done) == {"url": "a.html", "listed": "no", "file": "./a.html", "title": "A"}
    done = docs_sitemap("explain", "--base-url", BASE_URL, ".", f"{BASE_URL}a.html", cwd=tmp_path)
    assert lines(done)["url"] == f"{BASE_URL}a.html"


@pytest.mark.parametrize("tool", ["mkdocs", "sphinx"])
def test_it_agrees_with_the_report_of_the_build(project: Path, tool: str) -> None:
    if tool == "mkdocs":
        site, out = make_mkdocs(project), project / "site"
    else:
        site, out = make_sphinx(project), project / "out/html"
    path = kept_path(out)
    assert path is not None
    report = read_report(path)
    assert len(report.pages) >= 7
    names = [page.name for page in report.pages]
    done = docs_sitemap("explain", "--format", "json", out, *names, cwd=site.path)
    assert done.code == 0
    assert done.json()["has_report"] is True
    by_name = {page.name: page for page in report.pages}
    for answer in done.json()["answers"]:
        (page,) = answer["pages"]
        kept = by_name[answer["asked"]]
        assert page["build"] == asdict(kept) | {"sources": [*kept.sources]}
        assert page["listed"] is (kept.loc is not None) is (page["sitemap"] is not None)
        assert page["exists"] is True
        if kept.loc is not None:
            assert page["url"] == kept.loc
            assert page["sitemap"]["lastmod"] == kept.lastmod
        else:
            assert page["cure"]
        if answer["asked"] != "asked.md":
            assert page["notes"] == []


def test_pages_of_sphinx(sphinx: SphinxSite) -> None:
    def said(page: str) -> dict[str, str]:
        return lines(docs_sitemap("explain", "out/html", page, cwd=sphinx.path))

    setup = said("guide/setup")
    assert setup["listed"].startswith("yes, out/html/sitemap.xml:")
    assert (setup["lastmod"].partition(",")[0], setup["decided by"]) == (noon(2), "part.txt")
    assert said("docs/guide/setup.rst") == said("guide/setup.html") == setup
    assert said("secret")["listed"].startswith("no, noindex")
    assert said("moved.rst")["listed"].startswith("no, redirect")
    assert said("drafts/a")["listed"].startswith("no, pattern")
    search = said("search")
    assert search["listed"] == "no, utility: it is a page of the tool's own"
    assert search["to list it"].startswith('set the option include: ["search"], or')


def test_the_docs_describe_all_of_a_report() -> None:
    page = (Path(__file__).parents[2] / "docs/explain.md").read_text(encoding="utf-8")
    _, _, section = page.partition("## The report of a build")
    fields = re.findall(r"^\| `([a-z_]+)` \| .+ \|$", section, flags=re.M)
    assert fields == [
        *("version", *KeptReport.__dataclass_fields__),
        *KeptPage.__dataclass_fields__,
    ]
