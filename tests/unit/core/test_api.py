"""The public API, and the structure of the project."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import griffe
import pytest
from support.readers import read_site
from support.repository import Repository, noon

import docs_sitemap

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


def test_public_names_are_exported_sorted_and_documented() -> None:
    api = griffe.load("docs_sitemap", search_paths=[ROOT], allow_inspection=False)
    for name in docs_sitemap.__all__:
        item = api[name]
        assert item.has_docstring or name == "OPTIONS", name
        if item.is_class:
            undocumented = [method.name for method in item.functions.values() if is_bare(method)]
            assert not undocumented, f"{name}: {undocumented}"
    names = list(docs_sitemap.__all__)
    assert names == sorted(names, key=lambda name: (name.upper() != name, name))


def is_bare(method: griffe.Function) -> bool:
    return not method.name.startswith("_") and not method.has_docstring


@pytest.mark.parametrize(
    ("package", "generators"),
    [
        ("docs_sitemap", set()),
        ("mkdocs_sitemap", {"mkdocs"}),
        ("sphinx_sitemap_ext", {"sphinx", "docutils"}),
    ],
)
def test_each_package_imports_only_its_own_generator(package: str, generators: set[str]) -> None:
    forbidden = GENERATORS - generators | {*PACKAGES[1:]} - {package}
    for path in modules(package):
        assert not {name.partition(".")[0] for name in imports(path)} & forbidden, path


@pytest.mark.parametrize("package", PACKAGES[1:])
def test_integrations_use_only_the_public_api(package: str) -> None:
    for path in modules(package):
        assert not {name for name in imports(path) if name.startswith("docs_sitemap.")}, path
        assert {*names_from(path, "docs_sitemap")} <= {*docs_sitemap.__all__}, path


def test_only_one_module_starts_processes() -> None:
    users = [
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in modules(package)
        if "subprocess" in imports(path)
    ]
    assert users == ["docs_sitemap/git/run.py"]


def test_no_two_classes_have_the_same_name() -> None:
    names = [
        node.name.removeprefix("_")
        for package in PACKAGES
        for path in modules(package)
        for node in syntax_tree(path)
        if isinstance(node, ast.ClassDef)
    ]
    assert not duplicates(names)


def duplicates(names: Iterable[str]) -> list[str]:
    return sorted(name for name, number in Counter(names).items() if number > 1)


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def packages(package: str) -> set[Path]:
    return {path.parent for path in modules(package)} - {ROOT / package}


@cache
def syntax_tree(path: Path) -> list[ast.AST]:
    return [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]


def imports(path: Path) -> set[str]:
    """Return the modules that a module imports. `from package import module` names `module`."""
    names: set[str] = set()
    for node in syntax_tree(path):
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


def names_from(path: Path, module: str) -> Iterator[str]:
    for node in syntax_tree(path):
        if isinstance(node, ast.ImportFrom) and node.module == module:
            yield from (alias.name for alias in node.names)


def test_messages_of_the_core_name_existing_options_in_one_form() -> None:
    # Integrations replace this form with the names that their users can type.
    names = {option.name for option in docs_sitemap.OPTIONS}
    named = set()
    for path in (ROOT / "docs_sitemap").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for text in messages(tree):
            where = f"{path.name}: {text}"
            assert not re.search(r"\boptions [a-z]+_?\w* and\b", text), where
            for name in re.findall(r"\bthe option (\w+)", text):
                assert name in names, where
                named.add(name)
            for name in re.findall(r"(?<!the option )\b(\w+) to false\b", text):
                assert name not in names, where
    assert {"lastmod", "repository", "ref", "ignore_revs_file", "exclude"} <= named


def messages(tree: ast.Module) -> Iterator[str]:
    """Yield the texts of a module except docstrings."""
    nodes = [*ast.walk(tree)]
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and id(node) not in docstrings:
            yield str(node.value)
