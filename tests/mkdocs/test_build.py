"""`mkdocs build`, and the other commands, as users run them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from support.mkdocs import BASE_URL, MkDocsSite
from support.readers import read
from support.repository import Repository, noon

PAGES = {"index.md": "# Home", "a.md": "# A", "sub/index.md": "# Sub", "sub/b.md": "# B"}


def test_sitemap_takes_the_place_of_the_built_in_one(project: Path) -> None:
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


def test_without_directory_urls(project: Path) -> None:
    entries = MkDocsSite.create(project, PAGES, use_directory_urls=False).build()
    assert list(entries) == ["a.html", "index.html", "sub/b.html", "sub/index.html"]


def test_the_same_commit_gives_the_same_bytes(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES)
    names = ("sitemap.xml", "sitemap.xml.gz")
    site.build(TZ="Asia/Kathmandu", PYTHONHASHSEED="1")
    first = [(site.site / name).read_bytes() for name in names]
    site.build(TZ="America/Lima", PYTHONHASHSEED="2", LC_ALL="C")
    assert [(site.site / name).read_bytes() for name in names] == first


def test_front_matter(project: Path) -> None:
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


def test_a_wrong_value_on_a_page_is_a_warning_and_the_page_stays(project: Path) -> None:
    site = MkDocsSite.create(
        project, PAGES | {"sub/b.md": "---\nsitemap: {priority: high, changefreq: daily}\n---\n"}
    )
    log = site.run("build")
    assert (
        "WARNING -  mkdocs_sitemap: sub/b.md: sitemap priority: 'high' is not a number from 0.0 "
        "to 1.0; the value is left out"
    ) in log
    assert site.read()["sub/b/"].changefreq == "daily"
    assert "Aborted with 1 warnings in strict mode" in site.run("build", "--strict", succeeds=False)


def test_options(project: Path) -> None:
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
    entries = {entry.loc: entry for entry in read((site.site / "pages.xml").read_bytes())}
    assert list(entries) == [BASE_URL, f"{BASE_URL}a/", f"{BASE_URL}sub/", f"{BASE_URL}sub/b/"]
    assert entries[f"{BASE_URL}sub/b/"].priority == "0.2"
    assert entries[BASE_URL].changefreq == "weekly"
    assert not list(site.site.glob("*.gz"))
    assert not (site.site / "sitemap.xml").exists()


def test_environment_variables_in_options(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES)
    config = (project / "mkdocs.yml").read_text()
    options = "gzip: !ENV [GZIP_TWIN, true], lastmod: !ENV DATES, priority: !ENV PRIORITY"
    (project / "mkdocs.yml").write_text(config.replace("sitemap: {}", f"sitemap: {{{options}}}"))
    entries = site.build(GZIP_TWIN="0")
    assert entries["a/"].lastmod == noon(1)
    assert entries["a/"].priority is None
    assert not (site.site / "sitemap.xml.gz").exists()
    assert site.build(DATES="false", PRIORITY="0.4")["a/"].priority == "0.4"
    assert site.read()["a/"].lastmod is None


def test_wrong_options_are_all_listed_before_anything_is_built(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        PAGES,
        sitemap={
            "filename": "a/b.xml",
            "priority": 2,
            "rules": [{"match": "a", "prio": 1}],
            "template": "missing.xml",
            "excludes": ["misspelled"],
        },
    )
    log = site.run("build", succeeds=False)
    for name in ("excludes", "filename", "priority", "rules", "template"):
        assert f"Plugin 'sitemap' option '{name}': " in log
    assert not site.site.exists()


def test_no_site_url_is_one_warning_and_no_sitemap(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES)
    site.build()
    config = (project / "mkdocs.yml").read_text()
    (project / "mkdocs.yml").write_text(config.replace(f"site_url: {BASE_URL}\n", ""))
    log = site.run("build", "--dirty")
    assert (
        "no sitemap is written: site_url is not set; set site_url in mkdocs.yml to the address "
        "at which the site is published"
    ) in log
    assert not list(site.site.glob("sitemap*")), "the one of the earlier build would be stale"
    (site.site / "sitemap.xml").mkdir()
    assert "cannot be replaced" in site.run("build", "--dirty")


def test_no_repository_is_one_warning(project: Path, tmp_path: Path) -> None:
    site = MkDocsSite.create(project, PAGES)
    (project / ".git").rename(tmp_path / "away")
    log = site.run("build")
    assert log.count("WARNING") == 1
    assert "the sources lie in no git repository" in log
    assert [entry.lastmod for entry in site.read().values()] == [None] * 4


def test_no_git_is_one_warning(project: Path, tmp_path: Path) -> None:
    log = MkDocsSite.create(project, PAGES).run("build", PATH=str(tmp_path))
    assert log.count("WARNING") == 1
    assert "git cannot be run" in log


def test_dirty_builds_list_all_pages_and_keep_what_unread_pages_say(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        PAGES
        | {
            "out.md": "---\nsitemap: false\n---\n# Out",
            "high.md": "---\nsitemap:\n  priority: 0.9\n---\n# High",
        },
    )
    clean = site.build()
    (project / "docs/sub/b.md").unlink()
    site.repository.commit({"docs/new.md": "# New"}, day=2)
    future = time.time() + 60
    os.utime(project / "docs/a.md", (future, future))
    site.run("build", "--dirty")
    entries = site.read()
    assert set(entries) == {"", "a/", "sub/", "high/", "new/"}
    assert entries["high/"] == clean["high/"]
    assert entries["new/"].lastmod == noon(2)
    assert (site.site / "sub/b/index.html").exists(), "what MkDocs left of the deleted page"


def test_a_failed_build_leaves_the_old_file(project: Path) -> None:
    hook = "def on_post_page(output, page, config):\n    raise ValueError('no')\n"
    site = MkDocsSite.create(project, PAGES)
    site.build()
    old = (site.site / "sitemap.xml").read_bytes()
    (project / "hook.py").write_text(hook)
    with (project / "mkdocs.yml").open("a") as config:
        config.write("hooks: [hook.py]\n")
    (project / "docs/new.md").write_text("# New")
    subprocess.run([*site.command, "build", "--dirty"], cwd=project, capture_output=True)
    assert (site.site / "sitemap.xml").read_bytes() == old


def test_pages_that_are_not_published_and_links_are_not_listed(project: Path) -> None:
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
        nav=["index.md", "a.md", {"Elsewhere": "https://elsewhere.example/"}, {"Up": "/up/"}],
    )
    assert list(site.build()) == ["", "a/", "hidden/", "sub/", "sub/b/"]


def test_a_404_page_can_be_asked_in(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES | {"404.md": "---\nsitemap: true\n---\n# Not found"})
    assert "404/" in site.build()


def test_a_page_that_was_not_written_is_not_listed(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES, hooks=["hook.py"])
    (project / "hook.py").write_text(
        "def on_post_page(output, page, config):\n"
        "    return '' if page.file.src_uri == 'a.md' else output\n"
    )
    assert list(site.build()) == ["", "sub/", "sub/b/"]


def test_odd_file_names_are_encoded_once(project: Path) -> None:
    names = ["a b", "c&d", "e'f", "g#h", "i?j", "100%", "k%20l", "ünï", "m<n>", "o+p~q", "r:s"]
    pages = {"index.md": "# Home"} | {f"{name}.md": "# Odd" for name in names}
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


def test_two_pages_of_one_url_are_one_entry_and_one_warning(project: Path) -> None:
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
    assert f"z.md has the same URL as a.md, {BASE_URL}a/, and is listed in its place" in log
    assert log.count("WARNING -  mkdocs_sitemap") == 1
    assert list(site.read()) == ["", "a/", "sub/", "sub/b/"]


def test_serve_keeps_up_with_pages_that_come_and_go(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES | {"draft.md": "# D"}, draft_docs="draft.md\n")
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    base = f"http://{address}/docs/"

    def urls() -> set[str]:
        try:
            with urlopen(f"{base}sitemap.xml") as response:  # noqa: S310  # our own
                return {entry.loc.removeprefix(base) for entry in read(response.read())}
        except URLError:
            return set()

    def eventually(condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 60
        while not condition():
            assert time.monotonic() < deadline, urls()
            time.sleep(0.1)

    # click 8.2 lets MkDocs take --no-livereload for the default: ask for the watcher by name.
    command = [*site.command, "serve", "--livereload", "--dev-addr", address]
    with subprocess.Popen(command, cwd=project, stderr=subprocess.DEVNULL) as server:
        try:
            eventually(lambda: urls() == {"", "a/", "sub/", "sub/b/"})
            (project / "docs/new.md").write_text("# New")
            eventually(lambda: "new/" in urls())
            (project / "docs/sub/b.md").unlink()
            eventually(lambda: urls() == {"", "a/", "new/", "sub/"})
        finally:
            server.terminate()


def test_gh_deploy_publishes_the_sitemap(project: Path, tmp_path: Path) -> None:
    site = MkDocsSite.create(project, PAGES)
    origin = Repository.create(tmp_path / "origin")
    site.repository.git("remote", "add", "origin", str(origin.path))
    site.run("gh-deploy", "--strict")
    published = origin.git("show", "gh-pages:sitemap.xml")
    assert published.encode() == (site.site / "sitemap.xml").read_bytes()
    assert {entry.loc.removeprefix(BASE_URL) for entry in read(published.encode())} == {
        "",
        "a/",
        "sub/",
        "sub/b/",
    }


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
def test_properdocs_runs_the_same_plugin(project: Path, theme: str) -> None:
    site = MkDocsSite.create(project, PAGES, theme=theme)
    by_mkdocs = site.build()
    data = (site.site / "sitemap.xml").read_bytes()
    proper = MkDocsSite(site.repository, (sys.executable, "-m", "properdocs"))
    assert proper.build() == by_mkdocs
    assert (site.site / "sitemap.xml").read_bytes() == data
