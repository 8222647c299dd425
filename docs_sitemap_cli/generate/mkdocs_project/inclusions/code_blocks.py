"""markdown-exec: the modules that code blocks of a page import, and the files and
folders that they name.

Source: <https://pawamoy.github.io/markdown-exec/>.
"""

import ast
import re
from collections.abc import Iterator

from docs_sitemap.config.typed_values import as_list, as_mapping, as_text
from docs_sitemap.page import Source
from docs_sitemap.shown.python_modules import parse_statements
from docs_sitemap.sources.named_files import find_named
from docs_sitemap_cli.generate.mkdocs_project.markdown_page import MarkdownPage
from docs_sitemap_cli.generate.mkdocs_project.yaml_values import TaggedValue

_LANGUAGES = "bash|console|py|pycon|python|sh"
_BLOCK = re.compile(
    r"^(?P<indent>[ \t>]*+)(?P<fence>`{3,}+|~{3,}+)[ \t]*+\{?[ \t]*+\.?"
    rf"(?P<language>{_LANGUAGES})\b"
    r"(?P<options>[^\n`]*)\n(?P<code>(?:(?!(?P=indent)(?P=fence)).*\n)*)",
    re.M,
)
_RUNS = re.compile(r"\bexec=[\"']?(?:1|on|true|yes)\b", re.I)
_PROMPT = re.compile(r"^(?:>>>|\.\.\.) ?", re.M)


def sources(page: MarkdownPage) -> Iterator[Source]:
    project = page.project
    has_plugin = project.plugin("markdown-exec") is not None
    if not has_plugin and not _has_formatter(page):
        return
    for text in page.texts:
        for block in _BLOCK.finditer(f"{text}\n"):
            if _RUNS.search(block["options"]) is not None:
                page.ran_code.add("markdown-exec")
                code = _strip_indent(block["code"], block["indent"])
                if block["language"] == "pycon":
                    code = _PROMPT.sub("", code)
                for path in _find_files(code, page):
                    yield Source(path, is_optional=True)


def _has_formatter(page: MarkdownPage) -> bool:
    """Return whether a fence of SuperFences runs code."""
    options = page.project.extension("pymdownx.superfences") or {}
    for fence in as_list(options.get("custom_fences")):
        formatter = as_mapping(fence).get("format")
        name = as_text(formatter)
        if isinstance(formatter, TaggedValue):
            name = formatter.tag
        if "markdown_exec" in name:
            return True
    return False


def _strip_indent(code: str, indent: str) -> str:
    return "\n".join(line.removeprefix(indent) for line in code.split("\n"))


def _find_files(code: str, page: MarkdownPage) -> Iterator[str]:
    """Yield the files of a project that a code block imports or names."""
    try:
        tree = ast.Module(parse_statements(code), [])
    except ValueError:  # a command of a shell
        return
    for name in _imported_names(tree):
        found = page.python_handler.tree.find_file(name)
        if found is not None:
            yield found
    yield from find_named(tree, page.project.folder)


def _imported_names(tree: ast.Module) -> Iterator[str]:
    """Yield the paths of the modules and objects that code imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None)
            for alias in node.names:
                yield f"{module}.{alias.name}" if module else alias.name
