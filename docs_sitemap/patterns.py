"""Which pages a user's patterns mean: by source file or URL, in whatever way they are written."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import translate
from itertools import chain, product
from posixpath import splitext
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from docs_sitemap.model import Page, Problem, ProblemKind, Rule
from docs_sitemap.options import Options
from docs_sitemap.site import page_url, walk_pages

_WILDCARDS = re.compile(r"[*?\[]")
_FOLDERS = re.compile(r"(?:^|(?<=/))(?:\*\*/)+")
_MARK = "\0"  # in no name

# Others may be a part of a name: v1.0
_SUFFIX = re.compile(r"\.(?:x?html?|shtml|php)\Z")


class Names(NamedTuple):
    """What a page may be called: a pattern must match the whole of one of these.

    Attributes:
        own: its source file below the sources, and its URL below the site's.
        short: that URL without its suffix or its last slash.
        whole: its source file from the project's folder, and its URL from the host, or with it.
        other: its URL as it would be in the other URL styles.
    """

    own: frozenset[str]
    short: frozenset[str]
    whole: frozenset[str]
    other: frozenset[str]


@dataclass(frozen=True, slots=True)
class Matches:
    """The pages of a site, and what the patterns of the options say of each.

    Attributes:
        pages: by their numbers, the pages that were given and, after them, other HTML files of
            the output that `include` or `exclude` names.
        included: from a page's number to the pattern of `include` that matches it first.
        excluded: the same for `exclude`.
        rules: from a page's number to the first rule that matches it.
        dependencies: from a page's number to the files that the options name for it.
        problems: patterns that match nothing.
    """

    pages: dict[int, Page]
    included: dict[int, str] = field(default_factory=dict)
    excluded: dict[int, str] = field(default_factory=dict)
    rules: dict[int, Rule] = field(default_factory=dict)
    dependencies: dict[int, list[str]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def match_patterns(
    pages: Iterable[Page],
    options: Options,
    base_url: str,
    out_dir: str | os.PathLike[str],
    root: str | os.PathLike[str],
) -> Matches:
    """Match the patterns of all options against all pages.

    Args:
        pages: those of the site.
        options: the options of the sitemap.
        base_url: what each page's `url` is relative to.
        out_dir: the folder of the built site.
        root: the folder that source files are named from.
    """
    pages = [*pages]
    matches = Matches(dict(enumerate(pages)))
    patterns = dict.fromkeys(_patterns(options))
    if not patterns:
        return matches
    root = os.path.join(os.path.abspath(root), "")
    others = _other_pages(pages, os.path.abspath(out_dir))
    ranked = _rank(patterns, (_names(page, base_url, root) for page in chain(pages, others)))
    # To `include`, which asks for other HTML, a file of that name goes before a page that has it
    # in another way; it must not keep the page from what the other options say of it.
    named = {pattern: _first(ranks) for pattern, ranks in ranked.items()}
    found = {
        pattern: _first([number for number in rank if number < len(pages)] for rank in ranks)
        + [number for number in named[pattern] if number >= len(pages)]
        for pattern, ranks in ranked.items()
    }
    wanted = {
        number for pattern in (*options.include, *options.exclude) for number in named[pattern]
    }
    for number, page in enumerate(others, start=len(pages)):
        if number in wanted:
            matches.pages[number] = page
    for pattern in patterns:
        if not named[pattern]:
            message = f"the pattern {pattern!r} matches no page; correct it, or remove it"
            matches.problems.append(Problem(ProblemKind.PATTERN, message))
    for pattern in options.include:
        for number in named[pattern]:
            matches.included.setdefault(number, pattern)
    for pattern in options.exclude:
        for number in found[pattern]:
            matches.excluded.setdefault(number, pattern)
    for rule in options.rules:
        for pattern in rule.match:
            for number in found[pattern]:
                matches.rules.setdefault(number, rule)
    for pattern, files in options.dependencies:
        for number in found[pattern]:
            matches.dependencies.setdefault(number, []).extend(files)
    return matches


def _patterns(options: Options) -> Iterator[str]:
    yield from options.include
    yield from options.exclude
    yield from (pattern for rule in options.rules for pattern in rule.match)
    yield from (pattern for pattern, _ in options.dependencies)


def _other_pages(pages: Sequence[Page], out_dir: str) -> list[Page]:
    """The HTML files in the output that belong to no page: static ones, redirects, 404."""
    known = {page.output for page in pages}
    outputs = ((path, os.path.join(out_dir, *path.split("/"))) for path in walk_pages(out_dir))
    return [
        Page(url=page_url(path), name=path, output=output)
        for path, output in outputs
        if output not in known
    ]


def _names(page: Page, base_url: str, root: str) -> Names:
    source = page.sources[0].removeprefix(root) if page.sources else None
    return page_names(page.name, page.url, source and source.replace(os.sep, "/"), base_url)


def page_names(name: str, url: str, source: str | None, base_url: str) -> Names:
    """Return what a page may be called.

    Args:
        name: what the build calls it.
        url: its URL relative to the base URL.
        source: its source file, relative to the project's folder; `None` if it has none.
        base_url: the URL that those of all pages begin with.
    """
    own = {name}
    whole = {source} if source is not None and source.endswith(f"/{name}") else set()
    if source is not None or name.endswith(".md"):
        own.add(splitext(name)[0])
        whole |= {splitext(path)[0] for path in whole}
    short = {_SUFFIX.sub("", name)}
    other = set()
    starts = (urlsplit(base_url).path.lstrip("/"), base_url)
    for spelled in {url, unquote(url)}:
        plain = spelled.removesuffix("index.html") if _is_index(spelled) else spelled
        stem = plain.rstrip("/") if plain.endswith("/") else _SUFFIX.sub("", plain)
        own |= {spelled, plain}
        short.add(stem)
        whole |= {f"{start}{form}" for start in starts for form in (spelled, plain)}
        whole |= {f"{start}{stem}".rstrip("/") for start in starts}
        if stem:
            other |= {f"{start}{stem}{end}" for start in ("", *starts) for end in ("/", ".html")}
    return Names(*(frozenset(map(_normal, names)) for names in (own, short, whole, other)))


def _normal(text: str) -> str:
    """File systems, editors and keyboards do not agree on how to compose letters."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _is_index(url: str) -> bool:
    return url == "index.html" or url.endswith("/index.html")


def find_pages(patterns: Iterable[str], pages: Iterable[Names]) -> dict[str, list[int]]:
    """Return the numbers of the pages that each pattern means.

    Shorter and longer names, and those of other URL styles, count only for a pattern that means
    no page otherwise: `guide/` is the page `guide.html`, but not if there is a
    `guide/index.html`.

    Args:
        patterns: shell patterns, in which `*` matches `/` too, and `**/` any folders or none.
        pages: what each page may be called.
    """
    return {pattern: _first(ranks) for pattern, ranks in _rank(patterns, pages).items()}


_Ranks = list[list[int]]


def _first(ranks: Iterable[list[int]]) -> list[int]:
    return next(filter(None, ranks), [])


def _rank(patterns: Iterable[str], pages: Iterable[Names]) -> dict[str, _Ranks]:
    """Return the numbers of the pages that each pattern fits, those first that it fits best."""
    rankings = {pattern: _ranking(pattern) for pattern in patterns}
    found: dict[str, _Ranks] = {
        pattern: [[] for _ in range(2 * len(Names._fields))] for pattern in rankings
    }
    for number, names in enumerate(pages):
        for pattern, rank_of in rankings.items():
            if (rank := rank_of(names)) is not None:
                found[pattern][rank].append(number)
    return found


def _ranking(pattern: str) -> Callable[[Names], int | None]:
    """Return what tells how well a pattern fits a page, 0 being best: which of `Names` holds it, as
    it is or, after all of those, with wildcards or without its `index.html`.
    """
    pattern = _normal(pattern).removeprefix("./").lstrip("/")
    tests: list[Callable[[frozenset[str]], bool]] = [lambda some: pattern in some]
    if _WILDCARDS.search(pattern):
        match = _expression(pattern).fullmatch
        tests.append(lambda some: any(map(match, some)))
    elif _is_index(pattern):
        folder = pattern.removesuffix("index.html")
        tests.append(lambda some: folder in some)
    return lambda names: next(
        (rank for rank, (fits, some) in enumerate(product(tests, names)) if fits(some)), None
    )


def _expression(pattern: str) -> re.Pattern[str]:
    shell = re.sub(r"\*+", "*", _FOLDERS.sub(_MARK, pattern))
    if shell.endswith(("/*", f"{_MARK}*")):  # what is below a folder has a name
        shell = f"{shell[:-1]}?*"
    # The last two characters of each are an anchor.
    pieces = (translate(piece)[:-2] for piece in shell.split(_MARK))
    return re.compile("(?s:.*/)?".join(pieces))
