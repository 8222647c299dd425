"""The values that flow from an adapter to the sitemap, and the protocol's limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path

# https://www.sitemaps.org/protocol.html#xmlTagDefinitions
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"

# https://www.sitemaps.org/protocol.html#index: the limits of one file, before compression.
# They hold for a sitemap (in URLs) and for a sitemap index (in sitemaps) alike.
MAX_ENTRIES = 50_000
MAX_BYTES = 52_428_800

# https://www.sitemaps.org/protocol.html#xmlTagDefinitions: "must be less than 2,048 characters".
MAX_LOC_LENGTH = 2_047


class ChangeFreq(StrEnum):
    """How often a page is likely to change.

    Source: <https://www.sitemaps.org/protocol.html#changefreqdef>.
    """

    ALWAYS = "always"
    HOURLY = "hourly"
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    YEARLY = "yearly"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What a site generator knows of one page that it built.

    Attributes:
        url: the page's URL relative to the base URL, percent-encoded (see
            [`quote_path`][docs_sitemap.quote_path]); `""` is the home page.
            Characters that a URL cannot hold are encoded; what is encoded stays as it is.
        name: what messages and patterns call the page: its source file's path relative to
            the sources, or any other name that its author knows.
        output: the absolute path of the file that was written; a page whose file does not
            exist, or says in its head that it should not be found, is not listed. `None`: not
            checked.
        sources: the absolute paths of the files that the page was made from, its own source
            first. None at all: the page was generated.
        sources_known: whether these are all; a page of which that is not known has no date.
        optional: those of the sources that do not count where git does not know them.
        overrides: what the page says of its own entry, as read, not yet checked: `False`
            keeps the page out, `True` in; a mapping may set `lastmod`, `changefreq`,
            `priority` and `exclude`.
        utility: whether this is a page of the tool's own (search, 404, an index) that no
            reader looks for: left out unless it is asked for.
        canonicals: the absolute URLs that the tool by itself may put into the canonical link of
            the page, right or wrong: such a link does not keep the page out.
        lang: the language of the page (BCP 47), if the site has the page in several.
        alternates: from language to the `url` of the page in that language.
    """

    url: str
    name: str
    output: str | None = None
    sources: tuple[str, ...] = ()
    sources_known: bool = True
    optional: frozenset[str] = frozenset()
    overrides: object = None
    utility: bool = False
    canonicals: frozenset[str] = frozenset()
    lang: str | None = None
    alternates: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Alternate:
    """The same page in another language: `<xhtml:link rel="alternate">`.

    Source: <https://developers.google.com/search/docs/specialty/international/localized-versions>.
    """

    hreflang: str
    href: str


@dataclass(frozen=True, slots=True)
class Url:
    """One `<url>` of the sitemap: what it says, as text that is ready to be escaped.

    Source: <https://www.sitemaps.org/protocol.html#xmlTagDefinitions>.
    """

    loc: str
    lastmod: str | None = None
    changefreq: str | None = None
    priority: str | None = None
    alternates: tuple[Alternate, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """What the pages that match a pattern get, unless they say otherwise themselves."""

    match: tuple[str, ...]
    changefreq: ChangeFreq | None = None
    priority: float | None = None


class LastmodDate(StrEnum):
    """Which date of a commit counts: when its text was written, or put where it is."""

    COMMITTER = "committer"
    AUTHOR = "author"


class LastmodFormat(StrEnum):
    """How much of a moment is written."""

    DATETIME = "datetime"
    DATE = "date"


class Shallow(StrEnum):
    """What to do about pages that a shallow clone is too short to date."""

    WARN = "warn"
    FETCH = "fetch"
    ERROR = "error"


class LastmodState(StrEnum):
    """Where the date of a page comes from or, for those without a date, why there is none."""

    COMMIT = "commit"
    PAGE = "page"
    OFF = "off"
    GENERATED = "generated"
    SOURCES = "not all sources are known"
    UNTRACKED = "untracked"
    IGNORED = "ignored by git"
    SHALLOW = "shallow"
    NO_REPOSITORY = "no repository"
    NO_VALID_DATE = "the commit has no valid date"
    NO_ANSWER = "no answer from git"

    @property
    def meaning(self) -> str:
        return _STATES[self]


_STATES = {
    LastmodState.COMMIT: "the newest commit to its files",
    LastmodState.PAGE: "the page says it itself",
    LastmodState.OFF: "the option lastmod is off",
    LastmodState.GENERATED: "the page has no source file",
    LastmodState.SOURCES: "nobody knows all that the page was made from",
    LastmodState.UNTRACKED: "one of its files is not committed yet",
    LastmodState.IGNORED: "one of its files is in a .gitignore",
    LastmodState.SHALLOW: "the clone does not go back far enough",
    LastmodState.NO_REPOSITORY: "its source lies in no repository",
    LastmodState.NO_VALID_DATE: "what stands there is no date",
    LastmodState.NO_ANSWER: "git is missing, fails, hangs or does not trust the repository",
}


class Fallback(StrEnum):
    """What stands in for a date that is not known, for those who ask for it."""

    BUILD = "build"
    MTIME = "mtime"


@dataclass(frozen=True, slots=True)
class Lastmod:
    """When a page was last modified, and how that is known.

    Attributes:
        state: where the date comes from, or why it is not known.
        value: the day, or the moment with its time zone; `None` if there is none.
        commit: the full name of the commit that decided, if one did.
        source: the absolute path of the file that decided, if one did.
        fallback: what `value` is instead, where the date is not known.
        authored: when the author made that commit, in UTC.
    """

    state: LastmodState
    value: date | datetime | None = None
    commit: str | None = None
    source: str | None = None
    fallback: Fallback | None = None
    authored: datetime | None = None

    def __str__(self) -> str:
        words: list[str] = [self.state]
        if self.commit is not None:
            words.append(self.commit)
        if self.source is not None:
            words.append(self.source)
        if self.fallback is not None:
            words.append(f"(instead: {self.fallback})")
        return f"{self.value or 'no date'}: {' '.join(words)}"


@dataclass(frozen=True, slots=True)
class Listed:
    """A page that is in the sitemap."""

    page: Page
    url: Url
    lastmod: Lastmod


class Reason(StrEnum):
    """Why a page is not in the sitemap. Of several reasons, the first counts."""

    PAGE = "page"
    UTILITY = "utility"
    PATTERN = "pattern"
    NOT_WRITTEN = "not-written"
    URL = "url"
    REDIRECT = "redirect"
    NOINDEX = "noindex"
    CANONICAL = "canonical"
    DUPLICATE = "duplicate"

    @property
    def meaning(self) -> str:
        return _MEANINGS[self]


# The protocol has no place for a page without a valid URL, and only one for each URL.
OVERRULABLE = tuple(reason for reason in Reason if reason not in (Reason.URL, Reason.DUPLICATE))

_MEANINGS = {
    Reason.PAGE: "the page asks to be left out",
    Reason.UTILITY: "it is a page of the tool's own",
    Reason.PATTERN: "a pattern of the option exclude matches it",
    Reason.NOT_WRITTEN: "the build did not write its file",
    Reason.URL: "it has no valid URL",
    Reason.REDIRECT: "it sends readers to another page",
    Reason.NOINDEX: "it tells search engines not to list it",
    Reason.CANONICAL: "its canonical link names another URL",
    Reason.DUPLICATE: "another page has the same URL",
}


@dataclass(frozen=True, slots=True)
class Excluded:
    """A page that is not in the sitemap, and why. `detail` is the pattern, the file, the fault,
    what the robots meta element says, where the redirect or canonical link goes, or the name of
    the other page.
    """

    page: Page
    reason: Reason
    detail: str = ""


class ProblemKind(StrEnum):
    """What a problem is about; Sphinx users name it in `suppress_warnings`."""

    BASE_URL = "base_url"
    CHECK = "check"
    CONFLICT = "conflict"
    DEPENDENCY = "dependency"
    DUPLICATE = "duplicate"
    EMPTY = "empty"
    GIT = "git"
    OPTION = "option"
    PAGE = "page"
    PATTERN = "pattern"
    TEMPLATE = "template"
    URL = "url"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something to warn about: one line that says what is wrong, where, and how to mend it."""

    kind: ProblemKind
    message: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", printable(self.message))


def printable(line: str) -> str:
    """Escape what file names may hold: line ends, and the codes that steer a terminal."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)


@dataclass(frozen=True, slots=True)
class Report:
    """What one run did: every page that it was given is in `listed` or in `excluded`.

    Attributes:
        listed: the pages in the sitemap, in its order.
        excluded: the pages that are not, each with its one reason, in order of name.
        files: the absolute paths of the files that make up the sitemap, `filename` first;
            empty if no sitemap could be written.
        problems: what to warn about, in order of importance.
    """

    listed: tuple[Listed, ...] = ()
    excluded: tuple[Excluded, ...] = ()
    files: tuple[Path, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def summary(self) -> str:
        """One line for the log: how many pages are listed, dated and left out."""
        if not self.files:
            return "no sitemap was written"
        undated = Counter(
            listed.lastmod.state
            for listed in self.listed
            if listed.lastmod.value is None and listed.lastmod.state is not LastmodState.OFF
        )
        reasons = ", ".join(f"{number} {state}" for state, number in undated.most_common())
        dated = sum(listed.lastmod.value is not None for listed in self.listed)
        instead = sum(listed.lastmod.fallback is not None for listed in self.listed)
        return (
            f"{self.files[0].name}: {_count(len(self.listed), 'URL')}, {dated} with lastmod"
            f"{f' ({instead} by lastmod_fallback)' if instead else ''}"
            f"{f' (without: {reasons})' if reasons else ''}, "
            f"{_count(len(self.excluded), 'page')} left out{self._reasons()}"
        )

    def _reasons(self) -> str:
        reasons = Counter(excluded.reason for excluded in self.excluded)
        if not reasons:
            return ""
        return f" ({', '.join(f'{number} {reason}' for reason, number in reasons.most_common())})"

    @property
    def details(self) -> Iterator[str]:
        """A line for each page, for the verbose log: its date and what it is that of, or why it
        is left out.
        """
        for listed in self.listed:
            yield printable(f"{listed.url.loc} ({listed.page.name}): {listed.lastmod}")
        for excluded in self.excluded:
            detail = f" ({excluded.detail})" if excluded.detail else ""
            yield printable(f"{excluded.page.name}: left out, {excluded.reason.meaning}{detail}")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
