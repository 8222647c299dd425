"""Inclusions that only an attacker writes end soon, and run nothing. A page whose
sources are unknown has no date.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from support.readers import read
from support.repository import Repository, noon
from support.sitemaps import BASE, write_site
from support.small_sites import generate, html

CONFIG = """\
markdown_extensions:
  - pymdownx.superfences
  - mdx_include
  - mkdocs-click
  - pymdownx.snippets: {base_path: [parts], restrict_base_path: false}
plugins:
  - include-markdown
  - macros: {include_yaml: [parts/data.yml]}
  - table-reader
  - markdown-exec
"""

# Each of them inserts the next one twice.
BOMB = {
    f"docs/bomb/{number}.inc": f"{{% include './{number + 1}.inc' %}}\n" * 2
    for number in range(40)
}

FILES = {
    "mkdocs.yml": CONFIG,
    "main.py": "raise SystemExit('This code runs.')\n",
    "parts/data.yml": "name: Data\n",
    "parts/loop.md": '--8<-- "loop.md"\n{! parts/loop.md !}\n',
    "docs/loop.inc": "{% include 'loop.inc' %}\n",
    **BOMB,
    "docs/bomb/40.inc": "x" * 1_000_000,
}

# Pages that have the date of their own file.
DATED = {
    "usual": "A text.\n",
    "loop": '--8<-- "loop.md"\n{! parts/loop.md !}\n',
    "absolute": '--8<-- "/etc/passwd"\n{! /etc/passwd !}\n',
    "above": '--8<-- "../../../../etc/passwd"\n{! ../../../etc/passwd !}\n',
    "device": "--8<-- '/dev/zero'\n{! /dev/zero !}\n",
    "url": '--8<-- "https://a.example/x"\n{! https://a.example/x !}\n',
    "jinja": "{% if %} {{ 'a' * }}\n",
    "expression": "{{ read_csv('a', sep='a' * 10 ** 12) }}{{ 'a' * 10 ** 12 }}\n",
    "open": '{% include "a" ' * 50_000 + "\n",
    "quotes": "{% include '" * 5_000 + "\n",
    "markers": "--8<--" * 50_000 + "\n",
    "many-markers": "--8<--\n" * 50_001,
    "colons": '--8<-- "a' + ":" * 100_000 + 'x"\n',
    "braces": "{!" * 50_000 + "\n" + "{!a" * 50_000 + "!}\n",
    "tables": "{{ read_csv(" * 50_000 + "\n",
    "fences": '```python exec="on"\n' * 20_000,
    "clicks": "::: mkdocs-click\n" * 20_000,
    "code": '```python exec="on"\n' + "(" * 50_000 + "\n```\n",
    "surrogate": "```python exec='on'\n'\\ud800'\n```\n",
}

# Pages whose sources are unknown.
UNDATED = {
    "open-late": '{% include "a" ' * 50_000 + "%}\n",
    "nul": '--8<-- "a\0b"\n{! a\0b !}\n{% include "a\0b" %}\n',
    "bomb": "{% include 'bomb/0.inc' %}\n",
    "endless": "{% include 'loop.inc' %}\n",
    "escapes": "{% include-markdown 'missing.inc' start='\\x' %}\n",
    "dynamic": "{% include name %}\n",
    "power": "{% extends 'a' * 10 ** 12 %}\n",
    "macro-of-name": "{{ read_csv(name) }}\n",
}


@pytest.mark.parametrize(
    ("pages", "date"), [(DATED, noon(1)), (UNDATED, None)], ids=["dated", "undated"]
)
def test_hostile_notations(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    pages: dict[str, str],
    date: str | None,
) -> None:
    documents = {f"docs/{name}.md": text for name, text in pages.items()}
    Repository.create(project).commit({**FILES, **documents}, day=1)
    monkeypatch.chdir(project)
    write_site(project / "site", {f"{name}/index.html": html(name) for name in pages})
    start = time.process_time()
    generate("site", "--base-url", BASE)
    assert time.process_time() - start < 10
    entries = read(Path("site/sitemap.xml").read_bytes())
    dates = {entry.loc.removeprefix(BASE): entry.lastmod for entry in entries}
    assert dates == {f"{name}/": date for name in pages}
