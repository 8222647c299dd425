"""The sitemap settings of a page: front matter in MkDocs, or file-wide metadata in
Sphinx.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from docs_sitemap.diagnostics import BuildCode, Diagnostics
from docs_sitemap.sitemap.protocol import ChangeFreq
from docs_sitemap.tools.printing import shorten

from . import parsers


class PageSettings(NamedTuple):
    """The validated sitemap settings of a page; `None` where the page sets nothing.

    Attributes:
        exclude: Whether to exclude the page; `False` includes a page that would be
            excluded.
        lastmod: The last-modified date: a day, or a timestamp in UTC.
        changefreq: How often the page is likely to change.
        priority: The priority within the site, from 0.0 to 1.0.
        dependencies: More source files: paths or patterns, relative to the folder of
            the configuration file.
        ignore_dependencies: Detected source files that are ignored, in the same form.
    """

    exclude: bool | None = None
    lastmod: date | datetime | None = None
    changefreq: ChangeFreq | None = None
    priority: float | None = None
    dependencies: tuple[str, ...] = ()
    ignore_dependencies: tuple[str, ...] = ()


_KEYS: dict[str, Callable[[object], Any]] = {
    "exclude": parsers.parse_bool,
    "lastmod": parsers.parse_lastmod,
    "changefreq": parsers.parse_changefreq,
    "priority": parsers.parse_priority,
    "dependencies": parsers.parse_files,
    "ignore-dependencies": parsers.parse_files,
}
_ALLOWED = ", ".join(_KEYS)

_NO_SETTINGS = PageSettings()

# VitePress and Starlight hide the date of a page with `lastUpdated: false`.
_NO_DATES = ("", "none", "null", "false", "true")


def read_settings(
    page: str,
    overrides: object,
    front_matter: Mapping[str, object],
    lastmod_fields: Iterable[str],
    diagnostics: Diagnostics,
) -> PageSettings:
    """Validate the settings of a page. Invalid values are ignored and reported.

    Args:
        page: The name of the page.
        overrides: What the page sets for the sitemap, as in `Page`.
        front_matter: The front matter of the page.
        lastmod_fields: The keys of front matter with dates, for pages that set no
            `lastmod` for the sitemap.
        diagnostics: Receives the invalid values.
    """
    settings = _read_overrides(page, overrides, diagnostics)
    if settings.lastmod is None:
        for name in lastmod_fields:
            value = _find_value(front_matter, name)
            if str(value).lower() in _NO_DATES:
                continue
            try:
                return settings._replace(lastmod=parsers.parse_lastmod(value))
            except ValueError as error:
                _report(page, f"the date {name}", error, diagnostics)
    return settings


def _find_value(values: Mapping[str, object], name: str) -> object:
    """Return a value of front matter; `None` if there is none with this name."""
    value: object = values
    for key in name.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def _read_overrides(page: str, raw: object, diagnostics: Diagnostics) -> PageSettings:
    if raw is None:
        return _NO_SETTINGS
    if not isinstance(raw, Mapping):
        try:
            return PageSettings(exclude=not parsers.parse_bool(raw))
        except ValueError:
            expected = f"true, false, or a mapping with keys from {_ALLOWED}"
            _report(page, "sitemap", f"{shorten(raw)} is not {expected}", diagnostics)
            return PageSettings()
    parsed: dict[str, Any] = {}
    for key, value in raw.items():
        if key not in _KEYS:
            name = f"the sitemap setting {shorten(key)}"
            _report(page, name, f"it is not one of {_ALLOWED}", diagnostics)
        elif value is not None:
            try:
                parsed[key.replace("-", "_")] = _KEYS[key](value)
            except ValueError as error:
                _report(page, f"the sitemap setting {key}", error, diagnostics)
    return PageSettings(**parsed)


def _report(page: str, name: str, reason: object, diagnostics: Diagnostics) -> None:
    message = f"{page}: {name} is ignored: {reason}. Fix: correct or remove it."
    diagnostics.warn(BuildCode.PAGE, message, page=page)
