"""The command `docs-sitemap`. Builds import nothing of this package."""
