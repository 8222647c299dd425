"""The files that strings in code name."""

import ast
import os
from collections.abc import Iterator

from docs_sitemap.tools.files import walk_files


def find_named(code: ast.AST, folder: str) -> Iterator[str]:
    """Yield the files that strings in code name, and all files in folders that they
    name.

    Args:
        code: The parsed code.
        folder: The absolute path of the folder in which the code runs. Files elsewhere
            are left out.
    """
    start = os.path.join(folder, "")
    for node in ast.walk(code):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        path = os.path.normpath(os.path.join(folder, node.value))
        if not path.startswith(start):
            continue
        if os.path.isfile(path):
            yield path
        elif os.path.isdir(path):
            for file in walk_files(path):
                yield os.path.join(path, file)
