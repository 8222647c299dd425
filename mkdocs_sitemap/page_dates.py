"""Show the dates of pages: in the fields that themes read, in Markdown, or below the
text.
"""

from collections.abc import Callable, Sequence
from copy import copy
from datetime import datetime
from functools import cache, partial
from operator import attrgetter

import jinja2
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext

from docs_sitemap.built.page_date import (
    make_page_date,
    make_paragraph,
    make_tokens,
    place_date,
)
from docs_sitemap.diagnostics import BuildCode, Diagnostic, Diagnostics
from docs_sitemap.entry import Entry
from docs_sitemap.tools.printing import count

from .address import page_language, theme_language
from .markdown_dates import FIELD, SITE_FIELD, DateVariables
from .pages import REVISION_DATE

# The attributes of a page with its content: of MkDocs, and of mkdocs-print-site.
_CONTENT = ("content", "html")

# The languages that most documentation is written in. Babel has no such word.
_LABELS = {
    "ar": "آخر تحديث",
    "cs": "Poslední aktualizace",
    "de": "Zuletzt aktualisiert",
    "en": "Last updated",
    "es": "Última actualización",
    "fa": "آخرین به‌روزرسانی",
    "fr": "Dernière mise à jour\N{NO-BREAK SPACE}",
    "id": "Terakhir diperbarui",
    "it": "Ultimo aggiornamento",
    "ja": "最終更新日",
    "ko": "마지막 업데이트",
    "nl": "Laatst bijgewerkt",
    "pl": "Ostatnia aktualizacja",
    "pt": "Última atualização",
    "ru": "Последнее обновление",
    "sv": "Senast uppdaterad",
    "tr": "Son güncelleme",
    "uk": "Останнє оновлення",
    "vi": "Cập nhật lần cuối",
    "zh": "最后更新",
    "zh-hant": "最後更新",
    "zh-tw": "最後更新",
}


class PageDates:
    """The dates that the pages of a build show, and those of the builds within it."""

    def __init__(self) -> None:
        self._variables = DateVariables()
        self._tokens = make_tokens()
        self._env: jinja2.Environment
        self._language: str
        self._date_label: Callable[[str], str]
        self._theme_shows: bool | None = None
        # What the page that is rendered now shows below its text; `None` if the theme
        # shows its date, or nothing does.
        self._paragraph: str | None = None
        self._names_without_date: list[str] = []

    def read_page(self, markdown: str, page: Page) -> str:
        """Return the text of a page with tokens for the dates in it."""
        return self._variables.mark(markdown, page)

    def set_dates(
        self,
        files: Sequence[File],
        entries: Sequence[Entry],
        env: jinja2.Environment,
        config: MkDocsConfig,
    ) -> None:
        """Set the fields of pages. A date that the author has set stays.

        Args:
            files: The files of the pages.
            entries: The entries of the same pages.
            env: The templates of the theme.
            config: The configuration of MkDocs.
        """
        self._env = env
        self._language = theme_language(config)
        self._date_label = cache(partial(_date_label, env))
        self._theme_shows = None
        dates = []
        for file, entry in zip(files, entries, strict=True):
            format_date = partial(_format, page_language(file, self._language))
            dates.append(make_page_date(entry.url.lastmod, format_date))
        known = [date for date in dates if date is not None]
        newest = max(known, key=attrgetter("timestamp"), default=None)
        pages = []
        for file, page_date in zip(files, dates, strict=True):
            page = file.page
            if page is None:
                continue
            pages.append(page)
            self._variables.unset_fields(page)
            if newest is not None:
                page.meta[SITE_FIELD] = newest.element
            if page_date is not None and REVISION_DATE not in page.meta:
                page.meta[REVISION_DATE] = page.meta[FIELD] = page_date.element
                page.meta[f"{FIELD}_raw_iso_date"] = page_date.day
                page.meta[f"{FIELD}_raw_iso_datetime"] = page_date.timestamp
        for page in pages:  # Pages may contain the text of each other.
            for attribute in _CONTENT:
                text = getattr(page, attribute, None)
                if text:
                    setattr(page, attribute, self._variables.replace(text))
            self._variables.note_creation_date(page)

    def start_page(self, page: Page, context: TemplateContext) -> None:
        """Let the template receive a copy of the page, in which tokens stand for its
        date, if the theme does not show it.
        """
        self._paragraph = None
        # Material's lists of posts have the dates of the posts below their text.
        if REVISION_DATE not in page.meta or hasattr(page, "posts"):
            return
        token = self._tokens.field
        rendered = copy(page)
        rendered.meta = {**page.meta, REVISION_DATE: token, FIELD: token}
        context["page"] = rendered
        if self._theme_shows is None:
            self._theme_shows = self._try_theme(context)
        if self._theme_shows:
            context["page"] = page
            return
        text = str(page.meta[REVISION_DATE])
        label = self._date_label(page_language(page.file, self._language))
        if label:
            text = f"{label}: {text}"
        self._paragraph = make_paragraph(text)
        # A template may need the type of a date that the author has set.
        if page.meta.get(FIELD) != page.meta[REVISION_DATE]:
            rendered.meta = page.meta
        rendered.content = f"{page.content or ''}{self._tokens.below}"

    def _try_theme(self, context: TemplateContext) -> bool:
        """Return whether the template of most pages shows the date of a page, which may
        have another template.
        """
        try:
            output = self._env.get_template("main.html").render(context)
        except Exception:  # The template may not be made for this page.
            return False
        return place_date(output, self._tokens, "", "").theme_shows

    def finish_page(self, output: str, page: Page) -> str:
        """Return a rendered page with dates in the place of tokens."""
        if self._paragraph is not None:
            date = str(page.meta[REVISION_DATE])
            placed = place_date(output, self._tokens, date, self._paragraph)
            output = placed.page
            if not placed.shows_date:
                self._names_without_date.append(page.file.src_uri)
        return self._variables.replace(output)

    def report(self) -> list[Diagnostic]:
        """Return what the build could not show."""
        diagnostics = Diagnostics()
        names = self._names_without_date
        if names:
            diagnostics.note(
                BuildCode.OPTION,
                f"page_dates has no effect on {count(len(names), 'page')}, first on "
                f"{names[0]}: the template shows neither a date nor the content of the "
                "page. Fix: add {{ page.meta.revision_date }} to the template.",
            )
        self._variables.report(diagnostics)
        return diagnostics


def _format(language: str, date: datetime) -> str:
    """Return a date in a language, such as May 31, 2026. Without Babel, which Material
    for MkDocs installs, it is the same in all languages.
    """
    try:
        from babel import Locale, UnknownLocaleError
        from babel.dates import format_date

        locale = Locale.parse(language.replace("-", "_"))
        return format_date(date, format="long", locale=locale)
    except (ImportError, UnknownLocaleError, ValueError):
        return date.date().isoformat()


def _date_label(env: jinja2.Environment, language: str) -> str:
    """Return the translation of the theme, or ours; empty if there is none.

    Args:
        env: The templates of the theme.
        language: The language of the theme.
    """
    code = language.replace("_", "-").lower()
    label = _LABELS.get(code) or _LABELS.get(code.partition("-")[0], "")
    try:
        # Of Material for MkDocs, and of themes that were made from it.
        template = env.get_template(f"partials/languages/{language}.html")
        translate = getattr(template.module, "t", None)
        if translate is not None:
            label = translate("source.file.date.updated") or label
    except jinja2.TemplateError:  # usually, there is no such template
        return label
    return str(label)
