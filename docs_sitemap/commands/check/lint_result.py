"""The result of a check, in total and by path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field, replace

from docs_sitemap.commands.check.codes import Code, Severity
from docs_sitemap.commands.check.finding import FileFindings, Finding
from docs_sitemap.sitemap.urls import BaseUrl
from docs_sitemap.text import printable


@dataclass(slots=True)
class PathResult:
    """The result of checking one path.

    Attributes:
        path: The folder or file, as the user named it.
        findings: What is wrong, file by file.
        sitemaps: The number of sitemaps and sitemap indexes that were read.
        urls: The number of URLs that the sitemaps list.
        pages: The number of pages of the site that were read.
        assumed_base_url: The base URL of a folder if it was guessed from the sitemap.
        is_base_url_known: Whether the base URL is given or could be guessed. If not, only the
            content of the sitemap is checked.
        separate_sites: Folders of the site that have sitemaps of their own. They are not checked.
        truncated_files: Files with more findings than are reported, and sitemaps that were not
            read because the sitemaps before them list too many URLs, or have too many bytes.
    """

    path: str
    findings: list[Finding] = field(default_factory=list)
    sitemaps: int = 0
    urls: int = 0
    pages: int = 0
    assumed_base_url: BaseUrl | None = None
    is_base_url_known: bool = True
    separate_sites: list[str] = field(default_factory=list)
    truncated_files: list[str] = field(default_factory=list)

    def add(self, findings: FileFindings) -> None:
        """Add the findings of one file."""
        self.findings += findings.sorted()
        if findings.is_truncated:
            self.truncated_files.append(printable(findings.file))


@dataclass(frozen=True, slots=True)
class LintResult:
    """The result of checking all paths.

    Attributes:
        paths: The result of each path.
        ignored: The number of findings that were removed because of their codes.
    """

    paths: tuple[PathResult, ...]
    ignored: int = 0

    @property
    def findings(self) -> list[Finding]:
        return [finding for path in self.paths for finding in path.findings]

    @property
    def sitemaps(self) -> int:
        return sum(path.sitemaps for path in self.paths)

    @property
    def urls(self) -> int:
        return sum(path.urls for path in self.paths)

    @property
    def pages(self) -> int:
        return sum(path.pages for path in self.paths)

    def without(self, codes: Container[Code]) -> LintResult:
        """Return the result without the findings that have one of these codes."""
        paths = tuple(
            replace(path, findings=[one for one in path.findings if one.code not in codes])
            for path in self.paths
        )
        result = LintResult(paths)
        ignored = len(self.findings) - len(result.findings)
        return replace(result, ignored=self.ignored + ignored)

    def counts(self) -> Counter[Severity]:
        """Return the number of findings of each severity."""
        return Counter(finding.code.severity for finding in self.findings)
