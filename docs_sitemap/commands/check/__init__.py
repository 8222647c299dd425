"""The rules of `docs-sitemap check`, which find faults in sitemaps and built sites."""

from docs_sitemap.commands.check.codes import Code, Severity
from docs_sitemap.commands.check.discovery import (
    USUAL_NAMES,
    SitemapLine,
    find_sitemaps,
    guess_base_url,
    open_url,
    read_all_entries,
    read_complete,
    read_entries,
)
from docs_sitemap.commands.check.entry_rules import (
    CheckedEntry,
    DateLimits,
    is_alternate,
    is_priority,
)
from docs_sitemap.commands.check.finding import FileFindings, Finding, UnusableFileError
from docs_sitemap.commands.check.index_rules import Progress
from docs_sitemap.commands.check.lint_result import LintResult, PathResult
from docs_sitemap.commands.check.linter import BuildInfo, lint_paths
from docs_sitemap.commands.check.robots_rules import ROBOTS_FILE, is_robots_effective
from docs_sitemap.commands.check.site_rules import is_error_page
from docs_sitemap.commands.check.sitemap_rules import (
    Inventory,
    SitemapLocation,
    SitemapRules,
    lint_sitemap,
)
from docs_sitemap.sitemap.chunks import read_chunks

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
