"""Track the files that each page reads while MkDocs renders it."""

from mkdocs_sitemap.tracking.tracker import SourceTracker

__all__ = ["SourceTracker"]
