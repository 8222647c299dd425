"""Pages to the sorted, unique URLs of a sitemap."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress

from docs_sitemap.errors import UrlError
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
    Url,
)
from docs_sitemap.options import Options, Rule
from docs_sitemap.overrides import Overrides, read_overrides
from docs_sitemap.select import exclusion, first_match
from docs_sitemap.values import lastmod_text, priority_text

# BCP 47, as far as search engines read it: language, script, region.
_HREFLANG = re.compile(r"(?i:[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?|x-default)")


def make_urlset(pages: Iterable[Page], options: Options, base_url: str) -> Report:
    """Select, date, sort and make unique: a report without files.

    Args:
        pages: in any order.
        options: the options of the sitemap.
        base_url: what each page's `url` is relative to, in normal form.
    """
    included: dict[str, tuple[Page, Overrides]] = {}
    excluded: list[Excluded] = []
    problems: list[Problem] = []
    exclude = first_match(options.exclude)
    for page in sorted(pages, key=_by_name):
        overrides, faults = read_overrides(page)
        problems += faults
        out = exclusion(page, overrides, exclude)
        if out is None:
            try:
                loc = make_loc(base_url, page.url)
            except UrlError as error:
                out = Excluded(page, Reason.URL, str(error))
                problems.append(
                    Problem(ProblemKind.URL, f"{page.name}: {error}; the page is left out")
                )
            else:
                first, _ = included.setdefault(loc, (page, overrides))
                if first is not page:
                    out = Excluded(page, Reason.DUPLICATE, first.name)
                    problems.append(_duplicate(loc, first, page))
        if out is not None:
            excluded.append(out)
    lastmods, doubts = _lastmods(included, options)
    alternates = _Alternates(included, base_url)
    rule_of = _Rules(options)
    listed = []
    for loc in sorted(included):
        page, overrides = included[loc]
        rule = rule_of(page)
        changefreq = overrides.changefreq or rule.changefreq
        priority = rule.priority if overrides.priority is None else overrides.priority
        value = lastmods[loc].value
        url = Url(
            loc,
            None if value is None else lastmod_text(value),
            changefreq,
            None if priority is None else priority_text(priority),
            alternates.of(loc),
        )
        listed.append(Listed(page, url, lastmods[loc]))
    return Report(tuple(listed), tuple(excluded), (), (*doubts, *problems))


def _by_name(page: Page) -> tuple[str, str]:
    return page.name, page.url


def _duplicate(loc: str, first: Page, second: Page) -> Problem:
    return Problem(
        ProblemKind.DUPLICATE,
        f"{second.name} has the same URL as {first.name}, {loc}, which is listed once; "
        "rename one of them",
    )


def _lastmods(
    included: dict[str, tuple[Page, Overrides]], options: Options
) -> tuple[dict[str, Lastmod], list[Problem]]:
    lastmods = {
        loc: Lastmod(LastmodState.OFF)
        if overrides.lastmod is None
        else Lastmod(LastmodState.PAGE, overrides.lastmod)
        for loc, (page, overrides) in included.items()
    }
    if not options.lastmod:
        return lastmods, []
    asked = [loc for loc, lastmod in lastmods.items() if lastmod.state is LastmodState.OFF]
    found, problems = find_lastmods([included[loc][0] for loc in asked])
    return lastmods | dict(zip(asked, found, strict=True)), problems


class _Rules:
    """What the options say of a page: the first rule that matches it, and the site's values."""

    def __init__(self, options: Options) -> None:
        self._site = Rule((), options.changefreq, options.priority)
        self._rules = [(first_match(rule.match), self._over(rule)) for rule in options.rules]

    def _over(self, rule: Rule) -> Rule:
        changefreq = rule.changefreq or self._site.changefreq
        priority = self._site.priority if rule.priority is None else rule.priority
        return Rule(rule.match, changefreq, priority)

    def __call__(self, page: Page) -> Rule:
        for match, rule in self._rules:
            if match(page) is not None:
                return rule
        return self._site


class _Alternates:
    """The pages in other languages: those that are listed and name each other, itself included.

    Source: <https://developers.google.com/search/docs/specialty/international/localized-versions>.
    """

    def __init__(self, included: dict[str, tuple[Page, Overrides]], base_url: str) -> None:
        self._claims: dict[str, dict[str, str]] = {}
        for loc, (page, _) in included.items():
            if page.alternates and page.lang:
                claims = {page.lang: loc}
                for lang, url in page.alternates.items():
                    with suppress(UrlError):
                        claims.setdefault(lang, make_loc(base_url, url))
                self._claims[loc] = claims

    def of(self, loc: str) -> tuple[Alternate, ...]:
        claims = self._claims.get(loc, {})
        mutual = [
            Alternate(hreflang, href)
            for lang, href in sorted(claims.items())
            if _HREFLANG.fullmatch(hreflang := lang.replace("_", "-"))
            and loc in self._claims.get(href, {}).values()
        ]
        return tuple(mutual) if len(mutual) > 1 else ()
