"""The sitemap settings of a page: front matter in MkDocs, file-wide metadata in Sphinx."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from docs_sitemap import values as validate
from docs_sitemap.entry import NO_OVERRIDES, Overrides
from docs_sitemap.page import Page
from docs_sitemap.result import Problem, ProblemKind
from docs_sitemap.text import shorten_value

_KEYS: dict[str, Callable[[object], Any]] = {
    "exclude": validate.parse_bool,
    "lastmod": validate.parse_lastmod,
    "changefreq": validate.parse_changefreq,
    "priority": validate.parse_priority,
    "dependencies": validate.parse_files,
    "ignore-dependencies": validate.parse_files,
}


def read_overrides(page: Page, problems: list[Problem]) -> Overrides:
    """Validate the settings of a page. Invalid values are ignored and reported as problems."""
    raw = page.overrides
    if raw is None:
        return NO_OVERRIDES
    if not isinstance(raw, Mapping):
        try:
            return Overrides(exclude=not validate.parse_bool(raw))
        except ValueError:
            message = f"{shorten_value(raw)} is not true, false, or a mapping with keys from "
            problems.append(_problem(page, "sitemap", message + ", ".join(_KEYS)))
            return NO_OVERRIDES
    overrides = NO_OVERRIDES
    for key, value in raw.items():
        parse = _KEYS.get(key) if isinstance(key, str) else None
        if parse is None:
            message = f"it is not one of {', '.join(_KEYS)}"
            problems.append(_problem(page, f"the sitemap setting {shorten_value(key)}", message))
        elif value is not None:
            try:
                overrides = replace(overrides, **{key.replace("-", "_"): parse(value)})
            except ValueError as error:
                problems.append(_problem(page, f"the sitemap setting {key}", str(error)))
    return overrides


def _problem(page: Page, key: str, message: str) -> Problem:
    text = f"{page.name}: {key} is ignored: {message}. Fix: correct or remove it."
    return Problem(ProblemKind.PAGE, text, page=page.name)
