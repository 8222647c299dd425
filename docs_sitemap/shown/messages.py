"""The translations in a message catalog."""

from collections.abc import Sequence
from contextlib import redirect_stdout
from functools import lru_cache
from hashlib import sha256
from io import StringIO

# Babel rejects `#~|`, which msgmerge writes before obsolete messages, and catalogs with
# invalid values in their header.
_REJECTED = (
    "#~|",
    '"Language:',
    '"Plural-Forms:',
    '"POT-Creation-Date:',
    '"PO-Revision-Date:',
)


def digest(content: bytes, parts: Sequence[str]) -> bytes:
    """Return a digest of the translations of some messages in a `.po` file. Fuzzy and
    obsolete translations are left out.

    Args:
        content: The content of the file. Lines that are not valid, such as markers of
            conflicts, are ignored.
        parts: The original texts of the messages.

    Raises:
        ValueError: The file cannot be parsed, or Babel, which Sphinx requires, is not
            installed.
    """
    translations = _translations(content)
    texts = (translations.get(message, "") for message in parts)
    return sha256("\0".join(texts).encode("utf-8", "surrogateescape")).digest()


# One catalog serves many documents.
@lru_cache(8)
def _translations(content: bytes) -> dict[str, str]:
    try:
        # Only projects with catalogs need this package.
        from babel.messages.pofile import read_po
    except ImportError as error:
        raise ValueError("Babel is not installed") from error
    text = content.decode("utf-8-sig", "surrogateescape")
    lines = [line for line in text.split("\n") if not line.startswith(_REJECTED)]
    try:
        # Babel prints which lines it ignores.
        with redirect_stdout(StringIO()):
            catalog = read_po(lines, ignore_obsolete=True, abort_invalid=False)
    except (LookupError, AttributeError, TypeError) as error:
        raise ValueError("the catalog cannot be parsed") from error
    translations: dict[str, str] = {}
    for message in catalog:
        # Messages with a context are other messages.
        if message.fuzzy or message.context:
            continue
        # Those with plural forms have several texts.
        if isinstance(message.id, str) and isinstance(message.string, str):
            translations[message.id] = message.string
    return translations
