"""Changes that readers of API documentation do not see."""

from __future__ import annotations

import shutil
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.builds import as_sources, build_dates
from support.repository import Repository, noon

from docs_sitemap import DateStatus, FileDate, History, Page, Shown, ShownKind, Source

API = Shown(ShownKind.PYTHON)

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
    "indentation of a docstring": ("    The file is read.\n    ", "    The file is read."),
    "blank lines": ("\n\n\n", "\n\n"),
    "local function": ("return open(", "def read():\n        pass\n    return open("),
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
    "type comment": ("-> bytes:", "-> bytes:  # type: (str) -> bytes"),
    "new function": ("async def load", "def save() -> None: ...\n\n\nasync def load"),
    "conditional": ("LIMIT = 3", "if os.name == 'nt':\n    LIMIT = 3"),
    "statement": ("LIMIT = 3", "LIMIT = 3\nos.name.__doc__ = ''"),
}


def digest_api(path: bytes, content: bytes, *parts: str) -> bytes | None:
    """Return the digest of a module, or of some of its objects; `None` if it is not Python."""
    return Shown(ShownKind.PYTHON, parts).digest(path, content)


@pytest.mark.parametrize("name", UNSEEN)
def test_changes_that_no_documentation_shows(name: str) -> None:
    old, new = UNSEEN[name]
    assert old in MODULE
    changed = MODULE.replace(old, new)
    assert changed != MODULE
    assert digest_api(b"a.py", changed.encode()) == digest_api(b"a.py", MODULE.encode())


@pytest.mark.parametrize("name", SEEN)
def test_changes_that_documentation_can_show(name: str) -> None:
    old, new = SEEN[name]
    assert old in MODULE
    changed = MODULE.replace(old, new).encode()
    assert digest_api(b"a.py", changed) is not None
    assert digest_api(b"a.py", changed) != digest_api(b"a.py", MODULE.encode())


def test_packages_can_show_what_they_import_from_their_own_modules() -> None:
    outside = b"import pkg\nfrom os import path\nfrom pkgs import a\n"
    for path in (b"pkg/__init__.py", b"src/pkg/__init__.py", b"pkg/__init__.pyi"):
        empty = digest_api(path, b"")
        assert digest_api(path, outside) == empty
        for content in (b"from .a import b", b"from . import a", b"from pkg.a import b"):
            assert digest_api(path, content) != empty
            assert digest_api(b"pkg/a.py", content) == digest_api(b"pkg/a.py", b"")


def test_invalid_escapes_cause_no_warnings() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert digest_api(b"a.py", rb"X = '\d'") is not None


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
    ],
)
def test_modules_that_cannot_be_parsed_have_no_digest(content: bytes) -> None:
    assert digest_api(b"a.py", content) is None


@given(st.binary(max_size=200) | st.text("\"'#:def class()\n =x@", max_size=60).map(str.encode))
def test_any_content_can_be_read(content: bytes) -> None:
    digest_api(b"a.py", content)


def find_date(project: Path, *, cache: Path | None = None) -> str | None:
    path = str(project / "a.py")
    own = str(project / "a.rst")
    page = Page(url="a", name="a.rst", sources=(*as_sources(own), Source(path, shows=API)))
    return build_dates(page, history=History(cache)).listed[0].url.lastmod


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
    assert find_date(project) == noon(2)


def test_without_old_contents_every_change_counts(project: Path, tmp_path: Path) -> None:
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


def test_commits_that_are_passed_over_are_reported(project: Path, tmp_path: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"a.rst": "A", "a.py": MODULE}, day=1)
    first = repository.git("rev-parse", "HEAD").strip()
    assert read_source(project, tmp_path).skipped == 0
    names = []
    for day, name in enumerate(["comment", "import", "quotes"], start=2):
        repository.commit({"a.py": MODULE.replace(*UNSEEN[name])}, day=day)
        names.append(repository.git("rev-parse", "HEAD").strip())
    for source in (read_source(project), read_source(project, tmp_path)):
        assert (source.hash, source.status) == (first, DateStatus.COMMIT)
        assert (source.skipped, source.newest_skipped, source.is_newest_ignored) == (
            3,
            names[-1],
            False,
        )
    seen = MODULE.replace(*SEEN["docstring"])
    repository.commit({"a.py": seen}, day=6)
    repository.commit({".git-blame-ignore-revs": f"{repository.git('rev-parse', 'HEAD')}\n"}, day=7)
    for source in (read_source(project), read_source(project, tmp_path)):
        assert (source.hash, source.skipped, source.is_newest_ignored) == (first, 4, True)
        assert source.newest_skipped == repository.git("rev-parse", "HEAD^").strip()


def test_a_limited_number_of_versions_is_compared(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs_sitemap.git.walk.MAX_UNSEEN", 3)
    repository = Repository.create(project)
    repository.commit({"a.rst": "A", "a.py": MODULE}, day=1)
    dates = []
    for day in range(2, 10):
        repository.commit({"a.py": f"{MODULE}# {day}\n"}, day=day)
        source = read_source(project, tmp_path)
        # The result does not depend on the cache.
        assert source == read_source(project)
        dates.append((source.date and source.date.day, source.status))
    limit = DateStatus.COMPARISON_LIMIT
    assert dates == [(1, DateStatus.COMMIT)] * 3 + [(day, limit) for day in range(2, 7)]


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
    "value of a default": ("load", "LIMIT = 3", "LIMIT = 4", True),
    "value of another default": ("save", "LIMIT = 3", "LIMIT = 4", False),
    "value of a default in a class": ("Thing.scale", "LOW = 1", "LOW = 2", True),
    "value of an attribute as default": ("load", "RED = 1", "RED = 3", True),
    "value of another attribute": ("load", "BLUE = 2", "BLUE = 3", False),
    "quoted type alias": ("load", "list[int]", "list[float]", True),
    "condition": ("MODE", 'os.name == "nt"', 'os.name == "posix"', True),
    "definition in a condition": ("save", '"w"', '"a"', True),
    "member of a class": ("Thing", "Scale.", "Scale it.", True),
    "other member": ("Thing.name", "Scale.", "Scale it.", False),
    "base class of a class": ("Thing", "Do more.", "Do less.", True),
    "inherited docstring": ("Thing.inherited", "Do it.", "Do this.", True),
    "other docstring of a base class": ("Thing.inherited", "Do more.", "Do less.", False),
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
    "other than the docstring of a class": ("Thing.__doc__", "Scale.", "Scale it.", False),
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
    before = digest_api(b"a.py", OBJECTS.encode(), part)
    assert before is not None
    assert (before != digest_api(b"a.py", changed, part)) is is_seen
    assert before != digest_api(b"a.py", OBJECTS.encode(), "Color")


EDITED = '''\
"""A module."""
LIMIT = 1
class Thing:
    """A thing."""
    def __init__(self, size):
        self.size = size
        """The size."""
        self.unit = "m"
    def scale(
        self, by=1
    ):
        """Scale."""
        result = self.size
        if by:
            #: The text.
            self.text = "x"
            return result
        self.kind = 1
        "The kind."
        return (
            result
        )
    async def load(self):
        # type: () -> str
        text = "a" \\
            "b"
        return text
def save(): return 1
def close():
    def inner():
        """Close it."""
        return 1
    return inner
'''

LINES_OF_CODE = [
    *("        result = 2", "        return 1", "    pass", "        # Text.", "x = 1", ""),
    *("        '''Text.'''", '        "Text."', '        ("Text.")', "        r'Text.'"),
    *('"Text."', "        self.new = 1", "        self.new = 1  #: Text."),
    *("        #: Text.", "\tpass", "        a = 1; 'Text.'"),
    *("        a = \\", "    def f(self):", "        (", "        )", "        def f():"),
    *("            'Text.'", "        '''", "@property", "        if by:"),
    *("            self.text = 'y'", "        f'Text.'", "        a = '''", "LIMIT = 2"),
]


@given(
    st.lists(
        st.tuples(
            st.integers(0, EDITED.count("\n")),
            st.integers(0, 3),
            st.lists(st.sampled_from(LINES_OF_CODE), max_size=3),
        ),
        min_size=1,
        max_size=3,
    )
)
def test_statements_that_are_parsed_one_by_one_show_the_same(
    edits: list[tuple[int, int, list[str]]],
) -> None:
    lines = EDITED.split("\n")
    versions = [EDITED]
    for position, removed, added in edits:
        lines[position : position + removed] = added
        versions.append("\n".join(lines))
    for text in versions:
        for parts in ((), ("Thing",), ("Thing.scale",), ("Thing.size",), ("close",), ("LIMIT",)):
            separate = digest_api(b"a.py", text.encode(), *parts)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("docs_sitemap.shown.python._split", lambda text: [text])
                assert digest_api(b"a.py", text.encode(), *parts) == separate


def test_each_name_that_a_package_imports_is_an_object() -> None:
    text = "from .a import first, second as other\n"
    path = b"package/__init__.py"
    for part, counts in (("first", False), ("other", True)):
        old = digest_api(path, text.encode(), part)
        assert old == digest_api(path, text.replace("first,", "first, third,").encode(), part)
        new = digest_api(path, text.replace("second", "third").encode(), part)
        assert (old != new) is counts


USES = '''\
from other import Base, helper
from first import shown, used as alias
from first import *
import library

__all__ = ["shown"]

class Thing(Base):
    """A thing."""

class Part(library.Part):
    """A part."""

def load():
    pass

def save():
    pass

document(load, "Load.")
for function in (save,):
    function.__doc__ = "Save."
'''

# A part (empty for the complete module), a change, and whether documentation can show it.
USE_CHANGES = {
    "name in __all__": ("", "import shown", "import hidden as shown", True),
    "name not in __all__": ("", "used as alias", "other as alias", False),
    "all names of a module": ("", "from first import *", "from second import *", True),
    "imported base class": ("Thing", "from other import Base", "from new import Base", True),
    "imported base class in the module": (
        "",
        "from other import Base",
        "from new import Base",
        True,
    ),
    "imported module of a base class": ("Part", "import library", "import new as library", True),
    "other import": ("Thing", "import library", "import new as library", False),
    "imported object": ("alias", "used as alias", "other as alias", True),
    "other imported object": ("alias", "import shown", "import hidden as shown", False),
    "docstring by a call": ("load", "Load.", "Load it.", True),
    "docstring by a loop": ("save", "Save.", "Save it.", True),
    "docstring of another object": ("load", "Save.", "Save it.", False),
}


@pytest.mark.parametrize("name", USE_CHANGES)
def test_imports_and_calls_that_change_what_is_shown_count(name: str) -> None:
    part, old, new, is_seen = USE_CHANGES[name]
    assert old in USES
    parts = (part,) if part else ()
    before = digest_api(b"a.py", USES.encode(), *parts)
    assert before is not None
    assert (before != digest_api(b"a.py", USES.replace(old, new, 1).encode(), *parts)) is is_seen


def test_the_complete_module_can_be_shown_with_one_of_its_imports() -> None:
    before = digest_api(b"a.py", USES.encode(), "", "alias")
    changed = USES.replace("used as", "other as").encode()
    assert before != digest_api(b"a.py", changed, "", "alias")
    changed = USES.replace("A thing.", "The thing.").encode()
    assert before != digest_api(b"a.py", changed, "", "alias")


def test_translations_with_a_context_are_of_other_messages() -> None:
    def digest(translation: str) -> bytes | None:
        text = f'msgid "a"\nmsgstr "b"\n\nmsgctxt "menu"\nmsgid "a"\nmsgstr "{translation}"\n'
        return Shown(ShownKind.MESSAGES, ("a",)).digest(b"a.po", text.encode())

    assert digest("c") == digest("d")
