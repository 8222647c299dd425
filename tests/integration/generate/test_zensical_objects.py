"""Pages of Zensical that show objects of Python have the dates of the MkDocs plugin."""

from __future__ import annotations

import sys
from typing import NamedTuple

import pytest
from support.cli import invoke
from support.command import run
from support.mkdocs import MkDocsSite, build_days, days

pytest.importorskip("zensical")

FUNCTION = '''\
def load(path: str) -> str:
    """Load it."""
    return open(path).read()

def _hidden():
    """Hide."""

def bare(size):
    return size
'''
CLASS = '''\
class Thing:
    """A thing."""

    def __init__(self, size: int = 1) -> None:
        """Create."""
        self.size = size
        """The size."""

    def go(self):
        """Go."""

    def stay(self):
        """Stay."""
'''
DATA_CLASS = '''\
from dataclasses import dataclass

@dataclass
class Thing:
    """A thing."""

    size: int = 1
'''
CHILD = '''\
from {}.base import Thing as Base

class Child(Base):
    """A child."""

    def go(self):
        """Go far."""
'''
DATA_CHILD = '''\
import dataclasses
from . import base

@dataclasses.dataclass
class Child(base.Thing):
    """A child."""

    color: str = "red"
'''
STUB = "def load(path: str) -> str: ...\n"


class Case(NamedTuple):
    """A change of a package, and how a page shows the package.

    Attributes:
        day: The day of the page: 3 if it shows the change, otherwise 2.
        old: A text in one of the files.
        new: What replaces it.
        files: The files of the package.
        block: What follows the name of the package in the block, with `|` before the
            options.
    """

    day: int
    old: str
    new: str
    files: dict[str, str]
    block: str = ".a"


def module(text: str, **others: str) -> dict[str, str]:
    """Return a package with a module `a`."""
    return {"__init__.py": "", "a.py": text} | {
        f"{name}.py": text for name, text in others.items()
    }


def package(text: str, **others: str) -> dict[str, str]:
    """Return a package that exports objects of its modules."""
    return {"__init__.py": text} | {f"{name}.py": text for name, text in others.items()}


CODE = ("open(path).read()", "open(path, 'rb').read()")
EXPORT = "from ._a import load\n\n__all__ = ['load']\n"
REEXPORT = package("from ._b import *\n", _b="from ._a import *\n", _a=FUNCTION)
CASES = {
    "hidden_code": Case(2, *CODE, module(FUNCTION)),
    "code": Case(3, *CODE, module(FUNCTION), ".a|show_source: true"),
    "code_of_a_class": Case(3, "Stay", "Wait", module(CLASS), ".a.Thing|{show_source: true, members: [go]}"),
    "docstring": Case(3, "Load it", "Read it", module(FUNCTION)),
    "without_a_heading": Case(3, "Load it", "Read it", module(FUNCTION), ".a.load|show_root_toc_entry: false"),
    "private": Case(2, "Hide", "Conceal", module(FUNCTION)),
    "filters": Case(3, "Hide", "Conceal", module(FUNCTION), ".a|filters: []"),
    "undocumented": Case(2, "size", "width", module(FUNCTION)),
    "shown_undocumented": Case(3, "size", "width", module(FUNCTION), ".a|show_if_no_docstring: true"),
    "listed": Case(3, "Go", "Walk", module(CLASS), ".a.Thing|members: [go]"),
    "unlisted": Case(2, "Stay", "Wait", module(CLASS), ".a.Thing|members: [go]"),
    "no_members": Case(2, "Go", "Walk", module(CLASS), ".a.Thing|members: false"),
    "head": Case(3, "A thing", "One", module(CLASS), ".a.Thing|members: false"),
    "attribute": Case(3, "The size", "Its size", module(CLASS), ".a.Thing"),
    "one_function": Case(2, "Hide", "Conceal", module(FUNCTION), ".a.load"),
    "inherited": Case(3, "Stay", "Wait", module(CHILD, base=CLASS), ".a.Child|inherited_members: true"),
    "not_inherited": Case(2, "Stay", "Wait", module(CHILD, base=CLASS), ".a.Child"),
    "listed_inherited": Case(3, "Stay", "Wait", module(CHILD, base=CLASS), ".a.Child|{inherited_members: true, members: [stay]}"),
    "merged_init": Case(3, "size: int = 1", "size: int = 2", module(CLASS), ".a.Thing|merge_init_into_class: true"),
    "inherited_init": Case(3, "size: int = 1", "size: int = 2", module(CHILD, base=CLASS), ".a.Child|merge_init_into_class: true"),
    "hidden_field": Case(2, "size: int = 1", "size: int = 2", module(DATA_CLASS)),
    "field": Case(3, "size: int = 1", "size: int = 2", module(DATA_CLASS), ".a|merge_init_into_class: true"),
    "inherited_field": Case(3, "size: int = 1", "size: int = 2", module(DATA_CHILD, base=DATA_CLASS), ".a.Child|merge_init_into_class: true"),
    "exported": Case(3, "Load it", "Read it", package(EXPORT, _a=FUNCTION), ""),
    "exported_code": Case(3, *CODE, package(EXPORT, _a=FUNCTION), "|show_source: true"),
    "not_exported": Case(2, "Hide", "Conceal", package(EXPORT, _a=FUNCTION), ""),
    "new_export": Case(3, "'load'", "'load', 'bare'", package("from ._a import bare, load\n__all__ = ['load']\n", _a=FUNCTION), "|show_if_no_docstring: true"),
    "exported_object": Case(3, "Load it", "Read it", package(EXPORT, _a=FUNCTION), ".load"),
    "renamed": Case(3, "Load it", "Read it", package("from ._a import load as read\n", _a=FUNCTION), ".read"),
    "star": Case(3, "Load it", "Read it", package("from ._a import *\n", _a=FUNCTION + "\n__all__ = ['load']\n"), ".load"),
    "stars": Case(3, "Load it", "Read it", REEXPORT, ".load"),
    "type_alias": Case(3, "Size: TypeAlias = int", "Size: TypeAlias = str", module('from typing import TypeAlias\nSize: TypeAlias = int\n"""A size."""\n')),
    "other_package": Case(2, "One", "Two", package('"""One."""\nfrom yaml_env_tag import construct_env_tag\n'), ".construct_env_tag|preload_modules: [yaml_env_tag]"),
    "typed_import": Case(3, "Go", "Walk", package("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ._a import Thing\n", _a=CLASS), ".Thing"),
    "alternative": Case(3, "Load it", "Read it", package("try:\n    from ._a import load\nexcept ImportError:\n    load = None\n", _a=FUNCTION), ".load"),
    "list_of_another_module": Case(3, "Load it", "Read it", package("from ._a import *\nfrom ._a import __all__ as names\n__all__ = [*names]\n", _a=FUNCTION + "\n__all__ = ['load']\n"), ""),
    "submodules": Case(3, "Load it", "Read it", module(FUNCTION), "|show_submodules: true"),
    "no_submodules": Case(2, "Load it", "Read it", module(FUNCTION), ""),
    "stub": Case(3, "path: str) -> str: ...", "path: bytes) -> str: ...", {"__init__.py": "", "a.py": FUNCTION, "a.pyi": STUB}, ".a.load"),
    "only_stub": Case(3, "path: str", "path: bytes", {"__init__.py": "", "a.pyi": STUB.replace(" ...", '\n    """Load."""')}),
    "namespace": Case(3, "Load it", "Read it", {"a.py": FUNCTION}),
    "public": Case(2, "Hide", "Conceal", module(FUNCTION), ".a|filters: public"),
    "all_members": Case(3, "Hide", "Conceal", module(FUNCTION), ".a|members: true"),
    "no_bases": Case(2, "(Base)", "(Base, object)", module(CHILD, base=CLASS), ".a.Child|show_bases: false"),
}  # fmt: skip

# Other ways to write a block. Most of these blocks show a private function.
SHOWN = "::: {0}.a\n    options: {{filters: []}}\n"
PAGES = {
    "in_a_list": "- One\n\n    ::: {0}.a\n        options:\n            filters: []\n",
    "below_a_heading": "Text\n## ::: {0}.a\n    handler: python\n    options:\n      filters: []\n",
    "separated": "::: {0}.a\n\n    options:\n      filters: []\n",
    "in_a_tab": '=== "Tab"\n\n    ::: {0}.a\n        options: {{filters: []}}\n',
    "twice": "::: {0}.a\n    options: {{filters: []}}\n\n::: {0}.a.load\n",
    "included": '--8<-- "block.md"\n',
    "not_in_git": "",
    "installed": SHOWN,
    "installed_module": "::: {0}\n    options: {{filters: []}}\n",
    "in_a_docstring": "::: {0}.b\n",
}
NOT_SHOWN = {
    "fenced": "```\n::: {0}.a\n```\n",
    "indented": "Text\n\n    ::: {0}.a\n",
    "comment": "<!--\n::: {0}.a\n-->\n",
}


Days = tuple[dict[str, int | None], dict[str, int | None]]
"""The days of the pages of MkDocs, and of those of Zensical."""


@pytest.fixture(scope="module")
def both_days(tmp_path_factory: pytest.TempPathFactory) -> Days:
    """Build both sites."""
    files: dict[str, str] = {}
    changed: dict[str, str] = {}
    pages = {"index.md": "# Home\n"}
    for name, case in CASES.items():
        block, _, options = case.block.partition("|")
        if not options.startswith("{"):
            options = f"{{{options}}}"
        pages[f"{name}.md"] = f"# Page\n\n::: {name}{block}\n    options: {options}\n"
        for path, text in case.files.items():
            path = f"lib/{name}/{path}"
            files[path] = text.replace("{}", name)
            if case.old in text and path not in changed:
                changed[path] = files[path].replace(case.old, case.new)
        assert any(path.startswith(f"lib/{name}/") for path in changed), name
    for name, text in (PAGES | NOT_SHOWN).items():
        if not text:
            continue
        pages[f"{name}.md"] = text.format(name)
        folder = "src" if name == "installed" else "lib"
        files[f"{folder}/{name}/__init__.py"] = ""
        files[f"{folder}/{name}/a.py"] = FUNCTION
        changed[f"{folder}/{name}/a.py"] = FUNCTION.replace("Hide", "Conceal")
    for kind in (files, changed):
        kind["src/installed_module.py"] = kind["lib/installed_module/a.py"]
        del kind["lib/installed_module/a.py"]
    del files["lib/installed_module/__init__.py"]
    files["lib/in_a_docstring/b.py"] = f'"""B.\n\n{SHOWN.format("in_a_docstring")}"""\n'
    files["parts/block.md"] = "::: included.a\n    options: {filters: []}\n"
    handlers = {"python": {"paths": ["lib"], "options": {"show_source": False}}}
    site = MkDocsSite.create(
        tmp_path_factory.mktemp("project"),
        {},
        theme={"name": "material", "font": False},
        plugins=[{"mkdocstrings": {"handlers": handlers}}],
        markdown_extensions=[
            "pymdownx.superfences",
            {"pymdownx.tabbed": {"alternate_style": True}},
            {"pymdownx.snippets": {"base_path": ["parts"]}},
        ],
    )
    written = {f"docs/{name}": text for name, text in pages.items()}
    site.repository.commit(files | written, day=2)
    site.repository.commit(changed, day=3)
    # A plugin or a script may have written a page.
    site.repository.write(
        {
            ".git/info/exclude": "not_in_git.md",
            "docs/not_in_git.md": "::: docstring.a\n",
        }
    )
    source = site.path / "src"  # as after `pip install --editable`
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(source)
        mkdocs = build_days(site)
    run(
        (sys.executable, "-m", "zensical", "build"),
        cwd=site.path,
        env={"PYTHONPATH": str(source)},
    )
    done = invoke("generate", "site", cwd=site.path)
    assert done.code == 0, done
    return mkdocs, days(site)


@pytest.mark.parametrize("name", CASES)
def test_a_change_of_an_object_dates_the_page_if_it_shows_it(
    both_days: Days, name: str
) -> None:
    assert [days[f"{name}/"] for days in both_days] == [CASES[name].day] * 2


@pytest.mark.parametrize("name", [*PAGES, *NOT_SHOWN])
def test_blocks_are_found_where_mkdocstrings_finds_them(
    both_days: Days, name: str
) -> None:
    day = 2 if name in NOT_SHOWN else 3
    assert [days[f"{name}/"] for days in both_days] == [day] * 2
