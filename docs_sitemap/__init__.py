"""Build a complete, escaped `sitemap.xml` with accurate last-modified dates from git.

This is the API for generator integrations of your own. Everything else in this package
is private.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .build import build_sitemap, remove_sitemap
    from .config.options import Options
    from .config.read_options import read_options
    from .diagnostics import (
        DateStatus,
        Diagnostic,
        ExclusionReason,
        OptionError,
        Severity,
        ShallowError,
        SitemapError,
        UrlError,
    )
    from .entry import Entry, Lastmod
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

# The modules that define these names.
_MODULES = (
    "build",
    "config.options",
    "config.read_options",
    "diagnostics",
    "entry",
    "git.history",
    "page",
    "result",
    "site",
    "sitemap.protocol",
    "sitemap.urls",
)


def __getattr__(name: str) -> Any:
    """Load a public name when it is used: plugins and commands need only parts."""
    if name in __all__:
        for module in _MODULES:
            values = vars(import_module(f"{__name__}.{module}"))
            if name in values:
                return values[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, although they may not be loaded yet."""
    return __all__


def setup(app: Any) -> dict[str, bool]:
    """Load the extension if `conf.py` has the name of the package instead."""
    app.setup_extension("sphinx_sitemap_ext")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
