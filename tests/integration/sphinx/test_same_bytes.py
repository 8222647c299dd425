"""The same commit gives the same sitemap, however it is built."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support.repository import Repository
from support.sphinx import SphinxSite

CATALOG = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8"\n\n'


def create(project: Path) -> SphinxSite:
    pages = {
        f"{name}.rst": f"{name}\n=====\n\n.. literalinclude:: /part.py\n   :pyobject: f{number}\n"
        for number, name in enumerate("abcdefgh")
    }
    pages["index.rst"] = "Home\n====\n\nText.\n\n.. toctree::\n   :glob:\n\n   *\n"
    pages["api.rst"] = "API\n===\n\n.. autofunction:: pack.load\n"
    pages["table.rst"] = "T\n=\n\n.. autosummary::\n\n   pack.save\n"
    site = SphinxSite.create(
        project,
        pages,
        extensions=["sphinx.ext.autodoc", "sphinx.ext.autosummary"],
        language="de",
        locale_dirs=["locales"],
        sitemap_report="../out/report.json",
    )
    module = (
        'def load():\n    """Load."""\n    return {}\n\ndef save():\n    """Save."""\n'
    )
    for day in range(2, 12):
        part = "".join(
            f"def f{n}():\n    return {day if n % 8 == day % 8 else 0}\n"
            for n in range(8)
        )
        site.repository.commit(
            {"docs/part.py": part, "docs/pack.py": module.format(day)}, day=day
        )
        message = (
            f'msgid "Text."\nmsgstr "Text {day // 5}."\n\nmsgid "x"\nmsgstr "{day}"\n'
        )
        path = "docs/locales/de/LC_MESSAGES/index.po"
        site.repository.commit({path: CATALOG + message}, day=day)
    return site


def build_fresh(site: SphinxSite, *arguments: str) -> None:
    shutil.rmtree(site.path / "out")
    site.run("html", *arguments)


def build_after_touching(site: SphinxSite, *names: str) -> None:
    for name in names:
        path = site.path / "docs" / name
        os.utime(path, (2e9, 2e9))
    site.log()


BUILDS: dict[str, Callable[[SphinxSite], object]] = {
    "fresh": build_fresh,
    "fresh, parallel": lambda site: build_fresh(site, "-j", "2"),
    "unchanged": lambda site: build_after_touching(site),
    "one changed document": lambda site: build_after_touching(site, "api.rst"),
    "changed sources": lambda site: build_after_touching(site, "part.py", "pack.py"),
    "all documents again": lambda site: site.run("html", "-E"),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[SphinxSite, list[bytes]]:
    site = create(tmp_path_factory.mktemp("same") / "project")
    site.run()
    return site, read(site)


def read(site: SphinxSite) -> list[bytes]:
    return [
        path.read_bytes()
        for path in (site.out() / "sitemap.xml", site.path / "out/report.json")
    ]


@pytest.mark.parametrize("name", BUILDS)
def test_all_builds_of_a_commit_give_the_same_bytes(
    built: tuple[SphinxSite, list[bytes]], name: str
) -> None:
    site, expected = built
    BUILDS[name](site)
    assert read(site) == expected


def test_a_commit_in_another_build_gives_the_same_bytes_as_a_fresh_build(
    project: Path,
) -> None:
    site = create(project)
    site.log()
    Repository(site.path).commit(
        {"docs/part.py": "def f0():\n    return 1\n" * 8}, day=20
    )
    site.log()
    incremental = read(site)
    build_fresh(site)
    assert read(site) == incremental
