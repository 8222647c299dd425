"""What a rule of `check` is, and the diagnostics about one file."""

from collections import Counter
from dataclasses import replace
from typing import NamedTuple

from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.tools.printing import count

# Otherwise, a mistake in every entry would be reported 50,000 times.
MAX_DIAGNOSTICS_PER_FILE = 1_000

# Two entries may have the same mistake by chance.
_MIN_SHARED = 3

_Mistake = tuple[str, str]
"""The slug of a rule, and what its violations have in common, if that is known."""


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
        entries: The number of entries in the file; `None` if it is unknown. If all have
            one mistake, it is reported once.
        is_truncated: Whether there were more diagnostics than are kept.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.entries: int | None = None
        self.is_truncated = False
        self._kept: dict[_Mistake, list[Diagnostic]] = {}
        self._numbers: Counter[_Mistake] = Counter()
        self._last_urls: dict[_Mistake, str | None] = {}

    def add(
        self,
        rule: Rule,
        message: str,
        line: int | None = None,
        url: str | None = None,
        *,
        cause: str = "",
    ) -> None:
        """Report a violation of a rule.

        Args:
            rule: The rule.
            message: What is wrong.
            line: The line, from 1.
            url: The URL of the entry.
            cause: What this violation has in common with others, so that only the first
                of them is reported, with their number.
        """
        mistake = (rule.slug, cause)
        if mistake not in self._kept and len(self._kept) == MAX_DIAGNOSTICS_PER_FILE:
            self.is_truncated = True
            return
        if url is None or self._last_urls.get(mistake) != url:
            self._numbers[mistake] += 1
            self._last_urls[mistake] = url
        kept = self._kept.setdefault(mistake, [])
        if not kept or (not cause and len(kept) <= MAX_DIAGNOSTICS_PER_FILE):
            kept.append(rule.diagnostic(message, self.file, line, url))

    def add_only(self, error: UnusableFileError) -> None:
        """Replace all diagnostics: the others may be consequences of this one."""
        self._kept = {("", ""): [error.diagnostic(self.file)]}
        self.is_truncated = False

    def sorted(self) -> list[Diagnostic]:
        """Return the first diagnostics by line. Those about the complete file are
        first. Mistakes with a known cause, and those of all entries, are one each.
        """
        diagnostics = []
        least = max(self.entries or 0, _MIN_SHARED)
        for mistake, kept in self._kept.items():
            number = self._numbers[mistake]
            if mistake[1] or (self.entries is not None and number >= least):
                diagnostics.append(_with_number(kept[0], number - 1))
            else:
                diagnostics += kept
        diagnostics.sort(key=lambda one: one.line or 0)
        if len(diagnostics) > MAX_DIAGNOSTICS_PER_FILE:
            self.is_truncated = True
        return diagnostics[:MAX_DIAGNOSTICS_PER_FILE]


def _with_number(diagnostic: Diagnostic, others: int) -> Diagnostic:
    """Return the first diagnostic about a mistake with the number of the others."""
    if not others:
        return diagnostic
    more = count(others, "more URL" if diagnostic.url else "more element")
    message = f"{diagnostic.message}; the same goes for {more}"
    return replace(diagnostic, message=message)
