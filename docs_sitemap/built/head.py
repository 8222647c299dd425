"""What the head of a built page declares."""

from urllib.parse import urljoin

import msgspec

from docs_sitemap.sitemap.urls import NormalizedUrl


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
        try:
            return urljoin(urljoin(url, self.base or ""), href)
        except ValueError:  # not a URL: browsers ignore it, too
            return None
