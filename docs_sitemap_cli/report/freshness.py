"""The verdict on a site: how many of its pages are fresh, and what the others need."""

from collections.abc import Sequence

import msgspec

from docs_sitemap.tools.printing import count

from .outdated import OutdatedText
from .pages import MAX_AGE, ReportedPage, format_age, is_old

_IS_BEHIND = "describes code that changed after its text"
_ARE_BEHIND = "describe code that changed after their text"


class Freshness(msgspec.Struct, frozen=True):
    """How many of the listed pages are fresh: they are not old, and their text is not
    older than what they document.

    Attributes:
        pages: The number of listed pages.
        fresh: The number of fresh pages.
        old: The number of old pages.
        outdated: The number of pages whose text is older than what they document.
        undated: The number of pages without a date.
        percent: The percentage of fresh pages among those with a date, rounded down.
        max_age: The age in days from which pages are old: two years, or the value of
            `--older-than`.
        min_percent: The value of `--min-fresh`; `None` without this option.
    """

    pages: int
    fresh: int
    old: int
    outdated: int
    undated: int
    percent: int
    max_age: int
    min_percent: float | None

    @property
    def is_too_low(self) -> bool:
        """Whether fewer pages are fresh than the user wants."""
        if self.min_percent is None:
            return False
        dated = max(1, self.pages - self.undated)
        return 100 * self.fresh < self.min_percent * dated

    def find_problems(self) -> list[tuple[str, str]]:
        """Return the parts of the verdict: the section of the report that lists the
        pages, and what is wrong with how many.
        """
        unchanged = f"not changed for {format_age(self.max_age)}"
        groups = (
            ("all", self.old, f"has {unchanged}", f"have {unchanged}"),
            ("outdated", self.outdated, _IS_BEHIND, _ARE_BEHIND),
            ("undated", self.undated, "has no date", "have no date"),
        )
        problems = []
        of_all = f" of {count(self.pages, 'page')}"
        for section, number, singular, plural in groups:
            if number:
                text = singular if number == 1 else plural
                problems.append((section, f"{number:,}{of_all} {text}"))
                of_all = ""
        return problems

    @property
    def verdict(self) -> str:
        """One sentence that says what to do."""
        phrases = [text for _, text in self.find_problems()]
        if phrases:
            return ", ".join(phrases)
        if not self.pages:
            return "No pages are listed"
        return f"All pages changed within {format_age(self.max_age)}"


def judge_pages(
    pages: Sequence[ReportedPage],
    outdated: Sequence[OutdatedText],
    older_than: int | None,
    min_percent: float | None,
) -> Freshness:
    """Return how many pages are fresh.

    Args:
        pages: All listed pages.
        outdated: Those whose text is older than what they document.
        older_than: The value of `--older-than` in days.
        min_percent: The value of `--min-fresh`.
    """
    undated = {page.page.url for page in pages if page.age is None}
    old = {page.page.url for page in pages if is_old(page, older_than)}
    behind = {text.page.page.url for text in outdated}
    fresh = len(pages) - len(undated | old | behind)
    return Freshness(
        pages=len(pages),
        fresh=fresh,
        old=len(old),
        outdated=len(behind),
        undated=len(undated),
        percent=100 * fresh // max(1, len(pages) - len(undated)),
        max_age=MAX_AGE if older_than is None else older_than,
        min_percent=min_percent,
    )
