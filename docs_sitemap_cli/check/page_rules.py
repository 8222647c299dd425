"""The rules about the pages that sitemaps list, in a folder or on a server."""

from collections.abc import Callable, Collection

from docs_sitemap.built.generated_pages import is_error_page
from docs_sitemap.built.verdict import Head, Verdict, judge
from docs_sitemap.diagnostics import ExclusionReason
from docs_sitemap.sitemap.urls import NormalizedUrl
from docs_sitemap.sitemap.validation import CheckedEntry
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.version_names import is_version_name

from .site_rules import SiteRule


class PageRules:
    """Compares entries with the pages that their URLs open.

    Args:
        base: Where the site is published.
        find_page: Returns the name of the page that a URL of the site opens; `None` if
            it opens none, or is not below the base URL.
    """

    def __init__(
        self, base: NormalizedUrl, find_page: Callable[[NormalizedUrl], str | None]
    ) -> None:
        self._base = base
        self._find_page = find_page
        self._versions: set[str] = set()

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
            return self._find_page(target) == name

        return judge(head, url, ignored=ignored, opens_page=opens_page)

    def check_head(
        self, entry: CheckedEntry, url: NormalizedUrl, name: str, head: Head
    ) -> None:
        """Check whether search engines show the page that an entry opens."""
        ignored = {ExclusionReason.COVERAGE_REPORT}
        reason, detail = self.judge(head, url, name, ignored) or (None, "")
        if reason is ExclusionReason.REDIRECT:
            message = f"{shorten(name)} redirects to {shorten(detail)}"
            entry.diagnose(SiteRule.REDIRECT, message)
        elif reason is ExclusionReason.NOINDEX:
            message = f"{shorten(name)} declares {shorten(detail)}"
            entry.diagnose(SiteRule.NOINDEX, message)
        elif is_error_page(name):
            entry.diagnose(SiteRule.ERROR_PAGE, f"{shorten(name)} is an error page")
        elif reason is ExclusionReason.CANONICAL:
            self._check_canonical(entry, url, name, detail)
        else:
            canonical = head.canonical_target(url) or url
            if NormalizedUrl(canonical) != url:
                message = _describe_canonical(name, canonical)
                entry.diagnose(SiteRule.CANONICAL_FORM, message)

    def _check_canonical(
        self, entry: CheckedEntry, url: NormalizedUrl, name: str, canonical: str
    ) -> None:
        version = self._other_version(canonical, url)
        if version is None:
            rule = SiteRule.CANONICAL
            target = NormalizedUrl(canonical)
            if target.startswith(self._base) and self._find_page(target) is None:
                rule = SiteRule.CANONICAL_NOT_FOUND
            entry.diagnose(rule, _describe_canonical(name, canonical))
        elif version not in self._versions:
            # Say once that the pages name another version: their sitemap is useful,
            # for example for a version selector.
            self._versions.add(version)
            message = (
                "its canonical URL, like those of other pages, is below "
                f"{shorten(version)}"
            )
            entry.diagnose(SiteRule.CANONICAL_VERSION, message)

    def _other_version(self, canonical: str, url: NormalizedUrl) -> str | None:
        """Return the URL of another version of the site if a canonical link names the
        same page of that version.
        """
        start = f"{self._base[:-1].rpartition('/')[0]}/"
        end = f"/{url.removeprefix(self._base)}"
        page = NormalizedUrl(canonical)
        if not page.startswith(start) or not page.endswith(end):
            return None
        name = page[len(start) : -len(end)]
        version = f"{start}{name}/"
        if version == self._base or not is_version_name(name):
            return None
        return version


def _describe_canonical(name: str, canonical: str) -> str:
    return f"{shorten(name)} declares the canonical URL {shorten(canonical)}"
