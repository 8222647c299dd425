"""What other projects import, and the shape of this one."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest
from support.readers import read_site
from support.repository import Repository, noon

import docs_sitemap

ROOT = Path(__file__).parents[2]
PACKAGES = ("docs_sitemap", "mkdocs_sitemap", "sphinx_sitemap_ext")


def example() -> str:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/api.md").read_text(), flags=re.S)
    return str(code)


def test_the_example_in_the_docs_gives_a_third_generator_a_sitemap_in_thirty_lines(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository = Repository.create(project)
    repository.commit({"content/index.txt": "1", "content/a b/c&d.txt": "1"}, day=1)
    repository.commit({"content/index.txt": "2"}, day=2)
    repository.write({f"out/{name}": "" for name in ("index.html", "a b/c&d.html", "made.html")})
    repository.write({"out/404.html": ""})
    namespace: dict[str, object] = {}
    exec(example(), namespace)  # noqa: S102  # it is our own
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


def test_everything_public_is_exported_and_documented() -> None:
    for name in docs_sitemap.__all__:
        value = getattr(docs_sitemap, name)
        assert name == "OPTIONS" or inspect.getdoc(value), name
        for member, attribute in vars(value).items() if inspect.isclass(value) else ():
            if inspect.isfunction(attribute) and not member.startswith("_"):
                assert attribute.__doc__ or name == "SitemapRenderer", f"{name}.{member}"
    assert sorted(docs_sitemap.__all__, key=lambda name: (name.upper() != name, name)) == list(
        docs_sitemap.__all__
    )


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [
        ("docs_sitemap", {"mkdocs", "properdocs", "sphinx", "docutils", *PACKAGES[1:]}),
        ("mkdocs_sitemap", {"properdocs", "sphinx", "docutils", "sphinx_sitemap_ext"}),
        ("sphinx_sitemap_ext", {"mkdocs", "properdocs", "mkdocs_sitemap"}),
    ],
)
def test_imports_point_to_the_core(package: str, forbidden: set[str]) -> None:
    for path in (ROOT / package).rglob("*.py"):
        assert not {name.partition(".")[0] for name in imported(path)} & forbidden, path


def test_only_one_module_starts_processes() -> None:
    users = [
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if "subprocess" in imported(path)
    ]
    assert users == ["docs_sitemap/git/run.py"]


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names
