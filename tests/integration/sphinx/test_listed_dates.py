"""The dates of API pages that exist because another page lists them, and of the lists."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.sphinx import SphinxSite, days, document

from docs_sitemap.shown import Shown, ShownKind, selected_lines

IGNORED = {".gitignore": "/out/\n/docs/gen/\n/docs/autoapi/\n__pycache__/\n"}
TABLE = document("Home") + "\n.. autosummary::\n   :toctree: gen\n\n   {}\n"
TWO_CLASSES = 'class A:\n    """A."""\n\n\nclass B:\n    """B."""\n'


def make_site(project: Path, pages: dict[str, str], **config: object) -> SphinxSite:
    extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "myst_parser"]
    site = SphinxSite.create(project, pages, extensions=extensions, **config)
    site.import_from("src")
    site.repository.commit(IGNORED, day=2)
    return site


def test_a_page_of_autosummary_is_as_new_as_its_entry(project: Path) -> None:
    site = make_site(
        project,
        {"index.rst": TABLE.format("listed.A"), "../src/listed.py": TWO_CLASSES},
    )
    page = TABLE.format("listed.A\n   ~listed.B")
    site.repository.commit({"docs/index.rst": page}, day=4)
    site.repository.commit({"docs/index.rst": page + "\nText.\n"}, day=5)
    spelled = page.replace("~listed.B", "listed.B  -- text")
    site.repository.commit({"docs/index.rst": spelled + "\nText.\n"}, day=6)
    site.log()
    expected = {"index": 6, "gen/listed.A": 1, "gen/listed.B": 4}
    assert days(site.read()) == expected
    site.repository.commit({"docs/index.rst": spelled + "\nMore.\n"}, day=7)
    site.log()
    assert days(site.read()) == expected | {"index": 7}


def test_entries_in_docstrings_and_templates(project: Path) -> None:
    """A page that a generated page lists is as new as the entry of that page."""
    module = '''\
"""A module.

.. autosummary::
   :toctree: gen

   first
"""

def first():
    """First."""

def second():
    """Second."""
'''
    site = make_site(
        project,
        {
            "index.rst": document("Home", toctree=("doc", "markdown")),
            "doc.rst": document("Module") + "\n.. automodule:: entries\n",
            "markdown.md": "# Markdown\n",
            "../src/entries.py": module,
            "../src/tree/__init__.py": '"""Tree."""\n',
            "../src/tree/leaf.py": '"""Leaf."""\n',
            "../src/fenced.py": TWO_CLASSES,
        },
        autosummary_generate_overwrite=True,
    )
    more = module.replace("   first\n", "   first\n   second\n")
    site.repository.commit({"src/entries.py": more}, day=4)
    tree = "\n.. autosummary::\n   :toctree: gen\n   :recursive:\n\n   tree\n"
    home = document("Home", toctree=("doc", "markdown")) + tree
    site.repository.commit({"docs/index.rst": home}, day=5)
    fenced = (
        "# Markdown\n\n```{eval-rst}\n.. currentmodule:: fenced\n\n"
        ".. autosummary::\n   :toctree: gen\n\n   ~B\n```\n"
    )
    site.repository.commit({"docs/markdown.md": fenced}, day=6)
    site.log()
    assert days(site.read()) == {
        "index": 5,
        "doc": 4,
        "markdown": 6,
        "gen/fenced.B": 6,
        "gen/entries.first": 1,
        "gen/entries.second": 4,
        "gen/tree": 5,
        "gen/tree.leaf": 5,
    }


AUTOAPI_MODULE = (
    '"""A module."""\n\n\ndef f():\n    """{}"""\n\n\ndef g():\n    """{}"""\n'
)


def test_a_module_with_the_name_of_a_function(project: Path) -> None:
    site = SphinxSite.create(
        project,
        {
            "index.rst": document("Home", toctree=("autoapi/index",)),
            "../src/p/__init__.py": '"""P."""\nfrom .f import f\n',
            "../src/p/f.py": AUTOAPI_MODULE.format("F.", "G."),
        },
        extensions=["autoapi.extension"],
        autoapi_dirs=["../src/p"],
    )
    site.repository.commit(IGNORED, day=2)
    site.repository.commit({"src/p/f.py": AUTOAPI_MODULE.format("F.", "New.")}, day=4)
    site.log()
    dates = days(site.read())
    assert (dates["autoapi/p/index"], dates["autoapi/p/f/index"]) == (1, 4)
    site.repository.commit({"src/p/f.py": AUTOAPI_MODULE.format("Do.", "New.")}, day=5)
    site.log()
    dates = days(site.read())
    assert (dates["autoapi/p/index"], dates["autoapi/p/f/index"]) == (5, 5)
    module = AUTOAPI_MODULE.format("Do.", "New.")
    site.repository.commit({"src/p/f.py": f"{module}__all__ = ['f']\n"}, day=6)
    site.log()
    dates = days(site.read())
    assert (dates["autoapi/p/index"], dates["autoapi/p/f/index"]) == (5, 6)


def test_lists_of_autoapi_are_as_new_as_the_newest_module(project: Path) -> None:
    site = SphinxSite.create(
        project,
        {
            "index.rst": document("Home", toctree=("autoapi/index",)),
            "../src/p/__init__.py": '"""P."""\n',
            "../src/p/q/__init__.py": '"""Q."""\n',
        },
        extensions=["autoapi.extension"],
        autoapi_dirs=["../src/p"],
    )
    site.repository.commit(IGNORED, day=2)
    site.repository.commit({"src/p/r.py": '"""R."""\n'}, day=3)
    site.repository.commit({"src/p/q/new.py": '"""New."""\n'}, day=4)
    site.repository.commit({"src/p/q/new.py": '"""Newer."""\n'}, day=5)
    site.log()
    assert days(site.read()) == {
        "index": 1,
        "autoapi/index": 4,
        "autoapi/p/index": 3,
        "autoapi/p/q/index": 4,
        "autoapi/p/q/new/index": 5,
        "autoapi/p/r/index": 3,
    }
    site.repository.git("rm", "--quiet", "src/p/r.py")
    site.repository.commit({"src/p/other.py": '"""Other."""\n'}, day=6)
    site.log()
    dates = days(site.read())
    assert (dates["autoapi/index"], dates["autoapi/p/index"]) == (6, 6)


def test_lists_of_autodoc2_are_as_new_as_the_newest_module(project: Path) -> None:
    site = SphinxSite.create(
        project,
        {
            "index.rst": document("Home", toctree=("apidocs/index",)),
            "../src/p/__init__.py": '"""P."""\n',
            "../src/p/q/__init__.py": '"""Q."""\n',
        },
        extensions=["autodoc2"],
        autodoc2_packages=["../src/p"],
    )
    site.repository.commit({".gitignore": "/out/\n/docs/apidocs/\n"}, day=2)
    site.repository.commit({"src/p/q/new.py": '"""New."""\n'}, day=4)
    site.repository.commit({"src/p/q/new.py": '"""Newer."""\n'}, day=5)
    site.log()
    assert days(site.read()) == {
        "index": 1,
        "apidocs/index": 4,
        "apidocs/p/p": 4,
        "apidocs/p/p.q": 4,
        "apidocs/p/p.q.new": 5,
    }


BASE = '''\
"""Base."""


class A:
    """A."""

    def __init__(self, x):
        """Init."""

    def method(self):
        """Method."""

    def other(self):
        """Other."""
'''
INHERITING = '''\
"""Classes."""

from heirs.a import A


class B(A):
    """B."""

    def method(self):
        return 1


class C(A):
    def method(self):
        """Own."""
'''


AUTOAPI = ("autoapi.extension", "autoapi/index", "autoapi/heirs/b/index")


@pytest.mark.parametrize(
    ("names", "old", "new", "day"),
    [
        (AUTOAPI, "x)", "x, y)", 3),
        (AUTOAPI, "Other.", "New.", 1),
        # Docstrings of other modules do not count.
        (AUTOAPI, "Method.", "New.", 1),
    ],
)
def test_what_classes_inherit(
    project: Path, names: tuple[str, str, str], old: str, new: str, day: int
) -> None:
    """Pages show a class with the parameters that it inherits."""
    extension, index, page = names
    site = SphinxSite.create(
        project,
        {
            "index.rst": document("Home", toctree=(index,)),
            "../src/heirs/__init__.py": '"""Heirs."""\n',
            "../src/heirs/a.py": BASE,
            "../src/heirs/b.py": INHERITING,
        },
        extensions=[extension],
        autoapi_dirs=["../src/heirs"],
        autoapi_options=["members", "undoc-members"],
    )
    # sphinx-autoapi reads modules in the order of the disk, and imports base classes.
    site.import_from("src")
    site.repository.commit(IGNORED, day=2)
    site.repository.commit({"src/heirs/a.py": BASE.replace(old, new)}, day=3)
    site.log()
    assert days(site.read())[page] == day


TREE = ".. autosummary::\n   :toctree: gen\n\n"


@pytest.mark.parametrize(
    ("text", "is_listed"),
    [
        (f"{TREE}   B\n", True),
        (f"{TREE}   ~m.B -- text\n", True),
        (f"{TREE}   A\n\n   p.m.B", True),
        (f"{TREE}   other.B\n   Bb\n", False),
        (f"{TREE}   A\n\nB\n", False),
        (".. autosummary::\n\n   B\n", False),
        ("B\n", False),
        (".. automodapi:: p.m\n", True),
        (".. automodapi:: p\n", False),
    ],
)
def test_entries_of_tables(text: str, is_listed: bool) -> None:
    shown = Shown(ShownKind.LINES, (selected_lines(entry="p.m.B"),))
    digests = {shown.digest(text.encode()), shown.digest(f"{TREE}   B\n".encode())}
    assert (len(digests) == 1) is is_listed
