"""Build a complete, escaped `sitemap.xml` with accurate last-modified dates from git.

This is the API for generator integrations: MkDocs, Sphinx, or your own. Everything else in this
package is private.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docs_sitemap.build import build_sitemap, remove_sitemap
    from docs_sitemap.cache_folder import find_cache_folder
    from docs_sitemap.date_status import DateStatus
    from docs_sitemap.dates import check_clone, check_repository
    from docs_sitemap.diagnostics import BuildCode, Diagnostic, Severity
    from docs_sitemap.entry import DateFallback, Entry, ExclusionReason, Lastmod
    from docs_sitemap.errors import OptionError, ShallowError, SitemapError, TemplateError, UrlError
    from docs_sitemap.git.file_date import FileDate
    from docs_sitemap.git.history import History
    from docs_sitemap.git.run import forward_git_commands
    from docs_sitemap.hosting import published_elsewhere
    from docs_sitemap.json_store import JsonStore
    from docs_sitemap.languages import Locale, to_hreflang
    from docs_sitemap.options import (
        OPTIONS,
        Option,
        Options,
        describe_unknown_language,
        use_sphinx_names,
    )
    from docs_sitemap.page import Page, Rule, Source, SourceRole
    from docs_sitemap.record.store import LoadedRecord, load_record
    from docs_sitemap.report import Report
    from docs_sitemap.shown import COMPLETE_FILE, Shown, ShownKind, selected_lines, shown_objects
    from docs_sitemap.site import EditUrl, RenderSitemap, Site
    from docs_sitemap.sitemap.protocol import Alternate, ChangeFreq, Url
    from docs_sitemap.sitemap.render import check_template
    from docs_sitemap.sitemap.urls import BaseUrl, parse_base_url, quote_path
    from docs_sitemap.values import parse_bool

__all__ = [
    "COMPLETE_FILE",
    "OPTIONS",
    "Alternate",
    "BaseUrl",
    "BuildCode",
    "ChangeFreq",
    "DateFallback",
    "DateStatus",
    "Diagnostic",
    "EditUrl",
    "Entry",
    "ExclusionReason",
    "FileDate",
    "History",
    "JsonStore",
    "Lastmod",
    "LoadedRecord",
    "Locale",
    "Option",
    "OptionError",
    "Options",
    "Page",
    "RenderSitemap",
    "Report",
    "Rule",
    "Severity",
    "ShallowError",
    "Shown",
    "ShownKind",
    "Site",
    "SitemapError",
    "Source",
    "SourceRole",
    "TemplateError",
    "Url",
    "UrlError",
    "build_sitemap",
    "check_clone",
    "check_repository",
    "check_template",
    "describe_unknown_language",
    "find_cache_folder",
    "forward_git_commands",
    "load_record",
    "parse_base_url",
    "parse_bool",
    "published_elsewhere",
    "quote_path",
    "remove_sitemap",
    "selected_lines",
    "shown_objects",
    "to_hreflang",
    "use_sphinx_names",
]

# The names in each module, which is imported when one of them is used: most commands of a generator
# need few of them.
_MODULES = {
    "build": "build_sitemap remove_sitemap",
    "cache_folder": "find_cache_folder",
    "date_status": "DateStatus",
    "dates": "check_clone check_repository",
    "diagnostics": "BuildCode Diagnostic Severity",
    "entry": "DateFallback Entry ExclusionReason Lastmod",
    "errors": "OptionError ShallowError SitemapError TemplateError UrlError",
    "git.file_date": "FileDate",
    "git.history": "History",
    "git.run": "forward_git_commands",
    "hosting": "published_elsewhere",
    "json_store": "JsonStore",
    "languages": "Locale to_hreflang",
    "options": "OPTIONS Option Options describe_unknown_language use_sphinx_names",
    "page": "Page Rule Source SourceRole",
    "report": "Report",
    "record.store": "LoadedRecord load_record",
    "shown": "COMPLETE_FILE Shown ShownKind selected_lines shown_objects",
    "site": "EditUrl RenderSitemap Site",
    "sitemap.protocol": "Alternate ChangeFreq Url",
    "sitemap.render": "check_template",
    "sitemap.urls": "BaseUrl parse_base_url quote_path",
    "values": "parse_bool",
}


def __getattr__(name: str) -> object:
    for module, names in _MODULES.items():
        if name in names.split():
            value: object = getattr(import_module(f"docs_sitemap.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
