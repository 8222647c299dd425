"""The errors that callers of the public API may want to catch."""

from collections.abc import Sequence


class SitemapError(Exception):
    """The sitemap cannot be built. The message is one line with the reason."""


class OptionError(SitemapError):
    """Some options are invalid. The error lists all of them.

    Attributes:
        errors: For each invalid option, its name in `Options`, and the reason why its
            value is invalid.
    """

    def __init__(self, errors: Sequence[tuple[str, str]]) -> None:
        self.errors = tuple(errors)
        super().__init__("; ".join(f"{name}: {message}" for name, message in errors))


class UrlError(SitemapError, ValueError):
    """A text is not valid as a base URL or as the URL of a page."""


class ShallowError(SitemapError):
    """The shallow clone does not contain the commit of a page, and `shallow` is
    `error`.
    """


class TemplateError(SitemapError):
    """A template is missing, invalid, or does not render a sitemap."""
