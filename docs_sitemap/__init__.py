"""A complete, true and escaped `sitemap.xml` for sites that MkDocs, Sphinx or others build."""

from docs_sitemap.build import SitemapRenderer, build_sitemap, remove_sitemap
from docs_sitemap.errors import (
    OptionError,
    ReportError,
    ShallowError,
    SitemapError,
    TemplateError,
    UrlError,
)
from docs_sitemap.git import History
from docs_sitemap.loc import check_base_url, quote_path
from docs_sitemap.model import (
    Alternate,
    ChangeFreq,
    Excluded,
    Fallback,
    Lastmod,
    LastmodDate,
    LastmodFormat,
    LastmodState,
    Listed,
    Page,
    Problem,
    ProblemKind,
    Reason,
    Report,
    Rule,
    Shallow,
    Url,
)
from docs_sitemap.options import OPTIONS, Option, Options
from docs_sitemap.render import Renderer, to_xml

__all__ = [
    "OPTIONS",
    "Alternate",
    "ChangeFreq",
    "Excluded",
    "Fallback",
    "History",
    "Lastmod",
    "LastmodDate",
    "LastmodFormat",
    "LastmodState",
    "Listed",
    "Option",
    "OptionError",
    "Options",
    "Page",
    "Problem",
    "ProblemKind",
    "Reason",
    "Renderer",
    "Report",
    "ReportError",
    "Rule",
    "Shallow",
    "ShallowError",
    "SitemapError",
    "SitemapRenderer",
    "TemplateError",
    "Url",
    "UrlError",
    "build_sitemap",
    "check_base_url",
    "quote_path",
    "remove_sitemap",
    "to_xml",
]
