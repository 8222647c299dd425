"""The translations in a message catalog."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from io import BytesIO


class CatalogMessages:
    """The translations in a `.po` file. Fuzzy and obsolete translations do not count.

    Args:
        path: The path of the file.
        content: Its content.

    Raises:
        ValueError: The file cannot be parsed, or Babel, which Sphinx requires, is not installed.
    """

    def __init__(self, path: bytes, content: bytes) -> None:
        try:
            # Only projects with catalogs need this package.
            from babel.messages.pofile import PoFileError, read_po
        except ImportError as error:
            raise ValueError("Babel is not installed") from error
        try:
            catalog = read_po(BytesIO(content), abort_invalid=True)
        except (PoFileError, LookupError, IndexError, AttributeError, TypeError) as error:
            raise ValueError("the catalog cannot be parsed") from error
        self._translations = {
            message.id: message.string
            for message in catalog
            if isinstance(message.id, str)
            and isinstance(message.string, str)
            and not message.fuzzy
            and not message.context  # Messages with a context are other messages.
        }

    def digest(self, parts: Sequence[str]) -> bytes:
        """Return a digest of the translations of some messages.

        Args:
            parts: The messages.
        """
        digest = sha256()
        for message in parts:
            digest.update(self._translations.get(message, "").encode("utf-8", "replace") + b"\0")
        return digest.digest()
