"""mkdocs-click and mkdocs-typer: the modules of the commands that a page documents.

Source: <https://mkdocs.github.io/mkdocs-click/>.
"""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress

from docs_sitemap.page import Source
from docs_sitemap.shown.python_modules import last_name, parse_statements
from docs_sitemap.tools.files import read_text_file
from docs_sitemap_cli.generate.mkdocs_project.markdown_page import MarkdownPage
from docs_sitemap_cli.generate.mkdocs_project.objects.object_tree import ObjectTree

_BLOCK = re.compile(
    r"^::: (?:mkdocs-click|mkdocs-typer)[ \t]*\n(?P<options>(?:[ \t]+.*\n|[ \t]*\n)*)",
    re.M,
)
_OPTION = re.compile(r"^[ \t]+:(module|command):[ \t]*([\w.]+)[ \t]*$", re.M)

# How groups of Click and of Typer get subcommands that other modules define.
_ADDS = ("add_command", "add_typer")


def sources(page: MarkdownPage) -> Iterator[Source]:
    project = page.project
    names = ("mkdocs-click", "mkdocs-typer")
    if all(project.extension(name) is None for name in names):
        return
    for text in page.texts:
        for block in _BLOCK.finditer(f"{text}\n"):
            page.ran_code.add("mkdocs-click")
            options = dict(_OPTION.findall(block["options"]))
            command = f"{options.get('module', '')}.{options.get('command', '')}"
            for path in _find_modules(command, page.python_handler.tree):
                yield Source(path, is_optional=True)


def _find_modules(command: str, tree: ObjectTree) -> Iterator[str]:
    """Yield the modules of a command and of all its subcommands.

    Args:
        command: The path of the command.
        tree: Finds objects.
    """
    commands = [command.strip(".")]
    known = set()
    for name in commands:
        path = tree.find_file(name)
        if path is None or path in known:
            continue
        known.add(path)
        yield path
        with suppress(LookupError, OSError, ValueError):
            module = tree.find(name).module.path
            for added in _added_names(parse_statements(read_text_file(path))):
                commands.append(f"{module}.{added}")


def _added_names(statements: list[ast.stmt]) -> Iterator[str]:
    """Yield the names of the subcommands that a module adds to groups."""
    for node in ast.walk(ast.Module(statements, [])):
        if isinstance(node, ast.Call) and last_name(node.func) in _ADDS:
            yield from map(ast.unparse, node.args[:1])
