"""Hooks of the project, and plugins, that change the Markdown of a page in their own
way.
"""

from types import ModuleType

from mkdocs.utils import meta

from mkdocs_sitemap.sources.adapters import Functions, Plugins, RenderedPage, Sources

_EVENTS = {"on_page_read_source", "on_page_markdown"}

# Plugins that insert what they find or compute in files, and that no adapter follows.
# Pages that use them contain these texts. Any page can use a hook.
_NOTATIONS = {
    "markdownextradata": "{{",
    "mkdocs-simple-hooks": "",
    "neoteroi.mkdocsoad": "[OAD(",
}


def functions(plugins: Plugins) -> Functions:
    return ()


def sources(page: RenderedPage) -> Sources:
    notations = {}
    for name, plugin in page.plugins.items():
        if name in _NOTATIONS:
            notations[name] = _NOTATIONS[name]
        elif isinstance(plugin, ModuleType) and _EVENTS & vars(plugin).keys():
            notations[name] = ""
    if notations:
        original, _ = meta.get_data(page.page.file.content_string)
        # Jinja removes the line break at the end.
        markdown = str(page.page.markdown)
        if markdown.strip() != original.strip():
            for name, notation in notations.items():
                if notation in original:
                    page.ran_code.add(name)
    return ()
