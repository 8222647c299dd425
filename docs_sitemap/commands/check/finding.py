"""Findings, and the collector that receives the findings of one file."""

from __future__ import annotations

from dataclasses import dataclass

from docs_sitemap.commands.check.codes import Code
from docs_sitemap.text import printable

# Otherwise, a fault of every entry would be reported 50,000 times.
MAX_FINDINGS_PER_FILE = 1_000

# Longer URLs have a finding of their own, for which the start is enough.
_MAX_URL = 2_100


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong. All texts are single printable lines.

    Attributes:
        code: The kind of finding.
        message: What is wrong in this place.
        file: The file: as the user named it, or below the folder that the user named.
        line: The line in the file, from 1; `None` if the finding is about the complete file.
        url: The URL that the finding is about; `None` if it is not about a URL.
    """

    code: Code
    message: str
    file: str
    line: int | None = None
    url: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", printable(self.message))
        object.__setattr__(self, "file", printable(self.file))
        if self.url is not None:
            object.__setattr__(self, "url", printable(self.url[:_MAX_URL]))


class UnusableFileError(Exception):
    """A file cannot be read to its end. This error becomes the only finding of the file."""

    def __init__(self, code: Code, message: str, line: int | None = None) -> None:
        self.code = code
        self.line = line
        super().__init__(message)


class FileFindings:
    """The first 1,000 findings of one file.

    Attributes:
        file: The name of the file in messages.
        is_truncated: Whether there were more findings than are kept.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.is_truncated = False
        self._findings: list[Finding] = []

    def add(
        self, code: Code, message: str, line: int | None = None, url: str | None = None
    ) -> None:
        if len(self._findings) < MAX_FINDINGS_PER_FILE:
            self._findings.append(Finding(code, message, self.file, line, url))
        else:
            self.is_truncated = True

    def add_only(self, error: UnusableFileError) -> None:
        """Replace all findings: the others may be consequences of this one."""
        self._findings.clear()
        self.is_truncated = False
        self.add(error.code, str(error), error.line)

    def sorted(self) -> list[Finding]:
        """Return the findings by line. Findings about the complete file are first."""
        return sorted(self._findings, key=lambda finding: finding.line or 0)
