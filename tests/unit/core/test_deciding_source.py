"""Which of its sources dates a page, or is the reason why it has no date."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from support.builds import build_dates
from support.repository import Repository, noon

from docs_sitemap import DateStatus, Lastmod, Page, Source, SourceRole
from docs_sitemap.shown import COMPLETE_FILE, Shown, ShownKind

DOCUMENT, PART, NAMED = SourceRole

# The files of a project with a folder outside of its repository. A build may have
# removed a file that it has written.
OLD, NEW = "in/old.md", "in/new.md"
UNTRACKED, IGNORED, REMOVED = "in/untracked.md", "in/ignored.md", "in/ignored.gone"
OUTSIDE = "out/installed.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources")
    repository = Repository.create(folder / "in")
    repository.commit({".gitignore": "ignored.*\n", "old.md": "1"}, day=1)
    repository.commit({"new.md": "1"}, day=2)
    for name in (UNTRACKED, IGNORED, OUTSIDE):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("1")
    return folder


@pytest.mark.parametrize(
    ("sources", "status", "decides"),
    [
        # The newest one, whatever its place and role.
        ([(OLD, DOCUMENT), (NEW, PART)], DateStatus.COMMIT, NEW),
        ([(NEW, DOCUMENT), (OLD, NAMED)], DateStatus.COMMIT, NEW),
        # Its own document.
        ([(UNTRACKED, DOCUMENT), (OLD, PART)], DateStatus.UNTRACKED, UNTRACKED),
        ([(IGNORED, DOCUMENT), (OLD, PART)], DateStatus.IGNORED, IGNORED),
        ([(OUTSIDE, DOCUMENT), (OLD, PART)], DateStatus.NO_REPOSITORY, OUTSIDE),
        # Files of other projects, such as an installed package.
        ([(OLD, DOCUMENT), (OUTSIDE, PART)], DateStatus.COMMIT, OLD),
        ([(OLD, DOCUMENT), (OUTSIDE, NAMED)], DateStatus.COMMIT, OLD),
        # Files that are not committed yet, or were written by the build.
        ([(OLD, DOCUMENT), (UNTRACKED, PART)], DateStatus.UNTRACKED, UNTRACKED),
        ([(OLD, DOCUMENT), (UNTRACKED, NAMED)], DateStatus.UNTRACKED, UNTRACKED),
        ([(OLD, DOCUMENT), (IGNORED, PART)], DateStatus.COMMIT, OLD),
        ([(OLD, DOCUMENT), (REMOVED, PART)], DateStatus.IGNORED, REMOVED),
        ([(OLD, DOCUMENT), (IGNORED, NAMED)], DateStatus.IGNORED, IGNORED),
        # If all are left out, the last one is the reason.
        ([(OUTSIDE, PART), (IGNORED, PART)], DateStatus.IGNORED, IGNORED),
        ([(IGNORED, PART), (OUTSIDE, PART)], DateStatus.NO_REPOSITORY, OUTSIDE),
    ],
)
def test_one_source_decides(
    folder: Path,
    sources: list[tuple[str, SourceRole]],
    status: DateStatus,
    decides: str,
) -> None:
    found = [Source(str(folder / name), role) for name, role in sources]
    lastmod = find_lastmod(tuple(found))
    assert (lastmod.status, lastmod.source) == (status, str(folder / decides))


@pytest.mark.parametrize("role", SourceRole)
@pytest.mark.parametrize("name", [UNTRACKED, IGNORED, REMOVED, OUTSIDE])
def test_an_optional_source_need_not_be_in_git(
    folder: Path, name: str, role: SourceRole
) -> None:
    optional = Source(str(folder / name), role, is_optional=True)
    source = Source(str(folder / OLD))
    assert find_lastmod((optional, source)).source == source.path
    # It is as new as it is in git.
    newest = Source(str(folder / NEW), role, is_optional=True)
    assert find_lastmod((newest, source)).source == newest.path


def find_lastmod(sources: tuple[Source, ...]) -> Lastmod:
    (entry,) = build_dates(Page(url="a", name="a", sources=sources)).listed
    return entry.lastmod


POST = {
    1: "# Post\n\nStart.\n\n<!-- more -->\n\nEnd.\n",
    2: "# Post\n\nStart.\n\n<!-- more -->\n\nThe end.\n",
    3: "# Post\n\n\nStart.\n\n<!-- more -->\n\nThe end.\n",
    4: "# Post\n\nThe start.\n\n<!-- more -->\n\nThe end.\n",
    5: "# Post\n\nThe start.\n\n<!-- more -->\n\nThe end.\n\n* One\n",
    6: "# Post\n\nThe start.\n\n<!-- more -->\n\nThe end.\n\n- One\n",
}
EXCERPT = Shown(ShownKind.TEXT, end="<!-- more -->")


@pytest.mark.parametrize(
    ("role", "shows", "changes", "days"),
    [
        (DOCUMENT, COMPLETE_FILE, "text", {1: 1, 2: 2, 3: 2, 4: 4, 5: 5, 6: 5}),
        (DOCUMENT, COMPLETE_FILE, "any", {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6}),
        (PART, EXCERPT, "text", {1: 1, 2: 1, 3: 1, 4: 4, 5: 4, 6: 4}),
        (PART, EXCERPT, "any", {1: 1, 2: 1, 3: 1, 4: 4, 5: 4, 6: 4}),
    ],
)
def test_a_list_of_posts_is_dated_by_their_excerpts(
    project: Path, role: SourceRole, shows: Shown, changes: str, days: Mapping[int, int]
) -> None:
    repository = Repository.create(project)
    page = Page(
        url="blog/",
        name="blog",
        sources=(Source(str(project / "post.md"), role, shows),),
    )
    found = {}
    for day, text in POST.items():
        repository.commit({"post.md": text}, day=day)
        (entry,) = build_dates(page, lastmod_changes=changes).listed
        found[day] = entry.url.lastmod
    assert found == {day: noon(last) for day, last in days.items()}
