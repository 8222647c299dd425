"""Let a function of the user change or exclude entries."""

import io
from collections.abc import Sequence

from docs_sitemap.diagnostics import BuildCode, DateStatus, Diagnostics, ExclusionReason
from docs_sitemap.entry import Entry, Lastmod
from docs_sitemap.site import Site
from docs_sitemap.sitemap.protocol import Url
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl
from docs_sitemap.sitemap.validation import check_sitemap
from docs_sitemap.sitemap.writer import Renderer
from docs_sitemap.tools.printing import describe_error, shorten


def call_hook(entries: Sequence[Entry], site: Site) -> None:
    """Let the function of the user change or exclude entries. If it fails or returns an
    invalid entry, the entry stays unchanged.
    """
    for entry in entries:
        entry.edited = entry.url  # Pages show its date, with or without a function.
        if site.edit_url is None:
            continue
        try:
            edited = site.edit_url(entry.page, entry.url)
            if edited is not None and edited != entry.url:
                _check(edited, site.base_url)
            entry.edited = edited
        except Exception as error:  # The function may raise any exception.
            entry.hook_fault = describe_error(error)


def apply_edits(listed: Sequence[Entry], diagnostics: Diagnostics) -> None:
    """Change and exclude listed entries as the function of the user wants. If it
    failed, or an entry would have the URL of another page, there is a warning, and the
    entry stays unchanged.
    """
    locs = {entry.loc for entry in listed}
    for entry in listed:
        if entry.hook_fault:
            _report(entry, entry.hook_fault, diagnostics)
            continue
        edited = entry.edited
        if edited is None:
            entry.exclude(ExclusionReason.HOOK)
            continue
        if edited.loc != entry.loc and edited.loc in locs:
            reason = f"another page has the URL {shorten(edited.loc)}"
            _report(entry, reason, diagnostics)
            continue
        locs.add(edited.loc)
        if edited.lastmod != entry.url.lastmod:
            entry.lastmod = Lastmod(DateStatus.HOOK)
        entry.loc = edited.loc
        entry.url = edited


def _report(entry: Entry, reason: str, diagnostics: Diagnostics) -> None:
    message = (
        f"{entry.page.name}: the hook for entries has no effect: {reason}. Fix: "
        "correct the hook."
    )
    diagnostics.warn(BuildCode.HOOK, message)


def _check(url: object, base_url: BaseUrl) -> None:
    """Check an entry against the protocol, as `docs-sitemap check` does.

    Raises:
        ValueError: It is invalid. The message is the reason.
    """
    if not isinstance(url, Url):
        raise ValueError(f"it returned {shorten(url)} instead of a Url or None")
    sitemap = io.BytesIO(Renderer().sitemap([url]))
    for violation in check_sitemap(sitemap, "sitemap.xml", NormalizedUrl(base_url)):
        raise ValueError(violation.message)
