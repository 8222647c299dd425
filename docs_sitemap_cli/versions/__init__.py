"""`docs-sitemap index`: one sitemap for all versions, languages, or projects."""
