"""Paths to files and the repositories that contain them, on POSIX systems and on Windows."""

from __future__ import annotations

import os
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest
from support.platforms import needs_posix

from docs_sitemap.git.location import (
    FileLocation,
    FileLocator,
    RepositoryFile,
    match_copies,
    resolve_links,
    split_root,
)

TREE = {"docs/index.md", "docs/guide/index.md", "index.md", "README.md"}


@pytest.mark.parametrize(
    ("path_type", "path", "expected"),
    [
        (PurePosixPath, "/home/a/b.md", ("/", ["home", "a", "b.md"])),
        (PurePosixPath, "../a/./b.md", ("", ["..", "a", "b.md"])),
        (PureWindowsPath, r"C:\docs\a.md", ("C:\\", ["docs", "a.md"])),
        (PureWindowsPath, "C:/docs/a.md", ("C:\\", ["docs", "a.md"])),
        (PureWindowsPath, r"\\?\D:\docs\a.md", ("D:\\", ["docs", "a.md"])),
        (PureWindowsPath, r"\\server\share\a.md", ("\\\\server\\share\\", ["a.md"])),
        (PureWindowsPath, r"..\a.md", ("", ["..", "a.md"])),
    ],
)
def test_a_path_has_a_root_and_names(
    path_type: type[PurePath], path: str, expected: tuple[str, list[str]]
) -> None:
    assert split_root(path, path_type) == expected


@pytest.mark.parametrize(
    ("path_type", "folder"),
    [
        (PurePosixPath, "/tmp/copy/"),  # noqa: S108
        (PureWindowsPath, "C:\\Users\\me\\copy\\"),
        (PureWindowsPath, "C:/Users/me/copy/"),
        (PureWindowsPath, "\\\\server\\share\\copy\\"),
    ],
)
def test_copies_are_matched_by_their_common_folder(path_type: type[PurePath], folder: str) -> None:
    names = ["docs/index.md", "docs/guide/index.md", "README.md", "new.md"]
    copies = {folder + name: name for name in names}
    if path_type is PureWindowsPath:
        copies = {file.replace("docs/", "docs\\"): name for file, name in copies.items()}
    expected = {file: name for file, name in copies.items() if name != "new.md"}
    assert match_copies(copies, TREE, path_type) == expected
    assert match_copies([folder + "new.md"], TREE, path_type) == {}


def test_files_of_a_work_tree(project: Path) -> None:
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").touch()
    (project / "docs" / ".git").mkdir(parents=True)  # This is not a repository.
    locator = FileLocator()
    location = FileLocation(RepositoryFile(str(project.resolve()), "docs/a.md"), ())
    assert locator.locate(str(project / "docs" / "a.md")) == location
    assert locator.locate(str(project.parent / "a.md")) == FileLocation(None, ())


def test_the_depth_of_a_file_is_not_limited(project: Path) -> None:
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").touch()
    below = "a/" * 1_500 + "b.md"
    location = FileLocation(RepositoryFile(str(project.resolve()), below), ())
    assert FileLocator().locate(os.path.join(project, *below.split("/"))) == location


@needs_posix
def test_links_are_resolved_one_by_one(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    (folder / "real" / "below").mkdir(parents=True)
    (folder / "real" / "below" / "a.md").touch()
    (folder / "absolute").symlink_to(folder / "real")
    (folder / "relative").symlink_to("absolute/below/../below")
    real, links = resolve_links(str(folder / "relative" / "a.md"))
    assert real == str(folder / "real" / "below" / "a.md")
    assert links == (str(folder / "relative"), str(folder / "absolute"))
    (folder / "loop").symlink_to("loop")
    real, links = resolve_links(str(folder / "loop" / "a.md"))
    assert real == str(folder / "loop" / "a.md")
