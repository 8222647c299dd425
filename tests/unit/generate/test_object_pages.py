"""Pages of Zensical about objects of Python whose modules are unusual or hostile, and
the same objects as Griffe finds in installed packages.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import pytest
from support.small_sites import html, newest_sources

from docs_sitemap_cli.generate.mkdocs_project.objects.module_files import ModuleFinder
from docs_sitemap_cli.generate.mkdocs_project.objects.object_tree import ObjectTree

# In seconds of the processor.
LIMIT = 10

CONFIG = """\
site_name: Test
plugins:
- mkdocstrings:
    handlers: {python: {paths: [lib]}}
markdown_extensions:
- pymdownx.snippets
"""
FUNCTION = 'def f():\n    """F."""\n'
MANY_BASES = "".join(f"class A{n}(A{n - 1}):\n    pass\n" for n in range(1, 3_000))
CHAIN = {f"p/m{n}.py": f"from .m{n + 1} import *\n" for n in range(20)}
BOMB = "".join(f"x{n}: &x{n} [*x{n - 1}, *x{n - 1}]\n      " for n in range(1, 60))


class Case(NamedTuple):
    """A page about an object.

    Attributes:
        source: The file that dates the page: a module, or otherwise its document;
            `None` if the page has no date.
        files: The files of the package below `lib`.
        name: The name of the object.
        options: The options of the block.
    """

    source: str | None
    files: dict[str, str]
    name: str = "p.f"
    options: str = "{}"


DOCUMENT = "docs/a.md"
CASES = {
    "usual": Case("lib/p/a.py", {"p/__init__.py": "from .a import f", "p/a.py": FUNCTION}),
    "no_module": Case(DOCUMENT, {}),
    "no_object": Case("lib/p/__init__.py", {"p/__init__.py": ""}),
    "no_object_in_a_module": Case("lib/p/a.py", {"p/__init__.py": "", "p/a.py": "", "p/b.py": ""}, "p.a.f.g"),
    "syntax_error": Case("lib/p/__init__.py", {"p/__init__.py": "def f(:"}),
    "null": Case("lib/p/__init__.py", {"p/__init__.py": "\0"}),
    "large": Case("lib/p/__init__.py", {"p/__init__.py": FUNCTION + "#" * 2**22}),
    "parentheses": Case("lib/p/__init__.py", {"p/__init__.py": FUNCTION + "x = " + "(" * 50_000}),
    "alternatives": Case("lib/p/__init__.py", {"p/__init__.py": FUNCTION + "if a: pass\n" + "elif a: pass\n" * 5_000}),
    "names": Case("lib/p/__init__.py", {"p/__init__.py": FUNCTION + "class A(" + "a." * 100_000 + "b): pass\n"}),
    "import_of_itself": Case("lib/p/__init__.py", {"p/__init__.py": "from p import f"}),
    "imports_of_each_other": Case("lib/p/__init__.py", {"p/__init__.py": "from .a import f", "p/a.py": "from . import f"}),
    "stars_of_each_other": Case("lib/p/a.py", {"p/__init__.py": "from .a import *\n" + FUNCTION, "p/a.py": "from . import *\n" + FUNCTION.replace("f()", "g()")}, "p.g"),
    "lists_of_each_other": Case("lib/p/__init__.py", {"p/__init__.py": "from .a import *\nfrom . import a\n__all__ = ['f', *a.__all__]\n" + FUNCTION, "p/a.py": "import p\n__all__ = p.__all__\n"}),
    "bases_of_each_other": Case("lib/p/__init__.py", {"p/__init__.py": "class A(B): pass\nclass B(A): pass\n"}, "p.A", "{inherited_members: true}"),
    "its_own_base": Case("lib/p/__init__.py", {"p/__init__.py": "class A(A): pass\n"}, "p.A", "{inherited_members: true}"),
    "contradicting_bases": Case("lib/p/__init__.py", {"p/__init__.py": "class A: pass\nclass B(A): pass\nclass C(A, B): pass\n"}, "p.C", "{inherited_members: true}"),
    "many_bases": Case("lib/p/__init__.py", {"p/__init__.py": f"class A0: pass\n{MANY_BASES}"}, "p.A2999", "{inherited_members: true}"),
    "many_stars": Case("lib/p/m20.py", CHAIN | {"p/m20.py": FUNCTION, "p/__init__.py": "from .m0 import *\n"}),
    "folder": Case("lib/p/__init__.py", {"p/__init__.py": "from .a import f", "p/a.py/b": ""}),
    "path": Case(DOCUMENT, {"p/__init__.py": FUNCTION}, "..p.f"),
    "dots": Case("lib/p/__init__.py", {"p/__init__.py": FUNCTION}, "p" + ".f" * 20_000),
    "filters": Case("lib/p/__init__.py", {"p/__init__.py": FUNCTION}, "p", "{filters: ['(', 1]}"),
    "options": Case("lib/p/__init__.py", {"p/__init__.py": FUNCTION}, "p", f"\n      x0: &x0 [a]\n      {BOMB}extensions: *x59"),
    "numbers": Case("lib/p/__init__.py", {"p/__init__.py": FUNCTION}, "p", "{a: !!int ''}"),
    "list": Case("lib/p/__init__.py", {"p/__init__.py": FUNCTION}, "p", "[1]"),
    "members": Case("lib/p/__init__.py", {"p/__init__.py": FUNCTION}, "p", "{members: {a: 1}, inherited_members: 1, extensions: 1}"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_unusual_modules(
    project: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    project.mkdir()
    monkeypatch.chdir(project)
    case = CASES[name]
    start = process_time()
    text = f"# A\n\n::: {case.name}\n    options: {case.options}\n"
    files = {f"lib/{path}": content for path, content in case.files.items()}
    sources = {DOCUMENT: text, "docs/index.md": "# Home", "mkdocs.yml": CONFIG} | files
    pages = {
        "index.html": html(),
        "a/index.html": html(body=f'<h1 id="{case.name}">A</h1>'),
    }
    assert newest_sources(project, sources, pages)["a/index.html"] == case.source
    assert process_time() - start < LIMIT


@pytest.mark.parametrize("package", ["click", "jinja2", "pluggy"])
def test_objects_are_those_of_griffe(package: str) -> None:
    """Attributes that methods set on variables of the class, for example, differ."""
    griffe = pytest.importorskip("griffe")
    folder = str(Path(pytest.importorskip(package).__file__ or "").parents[1])
    loader = griffe.GriffeLoader(search_paths=[folder], allow_inspection=False)
    loader.load(package, try_relative_path=False)
    finder = ModuleFinder([folder], lambda name: ())
    tree = ObjectTree(finder)
    expected = dict(describe_members(loader.modules_collection[package]))
    assert len(expected) > 100
    found = dict(describe_members(tree.find(package)))
    other = []
    for path, place in expected.items():
        if place and found.get(path) != place:  # Griffe loads one package.
            other.append(path)
    assert len(other) <= 3


def describe_members(item: Any) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Yield the paths of all members of an object, and what is known of them."""
    for member in item.all_members.values():
        if member.name.endswith("/*"):  # an import of another package
            continue
        try:
            bases = [base.path for base in member.mro()] if member.is_class else []
            package, _, _ = item.path.partition(".")
            bases = [path for path in bases if path.startswith(package)]
            kind = member.is_module, member.is_class, "dataclass" in member.labels
            place = member.canonical_path, str(member.filepath)
        except Exception:  # an object of another package
            yield member.path, ()
            continue
        yield member.path, (*kind, *place, member.is_alias, *bases)
        if not member.is_alias and (member.is_module or member.is_class):
            yield from describe_members(member)
