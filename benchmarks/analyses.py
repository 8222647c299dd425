"""What each analysis decides: which pages change their date without it.

An analysis is switched off by replacing its functions in this process. The
documentation of a project is built once. `documentation.py` saves its pages when they
are dated, and what the analyses find that take effect while pages are collected. Then
`decisions.py` dates the pages again without each analysis.
"""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.util
import inspect
import io
import json
import re
import sys
import time
import tokenize
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from docs_sitemap.page import Source, SourceRole
from docs_sitemap.shown import Shown, ShownKind
from docs_sitemap.shown.document_notations import NOTATIONS, Notation, replace_notations
from docs_sitemap.shown.shown_objects import Extent, ObjectStyle, ShownObject

Replace = Callable[[Any], Any]
"""Receives a function, and returns the one that replaces it."""

Finds = dict[str, tuple[set[Any], set[Any]]]
"""What functions find and what their replacements find, by the name of the analysis."""

_PACKAGES = ("docs_sitemap", "mkdocs_sitemap", "sphinx_sitemap_ext")


class Analysis(NamedTuple):
    """An analysis, and how it is switched off.

    Attributes:
        name: What people call it.
        is_for: Whether a source is of the kind that the analysis is for.
        without: The functions, as `module:name`, and how to replace each.
        drop: Changes the sources of pages; `None` leaves a source out.
        code: What would go: modules, functions as `module:name`, or lines with a text
            as `module~text`.
        collects: Whether it takes effect while pages are collected. What only it finds
            is then left out of the sources.
        walks: Whether it takes effect in the walk over the history.
    """

    name: str
    is_for: Callable[[Source], bool]
    without: Mapping[str, Replace] = MappingProxyType({})
    drop: Callable[[Source], Source | None] | None = None
    code: tuple[str, ...] = ()
    collects: bool = False
    walks: bool = False


def returns(value: Any) -> Replace:
    """Replace a function by one that returns a value."""
    return lambda original: lambda *args, **kwargs: value


def _keep_text(original: Any) -> Any:
    """Replace a method by one that returns the text that it gets."""
    return lambda self, text: text


def _nothing(original: Any) -> Any:
    """Replace a generator by one that yields nothing."""
    return lambda *args, **kwargs: iter(())


def _same(original: Any) -> Any:
    """Replace a function by one that returns its first argument."""
    return lambda first, *args, **kwargs: first


def _is_document(source: Source) -> bool:
    is_text = source.path.endswith((".md", ".markdown", ".rst"))
    return source.role is SourceRole.DOCUMENT and is_text


def _has_front_matter(source: Source) -> bool:
    if not _is_document(source):
        return False
    try:
        start = Path(source.path).read_bytes()[:4]
    except OSError:
        return False
    return start.startswith((b"---", b":"))


def _is_markdown(source: Source) -> bool:
    return _is_document(source) and not source.path.endswith(".rst")


def _is_rst(source: Source) -> bool:
    return _is_document(source) and source.path.endswith(".rst")


def is_any(source: Source) -> bool:
    return True


def _shows(kind: ShownKind) -> Callable[[Source], bool]:
    return lambda source: source.shows.kind is kind


_is_python = _shows(ShownKind.PYTHON)


def _has_tool(tool: str) -> Callable[[Source], bool]:
    def has_tool(source: Source) -> bool:
        return any(item.style.tool == tool for item in source.shows.objects)

    return has_tool


def _has_style(**values: Any) -> Callable[[Source], bool]:
    def has_style(source: Source) -> bool:
        for item in source.shows.objects:
            if all(getattr(item.style, name) == values[name] for name in values):
                return True
        return False

    return has_style


def _has_extent(extent: Extent) -> Callable[[Source], bool]:
    return lambda source: any(item.extent is extent for item in source.shows.objects)


def _selects(*names: str) -> Callable[[Source], bool]:
    """Return whether pages show lines of a source by one of these selections."""

    def selects(source: Source) -> bool:
        if source.shows.kind is not ShownKind.LINES:
            return False
        return any(json.loads(part).keys() & set(names) for part in source.shows.parts)

    return selects


_SELECTIONS = {"definition", "author", "entry", "functions"}


def _selects_lines(source: Source) -> bool:
    if source.shows.kind is not ShownKind.LINES or not source.shows.parts:
        return False
    return not any(json.loads(part).keys() & _SELECTIONS for part in source.shows.parts)


def _with_every_change(source: Source) -> Source:
    """Compare the text of a source as it is."""
    return source._replace(shows=source.shows.with_every_change)


def _complete(is_for: Callable[[Source], bool]) -> Callable[[Source], Source | None]:
    """Date the pages of such sources by any change to the file."""

    def complete(source: Source) -> Source:
        return source._replace(shows=Shown()) if is_for(source) else source

    return complete


def _drop(is_for: Callable[[Source], bool]) -> Callable[[Source], Source | None]:
    """Leave such sources out."""
    return lambda source: None if is_for(source) else source


def _restyle(**values: Any) -> Callable[[Source], Source | None]:
    """Show all objects of modules as if these were the options of all blocks."""

    def restyle(source: Source) -> Source:
        objects = []
        for item in source.shows.objects:
            objects.append(item._replace(style=item.style._replace(**values)))
        shows = source.shows._replace(objects=tuple(sorted(set(objects), key=repr)))
        return source._replace(shows=shows)

    return restyle


def _plain_style(source: Source) -> Source:
    """Show all objects of modules in one style."""
    objects = [item._replace(style=ObjectStyle()) for item in source.shows.objects]
    shows = source.shows._replace(objects=tuple(sorted(set(objects), key=repr)))
    return source._replace(shows=shows)


def _without_extent(extent: Extent) -> Callable[[Source], Source | None]:
    def drop(source: Source) -> Source | None:
        if not source.shows.objects:
            return source
        kept = tuple(item for item in source.shows.objects if item.extent is not extent)
        if not kept:
            return None
        return source._replace(shows=source.shows._replace(objects=kept))

    return drop


def _never(original: Any) -> re.Pattern[str]:
    """Replace a regular expression by one that matches nothing."""
    return re.compile("(?!)")


def _same_words(original: Any) -> Any:
    def has_same_body(before: str, after: str, suffix: str) -> bool:
        words = []
        for text in (before, after):
            words.append(re.findall(r"\w+", replace_notations(text, suffix)))
        return words[0] == words[1]

    return has_same_body


def _shows_key(original: Any) -> Any:
    return lambda self, key: key in ("title", "description")


def _fixed_keys(original: Any) -> Any:
    from docs_sitemap.shown import front_matter

    def shows(self: Any, key: str) -> bool:
        is_layout = key in front_matter._LAYOUT_KEYS or key.startswith("sitemap")
        return not is_layout

    return shows


def _text_of_node(original: Any) -> Any:
    return lambda self, node: "" if node is None else ast.unparse(node)


def _property(value: Any) -> Replace:
    return lambda original: property(lambda self: value)


def _own_value(original: Any) -> Any:
    definitions = importlib.import_module("sphinx_sitemap_ext.sources.definitions")

    def of_value(module: Any, name: str, value: object, **more: Any) -> Iterator[Any]:
        is_value = value is not None and not callable(value)
        for path in definitions.module_files(module.__name__):
            yield path, ShownObject(name, is_optional=not is_value)

    return of_value


def _own_class(original: Any) -> Any:
    definitions = importlib.import_module("sphinx_sitemap_ext.sources.definitions")

    def of_class(cls: type, *, has_members: bool, inherits: bool) -> Iterator[Any]:
        extent = Extent.ALL if has_members else Extent.HEAD
        yield from definitions._in_class(cls, extent)

    return of_class


def _empty(original: Any) -> set[str]:
    return set()


def _complete_module(source: Source) -> Source:
    """Compare all objects of the module, in one style."""
    if source.shows.kind is not ShownKind.PYTHON:
        return source
    return source._replace(shows=source.shows._replace(objects=(ShownObject(),)))


def _is_presence(source: Source) -> bool:
    return source.shows.kind is ShownKind.LINES and not source.shows.parts


def _is_excerpt(source: Source) -> bool:
    return source.shows.end != ""


_TEXT = "docs_sitemap.shown.documents"
_CANONICAL = "docs_sitemap.shown.document_notations"
_PARAGRAPHS = "docs_sitemap.shown.paragraphs"
_LINKS = "docs_sitemap.shown.links"
_LINES = "docs_sitemap.shown.lines"
_PYTHON = "docs_sitemap.shown.python"
_MODULES = "docs_sitemap.shown.python_modules"
_FRONT = "docs_sitemap.shown.front_matter"
_KEYS = (
    _FRONT,
    "mkdocs_sitemap.front_matter:find_words",
    "sphinx_sitemap_ext.pages:find_words",
)
_WALK = "docs_sitemap.git.walk"
_STYLED = f"{_PYTHON}:_StyledModule"
_VERSIONS = "docs_sitemap.git.file_changes:VersionReader"
_DEFINITIONS = "sphinx_sitemap_ext.sources.definitions"
_GENERATED = "sphinx_sitemap_ext.sources.generated:GeneratedDocuments"
_OBJECTS = "sphinx_sitemap_ext.sources.objects"
_SPHINX = "sphinx_sitemap_ext.sources:DocumentSources"
_MKDOCS = "mkdocs_sitemap.sources"
_ADAPTERS = "mkdocs_sitemap.sources.adapters"
_GLOSSARIES = "docs_sitemap.sources.shown_definitions"
_INCLUDED = "docs_sitemap.sources.included_text"
_TEMPLATES = "docs_sitemap.sources.template_names"
_GRIFFE = "docs_sitemap.sources.python_objects"


def _without_notation(row: Notation) -> Analysis:
    """Return the analysis of one row of the canonical form."""

    def leave_out_row(rows: Sequence[Notation]) -> tuple[Notation, ...]:
        return tuple(
            one for one in rows if (one.name, one.suffix) != (row.name, row.suffix)
        )

    is_for = _is_rst if row.suffix == ".rst" else _is_markdown
    name = f"documents: {row.name} ({row.suffix})"
    return Analysis(name, is_for, {f"{_CANONICAL}:NOTATIONS": leave_out_row})


ANALYSES = [
    # Documents
    Analysis(
        "documents: any change counts",
        _is_document,
        {f"{_TEXT}:changed_keys": returns(None)},
        code=(_TEXT, _CANONICAL, _PARAGRAPHS, _LINKS),
    ),
    Analysis(
        "documents: words only",
        _is_document,
        {f"{_TEXT}:_has_same_body": _same_words},
        code=(_CANONICAL, _PARAGRAPHS),
    ),
    Analysis(
        "documents: links by name",
        _is_document,
        {f"{_LINKS}:name_target": _same},
        code=(_LINKS,),
    ),
    Analysis(
        "documents: metadata of reStructuredText",
        _is_rst,
        {f"{_TEXT}:_RST_FIELDS": _never},
        code=(f"{_TEXT}~_RST_FIELD",),
    ),
    *map(_without_notation, NOTATIONS),
    Analysis(
        "documents: comments in HTML",
        _is_markdown,
        {f"{_CANONICAL}:_HTML_COMMENT": _never},
        code=(f"{_CANONICAL}~_HTML_COMMENT",),
    ),
    Analysis(
        "documents: code set aside",
        _is_document,
        {
            f"{_CANONICAL}:_RST_CODE": _never,
            f"{_CANONICAL}:_MARKDOWN_CODE": _never,
            f"{_CANONICAL}:_INDENTED_CODE": _never,
        },
        code=(
            f"{_CANONICAL}:_Code",
            f"{_CANONICAL}~_RST_CODE",
            f"{_CANONICAL}~_MARKDOWN_CODE",
            f"{_CANONICAL}~_INDENTED_CODE",
        ),
    ),
    Analysis(
        "documents: rewrapped paragraphs",
        _is_document,
        {
            f"{_CANONICAL}:join_markdown_lines": _same,
            f"{_CANONICAL}:join_rst_lines": _same,
        },
        code=(
            f"{_PARAGRAPHS}:join_markdown_lines",
            f"{_PARAGRAPHS}:join_rst_lines",
        ),
    ),
    Analysis(
        "documents: levels of headings in reStructuredText",
        _is_rst,
        {f"{_CANONICAL}:_number_headings": _same},
        code=(f"{_CANONICAL}:_number_headings", f"{_CANONICAL}~_RST_HEADING"),
    ),
    # Front matter
    Analysis(
        "front matter: every key counts",
        _has_front_matter,
        {f"{_FRONT}:FrontMatterKeys.shows": returns(True)},
        code=_KEYS,
    ),
    Analysis(
        "front matter: only title and description count",
        _has_front_matter,
        {f"{_FRONT}:FrontMatterKeys.shows": _shows_key},
        code=_KEYS,
    ),
    Analysis(
        "front matter: all but layout and navigation counts",
        _has_front_matter,
        {f"{_FRONT}:FrontMatterKeys.shows": _fixed_keys},
        code=_KEYS,
    ),
    Analysis(
        "front matter: names in the text",
        _has_front_matter,
        {f"{_FRONT}:names_in_jinja": returns(set())},
        code=(f"{_FRONT}:find_jinja", f"{_FRONT}:names_in_jinja"),
    ),
    # History
    Analysis(
        "moves: a move is a change",
        is_any,
        {f"{_VERSIONS}.find_old_paths": returns({})},
        code=(
            f"{_VERSIONS}.find_old_paths",
            f"{_WALK}:HistoryWalk._find_moved",
        ),
        walks=True,
    ),
    Analysis(
        "moves: only with the same bytes",
        is_any,
        {f"{_VERSIONS}._find_edited": returns({})},
        code=(f"{_VERSIONS}._find_edited",),
        walks=True,
    ),
    Analysis(
        "ignored commits",
        is_any,
        {"docs_sitemap.git.repository:read_ignored_revs": returns(())},
        code=(
            "docs_sitemap.git.repository:read_ignored_revs",
            f"{_WALK}:HistoryWalk._pass_on_contained",
        ),
        walks=True,
    ),
    # Python
    Analysis(
        "Python: any change to the module counts",
        _is_python,
        drop=_complete(_is_python),
        code=(_PYTHON, _MODULES),
    ),
    Analysis(
        "Python: the complete module, in one style",
        _is_python,
        drop=_complete_module,
        code=(_STYLED,),
    ),
    Analysis("Python: one style for all", _is_python, drop=_plain_style),
    Analysis(
        "Python: bases always",
        _has_style(bases=False),
        drop=_restyle(bases=True),
        code=(f"{_PYTHON}~style.bases",),
    ),
    Analysis(
        "Python: bases never",
        _has_style(bases=True),
        drop=_restyle(bases=False),
        code=(f"{_PYTHON}~style.bases",),
    ),
    Analysis(
        "Python: summary",
        _has_style(end="\n\n"),
        drop=_restyle(end=""),
        code=(f"{_PYTHON}~style.end", f"{_STYLED}._shown_docs"),
    ),
    Analysis(
        "Python: full types",
        _has_style(full_types=True),
        drop=_restyle(full_types=False),
        code=(f"{_PYTHON}~style.full_types",),
    ),
    Analysis(
        "Python: init always",
        _has_style(init=False),
        drop=_restyle(init=True),
        code=(f"{_PYTHON}~style.init",),
    ),
    Analysis(
        "Python: init never",
        _has_style(init=True),
        drop=_restyle(init=False),
        code=(f"{_PYTHON}~style.init",),
    ),
    Analysis(
        "Python: undocumented always",
        _has_style(undocumented=False),
        drop=_restyle(undocumented=True),
        code=(f"{_PYTHON}~style.undocumented",),
    ),
    Analysis(
        "Python: exported never",
        _has_style(exported=True),
        drop=_restyle(exported=False),
        code=(f"{_PYTHON}~style.exported",),
    ),
    Analysis(
        "Python: filters of members",
        _is_python,
        drop=_restyle(filters=()),
        code=(
            f"{_PYTHON}~style.filters",
            "docs_sitemap.shown.shown_objects:ObjectStyle.shows",
        ),
    ),
    Analysis(
        "Python: source never",
        _has_style(source=True),
        drop=_restyle(source=False),
        code=(f"{_PYTHON}~style.source", f"{_STYLED}._shows_source"),
    ),
    Analysis(
        "Python: values of names in signatures",
        _has_tool("autodoc"),
        {f"{_STYLED}._values": _nothing},
        code=(f"{_STYLED}._values", f"{_PYTHON}~names"),
    ),
    Analysis(
        "Python: aliases of other modules",
        _has_extent(Extent.VALUE),
        drop=_without_extent(Extent.VALUE),
        code=(f"{_DEFINITIONS}:_find_aliases", f"{_DEFINITIONS}:_find_module"),
    ),
    Analysis(
        "Python: normalized types",
        _is_python,
        {f"{_STYLED}._type": _text_of_node},
        code=(f"{_STYLED}._type", "docs_sitemap.shown.python_types:ShownType"),
    ),
    Analysis(
        "Python: fields of data classes",
        _is_python,
        {f"{_PYTHON}:_DATA_CLASSES": _empty},
        code=(f"{_PYTHON}~_DATA_CLASSES",),
    ),
    Analysis(
        "Python: unknown definitions",
        _is_python,
        {f"{_STYLED}._show_unknown": _nothing},
        code=(f"{_STYLED}._show_unknown", f"{_MODULES}~others"),
    ),
    Analysis(
        "Python: comments with #:",
        _is_python,
        {f"{_MODULES}:Block._read_comments": returns([])},
        code=(f"{_MODULES}:Block._read_comments", f"{_MODULES}:Block._find_comments"),
    ),
    Analysis(
        "Python: canonical form of docstrings",
        _is_python,
        {f"{_STYLED}._form": _keep_text},
        code=(f"{_STYLED}._form", f"{_PYTHON}:_canonical_markdown"),
    ),
    # Parts of files
    Analysis(
        "lines: any change to the file counts",
        _selects_lines,
        drop=_complete(_selects_lines),
        code=(_LINES,),
    ),
    Analysis(
        "included text",
        _selects("notation"),
        drop=_with_every_change,
        code=(f"{_LINES}:_bring_into_form", f"{_INCLUDED}:included_files"),
    ),
    Analysis(
        "macros: any change to the module counts",
        _selects("functions"),
        drop=_complete(_selects("functions")),
        code=("docs_sitemap.shown.called_code",),
    ),
    Analysis(
        "glossaries: any change to the file counts",
        _selects("definition"),
        drop=_complete(_selects("definition")),
        code=(
            f"{_LINES}:_definition",
            "docs_sitemap.shown.glossaries",
            f"{_GLOSSARIES}:_used_definitions",
            "sphinx_sitemap_ext.sources.directives:NoteDefinitions",
        ),
    ),
    Analysis(
        "glossaries: no source",
        _selects("definition"),
        drop=_drop(_selects("definition")),
        code=(
            f"{_LINES}:_definition",
            "docs_sitemap.shown.glossaries",
            f"{_GLOSSARIES}:_used_definitions",
            "sphinx_sitemap_ext.sources.directives:NoteDefinitions",
        ),
    ),
    Analysis(
        "authors: any change to the file counts",
        _selects("author"),
        drop=_complete(_selects("author")),
        code=(
            f"{_LINES}:_author",
            f"{_LINES}:_authors",
            "docs_sitemap.sources.blog_posts:author_sources",
        ),
    ),
    Analysis(
        "authors: no source",
        _selects("author"),
        drop=_drop(_selects("author")),
        code=(
            f"{_LINES}:_author",
            f"{_LINES}:_authors",
            "docs_sitemap.sources.blog_posts:author_sources",
        ),
    ),
    Analysis(
        "autosummary: the entry in the table",
        _selects("entry"),
        drop=_drop(_selects("entry")),
        code=(f"{_LINES}:_entry", f"{_LINES}:_entries", f"{_SPHINX}._entry"),
    ),
    Analysis(
        "listed modules",
        _is_presence,
        drop=_drop(_is_presence),
        code=(f"{_GENERATED}.listed_modules",),
    ),
    Analysis(
        "translations: any change to the catalog counts",
        _shows(ShownKind.MESSAGES),
        drop=_complete(_shows(ShownKind.MESSAGES)),
        code=(
            "docs_sitemap.shown.messages",
            f"{_VERSIONS}._find_translated",
            f"{_VERSIONS}._find_replaced",
            "sphinx_sitemap_ext.sources.catalogs",
        ),
    ),
    Analysis(
        "excerpts of posts",
        _is_excerpt,
        drop=_complete(_is_excerpt),
        code=("docs_sitemap.sources.blog_posts~separator",),
    ),
    # Sources
    Analysis(
        "Sphinx: values followed through imports",
        _has_tool("autodoc"),
        {f"{_DEFINITIONS}:_of_value": _own_value},
        code=(f"{_DEFINITIONS}:_of_value", f"{_DEFINITIONS}:_find_imports"),
        collects=True,
    ),
    Analysis(
        "Sphinx: autodoc2",
        is_any,
        {f"{_GENERATED}._autodoc2_module": returns(None)},
        code=(f"{_GENERATED}._autodoc2_module",),
        collects=True,
    ),
    Analysis(
        "Sphinx: autoapi",
        is_any,
        {f"{_GENERATED}._autoapi_objects": _property({})},
        code=(
            f"{_GENERATED}._autoapi_objects",
            "sphinx_sitemap_ext.sources.generated:_find_autoapi_files",
        ),
        collects=True,
    ),
    Analysis(
        "Sphinx: Breathe",
        is_any,
        {f"{_SPHINX}._find_documented_files": returns([])},
        code=(f"{_SPHINX}._find_documented_files",),
        collects=True,
    ),
    Analysis(
        "Sphinx: galleries",
        is_any,
        {f"{_GENERATED}._gallery_scripts": _nothing},
        code=(f"{_GENERATED}._gallery_scripts",),
        collects=True,
    ),
    Analysis(
        "Sphinx: inherited members",
        _has_tool("autodoc"),
        {f"{_DEFINITIONS}:_of_member": _nothing},
        code=(f"{_DEFINITIONS}:_of_member",),
        collects=True,
    ),
    Analysis(
        "Sphinx: constructors and docstrings of base classes",
        _has_tool("autodoc"),
        {f"{_DEFINITIONS}:_of_class": _own_class},
        code=(f"{_DEFINITIONS}:_of_class",),
        collects=True,
    ),
    Analysis(
        "MkDocs: macros, modules and data",
        is_any,
        {f"{_ADAPTERS}.macros:_definitions": returns([])},
        code=(f"{_ADAPTERS}.macros:_definitions", f"{_TEMPLATES}:find_data_files"),
        collects=True,
    ),
    Analysis(
        "MkDocs: macros",
        is_any,
        {f"{_ADAPTERS}.macros:sources": _nothing},
        code=(f"{_ADAPTERS}.macros",),
        collects=True,
    ),
    Analysis(
        "MkDocs: snippets",
        is_any,
        {f"{_ADAPTERS}.snippets:sources": _nothing},
        code=(f"{_ADAPTERS}.snippets",),
        collects=True,
    ),
    Analysis(
        "MkDocs: include-markdown",
        is_any,
        {f"{_ADAPTERS}.include_markdown:sources": _nothing},
        code=(f"{_ADAPTERS}.include_markdown",),
        collects=True,
    ),
    Analysis(
        "MkDocs: other includes",
        is_any,
        {f"{_ADAPTERS}.includes:sources": _nothing},
        code=(f"{_ADAPTERS}.includes",),
        collects=True,
    ),
    Analysis(
        "MkDocs: markdown-exec",
        is_any,
        {f"{_ADAPTERS}.markdown_exec:sources": _nothing},
        code=(f"{_ADAPTERS}.markdown_exec",),
        collects=True,
    ),
    Analysis(
        "MkDocs: click",
        is_any,
        {f"{_ADAPTERS}.click:sources": _nothing},
        code=(f"{_ADAPTERS}.click",),
        collects=True,
    ),
    Analysis(
        "MkDocs: blog",
        is_any,
        {f"{_ADAPTERS}.blog:sources": _nothing},
        code=(f"{_ADAPTERS}.blog",),
        collects=True,
    ),
    Analysis(
        "MkDocs: files of the front matter",
        is_any,
        {"mkdocs_sitemap.front_matter:FrontMatterFiles.sources": _nothing},
        code=("mkdocs_sitemap.front_matter:FrontMatterFiles",),
        collects=True,
    ),
    Analysis(
        "MkDocs: exports in mkdocstrings",
        _has_tool("griffe"),
        {f"{_GRIFFE}:_find_exports": _nothing},
        code=(f"{_GRIFFE}:_find_exports",),
        collects=True,
    ),
    Analysis(
        "MkDocs: base classes in mkdocstrings",
        _has_tool("griffe"),
        {f"{_GRIFFE}:_find_base_classes": _nothing},
        code=(f"{_GRIFFE}:_find_base_classes",),
        collects=True,
    ),
]


def switch_off(analysis: Analysis) -> None:
    """Replace the functions of an analysis in this process."""
    for target, replace in analysis.without.items():
        owner, name, original = find_original(target)
        _set_everywhere(owner, name, original, replace(original))


def time_calls() -> dict[str, float]:
    """Measure the processor seconds in the functions of each analysis in this process,
    by the name of the analysis; the numbers grow.
    """
    seconds: dict[str, float] = {}
    for analysis in ANALYSES:
        if analysis.collects:
            continue
        seconds[analysis.name] = 0.0
        for target in analysis.without:
            owner, name, original = find_original(target)
            if callable(original):
                timed = _time(original, analysis.name, seconds)
                _set_everywhere(owner, name, original, timed)
    return seconds


def _time(function: Any, name: str, seconds: dict[str, float]) -> Any:
    is_running = False

    @functools.wraps(function)
    def timed(*args: Any, **kwargs: Any) -> Any:
        nonlocal is_running
        is_outer = not is_running
        is_running = True
        start = time.process_time()
        try:
            result = function(*args, **kwargs)
            return list(result) if inspect.isgenerator(result) else result
        finally:
            if is_outer:
                seconds[name] += time.process_time() - start
                is_running = False

    return timed


def note_finds() -> Finds:
    """Note what only the collecting analyses find in this process; the sets grow."""
    finds: Finds = {}
    for analysis in ANALYSES:
        if not analysis.collects:
            continue
        for target, replace in analysis.without.items():
            try:
                owner, name, original = find_original(target)
            except ImportError:  # The generator of these functions is not installed.
                continue
            found = finds.setdefault(analysis.name, (set(), set()))
            _set_everywhere(owner, name, original, _note(original, replace, *found))
    return finds


def _note(original: Any, replace: Replace, found: set[Any], others: set[Any]) -> Any:
    """Return a function that notes what the original finds, and what its replacement
    finds.
    """
    is_property = isinstance(original, functools.cached_property)
    function = original.func if is_property else original
    replacement = replace(function)

    @functools.wraps(function)
    def noted(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        if inspect.isgenerator(result):
            result = list(result)
        found.update(_items(result))
        if not is_property:
            others.update(_items(list(replacement(*args, **kwargs) or ())))
        return result

    if not is_property:
        return noted
    noted_property = functools.cached_property(noted)
    noted_property.__set_name__(object, original.attrname)
    return noted_property


def _items(result: Any) -> Iterator[Any]:
    """Yield what a function finds: paths, sources, or objects with their paths."""
    match result:
        case str() | Source():
            yield result
        case {"file_path": str(path)}:  # a module of autodoc2
            yield path
        case (str(path), ShownObject() as item, *_):
            yield path, item._replace(style=ObjectStyle())
        case (str(path), set()):  # a file that defines variables
            yield path
        case dict():
            for path, value in result.items():
                if isinstance(value, set):
                    for item in value:
                        yield path, item._replace(style=ObjectStyle())
                else:
                    yield from _items(value)
        case list() | tuple() | set():
            for one in result:
                yield from _items(one)


def leave_out(source: Source, dropped: Set[Any]) -> Source | None:
    """Return a source without what only a collecting analysis finds; `None` if nothing
    is left.
    """
    if source.role is not SourceRole.PART:
        return source
    if source.path in dropped:
        return None
    if source._replace(ref="") in dropped:
        return None
    if not source.shows.objects:
        return source
    kept = []
    for item in source.shows.objects:
        if (source.path, item._replace(style=ObjectStyle())) not in dropped:
            kept.append(item)
    if not kept:
        return None
    return source._replace(shows=source.shows._replace(objects=tuple(kept)))


def find_original(target: str) -> tuple[Any, str, Any]:
    """Return the module or class that contains a function, the name there, and the
    function.
    """
    module, _, name = target.partition(":")
    owner: Any = importlib.import_module(module)
    *classes, last = name.split(".")
    for one in classes:
        owner = getattr(owner, one)
    return owner, last, inspect.getattr_static(owner, last)


def _set_everywhere(owner: Any, name: str, original: Any, value: Any) -> None:
    """Replace a function where it is defined, and where it is imported."""
    setattr(owner, name, value)
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith(_PACKAGES):
            for local, other in list(vars(module).items()):
                # Equal numbers can be one object.
                if other is original and (callable(original) or local == name):
                    setattr(module, local, value)


def count_tokens(analysis: Analysis) -> int:
    """Return the tokens of what would go."""
    lines: dict[str, set[int]] = {}
    for place in analysis.code:
        module, _, text = place.partition("~")
        module, _, name = module.partition(":")
        path = _module_path(module)
        tree = ast.parse(path.read_text())
        numbers = lines.setdefault(str(path), set())
        if name:
            node = _find_node(tree, name.split("."))
            numbers.update(range(node.lineno, (node.end_lineno or 0) + 1))
            continue
        for number, line in enumerate(path.read_text().split("\n"), 1):
            if text in line:
                numbers.add(number)
    return sum(_count(Path(path), numbers) for path, numbers in lines.items())


def _module_path(module: str) -> Path:
    spec = importlib.util.find_spec(module)
    assert spec is not None
    return Path(str(spec.origin))


def _find_node(tree: Any, names: list[str]) -> Any:
    for name in names:
        for node in tree.body:
            if getattr(node, "name", "") == name:
                tree = node
                break
        else:
            raise LookupError(name)
    return tree


def _count(path: Path, numbers: set[int]) -> int:
    """Return the tokens of code in some lines, without docstrings and comments."""
    skipped = set[int]()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.update(range(node.lineno, (node.end_lineno or 0) + 1))
    total = 0
    reader = io.StringIO(path.read_text()).readline
    for token in tokenize.generate_tokens(reader):
        line = token.start[0]
        if token.type in _NO_CODE or line in skipped or line not in numbers:
            continue
        total += 1
    return total


_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
