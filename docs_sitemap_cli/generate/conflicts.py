"""The sitemaps of the generator that a new sitemap replaces, or leaves."""

from docs_sitemap.diagnostics import BuildCode, Diagnostics
from docs_sitemap_cli.published.folder import SiteFolder
from docs_sitemap_cli.published.sitemap_sources import FolderSitemaps, find_sitemaps
from docs_sitemap_cli.published.sitemaps import read_alternates, walk_sitemaps


def report_conflicts(folder: SiteFolder, filename: str, notes: Diagnostics) -> None:
    """Report what a new sitemap of a site leaves, and what it loses.

    Args:
        folder: The folder of the site.
        filename: The name of the new sitemap.
        notes: Receives the notices.
    """
    for name in find_sitemaps(folder):
        if name != filename:
            message = (
                f"{name} of the generator stays next to {filename}. Fix: add --update "
                f"to correct its dates instead, or name only {filename} in robots.txt "
                "and to search engines"
            )
            notes.note(BuildCode.CONFLICT, message)
        elif _is_richer(folder, filename):
            message = (
                f"the links to languages and images in {filename} of the generator are "
                "lost. Fix: add --update to keep them, and correct only the dates"
            )
            notes.note(BuildCode.CONFLICT, message)


def _is_richer(folder: SiteFolder, filename: str) -> bool:
    """Return whether a sitemap of the generator contains links."""
    sitemap = next(walk_sitemaps(FolderSitemaps(folder, None), [filename]))
    for entry in sitemap.entries():
        if entry.has_extensions or any(read_alternates(entry)):
            return True
    return False
