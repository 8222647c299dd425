"""The event handlers:
<https://www.sphinx-doc.org/en/master/extdev/event_callbacks.html>.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import CONFIG_OK, BuildEnvironment
from sphinx.errors import SphinxError

from docs_sitemap.build import (
    build_sitemap,
    date_pages,
    remove_sitemap,
    with_few_collections,
)
from docs_sitemap.config.options import Options
from docs_sitemap.diagnostics import Diagnostics, ShallowError
from docs_sitemap.entry import Entry
from docs_sitemap.git.history import History
from docs_sitemap.page import Page
from docs_sitemap.result import BuildResult
from docs_sitemap.shown.front_matter import FrontMatterKeys
from docs_sitemap.site import EditUrl, Site
from docs_sitemap.sitemap.protocol import Url

from .config import URL_EVENT, BuildConfig, read_config
from .conflicts import (
    check_canonical_links,
    check_copied_sitemap,
    find_copied_file,
)
from .earlier_urls import EarlierUrls
from .pages import find_words, read_additional_pages, read_documents, recall_pages
from .sphinx_log import log_diagnostics, logger

if TYPE_CHECKING:
    from .page_dates import DocumentDates


class SitemapExtension:
    """The handlers of one build, and the values that they save for its end.

    Args:
        app: The application.
        builder: Its builder, which writes a website.
    """

    def __init__(self, app: Sphinx, builder: StandaloneHTMLBuilder) -> None:
        self._builder = builder
        self._history = History(app.doctreedir)
        self._front_matter = FrontMatterKeys(partial(find_words, app))
        self._is_fresh = app.env.config_status != CONFIG_OK  # Sphinx resets it later.
        self._additional_pages: set[str] = set()
        # If pages show dates: the entries of documents, and what their pages show.
        self._entries: dict[str, Entry] = {}
        self._dates: DocumentDates | None = None

    def date_documents(self, app: Sphinx, env: BuildEnvironment) -> list[str]:
        """Find the dates that pages show, and return the documents whose pages show
        other dates.
        """
        config = read_config(app)
        if not config.options.page_dates:
            return []
        from .page_dates import DocumentDates  # Most projects show no dates.

        documents = read_documents(self._builder, {}, config.options)
        diagnostics = Diagnostics()
        site = self._site(app, config, documents.values())
        entries = date_pages(site, diagnostics)
        log_diagnostics(diagnostics, env)
        self._entries = dict(zip(documents, entries, strict=True))
        self._dates = DocumentDates(self._builder, self._entries)
        return self._dates.changed()

    def note_page(
        self,
        app: Sphinx,
        pagename: str,
        templatename: str,
        context: dict[str, Any],
        doctree: nodes.document | None,
    ) -> None:
        # Pages of documents are read from the environment at the end: `sphinx-build -j`
        # writes them in other processes, where this note would be lost.
        # `opensearch.xml` is not a page.
        if doctree is None and templatename != "opensearch.xml":
            self._additional_pages.add(pagename)
        if self._dates is not None:
            self._dates.show(pagename, context)

    @with_few_collections()
    def write_sitemap(self, app: Sphinx, exception: Exception | None) -> None:
        if exception is not None:
            return
        builder = self._builder
        additional_pages = recall_pages(
            builder, self._additional_pages, is_fresh=self._is_fresh
        )
        config = read_config(app)
        if config.problem is not None:
            is_owner = find_copied_file(app, config.options.filename) is None
            removal = remove_sitemap(config.options, app.outdir, is_owner=is_owner)
            log_diagnostics([config.problem, *removal], app.env)
        else:
            pages = read_additional_pages(builder, additional_pages)
            if self._dates is None:
                documents = read_documents(builder, additional_pages, config.options)
                pages = [*documents.values(), *pages]
            for docname, entry in self._entries.items():
                if additional_pages.get(docname):  # Sphinx has overwritten the page.
                    entry.page = entry.page._replace(generator_page=True)
            site = self._site(app, config, pages)
            earlier_urls = EarlierUrls(app, config.options)
            try:
                result = build_sitemap(site, list(self._entries.values()))
            except ShallowError as error:  # Sphinx prints no traceback of this error.
                raise SphinxError(f"no sitemap is written: {error}") from None
            _log_result(app, config.options, result, earlier_urls)
        if self._dates is not None:
            log_diagnostics(self._dates.report(), app.env)
            self._dates.save()

    def _site(self, app: Sphinx, config: BuildConfig, pages: Iterable[Page]) -> Site:
        return Site(
            pages=pages,
            options=config.options,
            out_dir=app.outdir,
            root=config.root,
            history=self._history,
            edit_url=_find_url_hook(app),
            find_original=partial(find_copied_file, app),
            front_matter=self._front_matter,
            generator="sphinx",
            is_owner=find_copied_file(app, config.options.filename) is None,
        )


def _log_result(
    app: Sphinx, options: Options, result: BuildResult, earlier_urls: EarlierUrls
) -> None:
    """Log what a person should know about the sitemap."""
    check_canonical_links(options, app.config)
    check_copied_sitemap(app, options, result)
    log_diagnostics([*earlier_urls.check(result), *result.diagnostics], app.env)
    if app.verbosity:
        for line in result.details:
            logger.verbose("%s", line)
    logger.info("%s", result.summary)


def _find_url_hook(app: Sphinx) -> EditUrl | None:
    """Return a function that calls the handlers of the event; `None` if there are
    none.
    """
    if not app.events.listeners.get(URL_EVENT):
        return None
    return partial(_edit_url, app)


def _edit_url(app: Sphinx, page: Page, url: Url) -> Url | None:
    """Let the handlers change an entry. All of them receive the same entry; the last
    change wins.
    """
    results = app.emit(URL_EVENT, page, url)
    if None in results:
        return None
    for result in reversed(results):
        if result != url:
            return result  # type: ignore[no-any-return]
    return url
