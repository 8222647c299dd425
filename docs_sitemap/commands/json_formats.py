"""The JSON that `--format json` prints. Each class is one object, each attribute one key."""

from __future__ import annotations

import msgspec

from docs_sitemap.commands.check import Code, LintResult, Severity
from docs_sitemap.commands.compare.comparison import Comparison
from docs_sitemap.commands.explain.explanation import ExplainResult
from docs_sitemap.text import printable

# Increase this number whenever the meaning of a key changes, or a key is removed.
JSON_VERSION = 1


class FindingJson(msgspec.Struct, frozen=True, kw_only=True):
    """A finding of `docs-sitemap check`.

    Attributes:
        code: The code, such as `not-found`.
        severity: `error` or `warning`.
        message: What is wrong in this place, in one line.
        file: The path of the file, as on the command line or below a folder on the command line.
        line: The line in the file, from 1; `null` if the finding is about the complete file.
        url: The URL that the finding is about; `null` if it is not about a URL.
        fix: How to fix all findings with this code, in one line.
    """

    code: str
    severity: Severity
    message: str
    file: str
    line: int | None
    url: str | None
    fix: str


class SummaryJson(msgspec.Struct, frozen=True, kw_only=True):
    """The totals of `docs-sitemap check`. Paths are written as on the command line.

    Attributes:
        errors: The number of errors.
        warnings: The number of warnings.
        ignored: The number of findings that `--ignore` removed.
        sitemaps: The number of sitemaps and sitemap indexes that were read.
        urls: The number of URLs that the sitemaps list.
        pages: The number of HTML files that were compared with the sitemaps.
        assumed_base_urls: For each folder whose base URL was guessed from its sitemap, that URL.
        unknown_base_urls: The paths whose base URL is unknown. Only the content of their sitemaps
            is checked.
        folders_not_checked: For each folder, the folders in it that have their own sitemaps.
        truncated_files: The files with more findings than are reported, and the sitemaps that were
            not read because the sitemaps before them list too many URLs.
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
        findings: The findings, file by file.
        summary: The totals.
    """

    version: int = JSON_VERSION
    findings: list[FindingJson]
    summary: SummaryJson


class CodeJson(msgspec.Struct, frozen=True, kw_only=True):
    """A code of `docs-sitemap check`.

    Attributes:
        code: The code, such as `not-found`.
        severity: `error` or `warning`.
        meaning: What is wrong, in one line.
        fix: How to fix all findings with this code, in one line.
    """

    code: str
    severity: Severity
    meaning: str
    fix: str


class CodesJson(msgspec.Struct, frozen=True, kw_only=True):
    """The document that `docs-sitemap check --codes --format json` prints.

    Attributes:
        version: The version of this format.
        codes: All codes.
    """

    version: int = JSON_VERSION
    codes: list[CodeJson]


class ExplainJson(msgspec.Struct, frozen=True, kw_only=True):
    """The document that `docs-sitemap explain --format json` prints.

    Attributes:
        version: The version of this format.
        has_report: Whether there is a report of the build.
        results: The results, one for each page that the command names.
    """

    version: int = JSON_VERSION
    has_report: bool
    results: list[ExplainResult]


class CompareJson(msgspec.Struct, frozen=True, kw_only=True):
    """The document that `docs-sitemap compare --format json` prints.

    Attributes:
        version: The version of this format.
        comparison: The differences.
    """

    version: int = JSON_VERSION
    comparison: Comparison


def make_check_json(result: LintResult) -> CheckJson:
    """Return the JSON document of a check."""
    counts = result.counts()
    return CheckJson(
        findings=[
            FindingJson(
                code=finding.code.slug,
                severity=finding.code.severity,
                message=finding.message,
                file=finding.file,
                line=finding.line,
                url=finding.url,
                fix=finding.code.fix,
            )
            for finding in result.findings
        ],
        summary=SummaryJson(
            errors=counts[Severity.ERROR],
            warnings=counts[Severity.WARNING],
            ignored=result.ignored,
            sitemaps=result.sitemaps,
            urls=result.urls,
            pages=result.pages,
            assumed_base_urls={
                printable(path.path): path.assumed_base_url
                for path in result.paths
                if path.assumed_base_url is not None
            },
            unknown_base_urls=[
                printable(path.path) for path in result.paths if not path.is_base_url_known
            ],
            folders_not_checked={
                printable(path.path): [*map(printable, path.separate_sites)]
                for path in result.paths
                if path.separate_sites
            },
            truncated_files=[
                printable(file) for path in result.paths for file in path.truncated_files
            ],
        ),
    )


def make_codes_json() -> CodesJson:
    """Return the JSON document of all codes."""
    return CodesJson(
        codes=[
            CodeJson(code=code.slug, severity=code.severity, meaning=code.meaning, fix=code.fix)
            for code in Code
        ]
    )
