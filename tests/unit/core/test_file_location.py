"""Files, and the repositories that contain them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.builds import find_dates
from support.platforms import needs_posix
from support.repository import Repository

from docs_sitemap import DateStatus


@pytest.mark.parametrize(
    ("copies", "days"),
    [
        (
            ["docs/index.md", "docs/guide/index.md", "README.md", "new.md"],
            [1, 2, 4, None],
        ),
        # The folder `docs` could be a copy of the top level, too.
        (["docs/index.md"], [1]),
        (["new.md"], [None]),
    ],
)
def test_copies_are_matched_by_their_common_folder(
    project: Path, tmp_path: Path, copies: list[str], days: list[int | None]
) -> None:
    repository = Repository.create(project)
    tree = ("docs/index.md", "docs/guide/index.md", "index.md", "README.md")
    for day, name in enumerate(tree, start=1):
        repository.commit({name: "1"}, day=day)
    paths = [tmp_path / "copy" / name for name in copies]
    dates, _ = find_dates(*paths, repository=str(project))
    assert [date.date and date.date.day for date in dates] == days


def test_the_depth_of_a_file_is_not_limited(project: Path) -> None:
    Repository.create(project).commit({"a.md": "1"}, day=1)
    (date,), _ = find_dates(os.path.join(project, *["a"] * 1_500, "b.md"))
    assert date.status is DateStatus.UNTRACKED


@needs_posix
def test_links_are_resolved(project: Path) -> None:
    Repository.create(project / "real").commit({"a.md": "1"}, day=1)
    (project / "link").symlink_to("real")
    (project / "loop").symlink_to("loop")
    (linked, looped), _ = find_dates(project / "link/a.md", project / "loop/a.md")
    assert linked.status is DateStatus.COMMIT
    assert looped.status is DateStatus.NO_REPOSITORY
