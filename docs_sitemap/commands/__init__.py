"""The command `docs-sitemap`. A build imports nothing of it."""
