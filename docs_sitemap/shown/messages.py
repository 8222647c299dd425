"""What readers see of the messages of a page: the translations in a message catalog, or
the original texts.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from functools import lru_cache
from io import StringIO

from .document_notations import canonical

# References to lines, which change with each line above.
_REFERENCE = re.compile(r"\n#:.*")

_ENTRY_STARTS = ("#", "msgid", "msgctxt")

# Babel rejects `#~|`, which msgmerge writes before obsolete messages, and catalogs with
# invalid values in their header.
_REJECTED = (
    "#~|",
    '"Language:',
    '"Plural-Forms:',
    '"POT-Creation-Date:',
    '"PO-Revision-Date:',
)

# What stands in front of a message in a line of the canonical form.
_MARKERS = re.compile(
    r"^[\s>|]*(?:(?:[-*+•#]+|\(?(?:\d+|[A-Za-z#])[.)]|\.\. [\w-]+::|:[^:\n]+:) +)*"
)


def show_same(
    old: bytes, new: bytes, parts: Sequence[str], replaced: Mapping[str, str]
) -> bool:
    """Return whether readers see the same of some messages with two versions of a `.po`
    file. Without a translation, or if it is fuzzy, they see the original text.

    Args:
        old: The content of one version.
        new: The content of the other. Lines that are not valid, such as markers of
            conflicts, are ignored.
        parts: The suffix of the document, and its messages in the new version.
        replaced: The messages of the old version that some of these replace.

    Raises:
        ValueError: The file cannot be parsed, or Babel, which Sphinx requires, is not
            installed.
    """
    suffix, *messages = parts
    before, after = _changed_translations(old, new)
    for message in messages:
        original = replaced.get(message, message)
        text = before.get(original) or original
        other = after.get(message) or message
        if text != other and canonical(text, suffix) != canonical(other, suffix):
            return False
    return True


def find_replaced(
    old: bytes, new: bytes, parts: Sequence[str], document: bytes
) -> dict[str, str]:
    """Return which messages replace which: for each new one, the old one with the same
    translation. There are none if readers see another change of the messages, too.

    Args:
        old: The content of one version of the catalog.
        new: The content of the other.
        parts: The suffix of the document, and its messages in the new version.
        document: The content of the old version of the document.

    Raises:
        ValueError: The catalog cannot be parsed.
    """
    before, after = _changed_translations(old, new)
    text = _join_words(document.decode("utf-8", "replace"))
    originals = {}
    for message, translation in before.items():
        if not after.get(message) and _join_words(message) in text:
            originals[translation] = message
    replaced = {}
    for message in parts[1:]:
        translation = after.get(message, "")
        if translation and not before.get(message) and translation in originals:
            replaced[message] = originals[translation]
    if not show_same(old, new, parts, replaced):
        return {}
    return replaced


def differ_in_messages(
    before: str, after: str, suffix: str, replaced: Mapping[str, str]
) -> bool:
    """Return whether two versions of the text of a document show readers the same,
    except that some messages replace other ones everywhere.

    Args:
        before: The text of the old version.
        after: The text of the new version.
        suffix: The suffix of the document.
        replaced: The messages that the new ones replace.
    """
    texts = {}
    for message, original in replaced.items():
        texts[canonical(original, suffix)] = canonical(message, suffix)
    new_texts = {*texts.values()} - texts.keys()
    found = set()
    lines = []
    for line in canonical(before, suffix).split("\n"):
        text = _MARKERS.sub("", line)
        # Until now, a new message was not translated.
        if text in new_texts:
            return False
        found.add(text)
        lines.append(line.removesuffix(text) + texts.get(text, text))
    return texts.keys() <= found and "\n".join(lines) == canonical(after, suffix)


def keeps_messages(before: bytes, after: bytes, messages: Iterable[str]) -> bool:
    """Return whether the old version of a document contains all messages that the new
    one contains. If one is only written in another way, its translation is lost until
    the catalog follows.
    """
    old = _join_words(before.decode("utf-8", "replace"))
    new = _join_words(after.decode("utf-8", "replace"))
    for message in map(_join_words, messages):
        if message in new and message not in old:
            return False
    return True


def _join_words(text: str) -> str:
    return " ".join(text.split())


# One catalog serves many documents.
@lru_cache(8)
def _changed_translations(
    old: bytes, new: bytes
) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the translations in the entries that are in only one of two versions.
    Parsing all entries takes ten times as long.
    """
    before, after = _entries(old), _entries(new)
    removed = [entry for entry in before if entry not in after]
    added = [entry for entry in after if entry not in before]
    return _parse(removed), _parse(added)


@lru_cache(8)
def _entries(content: bytes) -> Mapping[str, None]:
    """Return the entries of a catalog as keys: one for everything if an empty line is
    in an entry.
    """
    text = content.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n")
    text = _REFERENCE.sub("", f"\n{text}").strip("\n")
    entries = dict.fromkeys(text.split("\n\n"))
    for entry in entries:
        if not entry.startswith(_ENTRY_STARTS):
            return {text: None}
    return entries


def _parse(entries: Iterable[str]) -> Mapping[str, str]:
    """Return the translations of messages. Fuzzy and obsolete ones are left out."""
    try:
        # Only projects with catalogs need this package.
        from babel.messages.pofile import read_po
    except ImportError as error:
        raise ValueError("Babel is not installed") from error
    text = "\n\n".join(entries)
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
            translations[message.id] = message.string.strip()
    return translations
