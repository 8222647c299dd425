"""A user's own sitemap beside the plugin's: nothing of it vanishes without a word."""

from __future__ import annotations

import os

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files, InclusionLevel

from mkdocs_sitemap.theme import TEMPLATE


def own_file(filename: str, config: MkDocsConfig, files: Files) -> str | None:
    """Return what else writes the sitemap's file, if anything does."""
    if filename in config.extra_templates:
        return f"extra_templates lists {filename}"
    for name in (filename, f"{filename}.gz"):
        file = files.get_file_from_path(name)
        if file is not None and file.inclusion.value > InclusionLevel.DRAFT.value:
            return f"{os.path.basename(config.docs_dir)} holds a file {name}"
    return None


def own_template(config: MkDocsConfig) -> str | None:
    """Return the `sitemap.xml` in the theme's `custom_dir`, if there is one."""
    if config.theme.custom_dir is None:
        return None
    path = os.path.join(config.theme.custom_dir, TEMPLATE)
    return path if os.path.isfile(path) else None
