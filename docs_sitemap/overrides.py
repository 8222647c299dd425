"""What a page says of its own entry: front matter in MkDocs, file-wide metadata in Sphinx."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from docs_sitemap.model import ChangeFreq, Page, Problem, ProblemKind
from docs_sitemap.values import (
    check_bool,
    check_changefreq,
    check_files,
    check_lastmod,
    check_priority,
    shown,
)


@dataclass(frozen=True, slots=True)
class Overrides:
    """The checked overrides of a page; `None` where the page says nothing."""

    exclude: bool | None = None
    lastmod: date | datetime | None = None
    changefreq: ChangeFreq | None = None
    priority: float | None = None
    dependencies: tuple[str, ...] = ()


NO_OVERRIDES = Overrides()

_CHECKS: dict[str, Callable[[object], Any]] = {
    "exclude": check_bool,
    "lastmod": check_lastmod,
    "changefreq": check_changefreq,
    "priority": check_priority,
    "dependencies": check_files,
}


def read_overrides(page: Page) -> tuple[Overrides, list[Problem]]:
    """Check what a page says; wrong values are left out, each with a problem that names it."""
    raw = page.overrides
    if raw is None:
        return NO_OVERRIDES, []
    if not isinstance(raw, Mapping):
        try:
            return Overrides(exclude=not check_bool(raw)), []
        except ValueError:
            allowed = (
                f"{shown(raw)} is not true, false or a mapping with any of {', '.join(_CHECKS)}"
            )
            return NO_OVERRIDES, [_problem(page, "sitemap", allowed)]
    overrides = NO_OVERRIDES
    problems = []
    for key, value in raw.items():
        check = _CHECKS.get(key) if isinstance(key, str) else None
        if check is None:
            problems.append(
                _problem(page, "sitemap", f"{shown(key)} is not one of {', '.join(_CHECKS)}")
            )
        elif value is not None:
            try:
                overrides = replace(overrides, **{key: check(value)})
            except ValueError as error:
                problems.append(_problem(page, f"sitemap {key}", str(error)))
    return overrides, problems


def _problem(page: Page, key: str, message: str) -> Problem:
    return Problem(ProblemKind.PAGE, f"{page.name}: {key}: {message}; the value is left out")
