"""What pages insert dates them as in the plugin of MkDocs: whether MkDocs or Zensical
built the site, `generate` finds the same parts in the Markdown.

Each project has one page for each notation. First, all that pages show changes, each
file on a day of its own. Then, lines change that no page shows.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from support.cli import invoke
from support.command import run
from support.mkdocs import BASE_URL, MkDocsSite, days

CODE = "one\n# --8<-- [start:part]\ntwo\n# --8<-- [end:part]\nthree\nfour\nfive\n"
MARKED = "Before.\n\n<!--start-->\nBetween.\n<!--end-->\n\nAfter.\n"
GLOSSARY = "*[HTML]: Hyper Text\n\n*[CSS]: Sheets\n\n[link]: https://a.example/\n"

SNIPPETS = {
    "line.md": '--8<-- "code.txt:3:4"\n',
    "from.md": "--8<-- 'code.txt:5'\n",
    "to.md": '--8<-- "code.txt::1"\n',
    "ranges.md": '--8<-- "code.txt:1:1,7:"\n',
    "negative.md": '--8<-- "code.txt:-3:-3"\n',
    "section.md": '--8<-- "code.txt:part"\n',
    "block.md": "--8<--\ncode.txt:part\n\n; other.md\n--8<--\n",
    "fence.md": '```py\n--8<-- "code.txt:part"\n```\n',
    "escaped.md": ';--8<-- "other.md"\n',
    "nested.md": '--8<-- "outer.md:inner"\n',
    "cycle.md": '--8<-- "cycle-a.md"\n',
    "missing.md": '--8<-- "missing.md"\n',
    "outside.md": '--8<-- "../../../etc/passwd"\n',
    "url.md": '--8<-- "https://a.example/code.txt"\n',
    "term.md": "HTML\n",
    "linked.md": "A [link].\n",
    "plain.md": "Nothing.\n",
}

SNIPPET_FILES = {
    "parts/code.txt": CODE,
    "parts/other.md": "Other.\n",
    "parts/outer.md": (
        '--8<-- "other.md"\n--8<-- [start:inner]\n--8<-- "deep.md"\n--8<-- [end:inner]\n'
    ),
    "parts/deep.md": "Deep.\n",
    "parts/cycle-a.md": 'A.\n\n--8<-- "cycle-b.md"\n',
    "parts/cycle-b.md": 'B.\n\n--8<-- "cycle-a.md"\n',
    "words.md": GLOSSARY,
}

# Each file on a day, from the third: its name, a text in it, and the pages with it.
SNIPPET_CHANGES = [
    ("parts/code.txt", "one", "to ranges negative"),
    ("parts/code.txt", "two", "line section block fence negative"),
    ("parts/code.txt", "three", "from negative"),
    ("parts/code.txt", "five", "from ranges negative"),
    ("parts/code.txt", "four", "from negative"),
    ("parts/deep.md", "Deep", "nested"),
    ("parts/cycle-b.md", "B.", "cycle"),
    ("words.md", "Hyper", "term"),
    ("words.md", "a.example", "linked"),
    ("words.md", "Sheets", ""),
    ("parts/other.md", "Other", ""),
]


def make_site(
    path: Path,
    pages: dict[str, str],
    files: dict[str, str],
    **config: Any,
) -> MkDocsSite:
    """Commit a project, whose files are all as old as its pages."""
    texts = {"index.md": "# Home\n"}
    for name, text in pages.items():
        texts[name] = text if text.startswith("---") else f"# Page\n\n{text}"
    theme = {"name": "material", "font": False}
    site = MkDocsSite.create(path, texts, theme=theme, **config)
    site.repository.commit(files, day=1)
    return site


def check(
    site: MkDocsSite,
    pages: dict[str, str],
    files: dict[str, str],
    changes: list[tuple[str, str, str]],
    *,
    zensical: bool = True,
) -> None:
    """Change a part of a file on each day, and check the dates of all pages: by the
    plugin, and by `generate` for the same site, and for that of Zensical.
    """
    texts = dict(files)
    urls = [name.removesuffix(".md") + "/" for name in pages]
    expected: dict[str, int | None] = dict.fromkeys(["", *urls], 1)
    for day, (name, old, changed) in enumerate(changes, start=3):
        assert old in texts[name], old
        texts[name] = texts[name].replace(old, f"{old}-new")
        site.repository.commit({name: texts[name]}, day=day)
        expected |= dict.fromkeys([f"{page}/" for page in changed.split()], day)
    site.run_process("build")
    assert days(site) == expected
    assert generated_days(site) == expected
    if zensical:
        shutil.rmtree(site.site)
        run((sys.executable, "-m", "zensical", "build"), cwd=site.path)
        assert generated_days(site) == expected


def generated_days(site: MkDocsSite) -> dict[str, int | None]:
    """Return the days that `generate` finds for a built site."""
    for path in site.site.glob("sitemap.xml*"):
        path.unlink()
    done = invoke("generate", "site", "--base-url", BASE_URL, cwd=site.path)
    assert done.code == 0, done
    return days(site)


def test_snippets(project: Path) -> None:
    options = {
        "base_path": ["parts", "."],
        "auto_append": ["words.md"],
        "url_download": False,
    }
    site = make_site(
        project,
        SNIPPETS,
        SNIPPET_FILES,
        markdown_extensions=[
            "abbr",
            "pymdownx.superfences",
            {"pymdownx.snippets": options},
        ],
    )
    check(site, SNIPPETS, SNIPPET_FILES, SNIPPET_CHANGES)


MARKED = "Before.\n\n<!--start-->\nBetween.\n<!--end-->\n\nAfter.\n"

INCLUSIONS = {
    "all.md": '{% include "../parts/marked.md" %}\n',
    "between.md": (
        '{% include-markdown "../parts/marked.md" start="<!--start-->" '
        'end="<!--end-->" %}\n'
    ),
    "after.md": (
        "{% include-markdown '../parts/marked.md'\n   start='<!--end-->\\n' %}\n"
    ),
    "before.md": '{% include "../parts/marked.md" end="<!--start-->" %}\n',
    "code.md": '```md\n{% include "../parts/marked.md" end="<!--start-->" %}\n```\n',
    "folder/deep.md": '{% include "./../../parts/outer.md" %}\n',
    "text.md": "parts/marked.md\n",
}

INCLUDED = {
    "parts/marked.md": MARKED,
    "parts/outer.md": '{% include "./inner/one.md" %}\n\n--8<-- "inner/two.md"\n',
    "parts/inner/one.md": "One.\n",
    "parts/inner/two.md": "Two.\n",
}

INCLUDED_CHANGES = [
    ("parts/marked.md", "Before", "all before code"),
    ("parts/marked.md", "Between", "all between"),
    ("parts/marked.md", "After", "all after"),
    ("parts/inner/one.md", "One", "folder/deep"),
    ("parts/inner/two.md", "Two", "folder/deep"),
]


def test_include_markdown(project: Path) -> None:
    site = make_site(
        project,
        INCLUSIONS,
        INCLUDED,
        plugins=["include-markdown"],
        markdown_extensions=[
            "pymdownx.superfences",
            {"pymdownx.snippets": {"base_path": "parts"}},
        ],
    )
    check(site, INCLUSIONS, INCLUDED, INCLUDED_CHANGES)


def test_include_markdown_with_patterns_and_other_tags(project: Path) -> None:
    pages = {
        "glob.md": '{! insert "parts/a*.txt" !}\n',
        "both.md": '{! insert "./parts/[ab]*.txt" !}\n',
        "outer.md": '{! insert "parts/outer.txt" !}\n',
        "usual.md": '{% include "parts/a1.txt" %}\n',
    }
    files = {
        "docs/parts/a1.txt": "A1.\n",
        "docs/parts/b1.txt": "B1.\n",
        "docs/parts/outer.txt": 'Outer.\n\n{! insert "./a1.txt" !}\n',
    }
    options = {
        "opening_tag": "{!",
        "closing_tag": "!}",
        "directives": {"include": "insert"},
    }
    site = make_site(project, pages, files, plugins=[{"include-markdown": options}])
    changes = [
        ("docs/parts/a1.txt", "A1", "glob both outer"),
        ("docs/parts/outer.txt", "Outer", "outer"),
        ("docs/parts/b1.txt", "B1", "both"),
    ]
    check(site, pages, files, changes, zensical=False)


MAIN = """\
import helpers

UNUSED = "Unused"


def define_env(env):
    env.variables["version"] = "Version"
    env.variables.update({"edition": "Edition"})
    for name in ["red", "blue"]:
        env.variables[name] = "Color"

    @env.macro
    def price(value):
        return scaled(value)

    @env.macro
    def total(value):
        return f"Total {value}"

    @env.filter
    def loud(text):
        return f"{text} Loud"

    env.macro(lambda: "Short", "short")
    helpers.define_env(env)


def scaled(value):
    return f"Scaled {value}"


def never_called():
    return "Never"
"""

MACROS = {
    "price.md": "[[ price(1) ]]\n",
    "total.md": "[[ total(1) ]]\n",
    "filter.md": "[[ ['a'] | map('loud') | join ]]\n",
    "variable.md": "[[ version ]]\n",
    "updated.md": "[[ edition ]]\n",
    "computed.md": "[% set one = blue %][[ one ]]\n",
    "short.md": "[[ short() ]]\n",
    "helper.md": "[[ helped() ]]\n",
    "data.md": "[[ product.name ]]\n",
    "extra.md": "[[ word ]]\n",
    "include.md": "[% include 'part.md' %]\n",
    "import.md": "[% from 'lib.md' import hello %][[ hello() ]]\n",
    "outside.md": "[% include '../main.py' ignore missing %]\n",
    "raw.md": "---\nrender_macros: false\n---\n\n# Raw\n\n[[ price(1) ]]\n",
    "usual.md": "{{ price(1) }}\n",
    "comment.md": "[# [[ price(1) ]] #]\n",
    "table.md": "[[ read_csv('table.csv') ]]\n",
    "snippet.md": '--8<-- "snippet.md"\n',
    "text.md": "price, version, product, and teams\n",
}

MACRO_FILES = {
    "main.py": MAIN,
    "helpers.py": (
        "def define_env(env):\n    @env.macro\n    def helped():\n        return 'Helped'\n"
    ),
    "data/product.yml": "product: {name: Tea}\n",
    "data/table.csv": "a,b\n1,2\n",
    "parts/part.md": "Part.\n\n[% include 'inner.md' %]\n",
    "parts/inner.md": "Inner.\n",
    "parts/lib.md": "[% macro hello() %]Hello, [[ helped() ]][% endmacro %]\n",
    "snippet.md": "Snippet [[ price(1) ]]\n",
}

# All code of a module runs for each of its macros, without functions that they do not
# call.
ALL = "price total filter variable updated computed short"
MACRO_CHANGES = [
    ("data/table.csv", "1", "table"),
    ("main.py", "Unused", ALL),
    ("main.py", "Version", ALL),
    ("main.py", "Edition", ALL),
    ("main.py", "Color", ALL),
    ("main.py", "Short", ALL),
    ("main.py", "Scaled", "price"),
    ("main.py", "Total", "total"),
    ("main.py", "Loud", "filter"),
    ("main.py", "Never", ""),
    ("helpers.py", "Helped", "helper import"),
    ("data/product.yml", "Tea", "data"),
    ("parts/part.md", "Part", "include"),
    ("parts/inner.md", "Inner", "include"),
    ("parts/lib.md", "Hello", "import"),
    ("snippet.md", "Snippet", "snippet"),
]


def test_macros(project: Path) -> None:
    options = {
        "include_dir": "parts",
        "include_yaml": ["data/product.yml"],
        "j2_variable_start_string": "[[",
        "j2_variable_end_string": "]]",
        "j2_block_start_string": "[%",
        "j2_block_end_string": "%]",
        "j2_comment_start_string": "[#",
        "j2_comment_end_string": "#]",
    }
    site = make_site(
        project,
        MACROS,
        MACRO_FILES,
        extra={"word": "Word"},
        plugins=[{"macros": options}, {"table-reader": {"data_path": "data"}}],
        markdown_extensions=["pymdownx.snippets"],
    )
    check(site, MACROS, MACRO_FILES, MACRO_CHANGES)


OTHERS = {
    "mdx.md": "{! parts/a.md !}\n",
    "lines.md": "{! parts/code.txt [ln:1-1] !}\n",
    "escaped.md": "\\{! parts/a.md !}\n",
    "two.md": "{! parts/b.md !} {! parts/code.txt | utf-8 !}\n",
    "link.md": "[Title](../parts/code.txt)\n",
    "table.md": "    {{ read_csv('table.csv', sep=',') }}\n",
    "named.md": "{{ read_csv(filepath_or_buffer='table.csv') }}\n",
    "beside.md": "{{ READ_RAW('beside.txt') }}\n",
    "tight.md": "{{read_raw('beside.txt')}}\n",
    "command.md": "::: mkdocs-click\n    :module: tool.cli\n    :command: main\n",
    "run.md": '```python exec="on"\nimport tool.lib\nprint(1)\n```\n',
    "from.md": '1.  Item\n\n    ```py exec="1"\n    from tool import used\n    ```\n',
    "elsewhere.md": (
        "```python exec=\"1\"\nimport sys\nsys.path.append('pack' + 'ages/one')\n"
        "from other import call\n```\n"
    ),
    "reads.md": '```python exec="yes"\nprint(open("parts/code.txt").read())\n```\n',
    "shown.md": "```python\nimport tool.lib\n```\n",
    "shell.md": '```sh exec="on"\necho parts/code.txt\n```\n',
}

OTHER_FILES = {
    "parts/a.md": "Aa.\n\n{! parts/b.md !}\n",
    "parts/b.md": "Bb.\n",
    "parts/code.txt": "One\nTwo\n",
    "data/table.csv": "a,b\n1,2\n",
    "docs/beside.txt": "Beside.\n",
    "tool/__init__.py": "from tool.lib import used\n",
    "tool/lib.py": "def used():\n    return 'Used'\n",
    "tool/cli.py": (
        "import click\nimport tool.helper\nfrom tool import sub\n\n"
        "@click.group()\ndef main():\n    '''Main.'''\n\n"
        "main.add_command(sub.sub)\n"
    ),
    "tool/sub.py": (
        "import click\nfrom tool.deep import deep\n\n"
        "@click.group()\ndef sub():\n    '''Sub.'''\n\nsub.add_command(deep)\n"
    ),
    "tool/deep.py": "import click\n\n@click.command()\ndef deep():\n    '''Deep.'''\n",
    "tool/helper.py": "HELPER = 'Helper'\n",
    "packages/one/other/__init__.py": "from other.inner import call\n",
    "packages/one/other/inner.py": "def call():\n    return 'Call'\n",
}

OTHER_CHANGES = [
    ("parts/a.md", "Aa", "mdx"),
    ("parts/b.md", "Bb", "mdx two"),
    ("data/table.csv", "1", "table named"),
    ("docs/beside.txt", "Beside", "beside"),
    ("tool/lib.py", "Used", "run from"),
    ("tool/sub.py", "Sub", "command"),
    ("tool/cli.py", "Main", "command"),
    ("tool/deep.py", "Deep", "command"),
    ("tool/helper.py", "Helper", ""),
    ("packages/one/other/inner.py", "Call", "elsewhere"),
    ("parts/code.txt", "Two", "lines two reads"),
]


def test_other_plugins_and_extensions(project: Path) -> None:
    site = make_site(
        project,
        OTHERS,
        OTHER_FILES,
        plugins=[
            {"table-reader": {"data_path": "data"}},
            "markdown-exec",
        ],
        markdown_extensions=["mdx_include", "mkdocs-click", "pymdownx.superfences"],
    )
    check(site, OTHERS, OTHER_FILES, OTHER_CHANGES, zensical=False)


def test_macros_of_some_pages_and_markdown_include(project: Path) -> None:
    pages = {
        "chosen.md": "---\nrender_macros: true\n---\n\n# Chosen\n\n{{ teams.all }}\n",
        "usual.md": "{{ teams.all }}\n",
        "include.md": "See {!parts/a.md!}\n",
        "lines.md": "{!parts/a.md!lines=1 3-4}\n",
    }
    files = {
        "teams.yml": "all: Blue\n",
        "parts/a.md": "Aa.\n\n{!b.md!}\n",
        "parts/b.md": "Bb.\n",
        "b.md": "Other.\n",
    }
    options = {
        "include_yaml": [{"teams": "teams.yml"}],
        "render_by_default": False,
    }
    site = make_site(
        project,
        pages,
        files,
        plugins=[{"macros": options}],
        markdown_extensions=["markdown_include.include"],
    )
    changes = [
        ("teams.yml", "Blue", "chosen"),
        ("parts/a.md", "Aa", "include lines"),
        ("b.md", "Other", "include lines"),
        ("parts/b.md", "Bb", ""),
    ]
    check(site, pages, files, changes, zensical=False)


def test_bases_of_snippets(project: Path) -> None:
    """Folders and files, relative to any of the places that MkDocs knows."""
    pages = {
        "beside.md": '--8<-- "beside.txt"\n',
        "folder/beside.md": '--8<-- "beside.txt"\n',
        "docs.md": '--8<-- "in-docs.txt"\n',
        "file.md": '--8<-- "file.txt"\n\n--8<-- "other.txt"\n',
        "above.md": '--8<-- "../above.txt"\n',
    }
    files = {
        "docs/beside.txt": "Beside.\n",
        "docs/folder/beside.txt": "Deep.\n",
        "docs/parts/in-docs.txt": "Docs.\n",
        "parts/file.txt": "File.\n",
        "parts/other.txt": "Other.\n",
        "above.txt": "Above.\n",
    }
    site = make_site(project, pages, files)
    bases = ['!relative ""', "!relative $docs_dir/parts", "parts/file.txt", "missing"]
    options = f"base_path: [{', '.join(bases)}], restrict_base_path: false"
    config = site.path / "mkdocs.yml"
    extensions = f"markdown_extensions: [{{pymdownx.snippets: {{{options}}}}}]\n"
    text = config.read_text(encoding="utf-8") + extensions
    site.repository.commit({"mkdocs.yml": text}, day=2)
    changes = [
        ("docs/beside.txt", "Beside", "beside"),
        ("docs/folder/beside.txt", "Deep", "folder/beside"),
        ("docs/parts/in-docs.txt", "Docs", "docs"),
        ("parts/file.txt", "File", "file"),
        ("parts/other.txt", "Other", ""),
        ("above.txt", "Above", "above"),
    ]
    check(site, pages, files, changes, zensical=False)


@pytest.mark.parametrize("inclusion", ['"a{1,2}.txt"', '"*.txt" exclude="./a2.txt"'])
def test_inclusions_that_may_insert_any_file(project: Path, inclusion: str) -> None:
    pages = {"any.md": f"{{% include {inclusion} %}}\n", "other.md": "Other.\n"}
    files = {"docs/a1.txt": "A1.\n", "docs/a2.txt": "A2.\n"}
    site = make_site(project, pages, files, plugins=["include-markdown"])
    site.run_process("build")
    assert generated_days(site) == {"": 1, "any/": None, "other/": 1}


def test_snippets_in_docstrings(project: Path) -> None:
    pages = {
        "module.md": "::: pack\n",
        "function.md": "::: pack.first\n",
        "method.md": "::: pack.Thing.method\n",
    }
    files = {
        "pack.py": (
            '"""Pack.\n\n--8<-- "module.txt"\n"""\n\n'
            "def first():\n    '''First.\n\n    --8<-- \"code.txt:2:2\"\n    '''\n\n"
            "class Thing:\n    '''Thing.'''\n\n    def method(self):\n"
            "        '''Method.\n\n        --8<-- \"code.txt:1:1\"\n        '''\n"
        ),
        "module.txt": "Module.\n",
        "code.txt": "One\nTwo\nThree\n",
    }
    site = make_site(
        project,
        pages,
        files,
        plugins=["mkdocstrings"],
        markdown_extensions=["pymdownx.snippets"],
    )
    changes = [
        ("code.txt", "One", "module method"),
        ("module.txt", "Module", "module"),
        ("code.txt", "Two", "module function"),
        ("code.txt", "Three", ""),
    ]
    check(site, pages, files, changes)
