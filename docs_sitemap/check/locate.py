"""Where the sitemaps of a folder are, and where the folder is published."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress

from docs_sitemap.check.entries import check_entry
from docs_sitemap.check.files import read_chunks
from docs_sitemap.check.findings import Findings, Unusable
from docs_sitemap.check.folder import Folder
from docs_sitemap.check.parse import Reader

# What a sitemap is called if nobody says what.
NAMES = ("sitemap.xml", "sitemap-index.xml", "sitemap_index.xml", "sitemap.xml.gz")

# Versions and languages are in folders of a site, or of a folder of it.
_MAX_DEPTH = 2

# How many URLs tell where a site is published.
_SAMPLE = 100


def find_sitemaps(folder: Folder, told: Sequence[str], urls: Sequence[str]) -> list[str]:
    """Return the sitemaps of a folder from which all others are reached, relative to it.

    Args:
        folder: the folder of a built site.
        told: the files that its build says it wrote, the sitemap itself first.
        urls: the sitemaps that its robots.txt names.
    """
    if told and _exists(folder, told[0]):
        return [told[0]]
    paths = [re.sub(r"https?://[^/]*/", "", url, count=1).partition("?")[0] for url in urls]
    named = dict.fromkeys(file for path in paths if (file := folder.open_url(path).file))
    return [*named] or [name for name in NAMES if _exists(folder, name)][:1]


def own_sitemap(folder: Folder, below: str) -> str | None:
    """Return the sitemap that is in a folder of a folder, if one is."""
    names = (f"{below}/{name}" for name in NAMES)
    return next((name for name in names if _exists(folder, name)), None)


def find_below(folder: Folder) -> list[str]:
    """Return the sitemaps of the folders of a folder: of versions and languages, which are sites
    of their own.
    """
    found = []
    level = _folders(folder.root, "")
    for _ in range(_MAX_DEPTH):
        owners = {below: own_sitemap(folder, below) for below in level}
        found += [name for name in owners.values() if name is not None]
        without = [below for below, name in owners.items() if name is None]
        level = [inner for below in without for inner in _folders(folder.root, f"{below}/")]
    return found


def _folders(root: str, below: str) -> list[str]:
    try:
        with os.scandir(os.path.join(root, below)) as entries:
            return sorted(
                f"{below}{one.name}" for one in entries if one.is_dir(follow_symlinks=False)
            )
    except OSError:
        return []


def guess_base_url(folder: Folder, sitemaps: Iterable[str]) -> str | None:
    """Return the URL that a folder seems to have, going by what the first of its sitemaps lists
    that can be read.
    """
    guesses = (_guess(folder, sitemap) for sitemap in sitemaps)
    return next(filter(None, guesses), None)


def _guess(folder: Folder, sitemap: str) -> str | None:
    unheard = Findings(sitemap)
    urls: list[str] = []
    reader = Reader(unheard)
    with suppress(Unusable), folder.open_file(sitemap) as file:
        for raw in reader.entries(read_chunks(file, sitemap)):
            entry = check_entry(raw, unheard, None)
            if entry is not None and entry.url is not None:
                urls.append(entry.url)
            if len(urls) == _SAMPLE:
                break
    # No sitemap is there by chance, unlike the index of a folder.
    return folder.guess_url(urls, share=0 if reader.is_index else 0.5)


def _exists(folder: Folder, name: str) -> bool:
    return os.path.lexists(os.path.join(folder.root, name))
