"""What a check found, in each format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import click

from docs_sitemap.check import Code, Finding, Severity
from docs_sitemap.check.findings import some
from docs_sitemap.check.result import Part, Result
from docs_sitemap.cli.output import Output, plural, print_json
from docs_sitemap.model import printable

# Of findings of one code, who reads them on a terminal needs no more.
_SHOWN = 10

# Of folders that are not checked, the summary names so many.
_NAMED = 3

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow"}


def _print_text(result: Result) -> None:
    output = Output()
    for part in result.parts:
        _print_part(output, part, f" in {part.path}" if len(result.parts) > 1 else "")
    codes = dict.fromkeys(finding.code for finding in result.findings)
    if codes:
        output.line("")
        output.line("How to mend it:")
        for code in codes:
            output.line("  ", (code.name, "bold"), f": {code.cure}")
        output.line("")
    for note in _notes(result):
        output.line(note)
    output.line((_summary(result), "bold" if codes else "bold green"))


def _print_part(output: Output, part: Part, where: str) -> None:
    held: Counter[Code] = Counter()
    more: Counter[Code] = Counter()
    for finding in part.findings:
        code = finding.code
        if finding.more:
            more[code] += finding.more
            continue
        held[code] += 1
        if held[code] <= _SHOWN:
            output.line(
                (_place(finding), "bold"),
                ": ",
                (code.severity, _STYLES[code.severity]),
                f" {code.name}: {finding.message}",
                *((f" ({finding.url})",) if finding.url else ()),
            )
    for code in held | more:
        rest = max(held[code] - _SHOWN, 0) + more[code]
        if rest:
            shows = f"shows {held[code]:,} in all" if more[code] else "shows all"
            output.line(f"… and {rest:,} more {code.name}{where}; --format json {shows}")


def _place(finding: Finding) -> str:
    return finding.file if finding.line is None else f"{finding.file}:{finding.line}"


def _summary(result: Result) -> str:
    counts = result.counts()
    numbers = [plural(counts[severity], severity) for severity in Severity if counts[severity]]
    numbers = numbers or ["nothing is wrong"]
    if result.ignored:
        numbers.append(f"{result.ignored:,} ignored")
    notes = _remarks(result.parts[0]) if len(result.parts) == 1 else ()
    return (
        f"{', '.join(numbers)} in {plural(result.sitemaps, 'sitemap')}, "
        f"{plural(result.urls, 'URL')}{''.join(f' ({note})' for note in notes)}"
    )


def _notes(result: Result) -> Iterator[str]:
    """What is to be said of each path, of several: one line for each would be too long."""
    if len(result.parts) > 1:
        for part in result.parts:
            yield from (f"{part.path}: {remark}" for remark in _remarks(part))


def _remarks(part: Part) -> Iterator[str]:
    if part.assumed is not None:
        yield f"base URL {part.assumed} assumed"
    if not part.is_placed:
        yield "base URL not known: no other files are checked; --base-url sets it"
    if len(part.apart) == 1:
        yield f"not checked: {part.apart[0]}, which has a sitemap of its own"
    elif part.apart:
        yield f"not checked: {some(part.apart, _NAMED)}, which have sitemaps of their own"


def _print_json(result: Result) -> None:
    counts = result.counts()
    print_json(
        {
            "findings": [_content(finding) for finding in result.findings],
            "summary": {
                "errors": counts[Severity.ERROR],
                "warnings": counts[Severity.WARNING],
                "ignored": result.ignored,
                "sitemaps": result.sitemaps,
                "urls": result.urls,
                "pages": result.pages,
                "assumed_base_urls": {
                    printable(path): base_url for path, base_url in result.assumed.items()
                },
                "unknown_base_urls": [
                    printable(part.path) for part in result.parts if not part.is_placed
                ],
                "folders_not_checked": {
                    printable(part.path): [*map(printable, part.apart)]
                    for part in result.parts
                    if part.apart
                },
            },
        }
    )


def _content(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code.name,
        "severity": finding.code.severity,
        "message": finding.message,
        "file": finding.file,
        "line": finding.line,
        "url": finding.url,
        "cure": finding.code.cure,
        "more": finding.more,
    }


def _print_github(result: Result) -> None:
    """Source: <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>."""
    for finding in result.findings:
        code = finding.code
        properties = {
            "file": finding.file,
            "line": finding.line,
            "title": f"docs-sitemap {code.name}",
        }
        named = ",".join(
            f"{name}={_escape_property(str(value))}"
            for name, value in properties.items()
            if value is not None
        )
        url = f" ({finding.url})" if finding.url else ""
        message = _escape(f"{finding.message}{url}; {code.cure}")
        click.echo(f"::{code.severity} {named}::{message}")
    for note in _notes(result):
        _echo(f"Note: {note}")
    _echo(_summary(result))


def _echo(text: str) -> None:
    """Print a line that is no command: folders may be called like one of the older kind."""
    click.echo(printable(text).replace("##[", "##\\["))


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")


# Each prints what a check came to.
FORMATS: dict[str, Callable[[Result], None]] = {
    "text": _print_text,
    "json": _print_json,
    "github": _print_github,
}
