"""Changes that readers of API documentation do not see."""

from __future__ import annotations

import json
import shutil
import time
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from support.builds import as_sources, build_dates
from support.repository import Repository, noon

from docs_sitemap import DateStatus, History, Page, Source
from docs_sitemap.git.history_types import FileDate
from docs_sitemap.shown import Shown, ShownKind, selected_lines
from docs_sitemap.shown.python import digest_objects
from docs_sitemap.shown.shown_objects import Extent, ObjectStyle, ShownObject

LINE_ENDS = (b"\n", b"\r\n", b"\r")

API = Shown(ShownKind.PYTHON, objects=(ShownObject(),))

MODULE = '''\
"""A module."""

import os

LIMIT = 3
"""The limit."""


class Base:
    #: The name.
    name = "x"


class Thing(Base):
    """A thing."""

    def __init__(self, size: int = 1) -> None:
        self.size = size
        """The size."""
        self.unit: str = "m"  #: The unit.
        #: The text.
        text = f"{size} m"
        self.text = text
        self._cache = None

    @property
    def double(self) -> int:
        """Twice the size."""
        # Multiply.
        return 2 * self.size


async def load(path: str, *, times: int = LIMIT) -> bytes:
    """Load a file.

    The file is read.
    """
    return open(path).read()
'''

UNSEEN = {
    "implementation": ("return 2 * self.size", "return self.size + self.size"),
    "statements": ("return 2 * self.size", "if self.size:\n            return 2"),
    "comment": ("# Multiply.", "# Add."),
    "new comment": ("class Base:", "# The base.\nclass Base:"),
    "import": ("import os", "import os\nimport sys\nfrom pathlib import Path"),
    "quotes": ('name = "x"', "name = 'x'"),
    "line breaks": (
        "async def load(path: str, *, times: int = LIMIT)",
        "async def load(\n    path: str, *, times: int = LIMIT,\n)",
    ),
    "indentation of a docstring": (
        "    The file is read.\n    ",
        "    The file is read.",
    ),
    "blank lines": ("\n\n\n", "\n\n"),
    "local function": ("return open(", "def read():\n        pass\n    return open("),
    "type comment": ("-> bytes:", "-> bytes:  # type: (str) -> bytes"),
    "conditional": (
        'LIMIT = 3\n"""The limit."""',
        'if os.name == "nt":\n    LIMIT = 3\n    """The limit."""',
    ),
    "statement": ("import os", "import os\nos.name.upper()"),
}

SEEN = {
    "module docstring": ("A module.", "The module."),
    "value": ("LIMIT = 3", "LIMIT = 4"),
    "text of a value": ("The limit.", "The upper limit."),
    "comment of an attribute": ("#: The name.", "#: The short name."),
    "value of an attribute": ('name = "x"', 'name = "y"'),
    "base class": ("class Thing(Base)", "class Thing"),
    "class docstring": ("A thing.", "The thing."),
    "default": ("size: int = 1", "size: int = 2"),
    "annotation": ("size: int", "size: float"),
    "return annotation": ("-> bytes", "-> str"),
    "argument": ("times: int", "count: int"),
    "text of an instance attribute": ("The size.", "The full size."),
    "value of an instance attribute": ("self.size = size", "self.size = 2 * size"),
    "annotation of a described attribute": ("self.unit: str", "self.unit: object"),
    "name of a described attribute": ("self.text = text", "self.label = text"),
    "name of another attribute": ("self._cache", "self.cache"),
    "decorator": ("    @property\n", ""),
    "name": ("def double", "def twice"),
    "docstring": ("Twice the size.", "The size, twice."),
    "second paragraph": ("The file is read.", "The file is opened."),
    "kind": ("async def", "def"),
    "new function": ("async def load", "def save() -> None: ...\n\n\nasync def load"),
}


def digest_api(content: bytes, *objects: ShownObject) -> tuple[str, ...] | None:
    """Return the digests of a module, or of some of its objects; `None` if it is not
    Python.
    """
    try:
        digests = digest_objects(content, objects or (ShownObject(),))
    except ValueError:
        return None
    return tuple(digests.values())


def shown_object(text: str, **style: Any) -> ShownObject:
    """Return an object: `Class()` without members, `Class.__doc__`, and `Class?`, if it
    exists.
    """
    name = text.removesuffix("?")
    extent = Extent.ALL
    if name.endswith("()"):
        name, extent = name.removesuffix("()"), Extent.HEAD
    elif name.endswith("__doc__"):
        name, extent = name.removesuffix("__doc__").removesuffix("."), Extent.DOCSTRING
    return ShownObject(name, extent, text.endswith("?"), ObjectStyle(**style))


@pytest.mark.parametrize("name", UNSEEN)
def test_changes_that_no_documentation_shows(name: str) -> None:
    old, new = UNSEEN[name]
    assert old in MODULE
    changed = MODULE.replace(old, new)
    assert changed != MODULE
    assert digest_api(changed.encode()) == digest_api(MODULE.encode())


@pytest.mark.parametrize("name", SEEN)
def test_changes_that_documentation_can_show(name: str) -> None:
    old, new = SEEN[name]
    assert old in MODULE
    changed = MODULE.replace(old, new).encode()
    assert digest_api(changed) is not None
    assert digest_api(changed) != digest_api(MODULE.encode())


def test_a_comment_in_the_first_line_is_shown() -> None:
    assert digest_api(b"#: A.\nb = 1\n") != digest_api(b"#: B.\nb = 1\n")


def test_imports_are_not_shown() -> None:
    content = b"import pkg\nfrom os import path\nfrom . import a\nfrom .b import *\n"
    assert digest_api(content) == digest_api(b"")


def test_invalid_escapes_cause_no_warnings() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert digest_api(rb"X = '\d'") is not None


@pytest.mark.parametrize(
    "content",
    [
        b"def",
        b"print 'x'",
        b"\0",
        b"\xff",
        b"(" * 10_000,
        b"-" * 100_000 + b"1",
        b"x" + b".x" * 90_000,
        b"x = 0x" + b"f" * 9_000,
        b"# coding: unknown\n",
    ],
)
def test_modules_that_cannot_be_parsed_have_no_digest(content: bytes) -> None:
    assert digest_api(content) is None


def test_a_line_of_text_can_look_like_a_function() -> None:
    text = 'TEXT = """\ndef f():\n    pass\n@\n"""\n\n@decorate(\n    1\n)\n@b\ndef g(): ...\n'
    digest = digest_api(text.encode())
    assert digest is not None
    for old, new in (("pass", "more"), ("    1", "    2"), ("@b", "@c")):
        assert digest_api(text.replace(old, new).encode()) not in (digest, None)
    hidden = text.replace("g(): ...", "g(): pass")
    assert digest_api(hidden.encode()) == digest


@given(
    st.binary(max_size=200)
    | st.text("\"'#:def class()\n =x@", max_size=60).map(str.encode)
)
def test_any_content_can_be_read(content: bytes) -> None:
    digest = digest_api(content)
    assert digest is None or digest == digest_api(content + b"\n# A comment\n")


def find_date(
    project: Path, *, cache: Path | None = None, **options: Any
) -> str | None:
    path = str(project / "a.py")
    own = str(project / "a.rst")
    page = Page(
        url="a", name="a.rst", sources=(*as_sources(own), Source(path, shows=API))
    )
    return build_dates(page, history=History(cache), **options).listed[0].url.lastmod


def test_the_date_is_that_of_the_newest_commit_that_readers_see(
    project: Path, tmp_path: Path
) -> None:
    repository = Repository.create(project)
    repository.commit({"a.rst": "A", "a.py": MODULE}, day=1)
    assert find_date(project, cache=tmp_path) == noon(1)
    seen = MODULE.replace(*SEEN["docstring"])
    repository.commit({"a.py": seen}, day=2)
    assert find_date(project, cache=tmp_path) == noon(2)
    for day, name in enumerate(UNSEEN, start=3):
        repository.commit({"a.py": seen.replace(*UNSEEN[name])}, day=day)
    assert find_date(project) == find_date(project, cache=tmp_path) == noon(2)
    repository.commit({"a.py": "def broken("}, day=20)
    assert find_date(project) == noon(20)
    repository.commit({"a.py": seen}, day=21)
    assert find_date(project) == noon(21), "the version before cannot be parsed"


def test_the_same_file_can_be_shown_as_code_on_another_page(project: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"a.py": MODULE}, day=1)
    repository.commit({"a.py": MODULE.replace(*UNSEEN["comment"])}, day=2)
    path = str(project / "a.py")
    shown = Page(url="code", name="code", sources=as_sources(path))
    documented = Page(url="api", name="api", sources=(Source(path, shows=API),))
    report = build_dates(shown, documented)
    assert {entry.page.name: entry.url.lastmod for entry in report.listed} == {
        "code": noon(2),
        "api": noon(1),
    }


def test_merges_move_files_to_the_parent_that_readers_see(project: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"a.rst": "A", "a.py": MODULE}, day=1)
    repository.git("checkout", "--quiet", "-b", "side")
    seen = MODULE.replace(*SEEN["docstring"])
    repository.commit({"a.py": seen}, day=2)
    repository.git("checkout", "--quiet", "main")
    repository.commit({"a.py": MODULE.replace(*UNSEEN["comment"])}, day=3)
    repository.git("merge", "--quiet", "--no-commit", "--strategy=ours", "side", day=4)
    repository.commit({"a.py": seen.replace(*UNSEEN["comment"])}, day=4)
    assert find_date(project) == noon(4)
    assert find_date(project, lastmod_date="committed") == noon(2)


def test_a_merge_that_changes_nothing_that_readers_see_does_not_date_a_page(
    project: Path, tmp_path: Path
) -> None:
    repository = Repository.create(project)
    repository.commit({"a.rst": "A", "a.py": MODULE}, day=1)
    seen = MODULE.replace(*SEEN["docstring"])
    for name, text, day in (("x", seen, 3), ("y", seen.replace(*UNSEEN["comment"]), 6)):
        repository.git("checkout", "--quiet", "-b", name)
        repository.commit({"a.py": text}, day=day)
        repository.git("checkout", "--quiet", "main")
        repository.commit({name: "1"}, day=day + 1)
        repository.git("merge", "--quiet", "--no-ff", "-m", "merge", name, day=day + 2)
        assert find_date(project, cache=tmp_path) == noon(5)
        assert find_date(project) == noon(5)
    assert find_date(project, lastmod_date="committed") == noon(3)


def test_without_old_contents_every_change_counts(
    project: Path, tmp_path: Path
) -> None:
    origin = Repository.create(tmp_path / "origin")
    origin.commit({"a.rst": "A", "a.py": MODULE}, day=1)
    origin.commit({"a.py": MODULE.replace(*UNSEEN["comment"])}, day=2)
    origin.git("config", "uploadpack.allowFilter", "true")
    options = ("--quiet", "--filter=blob:none")
    Repository(tmp_path).git("clone", *options, origin.path.as_uri(), str(project))
    assert find_date(project) == noon(2)
    shutil.rmtree(project)
    Repository(tmp_path).git("clone", "--quiet", origin.path.as_uri(), str(project))
    assert find_date(project) == noon(1)


def read_source(project: Path, cache: Path | None = None) -> FileDate:
    path, own = str(project / "a.py"), str(project / "a.rst")
    shown = Source(path, shows=API)
    page = Page(url="a", name="a.rst", sources=(*as_sources(own), shown))
    (listed,) = build_dates(page, history=History(cache)).listed
    date = listed.dates[shown]
    assert listed.lastmod.status is date.status
    return date


def test_commits_that_are_passed_over_are_reported(
    project: Path, tmp_path: Path
) -> None:
    repository = Repository.create(project)
    repository.commit({"a.rst": "A", "a.py": MODULE}, day=1)
    first = repository.git("rev-parse", "HEAD").strip()
    assert read_source(project, tmp_path).skipped == 0
    for day, name in enumerate(["comment", "import", "quotes"], start=2):
        repository.commit({"a.py": MODULE.replace(*UNSEEN[name])}, day=day)
    for source in (read_source(project), read_source(project, tmp_path)):
        assert (source.hash, source.status) == (first, DateStatus.COMMIT)
        assert source.skipped == 3
    seen = MODULE.replace(*SEEN["docstring"])
    repository.commit({"a.py": seen}, day=6)
    repository.commit(
        {".git-blame-ignore-revs": f"{repository.git('rev-parse', 'HEAD')}\n"}, day=7
    )
    for source in (read_source(project), read_source(project, tmp_path)):
        assert (source.hash, source.skipped) == (first, 4)


OBJECTS = '''\
"""A module."""

import os

LIMIT = 3

Sizes = list[int]

if os.name == "nt":
    MODE = "w"
else:
    MODE = "x"


class Color:
    RED = 1
    BLUE = 2


class Base:
    """A base."""

    def inherited(self) -> None:
        """Do it."""

    def other(self) -> None:
        """Do more."""


class Thing(Base):
    """A thing."""

    LOW = 1

    #: The name.
    name = "x"

    size: int = 1
    """The size."""

    def __init__(self) -> None:
        """Create a thing."""
        self.unit = "m"
        """The unit."""
        self.weight = 2

    def inherited(self) -> None:
        pass

    def scale(self, by: int = LOW) -> None:
        """Scale."""


def load(times: int = LIMIT, color: int = Color.RED) -> "Sizes":
    """Load."""


def save(mode: str = MODE) -> None:
    """Save."""
'''

# An object, a change, and whether the documentation of the object can show the change.
OBJECT_CHANGES = {
    "docstring": ("save", "Save.", "Save it.", True),
    "other docstring": ("save", "Load.", "Load it.", False),
    "docstring of the module": ("save", "A module.", "The module.", False),
    "member of a class": ("Thing", "Scale.", "Scale it.", True),
    "other member": ("Thing.name", "Scale.", "Scale it.", False),
    "other docstring of a base class": (
        "Thing.inherited",
        "Do more.",
        "Do less.",
        False,
    ),
    "comment of an attribute": ("Thing.name", "The name.", "A name.", True),
    "comment of another attribute": ("Thing.size", "The name.", "A name.", False),
    "docstring of an attribute": ("Thing.size", "The size.", "A size.", True),
    "docstring of an instance attribute": ("Thing.unit", "The unit.", "A unit.", True),
    "other instance attribute": ("Thing.weight", '"m"', '"cm"', False),
    "unknown attribute": ("Thing.unknown", "Scale.", "Scale it.", True),
    "unknown object": ("unknown", "Load.", "Load it.", True),
    "other module": ("save", "import os", "import os\nimport sys", False),
    "only the docstring of the module": ("__doc__", "A module.", "The module.", True),
    "other than the docstring of the module": ("__doc__", "Load.", "Load it.", False),
    "only the docstring of a class": ("Thing.__doc__", "A thing.", "The thing.", True),
    "other than the docstring of a class": (
        "Thing.__doc__",
        "Scale.",
        "Scale it.",
        False,
    ),
    "class without its members": ("Thing()", "Scale.", "Scale it.", False),
    "signature of a class without its members": ("Thing()", "Create a", "Make a", True),
    "base class of another module": ("Thing()", "Thing(Base)", "Thing(Other)", True),
    "other value of a member": ("Thing.name", 'name = "x"', 'name = "y"', True),
    "optional object": ("Thing.scale?", "Scale.", "Scale it.", True),
    "other than an optional object": ("Thing.scale?", "A thing.", "The thing.", False),
    "optional object that is missing": ("Thing.unknown?", "Scale.", "Scale it.", False),
    "optional object that is added": ("Thing.added?", "def scale(", "def added(", True),
}


@pytest.mark.parametrize("name", OBJECT_CHANGES)
def test_only_the_objects_of_the_page_count(name: str) -> None:
    part, old, new, is_seen = OBJECT_CHANGES[name]
    assert old in OBJECTS
    changed = OBJECTS.replace(old, new, 1).encode()
    before = digest_api(OBJECTS.encode(), shown_object(part))
    assert before is not None
    assert (before != digest_api(changed, shown_object(part))) is is_seen
    assert before != digest_api(OBJECTS.encode(), ShownObject("Color"))


RULED = '''\
"""A module."""

import typing as t
from collections import abc

__all__ = ["Record", "Thing", "load"]

LIMIT = 3

#: The name.
NAME = "x"


class Thing:
    """A thing."""

    low = 1

    def __init__(self, size: int = 1) -> None:
        """Create a thing."""
        self.size = size
        self._cache = None

    def __len__(self) -> int:
        """Return the size."""
        return self.size

    def plain(self, a: t.Optional[int], b: "abc.Sequence[int]" = ()) -> None:
        pass

    @property
    def double(self) -> int:
        """Double."""
        return 2 * self.size

    def format(self, suffix: t.Literal["a.json"]) -> None:
        """
        Args:
            size: The size.
        """

    def _private(self) -> None:
        """Do it."""


class Bare:
    def method(self) -> None:
        """Do more."""


@dataclass
class Record(Thing):
    """A record."""

    kind: str


def load(path: str, limit: int = LIMIT) -> bytes:
    """Load.

    Args:
        path: The path.
    """
    return open(path).read()


def hidden() -> None:
    """Hide."""
'''

AUTODOC: dict[str, Any] = {
    "tool": "autodoc",
    "exported": True,
    "filters": ("!^_",),
    "undocumented": False,
}
GRIFFE: dict[str, Any] = {
    "tool": "griffe",
    "filters": ("!^_[^_]",),
    "undocumented": False,
}

# A style, an object, a change, and whether a page in this style shows the change.
STYLES: dict[str, tuple[dict[str, Any], str, str, str, bool]] = {
    "private": ({"filters": ("!^_",)}, "", "Do it.", "New.", False),
    "named private": ({"filters": ("!^_",)}, "Thing._private", "Do it.", "New.", True),
    "all": ({}, "", "Do it.", "New.", True),
    "only some": ({"filters": ("^_private$", "^Thing$")}, "", "Do it.", "New.", True),
    "not some": ({"filters": ("^_private$", "^Thing$")}, "", "Do more.", "New.", False),
    "last filter": (
        {"filters": ("!e", "^Bare$", "^method$")},
        "",
        "Do more.",
        "New.",
        True,
    ),
    "special": (GRIFFE, "Thing", "Return the", "The", True),
    "hidden special": (AUTODOC, "Thing", "Return the", "The", False),
    "undocumented": (
        {"undocumented": False},
        "Thing",
        "def plain",
        "def simple",
        False,
    ),
    "undocumented value": (
        {"undocumented": False},
        "",
        "LIMIT = 3",
        "LIMIT = 4",
        False,
    ),
    "shown undocumented": ({}, "Thing", "def plain", "def simple", True),
    "instance attribute": ({}, "Thing", "self.size = size", "self.size = 2", True),
    "undocumented instance attribute": (
        AUTODOC | {"undocumented": True},
        "Thing",
        "self.size = size",
        "self.size = 2",
        False,
    ),
    "name of an undocumented instance attribute": (
        AUTODOC | {"undocumented": True},
        "Thing",
        "self.size = size",
        "self.extent = size",
        False,
    ),
    "comment": (AUTODOC, "NAME", "The name.", "New.", True),
    "__all__": (AUTODOC, "", "Hide.", "New.", False),
    "only for autodoc": (GRIFFE, "", "Hide.", "New.", True),
    "name in __all__": (AUTODOC, "", "A record.", "New.", True),
    "member of a class in __all__": (AUTODOC, "", "Double.", "New.", True),
    "class with documented members": (GRIFFE, "", "Do more.", "New.", True),
    "value in a signature": (AUTODOC, "load", "LIMIT = 3", "LIMIT = 4", True),
    "name in a signature": (GRIFFE, "load", "LIMIT = 3", "LIMIT = 4", False),
    "union": (AUTODOC, "Thing.plain", "t.Optional[int]", "int | None", False),
    "union with a name": (
        AUTODOC,
        "Thing.plain",
        "t.Optional[int]",
        "t.Union[int, None]",
        False,
    ),
    "order of a union": (AUTODOC, "Thing.plain", "t.Optional[int]", "None | int", True),
    "union in the source": (
        GRIFFE,
        "Thing.plain",
        "t.Optional[int]",
        "int | None",
        True,
    ),
    "module of a type": (
        AUTODOC,
        "Thing.plain",
        '"abc.Sequence[int]"',
        "Sequence[int]",
        False,
    ),
    "type": (
        AUTODOC,
        "Thing.plain",
        '"abc.Sequence[int]"',
        '"abc.Iterable[int]"',
        True,
    ),
    "text in a type": (GRIFFE, "Thing.format", '"a.json"', '"b.json"', True),
    "indentation in a docstring": (GRIFFE, "Thing.format", "    size:", "size:", True),
    "signature of a class": (
        {},
        "Thing()",
        "size: int = 1",
        "size=1",
        True,
    ),
    "docstring of __init__": (
        {},
        "Thing()",
        "Create",
        "Make",
        True,
    ),
    "no __init__": (
        {"init": False},
        "Thing()",
        "size: int = 1",
        "size: int = 2",
        False,
    ),
    "code of a property": (
        {"source": True},
        "Thing.double",
        "2 * self.size",
        "self.size + self.size",
        False,
    ),
    "field of a data class": ({}, "Record()", "kind: str", "kind: int", True),
    "hidden field of a data class": (
        {"fields": False},
        "Record()",
        "kind: str",
        "kind: int",
        False,
    ),
    "first line": ({"end": "\n"}, "load.__doc__", "Load.", "Read.", True),
    "below the first line": (
        {"end": "\n"},
        "load.__doc__",
        "The path.",
        "A path.",
        False,
    ),
    "base class": ({}, "Record", "Record(Thing)", "Record(Bare)", True),
    "hidden base class": (
        {"bases": False},
        "Record",
        "Record(Thing)",
        "Record(Bare)",
        False,
    ),
    "source": ({"source": True}, "load", "open(path).read()", "read(path)", True),
    "no source": ({}, "load", "open(path).read()", "read(path)", False),
    "source of another function": (
        {"source": True},
        "hidden",
        "open(path).read()",
        "",
        False,
    ),
    "source of a class": (
        {"source": True, "init": False},
        "Thing()",
        "return self.size",
        "return 1",
        True,
    ),
}


@pytest.mark.parametrize("name", STYLES)
def test_styles_decide_what_pages_show(name: str) -> None:
    style, part, old, new, is_seen = STYLES[name]
    assert old in RULED
    item = shown_object(part, **style)
    before = digest_api(RULED.encode(), item)
    assert before is not None
    assert (before != digest_api(RULED.replace(old, new, 1).encode(), item)) is is_seen


@pytest.mark.parametrize(
    ("start", "are_parameters"),
    [
        ("@dataclass\nclass A:", True),
        ("@dataclasses.dataclass(frozen=True)\nclass A:", True),
        ("@define\nclass A:", True),
        ("@attrs.frozen\nclass A:", True),
        ("class A(NamedTuple):", True),
        ("class A(typing.NamedTuple):", True),
        ("@final\nclass A(Base):", False),
    ],
)
def test_fields_of_data_classes_are_parameters(
    start: str, are_parameters: bool
) -> None:
    before, after = (
        digest_api(f"{start}\n    b: {name}\n".encode(), shown_object("A()"))
        for name in ("int", "float")
    )
    assert (before != after) is are_parameters


@pytest.mark.parametrize(
    "definitions",
    [
        ["@overload\ndef f(a: int): ...\n", "@overload\ndef f(a: str): ...\n"],
        ["def f(a: int):\n    pass\n", "@f.register\ndef f(a: str):\n    pass\n"],
        ["if A:\n    def f(a: int): ...\n", "else:\n    def f(a: str): ...\n"],
        ["f: int = 1\n", "def g(): ...\n", "f: str = 2\n"],
    ],
)
def test_all_definitions_of_a_name_are_shown(definitions: list[str]) -> None:
    text = '"""A module."""\n' + "".join(definitions)
    digests = {digest_api(text.encode(), ShownObject("f"))}
    for old, new in (("int", "float"), ("str", "bytes")):
        digests.add(digest_api(text.replace(old, new).encode(), ShownObject("f")))
    assert len(digests) == 3


WRAPPED = b"""\
class Thing:
    def load(self) -> None:
        \"\"\"Load.

        Plain text that
        is wrapped.

            A quote that
            is wrapped

        .. note:: A note that
            is wrapped.

            Its text
            goes on. An example::

                first
                second

        .. versionchanged:: 1.2
            The change that
            is wrapped.

            - An item.
            - Another item.

            Its text
            goes on.

        .. code-block:: text

            first line
            second line

        :param path: The path
            is wrapped.

        Args:
            path: The path.
            name: The name
                is wrapped.

        Example
        ------------
        >>> load(
        ...     1)
        1
        \"\"\"
"""


@pytest.mark.parametrize(
    ("old", "new", "is_seen"),
    [
        (b"Plain text that\n        is", b"Plain text\n        that is", False),
        (b"quote that\n            is", b"quote\n            that is", False),
        (b"change that\n            is", b"change\n            that is", False),
        (b"Its text\n            goes on.\n", b"Its text goes on.\n", False),
        (b"The change that", b"A change that", True),
        (b"item.\n            - An", b"item. An", True),
        (b"first\n                sec", b"first sec", True),
        (b"first line\n            sec", b"first line sec", True),
        (b"Load.\n", b"Load.  \n", False),
        (b"Load.\n", b"Load.\n\n        .. _load:\n", False),
        (b"Load.\n", b"Load.\n\n        .. A comment.\n", False),
        (b"The path\n            is", b"The path is", False),
        (b"The path\n            is", b"The path\n\n        is", True),
        (b"The name\n                is", b"The name is", False),
        (b"path.\n            name", b"path. name", True),
        (b"            name: The", b"        name: The", True),
        (b"Args:\n            path", b"Args: path", True),
        (b"-" * 12, b"-" * 7, False),
        (b"...     1)", b"...  1)", True),
        (b"load(\n        ...", b"load(", True),
    ],
)
def test_text_in_docstrings_can_be_wrapped(
    old: bytes, new: bytes, is_seen: bool
) -> None:
    assert old in WRAPPED
    changed = WRAPPED.replace(old, new)
    assert (API.changed_keys(b"", WRAPPED, changed) is None) is is_seen


def test_code_in_a_docstring_of_markdown_cannot_be_wrapped() -> None:
    old = b'"""A.\n\n```\nb\nc\n```\n"""\n'
    assert API.changed_keys(b"", old, old.replace(b"b\nc", b"b c")) is None


NAMES = """\
args = {0}
path = {0}
LIMIT = {0}
mode = {0}
text = {0}

class Level:
    low = {0}

@dataclass
class Data:
    path: int = 2

def f({1}): ...
"""


@pytest.mark.parametrize(
    ("signature", "are_values_shown"),
    [
        ("path, *args, **kwargs", False),
        ("mode='text', other=b'mode'", False),
        ("other=create(path='a', args=1)", False),
        ("other=create(mode)", True),
        ("other: LIMIT", True),
        ("other: 'LIMIT'", True),
        ("other=LIMIT", True),
        ("other=Level.low", True),
        ("other=f'{LIMIT}'", True),
        ("other=-LIMIT", True),
    ],
)
def test_only_names_in_a_signature_stand_for_values(
    signature: str, are_values_shown: bool
) -> None:
    """Autodoc shows values of names, but parameters, texts, and the names of fields in
    Python's syntax tree are none.
    """
    objects = [
        shown_object("f", tool="autodoc"),
        shown_object("Data()", tool="autodoc"),
    ]
    before, after = (
        digest_api(NAMES.format(value, signature).encode(), *objects)
        for value in (1, 2)
    )
    assert before is not None
    assert (before != after) is are_values_shown


def test_the_order_of_members_does_not_count() -> None:
    old, new = b"def a(): pass\ndef b(): pass\n", b"def b(): pass\ndef a(): pass\n"
    assert digest_api(old) == digest_api(new)


def test_an_object_can_be_shown_in_several_styles() -> None:
    objects = shown_object("load", **AUTODOC), shown_object("load", **GRIFFE)
    changed = RULED.replace("LIMIT = 3", "LIMIT = 4").encode()
    assert digest_api(RULED.encode(), *objects) != digest_api(changed, *objects)
    assert digest_api(RULED.encode(), objects[1]) == digest_api(changed, objects[1])


MODULES = {
    "blank lines": 'def f():\n    """' + "\n" * 100_000 + 'A.\n    """\n',
    "spaces": 'def f():\n    """A.' + " \t" * 50_000 + '\n    """\n',
    "exported": "__all__ = [" + "'a', " * 20_000 + "]\na = 1\n",
    "exported names": "".join(f"__all__ += ['a{i}']\na{i} = 1\n" for i in range(5_000)),
    "conditions": "if 1:\n    pass\n" + "elif 1:\n    a = 1\n" * 800,
    "chains": "if " + "a.b + " * 400 + "1:\n    c = 1\n",
    "comments": "".join(f"#: A.\na{i} = [\n    1,  #: B.\n]\n" for i in range(5_000)),
    "comments above": "#: A.\n" * 20_000 + "a = 1; b = 1; c = 1\n",
    "comment of many": "a = 1; " * 8_000 + f"b = 1  #: {'A.' * 20_000}\n",
    "names": "a = b = c = " * 5_000 + "[" + "1, " * 20_000 + "]\n",
    "targets": "(" + ", ".join(f"a{i}" for i in range(10_000)) + ") = d\n",
    "keyword": f"def f(a=g({'a' * 200_000}=1)): ...\n",
    "docstring of many": " = ".join(f"a{i}" for i in range(5_000))
    + f' = 1\n"""{"A" * 50_000}"""\n',
    "defaults": "A = 1\ndef f("
    + ", ".join(f"a{i}=A" for i in range(5_000))
    + "): pass\n",
    "shared value": f"A = [{'1, ' * 20_000}]\n" + "def f(a=A): pass\n" * 4_000,
    "attributes": "".join(f"def f{i}(a: g(){'.b' * 150}): pass\n" for i in range(300)),
    "assigned attributes": "class A:\n    def f(self):\n        self"
    + ".b" * 5_000
    + " = 1\n",
    "classes": "class A:\n    def f(self):\n        self.a = 1\n" * 3_000,
    "methods": "class A:\n"
    + "".join(f"    def f{i}(self): self.a{i} = 1\n" for i in range(5_000)),
    "nested classes": "".join(" " * i + f"class A{i}:\n" for i in range(90))
    + " " * 90
    + "pass\n",
}


@pytest.mark.parametrize("tool", ["", "autodoc", "griffe"])
@pytest.mark.parametrize("name", MODULES)
def test_modules_take_little_time(name: str, tool: str) -> None:
    style = ObjectStyle(tool, undocumented=tool == "", source=tool == "griffe")
    objects = [ShownObject(name, style=style) for name in ("", "A", "f", "missing")]
    content = MODULES[name].encode()
    start = time.process_time()
    digest_api(content, *objects)
    assert time.process_time() - start < 4.0


def test_line_ends_are_the_same_on_all_systems() -> None:
    shown = Shown(ShownKind.LINES, (selected_lines(lines="1-3"),))
    digests = {shown.digest(end.join([b"a", b"", b"b"])) for end in LINE_ENDS}
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("selection", "shown"),
    [
        ({"ranges": "0:2"}, "ab"),
        ({"ranges": "2:9"}, "bcd"),
        ({"ranges": ":2,4"}, "abd"),
        ({"lines": "2-"}, "bcd"),
        ({"lines": "3-9"}, "cd"),
        ({"lines": "4,-2"}, "dab"),
        ({"start_at": "b"}, "bcd"),
        ({"start_after": "b"}, "cd"),
        ({"end_at": "c"}, "abc"),
        ({"end_before": "c"}, "ab"),
        ({"start_after": "a", "end_at": "c", "lines": "2"}, "c"),
        ({"text": 1, "start_line": 1, "end_line": 3}, "bc"),
        ({"text": 1, "end_line": -1}, "abc"),
    ],
)
def test_a_selection_has_its_lines(selection: dict[str, str | int], shown: str) -> None:
    part = selected_lines(**selection)
    digest = Shown(ShownKind.LINES, (part,)).digest(b"a\nb\nc\nd")
    every_line = Shown(ShownKind.LINES, (selected_lines(ranges="1:"),))
    assert digest == every_line.digest("\n".join(shown).encode())


def test_lines_that_no_version_contains_can_have_changed() -> None:
    shown = Shown(ShownKind.LINES, (selected_lines(section="one"),))
    assert shown.changed_keys(b"a.txt", b"a", b"b") is None


def test_the_first_line_of_a_selection_does_not_end_it() -> None:
    part = selected_lines(start_at="# Step", end_before="# Step")
    shown = Shown(ShownKind.LINES, (part,))
    digest = shown.digest(b"# Step 1\na\n# Step 2\nb\n")
    assert digest == shown.digest(b"# Step 1\na\n# Step 2\nc\n") is not None
    assert digest != shown.digest(b"# Step 1\nc\n# Step 2\nb\n")


def test_a_line_that_moves_to_another_part_is_a_change() -> None:
    parts = [selected_lines(section=name) for name in ("one", "two")]
    shown = Shown(ShownKind.LINES, tuple(parts))

    def digest(*sections: str) -> bytes | None:
        text = ""
        for name, lines in zip(("one", "two"), sections, strict=True):
            text += f"--8<-- [start:{name}]\n{lines}--8<-- [end:{name}]\n"
        return shown.digest(text.encode())

    assert digest("a\nb\n", "c\n") != digest("a\n", "b\nc\n")


MESSAGES = Shown(ShownKind.MESSAGES, (".rst", "a"))


def test_translations_with_a_context_are_of_other_messages() -> None:
    text = 'msgid "a"\nmsgstr "b"\n\nmsgctxt "menu"\nmsgid "a"\nmsgstr "c"\n'
    other = text.replace('"c"', '"d"')
    assert MESSAGES.changed_keys(b"", text.encode(), other.encode()) == set()


def test_an_entry_can_contain_an_empty_line() -> None:
    text = 'msgid "a"\n\nmsgstr "b"\n'
    other = text.replace('"b"', '"c"')
    assert MESSAGES.changed_keys(b"", text.encode(), other.encode()) is None


@pytest.mark.parametrize(
    ("text", "translation"),
    [
        ('msgid "a"\nmsgstr "b"\n', "b"),
        ('msgid ""\n"a"\nmsgstr ""\n"\\tb\\n"\n"\\\\c"\n', "\tb\n\\c"),
        ('msgid ""\nmsgstr ""\n"Language: tzl_TZL\\n"\n\nmsgid "a"\nmsgstr "b"\n', "b"),
        (
            'msgid ""\nmsgstr ""\n"PO-Revision-Date: soon\\n"\n\nmsgid "a"\nmsgstr "b"\n',
            "b",
        ),
        (
            'msgid ""\nmsgstr ""\n"POT-Creation-Date: 1\\n"\n'
            '"Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n"\n\nmsgid "a"\nmsgstr "b"\n',
            "b",
        ),
        ('#, fuzzy\nmsgid "a"\nmsgstr "b"\n', ""),
        ('#, python-format\nmsgid "a"\nmsgstr "b"\n', "b"),
        ('#| msgid "x"\nmsgid "a"\nmsgstr "b"\n', "b"),
        ('#~| msgid "x"\n#~ msgid "a"\n#~ msgstr "c"\n', ""),
        ('#, fuzzy\n#~ msgid "x"\n#~ msgstr "c"\nmsgid "a"\nmsgstr "b"\n', "b"),
        ('msgid "a"\nmsgid_plural "as"\nmsgstr[0] "b"\nmsgstr[1] "c"\n', ""),
        ('<<<<<<< HEAD\nmsgid "a"\nmsgstr "b"\n=======\n', "b"),
        ('msgid "a"\r\nmsgstr "b\u2028"\r\n', "b\u2028"),
        ('\ufeffmsgid "a"\nmsgstr "b"', "b"),
        ('"x"\nmsgstr "c"\nmsgid x\nmsgid "a"\nmsgstr "b"\nmsgid "c', "b"),
    ],
)
def test_what_can_be_read_of_a_catalog_is_read(text: str, translation: str) -> None:
    simple = f'msgid "a"\nmsgstr {json.dumps(translation, ensure_ascii=False)}\n'
    other = simple.replace('msgstr "', 'msgstr "other ')
    invalid = b'\nmsgid "\xff"\nmsgstr "\xfe"\n'
    for content in (text.encode(), text.encode() + invalid):
        assert MESSAGES.changed_keys(b"", simple.encode(), content) == set()
        assert MESSAGES.changed_keys(b"", content, simple.encode()) == set()
        assert MESSAGES.changed_keys(b"", other.encode(), content) is None
        assert MESSAGES.changed_keys(b"", content, other.encode()) is None


def test_large_catalogs_are_compared(project: Path) -> None:
    repository = Repository.create(project)
    path = project / "a.po"
    other = "\n".join(
        f'msgid "{number}"\nmsgstr "{"x" * 100}"\n' for number in range(25_000)
    )
    assert len(other) > 2**21
    repository.commit({"a.po": f'msgid "a"\nmsgstr "b"\n\n{other}'}, day=1)
    repository.commit({"a.po": f'msgid "a"\nmsgstr "c"\n\n{other}'}, day=2)
    repository.commit(
        {"a.po": f'msgid "a"\nmsgstr "c"\n\n{other}\n#. Comment\n'}, day=3
    )
    source = Source(str(path), shows=MESSAGES)
    (listed,) = build_dates(Page(url="a", name="a", sources=(source,))).listed
    assert listed.url.lastmod == noon(2)


def test_digests_do_not_depend_on_earlier_ones() -> None:
    """In a module without `__all__`, all names may be exported."""
    optional = ShownObject(extent=Extent.EXPORTS)
    digests = []
    for name in ("a", "b"):
        content = f"def exported_{name}(): ...\n".encode()
        digest_api(content, optional)
        digests.append(digest_api(content, ShownObject("__all__")))
    assert digests[0] != digests[1]
