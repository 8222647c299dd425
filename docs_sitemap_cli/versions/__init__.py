"""Compose the sitemaps of deployed versions and sites."""
