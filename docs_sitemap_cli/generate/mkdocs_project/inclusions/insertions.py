"""What all notations of inclusions have in common."""

from collections.abc import Mapping
from typing import Any

from docs_sitemap.config.typed_values import as_text
from docs_sitemap.tools.files import MAX_TEXT, read_text_file


class InsertedTexts:
    """Reads the files that a page inserts, up to a limit: files that insert each other
    twice can have any size.
    """

    def __init__(self) -> None:
        self._size = 0

    def read(self, path: str) -> str:
        """Return the text of a file.

        Raises:
            OSError: The file cannot be read.
            ValueError: The page inserts too much.
        """
        text = read_text_file(path)
        self._size += len(text) + 1
        if self._size > MAX_TEXT:
            raise ValueError(f"the page inserts more than {MAX_TEXT:,} characters")
        return text


def text_option(options: Mapping[str, Any], name: str, default: str) -> str:
    """Return an option that is text."""
    return as_text(options.get(name)) or default


def list_option(options: Mapping[str, Any], name: str) -> list[Any]:
    """Return an option that is a list, or one item of it."""
    value = options.get(name)
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
