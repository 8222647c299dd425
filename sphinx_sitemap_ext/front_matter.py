"""Which keys of front matter the pages of Sphinx show."""

import os

from sphinx.application import Sphinx
from sphinx.jinja2glue import BuiltinTemplateLoader

from docs_sitemap.shown.front_matter import names_in_code, names_in_templates

# Sphinx and this extension read only keys that no page shows.
_OWN_PACKAGES = ("sphinx", "sphinx_sitemap_ext")


def find_words(app: Sphinx) -> set[str]:
    """Return the names in the templates and extensions of a site, and in `conf.py`."""
    words = names_in_code(os.path.join(app.confdir, "conf.py"))
    own_folders = [os.path.join(app.confdir, one) for one in app.config.templates_path]
    templates = app.builder.templates
    if isinstance(templates, BuiltinTemplateLoader):
        for folder in map(os.fspath, templates.pathchain):
            is_theme = folder not in own_folders
            words |= names_in_templates(folder, is_theme=is_theme)
    for extension in app.extensions.values():
        module = extension.module
        file = getattr(module, "__file__", None)
        package = extension.name.partition(".")[0]
        if file is not None and package not in _OWN_PACKAGES:
            is_package = bool(module.__package__)
            words |= names_in_code(os.path.dirname(file) if is_package else file)
    return words
