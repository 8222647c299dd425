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

from docs_sitemap.build_report import Report
from docs_sitemap.built.page_date import DATE_CLASS
from docs_sitemap.config.options import Options
from docs_sitemap.diagnostics import BuildCode
from docs_sitemap.page_dates import correct_dates, make_page_date
from docs_sitemap.tools.json_store import JsonStore

from .pages import page_url
from .sphinx_log import warn


@dataclass(frozen=True)
class WrittenDates:
    """The dates in the pages of an earlier build, by document."""

    dates: dict[str, str] = field(default_factory=dict)


class DocumentDates:
    """The dates that the documents of one build show.

    Args:
        builder: The builder.
        urls: The W3C datetime of each page that has a date, by its URL.
        options: The options of the sitemap.
    """

    def __init__(
        self, builder: StandaloneHTMLBuilder, urls: Mapping[str, str], options: Options
    ) -> None:
        self._builder = builder
        # With a content record, the content of the pages decides.
        self._has_record = options.lastmod_record is not None
        self._dates: dict[str, str] = {}
        for docname in builder.env.found_docs:
            lastmod = urls.get(page_url(builder, docname))
            if lastmod is not None:
                self._dates[docname] = lastmod
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
        lastmod = self._dates.get(docname)
        shown = None if lastmod is None else make_page_date(lastmod, self._format)
        if shown is None:
            return
        if self._has_record:
            shown = shown.provisional()
        element = Markup(shown.element)  # noqa: S704 (it is escaped)
        context["last_updated"] = element
        theme = self._builder.theme
        if "pydata_sphinx_theme" in str(theme.get_theme_dirs()):
            context["last_updated"] = shown.text  # The theme also sets an attribute.
        elif theme.name == "alabaster":  # The theme shows no date.
            body = context.get("body", "")
            paragraph = f'<p class="{DATE_CLASS}"><small>{element}</small></p>'
            context["body"] = f"{body}{paragraph}"
        context["sitemap_lastmod"] = shown.timestamp
        context["metatags"] = f"{context.get('metatags', '')}\n    {shown.meta}"

    def finish(self, report: Report) -> None:
        """Write the dates of the sitemap into pages that show others, and remember what
        all pages show.
        """
        if self._has_record:
            shown = {}
            for docname, lastmod in self._dates.items():
                output = str(self._builder.get_outfilename(docname))
                shown[output] = lastmod, self._format
            try:
                correct_dates(report.listed + report.excluded, shown)
            except OSError as error:
                message = f"the dates in pages cannot be corrected: {error}"
                warn(BuildCode.WRITE, f"{message}. Fix: build all pages again.")
        dates = dict(sorted(self._dates.items()))
        with suppress(OSError):  # The next build writes all pages again.
            self._store.save(WrittenDates(dates))


def _format(config: Config, date: datetime) -> str:
    pattern = config.html_last_updated_fmt or _("%b %d, %Y")
    return format_date(pattern, date=date, language=config.language)
