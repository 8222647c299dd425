"""The names of the sitemaps of a built site."""

import re
from collections.abc import Sequence
from contextlib import suppress

from docs_sitemap.built.robots_txt import (
    MAX_ROBOTS_BYTES,
    ROBOTS_FILE,
    find_sitemap_lines,
)

from .folder import SiteFolder

# What `docs-sitemap index` writes next to the sitemap of one of the builds.
INDEX_OF_BUILDS = "sitemap-index.xml"

# The usual names of sitemaps.
USUAL_NAMES = ("sitemap.xml", INDEX_OF_BUILDS, "sitemap_index.xml", "sitemap.xml.gz")

# What Sphinx, Documenter, and MkDocs write into each version, also without a sitemap.
SEARCH_INDEXES = ("objects.inv", "search_index.js", "search/search_index.json")


def find_sitemaps(folder: SiteFolder, files: Sequence[str] = ()) -> list[str]:
    """Return the index of several builds, the sitemap that the build wrote, those that
    robots.txt lists, or the first one with a usual name.

    Args:
        folder: The folder of a built site.
        files: The files that its build wrote, the sitemap itself first.
    """
    for name in (INDEX_OF_BUILDS, *files[:1]):
        if folder.exists(name):
            return [name]
    text = ""
    with suppress(OSError), folder.open_file(ROBOTS_FILE) as robots:
        text = robots.read(MAX_ROBOTS_BYTES).decode("utf-8-sig", "replace")
    listed: dict[str, None] = {}
    for url in find_sitemap_lines(text):
        path = re.sub(r"https?://[^/]*/", "", url, count=1)
        file = folder.file_of_url(path)
        if file is not None:
            listed[folder.uncompressed(file)] = None
    if listed:
        return list(listed)
    for name in USUAL_NAMES:
        if folder.exists(name):
            return [name]
    return []
