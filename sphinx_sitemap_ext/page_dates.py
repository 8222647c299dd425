"""Show the dates of documents: in the values that themes read, or below the text."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.config import Config
from sphinx.locale import _
from sphinx.util.i18n import format_date

from docs_sitemap.built.page_date import (
    DATE_CLASS,
    make_page_date,
    make_paragraph,
    make_tokens,
    place_date,
)
from docs_sitemap.diagnostics import BuildCode, Diagnostic, Diagnostics
from docs_sitemap.entry import Entry
from docs_sitemap.tools.files import MAX_TEXT, read_regular
from docs_sitemap.tools.json_store import JsonStore
from docs_sitemap.tools.printing import count

# The value for a template that `_render` uses.
_PLACEMENT = "sitemap_date_placement"


@dataclass(frozen=True)
class WrittenDates:
    """The dates in the pages of an earlier build, by document."""

    dates: dict[str, str] = field(default_factory=dict)


class DocumentDates:
    """The dates that the documents of one build show.

    Args:
        builder: The builder.
        entries: The entries of the documents, by their names.
    """

    def __init__(
        self, builder: StandaloneHTMLBuilder, entries: Mapping[str, Entry]
    ) -> None:
        self._builder = builder
        self._dates: dict[str, str] = {}
        for docname, entry in entries.items():
            if entry.url.lastmod is not None:
                self._dates[docname] = entry.url.lastmod
        self._format = partial(_format, builder.config)
        self._tokens = make_tokens()
        # Sphinx has no event after a page is rendered.
        templates = builder.templates
        templates.render = partial(_render, templates.render)
        # Several builds can share the doctrees.
        name = sha256(os.fsencode(builder.outdir)).hexdigest()[:16]
        path = Path(builder.doctreedir, f"sitemap-dates-{name}.json")
        self._store = JsonStore(path, WrittenDates, version=1, is_private=True)

    def changed(self) -> list[str]:
        """Return the documents whose pages an earlier build wrote with other dates."""
        written = self._store.load() or WrittenDates()
        changed = []
        for docname in self._builder.env.found_docs:
            if written.dates.get(docname) != self._dates.get(docname):
                changed.append(docname)
        return changed

    def show(self, docname: str, context: dict[str, Any]) -> None:
        """Set the values for the template of a document. On its own, Sphinx shows the
        date of the build on each page.
        """
        context["last_updated"] = None
        page_date = make_page_date(self._dates.get(docname), self._format)
        if page_date is None:
            return
        context["last_updated"] = self._tokens.field
        context["body"] = f"{context.get('body', '')}{self._tokens.below}"
        context["sitemap_lastmod"] = page_date.timestamp
        context["metatags"] = f"{context.get('metatags', '')}\n    {page_date.meta}"
        label = _("Last updated on %(last_updated)s.")
        paragraph = make_paragraph(label % {"last_updated": page_date.element})
        context[_PLACEMENT] = (self._tokens, page_date.element, paragraph)

    def report(self) -> list[Diagnostic]:
        """Return a notice if the theme cannot show dates."""
        diagnostics = Diagnostics()
        builder = self._builder
        number = 0
        for docname in sorted(self._dates):
            try:
                page = read_regular(builder.get_outfilename(docname), MAX_TEXT)
            except OSError:
                continue
            if DATE_CLASS.encode() in page:  # usually, on the first page
                return diagnostics
            number += 1
        if number:
            diagnostics.note(
                BuildCode.OPTION,
                f"sitemap_page_dates has no effect on {count(number, 'page')}: the "
                f"theme {builder.theme.name} shows neither last_updated nor body. Fix: "
                "add {{ last_updated }} to a template.",
            )
        return diagnostics

    def save(self) -> None:
        """Remember what all pages show."""
        dates = dict(sorted(self._dates.items()))
        with suppress(OSError):  # The next build writes all pages again.
            self._store.save(WrittenDates(dates))


def _format(config: Config, date: datetime) -> str:
    pattern = config.html_last_updated_fmt or _("%b %d, %Y")
    return format_date(pattern, date=date, language=config.language)


def _render(
    render: Callable[[str, dict[str, Any]], str], template: str, context: dict[str, Any]
) -> str:
    """Render a page, and place its date."""
    placement = context.pop(_PLACEMENT, None)
    page = render(template, context)
    if placement is None:
        return page
    return place_date(page, *placement).page
