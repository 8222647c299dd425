"""The rules of `docs-sitemap check`, which find faults in sitemaps and built sites."""

from docs_sitemap._lint.codes import Code, Severity
from docs_sitemap._lint.discovery import (
    SitemapLine,
    find_sitemaps,
    guess_base_url,
    open_url,
    read_all_entries,
    read_complete,
    read_entries,
)
from docs_sitemap._lint.finding import Finding, UnusableFileError
from docs_sitemap._lint.index_rules import Progress
from docs_sitemap._lint.lint_result import LintResult, PathResult
from docs_sitemap._lint.linter import BuildInfo, lint_paths
from docs_sitemap._lint.site_rules import is_error_page
from docs_sitemap._lint.sitemap_rules import lint_sitemap

__all__ = [
    "BuildInfo",
    "Code",
    "Finding",
    "LintResult",
    "PathResult",
    "Progress",
    "Severity",
    "SitemapLine",
    "UnusableFileError",
    "find_sitemaps",
    "guess_base_url",
    "is_error_page",
    "lint_paths",
    "lint_sitemap",
    "open_url",
    "read_all_entries",
    "read_complete",
    "read_entries",
]
