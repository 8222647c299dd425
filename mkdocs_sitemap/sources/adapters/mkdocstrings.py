"""mkdocstrings and its handler for Python: the objects that a page documents."""

import re
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from functools import partial

from docs_sitemap.page import Source
from docs_sitemap.shown import COMPLETE_FILE, Shown, ShownKind
from docs_sitemap.shown.python import ObjectStyle, ShownObject
from mkdocs_sitemap.sources.adapter import Functions, Plugins, RenderedPage, Sources
from mkdocs_sitemap.sources.griffe import GetOption, find_objects

# Regular expressions are fast if they start with a plain text.
_ID = re.compile(r'id="([\w.]+)"')


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
    ids = set(_ID.findall(page.html))
    # A custom template can show anything.
    is_custom = bool(page.plugins["mkdocstrings"].config.custom_templates)
    objects: defaultdict[str, set[ShownObject]] = defaultdict(set)
    for call in page.calls:
        root, options = call.arguments[:2]
        option: GetOption = partial(getattr, options)
        if isinstance(options, Mapping):  # in older versions
            option = options.get
        style = _style(option)
        for path, item, has_code in find_objects(root, ids, option, style):
            shows_source = has_code and style.source
            objects[path].add(item._replace(style=style._replace(source=shows_source)))
    for path, items in objects.items():
        shown = COMPLETE_FILE
        if not is_custom:
            shown = Shown(ShownKind.PYTHON, objects=tuple(sorted(items)))
        yield Source(path, shows=shown, is_optional=True)


def _style(option: GetOption) -> ObjectStyle:
    """Return how the options of a block show objects:
    <https://mkdocstrings.github.io/python/usage/configuration/general/>.
    """
    filters = option("filters", ["!^_[^_]"])
    is_public = filters == "public"
    if is_public:
        filters = ["!^_"]
    shows_all = option("members", None) is True
    if shows_all:
        filters = []
    merges_init = bool(option("merge_init_into_class", False))
    order = str(option("members_order", ""))
    return ObjectStyle(
        tool="griffe",
        filters=tuple(map(_expression, filters or ())),
        exported=is_public and not shows_all,
        undocumented=shows_all or bool(option("show_if_no_docstring", False)),
        init="docstring" if merges_init else "",
        annotations=bool(option("show_signature_annotations", False)),
        source=bool(option("show_source", True)),
        ordered="source" in order or "__all__" in order,
    )


def _expression(regex: str | tuple[re.Pattern[str], bool]) -> str:
    """Return a filter, which the plugin may have compiled."""
    if isinstance(regex, str):
        return regex
    pattern, is_excluded = regex
    if is_excluded:
        return f"!{pattern.pattern}"
    return pattern.pattern
