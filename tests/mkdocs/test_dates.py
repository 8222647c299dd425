"""The options for dates as MkDocs' users meet them."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest
from support.mkdocs import MkDocsSite
from support.repository import Repository, noon


def test_the_verbose_log_says_why(project: Path) -> None:
    site = MkDocsSite.create(project, {"index.md": "# Home\n"})
    site.repository.write({"docs/new.md": "# New\n"})
    commit = site.repository.git("rev-parse", "HEAD").strip()
    log = site.run("build", "--verbose")
    source = project / "docs" / "index.md"
    assert f"(index.md): 2024-01-01 10:00:00+00:00: commit {commit} {source}" in log
    assert f"(new.md): no date: untracked {project / 'docs' / 'new.md'}" in log
    assert "2 URLs, 1 with lastmod (without: 1 untracked), " in log


def test_options_reach_git(project: Path) -> None:
    sitemap = {
        "lastmod_date": "author",
        "lastmod_format": "date",
        "lastmod_fallback": "build",
        "ignore_messages": "^day 3$",
        "dependencies": {"other": "README.md"},
    }
    pages = {"index.md": "# Home\n", "other.md": "# Other\n", "dated.md": "# Dated\n"}
    site = MkDocsSite.create(project, pages, sitemap=sitemap)
    site.repository.write({"docs/new.md": "# New\n", "README.md": "new"})
    entries = site.build(SOURCE_DATE_EPOCH="1500000000")
    assert {name: entry.lastmod for name, entry in entries.items()} == {
        "": "2020-02-02",
        "dated/": "2020-02-02",
        "new/": "2017-07-14",
        "other/": "2017-07-14",  # README.md is not committed
    }


@pytest.fixture
def shallow(project: Path, tmp_path: Path) -> MkDocsSite:
    origin = MkDocsSite.create(tmp_path / "origin", {"index.md": "# Home\n"})
    origin.repository.commit({"README": "1"}, day=2)
    origin.repository.git("config", "uploadpack.allowFilter", "true")
    Repository(tmp_path).git("clone", "--quiet", "--depth=1", origin.path.as_uri(), str(project))
    return MkDocsSite(Repository(project))


def configure(site: MkDocsSite, option: str) -> None:
    config = site.path / "mkdocs.yml"
    text = config.read_text()
    config.write_text(text.replace("- sitemap: {}", f"- sitemap:\n    shallow: {option}"))
    assert config.read_text() != text


def test_a_shallow_clone_is_one_warning_that_names_the_cure_of_the_host(
    shallow: MkDocsSite,
) -> None:
    log = shallow.run("build", "--strict", succeeds=False, GITHUB_ACTIONS="true")
    assert log.count("WARNING") == 1
    assert "1 of 1 pages get no lastmod, for this git clone is shallow" in log
    assert "add `with: {fetch-depth: 0}`" in log


def test_an_error_for_shallow_clones_fails_the_build_with_one_message(
    shallow: MkDocsSite,
) -> None:
    configure(shallow, "error")
    log = shallow.run("build", succeeds=False)
    assert log.count("1 of 1 pages get no lastmod") == 1
    assert not (shallow.site / "sitemap.xml").exists()


def test_fetch_makes_the_clone_whole(shallow: MkDocsSite) -> None:
    configure(shallow, "fetch")
    assert shallow.build()[""].lastmod == noon(1)


def test_a_repository_by_its_path_from_the_configuration(project: Path, tmp_path: Path) -> None:
    site = MkDocsSite.create(
        tmp_path / "repository",
        {"index.md": "# Home\n"},
        sitemap={"repository": "../repository", "ref": "v1"},
    )
    site.repository.git("tag", "v1")
    site.repository.commit({"docs/index.md": "# New\n"}, day=4)
    shutil.copytree(site.path, project, ignore=shutil.ignore_patterns(".git"))
    assert MkDocsSite(Repository(project)).build()[""].lastmod == noon(1)


def test_while_serving_rebuilds_do_not_wait_for_git(project: Path, tmp_path: Path) -> None:
    MkDocsSite.create(project, {"index.md": "# Home\n", "a.md": "# A\n"})
    log, program = tmp_path / "log", tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec {shutil.which("git")} "$@"\n')
    program.chmod(0o755)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/docs/sitemap.xml"
    command = [sys.executable, "-m", "mkdocs", "serve", "--livereload", "-a", f"127.0.0.1:{port}"]
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    env = os.environ | {"PATH": path, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, cwd=project, env=env, stderr=subprocess.DEVNULL) as server:
        try:
            assert wait_for(url, "/docs/a/").count(noon(1)) == 2
            asked = log.read_text()
            assert "log" in asked
            page = project / "docs" / "a.md"
            page.write_text("---\nsitemap: {priority: 0.1}\n---\n# Changed\n")
            assert wait_for(url, "<priority>0.1").count(noon(1)) == 2
            assert log.read_text() == asked
        finally:
            server.kill()  # a test may run where interrupts are ignored


def wait_for(url: str, text: str) -> str:
    for _ in range(300):
        try:
            with urlopen(url) as response:  # noqa: S310  # our own server
                content: str = response.read().decode()
            if text in content:
                return content
        except OSError:
            pass
        time.sleep(0.1)
    raise AssertionError(f"{url} never had {text}")


def test_the_page_of_a_blog_is_as_new_as_the_posts_that_it_shows(project: Path) -> None:
    post = "---\ndate: 2024-01-01\n---\n# Post\n\nBegins.\n"
    pages = {"index.md": "# Home\n", "blog/index.md": "# Blog\n", "blog/posts/one.md": post}
    site = MkDocsSite.create(project, pages, theme="material", plugins=["blog"])
    site.repository.commit({"docs/blog/posts/one.md": post + "\nMore.\n"}, day=6)
    entries = site.build()
    assert (entries[""].lastmod, entries["blog/"].lastmod) == (noon(1), noon(6))


def test_pages_and_includes_of_another_repository_count(project: Path, tmp_path: Path) -> None:
    other = Repository.create(tmp_path / "other")
    other.commit({"d/index.md": '--8<-- "part.txt"\n'}, day=1)
    other.commit({"part.txt": "1"}, day=5)
    extensions = [{"pymdownx.snippets": {"base_path": str(other.path)}}]
    site = MkDocsSite.create(
        project, {"x.md": ""}, docs_dir="../other/d", markdown_extensions=extensions
    )
    assert site.build()[""].lastmod == noon(5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ref": "main"}, "ref: it names a commit of the option repository, which is not set"),
        ({"ref": "a..b", "repository": "."}, "ref: 'a..b' is not the name of"),
        ({"dependencies": ["a"]}, "dependencies: ['a'] is not a mapping"),
        ({"ignore_revs": [1234567]}, "ignore_revs: [1234567] is not a list of full commit names"),
    ],
)
def test_wrong_options_are_said_before_anything_is_built(
    project: Path, options: dict[str, object], message: str
) -> None:
    site = MkDocsSite.create(project, {"index.md": "# Home\n"}, sitemap=options)
    log = site.run("build", succeeds=False)
    name, _, text = message.partition(": ")
    assert name in log
    assert text in log
    assert not site.site.exists()


def test_a_repository_that_is_not_there_is_one_warning(project: Path) -> None:
    site = MkDocsSite.create(project, {"index.md": "# Home\n"}, sitemap={"repository": "nope"})
    log = site.run("build")
    assert log.count("WARNING") == 1
    assert f"git gave no dates for {project / 'nope'}: there is no such folder" in log
    assert site.read()[""].lastmod is None
