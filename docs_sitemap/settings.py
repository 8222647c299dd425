"""The sitemap settings of a page: front matter in MkDocs, file-wide metadata in Sphinx."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from docs_sitemap import values
from docs_sitemap.diagnostics import BuildCode, Diagnostic
from docs_sitemap.entry import NO_SETTINGS, PageSettings
from docs_sitemap.page import Page
from docs_sitemap.text import shorten_value

_KEYS: dict[str, Callable[[object], Any]] = {
    "exclude": values.parse_bool,
    "lastmod": values.parse_lastmod,
    "changefreq": values.parse_changefreq,
    "priority": values.parse_priority,
    "dependencies": values.parse_files,
    "ignore-dependencies": values.parse_files,
}


def read_settings(page: Page, diagnostics: list[Diagnostic]) -> PageSettings:
    """Validate the settings of a page. Invalid values are ignored and reported."""
    raw = page.overrides
    if raw is None:
        return NO_SETTINGS
    if not isinstance(raw, Mapping):
        try:
            return PageSettings(exclude=not values.parse_bool(raw))
        except ValueError:
            message = f"{shorten_value(raw)} is not true, false, or a mapping with keys from "
            diagnostics.append(_ignored(page, "sitemap", message + ", ".join(_KEYS)))
            return NO_SETTINGS
    settings = NO_SETTINGS
    for key, value in raw.items():
        parse_value = _KEYS.get(key) if isinstance(key, str) else None
        if parse_value is None:
            name = f"the sitemap setting {shorten_value(key)}"
            diagnostics.append(_ignored(page, name, f"it is not one of {', '.join(_KEYS)}"))
        elif value is not None:
            try:
                settings = replace(settings, **{key.replace("-", "_"): parse_value(value)})
            except ValueError as error:
                diagnostics.append(_ignored(page, f"the sitemap setting {key}", str(error)))
    return settings


def _ignored(page: Page, key: str, message: str) -> Diagnostic:
    text = f"{page.name}: {key} is ignored: {message}. Fix: correct or remove it."
    return Diagnostic(BuildCode.PAGE, text, page=page.name)
