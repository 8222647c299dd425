"""The codes of what `docs-sitemap index` reports, besides the rules of the format."""

from __future__ import annotations

from docs_sitemap.text import Described


class IndexCode(Described):
    """The subject of a diagnostic."""

    METADATA = "metadata", "A file that names the versions has entries that cannot be used."
    TOO_MANY_FOLDERS = "too-many-folders", "Some folders are not searched for sitemaps."
    ROOT_SITE = "root-site", "The sitemap at the root belongs to a site there, and stays."
    NO_SITEMAP = "no-sitemap", "A version was deployed without a sitemap."
    NOT_FOUND = "not-found", "A sitemap index lists a file that does not exist."
    CHILD_NOT_SITEMAP = "child-not-sitemap", "A sitemap index lists another sitemap index."
    CANONICAL = "canonical", "Pages of other versions do not point to the canonical version."
    ALTERNATES = "alternates", "Links to languages are left out."
    EXTENSIONS = "extensions", "Images, videos, and news are left out."
    EMPTY = "empty", "Nothing is written."
