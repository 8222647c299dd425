"""Pages to the sorted, unique URLs of a sitemap."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from docs_sitemap.dependencies import Dependencies
from docs_sitemap.errors import UrlError
from docs_sitemap.git import History
from docs_sitemap.lastmod import find_lastmods
from docs_sitemap.loc import make_loc
from docs_sitemap.model import (
    Alternate,
    Excluded,
    Lastmod,
    LastmodState,
    Listed,
    Page,
    Problem,
    ProblemKind,
    Reason,
    Report,
    Rule,
    Url,
)
from docs_sitemap.options import Options
from docs_sitemap.overrides import Overrides, read_overrides
from docs_sitemap.patterns import match_patterns
from docs_sitemap.select import Selection
from docs_sitemap.values import lastmod_text, priority_text

# BCP 47, as far as search engines read it: language, script, region.
_HREFLANG = re.compile(r"(?i:[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?|x-default)")


@dataclass(frozen=True, slots=True)
class _Candidate:
    page: Page
    overrides: Overrides
    rule: Rule
    wanted: bool


def make_urlset(
    pages: Iterable[Page],
    options: Options,
    base_url: str,
    out_dir: str | os.PathLike[str],
    root: str | os.PathLike[str],
    history: History,
) -> Report:
    """Select, date, sort and make unique: a report without files.

    Args:
        pages: those of the same URL in the order in which they were written.
        options: the options of the sitemap.
        base_url: what each page's `url` is relative to, in normal form.
        out_dir: the folder of the built site.
        root: the folder that the paths of dependencies are relative to.
        history: what finds the dates.

    Raises:
        ShallowError: the clone is too shallow, and the options make that an error.
    """
    candidates: dict[str, _Candidate] = {}
    excluded: list[Excluded] = []
    problems: list[Problem] = []
    matches = match_patterns(pages, options, base_url, out_dir, root)
    selection = Selection(base_url, options.overrule)
    dependencies = Dependencies(root)
    for number, page in matches.pages.items():
        overrides, faults = read_overrides(page)
        problems += faults
        wanted = overrides.exclude is False or number in matches.included
        out = selection.exclusion(page, overrides, wanted, matches.excluded.get(number))
        if out is None:
            loc = make_loc(base_url, page.url)
            first = candidates.get(loc)
            if first is not None and first.wanted and not wanted:
                out = Excluded(page, Reason.DUPLICATE, first.page.name)
            else:
                if first is not None:
                    excluded.append(Excluded(first.page, Reason.DUPLICATE, page.name))
                    problems.append(_duplicate(loc, first.page, page))
                page = dependencies.add(page, overrides, matches.dependencies.get(number, ()))
                rule = _complete(matches.rules.get(number), options)
                candidates[loc] = _Candidate(page, overrides, rule, wanted)
        if out is not None:
            excluded.append(out)
    lastmods, doubts = _lastmods(candidates, options, history)
    alternates = _Alternates(candidates, base_url)
    listed = tuple(
        Listed(
            candidates[loc].page,
            _url(loc, candidates[loc], lastmods[loc], alternates.of(loc), options),
            lastmods[loc],
        )
        for loc in sorted(candidates)
    )
    excluded.sort(key=lambda entry: (entry.page.name, entry.page.url))
    doubts += [*selection.problems, *problems, *dependencies.problems, *matches.problems]
    return Report(listed, tuple(excluded), (), tuple(doubts))


def _url(
    loc: str,
    candidate: _Candidate,
    lastmod: Lastmod,
    alternates: tuple[Alternate, ...],
    options: Options,
) -> Url:
    overrides, rule = candidate.overrides, candidate.rule
    changefreq = overrides.changefreq or rule.changefreq
    priority = rule.priority if overrides.priority is None else overrides.priority
    return Url(
        loc,
        None if lastmod.value is None else lastmod_text(lastmod.value, options.lastmod_format),
        changefreq,
        None if priority is None else priority_text(priority),
        alternates,
    )


def _duplicate(loc: str, first: Page, second: Page) -> Problem:
    return Problem(
        ProblemKind.DUPLICATE,
        f"{second.name} has the same URL as {first.name}, {loc}, and is listed in its place; "
        "rename one of them",
    )


def _lastmods(
    candidates: Mapping[str, _Candidate], options: Options, history: History
) -> tuple[dict[str, Lastmod], list[Problem]]:
    off = Lastmod(LastmodState.OFF)
    lastmods = {
        loc: off
        if candidate.overrides.lastmod is None
        else Lastmod(LastmodState.PAGE, candidate.overrides.lastmod)
        for loc, candidate in candidates.items()
    }
    if not options.lastmod:
        return lastmods, []
    asked = [loc for loc, lastmod in lastmods.items() if lastmod is off]
    found, problems = find_lastmods([candidates[loc].page for loc in asked], options, history)
    return lastmods | dict(zip(asked, found, strict=True)), problems


def _complete(rule: Rule | None, options: Options) -> Rule:
    """What the options say of a page: the rule that matches it, and the site's values."""
    site = Rule((), options.changefreq, options.priority)
    if rule is None:
        return site
    priority = site.priority if rule.priority is None else rule.priority
    return Rule(rule.match, rule.changefreq or site.changefreq, priority)


class _Alternates:
    """The pages in other languages: those that are listed and name each other, itself included.

    Source: <https://developers.google.com/search/docs/specialty/international/localized-versions>.
    """

    def __init__(self, candidates: Mapping[str, _Candidate], base_url: str) -> None:
        self._claims: dict[str, dict[str, str]] = {}
        for loc, candidate in candidates.items():
            page = candidate.page
            if page.alternates and page.lang:
                claims = {page.lang: loc}
                for lang, url in page.alternates.items():
                    with suppress(UrlError):
                        claims.setdefault(lang, make_loc(base_url, url))
                self._claims[loc] = claims

    def of(self, loc: str) -> tuple[Alternate, ...]:
        if loc not in self._claims:
            return ()
        mutual = [
            Alternate(hreflang, href)
            for lang, href in sorted(self._claims[loc].items())
            if _HREFLANG.fullmatch(hreflang := lang.replace("_", "-"))
            and loc in self._claims.get(href, {}).values()
        ]
        return tuple(mutual) if len(mutual) > 1 else ()
