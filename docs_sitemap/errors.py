"""The errors that callers of this package may want to catch."""

from __future__ import annotations

from collections.abc import Sequence


class SitemapError(Exception):
    """A sitemap could not be made; the message says why, in one line."""


class OptionError(SitemapError):
    """Options have wrong values: all of them, not only the first.

    Attributes:
        errors: a pair for each wrong option: its name in
            [`Options`][docs_sitemap.Options], and what is wrong and allowed.
    """

    def __init__(self, errors: Sequence[tuple[str, str]]) -> None:
        self.errors = tuple(errors)
        super().__init__("; ".join(f"{name}: {message}" for name, message in errors))


class UrlError(SitemapError, ValueError):
    """A text is not usable as a base URL or as the URL of a page."""


class ShallowError(SitemapError):
    """The clone is too shallow to date a page, and the options make that an error."""


class ReportError(SitemapError):
    """The report of a build is missing or cannot be read."""


class TemplateError(SitemapError):
    """A template is missing, broken, or renders something that is not a sitemap."""
