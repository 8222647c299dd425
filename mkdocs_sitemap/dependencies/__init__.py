"""The files that a page is made from, besides its own source: found by watching the build."""

from mkdocs_sitemap.dependencies.watch import Dependencies

__all__ = ["Dependencies"]
