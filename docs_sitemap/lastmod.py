"""Which date each page gets, from which of its sources, and why."""

from __future__ import annotations

from collections.abc import Sequence

from docs_sitemap.git import Answer, Unknown, newest_commits
from docs_sitemap.model import Lastmod, LastmodState, Page, Problem, ProblemKind


def find_lastmods(pages: Sequence[Page]) -> tuple[list[Lastmod], list[Problem]]:
    """Return the date of each page, in order, and what to warn about.

    The date of a page is the date of its newest source, where the date of a file is that of
    the newest commit that changed it. If one source has no date, the page has none.
    """
    answer = newest_commits(dict.fromkeys(source for page in pages for source in page.sources))
    lastmods = [_newest(page, answer) for page in pages]
    return lastmods, [
        Problem(ProblemKind.GIT, message) for message in [*answer.errors, *_doubts(lastmods)]
    ]


def _newest(page: Page, answer: Answer) -> Lastmod:
    newest: Lastmod | None = None
    for source in page.sources:
        commit = answer.commits[source]
        if isinstance(commit, Unknown):
            return Lastmod(LastmodState(commit.value), source=source)
        if newest is None or newest.value is None or commit.date > newest.value:
            newest = Lastmod(LastmodState.COMMIT, commit.date, commit.name, source)
    return newest or Lastmod(LastmodState.GENERATED)


def _doubts(lastmods: list[Lastmod]) -> list[str]:
    states = [lastmod.state for lastmod in lastmods]
    messages = []
    if shallow := states.count(LastmodState.SHALLOW):
        messages.append(
            f"{shallow} of {len(states)} pages get no lastmod, for this git clone is shallow; "
            "fetch the whole history before the build (git fetch --unshallow)"
        )
    # Pages from elsewhere, which some plugins add, are no reason to warn where others have dates.
    if {*states} - {LastmodState.GENERATED} == {LastmodState.NO_REPOSITORY}:
        messages.append(
            "no page gets a lastmod, for the sources lie in no git repository; build from a "
            "clone, or switch the dates off"
        )
    return messages
