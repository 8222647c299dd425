"""The MkDocs plugin `sitemap`; ProperDocs loads it as it is."""

from mkdocs_sitemap.plugin import SitemapPlugin

__all__ = ["SitemapPlugin"]
