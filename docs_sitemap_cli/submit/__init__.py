"""`docs-sitemap submit`: what changed, whether it is live, and the search engines."""
