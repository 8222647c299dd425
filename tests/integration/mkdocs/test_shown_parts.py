"""Of some files, only the parts that the page shows count."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, strategies as st
from markdown import Markdown
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File
from mkdocs.structure.pages import Page
from support.mkdocs import MkDocsSite, build_days, snippets

from docs_sitemap.shown import selected_lines
from docs_sitemap.shown.lines import digest
from mkdocs_sitemap.sources.adapters import (
    Call,
    RenderedPage,
    record_calls,
    snippets as adapter,
)

PYTHON = {"python": {"paths": ["src"], "options": {"show_source": False}}}

MODULE = '''\
"""A module."""

LIMIT = 1

class Base:
    """A base."""

    def base(self):
        """Do it."""

class Thing(Base):
    """A thing."""

    def scale(self):
        """Scale."""

    @property
    def size(self):
        """The size."""
        return 0

def load(limit=LIMIT):
    """Load."""

def save():
    """Save."""
'''


def test_only_the_objects_on_the_page_count(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home\n",
            "module.md": "::: pack.mod\n",
            "thing.md": "::: pack.mod.Thing\n",
            "method.md": "::: pack.mod.Thing.scale\n",
            "load.md": "::: pack.load\n",
            "size.md": "::: pack.mod.Thing.size\n    options:\n      show_source: true\n",
            "two.md": "::: pack.mod.save\n\n::: pack.mod.LIMIT\n",
            "code.md": "::: pack.mod.save\n    options:\n      show_source: true\n",
            "alone.md": "::: pack.mod\n    options:\n      members: false\n",
            "class.md": "::: pack.mod.Thing\n    options:\n      members: false\n",
        },
        plugins=[{"mkdocstrings": {"handlers": PYTHON}}],
    )
    package = '"""Package."""\n\nfrom pack.mod import load\n'
    site.repository.commit(
        {"src/pack/__init__.py": package, "src/pack/mod.py": MODULE}, day=2
    )
    pages = [
        "alone/",
        "class/",
        "code/",
        "load/",
        "method/",
        "module/",
        "size/",
        "thing/",
        "two/",
    ]
    expected: dict[str, int | None] = {"": 1, **dict.fromkeys(pages, 2)}
    assert build_days(site) == expected
    changes = {
        "Save.": ("Save it.", "code/ module/ two/"),
        "Load.": ("Load it.", "module/ load/"),
        "LIMIT = 1": ("LIMIT = 2", "two/"),
        "Scale.": ("Scale it.", "module/ thing/ method/"),
        "Do it.": ("Do this.", "module/"),
        "A module.": ("The module.", "alone/ module/"),
        "return 0": ("return 1", ""),  # Properties are shown without their code.
        "The size.": ("A size.", "module/ size/ thing/"),
        '"""Save it."""': ('"""Save it."""\n    return 1', "code/"),
    }
    text = MODULE
    for day, (old, (new, urls)) in enumerate(changes.items(), start=3):
        text = text.replace(old, new)
        site.repository.commit({"src/pack/mod.py": text}, day=day)
        expected |= dict.fromkeys(urls.split(), day)
        assert build_days(site) == expected
    # An import from another place changes only the target of a link.
    package = package.replace("pack.mod", ".mod")
    site.repository.commit({"src/pack/__init__.py": package}, day=20)
    assert build_days(site) == expected


BASE = '''\
__all__ = ["Base", "shown"]

class Root:
    """A root."""

class Base:
    """A base."""

    def __init__(self, size):
        """Create a base."""

    def first(self):
        """Do it."""

    def second(self):
        """Do more."""

def shown():
    """A function."""

def hidden():
    """Another function."""
'''

API = '''\
"""An API."""
from pack.base import Base, hidden
from pack.base import shown
__all__ = ["shown"]

class Thing(Base):
    """A thing."""
'''


@pytest.mark.parametrize("show_source", [True, False])
def test_what_a_page_shows_of_other_modules_counts(
    project: Path, show_source: bool
) -> None:
    merged = "    options:\n      merge_init_into_class: true\n"
    inherited = "    options:\n      inherited_members: true\n"
    alone = "    options:\n      members: false\n      show_source: false\n"
    alone += "      show_bases: false\n"
    diagram = f"{alone}      show_inheritance_diagram: true\n"
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home\n",
            "exported.md": "::: pack.api\n",
            "imported.md": "::: pack.api.hidden\n",
            "chosen.md": "::: pack.base\n    options:\n      members: [shown]\n",
            "inherited.md": f"::: pack.api.Thing\n{inherited}",
            "merged.md": f"::: pack.api.Thing\n{merged}",
            "alone.md": f"::: pack.base.Root\n{alone}",
            "diagram.md": f"::: pack.base.Base\n{diagram}",
            "names.md": "::: pack\n",
        },
        plugins=[
            {
                "mkdocstrings": {
                    "handlers": {
                        "python": {
                            "paths": ["src"],
                            "options": {"show_source": show_source},
                        }
                    }
                }
            }
        ],
    )
    site.repository.commit(
        {
            "src/pack/__init__.py": "from pack.base import *\nfrom pack.base import __all__\n",
            "src/pack/base.py": BASE,
            "src/pack/api.py": API,
        },
        day=2,
    )
    expected = build_days(site)
    texts = {
        "pack/base.py": BASE,
        "pack/api.py": API,
    }
    for day, (name, old, new, urls) in enumerate(
        [
            ("pack/base.py", '"shown"]', '"shown", "hidden"]', "names/"),
            (
                "pack/base.py",
                "(self, size)",
                "(self, size=1)",
                "merged/ inherited/ names/",
            ),
            ("pack/base.py", "second(", "_second(", "inherited/ names/"),
            (
                "pack/base.py",
                "class Base:",
                "class Base(Root):",
                "diagram/ inherited/ names/",
            ),
            (
                "pack/base.py",
                "class Root:",
                "class Root(Exception):",
                "inherited/ names/",
            ),
            ("pack/base.py", "A root", "The root", "alone/ inherited/ names/"),
            ("pack/base.py", "A function", "The function", "chosen/ exported/ names/"),
        ],
        start=3,
    ):
        texts[name] = texts[name].replace(old, new)
        site.repository.commit({f"src/{name}": texts[name]}, day=day)
        expected |= dict.fromkeys(urls.split(), day)
        assert build_days(site) == expected


LINES = "one\ntwo\n# --8<-- [start:part]\nthree\n# --8<-- [end:part]\nfour\nfive\n"


def test_only_the_inserted_lines_count(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home\n",
            "all.md": '# A\n\n--8<-- "a.txt"\n',
            "section.md": '# S\n\nSee a.txt.\n\n--8<-- "a.txt:part"\n',
            "range.md": "# R\n\n--8<--\na.txt:1:2\n--8<--\n",
            "open.md": "# O\n\n--8<-- 'a.txt:6'\n",
            "both.md": '# B\n\n--8<-- "a.txt:part"\n\n--8<-- "a.txt::1,7:"\n',
            "mixed.md": '# M\n\n--8<-- "a.txt:part"\n\n--8<-- "a.txt"\n',
            "nested.md": '# N\n\n--8<-- "b.txt"\n',
        },
        **snippets(),
    )
    site.repository.commit({"a.txt": LINES, "b.txt": '--8<-- "a.txt:part"\n'}, day=2)
    urls = ("all/", "both/", "mixed/", "nested/", "open/", "range/", "section/")
    expected: dict[str, int | None] = {"": 1, **dict.fromkeys(urls, 2)}
    assert build_days(site) == expected
    text = LINES
    changes = {
        "one": "all/ mixed/ both/ range/",
        "two": "all/ mixed/ range/",
        "three": "all/ mixed/ both/ nested/ section/",
        "four": "all/ mixed/ open/",
        "five": "all/ mixed/ both/ open/",
    }
    for day, (line, changed) in enumerate(changes.items(), start=3):
        text = text.replace(line, line.upper())
        site.repository.commit({"a.txt": text}, day=day)
        expected |= dict.fromkeys(changed.split(), day)
        assert build_days(site) == expected
    site.repository.commit({"a.txt": f"zero\n{text}"}, day=10)
    # These lines have other numbers now.
    expected |= dict.fromkeys(("all/", "mixed/", "both/", "open/", "range/"), 10)
    assert build_days(site) == expected


@given(
    st.lists(
        st.sampled_from(
            [
                *(
                    "a",
                    "b",
                    "",
                    "# --8<-- [start:x]",
                    "# --8<-- [end:x]",
                    "-8<- [start: y ]",
                ),
                *("  c", "\f"),
            ]
        ),
        max_size=8,
    ),
    st.lists(
        st.sampled_from(["a", "b", "# --8<-- [start:x]", "# --8<-- [end:x]", "\f"]),
        max_size=8,
    ),
    st.sampled_from(["x", "y", "1:2", "2", ":3", "2:2,4:5", "-2:", "-3:-2", "1,3:"]),
)
def test_the_same_lines_as_the_extension_inserts(
    old: list[str], new: list[str], selection: str
) -> None:
    texts, digests = [], []
    for lines in (old, new):
        text, parts = insert("\n".join(lines), selection)
        texts.append(text)
        try:
            digests.append(digest("\n".join(lines).encode(), parts))
        except ValueError:
            digests.append(b"")
    # An empty digest differs from all others.
    assert texts[0] == texts[1] or digests[0] != digests[1] or not digests[0]


@pytest.mark.parametrize(
    ("selection", "old", "new"),
    [
        ("x", "one", "1"),
        ("x", "two", "2"),
        ("2:2", "two", "2"),
    ],
)
def test_repeated_starts_and_form_feeds(selection: str, old: str, new: str) -> None:
    marker = "# --8<-- [start:x]"
    text = (
        f"{marker}\none\n{marker}\ntwo\n"
        if selection == "x"
        else "\fone\ntwo\nfour\nfive\n"
    )
    _, parts = insert(text, selection)
    assert old in text
    changed = text.replace(old, new)
    assert digest(text.encode(), parts) != digest(changed.encode(), parts)


def insert(content: str, selection: str) -> tuple[str, tuple[str, ...]]:
    """Return what the extension inserts, and which parts of the file the page shows."""
    with TemporaryDirectory() as folder:
        Path(folder, "a.txt").write_text(content, encoding="utf-8")
        extension = {"pymdownx.snippets": {"base_path": [folder]}}
        markdown = Markdown(
            extensions=["pymdownx.snippets"], extension_configs=extension
        )
        calls: list[Call] = []
        stops = [record_calls(*function, calls) for function in adapter.functions({})]
        lines = markdown.preprocessors["snippet"].run([f'--8<-- "a.txt:{selection}"'])
        for stop in stops:
            stop()
        file = File("a.md", folder, folder, use_directory_urls=True)
        page = RenderedPage(Page(None, file, MkDocsConfig()), "", {}, calls, set())
        (source,) = adapter.sources(page)
        return "\n".join(lines), source.shows.parts


EXPORTS = {"__init__.py": "from .f import f\nfrom .m import g\n__all__ = ['f', 'g']\n"}


@pytest.mark.parametrize(
    ("page", "files", "name", "old", "new", "day"),
    [
        ("p", EXPORTS, "__init__.py", "'f', 'g'", "'g',  'f'", 2),
        ("p", EXPORTS, "__init__.py", "'f', 'g'", "'g'", 3),
        ("p.f", {"__init__.py": "from .f import f\n"}, "f.py", "F.", "New.", 3),
        ("p.f.g", {"__init__.py": "from .f import f\n"}, "f.py", "G.", "New.", 3),
        ("p.m", {}, "m.py", "\ndef g", "__all__ = ['f']\ndef g", 2),
        ("p.m\n    options: {filters: public}", {}, "m.py", "['f']", "['f', 'g']", 3),
    ],
)
def test_what_decides_which_names_a_page_shows(
    project: Path,
    page: str,
    files: dict[str, str],
    name: str,
    old: str,
    new: str,
    day: int,
) -> None:
    module = 'def f():\n    """F."""\n\ndef g():\n    """G."""\n'
    public = ""
    if "public" in page:
        public = "__all__ = ['f']\n"
    texts = {"__init__.py": "", "f.py": module, "m.py": public + module} | files
    site = MkDocsSite.create(
        project,
        {"index.md": "# Home\n", "page.md": f"::: {page}\n"},
        plugins=[{"mkdocstrings": {"handlers": PYTHON}}],
    )
    site.repository.commit(
        {f"src/p/{file}": text for file, text in texts.items()}, day=2
    )
    assert old in texts[name]
    text = texts[name].replace(old, new, 1)
    site.repository.commit({f"src/p/{name}": text}, day=3)
    assert build_days(site)["page/"] == day


MACROS = """\
import atexit
import math

RATE = 2

def scale(value):
    return value * RATE

def unused(value):
    return value

@atexit.register
def registered():
    return 1

class Price:
    def text(self, value):
        return f"{value} EUR"

def define_env(env):
    env.variables["tax"] = compute(3)

    @env.macro
    def price(value):
        return Price().text(scale(value))

    @env.macro
    def total(value):
        return value

    @env.filter
    def loud(value):
        return f"{value}!"

    env.macro(other, "third")

def compute(value):
    return value

def other():
    return "Other"
"""

# The text of the module, what stands in its place, and the pages that change.
MACRO_CHANGES = (
    ("return value\n\n@", "return value + 1\n\n@", ""),
    ("return 1", "return 2", "filter price total variable"),
    ("    return value * RATE", "    # A note.\n    return (value * RATE)", ""),
    ("value * RATE", "value * RATE + 1", "price"),
    ("RATE = 2", "RATE = 3", "filter price total variable"),
    ("EUR", "USD", "filter price total variable"),
    ("def total(value):", "def total(value, unit=1):", "total"),
    ('{value}!"', '{value}!!" if value else ""', "filter"),
    (
        "return value\n\ndef other",
        "return -value\n\ndef other",
        "filter price total variable",
    ),
    ("import math", "import cmath as math", "filter price total variable"),
    ('"Other"', '"More"', "filter price total variable"),
)


def test_invalid_escapes_in_a_module_are_no_warnings() -> None:
    part = selected_lines(functions="f")
    assert digest(b"x = '\\d'\n", [part]) == digest(b"x = '\\d' # d\n", [part])


def test_only_the_code_of_the_macros_on_a_page_counts(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home\n",
            "price.md": "# Price\n\n{{ price(1) }}\n",
            "total.md": "# Total\n\n{{ total(1) }}\n",
            "filter.md": "# Filter\n\n{{ 'a' | loud }}\n",
            "variable.md": "# Variable\n\n{{ tax }}\n",
            "../main.py": MACROS,
        },
        plugins=["macros"],
    )
    expected = dict.fromkeys(["", "price/", "total/", "filter/", "variable/"], 1)
    text = MACROS
    for day, (old, new, pages) in enumerate(MACRO_CHANGES, start=2):
        assert old in text
        text = text.replace(old, new)
        site.repository.commit({"main.py": text}, day=day)
        expected |= dict.fromkeys([f"{page}/" for page in pages.split()], day)
        assert build_days(site) == expected, new
