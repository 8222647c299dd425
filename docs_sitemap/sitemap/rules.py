"""What a rule of `check` is, and the diagnostics about one file."""

from typing import NamedTuple

from docs_sitemap.diagnostics import Diagnostic, Severity

# Otherwise, a mistake in every entry would be reported 50,000 times.
MAX_DIAGNOSTICS_PER_FILE = 1_000


class Rule(NamedTuple):
    """A rule that a sitemap or a site must follow. It is declared next to the function
    that checks it.

    Attributes:
        slug: The public name.
        severity: How serious a violation is.
        meaning: What is wrong, in one line.
        fix: How to fix it, in one line.
    """

    slug: str
    severity: Severity
    meaning: str
    fix: str

    def diagnostic(
        self, message: str, file: str, line: int | None = None, url: str | None = None
    ) -> Diagnostic:
        """Return a diagnostic about a violation of the rule."""
        return Diagnostic(
            self.slug, message, self.severity, self.fix, file=file, line=line, url=url
        )


def error(slug: str, meaning: str, fix: str) -> Rule:
    """Return a rule whose violation hides pages, or breaks the protocol."""
    return Rule(slug, Severity.ERROR, meaning, fix)


def warning(slug: str, meaning: str, fix: str) -> Rule:
    """Return a rule whose violation may be intended, or may hide pages."""
    return Rule(slug, Severity.WARNING, meaning, fix)


def notice(slug: str, meaning: str, fix: str) -> Rule:
    """Return a rule whose violation matters only on some servers."""
    return Rule(slug, Severity.NOTICE, meaning, fix)


class UnusableFileError(Exception):
    """A file cannot be read to its end. The message is the reason, in one line.

    Attributes:
        rule: The rule that the file breaks.
        line: The line, from 1; `None` if the reason is about the complete file.
    """

    def __init__(self, rule: Rule, message: str, line: int | None = None) -> None:
        self.rule = rule
        self.line = line
        super().__init__(message)

    def diagnostic(self, file: str) -> Diagnostic:
        """Return the diagnostic about a file with this name."""
        return self.rule.diagnostic(str(self), file, self.line)

    def describe(self, file: str) -> str:
        """Return where the reason is in a file with this name, and how to fix it."""
        line = "" if self.line is None else f", line {self.line}"
        return f"{file}{line}: {self}. Fix: {self.rule.fix}."


class FeedError(UnusableFileError):
    """A file is a feed, not a sitemap. Search engines read it, and it lists pages that
    a sitemap lists, too.
    """


class FileDiagnostics:
    """The first 1,000 diagnostics about one file.

    Attributes:
        file: The name of the file in messages.
        is_truncated: Whether there were more diagnostics than are kept.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.is_truncated = False
        self._diagnostics: list[Diagnostic] = []

    def add(
        self,
        rule: Rule,
        message: str,
        line: int | None = None,
        url: str | None = None,
    ) -> None:
        """Report a violation of a rule."""
        if len(self._diagnostics) < MAX_DIAGNOSTICS_PER_FILE:
            self._diagnostics.append(rule.diagnostic(message, self.file, line, url))
        else:
            self.is_truncated = True

    def add_only(self, error: UnusableFileError) -> None:
        """Replace all diagnostics: the others may be consequences of this one."""
        self._diagnostics = [error.diagnostic(self.file)]
        self.is_truncated = False

    def sorted(self) -> list[Diagnostic]:
        """Return the diagnostics by line. Those about the complete file are first."""
        return sorted(self._diagnostics, key=lambda one: one.line or 0)
