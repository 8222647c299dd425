"""Build a complete, escaped `sitemap.xml` with accurate last-modified dates from git.

This is the API for generator integrations of your own. Everything else in this package is private.
"""

from importlib import import_module
from typing import TYPE_CHECKING

# The public names in each module, which is imported when one of them is used: most commands of a
# generator need few of them.
_MODULES = {
    "build": "build_sitemap remove_sitemap",
    "date_status": "DateStatus",
    "diagnostics": "BuildCode Diagnostic Severity",
    "entry": "Entry ExclusionReason Lastmod",
    "errors": "OptionError ShallowError SitemapError UrlError",
    "git.history": "History",
    "options": "OPTIONS Option Options",
    "page": "Page Source SourceRole",
    "report": "Report",
    "site": "Site",
    "sitemap.protocol": "Alternate Url",
    "sitemap.urls": "quote_path",
}

if TYPE_CHECKING:
    from docs_sitemap.build import build_sitemap as build_sitemap, remove_sitemap as remove_sitemap
    from docs_sitemap.date_status import DateStatus as DateStatus
    from docs_sitemap.diagnostics import (
        BuildCode as BuildCode,
        Diagnostic as Diagnostic,
        Severity as Severity,
    )
    from docs_sitemap.entry import (
        Entry as Entry,
        ExclusionReason as ExclusionReason,
        Lastmod as Lastmod,
    )
    from docs_sitemap.errors import (
        OptionError as OptionError,
        ShallowError as ShallowError,
        SitemapError as SitemapError,
        UrlError as UrlError,
    )
    from docs_sitemap.git.history import History as History
    from docs_sitemap.options import OPTIONS as OPTIONS, Option as Option, Options as Options
    from docs_sitemap.page import Page as Page, Source as Source, SourceRole as SourceRole
    from docs_sitemap.report import Report as Report
    from docs_sitemap.site import Site as Site
    from docs_sitemap.sitemap.protocol import Alternate as Alternate, Url as Url
    from docs_sitemap.sitemap.urls import quote_path as quote_path


def __getattr__(name: str) -> object:
    for module, names in _MODULES.items():
        if name in names.split():
            value: object = getattr(import_module(f"docs_sitemap.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(" ".join(_MODULES.values()).split())
