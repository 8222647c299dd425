"""The project that Zensical or MkDocs builds, as its configuration describes it."""

import os
import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from docs_sitemap.config.mkdocs_settings import theme_language
from docs_sitemap.config.typed_values import as_mapping, as_text
from docs_sitemap.tools.files import relative_path

from .metadata.page_metadata import PageMetadata
from .translated_files import TranslatedFiles

# Plugins of Material for MkDocs may be named with the name of the theme in front.
_THEME = "material/"

# The packages that can be tables with extensions.
_PACKAGES = ("pymdownx", "pymdownx.blocks", "zensical", "zensical.extensions")


@dataclass(frozen=True, eq=False)
class MkDocsProject:
    """A project of Zensical or MkDocs.

    Attributes:
        file: The absolute path of its configuration.
        values: The values in it.
    """

    file: str
    values: Mapping[str, Any]

    @cached_property
    def folder(self) -> str:
        """The path of the folder that contains the configuration, without symbolic
        links, as git writes it.
        """
        return os.path.realpath(os.path.dirname(self.file))

    @property
    def name(self) -> str:
        """What messages call the configuration."""
        return relative_path(self.file, os.getcwd())

    @cached_property
    def docs_dir(self) -> str:
        """The absolute path of the folder with the Markdown files."""
        return self._folder_named("docs_dir", "docs")

    @cached_property
    def site_dir(self) -> str:
        """The absolute path of the folder of the built site."""
        return self._folder_named("site_dir", "site")

    @property
    def site_url(self) -> str:
        """The address of the published site; empty if it is not set."""
        return as_text(self.values.get("site_url"))

    @property
    def language(self) -> str:
        """The language of the theme."""
        theme = self.values.get("theme")
        texts = {}
        if isinstance(theme, Mapping):
            for name in ("language", "locale"):
                if isinstance(theme.get(name), str):
                    texts[name] = theme[name]
        return theme_language(texts)

    @property
    def use_directory_urls(self) -> bool:
        """Whether `guide.md` becomes `guide/index.html`, and not `guide.html`."""
        # The plugin offline of Material for MkDocs and Zensical turns it off.
        if self.plugin("offline") is not None:
            return False
        return self.values.get("use_directory_urls") is not False

    def plugin(self, name: str) -> Mapping[str, Any] | None:
        """Return the options of a plugin; `None` if the project does not use it."""
        return next(iter(self.instances(name)), None)

    @property
    def plugin_names(self) -> Set[str]:
        """The names of all plugins that the project uses."""
        return set(filter(self.instances, self._sections))

    def instances(self, name: str) -> Sequence[Mapping[str, Any]]:
        """Return the options of each instance of a plugin that is turned on."""
        sections = self.sections(name)
        return [options for options in sections if options.get("enabled") is not False]

    def sections(self, name: str) -> Sequence[Mapping[str, Any]]:
        """Return the options of each instance of a plugin."""
        return self._sections.get(name, ())

    @cached_property
    def metadata(self) -> PageMetadata:
        """Reads the metadata of pages."""
        return PageMetadata(self.docs_dir, self.plugin("meta"))

    @cached_property
    def translations(self) -> TranslatedFiles:
        """Knows which Markdown files are in the language of a page."""
        return TranslatedFiles(self.plugin("i18n"))

    def extension(self, name: str) -> Mapping[str, Any] | None:
        """Return the options of a Markdown extension; `None` if the project does not
        use it.
        """
        return self._extensions.get(name)

    def name_of(self, path: str) -> str | None:
        """Return the path of a file below the folder with the Markdown files, with `/`
        as separator; `None` if it is elsewhere.
        """
        start = os.path.join(self.docs_dir, "")
        if not path.startswith(start):
            return None
        return path.removeprefix(start).replace(os.sep, posixpath.sep)

    def _folder_named(self, setting: str, default: str) -> str:
        value = as_text(self.values.get(setting)) or default
        return os.path.realpath(os.path.join(self.folder, value))

    @cached_property
    def _sections(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        plugins = defaultdict[str, list[Mapping[str, Any]]](list)
        for name, options in _read_options(self.values.get("plugins")):
            plugins[name.removeprefix(_THEME)].append(options)
        return dict(plugins)

    @cached_property
    def _extensions(self) -> Mapping[str, Mapping[str, Any]]:
        return dict(_read_extensions(self.values.get("markdown_extensions"), ""))


def _read_extensions(
    value: object, package: str
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the names and options of extensions, and of those in tables of packages:
    TOML reads the dots in `[project.markdown_extensions.pymdownx.snippets]`.
    """
    for inner, options in _read_options(value):
        name = package + inner
        yield name, options
        if name in _PACKAGES:
            yield from _read_extensions(options, f"{name}.")


def _read_options(value: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the names and options of plugins or extensions. They have no options if
    these are not a mapping.
    """
    for name, options in named_items(value):
        yield name, as_mapping(options)


def named_items(value: object) -> Iterator[tuple[str, object]]:
    """Yield the names and values in a list of names, of mappings with one name, or in
    one mapping. A name alone has the value `None`.
    """
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, list):
        return
    for item in value:
        if isinstance(item, str):
            yield item, None
        elif isinstance(item, Mapping):
            for name, options in item.items():
                if isinstance(name, str):
                    yield name, options
