"""The output formats of `docs-sitemap check`."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.tools.printing import count
from docs_sitemap_cli.console import (
    SEVERITY_STYLES,
    join_some,
    print_annotation,
    print_json,
    print_line,
    print_summary,
    shell_word,
)

from .path_result import CheckResult, PathResult, describe
from .rules import RULES

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
    "sarif-schema-2.1.0.json"
)

_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTICE: "note",
}

# The text shows this many diagnostics with the same code.
_MAX_SHOWN = 10

# The summary names this many folders or files.
_MAX_NAMES = 3


def _print_text(result: CheckResult) -> None:
    for path in result.paths:
        _print_diagnostics(path)
    fixes = dict.fromkeys(
        (diagnostic.code, diagnostic.fix) for diagnostic in result.diagnostics
    )
    if fixes:
        print_line("")
        print_line("How to fix:")
        for code, fix in fixes:
            print_line("  ", (code, "bold"), f": {fix}")
        print_line("")
        code, _ = next(iter(fixes))
        print_summary(f"What a code means: docs-sitemap explain {code}")
    _print_summary(result, "bold" if fixes else "bold green")


def _print_diagnostics(path: PathResult) -> None:
    counts: Counter[str] = Counter()
    for diagnostic in path.diagnostics:
        code = diagnostic.code
        severity = diagnostic.severity
        counts[code] += 1
        if counts[code] > _MAX_SHOWN:
            continue
        print_line(
            (diagnostic.place, "bold"),
            ": ",
            (severity, SEVERITY_STYLES[severity]),
            f" {code}: {describe(diagnostic)}",
        )
    for code, number in counts.items():
        if number > _MAX_SHOWN:
            rest = number - _MAX_SHOWN
            print_line(f"… and {rest:,} more {code}; --format json shows all")


def _print_summary(result: CheckResult, style: str = "") -> None:
    for path in result.paths:
        for note in _notes(path):
            print_summary(f"Note: {path.path}: {note}")
    numbers = []
    for severity, number in sorted(result.counts().items()):
        numbers.append(count(number, severity))
    if not numbers:
        numbers.append("no problems found")
    if result.ignored:
        numbers.append(f"{result.ignored:,} ignored")
    sitemaps = count(sum(path.sitemaps for path in result.paths), "sitemap")
    urls = count(sum(path.urls for path in result.paths), "URL")
    print_summary((f"{', '.join(numbers)} in {sitemaps}, {urls}", style))


def _notes(path: PathResult) -> Iterator[str]:
    if path.truncated_files:
        files = join_some(path.truncated_files, _MAX_NAMES)
        yield f"not everything is reported, because there is too much: {files}"
    if path.is_interrupted:
        yield "interrupted: this is what was found before"
    if path.not_requested:
        urls = count(path.not_requested, "URL")
        yield (
            "not requested, because of --max-pages, robots.txt, the time limit, or "
            f"too many errors: {urls}"
        )
    if path.assumed_base_url is not None:
        yield f"assumed base URL: {path.assumed_base_url}"
    if not path.is_base_url_known:
        yield "unknown base URL: only the sitemap itself is checked; set --base-url"
    if path.separate_sites:
        paths = [os.path.join(path.path, folder) for folder in path.separate_sites]
        folders = join_some([shell_word(path) for path in paths], _MAX_NAMES)
        yield f"not checked, because they are other sites or versions: {folders}"


def _print_github(result: CheckResult) -> None:
    """Print annotations for GitHub Actions."""
    for diagnostic in result.diagnostics:
        properties = {"file": diagnostic.file or ""}
        if diagnostic.line is not None:
            properties["line"] = str(diagnostic.line)
        properties["title"] = f"docs-sitemap {diagnostic.code}"
        text = f"{describe(diagnostic)}; {diagnostic.fix}"
        print_annotation(diagnostic.severity, properties, text)
    _print_summary(result)


def _print_sarif(result: CheckResult) -> None:
    """Print a log file with one run, in SARIF 2.1.0 for code scanning.

    Source: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.
    """
    from docs_sitemap_cli.codes import explained_codes  # The other formats have none.

    rules = []
    urls = {one.code: one.url for one in explained_codes() if one.kind == "check"}
    for rule in RULES:
        rules.append(
            {
                "id": rule.slug,
                "shortDescription": {"text": rule.meaning},
                "helpUri": urls[rule.slug],
                "help": {"text": f"Fix: {rule.fix}."},
                "defaultConfiguration": {"level": _LEVELS[rule.severity]},
            }
        )
    driver = {
        "name": "docs-sitemap",
        "version": version("docs-sitemap"),
        "rules": rules,
    }
    results = [_make_result(diagnostic) for diagnostic in result.diagnostics]
    run = {"tool": {"driver": driver}, "results": results}
    print_json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _make_result(diagnostic: Diagnostic) -> dict[str, Any]:
    message = f"{describe(diagnostic)}. Fix: {diagnostic.fix}."
    # Code scanning shows only results with a line.
    location = {
        "artifactLocation": {"uri": quote(diagnostic.file or "")},
        "region": {"startLine": diagnostic.line or 1},
    }
    return {
        "ruleId": diagnostic.code,
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": message},
        "locations": [{"physicalLocation": location}],
    }


CHECK_FORMATS: dict[str, Callable[[CheckResult], None]] = {
    "text": _print_text,
    "json": print_json,
    "github": _print_github,
    "sarif": _print_sarif,
}
