"""Show adjacent code blocks for different generators as tabs, in MkDocs and in Sphinx.

The files stay plain Markdown. A block belongs to MkDocs and Zensical if it starts with
`# mkdocs.yml`, to Sphinx if it starts with `# conf.py`, and to any other tab if its fence
has the title of the tab: `tab="Any site"`. MkDocs loads this module as a hook, and
Sphinx in `conf.py`.
"""

from __future__ import annotations

import re
from itertools import pairwise
from textwrap import indent
from typing import Any

from project import VERSION

_BLOCK = re.compile(
    r"^```(?P<language>\w+)(?P<info>.*)\n(?P<code>[\s\S]*?)^```\n", re.MULTILINE
)
_FIRST_LINES = {"# mkdocs.yml": "MkDocs, Zensical", "# conf.py": "Sphinx"}
# What `pymdownx.snippets` includes in MkDocs.
_SNIPPET = re.compile(r'^--8<-- "(?P<path>.+)"$', re.MULTILINE)


def on_config(config):  # type: ignore[no-untyped-def]
    """Run as a hook of MkDocs, which writes the version into the navigation."""
    config.nav = with_version(config.nav)
    return config


def with_version(item: Any) -> Any:
    """Return an item of the navigation with the version in its titles."""
    if isinstance(item, list):
        return [with_version(child) for child in item]
    if isinstance(item, dict):
        return {
            title.format(version=VERSION): with_version(child)
            for title, child in item.items()
        }
    return item


def on_page_markdown(markdown: str, page, **arguments: object) -> str:  # type: ignore[no-untyped-def]
    """Run as a hook of MkDocs, which also gives the front page the width of the
    sidebars.
    """
    if page.is_homepage:
        page.meta["hide"] = ["navigation", "toc"]
    return with_tabs(markdown, _material_tabs)


def add_tabs(app: object, docname: str, source: list[str]) -> None:
    """Handle the event `source-read` of Sphinx."""
    markdown = _SNIPPET.sub(r"```{include} ../\g<path>\n```", source[0])
    source[0] = with_tabs(markdown, _sphinx_tabs)


def with_tabs(markdown: str, render) -> str:  # type: ignore[no-untyped-def]
    """Replace each group of blocks that only white space separates."""
    blocks = [match for match in _BLOCK.finditer(markdown) if _title(match)]
    groups: list[list[re.Match[str]]] = [[block] for block in blocks[:1]]
    for before, block in pairwise(blocks):
        if markdown[before.end() : block.start()].strip():
            groups.append([])
        groups[-1].append(block)
    for group in reversed(groups):
        tabs = {_title(block): block for block in group}
        if len(tabs) == len(group) > 1:
            start, end = group[0].start(), group[-1].end()
            markdown = markdown[:start] + render(tabs) + markdown[end:]
    return markdown


def _title(block: re.Match[str]) -> str:
    if match := re.search(r'tab="([^"]+)"', block["info"]):
        return match[1]
    first_line = re.split(r"[:\n]", block["code"])[0]
    return _FIRST_LINES.get(first_line, "")


def _fence(block: re.Match[str]) -> str:
    return f"```{block['language']}\n{block['code']}```\n"


def _material_tabs(tabs: dict[str, re.Match[str]]) -> str:
    return "\n".join(
        f'=== "{title}"\n\n{indent(_fence(block), " " * 4)}'
        for title, block in tabs.items()
    )


def _sphinx_tabs(tabs: dict[str, re.Match[str]]) -> str:
    items = "".join(
        f"````{{tab-item}} {title}\n:sync: {title}\n\n{_fence(block)}````\n"
        for title, block in tabs.items()
    )
    return f"`````{{tab-set}}\n{items}`````\n"
