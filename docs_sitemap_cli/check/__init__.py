"""`docs-sitemap check`: the rules that find mistakes in sitemaps and built sites."""
