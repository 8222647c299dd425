"""What the extension writes to Sphinx's log."""

from __future__ import annotations

from pathlib import Path

import pytest
from sphinx.errors import ConfigError
from support.sphinx import SphinxSite, document

PAGES = {"index.rst": document("Home", toctree=("a",)), "a.rst": document("A")}


def test_the_summary_is_one_line(project: Path) -> None:
    site = SphinxSite.create(project, PAGES)
    status = site.log().status.splitlines()
    (line,) = [line for line in status if line.startswith("sitemap.xml: ")]
    assert "2 pages left out" in line


def test_the_verbose_log_explains_each_page(project: Path) -> None:
    site = SphinxSite.create(project, {"index.rst": document("Home")})
    commit = site.repository.git("rev-parse", "HEAD").strip()
    log = site.log(verbosity=1)
    source = project / "docs" / "index.rst"
    assert (
        f"(index.rst): 2024-01-01T10:00:00+00:00: commit {commit} {source}"
        in log.status
    )
    assert "excluded: search: " in log.status


def test_an_invalid_value_of_a_page_is_a_warning_that_can_be_suppressed(
    project: Path,
) -> None:
    pages = PAGES | {"a.rst": document("A", fields=":sitemap-priority: high")}
    site = SphinxSite.create(project, pages)
    log = site.log()
    message = (
        "WARNING: a.rst: the sitemap setting priority is ignored: 'high' is not a "
        "number from 0 to 1"
    )
    assert f"{project / 'docs/a.rst'}: {message}" in log.warnings
    assert list(site.read()) == ["a.html", "index.html"]
    assert message not in site.run("html", "-W", "-D", "suppress_warnings=sitemap.page")


def test_warnings_about_a_page_have_the_location_of_its_document(project: Path) -> None:
    pages = PAGES | {
        "a.rst": document("A", fields=":sitemap-dependencies: missing.py"),
        "sub/b c.md": "---\nsitemap: {priority: 7}\n---\n# B\n",
    }
    site = SphinxSite.create(
        project,
        pages,
        extensions=["myst_parser"],
        sitemap_dependencies={"index": ["nothing.py"]},
    )
    log = site.log()
    folder = project / "docs"
    assert f"{folder / 'sub/b c.md'}: WARNING: sub/b c.md: " in log.warnings
    assert f"{folder / 'a.rst'}: WARNING: " in log.warnings
    assert "\nWARNING: the dependency 'nothing.py'" in f"\n{log.warnings}"


def test_messages_name_options_as_in_conf_py(project: Path) -> None:
    site = SphinxSite.create(project, PAGES)
    (project / ".git/HEAD").write_text("damaged")
    assert "sitemap_show_lastmod" in site.log().warnings
    overrides = {"sitemap_repository": "", "sitemap_ref": "main"}
    with pytest.raises(ConfigError, match="sitemap_ref: sitemap_repository is not set"):
        site.log(overrides=overrides)


def test_strict_builds_without_git_and_without_a_repository_log_one_notice_each(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = SphinxSite.create(project, PAGES)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path))
        log = site.log()
    assert log.number_of_warnings == 0
    assert log.status.count("git is not installed") == 1
    (project / ".git").rename(tmp_path / "away")
    log = site.log()
    assert log.number_of_warnings == 0
    assert log.status.count("files are not in") == 1
    assert [entry.lastmod for entry in site.read().values()] == [None] * 2


def is_git_command(line: str) -> bool:
    return line.startswith("git ") and ": exit 0 in " in line and line.endswith(" s")


def test_uncommitted_changes_are_a_notice(project: Path) -> None:
    site = SphinxSite.create(project, PAGES)
    assert "last commit" not in site.log().status
    (project / "docs/a.rst").write_text(document("Another title"))
    log = site.log()
    assert "1 source of listed pages, such as a.rst," in log.status
    assert not log.warnings
