"""mkautodoc: the objects that a page documents."""

import inspect
import sys

from docs_sitemap import Source
from docs_sitemap.shown import Shown, ShownKind
from mkdocs_sitemap.sources.adapter import Functions, Plugins, RenderedPage, Sources
from mkdocs_sitemap.sources.python_files import source_file


def functions(plugins: Plugins) -> Functions:
    if "mkautodoc.extension" in sys.modules:
        yield sys.modules["mkautodoc.extension"].AutoDocProcessor, "render_signature"


def sources(page: RenderedPage) -> Sources:
    for call in page.calls:
        item = call.arguments[2]
        path = source_file(item)
        if path is not None:  # Values are shown by name only.
            name = getattr(inspect.unwrap(item), "__qualname__", "")
            yield Source(path, shows=Shown(ShownKind.PYTHON, (name,)), is_optional=True)
