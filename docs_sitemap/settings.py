"""The sitemap settings of a page: front matter in MkDocs, file-wide metadata in Sphinx."""

from collections.abc import Callable, Mapping
from typing import Any

from docs_sitemap import values
from docs_sitemap.diagnostics import BuildCode, Diagnostic
from docs_sitemap.entry import PageSettings
from docs_sitemap.page import Page
from docs_sitemap.printing import shorten

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

    def ignore(name: str, reason: object) -> None:
        message = f"{page.name}: {name} is ignored: {reason}. Fix: correct or remove it."
        diagnostics.append(Diagnostic(BuildCode.PAGE, message, page=page.name))

    raw = page.overrides
    if raw is None:
        return PageSettings()
    allowed = ", ".join(_KEYS)
    parsed: dict[str, Any] = {}
    if not isinstance(raw, Mapping):
        try:
            return PageSettings(exclude=not values.parse_bool(raw))
        except ValueError:
            reason = f"{shorten(raw)} is not true, false, or a mapping with keys from "
            ignore("sitemap", reason + allowed)
            return PageSettings()
    for key, value in raw.items():
        if key not in _KEYS:
            ignore(f"the sitemap setting {shorten(key)}", f"it is not one of {allowed}")
        elif value is not None:
            try:
                parsed[key.replace("-", "_")] = _KEYS[key](value)
            except ValueError as error:
                ignore(f"the sitemap setting {key}", error)
    return PageSettings(**parsed)
