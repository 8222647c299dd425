"""Let a function of the user change or exclude entries."""

import io
from collections.abc import Sequence
from dataclasses import replace

from docs_sitemap.diagnostics import BuildCode, DateStatus, Diagnostics, ExclusionReason
from docs_sitemap.entry import Entry, Lastmod
from docs_sitemap.site import Site
from docs_sitemap.sitemap.protocol import Url
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl
from docs_sitemap.sitemap.writer import Renderer
from docs_sitemap.tools.printing import describe_error, shorten


def call_hook(entries: Sequence[Entry], site: Site) -> None:
    """Let the function of the user change or exclude entries. If it fails or returns an
    invalid entry, the entry stays unchanged.
    """
    if site.edit_url is None:
        return
    for entry in entries:
        try:
            edited = site.edit_url(entry.page, entry.url)
            if edited is None:
                entry.hook_excludes = True
                continue
            if edited != entry.url:
                _check(edited, site.base_url)
        except Exception as error:  # The function may raise any exception.
            entry.hook_fault = describe_error(error)
            continue
        if edited.lastmod != entry.url.lastmod:
            entry.lastmod = Lastmod(DateStatus.HOOK)
        entry.url = edited


def apply_edits(listed: Sequence[Entry], diagnostics: Diagnostics) -> None:
    """Move and exclude listed entries as the function of the user wants. If it failed,
    or an entry would have the URL of another page, there is a warning, and the entry
    keeps its URL.
    """
    locs = {entry.loc for entry in listed}
    for entry in listed:
        loc = entry.url.loc
        if entry.hook_excludes:
            entry.exclude(ExclusionReason.HOOK)
        elif entry.hook_fault:
            _report(entry, entry.hook_fault, diagnostics)
        elif loc != entry.loc and loc in locs:
            _report(entry, f"another page has the URL {shorten(loc)}", diagnostics)
            entry.url = replace(entry.url, loc=entry.loc)
        else:
            locs.add(loc)
            entry.loc = loc


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
    from docs_sitemap.sitemap.validation import check_sitemap  # Few sites have a hook.

    sitemap = io.BytesIO(Renderer().sitemap([url]))
    for violation in check_sitemap(sitemap, "sitemap.xml", NormalizedUrl(base_url)):
        raise ValueError(violation.message)
