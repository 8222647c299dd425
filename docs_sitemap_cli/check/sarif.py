"""Diagnostics in SARIF 2.1.0, for code scanning.

Source: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.
"""

from importlib.metadata import version
from typing import Any
from urllib.parse import quote

from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap_cli.console import print_json

from .result import CheckResult, describe
from .site_rules import RULES

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
    "sarif-schema-2.1.0.json"
)

_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTICE: "note",
}


def print_sarif(result: CheckResult) -> None:
    """Print a log file with one run."""
    rules = []
    for rule in RULES:
        rules.append(
            {
                "id": rule.slug,
                "shortDescription": {"text": rule.meaning},
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
