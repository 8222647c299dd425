"""The public API, and the structure of the project."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Set as AbstractSet
from enum import Enum
from functools import cache
from pathlib import Path

import griffe
import pytest
from support.readers import read_site
from support.repository import Repository, noon

import docs_sitemap
from docs_sitemap.commands.root import COMMANDS

ROOT = Path(__file__).parents[3]
PACKAGES = ("docs_sitemap", "mkdocs_sitemap", "sphinx_sitemap_ext")
GENERATORS = {"docutils", "mkdocs", "properdocs", "sphinx"}


def example() -> str:
    guide = (ROOT / "docs/guides/other-generators.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", guide, flags=re.S)
    return str(code)


def test_the_example_in_the_docs_supports_another_generator_in_thirty_lines(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository = Repository.create(project)
    repository.commit({"content/index.txt": "1", "content/a b/c&d.txt": "1"}, day=1)
    repository.commit({"content/index.txt": "2"}, day=2)
    repository.write({f"out/{name}": "" for name in ("index.html", "a b/c&d.html", "made.html")})
    repository.write({"out/404.html": ""})
    namespace: dict[str, object] = {}
    exec(example(), namespace)  # noqa: S102  # It is our own documentation.
    write_sitemap = namespace["write_sitemap"]
    assert callable(write_sitemap)
    report = write_sitemap(project / "out", project / "content", "https://example.org")
    assert len(example().splitlines()) <= 30
    entries = read_site(project / "out", "https://example.org/")
    assert {url: entry.lastmod for url, entry in entries.items()} == {
        "a%20b/c%26d.html": noon(1),
        "index.html": noon(2),
        "made.html": None,
    }
    assert {entry.changefreq for entry in entries.values()} == {"weekly"}
    assert capsys.readouterr().out == f"{report.summary}\n"


def test_public_names_are_exported_and_documented() -> None:
    api = griffe.load("docs_sitemap", search_paths=[ROOT], allow_inspection=False)
    for name in dir(docs_sitemap):
        assert hasattr(docs_sitemap, name)
        item = api[name]
        assert item.has_docstring or name == "OPTIONS", name
        if item.is_class:
            undocumented = [method.name for method in item.functions.values() if is_bare(method)]
            assert not undocumented, f"{name}: {undocumented}"


def is_bare(method: griffe.Function) -> bool:
    return not method.name.startswith("_") and not method.has_docstring


@pytest.mark.parametrize(
    ("package", "generators"),
    [
        ("docs_sitemap", {"docutils"}),  # to compare documents
        ("mkdocs_sitemap", {"mkdocs"}),
        ("sphinx_sitemap_ext", {"sphinx", "docutils"}),
    ],
)
def test_each_package_imports_only_its_own_generator(package: str, generators: set[str]) -> None:
    forbidden = GENERATORS - generators | {*PACKAGES[1:]} - {package}
    for path in modules(package):
        assert not {name.partition(".")[0] for name in imports(path)} & forbidden, path


def test_rooms_import_each_other_in_one_direction() -> None:
    rooms = core_rooms()
    cycles = {room for room in rooms if room in reach(rooms, *rooms[room])}
    assert not cycles


def test_modules_import_each_other_in_one_direction() -> None:
    # `docs_sitemap.commands` imports the root command when it runs, to end an interrupted start.
    graph = {
        name: {module for module in imports(path, at_start=True) if module != name}
        for package in PACKAGES
        for name, path in named_modules(package).items()
    }
    cycles = {name for name in graph if name in reach(graph, *graph[name])}
    assert not cycles


def test_an_entry_is_made_of_packages_that_know_no_entry() -> None:
    # The format, git, and what a page shows can be used, and read, without the steps of a build.
    rooms = core_rooms()
    packages = {room for room in reach(rooms, "entry") if (ROOT / "docs_sitemap" / room).is_dir()}
    assert packages == {"git", "shown", "sitemap"}
    about_pages = {room for room in rooms if {"entry", "page"} & reach(rooms, room)}
    assert {"options", "site", "select", "dates", "write", "build"} < about_pages
    assert not reach(rooms, *packages) & about_pages


def test_only_the_process_imports_commands() -> None:
    rooms = core_rooms()
    assert {room for room in rooms if "commands" in rooms[room]} == {"__main__"}


def test_no_command_imports_another_command() -> None:
    folder = f"{docs_sitemap.__name__}.commands."
    commands = {module.partition(".")[0] for module in COMMANDS.values()}
    graph = {
        module: imports(path)
        for module, path in named_modules("docs_sitemap").items()
        if module.startswith(folder)
    }
    for command in commands:
        own = {module for module in graph if is_below(module, folder + command)}
        others = {
            module
            for module in reach(graph, *own)
            for other in commands - {command}
            if is_below(module, folder + other)
        }
        assert own, command
        assert not others, command


def is_below(module: str, parent: str) -> bool:
    return module == parent or module.startswith(f"{parent}.")


def core_rooms() -> dict[str, set[str]]:
    """Return which rooms of the core each room imports: a module, or a package with all modules.

    Imports inside functions are included. Imports for types are not: an entry carries the digest of
    its page to the content record, and does not need the package of the record for it.
    """
    rooms: dict[str, set[str]] = {}
    for name, path in named_modules("docs_sitemap").items():
        if name == "docs_sitemap":  # The public API imports everything, and nothing imports it.
            continue
        used = {imported for imported in imports(path, types=False) if imported in core_modules()}
        assert "docs_sitemap" not in used, f"{name} imports the public API"
        room = room_of(name)
        rooms.setdefault(room, set()).update({room_of(imported) for imported in used} - {room})
    return rooms


def core_modules() -> Collection[str]:
    return named_modules("docs_sitemap").keys()


def room_of(module: str) -> str:
    return module.split(".")[1]


def reach(graph: Mapping[str, AbstractSet[str]], *starts: str) -> set[str]:
    """Return the start nodes, and all nodes that they lead to."""
    reached: set[str] = set()
    pending = [*starts]
    while pending:
        node = pending.pop()
        if node not in reached:
            reached.add(node)
            pending += graph.get(node, ())
    return reached


def test_only_one_module_starts_processes() -> None:
    starters = {"subprocess", "multiprocessing", "concurrent.futures.process", "pty"}
    users = [
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in modules(package)
        if starters & imports(path) or calls_os(path)
    ]
    assert users == ["docs_sitemap/git/run.py"]


def calls_os(path: Path) -> bool:
    """Return whether a module starts processes with functions of `os`."""
    return any(
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
        and re.match(r"system|popen|exec|spawn|posix_spawn|fork", node.attr)
        for node, _ in nodes(path)
    )


def test_no_two_classes_have_the_same_name() -> None:
    names = Counter(
        node.name.removeprefix("_")
        for package in PACKAGES
        for path in modules(package)
        for node, _ in nodes(path)
        if isinstance(node, ast.ClassDef)
    )
    assert not {name for name, number in names.items() if number > 1}


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@cache
def named_modules(package: str) -> dict[str, Path]:
    """Return the modules of a package by their names."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in modules(package)
    }


class Place(Enum):
    """Where a statement is."""

    MODULE = "runs when the module is imported"
    FUNCTION = "runs when a function is called"
    TYPES = "never runs: it is below `if TYPE_CHECKING`"


@cache
def nodes(path: Path) -> list[tuple[ast.AST, Place]]:
    """Return the syntax tree of a module as a list."""
    found: list[tuple[ast.AST, Place]] = []
    pending: list[tuple[ast.AST, Place]] = [
        (ast.parse(path.read_text(encoding="utf-8")), Place.MODULE)
    ]
    while pending:
        node, place = pending.pop()
        found.append((node, place))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            place = Place.FUNCTION
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            place = Place.TYPES
        pending += [(child, place) for child in ast.iter_child_nodes(node)]
    return found


def imports(path: Path, *, types: bool = True, at_start: bool = False) -> set[str]:
    """Return the modules that a module imports. `from package import module` names `module`.

    Args:
        path: The file of the module.
        types: Whether imports for type checkers count.
        at_start: Whether only imports count that run when the module is imported.
    """
    names: set[str] = set()
    for node, place in nodes(path):
        if (at_start and place is not Place.MODULE) or (not types and place is Place.TYPES):
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            module = str(node.module)
            submodules = {
                f"{module}.{alias.name}" for alias in node.names if is_module(module, alias.name)
            }
            names |= submodules or {module}
    return names


def is_module(package: str, name: str) -> bool:
    folder = ROOT.joinpath(*package.split("."), name)
    return folder.is_dir() or folder.with_suffix(".py").is_file()


def test_messages_of_the_core_name_existing_options_in_one_form() -> None:
    # Integrations replace this form with the names that their users can type.
    names = {option.name for option in docs_sitemap.OPTIONS}
    named = set()
    for path in modules("docs_sitemap"):
        for text in messages(path):
            where = f"{path.name}: {text}"
            assert not re.search(r"\boptions [a-z]+_?\w* and\b", text), where
            for name in re.findall(r"\bthe option (\w+)", text):
                assert name in names, where
                named.add(name)
            for name in re.findall(r"(?<!the option )\b(\w+) to false\b", text):
                assert name not in names, where
    assert {"lastmod", "repository", "ref", "ignore_revs_file", "exclude"} <= named


def messages(path: Path) -> Iterator[str]:
    """Yield the texts of a module except docstrings."""
    docstrings = {id(node.value) for node, _ in nodes(path) if isinstance(node, ast.Expr)}
    for node, _ in nodes(path):
        if isinstance(node, ast.Constant) and id(node) not in docstrings:
            yield str(node.value)
