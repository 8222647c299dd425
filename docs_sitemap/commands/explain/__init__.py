"""`docs-sitemap explain`."""
