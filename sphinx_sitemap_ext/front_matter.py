"""Which keys of front matter the pages of Sphinx show."""

import os
import re

from sphinx.application import Sphinx
from sphinx.jinja2glue import BuiltinTemplateLoader

from docs_sitemap.shown.front_matter import KeyReaders
from docs_sitemap.sources.key_readers import KeyReaderSearch

# Extensions whose code reads file-wide metadata, and the keys that they show.
_KNOWN_EXTENSIONS = {
    "ablog": (
        "author",
        "blogpost",
        "category",
        "date",
        "external_link",
        "image",
        "language",
        "location",
        "tags",
    ),
    "furo": (),
    "myst_nb": (),
    "myst_parser": ("html_meta", "myst", "substitutions"),
    "notfound": (),
    "sphinx_book_theme": (),
    "sphinx_external_toc": (),
    "sphinx_immaterial": (),
    "sphinx_llms_txt": (),
    "sphinx_sitemap_ext": (),
    "sphinx_tags": ("tags",),
    "sphinx_thebe": (),
    "sphinxext": (),
}

# How code reads metadata: from the environment, or from the context of a template.
_METADATA = re.compile(r"\benv\.metadata\b|\w(?:\[|\.(?:get|pop)\()\s*[\"']meta[\"']")


def find_readers(app: Sphinx) -> KeyReaders:
    """Return the keys that the templates and extensions of a site read."""
    search = KeyReaderSearch()
    templates = app.builder.templates
    if isinstance(templates, BuiltinTemplateLoader):
        search.add_templates(map(os.fspath, templates.pathchain))
    else:
        search.unknown.add("template bridge")
    for full_name, extension in app.extensions.items():
        name = full_name.partition(".")[0]
        if name in _KNOWN_EXTENSIONS:
            search.keys.update(_KNOWN_EXTENSIONS[name])
        elif name != "sphinx" and extension.module is not None:
            search.add_module(f"extension {full_name}", extension.module, _read_code)
    search.add_script("conf.py", os.path.join(app.confdir, "conf.py"), _read_code)
    return search.result()


def _read_code(text: str) -> set[str] | None:
    """Return no keys; `None` if a module may read any key."""
    return set() if _METADATA.search(text) is None else None
