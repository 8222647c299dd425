"""`mkdocs build` and the other commands."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
from support.cli import invoke
from support.mkdocs import BASE_URL, MKDOCS, PROPERDOCS, MkDocsSite
from support.platforms import needs_posix
from support.readers import read
from support.repository import Repository, noon

from docs_sitemap import Options, read_options
from mkdocs_sitemap import SitemapPlugin

PAGES = {
    "index.md": "# Home",
    "a.md": "# A",
    "sub/index.md": "# Sub",
    "sub/b.md": "# B",
}


def test_the_plugin_replaces_the_built_in_sitemap(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES)
    site.repository.commit({"docs/a.md": "# A, again"}, day=3)
    entries = site.build()
    assert {url: entry.lastmod for url, entry in entries.items()} == {
        "": noon(1),
        "a/": noon(3),
        "sub/": noon(1),
        "sub/b/": noon(1),
    }
    assert all(entry.changefreq is entry.priority is None for entry in entries.values())
    assert (site.site / "sitemap.xml.gz").exists()
    assert b"{%" not in (site.site / "sitemap.xml").read_bytes()


def test_urls_without_use_directory_urls(project: Path) -> None:
    entries = MkDocsSite.create(project, PAGES, use_directory_urls=False).build()
    assert list(entries) == ["a.html", "index.html", "sub/b.html", "sub/index.html"]


def test_front_matter_overrides_options(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home",
            "out.md": "---\nsitemap: false\n---\n# Out",
            "out2.md": "---\nsitemap:\n  exclude: true\n---\n# Out",
            "old-style.md": "sitemap: false\n\n# MultiMarkdown metadata is text\n",
            "all.md": "---\nsitemap: {lastmod: 2020-02-03, changefreq: never, priority: 1}\n---\n",
            "time.md": "---\nsitemap: {lastmod: 2020-02-03 04:05:06+02:00}\n---\n",
        },
    )
    entries = site.build()
    assert list(entries) == ["", "all/", "time/"]
    assert entries["all/"].lastmod == "2020-02-03"
    assert (entries["all/"].changefreq, entries["all/"].priority) == ("never", "1.0")
    assert entries["time/"].lastmod == "2020-02-03T02:05:06+00:00"


def test_an_invalid_value_in_front_matter_is_a_warning(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        PAGES
        | {"sub/b.md": "---\nsitemap: {priority: high, changefreq: daily}\n---\n"},
    )
    log = site.run("build")
    assert "WARNING -  mkdocs_sitemap: sub/b.md: " in log
    assert "priority is ignored: 'high'" in log
    assert site.read()["sub/b/"].changefreq == "daily"
    assert "Aborted with 1 warnings" in site.run("build", "--strict", succeeds=False)


def test_options_are_applied(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        PAGES | {"drafts/x.md": "# X"},
        sitemap={
            "filename": "pages.xml",
            "gzip": False,
            "lastmod": False,
            "changefreq": "weekly",
            "exclude": ["drafts/*"],
            "rules": [{"match": "sub/*", "priority": 0.2}],
        },
    )
    site.run("build", "--strict")
    entries = {
        entry.loc: entry for entry in read((site.site / "pages.xml").read_bytes())
    }
    assert list(entries) == [
        BASE_URL,
        f"{BASE_URL}a/",
        f"{BASE_URL}sub/",
        f"{BASE_URL}sub/b/",
    ]
    assert entries[f"{BASE_URL}sub/b/"].priority == "0.2"
    assert entries[BASE_URL].changefreq == "weekly"
    assert not list(site.site.glob("*.gz"))
    assert not (site.site / "sitemap.xml").exists()


def test_options_from_environment_variables(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES)
    options = (
        "gzip: !ENV [COMPRESS, true], lastmod: !ENV DATES, priority: !ENV PRIORITY"
    )
    site.replace_in_config("sitemap: {}", f"sitemap: {{{options}}}")
    entries = site.build(COMPRESS="0")
    assert entries["a/"].lastmod == noon(1)
    assert entries["a/"].priority is None
    assert not (site.site / "sitemap.xml.gz").exists()
    assert site.build(DATES="false", PRIORITY="0.4")["a/"].priority == "0.4"
    assert site.read()["a/"].lastmod is None


def test_all_invalid_options_are_reported_before_the_build(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        PAGES,
        sitemap={
            "filename": "a/b.xml",
            "priority": 2,
            "rules": [{"match": "a", "prio": 1}],
            "excludes": ["misspelled"],
            "show_lastmod": True,
            "site_url": BASE_URL,
            "xyz": 1,
        },
    )
    log = site.run("build", succeeds=False)
    names = (
        "excludes",
        "filename",
        "priority",
        "rules",
        "show_lastmod",
        "site_url",
        "xyz",
    )
    for name in names:
        assert f"Plugin 'sitemap' option '{name}': " in log
    unknown = "there is no such option. Fix: use"
    assert f"'excludes': {unknown} exclude instead." in log
    assert f"'show_lastmod': {unknown} lastmod instead." in log
    assert f"'xyz': {unknown} filename, gzip, " in log
    assert not site.site.exists()


def test_a_missing_template_is_an_error_before_the_build(project: Path) -> None:
    options = {"template": "missing.xml", "gzip": "perhaps"}
    site = MkDocsSite.create(project, PAGES, sitemap=options)
    log = site.run("build", succeeds=False)
    assert "option 'template': the template " in log
    assert "option 'gzip': 'perhaps'" in log
    assert not site.site.exists()


def test_a_sitemap_without_a_valid_url_is_an_error_before_the_build(
    project: Path,
) -> None:
    site_url = f"https://example.org/{'x' * 1_990}/"
    site = MkDocsSite.create(project, {"index.md": "# Home"}, site_url=site_url)
    site.run("build")
    site.replace_in_config("sitemap: {}", f"sitemap: {{filename: {'s' * 50}.xml}}")
    old = (site.site / "sitemap.xml").read_bytes()
    log = site.run("build", succeeds=False)
    assert "ERROR   -  " in log
    assert "filename: " in log
    assert " 2,076 " in log
    assert "Building documentation" not in log
    assert (site.site / "sitemap.xml").read_bytes() == old


def test_the_options_of_the_plugin_are_those_of_the_core() -> None:
    config = SitemapPlugin().config_class()
    assert read_options(config) == Options()
    others = {*Options._fields} - {*config}
    # What MkDocs and its plugins know, and options of `generate`.
    known = {"base_url", "language", "url_scheme", "version"}
    assert others == known | {"clean_urls", "min_dated", "source_dir", "sources"}


def test_hooks_can_change_options(project: Path) -> None:
    site = MkDocsSite.create(project, {"index.md": "# Home"}, hooks=["hook.py"])
    (project / "hook.py").write_text(
        "def on_config(config):\n    config.plugins['sitemap'].config.gzip = False\n"
    )
    site.build()
    assert not (site.site / "sitemap.xml.gz").exists()


@pytest.mark.parametrize("setting", ["", "site_url: ''\n"])
def test_without_site_url_the_old_sitemap_is_removed_with_a_notice(
    project: Path, setting: str
) -> None:
    site = MkDocsSite.create(project, PAGES)
    site.build()
    site.replace_in_config(f"site_url: {BASE_URL}\n", setting)
    log = site.run("build", "--dirty")
    assert "INFO    -  mkdocs_sitemap: " in log
    assert "Fix: set site_url" in log
    assert not list(
        site.site.glob("sitemap*")
    )  # The one of the earlier build is removed.
    site.run("build", "--strict")
    (site.site / "sitemap.xml").mkdir()
    assert "(Is a directory). Fix:" in site.run("build", "--dirty")


def test_a_site_url_that_names_a_file_is_a_warning(project: Path) -> None:
    site = MkDocsSite.create(
        project, PAGES, site_url="https://example.org/docs/index.html"
    )
    log = site.run("build", "--strict", succeeds=False)
    assert log.count("WARNING") == 1
    assert "WARNING -  mkdocs_sitemap: " in log
    assert "it leads to a file" in log
    assert not list(site.site.glob("sitemap*"))


def test_an_address_that_read_the_docs_contradicts_is_one_warning(
    project: Path,
) -> None:
    site = MkDocsSite.create(project, PAGES, site_url="https://example.org/en/stable")
    elsewhere = "https://example.org/de/v1/"
    log = site.run("build", READTHEDOCS_CANONICAL_URL=elsewhere)
    assert log.count("WARNING") == 1
    assert f"publishes this build at {elsewhere}" in log
    site.run(
        "build",
        "--strict",
        READTHEDOCS_CANONICAL_URL=elsewhere,
        READTHEDOCS_VERSION_TYPE="external",  # a preview of a pull request
    )
    for same in ("https://example.org/en/stable/", "https://Example.org:443/en/stable"):
        site.run("build", "--strict", READTHEDOCS_CANONICAL_URL=same)


@pytest.mark.parametrize(
    "site_url", ["https://example.org/", "https://example.github.io/p/1.0/"]
)
def test_an_address_that_cname_contradicts_is_one_notice(
    project: Path, site_url: str
) -> None:
    site = MkDocsSite.create(project, PAGES, site_url=site_url)
    site.repository.commit({"docs/CNAME": "docs.example.org"}, day=2)
    log = site.run("build", "--strict")
    assert log.count("CNAME contains https://docs.example.org/") == 1
    # Most such addresses are out of date, so check fails until the user confirms it.
    assert "add --base-url to docs-sitemap check" in log
    assert "base-url" in invoke("check", site.path / "site").out
    done = invoke("check", site.path / "site", "--base-url", site_url)
    assert "base-url" not in done.out
    site.replace_in_config(site_url, "https://docs.example.org/p/")
    assert "CNAME" not in site.run("build", "--strict")


@pytest.mark.parametrize(
    ("end", "canonical_version", "alias"),
    [
        ("", None, None),
        ("", "latest", None),
        ("", "current", None),
        ("latest/", None, "latest"),
        ("stable/", "2.0", "stable"),
        ("latest/", "latest", "latest"),
        ("current/", "current", "current"),
    ],
)
def test_a_site_url_that_ends_in_an_alias_of_mike_is_one_notice(
    project: Path, end: str, canonical_version: str | None, alias: str | None
) -> None:
    pytest.importorskip("mike")
    site = MkDocsSite.create(
        project,
        PAGES,
        site_url=f"{BASE_URL}{end}",
        plugins=[{"mike": {"canonical_version": canonical_version}}],
    )
    log = site.run("build", "--strict", MIKE_DOCS_VERSION="2.0")
    assert log.count("because mike adds") == (alias is not None)
    assert alias is None or f"Fix: remove {alias}" in log
    assert "because mike adds" not in site.run("build", "--strict")


def test_a_strict_build_outside_a_repository_logs_one_notice(
    project: Path, tmp_path: Path
) -> None:
    site = MkDocsSite.create(project, PAGES)
    (project / ".git").rename(tmp_path / "away")
    log = site.run("build", "--strict")
    assert log.count("no page has a") == 1
    assert [entry.lastmod for entry in site.read().values()] == [None] * 4


def test_a_strict_build_without_git_logs_one_notice(
    project: Path, tmp_path: Path
) -> None:
    log = MkDocsSite.create(project, PAGES).run("build", "--strict", PATH=str(tmp_path))
    assert log.count("git is not installed") == 1


def test_dirty_builds_list_all_pages_with_their_front_matter(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        PAGES
        | {
            "out.md": "---\nsitemap: false\n---\n# Out",
            "high.md": "---\nsitemap:\n  priority: 0.9\n---\n# High",
        },
    )
    site.build()
    (project / "docs/sub/b.md").unlink()
    site.repository.commit({"docs/new.md": "# New"}, day=2)
    future = time.time() + 60
    os.utime(project / "docs/a.md", (future, future))
    site.run("build", "--dirty")
    entries = site.read()
    assert set(entries) == {"", "a/", "sub/", "high/", "new/"}
    assert entries["high/"].priority == "0.9"
    assert entries["high/"].lastmod is None
    assert entries["new/"].lastmod == noon(2)
    # MkDocs leaves the deleted page.
    assert (site.site / "sub/b/index.html").exists()


def test_a_failed_build_does_not_change_the_sitemap(project: Path) -> None:
    hook = "def on_post_page(output, page, config):\n    raise ValueError('no')\n"
    site = MkDocsSite.create(project, PAGES)
    site.build()
    old = (site.site / "sitemap.xml").read_bytes()
    (project / "hook.py").write_text(hook)
    site.replace_in_config("site_name", "hooks: [hook.py]\nsite_name")
    (project / "docs/new.md").write_text("# New")
    done = subprocess.run(
        [*MKDOCS, "build", "--dirty"], cwd=project, capture_output=True
    )
    assert done.returncode != 0
    assert (site.site / "sitemap.xml").read_bytes() == old


def test_drafts_excluded_pages_and_links_are_not_listed(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        PAGES
        | {
            "draft.md": "# Draft",
            "excluded.md": "# Excluded",
            "hidden.md": "# Not in the navigation",
            "404.md": "# Not found",
        },
        draft_docs="draft.md\n",
        exclude_docs="excluded.md\n",
        not_in_nav="hidden.md\nsub/\n404.md\n",
        nav=[
            "index.md",
            "a.md",
            {"Elsewhere": "https://elsewhere.example/"},
            {"Up": "/up/"},
        ],
    )
    assert list(site.build()) == ["", "a/", "hidden/", "sub/", "sub/b/"]


def test_front_matter_can_include_a_404_page(project: Path) -> None:
    site = MkDocsSite.create(
        project, PAGES | {"404.md": "---\nsitemap: true\n---\n# Not found"}
    )
    assert "404/" in site.build()


def test_a_page_that_was_not_written_is_not_listed(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES, hooks=["hook.py"])
    (project / "hook.py").write_text(
        "def on_post_page(output, page, config):\n"
        "    return '' if page.file.src_uri == 'a.md' else output\n"
    )
    assert list(site.build()) == ["", "sub/", "sub/b/"]


@needs_posix
def test_special_characters_in_file_names_are_encoded_once(project: Path) -> None:
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
    ]
    pages = {"index.md": "# Home"} | {f"{name}.md": "# Page" for name in names}
    assert set(MkDocsSite.create(project, pages).build()) == {
        "",
        "a%20b/",
        "c%26d/",
        "e%27f/",
        "g%23h/",
        "i%3Fj/",
        "100%25/",
        "k%2520l/",
        "%C3%BCn%C3%AF/",
        "m%3Cn%3E/",
        "o%2Bp~q/",
        "r%3As/",
    }


def test_two_pages_with_the_same_url_are_one_entry_and_one_warning(
    project: Path,
) -> None:
    hook = (
        "from mkdocs.structure.files import File\n"
        "def on_files(files, config):\n"
        "    file = File.generated(config, 'z.md', content='# Z')\n"
        "    file.dest_uri, file.url = 'a/index.html', 'a/'\n"
        "    files.append(file)\n"
    )
    site = MkDocsSite.create(project, PAGES, hooks=["hook.py"])
    (project / "hook.py").write_text(hook)
    log = site.run("build")
    assert f"have the same URL, {BASE_URL}a/: z.md" in log
    assert log.count("WARNING -  mkdocs_sitemap") == 1
    assert list(site.read()) == ["", "a/", "sub/", "sub/b/"]


def test_gh_deploy_publishes_the_sitemap(project: Path, tmp_path: Path) -> None:
    site = MkDocsSite.create(project, PAGES)
    origin = Repository.create(tmp_path / "origin")
    site.repository.git("remote", "add", "origin", str(origin.path))
    site.run_process("gh-deploy", "--strict")
    published = origin.git("show", "gh-pages:sitemap.xml")
    assert published.encode() == (site.site / "sitemap.xml").read_bytes()
    assert {entry.loc.removeprefix(BASE_URL) for entry in read(published.encode())} == {
        "",
        "a/",
        "sub/",
        "sub/b/",
    }


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
def test_properdocs_writes_the_same_sitemap(project: Path, theme: str) -> None:
    site = MkDocsSite.create(project, PAGES, theme=theme)
    by_mkdocs = site.build()
    data = (site.site / "sitemap.xml").read_bytes()
    site.run_process("build", "--strict", "--verbose", command=PROPERDOCS)
    assert site.read() == by_mkdocs
    assert (site.site / "sitemap.xml").read_bytes() == data
