"""The dates of pages that document Python modules: only visible changes count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.repository import noon
from support.sphinx import SphinxSite, document

MODULE = '''\
"""A module."""

def load(path):
    """Load a file."""
    return open(path)
'''
HIDDEN = MODULE.replace(
    "return open(path)", "with open(path) as file:\n        return file.read()"
)
VISIBLE = HIDDEN.replace("def load(path)", "def load(path, mode='r')")
PAGES = {
    "index.rst": document("Home", toctree=("api", "code", "both", "other", "summary")),
    "api.rst": document("API") + "\n.. automodule:: pkg.module\n   :members:\n",
    "code.rst": document("Code") + "\n.. literalinclude:: ../src/pkg/module.py\n",
    "both.rst": (
        document("Both")
        + "\n.. autofunction:: pkg.module.load\n   :no-index:\n"
        + "\n.. include:: ../src/pkg/module.py\n   :literal:\n"
    ),
    "other.rst": document("Other") + "\n.. autofunction:: pkg.other.other\n",
    "summary.rst": document("Summary")
    + "\n.. autosummary::\n   :toctree: gen\n\n   pkg.inner\n",
    "../src/pkg/__init__.py": "",
    "../src/pkg/module.py": MODULE,
    "../src/pkg/inner.py": MODULE,
    "../src/pkg/other.py": '"""Other."""\n\ndef other():\n    """Other."""\n    return 1\n',
}


def make_site(project: Path) -> SphinxSite:
    extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary"]
    site = SphinxSite.create(project, PAGES, extensions=extensions)
    site.import_from("src")
    site.repository.commit({".gitignore": "/out/\n/docs/gen/\n__pycache__/\n"}, day=2)
    return site


def dates(site: SphinxSite) -> dict[str, str | None]:
    return {
        name.removesuffix(".html"): entry.lastmod for name, entry in site.read().items()
    }


@pytest.mark.parametrize("arguments", [{}, {"parallel": 2}])
def test_only_changes_that_readers_see_count(
    project: Path, arguments: dict[str, Any]
) -> None:
    site = make_site(project)
    site.repository.commit(
        {"src/pkg/module.py": HIDDEN, "src/pkg/inner.py": HIDDEN}, day=5
    )
    expected = {
        "api": noon(1),
        "both": noon(5),
        "code": noon(5),
        "gen/pkg.inner": noon(1),
        "index": noon(1),
        "other": noon(1),
        "summary": noon(1),
    }
    site.build(**arguments)
    assert dates(site) == expected
    site.build(**arguments)
    assert dates(site) == expected, "an incremental build"
    site.repository.commit({"docs/index.rst": PAGES["index.rst"] + "\nNew.\n"}, day=6)
    site.build(**arguments)
    assert dates(site) == expected | {"index": noon(6)}, (
        "another document is read again"
    )
    site.repository.commit({"src/pkg/module.py": VISIBLE}, day=7)
    site.build(**arguments)
    later = dict.fromkeys(("api", "both", "code"), noon(7))
    assert dates(site) == expected | {"index": noon(6)} | later


def test_code_that_a_page_no_longer_shows_does_not_count(project: Path) -> None:
    site = make_site(project)
    site.repository.commit({"src/pkg/module.py": HIDDEN}, day=5)
    site.build()
    page = document("Both") + "\n.. autofunction:: pkg.module.load\n"
    site.repository.commit(
        {"docs/both.rst": page, "docs/api.rst": document("API")}, day=3
    )
    site.build()
    assert dates(site)["both"] == noon(3)
