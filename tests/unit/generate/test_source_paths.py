"""Sources by path: what is found is always right, for the URLs of all kinds of
generators.
"""

from __future__ import annotations

import re
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st

from docs_sitemap_cli.generate.source_paths import SourcePaths, plain_path as page_key

WORDS = (
    "guide",
    "Install",
    "c++",
    "c",
    "über uns",
    "1.0",
    "10",
    "a-b",
    "a_b",
    "v2",
    "tags",
    "api",
)
PREFIXES = ("", "", "", "01-", "2. ", "2024-03-05-")
SUFFIXES = (".md", ".md", ".mdx", ".adoc", ".ipynb", ".md.erb")

names = st.builds(
    lambda prefix, word: prefix + word, *map(st.sampled_from, (PREFIXES, WORDS))
)
files = st.one_of(names, st.sampled_from(["index", "README", "_index"]))
folders = st.lists(names, max_size=2).map("/".join)
sources = st.builds(
    lambda folder, file, suffix: f"{folder}/{file}{suffix}".lstrip("/"),
    *(folders, files, st.sampled_from(SUFFIXES)),
)
# Files that become no pages.
others = st.builds(
    lambda folder, file, suffix: f"{folder}/{file}{suffix}".lstrip("/"),
    *(
        st.sampled_from(["src", "src/api", "lib"]),
        names,
        st.sampled_from([".py", ".md"]),
    ),
)


def keep(name: str) -> str:
    return name


def slug(name: str) -> str:
    return re.sub(r"[^\w.]+", "-", name.lower()).strip("-")


def without_order(name: str) -> str:
    return slug(re.sub(r"^\d+[-.]\s*(?=\D)", "", name))


def render(source: str, rename: Callable[[str], str], *, flat: bool) -> str:
    """Return the page that a generator makes from a source below the folder of sources."""
    *parents, name = re.sub(r"\.(?:mdx?|adoc|ipynb|md\.erb)$", "", source).split("/")
    path = [rename(parent) for parent in parents]
    if name in ("index", "README", "_index"):
        return "/".join([*path, "index.html"])
    return "/".join(
        [*path, f"{rename(name)}.html" if flat else f"{rename(name)}/index.html"]
    )


@pytest.mark.parametrize("root", ["docs", "content/docs", ""])
@given(
    tree=st.sets(sources, min_size=3, max_size=12),
    noise=st.sets(others, max_size=4),
    generated=st.sets(
        st.builds(
            "{}/{}.html".format,
            st.sampled_from(["lists", "tags"]),
            st.sampled_from(WORDS),
        ),
        max_size=3,
    ),
    rename=st.sampled_from([keep, slug, without_order]),
    flat=st.booleans(),
)
def test_found_sources_are_right(
    root: str,
    tree: set[str],
    noise: set[str],
    generated: set[str],
    rename: Callable[[str], str],
    flat: bool,
) -> None:
    right: dict[str, set[str]] = {}
    for source in sorted(tree):
        path = f"{root}/{source}".lstrip("/")
        right.setdefault(render(source, rename, flat=flat), set()).add(path)
    keys = {page_key(page) for page in right}
    lists = [page for page in generated if page_key(page) not in keys]
    tracked = sorted({*noise, *(path for paths in right.values() for path in paths)})
    paths = SourcePaths(
        tracked, [*right, *lists], {}, {}, None, lambda _, files: ((), files)
    )
    for page, source in paths.found.items():
        assert source in right.get(page, ()), (page, source, right)


def test_deep_files_use_little_memory() -> None:
    deep = "d/" * 1_900
    files = [f"{deep}{number}/a.md" for number in range(50)]
    files += ["docs/a.md", "docs/b.md"]
    pages = ["a.html", "b.html", f"{deep}0/a.html"]
    tracemalloc.start()
    paths = SourcePaths(files, pages, {}, {}, None, lambda _, files: ((), files))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert paths.found["b.html"] == "docs/b.md"
    assert peak < 20_000_000
