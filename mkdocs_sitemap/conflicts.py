"""Files of the user that the sitemap replaces, or that have no effect."""

import os
from collections.abc import Iterator

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files, InclusionLevel

from docs_sitemap.config.options import Options
from docs_sitemap.diagnostics import BuildCode, Diagnostic


def has_own_sitemap(filename: str, files: Files, config: MkDocsConfig) -> bool:
    """Return whether MkDocs copies or renders a file of the user to the path of the
    sitemap.
    """
    own = files.get_file_from_path(filename)
    is_copied = own is not None and own.inclusion.value > InclusionLevel.DRAFT.value
    return is_copied or filename in config.extra_templates


def find_conflicts(
    options: Options, config: MkDocsConfig, *, is_owner: bool
) -> Iterator[Diagnostic]:
    """Yield a warning for each of these files.

    Args:
        options: The options of the sitemap.
        config: The configuration of MkDocs.
        is_owner: Whether an existing sitemap belongs to an earlier build.
    """
    if not is_owner:
        yield Diagnostic(
            BuildCode.CONFLICT,
            f"your own {options.filename} is replaced: the sitemap plugin writes a "
            f"file with this name. Fix: remove it from "
            f"{os.path.basename(config.docs_dir)} or extra_templates, or set the "
            "option filename of the plugin.",
        )
    folder = config.theme.custom_dir
    if folder is None or options.template is not None:
        return
    override = os.path.join(folder, "sitemap.xml")
    if os.path.isfile(override):
        yield Diagnostic(
            BuildCode.CONFLICT,
            f"{override} is not used: the sitemap plugin has its own template. Fix: "
            "remove the file, or adapt it, and set the option template of the plugin "
            "to its path.",
        )
