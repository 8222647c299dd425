"""The front matter of a page, with what files of Material's meta plugin add to it:
<https://squidfunk.github.io/mkdocs-material/plugins/meta/>.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from docs_sitemap.config.typed_values import as_text
from docs_sitemap.tools.files import read_text_file
from docs_sitemap.tools.front_matter import SplitDocument, split_document

_META_FILE = ".meta.yml"


class PageMetadata:
    """Reads the metadata of pages.

    Attributes:
        read: Returns the metadata of a page, by the absolute path of its Markdown file.
            All values that are neither lists nor mappings are text.

    Args:
        docs_dir: The absolute path of the folder with the Markdown files.
        options: The options of the plugin; `None` if the project does not use it.
    """

    def __init__(self, docs_dir: str, options: Mapping[str, Any] | None) -> None:
        self._docs_dir = docs_dir
        self._meta_file = None
        if options is not None:
            self._meta_file = as_text(options.get("meta_file"), _META_FILE)
        self._read_meta_file = cache(_read_meta_file)
        # Lists of posts read those of all their posts.
        self.read = cache(self._read)

    def _read(self, document: str) -> Mapping[str, Any]:
        values: dict[str, Any] = {}
        for path in self.meta_files(document):
            values = _merge(values, self._read_meta_file(path))
        with suppress(OSError, ValueError):  # The generator reports invalid ones.
            own = split_document(read_text_file(document)).read_values()
            values = _merge(values, own)
        return values

    def meta_files(self, document: str) -> Iterator[str]:
        """Yield the files that add to the front matter of a page, the one of the
        outermost folder first.

        Args:
            document: The absolute path of its Markdown file.
        """
        folder = os.path.dirname(document)
        is_below = os.path.join(folder, "").startswith(os.path.join(self._docs_dir, ""))
        if self._meta_file is None or not is_below:
            return
        folders = [folder]
        while folders[-1] != self._docs_dir:
            folders.append(os.path.dirname(folders[-1]))
        for folder in reversed(folders):
            path = os.path.join(folder, self._meta_file)
            if os.path.isfile(path):
                yield path


def _read_meta_file(path: str) -> Mapping[str, Any]:
    with suppress(OSError, ValueError):
        return SplitDocument(read_text_file(path), "").read_values()
    return {}


def _merge(values: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    """Return values with others, which are added to lists and mappings, and replace
    everything else.
    """
    merged = dict(values)
    for key, value in others.items():
        old = merged.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            merged[key] = _merge(old, value)
        elif isinstance(old, list) and isinstance(value, list):
            merged[key] = old + value
        else:
            merged[key] = value
    return merged
