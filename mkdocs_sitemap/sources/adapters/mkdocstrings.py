"""mkdocstrings and its handler for Python."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial

from docs_sitemap.sources.mkdocstrings_blocks import GetOption
from docs_sitemap.sources.python_objects import DocumentedObject, object_sources
from mkdocs_sitemap.sources.adapters import Functions, Plugins, RenderedPage, Sources


def functions(plugins: Plugins) -> Functions:
    plugin = plugins.get("mkdocstrings")
    if plugin is None or not plugin.config.enabled:
        return
    if "python" in (plugin.config.default_handler, *plugin.config.handlers):
        # It may be that the handler is not installed, and no page needs it.
        with suppress(ImportError):
            # `render(data, options)` renders a block of a page.
            yield plugin.handlers.get_handler("python"), "render"


def sources(page: RenderedPage) -> Sources:
    is_custom = bool(page.plugins["mkdocstrings"].config.custom_templates)
    return object_sources(_documented(page), page.html, is_custom=is_custom)


def _documented(page: RenderedPage) -> Iterator[DocumentedObject]:
    """Yield the objects of Griffe that the blocks of a page document."""
    for call in page.calls:
        root, options = call.arguments[:2]
        option: GetOption = partial(getattr, options)
        if isinstance(options, Mapping):  # in older versions
            option = options.get
        yield DocumentedObject(root, option)
