"""The options of `docs-sitemap generate`: from the command line, the configuration of
docs-sitemap, and that of Zensical or MkDocs.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import click

from docs_sitemap.config.options import PLUGIN_NAMES, Options

from .ineffective_options import find_ineffective
from .mkdocs_project.project import MkDocsProject
from .mkdocs_project.project_file import (
    PLUGIN,
    PROJECT_FILES,
    check_table,
    find_project_files,
    read_project,
    read_toml,
)
from .mkdocs_project.site_project import SiteProject, find_site_dir, find_site_project
from .option_places import (
    COMMAND_LINE,
    CONFIG_FILES,
    OptionPlace,
    label_option,
    merge_options,
)


@dataclass(frozen=True)
class ProjectOptions:
    """The options of a site.

    Attributes:
        options: The options.
        folder: The absolute path of the project folder.
        site_dir: The folder of the site.
        project: The configuration of the generator; `None` if there is none for this
            site.
        places: The file that sets each option, or the command line; empty if files set
            none.
        unused: Why a configuration of a generator is not used; empty if it is.
        notes: What has no effect.
    """

    options: Options
    folder: str
    site_dir: str
    project: MkDocsProject | None = None
    places: Mapping[str, str] = field(default_factory=dict)
    unused: str = ""
    notes: tuple[str, ...] = ()

    def label(self, name: str) -> str:
        """Return what errors call an option, where it is set."""
        return label_option(name, self.places.get(name, COMMAND_LINE))


def read_settings(
    given: Mapping[str, Any], site_dir: str | None, config: str | None = None
) -> ProjectOptions:
    """Return the options for a site.

    Args:
        given: The options from the command line, which replace those in files.
        site_dir: The folder of the site. By default, the configuration of the generator
            names it.
        config: The configuration of docs-sitemap, or of the generator. The other one is
            in the same folder. By default, this is the current folder.

    Raises:
        SitemapError: A file cannot be used.
        OptionError: Some options are invalid. The error lists all of them.
        click.BadParameter: The folder of the site is unknown.
    """
    folder = os.path.dirname(config or "")
    own = _find_own_file(folder)
    file = config
    if config is not None and not _is_project_file(config):
        own, file = config, None
    found = _find_project(file, folder, site_dir)
    project = found.project
    places = []
    if project is not None:
        places.append(_read_plugin(project))
        site_dir = site_dir or find_site_dir(project)
    if own is not None:
        places.append(OptionPlace(own, _read_table(own), os.path.abspath(folder)))
    places.append(OptionPlace("", given, os.getcwd()))
    options, set_in = merge_options(places)
    if site_dir is None:
        message = f"no {' or '.join(PROJECT_FILES[:2])} sets it"
        raise click.BadParameter(
            f"SITE_DIR is missing, and {found.unused or message}. Fix: pass the folder "
            "of the built site, as in: docs-sitemap generate site"
        )
    if project is not None:
        if "language" not in set_in:
            options = options._replace(language=project.language)
        if project.site_url and "base_url" not in set_in:
            set_in = {"site_url": project.name, **set_in}
    return ProjectOptions(
        options=options,
        folder=os.path.abspath(folder),
        site_dir=site_dir,
        project=project,
        places=set_in,
        unused=found.unused,
        notes=tuple(find_ineffective(options, set_in, found, own, folder)),
    )


def _read_plugin(project: MkDocsProject) -> OptionPlace:
    """Return the options of the plugin in the configuration of the generator."""
    # Users turn the plugin off where they want no sitemap. The command writes one.
    sections = project.instances(PLUGIN) or project.sections(PLUGIN) or [{}]
    values = dict(sections[-1])  # MkDocs keeps the last sitemap.
    values.pop("enabled", None)
    return OptionPlace(project.name, values, project.folder, PLUGIN_NAMES)


def _find_project(file: str | None, folder: str, site_dir: str | None) -> SiteProject:
    """Return the configuration of the generator.

    Args:
        file: The file that the user names.
        folder: The folder of the project.
        site_dir: The folder of the site, if the user names it.
    """
    if file is not None:
        return SiteProject(read_project(file))
    files = find_project_files(folder)
    if site_dir is None and not files:
        return SiteProject(None)
    return find_site_project(files, site_dir)


def _is_project_file(path: str) -> bool:
    """Return whether a file is a configuration of Zensical or MkDocs, and not one of
    docs-sitemap.
    """
    name = os.path.basename(path)
    if name in PROJECT_FILES or not name.lower().endswith(".toml"):
        return True
    # Zensical requires `site_name`, and docs-sitemap has no option with this name.
    document = read_toml(path)
    return name not in CONFIG_FILES and (
        "project" in document or "site_name" in document
    )


def _find_own_file(folder: str) -> str | None:
    """Return the configuration of docs-sitemap in a folder; `None` if there is none."""
    for name in CONFIG_FILES:
        path = os.path.join(folder, name)
        if os.path.lexists(path):
            return path
    return None


def _read_table(path: str) -> dict[str, Any]:
    """Return the options in the configuration of docs-sitemap."""
    table: Mapping[str, Any] = read_toml(path)
    if os.path.basename(path) == "pyproject.toml" or "tool" in table:
        tools = check_table(table.get("tool", {}), path, "tool.docs-sitemap")
        table = check_table(tools.get("docs-sitemap", {}), path, "tool.docs-sitemap")
    return {name.replace("-", "_"): value for name, value in table.items()}
