"""What a check found, in each format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import click

from docs_sitemap.check import CODES, Finding, Severity
from docs_sitemap.check.paths import Result
from docs_sitemap.cli.output import Output, plural, print_json
from docs_sitemap.model import printable

# Of findings of one code, who reads them on a terminal needs no more.
_SHOWN = 10

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow"}


def _print_text(findings: Sequence[Finding], result: Result, ignored: int) -> None:
    output = Output()
    counts: Counter[str] = Counter()
    for finding in findings:
        code = finding.code
        counts[code.name] += 1
        if counts[code.name] <= _SHOWN:
            output.line(
                (_place(finding), "bold"),
                ": ",
                (code.severity, _STYLES[code.severity]),
                f" {code.name}: {finding.message}",
                *((f" ({finding.url})",) if finding.url else ()),
            )
    for name, count in counts.items():
        if count > _SHOWN:
            output.line(f"… and {count - _SHOWN:,} more {name}; --format json shows all")
    if counts:
        output.line("")
        output.line("How to mend it:")
        for name in counts:
            output.line("  ", (name, "bold"), f": {CODES[name].cure}")
        output.line("")
    output.line((_summary(findings, result, ignored), "bold" if counts else "bold green"))


def _place(finding: Finding) -> str:
    return finding.file if finding.line is None else f"{finding.file}:{finding.line}"


def _summary(findings: Sequence[Finding], result: Result, ignored: int) -> str:
    counts = Counter(finding.code.severity for finding in findings)
    numbers = [plural(counts[severity], severity) for severity in Severity if counts[severity]]
    numbers = numbers or ["nothing is wrong"]
    if ignored:
        numbers.append(f"{ignored:,} ignored")
    assumed = "".join(
        f" (base URL {url} assumed)"
        if len(result.assumed) == 1
        else f" (base URL {url} assumed for {path})"
        for path, url in result.assumed.items()
    )
    return (
        f"{', '.join(numbers)} in {plural(result.sitemaps, 'sitemap')}, "
        f"{plural(result.urls, 'URL')}{assumed}"
    )


def _print_json(findings: Sequence[Finding], result: Result, ignored: int) -> None:
    counts = Counter(finding.code.severity for finding in findings)
    print_json(
        {
            "findings": [_content(finding) for finding in findings],
            "summary": {
                "errors": counts[Severity.ERROR],
                "warnings": counts[Severity.WARNING],
                "ignored": ignored,
                "sitemaps": result.sitemaps,
                "urls": result.urls,
                "pages": result.pages,
                "assumed_base_urls": result.assumed,
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
    }


def _print_github(findings: Sequence[Finding], result: Result, ignored: int) -> None:
    """Source: <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>."""
    for finding in findings:
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
    click.echo(printable(_summary(findings, result, ignored)))


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")


Show = Callable[[Sequence[Finding], Result, int], None]

# Each prints findings, with what the check came to and how many findings were left out.
FORMATS: dict[str, Show] = {"text": _print_text, "json": _print_json, "github": _print_github}
