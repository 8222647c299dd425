"""Build a complete, escaped `sitemap.xml` with accurate last-modified dates from git.

This is the API for generator integrations of your own. Everything else in this package
is private.
"""

from .build import build_sitemap, remove_sitemap
from .build_report import Report
from .built.generated_pages import is_generated_page
from .built.page_date import DATE_CLASS, PageDate
from .config.options import (
    OPTIONS,
    Option,
    Options,
    describe_unknown_option,
    use_sphinx_names,
)
from .config.parsers import parse_bool
from .configure import read_options
from .date_status import DateStatus
from .diagnostics import BuildCode, Diagnostic, Diagnostics, Severity
from .entry import Entry, Lastmod
from .errors import OptionError, ShallowError, SitemapError, UrlError
from .exclusion_reason import ExclusionReason
from .git.history import History
from .page import Page, Source, SourceRole
from .page_dates import FormatDate, correct_dates, find_page_dates, make_page_date
from .record.store import LoadedRecord, load_record
from .shown import COMPLETE_FILE, Shown, ShownKind, selected_lines
from .shown.python import Extent, ObjectStyle, ShownObject, find_imports
from .site import EditUrl, Site
from .sitemap.hreflang import to_hreflang
from .sitemap.protocol import Alternate, Url
from .sitemap.urls import BaseUrl, parse_base_url, quote_path
from .steps.installed import COMPILED, import_names, module_path
from .tools.cache_folder import find_cache_folder
from .tools.files import read_regular, walk_files
from .tools.json_store import JsonStore
from .tools.printing import describe_error

__all__ = [
    "COMPILED",
    "COMPLETE_FILE",
    "DATE_CLASS",
    "OPTIONS",
    "Alternate",
    "BaseUrl",
    "BuildCode",
    "DateStatus",
    "Diagnostic",
    "Diagnostics",
    "EditUrl",
    "Entry",
    "ExclusionReason",
    "Extent",
    "FormatDate",
    "History",
    "JsonStore",
    "Lastmod",
    "LoadedRecord",
    "ObjectStyle",
    "Option",
    "OptionError",
    "Options",
    "Page",
    "PageDate",
    "Report",
    "Severity",
    "ShallowError",
    "Shown",
    "ShownKind",
    "ShownObject",
    "Site",
    "SitemapError",
    "Source",
    "SourceRole",
    "Url",
    "UrlError",
    "build_sitemap",
    "correct_dates",
    "describe_error",
    "describe_unknown_option",
    "find_cache_folder",
    "find_imports",
    "find_page_dates",
    "import_names",
    "is_generated_page",
    "load_record",
    "make_page_date",
    "module_path",
    "parse_base_url",
    "parse_bool",
    "quote_path",
    "read_options",
    "read_regular",
    "remove_sitemap",
    "selected_lines",
    "to_hreflang",
    "use_sphinx_names",
    "walk_files",
]
