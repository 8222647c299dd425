"""The rules about the pages that sitemaps list, in a folder or on a server."""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from docs_sitemap.built.generated_pages import is_error_page
from docs_sitemap.built.verdict import (
    Head,
    Verdict,
    find_shared_canonical,
    judge,
)
from docs_sitemap.diagnostics import Diagnostic, ExclusionReason
from docs_sitemap.sitemap.rules import Rule, error, notice, warning
from docs_sitemap.sitemap.urls import (
    INDEX_FILE,
    NormalizedUrl,
    is_index,
    resolve,
    strip_index,
)
from docs_sitemap.sitemap.validation import LOC_ENCODED_TWICE, CheckedEntry, Link
from docs_sitemap.tools.printing import count, shorten
from docs_sitemap_cli.published.page import BuiltPage
from docs_sitemap_cli.published.sitemaps import read_alternates
from docs_sitemap_cli.version_names import is_version_name

from .dates import check_shown_date
from .robots import RobotsTxt, check_disallowed

NOT_FOUND = error(
    "not-found",
    "the site has no file for a <loc>",
    "write the file or remove the entry; if no URL opens a file, correct the base URL; "
    "ignore this for a home page that a server renders",
)

NO_ANSWER = error(
    "no-answer",
    "the server does not answer the request for a listed URL or reports an error",
    "check the spelling of the URL, the server, and its certificate, then try again",
)

REDIRECT = error(
    "redirect",
    "the listed page redirects to another URL",
    "list the target instead; if it does not exist, correct the redirect",
)

_ENCODED_TWICE = re.compile(r"%25[0-9A-Fa-f]{2}")


class PageError(Exception):
    """A listed URL opens no page. The message is the reason, in one line.

    Attributes:
        rule: The rule that the entry breaks.
    """

    def __init__(self, rule: Rule, message: str) -> None:
        self.rule = rule
        super().__init__(message)


class OpenedPage(NamedTuple):
    """What a listed URL opens.

    Attributes:
        name: Its name in messages: the path of the file, or the one of the URL.
        page: The page.
        head: What the page and the server declare.
        document: The path of its document; `None` if it is unknown.
    """

    name: str
    page: BuiltPage
    head: Head
    document: str | None = None


ALTERNATE_NOT_FOUND = error(
    "alternate-not-found",
    "the site has no file for an <xhtml:link>",
    "build the translation or remove the link",
)

SLASH_MISSING = notice(
    "slash-missing",
    "GitHub Pages, Netlify, and other hosts redirect the URL of a folder without a "
    "slash at its end",
    "list the URL with the slash; ignore this if your host does not redirect it",
)

INDEX_LISTED = notice(
    "index-listed",
    "the URL of a folder ends in index.html, and servers also send the page without it",
    "list the URL of the folder or add a canonical link to the page",
)

NOINDEX = error(
    "noindex",
    "the listed page declares noindex",
    "remove the entry, the meta element, or the header",
)

ERROR_PAGE = warning(
    "error-page",
    "an error page is listed",
    "remove the entry",
)

APP_SHELL = warning(
    "app-shell",
    "a listed page is empty until scripts fill it: it is the fallback of an "
    "application or one of several equal pages",
    "remove the entry or render the page on the server",
)

CANONICAL = error(
    "canonical",
    "the listed page has another canonical URL",
    "list the canonical page",
)

CANONICAL_NOT_FOUND = warning(
    "canonical-not-found",
    "the canonical URL of the listed page does not exist, so search engines ignore it",
    "correct the canonical link; ignore this for pages that newer versions removed",
)

CANONICAL_VERSION = warning(
    "canonical-version",
    "the canonical URLs of the listed pages are those of another version",
    "list only the canonical version in search engines: see docs-sitemap index",
)

CANONICAL_FORM = warning(
    "canonical-form",
    "the canonical URL has another form",
    "list the canonical URL",
)


CANONICAL_SHARED = warning(
    "canonical-shared",
    "most pages have the same canonical URL, so search engines show only that one",
    "correct the template with this link so that each page has its own URL or none; "
    "ignore this if that page contains all others",
)


class PageChecker(ABC):
    """Compares entries with the pages that their URLs open, in a folder or on a server.

    Attributes:
        base: Where the site is published.
        scope: The start of the URLs that are checked.
        robots: The robots.txt of the site; an empty one if crawlers read none.
        is_complete: Whether all entries have URLs of the site, so that it is known
            which pages are listed.
    """

    def __init__(self, base: NormalizedUrl, scope: str, robots: RobotsTxt) -> None:
        self.base = base
        self.scope = scope
        self.robots = robots
        self.is_complete = True
        self._versions: set[str] = set()
        self._canonicals: Counter[NormalizedUrl] = Counter()
        self._shown = 0

    @abstractmethod
    def page_at(self, url: NormalizedUrl) -> str | None:
        """Return the name of the page that a URL of the site opens; `None` if it opens
        none, or is not below the base URL.
        """

    @abstractmethod
    def open_page(self, url: NormalizedUrl, loc: str) -> OpenedPage | None:
        """Return what a listed URL opens; `None` if it is not checked.

        Args:
            url: The URL.
            loc: The text of `<loc>`.

        Raises:
            PageError: It opens no page.
        """

    @abstractmethod
    def is_shell(self, name: str) -> bool:
        """Return whether a page is empty before its scripts run, and is a fallback by
        its name, or equal to others.
        """

    def accept(self, entry: CheckedEntry) -> bool:
        """Return whether an entry has a URL of the site. If it has, check whether
        crawlers may read it.
        """
        if entry.url is None or not entry.url.startswith(self.scope):
            self.is_complete = False
            return False
        check_disallowed(self.robots, entry)
        return True

    def check_listed(self, entry: CheckedEntry) -> None:
        """Check an entry, unless it has no URL of the site."""
        if self.accept(entry):
            self.check(entry)

    def check(self, entry: CheckedEntry) -> None:
        """Check whether the URL of an entry opens a page, whether search engines show
        this page, the slash of the URL, and the date.
        """
        url = entry.url or NormalizedUrl(entry.loc)
        try:
            opened = self.open_page(url, entry.loc)
        except PageError as fault:
            entry.diagnose(fault.rule, str(fault))
            if fault.rule is NOT_FOUND:
                check_double_encoding(entry)
            return
        if opened is None:
            return
        self._check_head(entry, url, opened)
        self._check_form(entry, url, opened)
        check_shown_date(entry, opened.page, opened.name, opened.document)

    def judge(
        self,
        head: Head,
        url: NormalizedUrl,
        name: str,
        ignored: Collection[ExclusionReason] = (),
    ) -> Verdict | None:
        """Return why search engines do not show a page under a URL; `None` if they may
        show it.
        """

        def opens_page(target: NormalizedUrl) -> bool:
            return self.page_at(target) == name

        verdict = judge(head, url, ignored=ignored, opens_page=opens_page)
        if verdict is None:
            self._shown += 1
        elif verdict.reason is ExclusionReason.CANONICAL:
            self.add_canonical(verdict.detail)
        return verdict

    def add_canonical(self, url: str) -> None:
        """Add a page that declares the canonical URL of another page."""
        self._canonicals[NormalizedUrl(url).page] += 1

    def check_shared_canonical(self, file: str) -> Iterator[Diagnostic]:
        """Check whether most pages of the site declare one canonical URL.

        Args:
            file: The first sitemap, as the user would write it.
        """
        url = find_shared_canonical(self._canonicals, self._shown)
        if url is not None:
            pages = count(self._canonicals.total() + self._shown, "page")
            message = f"{self._canonicals[url]:,} of {pages} declare this canonical URL"
            yield CANONICAL_SHARED.diagnostic(message, file, url=url)

    def check_unlisted_alternate(self, link: Link) -> None:
        """Check whether there is a file for an alternate that no sitemap lists."""
        target = link.target
        if target.startswith(self.base) and self.page_at(target) is None:
            message = f"there is no file for {shorten(target)}"
            link.diagnose(ALTERNATE_NOT_FOUND, message)

    def _check_form(
        self, entry: CheckedEntry, url: NormalizedUrl, opened: OpenedPage
    ) -> None:
        """Check the end of a URL that opens the page of a folder. Generators write all
        URLs in the same form.
        """
        path = url.partition("?")[0]
        folder = f"{path}/"
        if is_index(path) and not opened.head.canonicals:
            message = f"servers send the same page for {shorten(strip_index(path))}"
            entry.diagnose(INDEX_LISTED, message, cause=INDEX_FILE)
        elif path[-1] != "/" and self.page_at(NormalizedUrl(folder)) == opened.name:
            message = f"its file is {shorten(opened.name)}"
            entry.diagnose(SLASH_MISSING, message, cause="/")

    def _check_head(
        self, entry: CheckedEntry, url: NormalizedUrl, opened: OpenedPage
    ) -> None:
        """Check whether search engines show the page that an entry opens."""
        name = opened.name
        ignored = {ExclusionReason.COVERAGE_REPORT}
        reason, detail = self.judge(opened.head, url, name, ignored) or (None, "")
        if reason is ExclusionReason.REDIRECT:
            target = self.describe_target(url, detail)
            entry.diagnose(REDIRECT, f"{shorten(name)} redirects to {target}")
        elif reason is ExclusionReason.NOINDEX:
            message = f"{shorten(name)} declares {shorten(detail)}"
            entry.diagnose(NOINDEX, message)
        elif is_error_page(name):
            entry.diagnose(ERROR_PAGE, f"{shorten(name)} is an error page")
        elif self.is_shell(name):
            message = f"{shorten(name)} has no text until scripts fill it"
            entry.diagnose(APP_SHELL, message)
        elif reason is ExclusionReason.CANONICAL:
            self._check_canonical(entry, url, name, detail)
        else:
            canonical = opened.head.canonical_target(url) or url
            if NormalizedUrl(canonical) != url:
                message = _describe_canonical(name, canonical)
                entry.diagnose(CANONICAL_FORM, message)

    def describe_target(self, url: NormalizedUrl, target: str) -> str:
        """Return where a page redirects, and whether the site has no such page."""
        page = NormalizedUrl(resolve(url, target) or target)
        if page.startswith(self.base) and self.page_at(page) is None:
            return f"{shorten(target)}, which does not exist"
        return shorten(target)

    def _check_canonical(
        self, entry: CheckedEntry, url: NormalizedUrl, name: str, canonical: str
    ) -> None:
        version = self._other_version(canonical, url)
        if version is None:
            rule = CANONICAL
            target = NormalizedUrl(canonical)
            if target.startswith(self.base) and self.page_at(target) is None:
                rule = CANONICAL_NOT_FOUND
            entry.diagnose(rule, _describe_canonical(name, canonical))
        elif version not in self._versions:
            # Say once that the pages name another version: their sitemap is useful,
            # for example for a version selector.
            self._versions.add(version)
            message = (
                "its canonical URL, like those of other pages, is below "
                f"{shorten(version)}"
            )
            entry.diagnose(CANONICAL_VERSION, message)

    def _other_version(self, canonical: str, url: NormalizedUrl) -> str | None:
        """Return the URL of another version of the site if a canonical link names the
        same page of that version.
        """
        start = f"{self.base[:-1].rpartition('/')[0]}/"
        end = f"/{url.removeprefix(self.base)}"
        page = NormalizedUrl(canonical)
        if not page.startswith(start) or not page.endswith(end):
            return None
        name = page[len(start) : -len(end)]
        version = f"{start}{name}/"
        if version == self.base or not is_version_name(name):
            return None
        return version


def _describe_canonical(name: str, canonical: str) -> str:
    return f"{shorten(name)} declares the canonical URL {shorten(canonical)}"


def check_double_encoding(entry: CheckedEntry) -> None:
    """Check the URLs of an entry, unless it is known that they open a page: the name of
    a file may contain `%20` itself.
    """
    urls = [entry.loc]
    if entry.entry.links:
        urls += [alternate.href for alternate in read_alternates(entry.entry)]
    for url in urls:
        if "%25" not in url:
            continue
        # In a query, a URL may be encoded as often as it is nested.
        match = _ENCODED_TWICE.search(url.partition("?")[0])
        if match is not None:
            message = f"{shorten(url)} contains {shorten(match[0])}"
            entry.diagnose(LOC_ENCODED_TWICE, message)
            return
