"""Which pages are in the sitemap, and the reason for each that is not."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

from docs_sitemap.errors import UrlError
from docs_sitemap.head import Head, read_head
from docs_sitemap.loc import make_loc, same_page, same_url
from docs_sitemap.model import Excluded, Page, Problem, ProblemKind, Reason
from docs_sitemap.overrides import Overrides

# What counts for pages that are asked for, too: what the page itself says, whether there is a
# file, and that one URL names one page.
_ALWAYS = frozenset((Reason.PAGE, Reason.NOT_WRITTEN, Reason.URL, Reason.DUPLICATE))
# What the head of a page itself says.
HEAD_REASONS = frozenset((Reason.REDIRECT, Reason.NOINDEX, Reason.CANONICAL))


class Selection:
    """Decides for one page after the other.

    Args:
        base_url: what each page's `url` is relative to.
        overruled: the reasons that do not count on this site.

    Attributes:
        problems: pages that cannot be listed or read.
    """

    def __init__(self, base_url: str, overruled: Collection[Reason]) -> None:
        self._base_url = base_url
        self._overruled = frozenset(overruled)
        self.problems: list[Problem] = []

    def exclusion(
        self, page: Page, overrides: Overrides, wanted: bool, pattern: str | None
    ) -> Excluded | None:
        """Return why the page stays out, `None` if it is in.

        Args:
            page: the page.
            overrides: what it says of its own entry.
            wanted: whether it is asked for, whatever else speaks against it.
            pattern: the pattern of the option `exclude` that matches it.
        """
        overruled = self._overruled
        if wanted:
            overruled |= {*Reason} - _ALWAYS
        for reason, detail in self._reasons(page, overrides, pattern, overruled):
            if reason not in overruled:
                return Excluded(page, reason, detail)
        return None

    def _reasons(
        self,
        page: Page,
        overrides: Overrides,
        pattern: str | None,
        overruled: Collection[Reason],
    ) -> Iterator[tuple[Reason, str]]:
        if overrides.exclude:
            yield Reason.PAGE, ""
        if page.utility:
            yield Reason.UTILITY, ""
        if pattern is not None:
            yield Reason.PATTERN, pattern
        if page.output is not None and not os.path.isfile(page.output):
            yield Reason.NOT_WRITTEN, page.output
        try:
            loc = make_loc(self._base_url, page.url)
        except UrlError as error:
            message = f"{page.name}: {error}; the page is left out"
            self.problems.append(Problem(ProblemKind.URL, message))
            yield Reason.URL, str(error)
        else:
            if page.output is not None and not HEAD_REASONS.issubset(overruled):
                yield from self._head_reasons(page, page.output, loc)

    def _head_reasons(self, page: Page, output: str, loc: str) -> Iterator[tuple[Reason, str]]:
        try:
            head = read_head(output)
        except FileNotFoundError:  # listed all the same: that reason was overruled
            return
        except OSError as error:
            message = f"{page.name}: its page cannot be read ({error}); it is listed unread"
            self.problems.append(Problem(ProblemKind.PAGE, message))
            return
        yield from head_reasons(head, loc, page.canonicals)


def head_reasons(
    head: Head, loc: str, canonicals: Collection[str] = ()
) -> Iterator[tuple[Reason, str]]:
    """Yield what the head of a page says against listing it: reasons, each with its detail.

    Args:
        head: the head.
        loc: the absolute URL of the page.
        canonicals: the canonical links that the tool by itself may put there.
    """
    if (target := head.redirect(loc)) is not None:
        yield Reason.REDIRECT, target
    if head.noindex is not None:
        yield Reason.NOINDEX, head.noindex
    target = head.canonical(loc)
    # What the tool says of itself and gets wrong is not what the page says.
    own = target is None or any(same_url(target, canonical) for canonical in canonicals)
    if not own and not same_page(target or "", loc):
        yield Reason.CANONICAL, target or ""
