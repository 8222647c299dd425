"""The rules of `docs-sitemap check`, which find faults in sitemaps and built sites."""

from docs_sitemap._lint.codes import Code, Severity
from docs_sitemap._lint.discovery import (
    USUAL_NAMES,
    SitemapLine,
    find_sitemaps,
    guess_base_url,
    open_url,
    read_all_entries,
    read_complete,
    read_entries,
)
from docs_sitemap._lint.entry_rules import CheckedEntry, DateLimits, is_alternate, is_priority
from docs_sitemap._lint.finding import FileFindings, Finding, UnusableFileError
from docs_sitemap._lint.index_rules import Progress
from docs_sitemap._lint.lint_result import LintResult, PathResult
from docs_sitemap._lint.linter import BuildInfo, lint_paths
from docs_sitemap._lint.robots_rules import ROBOTS_FILE, is_robots_effective
from docs_sitemap._lint.site_rules import is_error_page
from docs_sitemap._lint.sitemap_file import read_chunks
from docs_sitemap._lint.sitemap_rules import (
    Inventory,
    SitemapLocation,
    SitemapRules,
    lint_sitemap,
)

__all__ = [
    "ROBOTS_FILE",
    "USUAL_NAMES",
    "BuildInfo",
    "CheckedEntry",
    "Code",
    "DateLimits",
    "FileFindings",
    "Finding",
    "Inventory",
    "LintResult",
    "PathResult",
    "Progress",
    "Severity",
    "SitemapLine",
    "SitemapLocation",
    "SitemapRules",
    "UnusableFileError",
    "find_sitemaps",
    "guess_base_url",
    "is_alternate",
    "is_error_page",
    "is_priority",
    "is_robots_effective",
    "lint_paths",
    "lint_sitemap",
    "open_url",
    "read_all_entries",
    "read_chunks",
    "read_complete",
    "read_entries",
]
