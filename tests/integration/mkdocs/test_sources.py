"""A page is as new as its newest source file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mkdocs_include_markdown_plugin.process import filter_inclusions
from pymdownx.snippets import SnippetPreprocessor  # type: ignore[import-untyped]
from support.mkdocs import MkDocsSite, build_days, days, snippets
from support.platforms import needs_posix
from support.repository import Repository, noon

from docs_sitemap.shown import Shown, ShownKind, selected_lines

PAGES = {"index.md": "# Home", "a.md": "# A"}


def test_snippets(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home\n\n--8<-- 'part.txt'\n",
            "block.md": "# B\n\n--8<--\npart.txt\nother.txt\n--8<--\n",
            "section.md": '# S\n\n```python\n--8<-- "app.py:main"\n--8<-- "app.py:1:2"\n```\n',
            "nested.md": "# N\n\n--8<-- 'outer.txt'\n",
            "second-base.md": "# Two\n\n--8<-- 'more.txt'\n",
            "disabled.md": "# D\n\n;--8<-- 'part.txt'\n\n`--8<-- 'part.txt'`\n",
            "text.md": "# T\n\nA page that says part.txt and app.py.\n",
        },
        **snippets(base_path=["parts", "more"]),
    )
    site.repository.commit(
        {"parts/other.txt": "Other.", "parts/unused.txt": "Unused."}, day=2
    )
    site.repository.commit({"parts/outer.txt": "--8<-- 'inner.txt'"}, day=3)
    site.repository.commit({"parts/inner.txt": "Inner."}, day=4)
    site.repository.commit({"parts/part.txt": "Part."}, day=5)
    app = "# --8<-- [start:main]\nprint()\n# --8<-- [end:main]\n"
    site.repository.commit({"parts/app.py": app}, day=6)
    site.repository.commit({"more/more.txt": "More."}, day=7)
    site.repository.commit({"parts/unused.txt": "Still unused."}, day=8)
    assert build_days(site) == {
        "": 5,
        "block/": 5,
        "disabled/": 1,
        "nested/": 4,
        "second-base/": 7,
        "section/": 6,
        "text/": 1,
    }


def test_extensions_that_are_loaded_for_the_first_page(project: Path) -> None:
    pages = {"index.md": "# Home\n", "a.md": "# A\n\n--8<-- 'part.txt'\n"}
    site = MkDocsSite.create(project, pages, hooks=["hook.py"])
    hook = """
def on_config(config):
    config.markdown_extensions.append("pymdownx.snippets")
"""
    site.repository.commit({"hook.py": hook}, day=2)
    site.repository.commit({"part.txt": "Part."}, day=3)
    site.run_process("build")
    assert days(site) == {"": 1, "a/": 3}


@pytest.mark.parametrize("succeeds", [True, False])
def test_functions_of_plugins_are_restored(project: Path, *, succeeds: bool) -> None:
    page = "# Home\n\n--8<-- 'part.txt'\n"
    site = MkDocsSite.create(
        project, {"index.md": page}, hooks=["hook.py"], **snippets()
    )
    hook = """
from mkdocs.exceptions import PluginError
from pymdownx.snippets import SnippetPreprocessor  # type: ignore[import-untyped]

def on_page_content(html, **kwargs):
    assert hasattr(SnippetPreprocessor.parse_snippets, "__wrapped__")
"""
    if not succeeds:
        hook += "    raise PluginError('No.')\n"
    site.repository.commit({"hook.py": hook, "part.txt": "Part."}, day=2)
    original = SnippetPreprocessor.parse_snippets
    site.run("build", succeeds=succeeds)
    assert SnippetPreprocessor.parse_snippets is original


def test_auto_append_of_text_dates_all_pages(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES, **snippets(auto_append=["words.md"]))
    site.repository.commit({"words.md": "Words."}, day=2)
    site.repository.commit({"docs/a.md": "# A, again"}, day=3)
    assert build_days(site) == {"": 2, "a/": 3}


def test_empty_lines_between_snippets(project: Path) -> None:
    pages = {
        "index.md": "# Home",
        "a.md": "# A\n\n--8<--\n\npart.txt\n\n; no.txt\n--8<--\n",
    }
    # Older versions of the extension append an empty line between two files.
    options = {"auto_append": ["words.md", "more.md"], "restrict_base_path": False}
    site = MkDocsSite.create(project, pages, **snippets(**options))
    site.repository.commit({"words.md": "Words.", "more.md": "More."}, day=2)
    site.repository.commit({"part.txt": "Part."}, day=3)
    assert build_days(site) == {"": 2, "a/": 3}


@pytest.mark.parametrize("place", [0, 1])
def test_include_markdown(project: Path, place: int) -> None:
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home\n\n{% include-markdown '../README.md' %}\n",
            "glob.md": "# G\n\n{% include 'parts/*.txt' exclude='./parts/c.txt' %}\n",
            "nested.md": "# N\n\n{% include-markdown 'parts/outer.inc' %}\n",
            "again.md": "# A\n\n{% include '../README.md' %}\n",
            "text.md": "# T\n\nA page that says README.md.\n",
            "parts/a.txt": "A.",
            "parts/outer.inc": "{% include 'c.txt' %}{% include './c.txt' %}",
            "c.txt": "C.",
        },
        plugins=["include-markdown"],
    )
    config = (site.path / "mkdocs.yml").read_text()
    if place:  # the order of the plugins does not matter
        config = config.replace(
            "- sitemap: {}\n- include-markdown", "- include-markdown\n- sitemap"
        )
        assert "- include-markdown\n- sitemap" in config
    site.repository.commit({"mkdocs.yml": config, "README.md": "The project."}, day=2)
    site.repository.commit({"docs/parts/b.txt": "B."}, day=3)
    site.repository.commit({"docs/parts/c.txt": "C, too."}, day=4)
    assert build_days(site) == {
        "": 2,
        "again/": 2,
        "glob/": 3,
        "nested/": 4,
        "text/": 1,
    }


def test_include_markdown_with_custom_tags(project: Path) -> None:
    plugin = {"include-markdown": {"opening_tag": "{!", "closing_tag": "!}"}}
    pages = {
        "index.md": "# Home\n\n{! include 'a.txt' !}\n",
        "b.md": "# B\n\n{% include 'a.txt' %}",
    }
    site = MkDocsSite.create(project, pages, plugins=[plugin])
    site.repository.commit({"docs/a.txt": "A."}, day=2)
    assert build_days(site) == {"": 2, "b/": 1}


def test_include_markdown_between_marks(project: Path) -> None:
    part = (
        "before {} <!-- s -->one {}<!-- e --> out <!-- s -->two {}<!-- e --> after {}"
    )
    pages = {
        "both.md": "{% include-markdown 'p.txt' start='<!-- s -->' end='<!-- e -->' %}",
        "start.md": "{% include 'p.txt' start='<!-- s -->' %}",
        "end.md": "{% include-markdown 'p.txt' end='<!-- e -->' dedent=true %}",
        "all.md": "{% include 'p.txt' %}",
        "no-start.md": "{% include 'p.txt' start='<!-- n -->' end='<!-- e -->' %}",
        "escape.md": "{% include-markdown 'lines.txt' start='a\\n' %}",
        "nested.md": "{% include-markdown 'outer.txt' start='[' end=']' %}",
        "p.txt": part.format(*"1111"),
        "lines.txt": "a 1\na\n1",
        "outer.txt": "[{% include 'p.txt' end='<!-- s -->' %}] 1",
    }
    site = MkDocsSite.create(
        project,
        {name: f"# Page\n\n{text}\n" for name, text in pages.items() if ".md" in name},
        plugins=["include-markdown"],
    )
    parts = {f"docs/{name}": pages[name] for name in pages if ".txt" in name}
    site.repository.commit(parts, day=1)
    changes = [("1112", 2), ("1132", 3), ("1432", 4), ("5432", 5)]
    for texts, day in changes:
        site.repository.commit({"docs/p.txt": part.format(*texts)}, day=day)
    site.repository.commit({"docs/lines.txt": "a 2\na\n1"}, day=6)
    site.repository.commit({"docs/outer.txt": f"{pages['outer.txt']}, changed"}, day=7)
    site.run("build")  # A mark is missing.
    assert days(site) == {
        "all/": 5,
        "both/": 4,
        "end/": 5,
        "escape/": 1,
        "nested/": 5,
        "no-start/": 5,
        "start/": 4,
    }


@pytest.mark.parametrize(("start", "end"), [("<", None), (None, ">"), ("<", ">")])
@pytest.mark.parametrize(
    "text", ["a<b>c", "a<b>c>d>e", "a>b<c>d<e>f>g", "a>b>c>d", "a<b<c", "<>", "abc"]
)
def test_the_text_between_marks_is_the_one_that_the_plugin_inserts(
    text: str, start: str | None, end: str | None
) -> None:
    shown = Shown(ShownKind.LINES, (selected_lines(start=start, end=end),))
    inserted, *_ = filter_inclusions(start, end, text)
    every_line = Shown(ShownKind.LINES, (selected_lines(ranges="1:"),))
    assert shown.digest(text.encode()) == every_line.digest(inserted.encode())


def test_mdx_include(project: Path) -> None:
    pytest.importorskip("mdx_include")
    pages = {
        "index.md": "# Home\n\n{! part.txt !}\n",
        "a.md": "# A\n\n\\{! part.txt !}\n",
    }
    site = MkDocsSite.create(project, pages, markdown_extensions=["mdx_include"])
    site.repository.commit(
        {"part.txt": "{! inner.txt !}", "inner.txt": "Inner."}, day=2
    )
    site.repository.commit({"inner.txt": "Inner, again."}, day=3)
    assert build_days(site) == {"": 3, "a/": 1}


def test_markdown_include(project: Path) -> None:
    pytest.importorskip("markdown_include")
    pages = {"index.md": "# Home\n\n{!parts/part.md!}\n", "a.md": "# A\n\npart.md\n"}
    site = MkDocsSite.create(
        project, pages, markdown_extensions=["markdown_include.include"]
    )
    site.repository.commit(
        {"parts/part.md": "{!parts/code.py!}", "parts/code.py": "1"}, day=2
    )
    site.repository.commit({"parts/code.py": "2"}, day=3)
    assert build_days(site) == {"": 3, "a/": 1}


def test_codeinclude(project: Path) -> None:
    pytest.importorskip("codeinclude")
    block = (
        "<!--codeinclude-->\n[Code](../../src/code.py) block:f\n<!--/codeinclude-->\n"
    )
    link = "# Home\n\n[Code](a/code.md)\n"
    site = MkDocsSite.create(
        project, {"index.md": link, "a/code.md": block}, plugins=["codeinclude"]
    )
    site.repository.commit({"src/code.py": "def f() {\n1\n}"}, day=2)
    assert build_days(site) == {"": 1, "a/code/": 2}


@pytest.mark.parametrize("macros", [False, True])
def test_table_reader(project: Path, macros: bool) -> None:
    pytest.importorskip("mkdocs_table_reader_plugin")
    table = "{{ read_csv('tables/a.csv') }}\n\n{{ read_raw('near.txt') }}\n"
    plugins = ["macros"] if macros else []
    site = MkDocsSite.create(
        project,
        {
            "index.md": f"# Home\n\n{table}",
            "near.txt": "Near.",
            "a.md": "# A\n\ntables/a.csv\n",
        },
        plugins=[*plugins, {"table-reader": {"data_path": "data"}}],
    )
    site.repository.commit(
        {"data/tables/a.csv": "a,b\n1,2\n", "data/other.csv": "a"}, day=2
    )
    assert build_days(site) == {"": 2, "a/": 1}
    site.repository.commit({"docs/near.txt": "Nearer."}, day=3)
    assert build_days(site) == {"": 3, "a/": 1}


def test_macros_templates(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home\n\n{% include 'part.md' %}\n",
            "again.md": "# A\n\n{% include 'part.md' %}\n",
            "import.md": "# I\n\n{% import 'lib.md' as lib %}{{ lib.hello() }}\n",
            "from.md": "# F\n\n{% from 'lib.md' import hello %}{{ hello() }}\n",
            "raw.md": "---\nrender_macros: false\n---\n# R\n\n{% include 'part.md' %}\n",
            "text.md": "# T\n",
        },
        plugins=[{"macros": {"include_dir": "parts"}}],
    )
    part = "{% include 'inner.md' %}"
    site.repository.commit({"parts/part.md": part, "parts/inner.md": "In."}, day=2)
    site.repository.commit({"parts/inner.md": "Inner."}, day=3)
    lib = "{% macro hello() %}Hello, {{ site() }}.{% endmacro %}"
    site.repository.commit({"parts/lib.md": lib}, day=4)
    main = "def define_env(env):\n    env.macro(lambda: 'world', 'site')\n"
    site.repository.commit({"main.py": main}, day=5)
    assert build_days(site) == {
        "": 3,
        "again/": 3,
        "from/": 5,
        "import/": 5,
        "raw/": 1,
        "text/": 1,
    }


def test_macros_data_and_module(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home\n\n{{ config.site_name }} {{ extra.word }} {{ page.title }}\n",
            "data.md": "# D\n\n{{ product.name }}\n",
            "keyed.md": "# K\n\n{% for team in teams.all %}{{ team }}{% endfor %}\n",
            "macro.md": "# M\n\n{{ price() }}\n",
            "variable.md": "# V\n\n{{ version }}\n",
            "changed.md": "# V\n\n{{ phrase }}\n",
            "unchanged.md": "# V\n\n{{ word }}\n",
            "reads.md": "# R\n\n{{ table('data/table.csv') }}\n",
            "filter.md": "# F\n\n{{ 'text' | loud }}\n",
            "mapped.md": "# F\n\n{{ ['a'] | map('loud') | join }}\n",
            "built-in.md": "# B\n\n{{ fix_url('a') | upper }}\n",
            "text.md": "# T\n\nprice, version, product and teams\n",
        },
        extra={"word": {"many": ["Word"]}, "phrase": "configured"},
        plugins=[
            {
                "macros": {
                    "include_yaml": ["data/product.yml", {"teams": "data/teams.yml"}]
                }
            }
        ],
    )
    site.repository.commit({"data/product.yml": "product: {name: Tea}"}, day=2)
    site.repository.commit({"data/teams.yml": "all: [a, b]"}, day=3)
    main = (
        "import pathlib\n"
        "def define_env(env):\n"
        "    env.variables['version'] = '1.0'\n"
        "    env.variables['phrase'] = 'of the module'\n"
        "    env.macro(lambda: '10', 'price')\n"
        "    env.filter(str.upper, 'unused')\n"
        "    env.filter(lambda text: text + '!', 'loud')\n"
        "    env.macro(lambda name: pathlib.Path(name).read_text(), 'table')\n"
    )
    site.repository.commit({"main.py": main}, day=4)
    site.repository.commit({"data/table.csv": "a,b"}, day=5)
    assert build_days(site) == {
        "": 1,
        "built-in/": 1,
        "changed/": 4,
        "data/": 2,
        "filter/": 4,
        "keyed/": 3,
        "macro/": 4,
        "mapped/": 4,
        "reads/": 4,  # The file that the macro reads must be named.
        "text/": 1,
        "unchanged/": 1,
        "variable/": 4,
    }


PACKAGE = {
    "src/pack/typed.py": "def typed(): pass\n",
    "src/pack/__init__.py": (
        '"""A package."""\nfrom pack._inner import Inner\n__all__ = ["Inner"]\n'
    ),
    "src/pack/_inner.py": (
        'class Inner:\n    """A class."""\n    def method(self):\n        """M."""\n'
    ),
    "src/pack/one.py": '"""One."""\ndef one():\n    """One."""\n',
    "src/pack/two.py": (
        "from pack._inner import Inner\nfrom pack.one import one\n"
        'class Two(Inner):\n    """Two."""\n'
    ),
    "src/pack/three.py": 'def three():\n    """Three.\n\n    --8<-- "part.txt"\n    """\n',
}


def mkdocstrings(**options: Any) -> dict[str, Any]:
    return {"mkdocstrings": {"handlers": {"python": {"paths": ["src"]}}} | options}


def test_mkdocstrings_with_an_installed_package(project: Path, tmp_path: Path) -> None:
    library = tmp_path / "env/site-packages"
    handlers = {"python": {"paths": [str(library)]}}
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home\n",
            "own.md": "::: pkg.mod\n",
            "other.md": "::: other\n",
            "generated.md": "::: pkg.generated\n",
            "../lib/pkg/__init__.py": "",
            "../lib/pkg/mod.py": "",
        },
        plugins=[{"mkdocstrings": {"handlers": handlers}}],
    )
    module = 'def f():\n    """Do it."""\n'
    site.repository.commit({"lib/pkg/mod.py": module}, day=4)
    site.repository.commit({"lib/pkg/mod.py": module.replace("Do", "Show")}, day=5)
    site.repository.commit(
        {"lib/pkg/mod.py": module.replace("Do", "Show") + "import os\n"}, day=6
    )
    for name in ("pkg/__init__", "pkg/mod", "pkg/generated", "other"):
        Repository(library).write({f"{name}.py": f"{module}VERSION = 1\n"})
    log = site.run("build", "--verbose")
    assert days(site) == {"": 1, "own/": 5, "other/": 1, "generated/": None}
    assert log.count("pkg/generated.py is not the path") == 1
    assert "pip install --editable" in log


def test_mkdocstrings_modules(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home\n\nSee pack.one.\n",
            "package.md": "::: pack\n",
            "one.md": "# One\n\n::: pack.one.one\n    options:\n      show_source: true\n",
            "one-again.md": "# One\n\n::: pack.one\n",
            "quiet.md": "# One\n\n::: pack.one\n    options:\n      show_root_heading: false\n",
            "two.md": "# Two\n\n::: pack.two\n",
            "inherited.md": (
                "# I\n\n::: pack.two.Two\n    options:\n      inherited_members: true\n"
            ),
            "three.md": "# Three\n\n::: pack.three\n",
            "code.md": "# C\n\n```\n--8<-- 'src/pack/one.py'\n```\n",
            "both.md": "# B\n\n::: pack.two\n\n```\n--8<-- 'src/pack/one.py'\n```\n",
            "typed.md": "# T\n\n::: pack.typed\n",
            "library.md": "# L\n\n::: json.dumps\n",
        },
        plugins=[mkdocstrings(custom_templates="looks")],
        **snippets(),
    )
    look = "{% extends '_base/module.html.jinja' %}"
    site.repository.commit({"looks/python/mkdocs/module.html.jinja": look}, day=14)
    # Files in a virtual environment are not content of the project.
    site.repository.commit({"venv/pyvenv.cfg": "", "venv/x.txt": "X."}, day=1)
    site.repository.commit(PACKAGE | {"part.txt": "Part."}, day=2)
    for day, name in enumerate(["__init__", "_inner", "one", "two", "three"], start=3):
        path = f"src/pack/{name}.py"
        site.repository.commit({path: f"{PACKAGE[path]}# changed\n"}, day=day)
    site.repository.commit({"part.txt": "A part."}, day=9)
    site.repository.commit({"docs/library.md": "# Library\n\n::: json.dumps\n"}, day=10)
    site.repository.commit({"src/pack/typed.pyi": "def typed() -> int: ..."}, day=12)
    assert build_days(site) == {
        "": 1,
        "both/": 6,
        "code/": 5,
        "inherited/": 6,
        "library/": 10,
        "one-again/": 5,
        "one/": 5,
        "package/": 4,
        "quiet/": 5,
        "three/": 9,
        "two/": 6,
        "typed/": 12,
    }
    site.repository.commit(
        {"src/pack/_inner.py": PACKAGE["src/pack/_inner.py"]}, day=13
    )
    dates = build_days(site)
    assert {url for url, day in dates.items() if day == 13} == {
        "inherited/",
        "package/",
    }


def test_only_visible_changes_of_modules_count_if_the_page_shows_no_code(
    project: Path,
) -> None:
    handlers = {"python": {"paths": ["src"], "options": {"show_source": False}}}
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home\n",
            "api.md": "# API\n\n::: pack.one\n",
            "source.md": "# S\n\n::: pack.one\n    options:\n      show_source: true\n",
            "code.md": "# C\n\n::: pack.one\n\n```\n--8<-- 'src/pack/one.py'\n```\n",
        },
        plugins=[{"mkdocstrings": {"handlers": handlers}}],
        **snippets(),
    )
    site.repository.commit(PACKAGE, day=2)
    hidden = f"# Hidden.\n{PACKAGE['src/pack/one.py']}    return os.name\n\nimport os\n"
    site.repository.commit({"src/pack/one.py": hidden}, day=3)
    expected = {"": 1, "api/": 2, "code/": 3, "source/": 3}
    assert build_days(site) == expected
    visible = hidden.replace("def one()", "def one(name: str)")
    site.repository.commit({"src/pack/one.py": visible}, day=4)
    assert build_days(site) == {"": 1, "api/": 4, "code/": 4, "source/": 4}
    site.replace_in_config("show_source: false", "show_source: true")
    site.repository.commit({"src/pack/one.py": f"{visible}\n\n# The end.\n"}, day=5)
    assert build_days(site) == {"": 1, "api/": 4, "code/": 5, "source/": 4}
    code = visible.replace("os.name", "os.sep")
    site.repository.commit({"src/pack/one.py": code}, day=6)
    assert build_days(site) == {"": 1, "api/": 6, "code/": 6, "source/": 6}


def test_modules_that_cause_warnings_are_not_read_as_code(project: Path) -> None:
    # MkDocs reads the line of the invalid escape to show it.
    module = 'X = "\\d"\n\ndef one():\n    """One."""\n'
    handlers = {"python": {"paths": ["src"], "options": {"show_source": False}}}
    site = MkDocsSite.create(
        project,
        {"index.md": "::: warns\n", "other.md": "::: warns\n"},
        plugins=[{"mkdocstrings": {"handlers": handlers}}],
    )
    site.repository.commit({"src/warns.py": module}, day=2)
    site.repository.commit({"src/warns.py": f"{module}    return 1\n"}, day=3)
    assert build_days(site) == {"": 2, "other/": 2}


def test_files_that_git_ignores_have_the_dates_of_their_modules_or_dependencies(
    project: Path,
) -> None:
    site = MkDocsSite.create(
        project,
        {"index.md": "# Home\n"},
        sitemap={"dependencies": {"api/named.md": ["tool.py"]}},
        plugins=[mkdocstrings()],
    )
    site.repository.commit(PACKAGE | {".gitignore": "/site/\n/docs/api/\n"}, day=2)
    site.repository.commit({"tool.py": "1"}, day=3)
    site.repository.write(
        {
            "docs/api/one.md": "# One\n\n::: pack.one\n",
            "docs/api/text.md": "# Text\n\nA text of its own.\n\n::: pack.one\n",
            "docs/api/named.md": "# Text\n",
        }
    )
    assert build_days(site) == {
        "": 1,
        "api/named/": 3,
        "api/one/": 2,
        "api/text/": None,
    }


GENERATE = """
import mkdocs_gen_files
pages = {
    "api/one.md": "# One\\n\\n::: pack.one\\n    options:\\n      show_source: false\\n",
    "api/two.md": "::: pack.two",
    "api/text.md": "# Text\\n\\nThis page says something itself.\\n\\n::: pack.one\\n",
    "api/code.md": "# Code\\n\\n    code\\n\\n::: pack.one\\n",
    "api/none.md": "# Nothing\\n",
    "readme.md": open("README.md").read(),
}
for name, text in pages.items():
    with mkdocs_gen_files.open(name, "w") as file:
        file.write(text)
mkdocs_gen_files.set_edit_path("readme.md", "README.md")
"""


def test_generated_api_pages_have_the_date_of_their_modules(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        {"index.md": "# Home\n"},
        plugins=[mkdocstrings(), {"gen-files": {"scripts": ["generate.py"]}}],
        **snippets(auto_append=["words.md"]),
    )
    site.repository.commit(
        PACKAGE | {"words.md": "*[A]: B", "README.md": "# R\n"}, day=1
    )
    site.repository.commit({"src/pack/one.py": "def one(): pass\n"}, day=2)
    site.repository.commit({"src/pack/two.py": "def two(): pass\n"}, day=3)
    site.repository.commit({"generate.py": GENERATE}, day=4)
    expected = {
        "": 1,
        "api/code/": None,
        "api/none/": None,
        "api/one/": 2,
        "api/text/": None,
        "api/two/": 3,
        "readme/": None,
    }
    assert build_days(site) == expected


def test_files_that_hooks_read_are_no_sources(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES, hooks=["hook.py"])
    hook = """
import pathlib
folder = pathlib.Path(__file__).parent
def on_page_markdown(markdown, page, config, files):
    return markdown + (folder / "data.txt").read_text()
"""
    site.repository.commit({"hook.py": hook, "data.txt": "1"}, day=2)
    assert build_days(site) == {"": 1, "a/": 1}
    site.replace_in_config("sitemap: {}", "sitemap: {dependencies: {a.md: [data.txt]}}")
    assert build_days(site) == {"": 1, "a/": 2}


def test_a_build_that_fails_reports_its_own_error(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES, hooks=["hook.py"])
    hook = """
from mkdocs.exceptions import PluginError
def {event}(*args, **kwargs):
    raise PluginError("it is broken")
"""
    for event in ("on_config", "on_page_markdown"):
        site.repository.write({"hook.py": hook.format(event=event)})
        assert "it is broken" in site.run("build", succeeds=False)


def test_files_outside_the_repository_are_not_sources(project: Path) -> None:
    site = MkDocsSite.create(
        project / "manual",
        {
            "index.md": "# Home\n\n--8<-- '../../out.txt'\n",
            "a.md": "# A\n\n--8<-- '../in.txt'\n",
        },
        **snippets(restrict_base_path=False, base_path=["."]),
    )
    (site.path / ".git").rename(project / ".git")
    repository = Repository(project)
    repository.commit({".gitignore": "site\n"}, day=1)
    repository.commit({"in.txt": "In."}, day=2)
    (project.parent / "out.txt").write_text(
        "What is no part of the project has no date."
    )
    assert build_days(site) == {"": 1, "a/": 2}


def test_a_page_with_an_untracked_source_has_no_date(project: Path) -> None:
    pages = {"index.md": "# Home\n\n--8<-- 'part.txt'\n", "a.md": "# A\n"}
    site = MkDocsSite.create(project, pages, **snippets())
    site.repository.write({"part.txt": "Part."})
    assert build_days(site) == {"": None, "a/": 1}


def test_dirty_builds_date_only_the_pages_that_they_render(project: Path) -> None:
    own_date = "---\nsitemap: {lastmod: 2020-02-02}\n---\n# Own\n"
    site = MkDocsSite.create(project, PAGES | {"own.md": own_date}, **snippets())
    site.build()
    site.repository.commit({"part.txt": "Part."}, day=3)
    site.repository.commit({"docs/a.md": "# A\n\n--8<-- 'part.txt'\n"}, day=2)
    log = site.run("build", "--dirty")
    entries = site.read()
    assert entries["a/"].lastmod == noon(3)
    assert entries[""].lastmod is None
    assert entries["own/"].lastmod == "2020-02-02"
    assert log.count("Fix: build without --dirty") == 1
    assert site.build()[""].lastmod == noon(1)


@needs_posix  # XDG_CACHE_HOME
def test_builds_need_no_cache_folder(project: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    site = MkDocsSite.create(project, {"index.md": "# Home\n"})
    site.build(XDG_CACHE_HOME=str(tmp_path / "file"))
    assert days(site) == {"": 1}


def test_all_languages_of_static_i18n_have_their_own_sources(project: Path) -> None:
    languages = [
        {"locale": "en", "default": True, "name": "English", "build": True},
        {"locale": "fr", "name": "Français", "build": True},
    ]
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home\n\n{% include 'en.txt' %}\n",
            "index.fr.md": "# Accueil\n\n{% include 'fr.txt' %}\n",
            "a.md": "# A\n\n{% include 'en.txt' %}\n",
            "a.fr.md": "# A\n\n{{ word }}\n",
        },
        plugins=[
            {"i18n": {"docs_structure": "suffix", "languages": languages}},
            {"macros": {"include_dir": "parts", "include_yaml": ["words.yml"]}},
        ],
    )
    site.repository.commit({"parts/en.txt": "Text."}, day=2)
    site.repository.commit({"parts/fr.txt": "Texte."}, day=3)
    site.repository.commit({"words.yml": "word: mot"}, day=4)
    assert build_days(site) == {"": 2, "a/": 2, "fr/": 3, "fr/a/": 4}


def test_a_dependency_that_is_no_path_is_a_warning(project: Path) -> None:
    front_matter = '---\nsitemap: {dependencies: ["a\\0b", "c"]}\n---\n# Home'
    site = MkDocsSite.create(project, {"index.md": front_matter})
    log = site.run("build")
    message = (
        "index.md: the sitemap setting dependencies is ignored: ['a\\x00b', 'c'] is not"
    )
    assert f"WARNING -  mkdocs_sitemap: {message}" in log
    assert days(site) == {"": 1}
