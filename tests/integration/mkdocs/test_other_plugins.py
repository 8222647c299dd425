"""Sites with plugins and themes that generate, move, or hide pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import invoke
from support.coverage import write_coverage_report
from support.mike import run_mike, run_new_mike
from support.mkdocs import BASE_URL, MkDocsSite
from support.readers import read
from support.repository import noon

PAGES = {"index.md": "# Home", "a.md": "# A"}


def test_generated_pages_are_listed_without_a_date(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        PAGES,
        plugins=[{"gen-files": {"scripts": ["generate.py"]}}],
        hooks=["hook.py"],
    )
    site.repository.commit(
        {
            "generate.py": (
                "import mkdocs_gen_files\n"
                "with mkdocs_gen_files.open('api/x.md', 'w') as file:\n"
                "    print('---\\nsitemap: {priority: 0.3}\\n---\\n# X', file=file)\n"
                "with mkdocs_gen_files.open('a.md', 'a') as file:\n"
                "    print('more', file=file)\n"
            ),
            "hook.py": (
                "from mkdocs.structure.files import File\ndef on_files(files, "
                "config):\n    files.append(File.generated(config, 'made.md', "
                "content='# Made'))\n    path = "
                "config.config_file_path.replace('mkdocs.yml', 'NEWS.md')\n    "
                "files.append(File.generated(config, 'news.md', abs_src_path=path))\n"
            ),
            "NEWS.md": "# News",
        },
        day=2,
    )
    entries = site.build()
    assert {url: entry.lastmod for url, entry in entries.items()} == {
        "": noon(1),
        "a/": None,  # The script appends text.
        "api/x/": None,
        "made/": None,
        "news/": noon(2),  # generated from a file of the project
    }
    assert entries["api/x/"].priority == "0.3"


@pytest.mark.parametrize("name", ["cov/index.html", "cov.html"])
def test_the_report_of_mkdocs_coverage_is_not_part_of_the_site(
    project: Path, name: str
) -> None:
    pytest.importorskip("mkdocs_coverage")
    coverage = {"coverage": {"page_path": "cov"}}
    is_folder = name == "cov/index.html"
    site = MkDocsSite.create(
        project, PAGES, plugins=[coverage], use_directory_urls=is_folder
    )
    write_coverage_report(site.path)
    # The page that embeds the report is a page of the site.
    urls = ["", "a/", "cov/"] if is_folder else ["a.html", "cov.html", "index.html"]
    assert sorted(site.build()) == urls
    done = invoke("check", "--strict", site.site, cwd=site.path)
    assert done.code == 0
    assert "3 URLs" in done.out
    for page in ("cov/covindex.html", "cov/program_py.html"):
        assert (site.site / page).exists()
        shown = invoke("explain", site.site, page, cwd=site.path).out
        assert "listed:     no, " in shown
        assert "a report of coverage.py" in shown
    assert "listed:     yes" in invoke("explain", site.site, name, cwd=site.path).out


def test_a_coverage_report_can_be_included(project: Path) -> None:
    site = MkDocsSite.create(
        project, PAGES, sitemap={"include": ["htmlcov/index.html"]}
    )
    write_coverage_report(site.path / "docs")
    assert list(site.build()) == ["", "a/", "htmlcov/"]
    done = invoke("check", "--strict", site.site, cwd=site.path)
    assert done.code == 0
    assert "3 URLs" in done.out


def test_pages_of_mkdocs_redirects_are_not_listed(project: Path) -> None:
    redirects = {
        "redirects": {"redirect_maps": {"old.md": "a.md", "gone/x.md": BASE_URL}}
    }
    site = MkDocsSite.create(project, PAGES, plugins=[redirects])
    assert list(site.build()) == ["", "a/"]
    assert (site.site / "old/index.html").exists()


def test_the_blog_of_material(project: Path) -> None:
    posts = {
        f"blog/posts/{n}.md": (
            f"---\ndate: 2023-05-0{n}\ncategories: [C {n}]\ndraft: "
            f"{str(n == 3).lower()}\n---\n# Post {n}\n\nText.\n\n<!-- more "
            "-->\n\nMore.\n"
        )
        for n in (1, 2, 3)
    }
    site = MkDocsSite.create(
        project,
        PAGES | posts | {"blog/index.md": "---\nsitemap: true\n---\n# Blog"},
        theme="material",
        plugins=[{"blog": {"pagination_per_page": 1}}],
    )
    entries = site.build()
    assert {url: entry.lastmod for url, entry in entries.items()} == {
        "": noon(1),
        "a/": noon(1),
        "blog/": noon(1),
        "blog/2023/05/01/post-1/": noon(1),
        "blog/2023/05/02/post-2/": noon(1),
        "blog/archive/2023/": noon(1),
        "blog/category/c-1/": noon(1),
        "blog/category/c-2/": noon(1),
    }
    include = "sitemap: {include: [blog/page/2/, blog/archive/*/page/*]}"
    site.replace_in_config("sitemap: {}", include)
    included = site.build().keys() - entries.keys()
    assert included == {"blog/page/2/", "blog/archive/2023/page/2/"}


LANGUAGES = [
    {"locale": "en", "default": True, "name": "English", "build": True},
    {"locale": "fr", "name": "Français", "build": True},
    {"locale": "de", "name": "Deutsch", "build": True},
]


@pytest.mark.parametrize("structure", ["suffix", "folder"])
@pytest.mark.parametrize("theme", ["mkdocs", "material"])
def test_all_languages_of_static_i18n_are_listed_with_their_alternates(
    project: Path, structure: str, theme: str
) -> None:
    names = {
        "suffix": ["index.md", "index.fr.md", "index.de.md", "a.md", "a.fr.md"],
        "folder": ["en/index.md", "fr/index.md", "de/index.md", "en/a.md", "fr/a.md"],
    }[structure]
    i18n = {
        "docs_structure": structure,
        "fallback_to_default": False,
        "languages": LANGUAGES,
    }
    site = MkDocsSite.create(
        project, dict.fromkeys(names, "# Page"), theme=theme, plugins=[{"i18n": i18n}]
    )
    site.repository.commit({f"docs/{names[4]}": "# Page, again"}, day=2)
    site.run("build")
    entries = site.read()
    assert list(entries) == ["", "a/", "de/", "fr/", "fr/a/"]
    home = {"en": BASE_URL, "fr": f"{BASE_URL}fr/", "de": f"{BASE_URL}de/"}
    assert (
        entries[""].alternates == entries["fr/"].alternates == entries["de/"].alternates
    )
    assert entries[""].alternates == home
    assert entries["fr/a/"].alternates == {
        "en": f"{BASE_URL}a/",
        "fr": f"{BASE_URL}fr/a/",
    }
    assert (entries["a/"].lastmod, entries["fr/a/"].lastmod) == (noon(1), noon(2))
    for path in site.site.rglob("sitemap.xml*"):
        assert path.parent == site.site
        assert b"{%" not in path.read_bytes()


def test_nested_builds_do_not_publish_a_template(project: Path) -> None:
    i18n = {"docs_structure": "suffix", "languages": LANGUAGES}
    site = MkDocsSite.create(
        project, PAGES, sitemap={"filename": "pages.xml"}, plugins=[{"i18n": i18n}]
    )
    site.run("build", "--strict")
    assert {path.name for path in site.site.rglob("*.xml*")} == {
        "pages.xml",
        "pages.xml.gz",
    }


@pytest.mark.parametrize("urls", [True, False])
def test_404_pages_in_any_language_are_excluded(project: Path, urls: bool) -> None:
    i18n = {"docs_structure": "suffix", "languages": LANGUAGES}
    pages = PAGES | {
        "404.md": "# Not found",
        "404.fr.md": "# Rien",
        "http/404.md": "# A page",
    }
    config = {"use_directory_urls": urls, "plugins": [{"i18n": i18n}]}
    site = MkDocsSite.create(
        project, pages, sitemap={"ignore_reasons": ["untranslated"]}, **config
    )
    page = "http/404/" if urls else "http/404.html"
    assert {url for url in site.build() if "404" in url} == {
        page,
        f"de/{page}",
        f"fr/{page}",
    }


def test_mike_deploys_a_sitemap_with_each_version(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES, plugins=["mike"])
    run_new_mike(site, "deploy", "1.0")
    site.repository.commit({"docs/new.md": "# New"}, day=2)
    run_mike(site, "deploy", "2.0", "latest")
    for version, urls in {"1.0": ["", "a/"], "2.0": ["", "a/", "new/"]}.items():
        data = site.repository.git("show", f"gh-pages:{version}/sitemap.xml").encode()
        assert [entry.loc for entry in read(data)] == [
            f"{BASE_URL}{version}/{url}" for url in urls
        ]


def test_material_with_instant_navigation(project: Path) -> None:
    features = ["navigation.instant", "navigation.instant.prefetch", "navigation.tabs"]
    entries = MkDocsSite.create(
        project, PAGES, theme={"name": "material", "features": features}
    ).build()
    assert list(entries) == ["", "a/"]
