"""Dates, and their options."""

from __future__ import annotations

import shutil
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.builds import find_dates
from support.cli import invoke
from support.mkdocs import MkDocsSite, build_days, snippets
from support.repository import Repository, noon

from docs_sitemap import History


def test_a_sweep_that_readers_do_not_see_dates_no_page(project: Path) -> None:
    before = "# Title\n\nText.\n\n- item\n\n> quote\n\n## Part\n\n```\ncode\n```\n"
    spaces = before.replace(".\n", ". \n").replace("m\n", "m \n").replace("e\n", "e \n")
    ids = before.replace("Title\n", "Title {#top}\n").replace("Part", "Part { #part }")
    pages = {"index.md": before, "ids.md": before, "title.md": before}
    site = MkDocsSite.create(project, pages, markdown_extensions=["attr_list"])
    changed = {
        "docs/index.md": spaces,
        "docs/ids.md": ids,
        "docs/title.md": f"---\ntitle: Title\n---\n{before}",
    }
    site.repository.commit(changed, day=2)
    assert build_days(site) == {"": 1, "ids/": 1, "title/": 1}
    changed = {
        "docs/index.md": spaces.replace("Text. ", "Text!"),
        "docs/ids.md": ids.replace("#part", "#part .new"),
        "docs/title.md": f"---\ntitle: Other\n---\n{before}",
    }
    site.repository.commit(changed, day=3)
    assert build_days(site) == {"": 3, "ids/": 3, "title/": 3}


def test_the_verbose_log_explains_each_date(project: Path) -> None:
    site = MkDocsSite.create(project, {"index.md": "# Home\n"})
    site.repository.write({"docs/new.md": "# New\n"})
    commit = site.repository.git("rev-parse", "HEAD").strip()
    log = site.run("build", "--verbose")
    source = project / "docs" / "index.md"
    assert f"(index.md): 2024-01-01T10:00:00+00:00: commit {commit} {source}" in log
    assert f"(new.md): no date: untracked {project / 'docs' / 'new.md'}" in log
    assert "1 without lastmod (" in log


def test_options_for_dates_are_applied(project: Path) -> None:
    sitemap = {
        "lastmod_date": "authored",
        "lastmod_format": "date",
        "dependencies": {"other": "README.md"},
    }
    pages = {"index.md": "# Home\n", "other.md": "# Other\n", "dated.md": "# Dated\n"}
    site = MkDocsSite.create(project, pages, sitemap=sitemap)
    site.repository.write({"docs/new.md": "# New\n", "README.md": "new"})
    entries = site.build()
    assert {name: entry.lastmod for name, entry in entries.items()} == {
        "": "2020-02-02",
        "dated/": "2020-02-02",
        "new/": None,
        "other/": None,  # README.md is not committed
    }


def test_dates_that_authors_set(project: Path) -> None:
    pages = {
        "index.md": "---\nupdated: 2020-01-02\n---\n# Home\n",
        "git.md": "---\nupdated: false\n---\n# From git\n",
        "nested.md": "---\nlast_update: {date: 2020-01-03T10:00:00+02:00}\n---\n# Nested\n",
        "invalid.md": "---\nupdated: 1/5/2020\nlast_update: yesterday\n---\n# Invalid\n",
        "first.md": "---\nupdated: 2020-01-04\nsitemap: {lastmod: 2020-01-05}\n---\n# A\n",
    }
    sitemap = {"lastmod_fields": ["updated", "last_update.date"], "page_dates": True}
    site = MkDocsSite.create(project, pages, sitemap=sitemap)
    log = site.run("build")
    warning = "WARNING -  mkdocs_sitemap: "
    assert log.count(warning) == 1
    assert f"{warning}invalid.md: the date updated" in log
    assert "'1/5/2020'" in log
    assert {name: entry.lastmod for name, entry in site.read().items()} == {
        "": "2020-01-02",
        "first/": "2020-01-05",
        "git/": "2024-01-01T10:00:00+00:00",
        "invalid/": "2024-01-01T10:00:00+00:00",
        "nested/": "2020-01-03T08:00:00+00:00",
    }
    assert 'datetime="2020-01-02"' in (project / "site/index.html").read_text("utf-8")


@pytest.fixture
def shallow(project: Path, tmp_path: Path) -> MkDocsSite:
    origin = MkDocsSite.create(tmp_path / "origin", {"index.md": "# Home\n"})
    origin.repository.commit({"README": "1"}, day=2)
    Repository(tmp_path).git(
        "clone", "--quiet", "--depth=1", origin.path.as_uri(), str(project)
    )
    return MkDocsSite(Repository(project))


def test_a_shallow_clone_is_one_notice_with_advice_for_the_ci_service(
    shallow: MkDocsSite,
) -> None:
    log = shallow.run("build", "--strict", GITHUB_ACTIONS="true")
    notice = "INFO    -  mkdocs_sitemap: 1 of 1 page has no lastmod: the git clone is shallow"
    assert log.count(notice) == 1
    assert "add `with: {fetch-depth: 0}`" in log
    assert shallow.read()[""].lastmod is None


def test_shallow_error_stops_the_build_with_one_message(
    shallow: MkDocsSite,
) -> None:
    shallow.replace_in_config("sitemap: {}", "sitemap: {shallow: error}")
    log = shallow.run("build", succeeds=False)
    assert log.count("clone is shallow") == 1
    assert not (shallow.site / "sitemap.xml").exists()


def test_shallow_fetch_completes_the_clone(shallow: MkDocsSite) -> None:
    shallow.replace_in_config("sitemap: {}", "sitemap: {shallow: fetch}")
    assert shallow.build()[""].lastmod == noon(1)


def test_a_fetch_that_fails_makes_a_strict_build_fail(
    shallow: MkDocsSite, tmp_path: Path
) -> None:
    shallow.replace_in_config("sitemap: {}", "sitemap: {shallow: fetch}")
    (tmp_path / "origin").rename(tmp_path / "away")
    shallow.run("build", "--strict", succeeds=False)


def test_the_repository_option_is_relative_to_mkdocs_yml(
    project: Path, tmp_path: Path
) -> None:
    site = MkDocsSite.create(
        tmp_path / "repository",
        {"index.md": "# Home\n"},
        sitemap={"repository": "../repository", "ref": "v1"},
    )
    site.repository.git("tag", "v1")
    site.repository.commit({"docs/index.md": "# New\n"}, day=4)
    shutil.copytree(site.path, project, ignore=shutil.ignore_patterns(".git"))
    assert MkDocsSite(Repository(project)).build()[""].lastmod == noon(1)


def test_a_blog_index_is_as_new_as_its_newest_post(project: Path) -> None:
    post = "---\ndate: 2024-01-01\n---\n# Post\n\nBegins.\n"
    pages = {
        "index.md": "# Home\n",
        "blog/index.md": "# Blog\n",
        "blog/posts/one.md": post,
    }
    site = MkDocsSite.create(project, pages, theme="material", plugins=["blog"])
    site.repository.commit({"docs/blog/posts/one.md": post + "\nMore.\n"}, day=6)
    entries = site.build()
    assert (entries[""].lastmod, entries["blog/"].lastmod) == (noon(1), noon(6))


def test_pages_and_includes_in_another_repository_are_dated(
    project: Path, tmp_path: Path
) -> None:
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
        ({"ref": "main"}, "ref: the option repository is not set"),
        ({"ref": "a..b", "repository": "."}, "ref: 'a..b' is not the name of"),
        ({"dependencies": ["a"]}, "dependencies: ['a'] is not a mapping"),
    ],
)
def test_invalid_options_for_dates_are_reported_before_the_build(
    project: Path, options: dict[str, object], message: str
) -> None:
    site = MkDocsSite.create(project, {"index.md": "# Home\n"}, sitemap=options)
    log = site.run("build", succeeds=False)
    name, _, text = message.partition(": ")
    assert name in log
    assert text in log
    assert not site.site.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"repository": "nope"},
            "git cannot find the dates of files in {project}/nope",
        ),
        (
            {"repository": ".", "ref": "v9"},
            "v9 of {project}/. is not a commit. Fix: ",
        ),
    ],
)
def test_an_unusable_repository_or_ref_is_one_warning(
    project: Path, options: dict[str, str], message: str
) -> None:
    site = MkDocsSite.create(project, {"index.md": "# Home\n"}, sitemap=options)
    log = site.run("build")
    fault = message.format(project=project)
    assert f"WARNING -  mkdocs_sitemap: {fault}" in log
    assert site.read()[""].lastmod is None


def test_the_repository_option_is_not_used_without_dates(project: Path) -> None:
    sitemap = {"repository": "nope", "lastmod": False}
    assert MkDocsSite.create(project, {"index.md": "# Home\n"}, sitemap=sitemap).build()


@pytest.mark.parametrize(("lastmod_date", "day"), [("merged", 9), ("committed", 4)])
def test_a_page_and_its_include_that_a_merge_brings_together(
    project: Path, lastmod_date: str, day: int
) -> None:
    """Before the merge, readers saw neither branch's change: the page did not include
    the file.
    """
    site = MkDocsSite.create(
        project,
        {"index.md": "# Home\n"},
        sitemap={"lastmod_date": lastmod_date},
        **snippets(),
    )
    site.repository.commit({"part.txt": "Tea"}, day=2)
    site.repository.git("switch", "--quiet", "--create", "include")
    site.repository.commit({"docs/index.md": "# Home\n\n--8<-- 'part.txt'\n"}, day=3)
    site.repository.git("switch", "--quiet", "main")
    site.repository.commit({"part.txt": "Coffee"}, day=4)
    site.repository.git("merge", "--quiet", "--no-ff", "include", day=9)
    assert build_days(site) == {"": day}


@pytest.mark.parametrize(("changes", "moved"), [("text", 1), ("any", 4)])
def test_a_page_that_moves_keeps_its_date(
    project: Path, changes: str, moved: int
) -> None:
    site = MkDocsSite.create(
        project,
        {"index.md": "# Home\n"},
        plugins=[{"mkdocstrings": {"handlers": {"python": {"paths": ["src"]}}}}],
        sitemap={"lastmod_changes": changes},
    )
    git = site.repository
    pages = {
        "guide/setup.md": "# Setup\n",
        "guide/index.md": "# Guide\n",
        "old/news.md": "# A\n",
        "links.md": "---\ntitle: A\n---\n[a](guide/setup.md) [b](guide/index.md)\n",
    }
    git.commit({f"website/docs/{name}": text for name, text in pages.items()}, day=1)
    git.commit({"pkg/__init__.py": "", "pkg/mod.py": '"""Module."""\n'}, day=1)
    git.commit(
        {"docs/pkg.md": "::: pkg.mod\n", "website/docs/guide/edited.md": "# A\n"}, day=1
    )
    git.git("mv", "website/docs/guide", "docs/guide")
    git.git("mv", "website/docs/old/news.md", "docs/last-year.md")
    (project / "docs/more").mkdir()
    git.git("mv", "website/docs/links.md", "docs/more/links.md")
    (project / "src").mkdir()
    git.git("mv", "pkg", "src/pkg")
    text = "---\ntitle: A\nhide: [toc]\n---\n[a](../guide/setup.md) [b](../guide/index.md)\n"
    copy = "# Setup\n"
    git.commit(
        {
            "docs/guide/edited.md": "# Edited\n",
            "docs/more/links.md": text,
            "docs/copy.md": copy,
        },
        day=4,
    )
    git.commit({"docs/copy-of-copy.md": copy}, day=5)
    dates = build_days(site)
    assert dates == {
        "": 1,
        "guide/": moved,
        "guide/setup/": moved,
        "guide/edited/": 4,
        "last-year/": moved,
        "more/links/": moved,
        "copy/": moved,
        "copy-of-copy/": 5,
        "pkg/": moved,
    }


def test_a_repository_without_commits_is_a_warning(project: Path) -> None:
    site = MkDocsSite.create(project, {"index.md": "# Home\n"})
    shutil.rmtree(project / ".git")
    Repository.create(project)
    log = site.run("build")
    assert "mkdocs_sitemap: HEAD of" in log
    assert "Fix: commit the pages" in log
    assert site.read()[""].lastmod is None


def test_a_git_warning_is_reported_once(project: Path) -> None:
    """`mkdocs serve` asks for the dates of new pages at every rebuild."""
    repository = Repository.create(project)
    repository.commit(
        {".git-blame-ignore-revs": "no hash\n", "a.md": "1", "b.md": "1"}, day=1
    )
    history = History()
    found = [find_dates(project / "a.md", history=history)[1] for _ in range(2)]
    assert [len(errors) for errors in found] == [1, 0]


def test_skipped_commits_are_explained(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = MkDocsSite.create(project, {"index.md": "# Home\n\nText.\n"})
    site.repository.commit({"docs/index.md": "# Home\n\n\nText.\n"}, day=2)
    assert build_days(site) == {"": 1}
    monkeypatch.chdir(project)
    done = invoke("explain", "site", "index.md")
    assert "1 newer commit skipped" in done.out


def test_dates_in_the_future_are_not_written_and_check_agrees(project: Path) -> None:
    pages = {"index.md": "# Home\n", "a.md": "# A\n", "b.md": "# B\n"}
    site = MkDocsSite.create(project, pages)
    now = int(time.time())
    for name, days_ahead in ("a", 0.9), ("b", 1.1):
        site.repository.write({f"docs/{name}.md": f"# {name}\n\nChanged."})
        site.repository.git("add", "-A")
        timestamp = now + int(days_ahead * 86_400)
        site.repository.git("commit", "-q", "-m", name, committed=timestamp)
    site.repository.git("commit", "-q", "--allow-empty", "-m", "now", committed=now)
    log = site.run("build", "--strict", "--verbose")
    dates = {url: entry.lastmod for url, entry in site.read().items()}
    ahead = datetime.fromtimestamp(now + 77_760, UTC).isoformat()
    assert dates == {"": noon(1), "a/": ahead, "b/": None}
    assert "no date: future-date" in log
    assert invoke("check", "--strict", "site", cwd=project).code == 0


def test_uncommitted_changes_are_a_notice_in_strict_builds(project: Path) -> None:
    site = MkDocsSite.create(project, {"index.md": "# Home", "a.md": "# A"})
    assert "last commit" not in site.run("build", "--strict")
    (project / "docs/a.md").write_text("# A\n\nMore\n")
    log = site.run("build", "--strict")
    assert "1 source of listed pages, such as docs/a.md," in log
