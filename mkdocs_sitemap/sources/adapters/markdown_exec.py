"""markdown-exec: the modules that the code blocks of a page import, and the files and
folders that they name.
"""

import ast
import os
import sys
from collections.abc import Iterator
from contextlib import suppress

from docs_sitemap.page import Source
from docs_sitemap.sources.named_files import find_named
from mkdocs_sitemap.sources.adapters import (
    Functions,
    Plugins,
    RenderedPage,
    Sources,
    source_file,
)

# The functions that run code blocks, by module.
_FUNCTIONS = {
    "bash": "bash",
    "console": "sh",
    "pycon": "python",
    "python": "python",
    "sh": "sh",
}


def functions(plugins: Plugins) -> Functions:
    for name, language in _FUNCTIONS.items():
        for package in ("markdown_exec._internal", "markdown_exec"):  # 1.11, and before
            module = sys.modules.get(f"{package}.formatters.{name}")
            if module:
                yield module, f"_run_{language}"


def sources(page: RenderedPage) -> Sources:
    for call in page.calls:
        page.ran_code.add("markdown-exec")
        with suppress(SyntaxError):  # a command of a shell
            code = ast.parse(call.arguments[0])
            for path in (*_find_imported(code), *find_named(code, os.getcwd())):
                yield Source(path, is_optional=True)


def _find_imported(code: ast.AST) -> Iterator[str]:
    """Yield the files of the modules that code imports."""
    for node in ast.walk(code):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        for alias in node.names:
            module = sys.modules.get(getattr(node, "module", alias.name))
            # `from` can import a module, a function, a class, or another value.
            value = getattr(module, alias.name, module)
            path = source_file(value) or source_file(module)
            if path is not None:
                yield path
