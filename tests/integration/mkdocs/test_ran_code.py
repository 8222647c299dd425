"""Pages that show the output of code, and what users hear about the files that it
reads.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.cli import invoke
from support.mkdocs import MkDocsSite, build_days, days, snippets

HINT = (
    "{} ran code for this page: if the code read other files, add them to the option "
    "dependencies"
)
# Makes the modules in the folder of the project importable.
HOOK = """
import pathlib, sys
def on_config(config):
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
"""


def explain(site: MkDocsSite) -> dict[str, str | None]:
    """Return what `explain` advises for the date of each page, by name."""
    done = invoke("explain", "--format", "json", "site", cwd=site.path)
    results: list[dict[str, Any]] = done.json()["results"]
    return {result["query"]: result["pages"][0].get("date_fix") for result in results}


def test_modules_that_executed_code_imports(project: Path) -> None:
    pytest.importorskip("markdown_exec")
    block = '```{} exec="on"\n{}\n```\n'
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home\n\n"
            + block.format("python", "import exec_one\nprint(1)"),
            "name.md": "# N\n\n"
            + block.format("pycon", ">>> from exec_two import load\n>>> 1"),
            "value.md": "# V\n\n"
            + block.format("py", "from exec_two import size, part as p"),
            "shell.md": "# S\n\n" + block.format("sh", "echo exec_one"),
            "library.md": "# L\n\n"
            + block.format("python", "import json\nfrom os import path"),
            "error.md": "# E\n\n```python\nimport exec_one\n```\n",
        },
        markdown_extensions=["pymdownx.superfences"],
        plugins=["markdown-exec"],
        hooks=["hook.py"],
    )
    site.repository.commit({"hook.py": HOOK, "exec_one.py": "x = 1\n"}, day=2)
    files = {"exec_two/__init__.py": "from exec_two.code import load\nsize = 1\n"}
    site.repository.commit(
        files | {"exec_two/code.py": "def load():\n    return 1\n"}, day=3
    )
    site.repository.commit({"exec_two/part.py": "y = 1\n"}, day=4)
    site.repository.commit({"exec_two/code.py": "def load():\n    return 2\n"}, day=5)
    expected = {"": 2, "error/": 1, "library/": 1, "name/": 5, "shell/": 1, "value/": 4}
    assert build_days(site) == expected
    advice = dict.fromkeys(
        ["index.md", "library.md", "name.md", "value.md", "shell.md"]
    )
    advice = dict.fromkeys(advice, HINT.format("markdown-exec")) | {"error.md": None}
    assert explain(site) == advice
    # The standard library is no source.
    [result] = invoke(
        "explain", "--format", "json", "site", "library.md", cwd=site.path
    ).json()["results"]
    assert [source["path"] for source in result["pages"][0]["page"]["sources"]] == [
        "docs/library.md"
    ]


def test_files_and_folders_that_executed_code_names(project: Path) -> None:
    pytest.importorskip("markdown_exec")
    block = '# T\n\n```python exec="on"\n{}\n```\n'
    pages = {
        "index.md": block.format("print(open('data/one.txt').read())"),
        "folder.md": block.format("import os\nprint(os.listdir('data'))"),
        "other.md": block.format("print('.', '', '/', '..', '\\0', 'no/such')"),
    }
    site = MkDocsSite.create(
        project,
        pages,
        markdown_extensions=["pymdownx.superfences"],
        plugins=["markdown-exec"],
    )
    site.repository.commit({"data/one.txt": "1"}, day=2)
    site.repository.commit({"data/deep/two.txt": "2"}, day=3)
    assert build_days(site) == {"": 2, "folder/": 3, "other/": 1}


def test_a_file_that_a_page_needs_and_its_code_names_must_be_in_git(
    project: Path,
) -> None:
    pytest.importorskip("markdown_exec")
    block = "# T\n\n```python exec=\"on\"\nprint('data.yml')\n```\n"
    site = MkDocsSite.create(
        project,
        {"index.md": f"{block}\n{{{{ size }}}}\n", "named.md": block},
        markdown_extensions=["pymdownx.superfences"],
        plugins=["markdown-exec", {"macros": {"include_yaml": ["data.yml"]}}],
    )
    site.repository.write({"data.yml": "size: 1\n"})
    assert build_days(site) == {"": None, "named/": 1}


def test_extensions_with_other_internals(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    preprocessor = "pymdownx.snippets.SnippetPreprocessor"
    monkeypatch.setattr(f"{preprocessor}.parse_snippets", lambda self, lines: lines)
    monkeypatch.delattr(f"{preprocessor}.get_snippet_path")
    snippet = '--8<-- "part.md"\n'
    pages = {
        "index.md": f"# Home\n\n{snippet}",
        "a.md": f"# A\n\n{snippet}",
        "b.md": f"---\nsitemap: false\n---\n# B\n\n{snippet}",
        "named.md": "---\nsitemap: {dependencies: [part.md]}\n---\n# N\n\n" + snippet,
    }
    site = MkDocsSite.create(project, pages, **snippets())
    site.repository.commit({"part.md": "Part."}, day=2)
    log = site.run("build", "--strict")
    assert days(site) == {"": None, "a/": None, "named/": 2}
    site.repository.commit({"docs/named.md": pages["named.md"] + "\nNew.\n"}, day=3)
    assert build_days(site)["named/"] == 3
    [notice] = [line for line in log.splitlines() if "snippets" in line]
    assert "INFO    -  mkdocs_sitemap: index.md" in notice
    explained = invoke("explain", "site", "index.md", cwd=site.path).out
    assert "unknown: AttributeError" in explained
    assert "add the files" in explained


def test_hooks_that_change_a_page(project: Path) -> None:
    hook = """
import pathlib
def on_page_markdown(markdown, page, config, files):
    return markdown.replace("INSERT", pathlib.Path(config.docs_dir, "../data.txt").read_text())
"""
    pages = {
        "index.md": "# Home\n\nINSERT\n",
        "a.md": "---\ntitle: A\n---\n# A\n\nSee data.txt.\n",
    }
    hooks = {"hooks/insert.py": hook, "hooks/other.py": "def on_config(config): ..."}
    site = MkDocsSite.create(project, pages, hooks=[*hooks])
    site.repository.commit({**hooks, "data.txt": "Tea"}, day=2)
    site.build()
    assert explain(site) == {"index.md": HINT.format("hooks/insert.py"), "a.md": None}
    site.replace_in_config(
        "sitemap: {}", "sitemap: {dependencies: {index.md: data.txt}}"
    )
    assert build_days(site) == {"": 2, "a/": 1}
    assert explain(site) == {"index.md": None, "a.md": None}


def test_data_of_markdownextradata(project: Path) -> None:
    pytest.importorskip("markdownextradata")
    included = "# A\n\n{% include 'index.txt' %}\n"
    pages = {
        "index.md": "# Home\n\n{{ tea.name }}\n",
        "a.md": included,
        "index.txt": "Text.",
    }
    site = MkDocsSite.create(
        project, pages, plugins=["include-markdown", "markdownextradata"]
    )
    site.repository.commit({"docs/_data/tea.yml": "name: Oolong\n"}, day=2)
    site.build()
    assert explain(site) == {"index.md": HINT.format("markdownextradata"), "a.md": None}


def test_data_of_macros_is_known_but_not_what_they_read(project: Path) -> None:
    main = (
        "def define_env(env):\n    env.macro(lambda: open('data.txt').read(), 'show')\n"
    )
    pages = {"index.md": "# Home\n\n{{ show() }}\n", "a.md": "# A\n\n{{ word }}\n"}
    macros = {"macros": {"include_yaml": ["words.yml"]}}
    site = MkDocsSite.create(project, pages, plugins=[macros])
    files = {"main.py": main, "words.yml": "word: Tea\n", "data.txt": "Tea"}
    site.repository.commit(files, day=2)
    site.build()
    assert days(site) == {"": 2, "a/": 2}
    assert explain(site) == {"index.md": HINT.format("mkdocs-macros"), "a.md": None}
