"""mkdocs-table-reader: files of data, as in `{{ read_csv("data.csv") }}`.

Source: <https://timvink.github.io/mkdocs-table-reader-plugin/>.
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress

import jinja2
from jinja2 import nodes

from docs_sitemap.page import Source
from docs_sitemap_cli.generate.mkdocs_project.markdown_page import MarkdownPage

from .insertions import text_option

_PLUGIN = "table-reader"

_TAG = re.compile(r"\{\{\s+read_[a-z]+\((?:(?!\{\{).)+?\)\s+\}\}", re.I)
READER = re.compile(r"(?:pd_)?read_[a-z]+", re.I)
"""The names of the readers in templates."""

# The argument that can be named.
_FILE = "filepath_or_buffer"


def sources(page: MarkdownPage) -> Iterator[Source]:
    if page.project.plugin(_PLUGIN) is None:
        return
    if page.project.plugin("macros") is not None:
        return  # It calls the readers.
    for text in page.texts:
        for tag in _TAG.findall(text):
            with suppress(jinja2.TemplateError, RecursionError):
                yield from table_sources(page, jinja2.Environment().parse(tag))  # noqa: S701


def table_sources(page: MarkdownPage, template: nodes.Template) -> Iterator[Source]:
    """Yield the files of data that a template reads."""
    for call in template.find_all(nodes.Call):
        reader = call.node
        if not isinstance(reader, nodes.Name) or not READER.fullmatch(reader.name):
            continue
        values = call.args[:1]
        for argument in call.kwargs:
            if argument.key == _FILE:
                values.append(argument.value)
        for value in values:
            if isinstance(value, nodes.Const):
                yield from _find_table(page, value.value)
            else:
                page.unknown_because = "it reads a file whose name is not constant"


def _find_table(page: MarkdownPage, name: object) -> Iterator[Source]:
    """Yield the file with a name: the one that the plugin finds first."""
    if not isinstance(name, str):
        return
    project = page.project
    data_path = text_option(project.plugin(_PLUGIN) or {}, "data_path", ".")
    for folder in (
        os.path.join(project.folder, data_path),
        os.path.join(project.docs_dir, data_path),
        os.path.dirname(page.document),
    ):
        path = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(path):
            yield Source(path)
            return
