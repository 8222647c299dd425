"""Functions of the user that change entries of the sitemap."""

from mkdocs.config.defaults import MkDocsConfig

from docs_sitemap.page import Page
from docs_sitemap.site import EditUrl
from docs_sitemap.sitemap.protocol import Url

# MkDocs accepts names that start with `on_` only for its own events.
_NAME = "edit_sitemap_url"


def find_url_hook(config: MkDocsConfig) -> EditUrl | None:
    """Return a function that calls the hooks of all plugins and of the option `hooks`,
    in the order of the configuration; `None` if there are none.
    """
    # MkDocs adds the modules of the option `hooks` to the plugins.
    hooks = []
    for plugin in config.plugins.values():
        if hasattr(plugin, _NAME):
            hooks.append(getattr(plugin, _NAME))

    def edit_url(page: Page, url: Url) -> Url | None:
        edited: Url | None = url
        for hook in hooks:
            if edited is not None:
                edited = hook(page, edited)
        return edited

    return edit_url if hooks else None
