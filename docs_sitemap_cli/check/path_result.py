"""The result of a check, in total and by path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field, replace

import msgspec

from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.sitemap.rules import FileDiagnostics
from docs_sitemap.sitemap.urls import BaseUrl
from docs_sitemap.tools.printing import printable
from docs_sitemap_cli.console import JSON_VERSION


@dataclass(slots=True)
class PathResult:
    """The result of checking one path.

    Attributes:
        path: The folder, file, or URL, as written on the command line, without
            passwords and tokens.
        diagnostics: What is wrong, file by file.
        sitemaps: The number of sitemaps and sitemap indexes that were read.
        urls: The number of URLs that the sitemaps list.
        pages: The number of pages that were compared with the sitemaps.
        assumed_base_url: The base URL of a folder if only the site itself shows it.
        is_base_url_known: Whether the base URL is given or could be guessed. If not,
            only the content of the sitemap is checked.
        separate_sites: The folders of other sites and versions in it, which are not
            checked.
        truncated_files: Files with more diagnostics than are reported, and sitemaps
            that were not read because the sitemaps before them list too many URLs, or
            have too many bytes.
        not_requested: The number of URLs of a live site that were not requested.
        is_interrupted: Whether the user stopped the check before its end.
    """

    path: str
    diagnostics: list[Diagnostic] = field(default_factory=list)
    sitemaps: int = 0
    urls: int = 0
    pages: int = 0
    assumed_base_url: BaseUrl | None = None
    is_base_url_known: bool = True
    separate_sites: list[str] = field(default_factory=list)
    truncated_files: list[str] = field(default_factory=list)
    not_requested: int = 0
    is_interrupted: bool = False

    def add(self, diagnostics: FileDiagnostics) -> None:
        """Add the diagnostics of one file."""
        self.diagnostics += diagnostics.sorted()
        if diagnostics.is_truncated:
            self.truncated_files.append(printable(diagnostics.file))


def describe(diagnostic: Diagnostic) -> str:
    """Return the message with the URL that it is about."""
    if diagnostic.url:
        return f"{diagnostic.message} ({diagnostic.url})"
    return diagnostic.message


class CheckResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of checking all paths: the document that `check --format json` prints.

    Attributes:
        version: The version of this format.
        paths: The result of each path.
        ignored: The number of diagnostics that `--ignore` removed.
    """

    version: int = JSON_VERSION
    paths: tuple[PathResult, ...]
    ignored: int = 0

    @property
    def diagnostics(self) -> list[Diagnostic]:
        return [diagnostic for path in self.paths for diagnostic in path.diagnostics]

    def without(self, codes: Container[str]) -> CheckResult:
        """Return the result without the diagnostics that have one of these codes."""
        paths = []
        ignored = 0
        for path in self.paths:
            kept = []
            for diagnostic in path.diagnostics:
                if diagnostic.code not in codes:
                    kept.append(diagnostic)
            ignored += len(path.diagnostics) - len(kept)
            paths.append(replace(path, diagnostics=kept))
        return CheckResult(paths=tuple(paths), ignored=ignored)

    def counts(self) -> Counter[Severity]:
        """Return the number of diagnostics of each severity."""
        return Counter(diagnostic.severity for diagnostic in self.diagnostics)

    def has_failed(self, *, strict: bool) -> bool:
        """Return whether the command fails: because of errors, with `strict` also
        because of warnings, or because the user stopped it.
        """
        if any(path.is_interrupted for path in self.paths):
            return True
        counts = self.counts()
        if strict and counts[Severity.WARNING] > 0:
            return True
        return counts[Severity.ERROR] > 0
