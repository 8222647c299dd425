"""mkdocs-macros and markdownextradata: templates of Jinja in Markdown, the templates
that they include, and the files that define what they use. No code runs.

Source: <https://mkdocs-macros-plugin.readthedocs.io/en/latest/>.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.loaders import split_template_path

from docs_sitemap.config.typed_values import as_mapping, as_text
from docs_sitemap.page import Source
from docs_sitemap.sources.included_text import Selection, included_files
from docs_sitemap.sources.template_names import (
    BUILT_IN_VARIABLES,
    Definitions,
    definition_sources,
    find_names,
)
from docs_sitemap_cli.generate.mkdocs_project.markdown_page import MarkdownPage

from .data_tables import READER, table_sources
from .insertions import InsertedTexts, text_option
from .macro_definitions import BUILT_IN, find_definitions

_MARKS = (
    "block_start_string",
    "block_end_string",
    "variable_start_string",
    "variable_end_string",
    "comment_start_string",
    "comment_end_string",
)

# Options can name others, but these can run any code.
_EXTENSIONS = ("jinja2.ext.do", "jinja2.ext.loopcontrols", "jinja2.ext.i18n")

_EXTRA_DATA = "markdownextradata"


def sources(page: MarkdownPage) -> Iterator[Source]:
    for text in page.texts:
        if page.project.plugin(_EXTRA_DATA) is not None and "{{" in text:
            page.ran_code.add(_EXTRA_DATA)
    options = page.project.plugin("macros")
    if options is None or not _is_rendered(page, options):
        return
    templates = _Templates(page, options)
    for text in page.texts:
        templates.add(text)
    yield from included_files(templates.files, templates.texts)
    page.texts += templates.texts[len(page.texts) :]
    if templates.has_unknown:
        page.unknown_because = "it includes a template whose name is not constant"
    definitions, module = find_definitions(page.project, page.python_handler.tree)
    if module:
        names = _other_names(page, templates.trees, definitions)
        definitions = [*definitions, Definitions(module, names)]
    for source in definition_sources(definitions, templates.trees):
        if source.path.endswith(".py"):
            page.ran_code.add("mkdocs-macros")
        yield source
    for tree in templates.trees:
        if find_names(tree) & BUILT_IN:
            page.ran_code.add("mkdocs-macros")
        for table in table_sources(page, tree):
            page.ran_code.add("mkdocs-macros")
            yield table


def _other_names(
    page: MarkdownPage,
    trees: Iterable[nodes.Template],
    definitions: Iterable[Definitions],
) -> set[str]:
    """Return the names that templates use, and that nothing known defines."""
    used = set()
    known = BUILT_IN_VARIABLES | BUILT_IN | jinja2.defaults.DEFAULT_NAMESPACE.keys()
    known |= page.project.metadata.read(page.document).keys()
    known |= as_mapping(page.project.values.get("extra")).keys()
    for definition in definitions:
        known |= definition.names
    for tree in trees:
        for name in tree.find_all(nodes.Name):
            if name.ctx != "load" or READER.fullmatch(name.name) is not None:
                known |= {name.name}
            else:
                used.add(name.name)
    return used - known


class _Templates:
    """Finds all templates that make a page.

    Attributes:
        files: The included ones.
        texts: The texts of the page, and of included templates.
        trees: The parsed texts.
        has_unknown: Whether the name of another one is only known when a template runs.
    """

    def __init__(self, page: MarkdownPage, options: Mapping[str, Any]) -> None:
        self.files: list[tuple[str, Selection]] = []
        self.texts: list[str] = []
        self.trees: list[nodes.Template] = []
        self.has_unknown = False
        project = page.project
        folder = text_option(options, "include_dir", project.docs_dir)
        self._folder = os.path.join(project.folder, folder)
        self._environment = _make_environment(options)
        self._reader = InsertedTexts()
        self._known: set[str] = set()
        environment = self._environment
        self._starts = (
            environment.variable_start_string,
            environment.block_start_string,
        )

    def add(self, text: str) -> None:
        """Add a text, and the templates that it includes."""
        texts = [text]
        for one in texts:
            self.texts.append(one)
            if not any(start in one for start in self._starts):
                continue  # as on most pages
            try:
                tree = self._environment.parse(one)
            except (jinja2.TemplateError, RecursionError):
                continue  # The page shows the error.
            self.trees.append(tree)
            for path in self._find_included(tree):
                self.files.append((path, {}))
                texts.append(self._reader.read(path))

    def _find_included(self, tree: nodes.Template) -> Iterator[str]:
        """Yield the files that a template includes, and that are not known yet."""
        kinds = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)
        for node in tree.find_all(kinds):
            name = node.template  # type: ignore[attr-defined]
            if not isinstance(name, nodes.Const):
                self.has_unknown = True  # An expression could need any time.
                continue
            path = self._find(str(name.value))
            if path is not None and path not in self._known:
                self._known.add(path)
                yield path

    def _find(self, name: str) -> str | None:
        try:
            path = os.path.join(self._folder, *split_template_path(name))
        except jinja2.TemplateNotFound:  # outside the folder
            return None
        return path if os.path.isfile(path) else None


def _make_environment(options: Mapping[str, Any]) -> jinja2.Environment:
    """Return the environment of templates.

    Raises:
        ValueError: The marks of blocks, variables, and comments are equal.
    """
    marks = {}
    for name in _MARKS:
        mark = as_text(options.get(f"j2_{name}"))
        if mark:
            marks[name] = mark
    try:
        return jinja2.Environment(extensions=_EXTENSIONS, **marks)  # type: ignore[arg-type] # noqa: S701
    except AssertionError as error:
        raise ValueError(str(error)) from None


def _is_rendered(page: MarkdownPage, options: Mapping[str, Any]) -> bool:
    """Return whether a page is a template."""
    metadata = page.project.metadata.read(page.document)
    chosen = as_text(metadata.get("render_macros"))
    if chosen.lower() in ("true", "false"):
        return chosen.lower() == "true"
    is_default = options.get("render_by_default") is not False
    # These patterns are rare.
    return is_default or bool(options.get("force_render_paths"))
