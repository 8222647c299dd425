"""Options that a user sets, but that have no effect."""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress

from docs_sitemap.config.options import OPTION_NAMES, Options
from docs_sitemap.diagnostics import SitemapError

from .mkdocs_project.project import MkDocsProject
from .mkdocs_project.project_file import PLUGIN, find_project_files, read_project
from .mkdocs_project.site_project import SiteProject
from .option_places import CONFIG_FILES


def find_ineffective(
    options: Options,
    places: Mapping[str, str],
    found: SiteProject,
    own: str | None,
    folder: str,
) -> Iterator[str]:
    """Yield a notice for each setting that has no effect.

    Args:
        options: The options that have one.
        places: The file that sets each option.
        found: The configuration of the generator.
        own: The configuration of docs-sitemap.
        folder: The folder of the project; empty for the current one.
    """
    if found.has_options:
        yield found.unused
    if found.project is not None:
        yield from _find_in_project(found.project)
    current = []
    if own is None and os.path.lexists(CONFIG_FILES[0]):
        current.append(CONFIG_FILES[0])
    if found.project is None and not found.unused:
        current += find_project_files("")
    for file in current:
        yield (
            f"{file} has no effect, because --config is a file in {folder}. Fix: move "
            "one of them into the folder of the other"
        )
    if options.page_dates:
        yield (
            f"{OPTION_NAMES['page_dates']} in {places['page_dates']} has no effect: "
            "only the plugin of MkDocs and the extension of Sphinx show dates in "
            "pages. Fix: remove it"
        )


def _find_in_project(project: MkDocsProject) -> Iterator[str]:
    """Yield options of the plugin that are in a file which the generator does not
    read.
    """
    if project.sections(PLUGIN):
        return
    for file in find_project_files(os.path.dirname(project.name)):
        other = None
        with suppress(SitemapError):
            other = read_project(file)
        if other is not None and other.plugin(PLUGIN):
            yield (
                f"the options of {PLUGIN} in {file} have no effect, because "
                f"{project.name} is the configuration of the site. Fix: move them there"
            )
