"""The structure of the project: what its modules import, and what they contain."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from docs_sitemap import Options
from docs_sitemap.config.options import OPTION_NAMES, OPTIONS, SPHINX_NAMES

ROOT = Path(__file__).parents[3]
INTEGRATIONS = ("mkdocs_sitemap", "sphinx_sitemap_ext")
PACKAGES = ("docs_sitemap", "docs_sitemap_cli", *INTEGRATIONS)
GENERATORS = {"docutils", "mkdocs", "properdocs", "sphinx", "zensical"}
# What they use, and `docs-sitemap generate` has to do without.
GENERATORS |= {"griffe", "markdown", "mkdocstrings", "pymdownx"}


@pytest.mark.parametrize(
    ("package", "others"),
    [
        ("docs_sitemap", set()),
        ("docs_sitemap_cli", {"docs_sitemap"}),
        ("mkdocs_sitemap", {"docs_sitemap", "mkdocs"}),
        ("sphinx_sitemap_ext", {"docs_sitemap", "sphinx", "docutils"}),
    ],
)
def test_each_package_imports_only_the_core_and_its_own_generator(
    package: str, others: set[str]
) -> None:
    forbidden = (GENERATORS | {*PACKAGES}) - others - {package}
    for path in modules(package):
        assert not {name.partition(".")[0] for name in imports(path)} & forbidden, path


def test_each_option_is_described_and_named_once() -> None:
    names = list(Options._fields)
    assert [option.name for option in OPTIONS] == names
    for option in OPTIONS:
        assert getattr(Options(), option.name) == option.default
    for texts in (OPTION_NAMES.texts, SPHINX_NAMES.texts):
        assert list(texts) == names


def test_no_modules_import_each_other() -> None:
    graph = {}
    for package in PACKAGES:
        for path in modules(package):
            name = module_name(path)
            graph[name] = imports(path) - {name}
    assert "docs_sitemap.git.walk" in graph["docs_sitemap.git.history"]
    TopologicalSorter(graph).prepare()  # It raises CycleError.


def test_no_command_imports_another() -> None:
    commands = ROOT / "docs_sitemap_cli"
    names = {path.parent.name for path in commands.glob("*/__init__.py")} - {
        "published"
    }
    assert {"check", "generate", "versions"} <= names
    for name in (*names, "published"):
        for path in modules(f"docs_sitemap_cli/{name}"):
            for imported in imports(path):
                package, _, module = imported.partition(".")
                other = module.partition(".")[0]
                assert package != "docs_sitemap_cli" or other not in names - {name}, (
                    path
                )


def test_only_one_module_starts_processes() -> None:
    starters = {"subprocess", "multiprocessing", "concurrent.futures.process", "pty"}
    users = [
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in modules(package)
        if starters & imports(path) or calls_os(path)
    ]
    assert users == ["docs_sitemap/git/run.py"]


# What opens files, or reads all of a file that is open.
OPENERS = {
    *("open", "open_code", "fdopen", "read_text", "read_bytes", "write_text"),
    *("write_bytes", "FileSystemLoader", "FileHandler", "linecache", "fileinput"),
    *("getline", "getlines", "getsource", "getsourcelines", "copyfile", "copy2"),
    *("copytree", "iterparse", "memmap", "mmap", "run_path"),
}
READERS = {"json", "marshal", "pickle", "tomllib", "ElementTree", "ET", "etree"}


def test_only_one_module_opens_files() -> None:
    """It opens only regular files, and reads them up to a limit."""
    openers = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in modules(package)
        if opens_files(nodes(path))
    }
    assert openers == {"docs_sitemap/tools/files.py"}


@pytest.mark.parametrize(
    "code",
    [
        *("open(a)", "a.open()", "os.open(a, 0)", "io.open(a)", "codecs.open(a)"),
        *("gzip.open(a)", "Path(a).read_text()", "a.read_bytes()", "f = open"),
        *("json.load(a)", "tomllib.load(a)", "ET.parse(a)", "partial(open, a)"),
        *("from io import open", "jinja2.FileSystemLoader(a)", "builtins.open(a)"),
        *("import mmap", "from linecache import getline as a"),
    ],
)
def test_code_that_opens_files_is_found(code: str) -> None:
    assert opens_files([*ast.walk(ast.parse(code))])


def test_other_code_opens_no_files() -> None:
    code = "os.open(os.devnull, 0)\njson.loads(a)\nread_text_file(a)\na.parse(b)"
    assert not opens_files([*ast.walk(ast.parse(code))])


def opens_files(nodes: list[ast.AST]) -> bool:
    """Return whether code may open a file other than the null device."""
    null = set()
    for node in nodes:
        if isinstance(node, ast.Call) and node.args:
            if ast.unparse(node.args[0]) == "os.devnull":
                null.add(node.func)
    return any(node not in null and is_opener(node) for node in nodes)


def is_opener(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name):
            return name == "open"
        case ast.alias(name=name):
            return name.rpartition(".")[2] in OPENERS
        case ast.Attribute(value=ast.Name(id=module), attr="load" | "parse"):
            return module in READERS
        case ast.Attribute(attr=name):
            return name in OPENERS
    return False


def calls_os(path: Path) -> bool:
    """Return whether a module starts processes with functions of `os`."""
    return any(
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
        and re.match(r"system|popen|exec|spawn|posix_spawn|fork", node.attr)
        for node in nodes(path)
    )


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Return the syntax tree of a module as a list."""
    return [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def imports(path: Path) -> set[str]:
    """Return the modules that a module imports."""
    names: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            folders = path.relative_to(ROOT).parts[: -node.level] if node.level else ()
            package = ".".join((*folders, *filter(None, [node.module])))
            for alias in node.names:
                name = f"{package}.{alias.name}"
                names.add(name if is_module(name) else package)
    return names


def is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.is_dir() or path.with_name(f"{path.name}.py").is_file()


def test_messages_name_options_only_with_the_names_that_integrations_choose() -> None:
    options = {option.name for option in OPTIONS}
    named = set()
    for path in modules("docs_sitemap"):
        where = path.relative_to(ROOT).as_posix()
        for text in messages(path):
            written_out = re.findall(r"\bthe option (\w+)", text)
            # `generate` names options as its configuration files do.
            assert not written_out, where
        source = path.read_text(encoding="utf-8")
        for name in re.findall(r"""\bnames\[["'](\w+)["']\]""", source):
            assert name in options, where
            named.add(name)
    assert {"lastmod", "repository", "ref", "ignore_revs_file", "locales"} <= named
    for path in modules("docs_sitemap/git"):
        assert "docs_sitemap.config" not in path.read_text(encoding="utf-8"), path


def messages(path: Path) -> Iterator[str]:
    """Yield the texts of a module except docstrings."""
    docstrings = {id(node.value) for node in nodes(path) if isinstance(node, ast.Expr)}
    for node in nodes(path):
        if isinstance(node, ast.Constant) and id(node) not in docstrings:
            yield str(node.value)
