"""The public names of the core."""

from .build import build_sitemap, remove_sitemap
from .config.options import Options
from .configure import read_options
from .date_status import DateStatus
from .diagnostics import Diagnostic, Severity
from .entry import Entry, Lastmod
from .errors import OptionError, ShallowError, SitemapError, UrlError
from .exclusion_reason import ExclusionReason
from .git.history import History
from .page import Page, Source, SourceRole
from .result import BuildResult
from .site import Site
from .sitemap.protocol import Alternate, Url
from .sitemap.urls import BaseUrl, parse_base_url, quote_path

__all__ = [
    "Alternate",
    "BaseUrl",
    "BuildResult",
    "DateStatus",
    "Diagnostic",
    "Entry",
    "ExclusionReason",
    "History",
    "Lastmod",
    "OptionError",
    "Options",
    "Page",
    "Severity",
    "ShallowError",
    "Site",
    "SitemapError",
    "Source",
    "SourceRole",
    "Url",
    "UrlError",
    "build_sitemap",
    "parse_base_url",
    "quote_path",
    "read_options",
    "remove_sitemap",
]
