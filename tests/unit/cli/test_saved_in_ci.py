"""Where reports and caches are saved: nothing is written outside the project in CI."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from support.cli import invoke
from support.mkdocs import MkDocsSite
from support.platforms import needs_posix
from support.sphinx import SphinxSite, document

PAGES = {"index.md": "# Home", "out.md": "---\nsitemap: false\n---\n# Out"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder in which nothing is written yet."""
    home = tmp_path / "home"
    home.mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    for name in ("XDG_CACHE_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA"):
        monkeypatch.setenv(name, str(home / "cache"))
    return home


def files_below(folder: Path) -> list[str]:
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*.json")
    )


def assert_check_knows_the_report(site: str, folder: Path) -> None:
    done = invoke("check", "--strict", site, cwd=folder)
    assert "no problems found" in done.out


def test_a_build_writes_into_the_cache_folder_of_the_user(
    project: Path, home: Path
) -> None:
    MkDocsSite.create(project, PAGES).build()
    assert len([name for name in files_below(home) if "reports/" in name]) == 1
    assert not (project / ".cache").exists()


@pytest.mark.parametrize("inside", [".", "docs"])
def test_a_build_in_ci_writes_only_into_the_project(
    project: Path, home: Path, inside: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    site = MkDocsSite.create(project, PAGES)
    site.build()
    assert list(home.iterdir()) == []
    (report,) = (project / ".cache/docs-sitemap/reports").iterdir()
    assert json.loads(report.read_bytes())["pages"]
    assert ".cache" not in site.repository.git("status", "--porcelain")
    assert_check_knows_the_report(str(site.site), project / inside)
    monkeypatch.delenv("CI")
    assert_check_knows_the_report(str(site.site), project / inside)


@pytest.mark.parametrize("is_worktree", [False, True])
def test_the_report_is_found_from_the_site_and_from_the_project(
    project: Path,
    home: Path,
    tmp_path: Path,
    is_worktree: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CI", "true")
    site = MkDocsSite.create(project / "docs", PAGES)
    if is_worktree:
        (project / "docs/.git").rename(tmp_path / "git")
        (project / ".git").write_text(f"gitdir: {tmp_path / 'git'}")
    else:
        (project / "docs/.git").rename(project / ".git")
    site.run("build")
    assert files_below(project / ".cache")
    assert_check_knows_the_report(str(site.site), home)
    site.run("build", "--site-dir", str(tmp_path / "site"))
    assert_check_knows_the_report(str(tmp_path / "site"), project)


def test_a_build_of_sphinx_in_ci_writes_only_into_the_project(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    pages = {"index.rst": document("Home"), "out.rst": ":sitemap: false\n\nOut\n===\n"}
    site = SphinxSite.create(project, pages)
    site.run()
    assert list(home.iterdir()) == []
    assert len(files_below(project / ".cache/docs-sitemap/reports")) == 1
    assert_check_knows_the_report("out/html", project)


@pytest.mark.parametrize("value", ["", "0", "false"])
def test_these_values_do_not_mean_ci(
    project: Path, home: Path, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", value)
    MkDocsSite.create(project, PAGES).build()
    assert files_below(home)
    assert not (project / ".cache").exists()


def test_a_variable_names_the_folder(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("DOCS_SITEMAP_CACHE_DIR", str(project / "kept"))
    site = MkDocsSite.create(project, PAGES)
    site.build()
    names = files_below(project / "kept")
    assert any(name.startswith("sitemap-git-") for name in names), (
        "dates are cached, too"
    )
    assert_check_knows_the_report(str(site.site), home)
    assert list(home.iterdir()) == []
    assert not (project / ".cache").exists()


@needs_posix
def test_the_variable_may_name_a_folder_in_the_home_folder(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CI services do not expand the tilde in the value of a variable."""
    monkeypatch.setenv("DOCS_SITEMAP_CACHE_DIR", "~/kept")
    MkDocsSite.create(project, PAGES).build()
    assert files_below(home / "kept")


def test_an_empty_variable_turns_all_of_it_off(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCS_SITEMAP_CACHE_DIR", "")
    site = MkDocsSite.create(project, PAGES)
    site.build()
    assert list(home.iterdir()) == []
    assert not (project / ".cache").exists()
    done = invoke("check", str(site.site), cwd=project)
    assert "missing" in done.out


def test_the_option_report_can_turn_the_report_off(project: Path, home: Path) -> None:
    MkDocsSite.create(project, PAGES, sitemap={"report": False}).build()
    assert not any("reports/" in name for name in files_below(home))


@needs_posix
@pytest.mark.parametrize(
    "link", [".cache", ".cache/docs-sitemap", ".cache/docs-sitemap/reports"]
)
def test_a_link_in_the_repository_does_not_lead_out_of_the_project(
    project: Path,
    home: Path,
    tmp_path: Path,
    link: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CI", "true")
    site = MkDocsSite.create(project, PAGES)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (project / link).parent.mkdir(parents=True, exist_ok=True)
    (project / link).symlink_to(elsewhere)
    site.build()
    assert list(elsewhere.iterdir()) == []
    assert list(home.iterdir()) == []


@needs_posix
def test_a_link_in_place_of_the_ignore_file_is_not_followed(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    site = MkDocsSite.create(project, PAGES)
    other = tmp_path / "other"
    other.write_text("unchanged")
    folder = project / ".cache/docs-sitemap"
    folder.mkdir(parents=True)
    (folder / ".gitignore").symlink_to(other)
    site.build()
    assert other.read_text() == "unchanged"
    assert files_below(folder)


@pytest.mark.parametrize("place", ["elsewhere", "project/nested"])
def test_a_report_in_the_repository_names_no_other_project(
    project: Path,
    home: Path,
    tmp_path: Path,
    place: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody may have committed it."""
    monkeypatch.setenv("CI", "true")
    site = MkDocsSite.create(project, PAGES)
    site.build()
    other = MkDocsSite.create(tmp_path / place, PAGES).repository
    other.git("commit", "--quiet", "--allow-empty", "--message=s3cr3t")
    head = other.git("rev-parse", "HEAD").strip()
    other.git("remote", "add", "origin", "https://example.org/s3cr3t/x")
    (path,) = (project / ".cache/docs-sitemap/reports").iterdir()
    content = json.loads(path.read_bytes())
    assert content["project"] == ".."
    content["project"] = os.path.relpath(other.path, site.site)
    for page in content["pages"]:
        page["commit"] = head
    path.write_text(json.dumps(content))
    for command in (
        ("report", "--format=json", "site"),
        ("explain", "site", "index.md"),
        ("compare", "--format=json", "site", "site"),
        ("check", "--format=json", "site"),
    ):
        done = invoke(*command, cwd=project)
        assert "s3cr3t" not in done.out + done.err
        assert head not in done.out
