"""Hooks of the project, and plugins, that change the Markdown of a page in their own
way.
"""

from types import ModuleType

from mkdocs.utils import meta

from mkdocs_sitemap.sources.adapter import Functions, Plugins, RenderedPage, Sources

_EVENTS = {"on_page_read_source", "on_page_markdown"}

# Plugins that insert what they find or compute in files, and that no adapter follows.
# Pages that use them contain these texts.
_NOTATIONS = {
    "markdownextradata": "{{",
    "mkdocs-simple-hooks": "",
    "neoteroi.mkdocsoad": "[OAD(",
}


def functions(plugins: Plugins) -> Functions:
    yield from ()


def sources(page: RenderedPage) -> Sources:
    original, _ = meta.get_data(page.page.file.content_string)
    # Jinja removes the line break at the end.
    if str(page.page.markdown).strip() == original.strip():
        return
    for name, plugin in page.plugins.items():
        if isinstance(plugin, ModuleType) and not _EVENTS.isdisjoint(vars(plugin)):
            page.ran_code.add(name)
    for name, notation in _NOTATIONS.items():
        if name in page.plugins and notation in original:
            page.ran_code.add(name)
    yield from ()
