"""Sources that changed after the last commit: their pages have an old date."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.builds import BASE_URL, as_sources, build_site
from support.repository import Repository, noon

from docs_sitemap import BuildResult, Options, Page, Severity, Source, SourceRole
from docs_sitemap.sitemap.urls import parse_base_url

TEXT = "# A\n\nSome text\n"


@pytest.fixture
def repository(project: Path) -> Repository:
    repository = Repository.create(project)
    repository.commit({"docs/a.md": TEXT, "docs/part.md": TEXT}, day=1)
    return repository


def build(repository: Repository, **details: object) -> BuildResult:
    """Build a site with one page. Its sources are the file and the part."""
    docs = repository.path / "docs"
    page = Page(url="", name="a", sources=as_sources(docs / "a.md", docs / "part.md"))
    options = Options(base_url=parse_base_url(BASE_URL))
    out = repository.path / "site"
    return build_site([page], options, out, root=repository.path, **details)


def notices(result: BuildResult) -> list[str]:
    assert {one.severity for one in result.diagnostics} <= {Severity.NOTICE}
    return [one.message for one in result.diagnostics if "not committed" in one.message]


def edit(repository: Repository) -> None:
    repository.write({"docs/a.md": f"{TEXT}More\n"})


def edit_part(repository: Repository) -> None:
    repository.write({"docs/part.md": f"{TEXT}More\n"})


def stage(repository: Repository) -> None:
    edit(repository)
    repository.git("add", "--all")


def edit_another_file(repository: Repository) -> None:
    repository.commit({"docs/draft.md": TEXT}, day=2)
    repository.write({"docs/draft.md": "", "docs/new.md": TEXT})


def edit_and_commit(repository: Repository) -> None:
    edit(repository)
    repository.git("commit", "--quiet", "--all", "--message", "m", day=1)


def touch(repository: Repository) -> None:
    (repository.path / "docs/a.md").touch()


def convert_line_endings(repository: Repository) -> None:
    (repository.path / "docs/a.md").write_bytes(TEXT.replace("\n", "\r\n").encode())


def remove(repository: Repository) -> None:
    (repository.path / "docs/a.md").unlink()


@pytest.mark.parametrize("change", [edit, edit_part, stage])
def test_a_changed_source_is_one_notice(
    repository: Repository, change: Callable[[Repository], None]
) -> None:
    change(repository)
    result = build(repository)
    assert result.listed[0].url.lastmod == noon(1)
    (notice,) = notices(result)
    assert "1 source " in notice
    assert "Fix: commit" in notice
    # Each change of an author builds a preview again.
    assert notices(build(repository, is_preview=True)) == []


@pytest.mark.parametrize(
    "change",
    [edit_another_file, edit_and_commit, touch, convert_line_endings, remove],
)
def test_other_changes_are_none(
    repository: Repository, change: Callable[[Repository], None]
) -> None:
    change(repository)
    assert notices(build(repository)) == []


def test_sources_in_a_submodule_and_of_another_branch(
    repository: Repository, tmp_path: Path
) -> None:
    other = Repository.create(tmp_path / "other")
    other.commit({"a.md": TEXT}, day=1)
    repository.git("submodule", "--quiet", "add", str(other.path), "other")
    repository.commit({}, day=2)
    (repository.path / "other/a.md").write_text("new")
    edit(repository)
    sources = (
        Source(str(repository.path / "other/a.md"), SourceRole.DOCUMENT),
        Source(str(repository.path / "docs/a.md"), ref="main"),
    )
    page = Page(url="", name="a", sources=sources)
    options = Options(base_url=parse_base_url(BASE_URL))
    result = build_site([page], options, tmp_path / "out", root=repository.path)
    (notice,) = notices(result)
    assert "1 source " in notice
    assert "such as other/a.md," in notice


def test_filters_do_not_run(repository: Repository, tmp_path: Path) -> None:
    """The configuration of the repository names programs."""
    repository.commit({".gitattributes": "*.md filter=x\n"}, day=2)
    repository.git("config", "filter.x.clean", f"touch {tmp_path}/ran; cat")
    edit(repository)
    assert len(notices(build(repository))) == 1
    assert not (tmp_path / "ran").exists()
