"""Pages whose URLs change in the same way: those of a folder that moved, or all pages
whose URLs end in another way.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from docs_sitemap.sitemap.urls import PAGE_SUFFIX, strip_index

# Fewer URLs are quickly read.
_MIN_URLS = 5

# Of many pages with one name, such as `changelog`, some are enough to find a move.
_MAX_EQUAL_NAMES = 20

# Each takes a pass over all URLs.
_MAX_MOVES = 200


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


def find_moved_folders(
    removed: Collection[str], added: Collection[str]
) -> list[tuple[str, str]]:
    """Return the folders that moved, before and after, those with the most pages first:
    at least five pages have the same paths below both.

    Args:
        removed: The URLs that disappear.
        added: The URLs that appear.
    """
    by_name: defaultdict[str, list[str]] = defaultdict(list)
    for url in sorted(added):
        by_name[_last_name(url)].append(url)
    moves = Counter[tuple[str, str]]()
    for before in sorted(removed):
        for after in by_name[_last_name(before)][:_MAX_EQUAL_NAMES]:
            start, new_start, _, _ = _describe(before, after)
            moves[f"{start}/", f"{new_start}/"] += 1
    most = moves.most_common(_MAX_MOVES)
    return [folders for folders, number in most if number >= _MIN_URLS]


def _last_name(url: str) -> str:
    return without_end(url).rpartition("/")[2]


def _describe(before: str, after: str) -> tuple[str, str, str, str]:
    """Return what differs in two URLs: their starts up to a slash, and their ends."""
    name = without_end(before)
    new_name = without_end(after)
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


def without_end(url: str) -> str:
    """Return the URL of a page without its suffix or slash."""
    return PAGE_SUFFIX.sub("", strip_index(url)).rstrip("/")
