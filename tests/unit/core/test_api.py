"""The public API."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import griffe
import pytest
from support.cli import invoke
from support.readers import read_site
from support.repository import Repository, noon
from support.sitemaps import page

import docs_sitemap

ROOT = Path(__file__).parents[3]


def example() -> str:
    page = (ROOT / "docs/reference/python-api.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(from .*?)```", page, flags=re.S)
    return str(code)


def test_the_example_in_the_docs_supports_another_generator_in_thirty_lines(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository = Repository.create(project)
    repository.commit({"content/index.txt": "1", "content/a b/c&d.txt": "1"}, day=1)
    repository.commit({"content/index.txt": "2"}, day=2)
    for name in ("index.html", "a b/c&d.html", "a b/index.html", "404.html"):
        repository.write({f"out/{name}": page(title=name)})
    namespace: dict[str, object] = {}
    exec(example(), namespace)  # noqa: S102  # It is our own documentation.
    write_sitemap = namespace["write_sitemap"]
    assert callable(write_sitemap)
    result = write_sitemap(project / "out", project / "content", "https://example.org")
    assert len(example().splitlines()) <= 30
    entries = read_site(project / "out", "https://example.org/")
    assert {url: entry.lastmod for url, entry in entries.items()} == {
        "a%20b/c%26d.html": noon(1),
        "a%20b/": None,
        "": noon(2),
    }
    assert {entry.changefreq for entry in entries.values()} == {"weekly"}
    assert capsys.readouterr().out == f"{result.summary}\n"
    assert "no problems found" in invoke("check", project / "out").out


def test_the_example_needs_only_public_names() -> None:
    imported = set[str]()
    for node in ast.walk(ast.parse(example())):
        if isinstance(node, ast.ImportFrom) and node.module != "pathlib":
            assert node.module == "docs_sitemap"
            imported |= {alias.name for alias in node.names}
    assert "read_options" in imported <= {*docs_sitemap.__all__}
    assert dir(docs_sitemap) == sorted(docs_sitemap.__all__)
    assert len(docs_sitemap.__all__) <= 25


@pytest.mark.parametrize(
    "module",
    ["docs_sitemap.build", "mkdocs_sitemap.build", "sphinx_sitemap_ext.events"],
)
def test_builds_load_no_command_and_the_html_parser_only_to_read_a_page(
    module: str,
) -> None:
    unused = {"docs_sitemap_cli", "selectolax", "lxml", "protego", "rich"}
    assert not unused & loaded_modules(f"import {module}")


def test_the_configuration_of_mkdocs_loads_nothing_that_only_builds_need(
    tmp_path: Path,
) -> None:
    config = tmp_path / "mkdocs.yml"
    config.write_text("{site_name: Test, plugins: [sitemap]}", encoding="utf-8")
    (tmp_path / "docs").mkdir()
    loaded = loaded_modules(
        f"from mkdocs.config import load_config; load_config({str(config)!r})"
    )
    assert "mkdocs_sitemap.config" in loaded
    assert not {"docs_sitemap.build", "docs_sitemap.git", "msgspec"} & loaded


@pytest.mark.parametrize(
    ("extension", "builder", "is_needed"),
    [
        ("docs_sitemap", "dirhtml", True),
        ("sphinx_sitemap_ext", "text", False),
    ],
)
def test_only_builders_of_websites_load_what_writes_the_sitemap(
    tmp_path: Path, extension: str, builder: str, is_needed: bool
) -> None:
    source, out = tmp_path / "source", tmp_path / "out"
    source.mkdir()
    source.joinpath("index.rst").write_text("Title\n=====\n", encoding="utf-8")
    source.joinpath("conf.py").write_text(
        f"extensions = ['{extension}']\nhtml_baseurl = 'https://example.org/'\n",
        encoding="utf-8",
    )
    arguments = ["-q", "-W", "-j", "2", "-b", builder, str(source), str(out)]
    loaded = loaded_modules(
        f"from sphinx.cmd.build import build_main; assert not build_main({arguments!r})"
    )
    assert ("docs_sitemap.build" in loaded) is is_needed
    assert (out / "sitemap.xml").exists() is is_needed


def loaded_modules(script: str) -> set[str]:
    """Return the modules that are loaded after a script in a process of its own."""
    script = f"{script}; import sys; print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return {*result.stdout.split()}


def test_public_names_are_exported_and_documented() -> None:
    api = griffe.load("docs_sitemap", search_paths=[ROOT], allow_inspection=False)
    for name in docs_sitemap.__all__:
        item = api[name]
        assert item.has_docstring or item.is_attribute, name
        if item.is_class:
            undocumented = [
                method.name for method in item.functions.values() if is_bare(method)
            ]
            assert not undocumented, f"{name}: {undocumented}"


def is_bare(method: griffe.Function) -> bool:
    return not method.name.startswith("_") and not method.has_docstring
