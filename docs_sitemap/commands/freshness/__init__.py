"""`docs-sitemap report`."""
