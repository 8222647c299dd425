"""Files, and the repositories that contain them."""

from __future__ import annotations

import os
from pathlib import Path

from support.platforms import needs_posix

from docs_sitemap.git.location import FileLocator, RepositoryFile, match_copies

TREE = {"docs/index.md", "docs/guide/index.md", "index.md", "README.md"}


def test_copies_are_matched_by_their_common_folder(tmp_path: Path) -> None:
    names = ["docs/index.md", "docs/guide/index.md", "README.md", "new.md"]
    copies = {str(tmp_path / name): name for name in names}
    expected = {file: name for file, name in copies.items() if name != "new.md"}
    assert match_copies(copies, TREE) == expected
    assert match_copies([str(tmp_path / "new.md")], TREE) == {}
    # The folder `docs` could be a copy of the top level, too.
    copy = str(tmp_path / "docs" / "index.md")
    assert match_copies([copy], TREE) == {copy: "docs/index.md"}


def test_files_of_a_work_tree(project: Path) -> None:
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").touch()
    (project / "docs" / ".git").mkdir(parents=True)  # This is not a repository.
    locator = FileLocator()
    location = RepositoryFile(str(project.resolve()), "docs/a.md")
    assert locator.locate(str(project / "docs" / "a.md")) == location
    assert locator.locate(str(project.parent / "a.md")) is None


def test_the_depth_of_a_file_is_not_limited(project: Path) -> None:
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").touch()
    below = "a/" * 1_500 + "b.md"
    location = RepositoryFile(str(project.resolve()), below)
    assert FileLocator().locate(os.path.join(project, *below.split("/"))) == location


@needs_posix
def test_links_are_resolved(project: Path) -> None:
    folder = project.resolve()
    (folder / "real" / ".git").mkdir(parents=True)
    (folder / "real" / ".git" / "HEAD").touch()
    (folder / "link").symlink_to("real")
    (folder / "loop").symlink_to("loop")
    location = RepositoryFile(str(folder / "real"), "a.md")
    assert FileLocator().locate(str(folder / "link" / "a.md")) == location
    assert FileLocator().locate(str(folder / "loop" / "a.md")) is None
