"""The dates of pages of sphinx-autoapi: changes to what the pages show."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.sphinx import SphinxSite, days, document

IGNORED = {".gitignore": "/out/\n/docs/autoapi/\n__pycache__/\n"}


def make_site(project: Path, files: dict[str, str], level: str) -> SphinxSite:
    pages = {"index.rst": document("Home", toctree=("autoapi/index",))}
    for path, text in files.items():
        pages[f"../src/p/{path}"] = text
    site = SphinxSite.create(
        project,
        pages,
        extensions=["autoapi.extension"],
        autoapi_dirs=["../src/p"],
        autoapi_own_page_level=level,
    )
    site.repository.commit(IGNORED, day=2)
    return site


THING = '''\
class Thing:
    """A thing."""

    def go(self):
        """Go."""
'''
FUNCTION = 'def load():\n    """Load."""\n'

# By package: the modules between the package and the definition, and the definition.
RE_EXPORTS: dict[str, tuple[list[str], str]] = {
    "chain": (["from p.chain._a import Thing", "from p.chain._a._end import Thing"], THING),
    "relative": (["from ._a import Thing", "from ._end import Thing"], THING),
    "renamed": (["from ._a import Other as Any", "from ._end import Thing as Other"], THING),
    "star": (["from ._a import *", "from ._end import *"], THING),
    "three": (["from ._a import load", "from ._a import load", "from ._end import load"], FUNCTION),
    "data": (["from ._a import DATA", "from ._end import DATA"], 'DATA = 1\n"""Go."""\n'),
    "same": (["from ._a import load", "from .load import load"], FUNCTION),
    "unseen": (["from ._a import load", "from ._end import load"], FUNCTION),
    "module": (["from ._a import _end", "from . import _end"], THING),
}  # fmt: skip


def assert_dates_of_different_pages(site: SphinxSite, files: dict[str, str]) -> None:
    """Commit changes, and compare: exactly the pages that sphinx-autoapi writes
    differently have a new date.
    """
    site.log()
    pages = sorted((site.out() / "autoapi/p").rglob("*.html"))
    before = {page: read_body(page) for page in pages}
    site.repository.commit(
        {f"src/p/{path}": text for path, text in files.items()}, day=3
    )
    site.log()
    different = set()
    for page, text in before.items():
        if read_body(page) != text:
            different.add(page.relative_to(site.out()).with_suffix("").as_posix())
    dated = {name for name, day in days(site.read()).items() if day == 3}
    assert dated == different


def read_body(page: Path) -> str:
    """Return a page without its navigation."""
    body, _, _ = page.read_text().partition('<div class="sphinxsidebar"')
    return body.partition('role="main"')[2]


def test_an_object_that_is_imported_several_times_is_followed_to_its_definition(
    project: Path,
) -> None:
    files = {"__init__.py": ""}
    changed = {}
    for name, (imports, definition) in RE_EXPORTS.items():
        folder = name
        for line in imports:
            files[f"{folder}/__init__.py"] = f"{line}\n"
            folder += "/_a"
        path = f"{folder.removesuffix('/_a')}/{'load' if name == 'same' else '_end'}.py"
        files[path] = f'"""End."""\n{definition}'
        if name == "unseen":
            changed[path] = files[path].replace("End", "New")
        else:
            changed[path] = files[path].replace("Go.", "Do.").replace("Load.", "Read.")
    site = make_site(project, files, "module")
    assert_dates_of_different_pages(site, changed)


MODULE = '''\
"""A module."""


class Thing:
    """A thing.

    More text.
    """

    low = 1
    """The limit."""

    def __init__(self, size=1):
        pass

    def go(self, far):
        """Go.

        More of it.
        """

    @property
    def name(self):
        """The name.

        It is short.
        """


class Other:
    """Another class."""


class Failure(Exception):
    """A failure.

    It is fatal.
    """


def load(path):
    """Load a file.

    The file is read.
    """


DATA = 1
"""The data.

It is a number.
"""
'''
CHANGES = {
    "below_a_class": [("Go.", "Do."), ("size=1", "size=2"), ("low = 1", "low = 2")],
    "text_of_classes": [("More text.", "New text."), ("It is fatal.", "It is minor.")],
    "first_line_of_a_class": [("A thing.", "The thing.")],
    "first_line_of_an_exception": [("A failure.", "The failure.")],
    "removed_class": [('class Other:\n    """Another class."""\n', "")],
    "parameter_of_a_method": [("go(self, far)", "go(self, near)")],
    "text_of_a_method": [("More of it.", "Less of it.")],
    "text_of_a_property": [("It is short.", "It is long.")],
    "parameter_of_a_function": [("load(path)", "load(name)")],
    "text_of_a_function": [("The file is read.", "The file is opened.")],
    "first_line_of_a_value": [("The data.", "Some data.")],
}


@pytest.mark.parametrize("level", ["class", "method"])
def test_objects_with_their_own_page_are_only_listed_on_others(
    project: Path, level: str
) -> None:
    files = {"__init__.py": ""}
    changed = {}
    for name, changes in CHANGES.items():
        files[f"{name}.py"] = changed[f"{name}.py"] = MODULE
        for old, new in changes:
            assert old in MODULE
            changed[f"{name}.py"] = changed[f"{name}.py"].replace(old, new)
    site = make_site(project, files, level)
    assert_dates_of_different_pages(site, changed)
