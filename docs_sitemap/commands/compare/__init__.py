"""`docs-sitemap compare`."""
