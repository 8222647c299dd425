"""The project that Zensical or MkDocs builds, as its configuration describes it."""

import os
import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .metadata.page_metadata import PageMetadata

# Plugins of Material for MkDocs may be named with the name of the theme in front.
_THEME = "material/"

# The packages that can be tables with extensions.
_PACKAGES = ("pymdownx", "pymdownx.blocks", "zensical", "zensical.extensions")


@dataclass(frozen=True)
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
        """The absolute path of the folder that contains the configuration."""
        return os.path.dirname(self.file)

    @cached_property
    def docs_dir(self) -> str:
        """The absolute path of the folder with the Markdown files."""
        return self._folder_named("docs_dir", "docs")

    @cached_property
    def site_dir(self) -> str:
        """The absolute path of the folder of the built site."""
        return self._folder_named("site_dir", "site")

    @property
    def use_directory_urls(self) -> bool:
        """Whether `guide.md` becomes `guide/index.html`, and not `guide.html`."""
        return self.values.get("use_directory_urls") is not False

    def plugin(self, name: str) -> Mapping[str, Any] | None:
        """Return the options of a plugin; `None` if the project does not use it."""
        return next(iter(self.instances(name)), None)

    @property
    def plugin_names(self) -> Set[str]:
        """The names of all plugins that the project uses."""
        return self._instances.keys()

    def instances(self, name: str) -> Sequence[Mapping[str, Any]]:
        """Return the options of each instance of a plugin."""
        return self._instances.get(name, ())

    @cached_property
    def metadata(self) -> PageMetadata:
        """Reads the metadata of pages."""
        return PageMetadata(self.docs_dir, self.plugin("meta"))

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
        value = self.values.get(setting)
        if not isinstance(value, str) or not value:
            value = default
        return os.path.normpath(os.path.join(self.folder, value))

    @cached_property
    def _instances(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        plugins = defaultdict[str, list[Mapping[str, Any]]](list)
        for name, options in _read_named(self.values.get("plugins")):
            if options.get("enabled") is not False:
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
    for inner, options in _read_named(value):
        name = package + inner
        yield name, options
        if name in _PACKAGES:
            yield from _read_extensions(options, f"{name}.")


def _read_named(value: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the names and options in a list of names, of mappings with one name, or in
    one mapping.
    """
    if isinstance(value, list):
        for item in value:
            if isinstance(item, str):
                yield item, {}
            else:
                yield from _read_named(item)
    elif isinstance(value, Mapping):
        for name, options in value.items():
            if not isinstance(options, Mapping):
                options = {}
            yield str(name), options
