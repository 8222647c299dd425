"""mkdocs-click and mkdocs-typer: the modules of the commands that a page documents.

Source: <https://mkdocs.github.io/mkdocs-click/>.
"""

import re
from collections.abc import Iterator

from docs_sitemap.page import Source
from docs_sitemap_cli.generate.mkdocs_project.markdown_page import MarkdownPage

from .project_modules import find_imports, find_module, parse_module

_BLOCK = re.compile(
    r"^::: (?:mkdocs-click|mkdocs-typer)[ \t]*\n(?P<options>(?:[ \t]+.*\n|[ \t]*\n)*)",
    re.M,
)
_MODULE = re.compile(r"^[ \t]+:module:[ \t]*([\w.]+)[ \t]*$", re.M)


def sources(page: MarkdownPage) -> Iterator[Source]:
    project = page.project
    names = ("mkdocs-click", "mkdocs-typer")
    if all(project.extension(name) is None for name in names):
        return
    for text in page.texts:
        for block in _BLOCK.finditer(f"{text}\n"):
            page.ran_code.add("mkdocs-click")
            for name in _MODULE.findall(block["options"]):
                path = find_module(name, project.folder)
                if path is not None:
                    yield Source(path, is_optional=True)
                    # Subcommands are often in modules of their own.
                    module = parse_module(path)
                    for _, found in find_imports(module, path, project.folder):
                        yield Source(found, is_optional=True)
