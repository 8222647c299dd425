"""Files of the user that would become the sitemap."""

import os
from collections.abc import Iterator

from docs_sitemap.config.options import OPTION_NAMES, Options
from docs_sitemap.diagnostics import BuildCode, Diagnostic
from docs_sitemap.tools.files import relative_path

from .metadata.shown_keys import custom_folder
from .project import MkDocsProject

# The template in the theme of MkDocs and Zensical.
_TEMPLATE = "sitemap.xml"


def find_own_sitemaps(project: MkDocsProject, options: Options) -> Iterator[Diagnostic]:
    """Yield a warning for each of these files that is not used.

    Args:
        project: The project.
        options: The options of the sitemap.
    """
    if os.path.isfile(os.path.join(project.docs_dir, options.filename)):
        yield Diagnostic(
            BuildCode.CONFLICT,
            f"your own {options.filename} is replaced: docs-sitemap writes a file with "
            f"this name. Fix: remove it from {os.path.basename(project.docs_dir)}, or "
            f"set {OPTION_NAMES['filename']}.",
        )
    folder = custom_folder(project)
    if folder is None or options.template is not None:
        return
    template = os.path.join(folder, _TEMPLATE)
    if os.path.isfile(template):
        yield Diagnostic(
            BuildCode.CONFLICT,
            f"{relative_path(template, os.getcwd())} is not used: docs-sitemap has "
            "its own template. Fix: remove the file, or adapt it and set "
            f"{OPTION_NAMES['template']} to its path.",
        )
