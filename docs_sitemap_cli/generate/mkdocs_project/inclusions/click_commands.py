"""mkdocs-click and mkdocs-typer: the modules of the commands that a page documents.

Source: <https://mkdocs.github.io/mkdocs-click/>.
"""

import ast
import re
from collections.abc import Iterator

from docs_sitemap.page import Source
from docs_sitemap.shown.python_modules import last_name
from docs_sitemap_cli.generate.mkdocs_project.markdown_page import MarkdownPage

from .project_modules import find_imports, find_module, parse_module

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
            path = None
            if "module" in options:
                path = find_module(options["module"], project.folder)
            if path is not None:
                command = options.get("command", "")
                for module in _find_modules(path, command, project.folder):
                    yield Source(module, is_optional=True)


def _find_modules(start: str, command: str, folder: str) -> list[str]:
    """Return the modules of a command and of all its subcommands.

    Args:
        start: The module that a page names.
        command: The name of the command in it.
        folder: The folder of the project.
    """
    paths = [start]
    for path in paths:
        module = parse_module(path)
        imported = dict(find_imports(module, path, folder))
        names = list(_added_names(module))
        if path == start:
            names.append(command)
        for name in names:
            found = imported.get(name)
            if found is not None and found not in paths:
                paths.append(found)
    return paths


def _added_names(module: ast.Module) -> Iterator[str]:
    """Yield the names of the subcommands that a module adds to groups, or of the
    modules with them.
    """
    for node in ast.walk(module):
        if not isinstance(node, ast.Call) or last_name(node.func) not in _ADDS:
            continue
        for argument in node.args[:1]:
            while isinstance(argument, ast.Attribute):
                argument = argument.value
            yield last_name(argument)
