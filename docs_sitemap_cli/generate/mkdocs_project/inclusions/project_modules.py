"""The modules of a project that code imports, found by their names."""

import ast
import os
from collections.abc import Iterator
from contextlib import suppress

from docs_sitemap.shown.python_modules import parse_statements
from docs_sitemap.tools.files import read_text_file

# Where projects have their modules.
_FOLDERS = (".", "src")


def parse_module(path: str) -> ast.Module:
    """Return the code of a module; empty if it cannot be parsed.

    Raises:
        OSError: The file cannot be read.
    """
    return parse_code(read_text_file(path)) or ast.Module([], [])


def parse_code(text: str) -> ast.Module | None:
    """Return parsed code; `None` if it is not Python."""
    with suppress(ValueError):
        return ast.Module(parse_statements(text), [])
    return None


def find_module(name: str, folder: str) -> str | None:
    """Return the file of a module in a project; `None` if there is none.

    Args:
        name: The complete name of the module.
        folder: The folder of the project.
    """
    for place in _FOLDERS:
        path = os.path.join(folder, place, *name.split("."))
        for file in (f"{path}.py", os.path.join(path, "__init__.py")):
            if os.path.isfile(file):
                return os.path.normpath(file)
    return None


def find_imports(
    module: ast.Module, path: str, folder: str
) -> Iterator[tuple[str, str]]:
    """Yield the names that a module imports from modules of a project, and the files of
    these modules.

    Args:
        module: The code of the module.
        path: The file of the module.
        folder: The folder of the project.
    """
    for node in ast.walk(module):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                found = _find_imported(node, alias.name, path, folder)
                if found is not None:
                    original = _find_original(found, alias.name, folder)
                    yield alias.asname or alias.name, original


def _find_original(path: str, name: str, folder: str) -> str:
    """Return the module from which another one imports a name; the same if it defines
    the name itself.
    """
    known = [path]
    for module in known:
        for node in parse_module(module).body:
            if not isinstance(node, ast.ImportFrom):
                continue
            for alias in node.names:
                if (alias.asname or alias.name) != name:
                    continue
                name = alias.name
                found = _find_imported(node, name, module, folder)
                if found is not None and found not in known:
                    known.append(found)
    return known[-1]


def _find_imported(
    node: ast.Import | ast.ImportFrom, name: str, path: str, folder: str
) -> str | None:
    """Return the file that an import of a name reads: a module with this name, or the
    one that contains the name; `None` if it is not in the project.

    Args:
        node: The statement.
        name: The imported name.
        path: The file that contains the statement.
        folder: The folder of the project.
    """
    beside = os.path.dirname(path)
    if isinstance(node, ast.Import):
        return find_module(name, folder) or find_module(name, beside)
    module = node.module or ""
    for _ in range(node.level - 1):
        beside = os.path.dirname(beside)
    folders = (beside,) if node.level else (folder, beside)
    for one in folders:
        inner = f"{module}.{name}" if module else name
        found = find_module(inner, one) or (
            find_module(module, one) if module else None
        )
        if found is not None:
            return found
    return None
