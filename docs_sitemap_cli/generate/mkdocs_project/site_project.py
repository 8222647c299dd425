"""Which configuration of Zensical or MkDocs belongs to a built site."""

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import PurePath
from typing import NamedTuple

from docs_sitemap.diagnostics import SitemapError
from docs_sitemap.tools.files import find_top, relative_path, walk_html_files
from docs_sitemap_cli.published.folder import Generator, SiteFolder, find_generator

from .project import MkDocsProject
from .project_file import PLUGIN, find_project_files, read_project

# The generators that read these files, as pages name them.
_GENERATORS = ("zensical", "mkdocs", "properdocs")

# All pages of a theme name the generator, or none does, except for redirects.
_SAMPLE = 10


class SiteProject(NamedTuple):
    """The configuration of a site.

    Attributes:
        project: The configuration; `None` if there is none.
        unused: Why the file that was found is not the one of the site; empty if it is.
        has_options: Whether this file contains options for the sitemap.
    """

    project: MkDocsProject | None
    unused: str = ""
    has_options: bool = False


def find_site_project(files: Sequence[str], site_dir: str | None) -> SiteProject:
    """Return the configuration of a site, unless the files are left of an earlier
    generator, or describe another site.

    Args:
        files: The configurations in a folder, the one that Zensical reads first.
        site_dir: The folder of the site; `None` for the one that the first file names.

    Raises:
        SitemapError: Zensical or MkDocs built the site, and the file cannot be used.
    """
    read = cache(read_project)  # Both may be the same file.
    if site_dir is None:
        site_dir = relative_path(read(files[0]).site_dir, os.getcwd())
    site = SiteFolder(site_dir)
    if not files:
        return _find_next_to(site)
    generator = _find_generator(site)
    is_known = generator.lower().startswith(_GENERATORS)
    file = files[0]
    if generator.lower().startswith("mkdocs"):
        # It does not read the file of Zensical.
        file = min(files, key=lambda path: path.endswith("zensical.toml"))
    if generator and not is_known:
        return SiteProject(None, f"{file} is not used: {generator} built {site_dir}")
    try:
        project = read(file)
    except SitemapError as error:
        if is_known:
            raise
        return SiteProject(None, str(error))
    reason = ""
    option = f"--config {file} if it is the configuration of this site"
    if site.root != project.site_dir:
        nearer = _find_nearer(site.root, project.folder)
        if not is_known:
            reason = f"{site_dir} is not its site_dir. Fix: run with {option}"
        elif nearer is not None:
            reason = (
                f"{nearer} is nearer to the site. Fix: run with --config {nearer} or "
                f"with {option}"
            )
    if not reason:
        return SiteProject(project)
    has_options = project.plugin(PLUGIN) is not None
    return SiteProject(None, f"{file} is not used: {reason}", has_options)


def find_site_dir(project: MkDocsProject) -> str:
    """Return the folder of the site that a configuration names.

    Raises:
        SitemapError: It is outside the project and its repository. The configuration
            may come from anyone, and the sitemap is written there.
    """
    top = find_top(project.folder) or project.folder
    if not PurePath(project.site_dir).is_relative_to(top):
        raise SitemapError(
            f"site_dir in {project.name} is outside the project. Fix: pass the folder "
            "of the site, as in: docs-sitemap generate ../site"
        )
    return relative_path(project.site_dir, os.getcwd())


def _find_next_to(site: SiteFolder) -> SiteProject:
    """Return why the configuration next to a site is not used: the project folder is
    another one.
    """
    project = None
    for file in find_project_files(os.path.dirname(site.root))[:1]:
        with suppress(SitemapError):
            project = read_project(file)
    if project is None or project.plugin(PLUGIN) is None:
        return SiteProject(None)
    name = relative_path(project.file, os.getcwd())
    reason = (
        f"{name} is not used: it is in another folder. Fix: run with --config {name}"
    )
    return SiteProject(None, reason, has_options=True)


def _find_generator(site: SiteFolder) -> str:
    """Return the generator of a site, as its pages name it; empty if it is unknown."""
    for name in islice(walk_html_files(site.root), _SAMPLE):
        generator = site.head(name).generator
        if generator:
            return generator
    if find_generator(site) is Generator.MKDOCS:
        return "mkdocs"
    return ""


def _find_nearer(site_dir: str, folder: str) -> str | None:
    """Return the path of a configuration in a folder between two others, relative to
    the current folder; `None` if there is none.

    Args:
        site_dir: The real path of the folder of the site.
        folder: The real path of another folder.
    """
    parent = os.path.dirname(site_dir)
    while not os.path.join(folder, "").startswith(os.path.join(parent, "")):
        files = find_project_files(parent)
        if files:
            return relative_path(files[0], os.getcwd())
        parent = os.path.dirname(parent)
    return None
