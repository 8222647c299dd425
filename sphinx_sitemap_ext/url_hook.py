"""Functions of the user that change entries of the sitemap: handlers of an event."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sphinx.application import Sphinx

if TYPE_CHECKING:
    from docs_sitemap.page import Page
    from docs_sitemap.site import EditUrl
    from docs_sitemap.sitemap.protocol import Url

# Handlers receive the application, a page, and its entry. They return the entry or
# `None`.
URL_EVENT = "sitemap-url"


def find_url_hook(app: Sphinx) -> EditUrl | None:
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
