"""The files that patterns of dependencies match."""

from __future__ import annotations

import fnmatch
import os
import re
from pathlib import Path

import pytest
from hypothesis import assume, given, strategies as st
from support.builds import BASE_URL, build, build_site
from support.platforms import needs_posix

from docs_sitemap import Page, read_options

FILES = (
    *("a.py", "b.md", "src/a.py", "src/c[1].py", "src/deep/er/a.py", "src/deep/b.md"),
    *(".hidden/a.py", "src/.secret.py", "src/é/a.py"),
)


def find(root: Path, pattern: str) -> list[str]:
    """Return the files that a pattern of dependencies matches."""
    values = {"base_url": BASE_URL, "lastmod": False, "dependencies": {"a": pattern}}
    page = Page(url="a/", name="a")
    out = root.parent / "out"
    (entry,) = build_site([page], read_options(values), out, root=root).listed
    return [source.path for source in entry.sources or ()]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    for name in FILES:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return root


VISIBLE = [name for name in FILES if not re.search(r"(^|/)\.", name)]
IN_SRC = [name for name in VISIBLE if name.startswith("src/")]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("a.py", ["a.py"]),
        ("./src//a.py", ["src/a.py"]),
        ("src/../a.py", ["a.py"]),
        ("missing.py", []),
        ("src", []),
        ("*.py", ["a.py", "src/a.py", "src/c[1].py", "src/deep/er/a.py", "src/é/a.py"]),
        ("*/a.py", ["src/a.py", "src/deep/er/a.py", "src/é/a.py"]),
        ("src/*", IN_SRC),
        ("src/c[[]1].py", ["src/c[1].py"]),
        ("src/*/../a.py", ["src/a.py"]),
        ("**/a.py", ["a.py", "src/a.py", "src/deep/er/a.py", "src/é/a.py"]),
        ("**/**/**/b.md", ["b.md", "src/deep/b.md"]),
        ("src/**", IN_SRC),
        ("*/**", IN_SRC),
        ("**", VISIBLE),
        ("**/*.md/**", []),
        ("src/**/er/**/*.py", ["src/deep/er/a.py"]),
        ("../root/s*/a.py", ["src/a.py", "src/deep/er/a.py", "src/é/a.py"]),
        (".*/*.py", []),
        (".hidden/*", [".hidden/a.py"]),
        ("src/.secret.py", ["src/.secret.py"]),
        ("src/[z-a]*", []),
        ("src/[", []),
        ("src/[!z-a].py", ["src/a.py"]),
    ],
)
def test_files_of_patterns(root: Path, pattern: str, found: list[str]) -> None:
    assert find(root, pattern) == sorted(str(root / name) for name in found)


@needs_posix
def test_links_are_followed_where_a_pattern_names_them_and_loops_end(
    root: Path,
) -> None:
    (root / "src/one").symlink_to(root)
    (root / "src/two").symlink_to(root)
    (root / "link").symlink_to(root / "src")
    assert find(root, "link/c*.py") == [str(root / "link/c[1].py")]
    assert find(root, "l*/deep/*.md") == []
    assert len(find(root, "**/a.py")) == 4
    assert find(root, "*/" * 300 + "x") == []
    assert find(root, "**/*/" * 100 + "x") == []


@given(
    st.lists(
        st.sampled_from(["src", "deep", "*", "?*", "*.py", "[a-s]*", "[!s]", "/", "é"])
    )
)
def test_random_patterns_match_the_same_files_as_the_shell_patterns_of_python(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str]
) -> None:
    root = tmp_path_factory.getbasetemp() / f"searched-{os.getpid()}"
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    pattern = os.path.normpath("".join(parts).lstrip("/"))
    assume("**" not in pattern)
    found = [name for name in VISIBLE if fnmatch.fnmatchcase(name, pattern)]
    assert find(root, pattern) == sorted(str(root / name) for name in found)


@needs_posix
def test_links_to_themselves_hide_no_other_files(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    names = [f"{number}.py" for number in range(20)]
    for number, name in enumerate(names):  # Some links are read before some files.
        if number % 2:
            (root / name).touch()
        else:
            (root / name).symlink_to(name)
    files = sorted(str(root / name) for name in names[1::2])
    assert find(root, "*.py") == files
    assert find(root, "**") == files


@pytest.mark.parametrize("pattern", ["a\0b", "a\ud800", "a\0*"])
def test_an_invalid_dependency_of_a_page_is_ignored_with_a_warning(
    tmp_path: Path, pattern: str
) -> None:
    page = Page(url="a/", name="a.md", overrides={"dependencies": [pattern]})
    report = build(tmp_path, page)
    assert len(report.listed) == 1
    (one,) = report.diagnostics
    assert one.code == "page"
    assert one.message.startswith("a.md: ")
    assert "setting dependencies" in one.message
    assert len(one.message) < 400
