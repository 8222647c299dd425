"""markdown-exec: the modules that the code blocks of a page import."""

import ast
import sys
from contextlib import suppress

from docs_sitemap import Source
from mkdocs_sitemap.sources.adapter import Functions, Plugins, RenderedPage, Sources
from mkdocs_sitemap.sources.python_files import source_file

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
        for package in (
            "markdown_exec._internal",
            "markdown_exec",
        ):  # since 1.11, and before
            module = sys.modules.get(f"{package}.formatters.{name}")
            if module:
                yield module, f"_run_{language}"


def sources(page: RenderedPage) -> Sources:
    for call in page.calls:
        page.ran_code.add("markdown-exec")
        with suppress(SyntaxError):  # a command of a shell
            for node in ast.walk(ast.parse(call.arguments[0])):
                for alias in (
                    node.names if isinstance(node, ast.Import | ast.ImportFrom) else ()
                ):
                    module = sys.modules.get(getattr(node, "module", alias.name))
                    # `from` can import a module, a function, a class, or another value.
                    value = getattr(module, alias.name, module)
                    path = source_file(value) or source_file(module)
                    if path is not None:
                        yield Source(path, is_optional=True)
