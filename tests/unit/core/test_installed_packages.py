"""Pages that show an installed package: the files of the project date them, not the
copies.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.builds import BASE_URL, as_sources, build_site
from support.repository import Repository, noon

from docs_sitemap import BuildResult, DateStatus, Page, Severity, Source, read_options
from docs_sitemap.shown import Shown, ShownKind
from docs_sitemap.shown.shown_objects import ShownObject

OBJECTS = Shown(ShownKind.PYTHON, objects=(ShownObject("f"),))


def build(
    project: Path,
    *installed: str,
    library: str = "../env/site-packages",
    overrides: object = None,
    **options: Any,
) -> BuildResult:
    """Build a page that shows installed modules, each in a package of its own or in its
    parent. Its document is from day 1.
    """
    # Builds stamp their version into files.
    stamped = dict.fromkeys(installed, '"""Version 1.0."""\n')
    packages = {
        f"{Path(path).parent}/__init__.py": "" for path in installed if "/" in path
    }
    files = packages | stamped
    Repository(project / library).write(files)
    parts = [Source(str(project / library / path), shows=OBJECTS) for path in installed]
    sources = (*as_sources(project / "docs/a.md"), *parts)
    page = Page(url="a", name="a.md", sources=sources, overrides=overrides)
    values = read_options({"base_url": BASE_URL, **options})
    return build_site([page], values, project / "out", root=project / "docs")


def create(project: Path, *paths: str) -> Repository:
    """Commit a document and a `.gitignore` on day 1, and files in the order of the days
    from 4.
    """
    repository = Repository.create(project)
    repository.commit(
        {"docs/a.md": "# A\n", ".gitignore": "/out/\n*.so\n.venv/\n"}, day=1
    )
    for day, path in enumerate(paths, start=4):
        repository.commit({path: "def f():\n    pass\n"}, day=day)
    return repository


@pytest.mark.parametrize("prefix", ["", "src/", "lib/", "packages/a/python/"])
@pytest.mark.parametrize("library", ["../env/site-packages", ".venv/lib/dist-packages"])
def test_a_file_with_the_path_of_the_module_dates_it(
    project: Path, prefix: str, library: str
) -> None:
    create(
        project, f"{prefix}pkg/__init__.py", f"{prefix}pkg/part/mod.py", "tests/mod.py"
    )
    report = build(project, "pkg/__init__.py", "pkg/part/mod.py", library=library)
    (entry,) = report.listed
    assert entry.url.lastmod == noon(5)
    assert [
        str(Path(source.path).relative_to(project)) for source in entry.sources or ()
    ] == [
        "docs/a.md",
        f"{prefix}pkg/__init__.py",
        f"{prefix}pkg/part/mod.py",
    ]
    assert {source.shows for source in entry.sources or ()} == {Shown(), OBJECTS}
    assert not report.diagnostics


def test_files_of_other_projects_do_not_count(project: Path) -> None:
    # Packages within a package are other ones, and so are folders that are no packages.
    create(
        project,
        "src/pkg/__init__.py",
        "src/pkg/_vendor/six.py",
        "examples/flask/app.py",
    )
    repository = Repository(project)
    repository.commit({"src/space/own/__init__.py": "def f(): pass\n"}, day=8)
    report = build(
        project, "six.py", "flask/app.py", "space/other/mod.py", "space/own/__init__.py"
    )
    assert [entry.url.lastmod for entry in report.listed] == [noon(8)]
    assert not report.diagnostics
    report = build(project, "six.py", "flask/app.py", "space/other/mod.py")
    assert [entry.url.lastmod for entry in report.listed] == [noon(1)]


@pytest.mark.parametrize(
    "tracked",
    [
        ["a/pkg/__init__.py", "a/pkg/mod.py", "b/pkg/__init__.py", "b/pkg/mod.py"],
        ["src/pkg/__init__.py", "tests/pkg/mod.py"],
    ],
)
def test_an_own_module_without_a_certain_file_is_unknown(
    project: Path, tracked: list[str]
) -> None:
    create(project, *tracked)
    report = build(project, "pkg/mod.py")
    (entry,) = report.listed
    assert (entry.url.lastmod, entry.lastmod.status) == (
        None,
        DateStatus.UNKNOWN_SOURCES,
    )
    (notice,) = report.diagnostics
    assert notice.severity is Severity.NOTICE
    assert "pkg/mod.py" in notice.message
    assert "--editable" in notice.message
    assert notice.message.count("Fix: ") == 1


def test_a_named_file_replaces_an_unknown_module(project: Path) -> None:
    create(project, "src/pkg/__init__.py", "rust/mod.rs")
    named = {"dependencies": ["../rust/mod.rs"]}
    report = build(project, "pkg/mod.py", overrides=named)
    assert [entry.url.lastmod for entry in report.listed] == [noon(5)]
    assert not report.diagnostics


@pytest.mark.parametrize(
    ("sources", "day"),
    [
        (["pkg/_core.pyx"], 5),
        (["pkg/_core.py", "pkg/_core.pxd"], 6),
        (["pkg/_core.pyi"], None),
        (["pkg/_core_other.pyx"], None),
    ],
)
@pytest.mark.parametrize("library", ["../env/site-packages", "src", "build/cp312"])
def test_the_sources_of_a_compiled_module_date_it(
    project: Path, sources: list[str], day: int | None, library: str
) -> None:
    create(project, "src/pkg/__init__.py", *[f"src/{path}" for path in sources])
    name = "pkg/_core.cpython-311-x86_64-linux-gnu.so"
    report = build(project, name, library=library)
    assert [entry.url.lastmod for entry in report.listed] == [day and noon(day)]
    assert [one.message.count("pkg/_core") for one in report.diagnostics] == [1] * (
        day is None
    )


def test_files_in_an_exported_version(project: Path, tmp_path: Path) -> None:
    repository = create(project, "src/pkg/__init__.py", "src/pkg/mod.py")
    copy = tmp_path / "copy"
    Repository(copy).write(
        {
            name: (project / name).read_text()
            for name in repository.git("ls-files").split()
        }
    )
    report = build(copy, "pkg/mod.py", repository=str(project))
    assert [entry.url.lastmod for entry in report.listed] == [noon(5)]
