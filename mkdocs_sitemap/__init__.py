"""The MkDocs plugin `sitemap`. ProperDocs loads the same plugin."""

from mkdocs_sitemap.plugin import SitemapPlugin

__all__ = ["SitemapPlugin"]
