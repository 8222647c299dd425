"""Find files of the user that the sitemap replaces, and templates that are not used."""

from __future__ import annotations

import os

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files, InclusionLevel


def find_replaced_file(filename: str, config: MkDocsConfig, files: Files) -> str | None:
    """Return a description of the file of the user that has the name of the sitemap, if any."""
    if filename in config.extra_templates:
        return f"{filename} in extra_templates"
    for name in (filename, f"{filename}.gz"):
        file = files.get_file_from_path(name)
        if file is not None and file.inclusion.value > InclusionLevel.DRAFT.value:
            return f"{os.path.basename(config.docs_dir)}/{name}"
    return None


def find_template_override(config: MkDocsConfig) -> str | None:
    """Return the path of a `sitemap.xml` in the `custom_dir` of the theme, if there is one."""
    if config.theme.custom_dir is None:
        return None
    path = os.path.normpath(os.path.join(config.theme.custom_dir, "sitemap.xml"))
    return path if os.path.isfile(path) else None
