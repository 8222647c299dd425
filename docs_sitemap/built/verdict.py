"""Whether search engines may show a page, by what its head declares."""

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from docs_sitemap.diagnostics import ExclusionReason
from docs_sitemap.sitemap.urls import NormalizedUrl

from .head import Head


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
