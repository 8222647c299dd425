"""The output formats of `docs-sitemap check`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator

import click
import msgspec

from docs_sitemap.commands.check.result import CheckResult, PathResult
from docs_sitemap.commands.check.site_rules import RULES
from docs_sitemap.commands.console import JSON_VERSION, print_json, print_line
from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.printing import count, join_some, printable, shell_word

# The text shows this many diagnostics with the same code.
_MAX_SHOWN = 10

# The summary names this many folders or files.
_MAX_NAMES = 3

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow"}


class SummaryJson(msgspec.Struct, frozen=True, kw_only=True):
    """The totals of `docs-sitemap check`. Paths are written as on the command line.

    Attributes:
        errors: The number of errors.
        warnings: The number of warnings.
        ignored: The number of diagnostics that `--ignore` removed.
        sitemaps: The number of sitemaps and sitemap indexes that were read.
        urls: The number of URLs that the sitemaps list.
        pages: The number of HTML files that were compared with the sitemaps.
        assumed_base_urls: For each folder whose base URL was guessed from its sitemap, that URL.
        unknown_base_urls: The paths whose base URL is unknown. Only the content of their sitemaps
            is checked.
        folders_not_checked: For each folder, the folders in it that have their own sitemaps.
        truncated_files: The files with more diagnostics than are reported, and the sitemaps that
            were not read because the sitemaps before them list too many URLs.
    """

    errors: int
    warnings: int
    ignored: int
    sitemaps: int
    urls: int
    pages: int
    assumed_base_urls: dict[str, str]
    unknown_base_urls: list[str]
    folders_not_checked: dict[str, list[str]]
    truncated_files: list[str]


class CheckJson(msgspec.Struct, frozen=True, kw_only=True):
    """The document that `docs-sitemap check --format json` prints.

    Attributes:
        version: The version of this format.
        diagnostics: The diagnostics, file by file.
        summary: The totals.
    """

    version: int = JSON_VERSION
    diagnostics: list[Diagnostic]
    summary: SummaryJson


def print_codes() -> None:
    """Print all codes, each with its severity, meaning, and fix."""
    for rule in RULES:
        severity = (rule.severity, _STYLES[rule.severity])
        print_line((rule.slug, "bold"), ": ", severity, f": {rule.meaning}")
        print_line(f"  Fix: {rule.fix}")


def _print_text(result: CheckResult) -> None:
    for path in result.paths:
        _print_diagnostics(path, f" in {path.path}" if len(result.paths) > 1 else "")
    fixes = dict.fromkeys((one.code, one.fix) for one in result.diagnostics)
    if fixes:
        print_line("")
        print_line("How to fix:")
        for code, fix in fixes:
            print_line("  ", (code, "bold"), f": {fix}")
        print_line("")
    _print_summary(result, "bold" if fixes else "bold green")


def _print_diagnostics(path: PathResult, where: str) -> None:
    counts: Counter[str] = Counter()
    for one in path.diagnostics:
        counts[one.code] += 1
        if counts[one.code] <= _MAX_SHOWN:
            line = "" if one.line is None else f":{one.line}"
            print_line(
                (f"{one.file}{line}", "bold"),
                ": ",
                (one.severity, _STYLES[one.severity]),
                f" {one.code}: {_message(one)}",
            )
    for code, number in counts.items():
        if number > _MAX_SHOWN:
            rest = number - _MAX_SHOWN
            print_line(f"… and {rest:,} more {code}{where}; --format json shows all")


def _message(diagnostic: Diagnostic) -> str:
    return diagnostic.message + (f" ({diagnostic.url})" if diagnostic.url else "")


def _print_summary(result: CheckResult, style: str = "") -> None:
    for path in result.paths:
        for note in _notes(path):
            print_line(f"Note: {path.path}: {note}")
    counts = result.counts()
    numbers = [count(counts[severity], severity) for severity in Severity if counts[severity]]
    numbers = numbers or ["no problems found"]
    if result.ignored:
        numbers.append(f"{result.ignored:,} ignored")
    sitemaps = count(sum(path.sitemaps for path in result.paths), "sitemap")
    urls = count(sum(path.urls for path in result.paths), "URL")
    print_line((f"{', '.join(numbers)} in {sitemaps}, {urls}", style))


def _notes(path: PathResult) -> Iterator[str]:
    if path.truncated_files:
        files = join_some(path.truncated_files, _MAX_NAMES)
        yield f"not everything is reported, because there is too much: {files}"
    if path.assumed_base_url is not None:
        yield f"assumed base URL: {path.assumed_base_url}"
    if not path.is_base_url_known:
        yield "unknown base URL: only the sitemap itself is checked; set --base-url"
    yield from path.notes
    if path.separate_sites:
        paths = [shell_word(os.path.join(path.path, folder)) for folder in path.separate_sites]
        folders = join_some(paths, _MAX_NAMES)
        yield f"not checked, because they have their own sitemaps: {folders}"


def _print_json(result: CheckResult) -> None:
    counts, paths = result.counts(), {printable(path.path): path for path in result.paths}
    summary = SummaryJson(
        errors=counts[Severity.ERROR],
        warnings=counts[Severity.WARNING],
        ignored=result.ignored,
        sitemaps=sum(path.sitemaps for path in result.paths),
        urls=sum(path.urls for path in result.paths),
        pages=sum(path.pages for path in result.paths),
        assumed_base_urls={
            name: path.assumed_base_url for name, path in paths.items() if path.assumed_base_url
        },
        unknown_base_urls=[name for name, path in paths.items() if not path.is_base_url_known],
        folders_not_checked={
            name: [*map(printable, path.separate_sites)]
            for name, path in paths.items()
            if path.separate_sites
        },
        truncated_files=[file for path in result.paths for file in path.truncated_files],
    )
    print_json(CheckJson(diagnostics=result.diagnostics, summary=summary))


def _print_github(result: CheckResult) -> None:
    """Print annotations.

    Source: <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>.
    """
    for one in result.diagnostics:
        place = f"file={_escape_property(one.file or '')}"
        place += f",line={one.line}" if one.line is not None else ""
        message = _escape(f"{_message(one)}; {one.fix}")
        click.echo(f"::{one.severity} {place},title=docs-sitemap {one.code}::{message}")
    _print_summary(result)


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")


CHECK_FORMATS: dict[str, Callable[[CheckResult], None]] = {
    "text": _print_text,
    "json": _print_json,
    "github": _print_github,
}
