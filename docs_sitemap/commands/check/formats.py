"""The output formats of `docs-sitemap check`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator

import click

from docs_sitemap.commands.check import Code, Finding, LintResult, PathResult, Severity
from docs_sitemap.commands.console import LinePrinter, print_json
from docs_sitemap.commands.json_formats import make_check_json, make_codes_json
from docs_sitemap.text import count, join_some, shell_word

# The text shows this many findings with the same code.
_MAX_SHOWN = 10

# The summary names this many folders or files.
_MAX_NAMES = 3

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow"}


def _print_text(result: LintResult) -> None:
    printer = LinePrinter()
    for path in result.paths:
        _print_findings(printer, path, f" in {path.path}" if len(result.paths) > 1 else "")
    codes = dict.fromkeys(finding.code for finding in result.findings)
    if codes:
        printer.line("")
        printer.line("How to fix:")
        for code in codes:
            printer.line("  ", (code.slug, "bold"), f": {code.fix}")
        printer.line("")
    for note in _notes(result):
        printer.line(note)
    printer.line((_summary(result), "bold" if codes else "bold green"))


def _print_findings(printer: LinePrinter, path: PathResult, where: str) -> None:
    counts: Counter[Code] = Counter()
    for finding in path.findings:
        code = finding.code
        counts[code] += 1
        if counts[code] <= _MAX_SHOWN:
            printer.line(
                (_location(finding), "bold"),
                ": ",
                (code.severity, _STYLES[code.severity]),
                f" {code.slug}: {finding.message}{_url_suffix(finding)}",
            )
    for code, number in counts.items():
        if number > _MAX_SHOWN:
            rest = number - _MAX_SHOWN
            printer.line(f"… and {rest:,} more {code.slug}{where}; --format json shows all")


def _location(finding: Finding) -> str:
    return finding.file if finding.line is None else f"{finding.file}:{finding.line}"


def _url_suffix(finding: Finding) -> str:
    return f" ({finding.url})" if finding.url else ""


def _summary(result: LintResult) -> str:
    counts = result.counts()
    numbers = [count(counts[severity], severity) for severity in Severity if counts[severity]]
    numbers = numbers or ["no problems found"]
    if result.ignored:
        numbers.append(f"{result.ignored:,} ignored")
    remarks = _remarks(result.paths[0]) if len(result.paths) == 1 else ()
    return (
        f"{', '.join(numbers)} in {count(result.sitemaps, 'sitemap')}, "
        f"{count(result.urls, 'URL')}{''.join(f' ({remark})' for remark in remarks)}"
    )


def _notes(result: LintResult) -> Iterator[str]:
    """Yield the remarks about several paths, one per line; those about one path are part of the
    summary. Files with too many findings always have a line of their own.
    """
    for path in result.paths:
        if path.truncated_files:
            files = join_some(path.truncated_files, _MAX_NAMES)
            yield f"not all findings are reported, because there are too many: {files}"
    if len(result.paths) > 1:
        for path in result.paths:
            yield from (f"{path.path}: {remark}" for remark in _remarks(path))


def _remarks(path: PathResult) -> Iterator[str]:
    if path.assumed_base_url is not None:
        yield f"assumed base URL: {path.assumed_base_url}"
    if not path.is_base_url_known:
        yield "unknown base URL: only the sitemap itself is checked; set --base-url"
    if path.separate_sites:
        paths = [shell_word(os.path.join(path.path, folder)) for folder in path.separate_sites]
        folders = join_some(paths, _MAX_NAMES)
        yield f"not checked, because they have their own sitemaps: {folders}"


def print_codes(output_format: str) -> None:
    """Print all codes, each with its severity, meaning, and fix."""
    if output_format == "json":
        print_json(make_codes_json())
        return
    printer = LinePrinter()
    for code in Code:
        severity = (code.severity, _STYLES[code.severity])
        printer.line((code.slug, "bold"), ": ", severity, f": {code.meaning}")
        printer.line(f"  Fix: {code.fix}")


def _print_json(result: LintResult) -> None:
    print_json(make_check_json(result))


def _print_github(result: LintResult) -> None:
    """Print annotations.

    Source: <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>.
    """
    for finding in result.findings:
        code = finding.code
        place = f"file={_escape_property(finding.file)}"
        place += f",line={finding.line}" if finding.line is not None else ""
        message = _escape(f"{finding.message}{_url_suffix(finding)}; {code.fix}")
        click.echo(f"::{code.severity} {place},title=docs-sitemap {code.slug}::{message}")
    printer = LinePrinter()
    for note in _notes(result):
        printer.line(f"Note: {note}")
    printer.line(_summary(result))


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")


CHECK_FORMATS: dict[str, Callable[[LintResult], None]] = {
    "text": _print_text,
    "json": _print_json,
    "github": _print_github,
}
