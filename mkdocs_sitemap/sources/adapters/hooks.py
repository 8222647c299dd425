"""Hooks of the project, and plugins, that change the Markdown of a page in their own way."""

from types import ModuleType

from mkdocs.utils import meta

from mkdocs_sitemap.sources.adapter import Functions, Plugins, RenderedPage, Sources

_EVENTS = {"on_page_read_source", "on_page_markdown"}

# Plugins that insert files, or what they compute from files, and that no adapter follows.
_PLUGINS = {"kroki", "markdownextradata", "mkdocs-simple-hooks", "neoteroi.mkdocsoad"}


def functions(plugins: Plugins) -> Functions:
    yield from ()


def sources(page: RenderedPage) -> Sources:
    hooks = [
        name
        for name, plugin in page.plugins.items()
        if name in _PLUGINS or (isinstance(plugin, ModuleType) and _EVENTS & vars(plugin).keys())
    ]
    original, _ = meta.get_data(page.page.file.content_string)
    # Jinja removes the line break at the end.
    if (page.page.markdown or "").strip() != original.strip():
        page.ran_code.update(hooks)
    yield from ()
