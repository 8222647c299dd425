"""Pages whose URLs change in the same way: those of a folder that moved, or all pages
whose URLs end in another way.
"""

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from docs_sitemap.sitemap.urls import PAGE_SUFFIX, strip_index

# Fewer URLs are quickly read.
_MIN_URLS = 5

# Of many pages with one name, such as `changelog`, some are enough to find a move.
_MAX_EQUAL_NAMES = 20


def common_folder(urls: Collection[str]) -> str:
    """Return the longest URL of a folder that all URLs start with."""
    start = os.path.commonprefix(list(urls))  # noqa: RUF071  # The start of a name is cut off.
    return f"{start.rpartition('/')[0]}/"


class Move(NamedTuple):
    """A change of URLs, with `*` for what they keep.

    Attributes:
        before: The URLs before.
        after: The URLs after.
        urls: The URLs before, one by one.
    """

    before: str
    after: str
    urls: Collection[str]


def group_moves(changed: Mapping[str, str]) -> Iterator[Move]:
    """Yield the changes of URLs, one for at least five that change in the same way.

    Args:
        changed: The new URLs by the old ones.
    """
    groups: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for before, after in changed.items():
        groups[_describe(before, after)].append(before)
    for (start, new_start, end, new_end), urls in groups.items():
        if len(urls) < _MIN_URLS:
            for url in urls:
                yield Move(url, changed[url], [url])
            continue
        if not start:  # Only the ends change.
            start = new_start = common_folder(urls).removesuffix("/")
        yield Move(f"{start}/*{end}", f"{new_start}/*{new_end}", urls)


def pair_moved(removed: Collection[str], added: Collection[str]) -> dict[str, str]:
    """Return the new URLs of pages in folders that moved, by their old ones: at least
    five pages of a folder have the same paths below another one.

    Args:
        removed: The URLs that disappear.
        added: The URLs that appear.
    """
    by_name: defaultdict[str, list[str]] = defaultdict(list)
    for url in sorted(added):
        by_name[_last_name(url)].append(url)
    moves: defaultdict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for before in sorted(removed):
        for after in by_name[_last_name(before)][:_MAX_EQUAL_NAMES]:
            start, new_start, _, _ = _describe(before, after)
            moves[start, new_start][before] = after
    _add_index_pages(moves, removed, added)
    pairs: dict[str, str] = {}
    used: set[str] = set()
    for move in sorted(moves.values(), key=len, reverse=True):
        if len(move) < _MIN_URLS:
            break
        free = {}
        for before, after in move.items():
            if before not in pairs and after not in used:
                free[before] = after
        if len(free) >= _MIN_URLS:
            pairs |= free
            used.update(free.values())
    return pairs


def _add_index_pages(
    moves: Mapping[tuple[str, str], dict[str, str]],
    removed: Iterable[str],
    added: Iterable[str],
) -> None:
    """Add the pages of the folders themselves, whose names may differ."""
    old = {_without_end(url): url for url in removed}
    new = {_without_end(url): url for url in added}
    for (start, new_start), move in moves.items():
        if start in old and new_start in new:
            move[old[start]] = new[new_start]


def _last_name(url: str) -> str:
    return _without_end(url).rpartition("/")[2]


def _describe(before: str, after: str) -> tuple[str, str, str, str]:
    """Return what differs in two URLs: their starts up to a slash, and their ends."""
    name = _without_end(before)
    new_name = _without_end(after)
    end = before[len(name) :]
    new_end = after[len(new_name) :]
    if end == new_end:
        end = new_end = ""
    segments = name.split("/")
    new_segments = new_name.split("/")
    while segments and new_segments and segments[-1] == new_segments[-1]:
        segments.pop()
        new_segments.pop()
    return "/".join(segments), "/".join(new_segments), end, new_end


def _without_end(url: str) -> str:
    """Return the URL of a page without its suffix or slash."""
    return PAGE_SUFFIX.sub("", strip_index(url)).rstrip("/")
