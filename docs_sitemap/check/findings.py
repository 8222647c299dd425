"""What can be wrong: the one table of codes, and the findings that carry them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from docs_sitemap.model import printable

# Findings of one code in one site; what is wrong everywhere need not fill the memory.
MAX_EACH = 1_000

_MAX_URL = 2_100


class Severity(StrEnum):
    """Whether readers of the sitemap lose something, or only may."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of finding.

    Attributes:
        name: what it is called for ever.
        severity: how bad it is.
        meaning: what is wrong, in one line.
        cure: how to mend it, in one line.
    """

    name: str
    severity: Severity
    meaning: str
    cure: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong. All texts are one printable line each.

    Attributes:
        code: what kind of thing.
        message: what is wrong here.
        file: the file, as the user named it or below the folder that the user named.
        line: the line in that file, from 1 on; `None` if it is about the whole file.
        url: the URL that it is about, if it is about one.
        more: how many further findings of its code and file it stands for, none of which is held;
            0 if it is a finding of its own.
    """

    code: Code
    message: str
    file: str
    line: int | None = None
    url: str | None = None
    more: int = 0

    @classmethod
    def of_more(cls, code: str, number: int, file: str) -> Finding:
        """Return the one finding that stands for all that are too many to be held."""
        return cls(CODES[code], f"and {number:,} more of this kind, not shown", file, more=number)

    @property
    def number(self) -> int:
        """As how many findings it counts."""
        return self.more or 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", printable(self.message))
        object.__setattr__(self, "file", printable(self.file))
        if self.url is not None:
            object.__setattr__(self, "url", printable(self.url[:_MAX_URL]))


class Unusable(Exception):  # noqa: N818  # it ends in a finding, not in a traceback
    """A file that can be read no further; nothing else is said of it."""

    def __init__(self, code: str, message: str, line: int | None = None) -> None:
        self.code = code
        self.line = line
        super().__init__(message)


class Findings:
    """Collects the findings of one file.

    Args:
        file: what it is called.
        held: how many there are of each code in it and in other files of the same site.
    """

    def __init__(self, file: str, held: Counter[str] | None = None) -> None:
        self.file = file
        self._found: list[Finding] = []
        self._held = Counter() if held is None else held
        self._more: Counter[str] = Counter()

    def add(self, code: str, message: str, line: int | None = None, url: str | None = None) -> None:
        if self._held[code] >= MAX_EACH:
            self._more[code] += 1
            return
        self._held[code] += 1
        self._found.append(Finding(CODES[code], message, self.file, line, url))

    def add_more(self, code: str, number: int) -> None:
        """Count findings of which nothing else is known any more."""
        self._more[code] += number

    def only(self, fault: Unusable) -> None:
        """Forget what was found: who mends this fault sees the others then."""
        self.clear()
        self.add(fault.code, str(fault), fault.line)

    def clear(self) -> None:
        """Forget what was found."""
        self._held.subtract(finding.code.name for finding in self._found)
        self._found.clear()
        self._more.clear()

    def all(self) -> list[Finding]:
        """Return all findings in the order of their lines, the file's own first; for those that
        were too many, one stands.
        """
        found = sorted(self._found, key=lambda finding: finding.line or 0)
        more = (Finding.of_more(*pair, self.file) for pair in self._more.items() if pair[1])
        return [*found, *more]


def shorten(text: str) -> str:
    """Return a text from a file for a message: it may be of any length."""
    return repr(text if len(text) <= 80 else f"{text[:79]}…")


def some(names: Sequence[str], most: int) -> str:
    """Return names for a message, and how many more there are."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def _table(severity: Severity, *rows: tuple[str, str, str]) -> dict[str, Code]:
    return {name: Code(name, severity, meaning, cure) for name, meaning, cure in rows}


CODES: dict[str, Code] = _table(
    Severity.ERROR,
    (
        "unreadable",
        "the file or folder cannot be read, or is neither",
        "check the name and the permissions",
    ),
    (
        "no-sitemap",
        "the folder holds no sitemap",
        "build the site first, and name the folder that is published",
    ),
    ("gzip-broken", "the file is no whole gzip file", "write it again"),
    (
        "gzip-differs",
        "the compressed twin says something else than the sitemap beside it",
        "compress the sitemap again, or remove the twin",
    ),
    (
        "too-large",
        "the file has more than 52,428,800 bytes, uncompressed",
        "split it, and name the parts in a sitemap index",
    ),
    ("encoding", "the file is not in UTF-8", "write it in UTF-8, and declare no other encoding"),
    (
        "doctype",
        "the file has a document type declaration, which many readers refuse",
        "remove the <!DOCTYPE ...>",
    ),
    ("not-well-formed", "the file is not well-formed XML", "mend the XML at this place"),
    (
        "too-complex",
        "elements are nested more than 64 deep, a tag or a comment is larger than 1 MiB, or an "
        "entry has more than 1,000 links",
        "remove what is no part of a sitemap",
    ),
    (
        "wrong-root",
        "the outermost element is neither <urlset> nor <sitemapindex>",
        "name a file that is a sitemap, or write one of the two elements",
    ),
    (
        "wrong-namespace",
        "the outermost element is not in the protocol's namespace",
        'write xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"',
    ),
    (
        "empty",
        "the sitemap lists nothing",
        "set the base URL of the site (site_url in MkDocs), and list at least one URL",
    ),
    (
        "too-many-urls",
        "the file lists more than 50,000 URLs or sitemaps",
        "split it, and name the parts in a sitemap index",
    ),
    (
        "unknown-element",
        "an element stands where the protocol knows none of that name",
        "remove it, or write it in the namespace that it is from",
    ),
    ("repeated-element", "an element that may stand once stands twice", "leave one of them"),
    ("loc-missing", "an entry has no <loc>, or an empty one", "write its URL, or remove the entry"),
    (
        "loc-invalid",
        "a <loc> is no absolute http or https URL",
        "write the whole URL, such as https://example.org/page/",
    ),
    ("loc-too-long", "a <loc> has 2,048 characters or more", "shorten the URL, or leave it out"),
    (
        "loc-not-encoded",
        "a <loc> holds a character that no URL may hold",
        "percent-encode it: a space is %20, a percent sign %25",
    ),
    (
        "host-differs",
        "the scheme, host or port of a URL is not the sitemap's, or not that of the other URLs",
        "use one origin everywhere; check the base URL",
    ),
    (
        "out-of-scope",
        "a URL is not below the folder that the sitemap is published in",
        "move the sitemap up, list the URL in another, or name the sitemap in robots.txt, and "
        "check the base URL",
    ),
    (
        "lastmod-invalid",
        "a <lastmod> is no W3C datetime",
        "write 2026-05-31, or 2026-05-31T08:30:00+00:00 with its time zone",
    ),
    ("lastmod-future", "a <lastmod> lies in the future", "write when the page last changed"),
    (
        "changefreq-invalid",
        "a <changefreq> is none of the seven words",
        "write always, hourly, daily, weekly, monthly, yearly or never, or leave it out",
    ),
    (
        "priority-invalid",
        "a <priority> is no number from 0.0 to 1.0",
        "write a number such as 0.5, or leave it out",
    ),
    (
        "alternate-invalid",
        "an <xhtml:link> names no language or no absolute URL, or a language twice",
        'write rel="alternate", one hreflang such as "de" or "pt-BR", and the whole URL, '
        "percent-encoded, as href",
    ),
    (
        "alternate-not-found",
        "an <xhtml:link> leads to no file of the site",
        "build the translation, or remove the link",
    ),
    (
        "alternate-not-reciprocal",
        "a page that is named as the same page in another language does not name this one",
        "let both name each other: links that go one way are ignored",
    ),
    (
        "alternate-no-self",
        "the languages of a page do not include the page itself",
        "add an <xhtml:link> with the page's own language and URL",
    ),
    (
        "child-missing",
        "the sitemap index names a sitemap that is not there",
        "write the sitemap, or remove it from the index",
    ),
    (
        "child-is-index",
        "the sitemap index names a sitemap index",
        "name the sitemaps themselves",
    ),
    ("not-found", "a <loc> leads to no file of the site", "build the page, or remove the entry"),
    (
        "outside-site",
        "a <loc> leads through a symbolic link out of the site's folder",
        "copy the file into the site",
    ),
    ("redirect", "the page of a <loc> sends its readers elsewhere", "list the page it sends to"),
    (
        "noindex",
        "the page of a <loc> asks not to be indexed",
        "remove the entry, or the robots meta element",
    ),
    (
        "canonical",
        "the page of a <loc> names another page as the canonical one",
        "list the canonical page instead, or correct the link if that is wrong",
    ),
    (
        "robots-disallow",
        "robots.txt forbids search engines what the sitemap lists, or the sitemap itself",
        "allow it in robots.txt, or remove the entry",
    ),
) | _table(
    Severity.WARNING,
    (
        "wrong-order",
        "the elements of an entry are not in the order of the protocol's schema",
        "write loc, lastmod, changefreq, priority, and then what is from elsewhere",
    ),
    ("unexpected-content", "text or attributes stand where none belong", "remove them"),
    (
        "unusual-prefix",
        "a namespace has a prefix that some readers do not expect",
        "bind the sitemap's namespace to no prefix, and XHTML's to the prefix xhtml",
    ),
    (
        "loc-not-ascii",
        "a <loc> holds characters outside ASCII, which not all readers encode alike",
        "percent-encode them; write a host in the form that starts with xn--",
    ),
    (
        "loc-fragment",
        "a <loc> has a fragment, which readers ignore",
        "list the page once, without the fragment",
    ),
    (
        "loc-dot-segments",
        "a <loc> has a '.' or '..' among its segments, which readers resolve",
        "write the URL that they come to",
    ),
    ("duplicate", "a URL is listed twice", "list it once"),
    (
        "error-page",
        "the page that servers send for URLs that do not exist is listed",
        "remove the entry",
    ),
    ("same-page", "two URLs lead to one file", "list the one that is the canonical URL"),
    (
        "lastmod-form",
        "a <lastmod> is a W3C datetime in a form that the protocol's schema does not have",
        "write the day, or the time with its seconds",
    ),
    (
        "lastmod-old",
        "a <lastmod> is older than the protocol, of June 2005: mostly the zero of a clock",
        "write when the page last changed, or leave it out; ignore this if it is right",
    ),
    (
        "lastmod-all-same",
        "all pages have the day of the build as their <lastmod>",
        "write when each page last changed, or leave it out: search engines stop trusting it",
    ),
    (
        "missing",
        "a page of the site is in no sitemap",
        'list it, or say <meta name="robots" content="noindex"> in it',
    ),
    (
        "canonical-form",
        "the page of a <loc> names itself by another URL as the canonical one",
        "list the page by its canonical URL",
    ),
    (
        "robots-no-sitemap",
        "robots.txt does not name the sitemap",
        "add a line Sitemap: with the URL of the sitemap",
    ),
    (
        "robots-sitemap-not-found",
        "robots.txt names a sitemap that is no file of the site",
        "write the sitemap, or remove the line; ignore this if something else serves it",
    ),
    (
        "robots-too-long",
        "robots.txt has more than 2,000 lines or 500 KiB, of which no more is checked",
        "shorten it: crawlers need not read more than 500 KiB",
    ),
    (
        "robots-bom",
        "robots.txt starts with a byte order mark, which hides its first line from some readers",
        "save it as UTF-8 without a byte order mark",
    ),
    (
        "stale-part",
        "a part of an earlier sitemap is there, which the sitemap index does not name",
        "remove it",
    ),
)
