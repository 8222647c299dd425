"""Describe the built site of any generator, as a generator integration does for its
own.
"""

import os
import posixpath
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial

import click
import msgspec

from docs_sitemap.build import plan_sitemap
from docs_sitemap.config.languages import page_base_url
from docs_sitemap.config.mkdocs_settings import find_conflicts
from docs_sitemap.config.options import OPTION_NAMES, Options
from docs_sitemap.config.read_options import with_address
from docs_sitemap.diagnostics import (
    BuildCode,
    Diagnostic,
    Diagnostics,
    OptionError,
    SitemapError,
)
from docs_sitemap.git.commits import CommitReader
from docs_sitemap.git.history import GitFailure, History
from docs_sitemap.git.history_types import HistoryOptions
from docs_sitemap.git.run import Git, MissingRepositoryError
from docs_sitemap.page import Page
from docs_sitemap.result import SavedReport, make_saved_report
from docs_sitemap.shown.front_matter import FrontMatterKeys
from docs_sitemap.site import Site
from docs_sitemap.sitemap.urls import BaseUrl
from docs_sitemap.steps.git_diagnostics import report_failures
from docs_sitemap.tools.cache_folder import find_cache_folder
from docs_sitemap.tools.files import MAX_TEXT, relative_path
from docs_sitemap.tools.printing import count, printable, shorten
from docs_sitemap_cli.arguments import check_folder, no_pages
from docs_sitemap_cli.console import print_diagnostics
from docs_sitemap_cli.project_files import ProjectFiles
from docs_sitemap_cli.published.folder import SiteFolder
from docs_sitemap_cli.published.redirects import Redirects
from docs_sitemap_cli.published.sitemap_sources import find_sitemaps

from .built_files import BuiltFile, read_built_files
from .config_file import ProjectOptions, read_settings
from .mkdocs_project.markdown_files import MarkdownFiles
from .mkdocs_project.metadata.shown_keys import custom_folder, find_keys
from .mkdocs_project.page_parts import PageParts
from .mkdocs_project.project import MkDocsProject
from .mkdocs_project.project_address import (
    canonical_address,
    check_alias,
    project_languages,
)
from .page_sources import PageSources, connect_copies
from .site_urls import find_listed, find_urls, require_address
from .sources.documents import DocumentReader
from .sources.source_mapping import SourceMapping
from .sources.source_rules import SourceRules


def read_site(
    settings: ProjectOptions, *, is_update: bool = False
) -> tuple[Site, Diagnostics]:
    """Return a site: its pages, their URLs, and their sources. Return also what the
    user should know about it before it is dated.

    Args:
        settings: The options. Without a base URL, the one that the site itself or the
            configuration of its generator names is used.
        is_update: Whether the sitemap of the generator decides which pages are listed,
            so that no page in it is excluded.

    Raises:
        OptionError: The base URL is unknown, or git tracks no file in the folder of
            sources.
        click.BadParameter: The folder is missing, or contains no pages.
        OSError: A page cannot be read.
    """
    options, folder = settings.options, SiteFolder(check_folder(settings.site_dir))
    repository = options.repository or settings.folder
    project = ProjectFiles.read(repository)
    mkdocs = settings.project
    markdown_files = None if mkdocs is None else MarkdownFiles(mkdocs)
    files: Sequence[BuiltFile]
    files = read_built_files(folder.root, project, markdown_files)
    if not files:
        raise no_pages(folder.path)
    sitemaps = find_sitemaps(folder)
    notes = Diagnostics()
    for message in settings.notes:
        notes.note(BuildCode.OPTION, message)
    files = _leave_out_other_sites(files, mkdocs, folder, notes)
    base_url = require_address(settings, files, folder, sitemaps, notes)
    options = with_address(options, base_url)
    page_base = page_base_url(options)
    listed = find_listed(folder, sitemaps, page_base)
    urls = find_urls(files, folder, listed, page_base, clean_urls=options.clean_urls)
    _follow_redirects(files, urls, Redirects(folder), page_base)
    kept = listed if is_update else {}
    pages = []
    for file in files:
        if file.name in kept or _is_page(file, f"{page_base}{urls[file.name]}"):
            pages.append(file)
    rules = _make_rules(pages, project, folder, settings)
    keys = FrontMatterKeys() if mkdocs is None else find_keys(mkdocs)
    languages = parts = None
    if mkdocs is not None:
        find_packages = partial(project.find_packages, folder=mkdocs.folder)
        parts = PageParts(mkdocs, keys, find_packages, rules.document_of)
    made = _make_pages(files, urls, kept, rules, options, parts)
    if mkdocs is not None:
        languages = project_languages(mkdocs, page_base, urls.values())
        _accept_canonicals(made, mkdocs)
        notes.extend(check_alias(mkdocs))
        if not is_update:
            notes.extend(_find_conflicts(mkdocs, options))
    connect_copies(made, files)
    site = Site(
        pages=list(made.values()),
        options=options,
        out_dir=folder.root,
        root=settings.folder,
        history=History(find_cache_folder()),
        find_original=partial(_find_original, folder, project),
        front_matter=keys,
        generator="any",
        languages=languages,
        is_address_chosen=settings.options.base_url is not None,
        option_files=settings.places,
        # The sitemap of the generator is replaced, but never removed.
        is_owner=False,
    )
    _report_sources(rules, options.sources, notes)
    if options.lastmod and not project.paths:
        _report_missing_files(project, notes)
    return site, notes


def _leave_out_other_sites(
    files: Sequence[BuiltFile],
    mkdocs: MkDocsProject | None,
    folder: SiteFolder,
    notes: Diagnostics,
) -> Sequence[BuiltFile]:
    """Return the files of the site without those of sites of other configurations in
    subfolders: Zensical and MkDocs write a sitemap for each.
    """
    if mkdocs is None:
        return files
    own = []
    others = Counter[str]()
    for file in files:
        site = None if file.markdown else _find_other_site(file.name, folder)
        if site is None:
            own.append(file)
        else:
            others[site] += 1
    for site, number in others.items():
        message = (
            f"{printable(site)}/ has a sitemap of its own, so its "
            f"{count(number, 'page')} are not listed. Fix: run generate with its "
            "configuration, too, for example with --config mkdocs.de.yml"
        )
        notes.note(BuildCode.PAGE, message)
    return own


def _find_other_site(name: str, folder: SiteFolder) -> str | None:
    """Return the outermost folder above a file, below the site, with a sitemap of its
    own; `None` if there is none.
    """
    parents = posixpath.dirname(name).split("/")
    for number in range(1, len(parents) + 1):
        parent = "/".join(parents[:number])
        if parent and folder.is_file(f"{parent}/sitemap.xml"):
            return parent
    return None


def _make_rules(
    pages: Collection[BuiltFile],
    project: ProjectFiles,
    folder: SiteFolder,
    settings: ProjectOptions,
) -> SourceRules:
    """Return the rules that find the sources of pages."""
    options = settings.options
    start = project.folder_below(settings.folder) or ""
    named = {page: posixpath.normpath(start + file) for page, file in options.sources}
    return SourceRules(
        pages,
        project,
        DocumentReader(project),
        project.folder_below(folder.root),
        _find_source_root(settings, project),
        SourceMapping(named, project),
    )


def _find_conflicts(project: MkDocsProject, options: Options) -> Iterable[Diagnostic]:
    """Return a warning for each file of the user that would become the sitemap."""
    place = None
    if os.path.isfile(os.path.join(project.docs_dir, options.filename)):
        place = os.path.basename(project.docs_dir)
    custom_dir = custom_folder(project)
    if custom_dir is not None:
        custom_dir = relative_path(custom_dir, os.getcwd())
    return find_conflicts(options, place=place, custom_dir=custom_dir)


def _accept_canonicals(pages: dict[str, Page], project: MkDocsProject) -> None:
    """Accept the canonical links of pages to another version of mike."""
    address = canonical_address(project)
    if address is not None:
        for name, page in pages.items():
            canonicals = frozenset([f"{address}{page.url}"])
            pages[name] = page._replace(canonicals=canonicals)


def _find_original(folder: SiteFolder, project: ProjectFiles, name: str) -> str | None:
    """Return the absolute path of the file in git that a file of the site is, or that
    was copied to it.
    """
    data = folder.read(name, MAX_TEXT)
    same = project.find_same(data) if data else ()
    path = project.find_original(name, project.folder_below(folder.root), same)
    return None if path is None else project.absolute(path)


def _follow_redirects(
    files: Iterable[BuiltFile],
    urls: Mapping[str, str],
    redirects: Redirects,
    base_url: BaseUrl,
) -> None:
    """Treat files that the server redirects as if they redirected themselves."""
    for file in files:
        target = redirects.target_of(f"{base_url}{urls[file.name]}", opens_file=True)
        if target is not None:
            file.head = msgspec.structs.replace(file.head, refresh=target)


def _make_pages(
    files: Iterable[BuiltFile],
    urls: Mapping[str, str],
    kept: Collection[str],
    rules: SourceRules,
    options: Options,
    parts: PageParts | None,
) -> dict[str, Page]:
    """Return the page of each file, with its sources.

    Args:
        files: The files.
        urls: Their URLs relative to the base URL, by their names.
        kept: The names of the files that nothing excludes.
        rules: The rules that find the sources.
        options: The options.
        parts: Finds what pages of Zensical or MkDocs contain; `None` if another
            generator built the site.
    """
    made = {}
    with closing(CommitReader(Git(rules.project.top), ())) as reader:
        sources = PageSources(rules, reader, options.lastmod_fields, parts)
        for file in files:
            page = Page(
                url=urls[file.name],
                name=file.name,
                output=file.path,
                generator_page=_is_generated(file, rules),
                is_fragment=file.is_fragment,
                is_shell=file.is_shell,
                head=file.head,
            )
            page = sources.add_to(page, file)
            if file.name in kept:
                page = page._replace(overrides=_list_always(page.overrides))
            made[file.name] = page
    return made


def _is_page(file: BuiltFile, url: str) -> bool:
    """Return whether a file may be a page with a source of its own."""
    is_part = file.is_fragment or file.is_shell
    if is_part or file.head.redirect_target(url) is not None:
        return False
    return not file.is_generated or file.may_be_page


def _is_generated(file: BuiltFile, rules: SourceRules) -> bool:
    """Return whether the generator wrote a file for its own use, and not an author."""
    is_written = file.may_be_page and rules.has_document(file)
    return file.is_generated and not is_written


def _list_always(overrides: object) -> dict[str, object]:
    """Return the sitemap settings of a page that nothing excludes."""
    settings = dict(overrides) if isinstance(overrides, dict) else {}
    return {**settings, "exclude": False}


def _report_missing_files(project: ProjectFiles, notes: Diagnostics) -> None:
    """Report why git tracks no files."""
    error = project.error
    if error is None or "not a git repository" in str(error):
        error = MissingRepositoryError(
            "it tracks none of them", fix="run the command in the repository"
        )
    failure = GitFailure(project.top, error)
    report_failures([failure], HistoryOptions(), OPTION_NAMES, notes)


def _report_sources(
    rules: SourceRules, sources: Iterable[tuple[str, str]], notes: Diagnostics
) -> None:
    """Report the sources in the configuration that no page has.

    Args:
        rules: The rules, after they were applied.
        sources: The option with this name.
        notes: Receives the diagnostics.
    """
    for page, file in sources:
        if page not in rules.mapping.used:
            message = (
                f"the source {shorten(file)} of {shorten(page)} in the option sources "
                "has no effect: no page has such a file in git. Fix: correct or remove "
                "it."
            )
            notes.warn(BuildCode.DEPENDENCY, message)


def _find_source_root(settings: ProjectOptions, project: ProjectFiles) -> str | None:
    """Return the folder of sources below the top level; `None` if the user names
    none.
    """
    source_dir = settings.options.source_dir
    if source_dir is None or not project.paths:
        return None
    root = project.folder_below(source_dir)
    if root is None or not any(path.startswith(root) for path in project.paths):
        reason = f"git tracks no files in {source_dir}"
        fix = "pass the folder with the sources"
        raise OptionError([(settings.label("source_dir"), f"{reason}. Fix: {fix}")])
    return root.removesuffix("/")


def plan_report(site_dir: str, base_url: BaseUrl | None) -> SavedReport:
    """Return the report that `docs-sitemap generate` would save.

    Args:
        site_dir: The folder of the built site.
        base_url: Where it is published; `None` if the site itself says so.

    Raises:
        click.UsageError: The site cannot be read, or an option is invalid.
    """
    settings = {}
    if base_url is not None:
        settings["base_url"] = base_url
    try:
        site, notes = read_site(read_settings(settings, site_dir))
        planned = plan_sitemap(site)
    except OptionError:
        raise
    except SitemapError as error:
        raise click.UsageError(str(error)) from None
    print_diagnostics((*notes, *planned.diagnostics))
    return make_saved_report(planned, site)
