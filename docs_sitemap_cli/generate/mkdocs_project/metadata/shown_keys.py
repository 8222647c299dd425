"""The keys of front matter that the pages of a project show. Neither its theme nor its
plugins are installed where the commands run.
"""

import os
from collections.abc import Iterator, Mapping, Set
from functools import partial

from docs_sitemap.config.typed_values import as_list, as_mapping, as_text
from docs_sitemap.shown.front_matter import (
    FrontMatterKeys,
    names_in_code,
    names_in_macros,
    names_in_options,
    names_in_templates,
)
from docs_sitemap.tools.files import find_top
from docs_sitemap_cli.generate.mkdocs_project.project import MkDocsProject

# The keys of front matter, and other names, in the templates of Zensical and Material
# for MkDocs. A test compares them with the templates.
THEME_KEYS = frozenset(
    [
        "author",
        "created",
        "description",
        "encrypted",
        "feedback",
        "footer",
        "git_creation_date_localized",
        "git_revision_date_localized",
        "hidden",
        "hide",
        "icon",
        "icons",
        "is_index",
        "location",
        "nav_item",
        "navigation",
        "page",
        "path",
        "render_status",
        "revision_date",
        "status",
        "subtitle",
        "svg",
        "tags",
        "title",
        "toc",
        "updated",
        "urlencode",
    ]
)

# Other themes whose templates show none of the front matter, except the description.
_PLAIN_THEMES = {"mkdocs", "readthedocs"}
_FULL_THEMES = {"", "material", "zensical"}

# The keys that plugins read in front matter, besides those in their options.
_PLUGIN_KEYS: Mapping[str, Set[str]] = {
    "blog": frozenset({"authors", "categories", "date", "links", "pin", "readtime"}),
    "macros": frozenset({"ignore_macros", "render_macros"}),
    "rss": frozenset({"authors", "categories", "date", "image"}),
}
# Plugins that read no others than the theme.
_OTHER_PLUGINS = frozenset(
    [
        "api-autonav",
        "autorefs",
        "awesome-nav",
        "awesome-pages",
        "callouts",
        "codeinclude",
        "coverage",
        "exclude",
        "gen-files",
        "gh-admonitions",
        "git-committers",
        "git-revision-date-localized",
        "glightbox",
        "group",
        "i18n",
        "include-markdown",
        "info",
        "literate-nav",
        "llmstxt",
        "markdown-exec",
        "markdownextradata",
        "meta",
        "meta-descriptions",
        "mike",
        "minify",
        "mkdocs-audio",
        "mkdocs-autoapi",
        "mkdocs-nav-weight",
        "mkdocs-video",
        "mkdocstrings",
        "offline",
        "optimize",
        "privacy",
        "projects",
        "redirects",
        "search",
        "section-index",
        "sitemap",
        "social",
        "table-reader",
        "tags",
        "typeset",
    ]
)


def find_keys(project: MkDocsProject) -> FrontMatterKeys:
    """Return what decides which keys pages show. If a plugin or the theme is unknown,
    they can show all.
    """
    known = _PLUGIN_KEYS.keys() | _OTHER_PLUGINS
    is_known = _theme_name(project) in _FULL_THEMES | _PLAIN_THEMES
    if not is_known or not known.issuperset(project.plugin_names):
        return FrontMatterKeys()
    return FrontMatterKeys(partial(_find_words, project))


def _find_words(project: MkDocsProject) -> set[str]:
    """Return the names in the templates, hooks, and macros of a project, in the options
    of its plugins, and in the code of theme and plugins.
    """
    words: set[str] = set()
    if _theme_name(project) not in _PLAIN_THEMES:
        words |= THEME_KEYS
    custom_dir = custom_folder(project)
    if custom_dir is not None:
        words |= names_in_templates(custom_dir, is_theme=False)
    for name in project.plugin_names:
        words |= _PLUGIN_KEYS.get(name, frozenset())
        for options in project.instances(name):
            words |= names_in_options(options)
    for path in _find_hooks(project):
        words |= names_in_code(path)
    macros = project.plugin("macros")
    if macros is not None:
        module = _find_path(project, macros.get("module_name") or "main")
        include_dir = _find_path(project, macros.get("include_dir"))
        if module is not None:
            words |= names_in_macros(module, include_dir)
    return words


def custom_folder(project: MkDocsProject) -> str | None:
    """Return the folder with templates of a project; `None` if there is none."""
    return _find_path(project, _theme(project).get("custom_dir"))


def _find_path(project: MkDocsProject, name: object) -> str | None:
    """Return a path that the configuration names; `None` if it names none, or one
    outside of the repository, whose folders can be large.
    """
    if not isinstance(name, str) or not name:
        return None
    path = os.path.normpath(os.path.join(project.folder, name))
    top = find_top(project.folder) or project.folder
    return path if path.startswith(os.path.join(top, "")) else None


def _theme(project: MkDocsProject) -> Mapping[str, object]:
    theme = project.values.get("theme")
    return as_mapping(theme) or {"name": theme}


def _theme_name(project: MkDocsProject) -> str:
    """Return the name of the theme; empty if it is the one of the generator."""
    return as_text(_theme(project).get("name"))


def _find_hooks(project: MkDocsProject) -> Iterator[str]:
    """Yield the hooks of a project, which only MkDocs runs."""
    for hook in as_list(project.values.get("hooks")):
        path = _find_path(project, hook)
        if path is not None:
            yield path
