"""The dates of pages that document some objects of a module: only these objects count."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from support.sphinx import SphinxSite, days, document

from docs_sitemap.shown.python import digest_objects
from docs_sitemap.shown.shown_objects import ObjectStyle, ShownObject

MODULE = '''\
"""The module."""

import functools
from dataclasses import dataclass

from pkg.decorator import log


def function(a):
    """The function."""


@log
def decorated(a):
    """The decorated function."""


@functools.singledispatch
def dispatch(a):
    """The dispatched function."""


partial = functools.partial(function, 1)

undescribed = function

DATA = 1
"""The data."""


class Base:
    """The base."""

    #: The attribute.
    attribute = 1

    plain = 1

    def __init__(self, a):
        #: The instance attribute.
        self.instance = 1

    def inherited(self):
        """The inherited method."""

    def overridden(self):
        """The overridden method."""

    def replaced(self):
        """The replaced method."""

    @property
    def prop(self):
        """The property."""

    @functools.cached_property
    def cached(self):
        """The cached property."""

    @classmethod
    def create(cls):
        """The class method."""

    partial = functools.partialmethod(inherited, 1)

    def other(self):
        """Another method."""


@dataclass
class DataBase:
    first: int = 1


class Outer:
    class Inner:
        """The inner class."""

        def method(self):
            """The method of the inner class."""


def other():
    """Another function."""
'''

CHILD = '''\
"""The child module."""

from dataclasses import dataclass

from pkg.module import Base, DataBase


class Child(Base):
    """The child."""

    def overridden(self):
        pass

    def replaced(self):
        """The new method."""


class Bare(Base):
    pass


@dataclass
class DataChild(DataBase):
    """The data class."""

    second: int = 1


def other():
    """Another function."""
'''

INIT = '''\
"""The package."""

from pkg.child import Child
from .module import DATA, function
from pkg import module

Alias = module.Base
'''

FILES = {
    "__init__.py": INIT,
    "module.py": MODULE,
    "child.py": CHILD,
    "decorator.py": (
        "import functools\n\n\ndef log(function):\n    @functools.wraps(function)\n    "
        "def wrapper(*args):\n        return function(*args)\n\n    return wrapper\n"
    ),
}


Views = dict[str, dict[str, list[str]]]


def digest(
    content: bytes, objects: Iterable[ShownObject]
) -> frozenset[tuple[ShownObject, str]]:
    """Return the digests of all objects that a page shows."""
    return frozenset(digest_objects(content, tuple(objects)).items())


class Change(NamedTuple):
    """A change of a module, and whether a page with a directive can show it."""

    name: str
    directive: str
    file: str
    old: str
    new: str
    is_seen: bool


CHANGES: list[Change] = []


def case(
    name: str, directive: str, module: str, old: str, new: str, is_seen: bool
) -> None:
    CHANGES.append(Change(name, directive, f"{module}.py", old, new, is_seen))


FUNCTION = "autofunction:: pkg.module.function"
case("function", FUNCTION, "module", "The function.", "New.", True)
case("other function", FUNCTION, "module", "Another function.", "New.", False)
case("docstring of the module", FUNCTION, "module", "The module.", "New.", False)
RE_EXPORT = "autofunction:: pkg.function"
case("re-exported function", RE_EXPORT, "module", "The function.", "New.", True)
case("re-export", RE_EXPORT, "__init__", "DATA, function", "function", False)
case(
    "new re-export",
    RE_EXPORT,
    "__init__",
    "import DATA, f",
    "import DATA, other as o, f",
    False,
)
case(
    "renamed re-export",
    RE_EXPORT,
    "__init__",
    "import Child",
    "import Child as C",
    False,
)
case("docstring of a package", RE_EXPORT, "__init__", "The package.", "New.", False)
case(
    "decorated",
    "autofunction:: pkg.module.decorated",
    "module",
    "decorated(a)",
    "decorated(b)",
    True,
)
case(
    "dispatch",
    "autofunction:: pkg.module.dispatch",
    "module",
    "dispatched",
    "New",
    True,
)
case(
    "partial",
    "autofunction:: pkg.module.partial",
    "module",
    "(function, 1)",
    "(function)",
    True,
)
case("data", "autodata:: pkg.module.DATA", "module", "DATA = 1", "DATA = 2", True)
case("imported data", "autodata:: pkg.DATA", "module", "DATA = 1", "DATA = 2", True)
case("other than data", "autodata:: pkg.DATA", "module", "The function", "New", False)

ALIAS = "autoclass:: pkg.Alias"
case(
    "alias", ALIAS, "__init__", "Alias = module.Base", "Alias: type = module.Base", True
)
case("class of an alias", ALIAS, "module", "The base.", "New.", True)

CHILD_CLASS = "autoclass:: pkg.Child"
case("class", CHILD_CLASS, "child", "The child.", "New.", True)
case("class beside", CHILD_CLASS, "child", "Another function.", "New.", False)
case(
    "inherited constructor",
    CHILD_CLASS,
    "module",
    "__init__(self, a)",
    "__init__(self)",
    True,
)
case(
    "members that are not shown",
    CHILD_CLASS,
    "module",
    "Another method.",
    "New.",
    False,
)
case("docstring of a base class", CHILD_CLASS, "module", "The base.", "New.", False)
BARE = "autoclass:: pkg.child.Bare"
case("inherited docstring", BARE, "module", "The base.", "New.", True)
DATA_CLASS = "autoclass:: pkg.child.DataChild"
case(
    "inherited attributes of a data class",
    DATA_CLASS,
    "module",
    "first: int",
    "one: int",
    True,
)
case("other than a data class", DATA_CLASS, "module", "The function.", "New.", False)

MEMBERS = (
    "autoclass:: pkg.Child\n   :members:\n   :inherited-members:\n   :undoc-members:"
)
case("inherited member", MEMBERS, "module", "The inherited", "New", True)
case("inherited attribute", MEMBERS, "module", "The attribute", "New", True)
case("inherited instance attribute", MEMBERS, "module", "The instance", "New", True)
case(
    "inherited attribute without text",
    MEMBERS,
    "module",
    "plain = 1",
    "plain = 2",
    True,
)
case("inherited property", MEMBERS, "module", "The property", "New", True)
case("inherited cached property", MEMBERS, "module", "The cached", "New", True)
case("inherited class method", MEMBERS, "module", "The class method", "New", True)
case("not a member", MEMBERS, "module", "Another function.", "New.", False)

OVERRIDDEN = "automethod:: pkg.Child.overridden"
case("method", OVERRIDDEN, "child", "overridden(self)", "overridden(self, a)", True)
case(
    "inherited docstring of a method",
    OVERRIDDEN,
    "module",
    "The overridden",
    "New",
    True,
)
case("docstring beside a method", OVERRIDDEN, "child", "The child.", "New.", False)
case("method of a base class", OVERRIDDEN, "module", "The inherited", "New", False)
REPLACED = "automethod:: pkg.Child.replaced"
case("method with a docstring", REPLACED, "child", "The new method.", "New.", True)
case("method that it replaces", REPLACED, "module", "The replaced", "New", False)
INHERITED = "automethod:: pkg.Child.inherited"
case("inherited method", INHERITED, "module", "The inherited", "New", True)
case("child of an inherited method", INHERITED, "child", "The child.", "New.", False)
ATTRIBUTE = "autoattribute:: pkg.Child.attribute"
case("attribute", ATTRIBUTE, "module", "attribute = 1", "attribute = 2", True)
case("other than an attribute", ATTRIBUTE, "module", "The base.", "New.", False)
INSTANCE = "autoattribute:: pkg.Child.instance"
case("instance attribute", INSTANCE, "module", "The instance", "New", True)
PROPERTY = "autoproperty:: pkg.Child.prop"
case("property", PROPERTY, "module", "The property", "New", True)
case("other than a property", PROPERTY, "module", "The inherited", "New", False)
INNER = "automethod:: pkg.module.Outer.Inner.method"
case("inner class", INNER, "module", "The method of", "New", True)
case("other than an inner class", INNER, "module", "The inner class", "New", False)

AUTOMODULE = "automodule:: pkg.module"
case("module", AUTOMODULE, "module", "The module.", "New.", True)
case("module without members", AUTOMODULE, "module", "The function.", "New.", False)
SOME = "automodule:: pkg.module\n   :members: function"
case("named member", SOME, "module", "The function.", "New.", True)
case("member that is not named", SOME, "module", "Another function.", "New.", False)
ALL = "automodule:: pkg.child\n   :members:"
case("all members", ALL, "child", "Another function.", "New.", True)
case("base of a member", ALL, "module", "__init__(self, a)", "__init__(self)", True)
PACKAGE = "automodule:: pkg\n   :members:\n   :imported-members:"
case("imported member", PACKAGE, "module", "The function.", "New.", True)
case(
    "own member",
    PACKAGE,
    "__init__",
    "Alias = module.Base",
    "Alias = module.Outer",
    True,
)
case(
    "other than imported members", PACKAGE, "child", "Another function.", "New.", False
)

TABLE = "autosummary::\n\n   pkg.Child\n   pkg.function"
case("table", TABLE, "child", "The child.", "New.", True)
case(
    "signature in a table", TABLE, "module", "__init__(self, a)", "__init__(self)", True
)
MORE = "The function.\n\n    More text."
case("further text", FUNCTION, "module", "The function.", MORE, True)
case("first sentence in a table", TABLE, "module", "The function.", "New.", True)
case("further text in a table", TABLE, "module", "The function.", MORE, False)
BOTH = f"{TABLE}\n\n.. {FUNCTION}"
case("further text beside a table", BOTH, "module", "The function.", MORE, True)
ABOVE = f"{AUTOMODULE}\n\n.. {TABLE}"
case("further text below a module", ABOVE, "module", "The function.", MORE, False)
case(
    "further text of a module",
    ABOVE,
    "module",
    "The module.",
    "The module.\n\nMore text.",
    True,
)
case(
    "member beside a table",
    TABLE,
    "child",
    "def overridden(self)",
    "def overridden(me)",
    False,
)
case("function in a table", TABLE, "module", "function(a)", "function(b)", True)


DUMP = """\
import json, os

views = {}

def note(app, page, url):
    views[page.name] = {
        os.path.basename(source.path): source.shows.objects
        for source in page.sources
        if source.shows.kind == "python"
    }
    return url

def write(app, exception):
    with open(os.path.join(app.outdir, "views.json"), "w") as file:
        json.dump(views, file)

def setup(app):
    app.connect("sitemap-url", note)
    app.connect("build-finished", write, priority=999)
    return {"parallel_read_safe": True}
"""


@pytest.fixture(scope="module", params=["serial", "parallel"])
def views(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Views:
    """Return the parts of the modules on each page, from a real build."""
    pages = {}
    for number, directive in enumerate(
        dict.fromkeys(change.directive for change in CHANGES)
    ):
        option = "" if directive.startswith("autosummary") else "   :no-index:\n"
        pages[f"p{number}.rst"] = document("Page") + f"\n.. {directive}\n{option}"
    site = SphinxSite.create(
        tmp_path_factory.mktemp("objects"),
        {
            "index.rst": document("Home", toctree=tuple(name[:-4] for name in pages)),
            **pages,
        }
        | {
            "dump.py": DUMP,
            **{f"../src/pkg/{name}": text for name, text in FILES.items()},
        },
        extensions=["sphinx.ext.autodoc", "sphinx.ext.autosummary", "dump"],
    )
    site.import_from("src")
    if request.param == "serial":
        site.log()
    else:
        site.run("html", "-j", "2")
    views: Views = json.loads((site.out() / "views.json").read_text())
    return views


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_only_changes_of_the_objects_on_a_page_count(
    views: Views, change: Change
) -> None:
    directives = [*dict.fromkeys(change.directive for change in CHANGES)]
    view = views[f"p{directives.index(change.directive)}.rst"]
    text = FILES[change.file]
    assert change.old in text
    changed = text.replace(change.old, change.new, 1)
    digests = {
        digest(
            version.encode(),
            msgspec.convert(view[change.file], tuple[ShownObject, ...]),
        )
        for version in (text, changed)
        if change.file in view
    }
    assert (len(digests) == 2) is change.is_seen, view


OTHER = '''\
class Base:
    """A base."""

    def first(self):
        """Do it."""

    def second(self):
        """Do more."""


def shown():
    """A function."""


def removed():
    """Another function."""
'''


def test_removed_members_count(project: Path) -> None:
    inherited = "   :members:\n   :inherited-members:\n"
    site = SphinxSite.create(
        project,
        {
            "index.rst": "Home\n====\n",
            "all.rst": ":orphan:\n\n.. automodule:: names.other\n   :members:\n",
            "inherited.rst": f":orphan:\n\n.. autoclass:: names.thing.Thing\n{inherited}",
            "single.rst": ":orphan:\n\n.. autofunction:: names.other.shown\n   :no-index:\n",
        },
        extensions=["sphinx.ext.autodoc"],
    )
    site.import_from(".")
    thing = 'from names.other import Base\n\nclass Thing(Base):\n    """A thing."""\n'
    first = OTHER.replace("def second", "def _second")
    second = first.replace("def removed", "def _removed")
    files = {"names/__init__.py": "", "names/other.py": OTHER, "names/thing.py": thing}
    site.repository.commit(files, day=2)
    site.repository.commit({"names/other.py": first}, day=3)
    site.repository.commit({"names/other.py": second}, day=4)
    site.log()
    expected = {"index": 1, "all": 4, "inherited": 3, "single": 2}
    assert days(site.read()) == expected


def test_type_aliases_of_other_modules_count(project: Path) -> None:
    """Autodoc shows the value of an alias in place of its name."""
    site = SphinxSite.create(
        project,
        {
            "index.rst": "Home\n====\n\n.. autofunction:: aliases.api.function\n",
            "other.rst": ":orphan:\n\n.. autofunction:: aliases.plain.function\n",
            "late.rst": ":orphan:\n\n.. autofunction:: aliases.late.function\n",
        },
        extensions=["sphinx.ext.autodoc"],
    )
    site.import_from(".")
    types = "from .keys import Key\nContext = dict[Key, {}]\nOther = {}\n"
    function = 'def function(a: Context):\n    """Do it."""\n'
    files = {
        "aliases/__init__.py": "from .types import Context\nfrom .rest import Rest\n"
        "from . import late\n\nlate.function.__annotations__['a'] = Context\n",
        "aliases/keys.py": "Key = tuple[str]\n",
        "aliases/rest.py": "Rest = tuple[int]\n",
        "aliases/types.py": types.format("int", 1),
        "aliases/api.py": f"from . import Context\n\n{function}",
        "aliases/plain.py": 'def function():\n    """Do it."""\n',
        # Pydantic resolves such names, too.
        "aliases/late.py": "from __future__ import annotations\n"
        "from typing import TYPE_CHECKING\n\n"
        f"if TYPE_CHECKING:\n    from . import Context\n\n{function}",
    }
    site.repository.commit(files, day=2)
    site.repository.commit({"aliases/types.py": types.format("str", 1)}, day=3)
    site.repository.commit({"aliases/types.py": types.format("str", 2)}, day=4)
    site.log()
    assert days(site.read()) == {"index": 3, "other": 2, "late": 3}
    site.repository.commit({"aliases/keys.py": "Key = tuple[bool]\n"}, day=5)
    site.repository.commit({"aliases/rest.py": "Rest = tuple[bool]\n"}, day=6)
    assert days(site.build()) == {"index": 5, "other": 2, "late": 5}


def test_the_spelling_of_optional_types_does_not_count(project: Path) -> None:
    site = SphinxSite.create(
        project,
        {"index.rst": "Home\n====\n\n.. autofunction:: spelled.api.function\n"},
        extensions=["sphinx.ext.autodoc"],
    )
    site.import_from(".")
    module = """\
from typing import *
from spelled.types import Context

Key = {}
Call = Callable[[{}], {}]

def function(a: {}, b: Key, c: Call, d: Context):
    \"\"\"Do it.\"\"\"
"""
    old, new = ("Optional[int]", "Union[str, bytes]"), ("int | None", "str | bytes")
    types = "from typing import *\nContext = dict[str, {}]\n"
    site.repository.commit(
        {
            "spelled/__init__.py": "",
            "spelled/api.py": module.format(old[0], *old, old[1]),
            "spelled/types.py": types.format(old[0]),
        },
        day=2,
    )
    path = "spelled/api.py"
    site.repository.commit({path: module.format(new[0], *new, new[1])}, day=3)
    site.repository.commit({"spelled/types.py": types.format(new[0])}, day=4)
    site.log()
    assert days(site.read()) == {"index": 2}
    site.repository.commit({"spelled/types.py": types.format("str | None")}, day=5)
    site.log()
    assert days(site.read()) == {"index": 5}
    site.repository.commit({path: module.format("str", *new, new[1])}, day=6)
    site.log()
    assert days(site.read()) == {"index": 6}


def test_a_documented_name_that_is_imported_counts(project: Path) -> None:
    site = SphinxSite.create(
        project,
        {"index.rst": "Home\n====\n\n.. autoclass:: renamed.Thing\n"},
        extensions=["sphinx.ext.autodoc"],
    )
    site.import_from(".")
    thing = {"renamed/thing.py": 'class Thing:\n    """A thing."""\n'}
    site.repository.commit({"renamed/__init__.py": "X = 1\n", **thing}, day=2)
    site.repository.commit(
        {"renamed/__init__.py": "from .thing import Thing\nX = 1\n"}, day=3
    )
    site.repository.commit(
        {"renamed/__init__.py": "from .thing import Thing\nX = 2\n"}, day=4
    )
    site.log()
    assert days(site.read()) == {"index": 3}


@pytest.mark.parametrize("is_for_checkers", [True, False])
def test_autodoc_shows_a_name_that_it_cannot_import_as_it_is_written(
    is_for_checkers: bool,
) -> None:
    guard = "if TYPE_CHECKING:\n    " if is_for_checkers else ""
    versions = [
        f"{guard}from outcome import Outcome\n\ndef function(a: Outcome):\n    pass\n",
        f"{guard}import outcome\n\ndef function(a: outcome.Outcome):\n    pass\n",
    ]
    shown = ShownObject("function", style=ObjectStyle("autodoc"))
    digests = {digest(version.encode(), [shown]) for version in versions}
    assert (len(digests) == 2) is is_for_checkers


def test_lists_of_names_are_not_shown() -> None:
    text = '__lazy_modules__ = ["{}"]\n__all__ = ["a", "b"]\na = 1\nb = 2\n'
    others = [text.replace('"a", "b"', '"b", "a"'), text.replace("{}", "re")]
    style = ObjectStyle("autodoc", ("!^_", "^__.+__$"), exported=True)
    module = ShownObject(style=style)
    versions = {digest(version.encode(), [module]) for version in (text, *others)}
    assert len(versions) == 1


@pytest.mark.parametrize(("is_full", "number"), [(True, 2), (False, 1)])
def test_autoapi_shows_full_names_of_types(is_full: bool, number: int) -> None:
    text = "from {} import Callable\n\ndef function(a: Callable[..., int]):\n    pass\n"
    style = ObjectStyle(full_types=is_full)
    shown = ShownObject("function", style=style)
    modules = ("typing", "collections.abc")
    digests = {digest(text.format(module).encode(), [shown]) for module in modules}
    assert len(digests) == number


FACTORY = '''\
from collections import namedtuple
from dataclasses import dataclass

def create(name):
    class Created:
        def method(self):
            """Do it."""

    return Created

def other():
    """Another function."""
    return 1

@dataclass
class Data:
    field: int = 1

    def method(self):
        """Do more."""

X = create("X")
Pair = namedtuple("Couple", "a b")
for name in ("Loop",):
    globals()[name] = type(name, (), {"__module__": __name__})
'''


@pytest.mark.parametrize(
    ("directive", "old", "new", "is_seen"),
    [
        (
            "autoclass:: f.Data\n   :special-members: __init__",
            "return 1",
            "pass",
            False,
        ),
        (
            "autoclass:: f.Data\n   :special-members: __init__",
            "field: int",
            "f: int",
            True,
        ),
        ("autoclass:: f.X", "return 1", "pass", False),
        ("autoclass:: f.X", 'X = create("X")', 'X = create("Y")', True),
        ("autoclass:: f.Pair", "return 1", "pass", False),
        ("autoclass:: f.Pair", '"a b"', '"a c"', True),
        ("autoclass:: f.Loop", "return 1", "pass", False),
    ],
)
def test_objects_that_are_defined_in_unusual_ways(
    project: Path, directive: str, old: str, new: str, is_seen: bool
) -> None:
    pages = {
        "index.rst": f"Home\n====\n\n.. {directive}\n   :undoc-members:\n",
        "../src/f.py": FACTORY,
    }
    site = SphinxSite.create(project, pages, extensions=["sphinx.ext.autodoc"])
    site.import_from("src")
    assert old in FACTORY
    site.repository.commit({"src/f.py": FACTORY.replace(old, new)}, day=2)
    site.log()
    assert days(site.read()) == {"index": 2 if is_seen else 1}


def test_a_function_with_the_name_of_its_module(project: Path) -> None:
    table = "\n.. autosummary::\n\n   p.f\n"
    function = '"""Module."""\n\ndef f():\n    """{}"""\n'
    site = SphinxSite.create(
        project,
        {
            "index.rst": "Home\n====\n\n.. autofunction:: p.f\n",
            "table.rst": f":orphan:\n\nTable\n=====\n{table}",
            "module.rst": ":orphan:\n\n.. automodule:: p.f\n",
            "../src/p/__init__.py": "from .f import f\n",
            "../src/p/f.py": function.format("F."),
        },
        extensions=["sphinx.ext.autodoc", "sphinx.ext.autosummary"],
    )
    site.import_from("src")
    site.repository.commit({"src/p/f.py": function.format("New.")}, day=2)
    site.log()
    assert days(site.read()) == {"index": 2, "table": 2, "module": 1}


def test_a_name_that_is_added_to_all_names(project: Path) -> None:
    """Autodoc then shows an object that the module imports."""
    site = SphinxSite.create(
        project,
        {
            "index.rst": "Home\n====\n\n.. automodule:: p\n   :members:\n",
            "single.rst": ":orphan:\n\n.. autofunction:: p.f\n   :no-index:\n",
            "../src/p/__init__.py": "from .m import f, g\n__all__ = ['g']\n",
            "../src/p/m.py": 'def f():\n    """F."""\n\ndef g():\n    """G."""\n',
        },
        extensions=["sphinx.ext.autodoc"],
    )
    site.import_from("src")
    names = "from .m import f, g\n__all__ = ['g', 'f']\n"
    site.repository.commit({"src/p/__init__.py": names}, day=2)
    site.log()
    assert days(site.read()) == {"index": 2, "single": 1}


def test_values_that_come_from_other_modules(project: Path) -> None:
    site = SphinxSite.create(
        project,
        {
            "index.rst": "Home\n====\n\n.. autodata:: p.ONE\n",
            "star.rst": ":orphan:\n\n.. autodata:: p.TWO\n",
            "package.rst": ":orphan:\n\n.. autodata:: p.THREE\n",
            "../src/p/__init__.py": (
                "from .m import ONE\nfrom .n import *\nfrom p_values import THREE\n"
            ),
            "../src/p_values.py": "THREE = 1\n",
            "../src/p/m.py": "from .k import K as ONE\n",
            "../src/p/k.py": "K = 1\n",
            "../src/p/n.py": "TWO = 1\nOTHER = 1\n",
        },
        extensions=["sphinx.ext.autodoc"],
    )
    site.import_from("src")
    site.repository.commit({"src/p/k.py": "K = 2\n"}, day=2)
    site.repository.commit({"src/p/n.py": "TWO = 2\nOTHER = 1\n"}, day=3)
    site.repository.commit({"src/p/n.py": "TWO = 2\nOTHER = 2\n"}, day=4)
    site.repository.commit({"src/p_values.py": "THREE = 2\n"}, day=5)
    site.log()
    assert days(site.read()) == {"index": 2, "star": 3, "package": 5}
