"""Show the dates of documents, in the values that themes read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from markupsafe import Markup
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.config import Config
from sphinx.locale import _
from sphinx.util.i18n import format_date

from docs_sitemap.built.page_date import make_page_date, make_paragraph
from docs_sitemap.entry import Entry
from docs_sitemap.tools.json_store import JsonStore


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
            if entry.shown_lastmod is not None:
                self._dates[docname] = entry.shown_lastmod
        self._format = partial(_format, builder.config)
        # Several builds can share the doctrees.
        name = sha256(os.fsencode(builder.outdir)).hexdigest()[:16]
        path = Path(builder.doctreedir, f"sitemap-dates-{name}.json")
        self._store = JsonStore(path, WrittenDates, version=1)

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
        element = Markup(page_date.element)  # noqa: S704 (it is escaped)
        context["last_updated"] = element
        theme = self._builder.theme
        if "pydata_sphinx_theme" in str(theme.get_theme_dirs()):
            # The theme also sets an attribute.
            context["last_updated"] = page_date.text
        elif theme.name == "alabaster":  # The theme shows no date.
            context["body"] = f"{context.get('body', '')}{make_paragraph(element)}"
        context["sitemap_lastmod"] = page_date.timestamp
        context["metatags"] = f"{context.get('metatags', '')}\n    {page_date.meta}"

    def save(self) -> None:
        """Remember what all pages show."""
        dates = dict(sorted(self._dates.items()))
        with suppress(OSError):  # The next build writes all pages again.
            self._store.save(WrittenDates(dates))


def _format(config: Config, date: datetime) -> str:
    pattern = config.html_last_updated_fmt or _("%b %d, %Y")
    return format_date(pattern, date=date, language=config.language)
