"""Checks of finished sitemaps, and of the sites that they list."""

from docs_sitemap.check.findings import CODES, Code, Finding, Severity
from docs_sitemap.check.sitemap import check_sitemap

__all__ = ["CODES", "Code", "Finding", "Severity", "check_sitemap"]
