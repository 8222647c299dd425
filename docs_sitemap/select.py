"""Select the pages to list, and find the reason for each excluded page."""

import os
from collections.abc import Collection, Iterator, Sequence

from docs_sitemap.diagnostics import BuildCode, Diagnostic
from docs_sitemap.entry import FIRM_REASONS, Entry, ExclusionReason
from docs_sitemap.errors import UrlError
from docs_sitemap.html import Head, read_page
from docs_sitemap.record.digest import digest_content
from docs_sitemap.site import Site
from docs_sitemap.sitemap.protocol import Url
from docs_sitemap.sitemap.urls import make_loc, same_page, same_url


def select_pages(entries: Sequence[Entry], site: Site, diagnostics: list[Diagnostic]) -> None:
    """Set the URL of each page, or the reason why it is excluded. Of pages with the same URL, the
    last is listed, unless only an earlier one is requested. Invalid URLs, unreadable pages, and
    duplicates are reported.
    """
    by_loc: dict[str, Entry] = {}
    for entry in entries:
        ignored = {*site.options.ignore_reasons}
        if entry.is_requested:
            ignored |= {*ExclusionReason} - FIRM_REASONS
        reasons = _reasons(entry, site, diagnostics)
        exclusion = next((one for one in reasons if one[0] not in ignored), None)
        if exclusion is not None:
            entry.exclude(*exclusion)
            continue
        first = by_loc.get(entry.loc)
        if first is not None and first.is_requested and not entry.is_requested:
            entry.exclude(ExclusionReason.DUPLICATE_URL, first.page.name)
            continue
        if first is not None:
            first.exclude(ExclusionReason.DUPLICATE_URL, entry.page.name)
            diagnostics.append(_duplicate(first, entry))
        by_loc[entry.loc] = entry


def _reasons(
    entry: Entry, site: Site, diagnostics: list[Diagnostic]
) -> Iterator[tuple[ExclusionReason, str]]:
    """Yield the reasons to exclude a page, and set what its URL and HTML file contain."""
    page, options = entry.page, site.options
    if entry.settings.exclude:
        yield ExclusionReason.FRONT_MATTER, ""
    if page.generator_page:
        yield ExclusionReason.GENERATOR_PAGE, ""
    if entry.excluded_by is not None:
        yield ExclusionReason.EXCLUDE_PATTERN, entry.excluded_by
    if page.output is not None and not os.path.isfile(page.output):
        yield ExclusionReason.NOT_WRITTEN, page.output
    try:
        entry.url = Url(make_loc(site.base_url, page.url))
    except UrlError as error:
        message = f"{page.name} is excluded: {error}. Fix: rename the page."
        diagnostics.append(Diagnostic(BuildCode.URL, message, page=page.name))
        yield ExclusionReason.INVALID_URL, str(error)
    if not page.is_translated and options.min_translated is None:
        yield ExclusionReason.UNTRANSLATED, ""
    if page.output is None:
        return
    has_record = options.lastmod and options.lastmod_record is not None
    if page.head is not None and not has_record:
        yield from head_reasons(page.head, entry.loc, page.canonicals)
        return
    try:
        html = read_page(page.output, only_head=not has_record)
    except FileNotFoundError:  # the reason `not-written` is ignored
        return
    except OSError as error:
        message = (
            f"{page.name} is listed, although its HTML file cannot be read: {error}. Fix: correct "
            "the permissions of the file."
        )
        diagnostics.append(Diagnostic(BuildCode.PAGE, message, page=page.name))
        return
    yield from head_reasons(html.head, entry.loc, page.canonicals)
    if has_record:
        entry.content = digest_content(html, options.lastmod_record_selector, site.base_url)


def head_reasons(
    head: Head, loc: str, canonicals: Collection[str] = ()
) -> Iterator[tuple[ExclusionReason, str]]:
    """Yield the reasons to exclude a page that its head declares, each with a detail.

    Args:
        head: The head of the page.
        loc: The absolute URL of the page.
        canonicals: The canonical links that the generator itself may write. They are ignored,
            because an incorrect one is not a decision of the page's author.
    """
    redirect = head.redirect_target(loc)
    if redirect is not None:
        yield ExclusionReason.REDIRECT, redirect
    if head.noindex is not None:
        yield ExclusionReason.NOINDEX, head.noindex
    canonical = head.canonical_target(loc)
    if (
        canonical is not None
        and not same_page(canonical, loc)
        and not any(same_url(canonical, other) for other in canonicals)
    ):
        yield ExclusionReason.CANONICAL, canonical
    if head.coverage_script is not None:
        yield ExclusionReason.COVERAGE_REPORT, head.coverage_script


def _duplicate(first: Entry, second: Entry) -> Diagnostic:
    return Diagnostic(
        BuildCode.DUPLICATE,
        f"{second.page.name} and {first.page.name} have the same URL, {second.loc}: "
        f"{second.page.name} is listed. Fix: rename one of them, or change the title or slug that "
        "its URL is made from.",
        page=second.page.name,
    )
