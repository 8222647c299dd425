"""The handler of mkdocstrings for Python, as the project configures it:
<https://mkdocstrings.github.io/python/usage/>.
"""

import glob
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from docs_sitemap.config.typed_values import as_mapping, as_texts
from docs_sitemap.sources.mkdocstrings_blocks import GetOption
from docs_sitemap.tools.files import find_top
from docs_sitemap_cli.generate.mkdocs_project.project import MkDocsProject

from .module_files import ModuleFinder
from .object_blocks import ObjectBlock
from .object_tree import ObjectTree

_NAME = "python"

# Zensical can load it as a Markdown extension, too.
_EXTENSION = "zensical.extensions.mkdocstrings"


class PythonHandler:
    """Finds the objects of blocks, and how these show them.

    Args:
        project: The project.
        find_folders: Returns the folders with the code of a package in git.
    """

    def __init__(
        self, project: MkDocsProject, find_folders: Callable[[str], Sequence[str]]
    ) -> None:
        self._project = project
        self._find_folders = find_folders

    @cached_property
    def _options(self) -> Mapping[str, Any] | None:
        """The options of mkdocstrings; `None` if the project does not use it."""
        options = self._project.plugin("mkdocstrings")
        if options is not None:
            return options
        return self._project.extension(_EXTENSION)

    @property
    def is_enabled(self) -> bool:
        """Whether the project uses mkdocstrings."""
        return self._options is not None

    @property
    def is_custom(self) -> bool:
        """Whether templates of the project write the objects."""
        return bool(as_mapping(self._options).get("custom_templates"))

    def handles(self, block: ObjectBlock) -> bool:
        """Return whether a block documents an object of Python."""
        default = as_mapping(self._options).get("default_handler", _NAME)
        return (block.handler or default) == _NAME

    def option(self, block: ObjectBlock) -> GetOption:
        """Return a function that returns the options of a block."""
        common = as_mapping(self._settings.get("options"))
        options = {**common, **block.options}
        filters = options.get("filters")
        if filters != "public" and not _is_list_of_patterns(filters):
            options.pop("filters", None)
        return options.get

    def hides_name(self, block: ObjectBlock) -> bool:
        """Return whether the name of the object may not be on the page."""
        return self.is_custom or not self.option(block)("show_root_toc_entry", True)

    @cached_property
    def tree(self) -> ObjectTree:
        """Finds the objects."""
        finder = ModuleFinder(list(self._folders()), self._find_folders)
        return ObjectTree(finder)

    @cached_property
    def _settings(self) -> Mapping[str, Any]:
        handlers = as_mapping(as_mapping(self._options).get("handlers"))
        return as_mapping(handlers.get(_NAME))

    def _folders(self) -> Iterator[str]:
        """Yield the folders that the handler searches for packages."""
        folder = self._project.folder
        found = []
        for path in as_texts(self._settings.get("paths")):
            found += sorted(glob.glob(path, root_dir=folder))
        top = os.path.join(find_top(folder) or folder, "")
        for path in (*found, os.curdir):
            path = os.path.normpath(os.path.join(folder, path))
            if os.path.join(path, "").startswith(top):
                yield path


def _is_list_of_patterns(value: object) -> bool:
    """Return whether a value is a list of filters. mkdocstrings reports others."""
    if value is None:
        return True
    patterns = as_texts(value)
    if value != patterns:
        return False
    with suppress(re.error, RecursionError, OverflowError):
        for pattern in patterns:
            re.compile(pattern.removeprefix("!"))
        return True
    return False
