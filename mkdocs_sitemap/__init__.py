"""The MkDocs plugin `sitemap`. ProperDocs loads the same plugin."""

from .plugin import SitemapPlugin

__all__ = ["SitemapPlugin"]
