"""Hooks of the project that change the Markdown of a page."""

from types import ModuleType

from mkdocs.utils import meta

from mkdocs_sitemap.sources.adapter import Functions, Plugins, RenderedPage, Sources

_EVENTS = {"on_page_read_source", "on_page_markdown"}


def functions(plugins: Plugins) -> Functions:
    yield from ()


def sources(page: RenderedPage) -> Sources:
    hooks = [
        name
        for name, plugin in page.plugins.items()
        if isinstance(plugin, ModuleType) and _EVENTS & vars(plugin).keys()
    ]
    if hooks and page.page.markdown != meta.get_data(page.page.file.content_string)[0]:
        page.ran_code.update(hooks)
    yield from ()
