"""Generate the reference pages from the code, with one function for each page.

MkDocs runs this module as a hook (see `hooks` in `mkdocs.yml`), Sphinx imports it in `conf.py`.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from enum import EnumType
from functools import cache
from json import dumps, loads
from pathlib import Path
from pprint import pformat
from tempfile import TemporaryDirectory
from textwrap import indent
from typing import Any

import click
import griffe
import yaml

import docs_sitemap
from docs_sitemap.commands.check.formats import CheckJson, SummaryJson
from docs_sitemap.commands.check.site_rules import RULES
from docs_sitemap.commands.compare.comparison import Comparison
from docs_sitemap.commands.explain.command import ExplainJson
from docs_sitemap.commands.explain.pages import ExplainResult, Explanation
from docs_sitemap.commands.index.composition import IndexJson
from docs_sitemap.commands.index.versions import IndexedVersion
from docs_sitemap.commands.root import root_command
from docs_sitemap.date_status import DateStatus
from docs_sitemap.diagnostics import BuildCode, Diagnostic, Severity
from docs_sitemap.entry import FIRM_REASONS, IGNORABLE_REASONS, ExclusionReason, PageSettings
from docs_sitemap.html import Head
from docs_sitemap.record.store import ContentRecord, RecordedPage, open_store
from docs_sitemap.report import SavedPage, SavedReport, SavedSource

sys.path.insert(0, str(Path(__file__).parent))

import reference_notes as notes
from sample import make_faulty_site, make_site, make_versions, run_command

OUTPUT = Path(__file__).parent / "reference"

# MkDocs counts warnings of its own loggers in strict builds.
log = logging.getLogger("mkdocs.hooks.generate_reference")


def on_pre_build(config: object) -> None:
    """Run as a hook of MkDocs."""
    write_reference()


def write_reference() -> None:
    """Write all pages. Unchanged files are not touched, so that `mkdocs serve` does not loop."""
    pages = {
        "options": options_page,
        "front-matter": front_matter_page,
        "exclusion-reasons": exclusion_reasons_page,
        "date-statuses": date_statuses_page,
        "command-line": command_line_page,
        "check-codes": check_codes_page,
        "json": json_page,
        "warnings": warnings_page,
        "python-api": python_api_page,
    }
    OUTPUT.mkdir(exist_ok=True)
    for name, make_page in pages.items():
        path = OUTPUT / f"{name}.md"
        text = "\n\n".join(make_page()) + "\n"
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


# One function for each page. Each yields the blocks of its page.


def options_page() -> Iterator[str]:
    yield notes.OPTIONS_INTRODUCTION
    described = describe_options()
    for option in docs_sitemap.OPTIONS:
        if option.mkdocs is None and option.sphinx is None:
            continue
        yield f"## `{option.name}`"
        type_, meaning = described[option.name]
        yield sentence(meaning)
        yield f"Type: {type_}."
        rows = []
        if option.mkdocs is not None:
            rows.append(("`mkdocs.yml`", f"`{option.mkdocs}`", _default(option.default, "yaml")))
        if option.sphinx is not None:
            rows.append(("`conf.py`", f"`{option.sphinx}`", _default(option.default, "python")))
        yield table(("Set in", "Name", "Default"), rows)
        if option.name in notes.OPTION_EXAMPLES:
            value = notes.OPTION_EXAMPLES[option.name]
            option.parse(value)  # Every example must be valid.
            yield from _option_example(option, value)
        if option.name in notes.OPTION_NOTES:
            yield notes.OPTION_NOTES[option.name]


def _default(value: object, language: str) -> str:
    if value is None or value == ():
        return "none"
    if language == "yaml":
        return f"`{str(value).lower() if isinstance(value, bool) else value}`"
    return f"`{value!r}`" if isinstance(value, bool | int) else f'`"{value}"`'


class _Dumper(yaml.SafeDumper):
    """Indents lists, as is usual in configuration files."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, indentless=False)


def _option_example(option: docs_sitemap.Option, value: object) -> Iterator[str]:
    if option.mkdocs is not None:
        style = None if isinstance(value, list) else False
        text = yaml.dump(
            {option.mkdocs: value}, Dumper=_Dumper, default_flow_style=style, sort_keys=False
        )
        yield block("yaml", "# mkdocs.yml\nplugins:\n  - sitemap:\n" + indent(text, " " * 6))
    if option.sphinx is not None:
        text = pformat(value, width=80, sort_dicts=False).replace("'", '"')
        yield block("python", f"# conf.py\n{option.sphinx} = {text}")


def front_matter_page() -> Iterator[str]:
    yield notes.FRONT_MATTER_INTRODUCTION
    types = {name: type_ for name, (type_, _) in describe_options().items()}
    rows = []
    for field in fields(PageSettings):
        key = field.name.replace("_", "-")
        value, meaning = notes.FRONT_MATTER.get(key, ("", ""))
        value = value or types.get(field.name, "")
        rows.append((f"`{key}`", f"`:sitemap-{key}:`", value, meaning))
    yield table(("Key below `sitemap`", "Field in reStructuredText", "Value", "Meaning"), rows)
    yield notes.FRONT_MATTER_NOTES


def exclusion_reasons_page() -> Iterator[str]:
    yield notes.EXCLUSION_REASONS_INTRODUCTION
    rows = [
        (
            f"`{reason}`",
            sentence(reason.meaning),
            "no" if reason in FIRM_REASONS else "yes",
            "yes" if reason in IGNORABLE_REASONS else "no",
        )
        for reason in ExclusionReason
    ]
    yield table(
        ("Reason", "Meaning", "`include` lists the page", "`ignore_reasons` accepts it"), rows
    )
    yield notes.EXCLUSION_REASONS_NOTES


def date_statuses_page() -> Iterator[str]:
    yield notes.DATE_STATUSES_INTRODUCTION
    rows = [(f"`{status}`", sentence(status.meaning)) for status in DateStatus]
    yield table(("Status", "Meaning"), rows)
    yield notes.DATE_STATUSES_NOTES


def command_line_page() -> Iterator[str]:
    yield notes.COMMAND_LINE_INTRODUCTION
    parent = click.Context(root_command, info_name="docs-sitemap", **root_command.context_settings)
    for name in root_command.list_commands(parent):
        subcommand = root_command.get_command(parent, name)
        yield f"## `docs-sitemap {name}`"
        context = click.Context(subcommand, parent, info_name=name, terminal_width=80)
        yield block("text", subcommand.get_help(context))
    yield notes.COMMAND_LINE_NOTES


def check_codes_page() -> Iterator[str]:
    yield notes.CHECK_CODES_INTRODUCTION
    for severity in (Severity.ERROR, Severity.WARNING):
        yield f"## {severity.capitalize()}s"
        rows = [
            (f"`{rule.slug}`", sentence(rule.meaning), sentence(rule.fix))
            for rule in RULES
            if rule.severity is severity
        ]
        yield table(("Code", "Meaning", "Fix"), rows)


def json_page() -> Iterator[str]:
    yield notes.JSON_INTRODUCTION
    with (
        TemporaryDirectory() as first,
        TemporaryDirectory() as second,
        TemporaryDirectory() as third,
    ):
        make_faulty_site(Path(first))
        make_site(Path(second))
        check = run_command(["check", "--format", "json", "site"], Path(first))
        arguments = ["explain", "--report", "report.json", "--format", "json", "site"]
        explain = run_command([*arguments, "guide/setup.md"], Path(second))
        sites = [str(Path(first) / "site"), str(Path(second) / "site")]
        compare = run_command(["compare", "--format", "json", *sites], Path(second))
        make_versions(Path(third))
        arguments = ["index", "public", "--base-url", "https://example.org/", "--format", "json"]
        index = run_command(arguments, Path(third))
        report = loads((Path(second) / "report.json").read_text(encoding="utf-8"))

    yield "## `check --format json`"
    yield block("json", _shortened(check, '\n  {\n   "code"', '\n ],\n "summary"'))
    yield _keys(CheckJson)
    yield "Each diagnostic (the example shows only the first):"
    yield _keys(Diagnostic)
    yield "`summary`:"
    yield _keys(SummaryJson)

    yield "## `explain --format json`"
    yield block("json", explain)
    yield _keys(ExplainJson)
    yield "Each result:"
    yield _keys(ExplainResult)
    yield "Each page:"
    yield _keys(Explanation)
    yield "`head`:"
    yield _keys(Head)

    yield "## `compare --format json`"
    yield block("json", compare)
    yield _keys(Comparison)

    yield "## `index --format json`"
    yield block("json", index)
    yield _keys(IndexJson)
    yield "Each version:"
    yield _keys(IndexedVersion)
    yield "Each diagnostic:"
    yield _keys(Diagnostic)

    yield "## The saved report"
    yield notes.SAVED_REPORT
    yield block("json", dumps(report, indent=1))
    yield _keys(SavedReport)
    yield "Each page (keys without a value are omitted):"
    yield _keys(SavedPage)
    yield "Each source file:"
    yield _keys(SavedSource)

    yield "## The content record"
    yield notes.CONTENT_RECORD
    open_store("").parse(notes.CONTENT_RECORD_EXAMPLE.encode())  # The example must be valid.
    yield block("json", notes.CONTENT_RECORD_EXAMPLE)
    yield _keys(ContentRecord)
    yield "Each page:"
    yield _keys(RecordedPage)


def _shortened(text: str, start: str, end: str) -> str:
    """Keep the first item of a list between two marks."""
    first = text.index(start)
    second = text.find("," + start, first + 1)
    return text if second < 0 else text[:second] + text[text.index(end, second) :]


def _keys(cls: type) -> str:
    """Return a table of the keys that the attributes of a class become."""
    meanings = attributes(cls)
    rows = []
    for name in cls.__annotations__:
        if name not in meanings:
            log.warning(f"docs/generate_reference.py: {cls.__name__}.{name} has no description")
        meaning = _links(meanings.get(name, ""), "python-api.md").replace("`None`", "`null`")
        rows.append((f"`{name}`", sentence(meaning)))
    return table(("Key", "Meaning"), rows)


def warnings_page() -> Iterator[str]:
    yield notes.WARNINGS_INTRODUCTION
    rows = [(f"`sitemap.{kind}`", sentence(kind.meaning)) for kind in BuildCode]
    yield table(("Type", "Meaning"), rows)


def python_api_page() -> Iterator[str]:
    yield notes.PYTHON_API_INTRODUCTION
    package = _load_package()
    groups: dict[str, list[str]] = {"Functions": [], "Classes": [], "Enumerations": []}
    groups |= {"Exceptions": [], "Other names": []}
    for name in dir(docs_sitemap):
        groups[_group(package[name], getattr(docs_sitemap, name))].append(name)
    for title, names in groups.items():
        yield f"## {title}"
        for name in names:
            yield f"### `{name}`"
            yield from _describe(package[name], getattr(docs_sitemap, name))


def _group(item: griffe.Object | griffe.Alias, value: object) -> str:
    if item.is_function:
        return "Functions"
    if isinstance(value, EnumType):
        return "Enumerations"
    if isinstance(value, type):
        return "Exceptions" if issubclass(value, BaseException) else "Classes"
    return "Other names"


def _describe(item: griffe.Object | griffe.Alias, value: object) -> Iterator[str]:
    """Describe a public object: signature, text, parameters or members."""
    if item.is_alias:
        item = item.final_target  # type: ignore[union-attr]  # the definition, in a private module
    is_error = isinstance(value, type) and issubclass(value, BaseException)
    if isinstance(value, EnumType):
        yield from _texts(item)
        yield "\n".join(
            f"- `{item.name}.{member.name}`: `{member.value!s}`"
            + (f". {sentence(member.meaning)}" if hasattr(member, "meaning") else "")
            for member in value  # type: ignore[var-annotated]
        )
        return
    if value is docs_sitemap.Options:
        yield from _texts(item)
        yield notes.OPTIONS_CLASS
    elif item.is_function or (item.is_class and not is_error):
        if signature := _signature(item):
            yield block("python", signature)
        yield from _texts(item, skip_attributes=is_dataclass(value))
        if is_dataclass(value):
            yield _fields(item, value)
    else:
        if item.is_attribute:
            definition = f": {item.annotation}" if item.annotation else f" = {item.value}"
            yield block("python", f"{item.name}{definition}")
        yield from _texts(item)
    if item.is_class:
        yield from _methods(item)


def _signature(item: griffe.Object | griffe.Alias) -> str:
    signature = item.signature(return_type=not item.is_class)  # type: ignore[union-attr]
    if len(signature) <= 88:
        return signature
    name, _, rest = signature.partition("(")
    inner, _, result = rest.rpartition(")")
    # A comma outside brackets ends a parameter.
    parameters = re.split(r", (?![^\[(]*[\])])", inner)
    return "\n".join((f"{name}(", *(f"    {parameter}," for parameter in parameters), f"){result}"))


def _texts(item: griffe.Object | griffe.Alias, *, skip_attributes: bool = False) -> Iterator[str]:
    """Yield the text of the docstring, and a list for each of its sections."""
    for section in item.docstring.parsed if item.docstring else ():
        if isinstance(section.value, str):
            yield _links(section.value)
        elif not (skip_attributes and section.kind.value in ("attributes", "parameters")):
            lines = [
                f"- `{getattr(entry, 'name', '') or entry.annotation}`: "
                f"{sentence(_links(entry.description))}"
                if section.kind.value != "returns"
                else f"{sentence(_links(entry.description))}"
                for entry in section.value
            ]
            yield f"{section.kind.value.capitalize()}:"
            yield "\n".join(lines)


def _fields(item: griffe.Object | griffe.Alias, value: Any) -> str:
    meanings = attributes(value)
    lines = []
    for field in fields(value):
        annotation = item.members[field.name].annotation
        meaning = sentence(_links(meanings.get(field.name, "")))
        lines.append(f"- `{field.name}` (`{annotation}`){': ' if meaning else ''}{meaning}")
    return "\n".join(lines)


def _methods(item: griffe.Object | griffe.Alias) -> Iterator[str]:
    for name, member in item.members.items():
        if name.startswith("_"):
            continue
        if member.is_function:
            yield f"#### `{item.name}.{name}`"
            yield block("python", _signature(member))
            yield from _texts(member)
        elif "property" in member.labels and member.docstring:
            yield f"#### `{item.name}.{name}`"
            yield f"`{member.annotation}`. " + sentence(
                _links(" ".join(str(member.docstring.value).split()))
            )


def _links(text: str, page: str = "") -> str:
    """Turn cross-references in docstrings into links to the page of the API."""

    def link(match: re.Match[str]) -> str:
        name = match[2].rpartition(".")[2]
        return f"[{match[1]}]({page}#{name.lower()})" if name in dir(docs_sitemap) else match[1]

    return re.sub(r"\[([^\]]+)\]\[(docs_sitemap[\w.]*)\]", link, text)


# Functions that all pages use.


@cache
def _load_package() -> Any:
    return griffe.load(
        "docs_sitemap",
        search_paths=[Path(docs_sitemap.__file__).parents[1]],
        docstring_parser="google",
        resolve_aliases=True,
    )


def attributes(cls: type) -> dict[str, str]:
    """Return the descriptions of the attributes of a class, from its docstrings."""
    path = f"{cls.__module__}.{cls.__qualname__}".removeprefix("docs_sitemap.")
    item = _load_package()[path]
    meanings = {}
    for section in item.docstring.parsed if item.docstring else ():
        if section.kind.value == "attributes":
            meanings |= {entry.name: " ".join(entry.description.split()) for entry in section.value}
    for name, member in item.members.items():
        if member.is_attribute and member.docstring:
            meanings[name] = " ".join(str(member.docstring.value).split())
    if isinstance(cls, EnumType):
        values = {member.name: str(member.value) for member in cls}  # type: ignore[var-annotated]
        return {values.get(name, name): meaning for name, meaning in meanings.items()}
    return meanings


def describe_options() -> dict[str, tuple[str, str]]:
    """Return the type and the meaning of each option, from the docstring of `Options`."""
    docstring = _load_package()["options.Options"].docstring
    assert docstring is not None
    return {
        entry.name: (str(entry.annotation), " ".join(entry.description.split()))
        for section in docstring.parsed
        if section.kind.value == "attributes"
        for entry in section.value
    }


def sentence(text: str) -> str:
    """Return a text as a sentence of Markdown: a capital letter, a full stop, tags as code."""
    text = " ".join(text.split())
    if not text:
        return ""
    parts = text.split("`")  # every second part is code already
    parts[::2] = [re.sub(r"<[^<>]+>", r"`\g<0>`", part) for part in parts[::2]]
    text = "`".join(parts)
    text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."


def table(titles: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    titles = list(titles)
    lines = [
        titles,
        ["---"] * len(titles),
        *([cell.replace("|", "\\|") for cell in row] for row in rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def block(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"
