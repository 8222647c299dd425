"""What the head of a built page declares, and whether search engines may show it."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

import msgspec

from docs_sitemap.diagnostics import ExclusionReason
from docs_sitemap.sitemap.urls import NormalizedUrl, resolve


class Head(msgspec.Struct, frozen=True):
    """What the head of a page declares.

    Attributes:
        language: The language of `<html>`, as written; empty if there is none.
        title: The text of `<title>`, with white space collapsed.
        noindex: The first robots meta element that excludes the page from search
            indexes, because of `noindex` or `none`, as `name: content`; `None` if there
            is none.
        refresh: The target of `<meta http-equiv="refresh">`, as written; `None` if
            there is none.
        canonicals: The targets of all `<link rel="canonical">`, as written.
        base: The target of `<base>`, to which the others are relative.
        coverage_script: The script that makes the page a part of a report of
            coverage.py; `None` if it loads no such script.
        generator: The generator that wrote the page, as written; empty if the page
            names none.
    """

    language: str = ""
    title: str = ""
    noindex: str | None = None
    refresh: str | None = None
    canonicals: tuple[str, ...] = ()
    base: str | None = None
    coverage_script: str | None = None
    generator: str = ""

    def redirect_target(self, url: str) -> str | None:
        """Return the URL to which the page at `url` redirects; `None` if it does not,
        or only reloads itself.
        """
        if self.refresh is None:
            return None
        target = self._resolve(url, self.refresh)
        if target is None or NormalizedUrl(target).page == NormalizedUrl(url).page:
            return None
        return target

    def canonical_target(self, url: str) -> str | None:
        """Return the canonical URL that the page at `url` declares; `None` if it
        declares none. Canonical links that contradict each other are ignored, as search
        engines do.

        Source:
        <https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls>.
        """
        targets = [self._resolve(url, href) for href in self.canonicals]
        if not targets or targets[0] is None:
            return None
        for target in targets[1:]:
            if target is None or NormalizedUrl(targets[0]) != NormalizedUrl(target):
                return None
        return targets[0]

    def _resolve(self, url: str, href: str) -> str | None:
        if href == url:  # nearly always
            return url
        base = resolve(url, self.base or "")
        return None if base is None else resolve(base, href)


class Verdict(NamedTuple):
    """Why search engines do not show a page under its URL.

    Attributes:
        reason: The reason.
        detail: What the head declares: the URL of the other page, the robots meta
            element, or the script.
    """

    reason: ExclusionReason
    detail: str


def judge(
    head: Head,
    url: str,
    *,
    ignored: Collection[ExclusionReason] = (),
    known_canonicals: Collection[str] = (),
    opens_page: Callable[[NormalizedUrl], bool] | None = None,
) -> Verdict | None:
    """Return the first reason for which search engines do not show a page; `None` if
    they may show it.

    Args:
        head: The head of the page.
        url: The absolute URL of the page.
        ignored: The reasons to ignore.
        known_canonicals: The canonical links that the generator itself may write. They
            are ignored, because an incorrect one is not a decision of the page's
            author.
        opens_page: Returns whether another absolute URL opens the same page. A redirect
            or a canonical link to it is no reason. By default, only URLs that differ in
            an index file open the same page.
    """
    for verdict in _verdicts(head, url, known_canonicals, opens_page):
        if verdict.reason not in ignored:
            return verdict
    return None


def _verdicts(
    head: Head,
    url: str,
    known_canonicals: Collection[str],
    opens_page: Callable[[NormalizedUrl], bool] | None,
) -> Iterator[Verdict]:
    """Yield everything in a head that rules out the page, the most important first."""
    redirect = head.redirect_target(url)
    if redirect is not None:
        if opens_page is None or not opens_page(NormalizedUrl(redirect)):
            yield Verdict(ExclusionReason.REDIRECT, redirect)
    if head.noindex is not None:
        yield Verdict(ExclusionReason.NOINDEX, head.noindex)
    canonical = head.canonical_target(url)
    # Most canonical links are the URL itself.
    if canonical is not None and canonical != url:
        target = NormalizedUrl(canonical)
        is_same = target.page == NormalizedUrl(url).page
        is_known = target in map(NormalizedUrl, known_canonicals)
        if not is_same and not is_known:
            if opens_page is None or not opens_page(target):
                yield Verdict(ExclusionReason.CANONICAL, canonical)
    if head.coverage_script is not None:
        yield Verdict(ExclusionReason.COVERAGE_REPORT, head.coverage_script)


def find_shared_canonical(
    targets: Counter[NormalizedUrl], shown: int
) -> NormalizedUrl | None:
    """Return the canonical URL of more pages than all others together: a layout writes
    the link of one page into all. Old versions, translations, and print versions name
    many pages, and the pages of a list are fewer than what they list.

    Args:
        targets: The numbers of pages that declare the canonical URLs of other pages.
        shown: The number of pages that search engines may show.
    """
    for url, number in targets.most_common(1):
        if number > 1 and number > shown + targets.total() - number:
            return url
    return None
