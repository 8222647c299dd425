"""The sitemap format: protocol, URLs, reading, and writing."""
