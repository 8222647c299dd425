"""The rules of the format, and the diagnostics about one file."""

from enum import Enum

from docs_sitemap.diagnostics import Diagnostic, Severity

# Otherwise, a mistake in every entry would be reported 50,000 times.
MAX_DIAGNOSTICS_PER_FILE = 1_000

# The severity, meaning, and fix of a rule.
_Value = tuple[Severity, str, str]


def error(meaning: str, fix: str) -> _Value:
    """Return a rule whose violation hides pages, or breaks the protocol."""
    return Severity.ERROR, meaning, fix


def warning(meaning: str, fix: str) -> _Value:
    """Return a rule whose violation may be intended, or may hide pages."""
    return Severity.WARNING, meaning, fix


def notice(meaning: str, fix: str) -> _Value:
    """Return a rule whose violation matters only on some servers."""
    return Severity.NOTICE, meaning, fix


class RuleCode(Enum):
    """A set of rules.

    Attributes:
        slug: The public name: the name of the member in lower case, with hyphens.
        severity: How serious a violation is.
        meaning: What is wrong, in one line.
        fix: How to fix it, in one line.
    """

    def __init__(self, severity: Severity, meaning: str, fix: str) -> None:
        self.slug = self.name.lower().replace("_", "-")
        self.severity = severity
        self.meaning = meaning
        self.fix = fix

    def diagnostic(
        self, message: str, file: str, line: int | None = None, url: str | None = None
    ) -> Diagnostic:
        """Return a diagnostic about a violation of the rule."""
        return Diagnostic(
            self.slug, message, self.severity, self.fix, file=file, line=line, url=url
        )


class FormatRule(RuleCode):
    """The rules that a sitemap must follow, wherever it is published."""

    # Files
    UNREADABLE = error(
        "the file is missing, cannot be read, or is a link out of the site",
        "check its name and permissions",
    )
    GZIP_BROKEN = error(
        "a .gz file is damaged, or out of date", "compress the sitemap again"
    )
    TOO_LARGE = error(
        "the uncompressed file is larger than 50 MiB", "list its parts in an index"
    )

    # XML
    ENCODING = error(
        "the file is, or declares to be, in another encoding than UTF-8",
        "save it as UTF-8, and compress it only if its name ends in .gz",
    )
    XML_VERSION = warning(
        "the file declares another version of XML than 1.0, which many parsers do not "
        "read",
        'start it with <?xml version="1.0" encoding="UTF-8"?>',
    )
    DOCTYPE = error("many XML parsers reject document types", "remove <!DOCTYPE ...>")
    NOT_WELL_FORMED = error(
        "the file is not well-formed XML in UTF-8",
        "fix the XML at this position, and save the file as UTF-8",
    )
    TOO_COMPLEX = error(
        "an entry, a tag, or a comment is larger than any real one, or there are "
        "over 10,000 names",
        "remove what does not belong in a sitemap",
    )
    WRONG_ROOT = error(
        "the root element is not <urlset> or <sitemapindex>",
        "name a sitemap; if the server sends a web page for its URL, publish it there",
    )
    WRONG_NAMESPACE = error(
        "the root element is not in the namespace of the sitemap protocol",
        'set xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"',
    )
    EMPTY = error(
        "the sitemap contains no entries", "set the address of the site, and list a URL"
    )
    TOO_MANY_URLS = error(
        "the file has more than 50,000 entries", "list its parts in an index"
    )
    UNEXPECTED_ELEMENT = error(
        "an element, attribute, or text is not allowed at this position, or an element "
        "may occur only once",
        "remove it, put it into its entry, or give an element a namespace of its own",
    )

    # <loc>
    LOC_MISSING = error(
        "an entry has no <loc>, or it is empty", "add the URL, or remove the entry"
    )
    LOC_INVALID = error(
        "a <loc> is not an absolute URL, or has a fragment or a '.' or '..' segment",
        "use a URL such as https://example.org/docs/",
    )
    LOC_TOO_LONG = error(
        "a <loc> has 2,048 characters or more", "shorten or remove the URL"
    )
    LOC_NOT_ENCODED = error(
        "a <loc> has an invalid character", "percent-encode it: a space is %20"
    )
    LOC_NOT_ASCII = warning(
        "a <loc> contains a non-ASCII character, which crawlers may encode differently",
        "percent-encode it; write internationalized hosts in the form that "
        "starts with xn--",
    )
    LOC_ENCODED_TWICE = warning(
        "a URL is probably percent-encoded or escaped twice",
        "encode and escape it once: a space is %20 in a URL, and & is &amp; in XML",
    )
    DUPLICATE = warning(
        "two entries have one URL, or open one file", "list only the canonical URL"
    )
    OUT_OF_SCOPE = error(
        "a URL is on another host, or not below the folder of the sitemap",
        "check the base URL, list the URL in another sitemap, or, if only the folder "
        "differs, add the sitemap to robots.txt",
    )

    # Other elements
    LASTMOD_INVALID = error(
        "a <lastmod> is not a W3C datetime", "write it as 2026-05-31"
    )
    LASTMOD_FUTURE = error(
        "a <lastmod> is in the future", "set it to the last change of the page"
    )
    LASTMOD_OLD = warning(
        "a <lastmod> is older than the web: many programs write 1970-01-01, "
        "1980-01-01, or 0001-01-01 for an unknown date",
        "set it to the last change of the page, or omit it",
    )
    CHANGEFREQ_INVALID = error(
        "a <changefreq> is not an allowed value",
        "omit it, or use always, hourly, daily, weekly, monthly, yearly, or never",
    )
    PRIORITY_INVALID = error(
        "a <priority> is not a number from 0.0 to 1.0", "correct or omit it"
    )
    ALTERNATE_INVALID = error(
        "a link to a language has no valid language or absolute URL, repeats a "
        "language, or is in another namespace",
        'set rel="alternate", a unique hreflang such as "pt-BR", an absolute URL as '
        'href, and xmlns:xhtml="http://www.w3.org/1999/xhtml"',
    )
    ALTERNATE_NOT_RECIPROCAL = error(
        "a translation does not link back", "add the other link"
    )
    ALTERNATE_NO_SELF = error(
        "the alternates do not include the page itself", "add it as well"
    )


class UnusableFileError(Exception):
    """A file cannot be read to its end. The message is the reason, in one line.

    Attributes:
        rule: The rule that the file breaks.
        line: The line, from 1; `None` if the reason is about the complete file.
    """

    def __init__(self, rule: RuleCode, message: str, line: int | None = None) -> None:
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
        rule: RuleCode,
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
