"""The sitemap settings of a page: front matter in MkDocs, file-wide metadata in Sphinx."""

from collections.abc import Callable, Mapping
from typing import Any

from . import values
from .diagnostics import BuildCode, Diagnostics
from .entry import PageSettings
from .page import Page
from .printing import shorten

_KEYS: dict[str, Callable[[object], Any]] = {
    "exclude": values.parse_bool,
    "lastmod": values.parse_lastmod,
    "changefreq": values.parse_changefreq,
    "priority": values.parse_priority,
    "dependencies": values.parse_files,
    "ignore-dependencies": values.parse_files,
}
_ALLOWED = ", ".join(_KEYS)


def read_settings(page: Page, diagnostics: Diagnostics) -> PageSettings:
    """Validate the settings of a page. Invalid values are ignored and reported."""
    raw = page.overrides
    if raw is None:
        return PageSettings()
    if isinstance(raw, Mapping):
        return PageSettings(**_read_mapping(raw, page, diagnostics))
    try:
        return PageSettings(exclude=not values.parse_bool(raw))
    except ValueError:
        reason = f"{shorten(raw)} is not true, false, or a mapping with keys from {_ALLOWED}"
        _report(page, "sitemap", reason, diagnostics)
        return PageSettings()


def _read_mapping(
    raw: Mapping[Any, object], page: Page, diagnostics: Diagnostics
) -> dict[str, Any]:
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
    return parsed


def _report(page: Page, name: str, reason: object, diagnostics: Diagnostics) -> None:
    message = f"{page.name}: {name} is ignored: {reason}. Fix: correct or remove it."
    diagnostics.warn(BuildCode.PAGE, message, page=page.name)
