"""The translations in a message catalog."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256

# https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html
_LINE = re.compile(r'(#~|#,(?=.*\bfuzzy\b)|msg\w+(?:\[\d+\])?)?\s*(".*")?')
_ESCAPE = re.compile(r'\\([\\"ntr])')
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


def digest(path: bytes, content: bytes, parts: Sequence[str]) -> bytes:
    """Return a digest of the translations of some messages in a `.po` file. Fuzzy and obsolete
    translations are left out.

    Args:
        path: The path of the file.
        content: Its content. Lines that are not valid, such as markers of conflicts, are ignored.
        parts: The original texts of the messages.
    """
    translations = _translations(content)
    texts = (translations.get(message, "") for message in parts)
    return sha256("\0".join(texts).encode("utf-8", "surrogateescape")).digest()


# One catalog serves many documents.
@lru_cache(8)
def _translations(content: bytes) -> dict[str, str]:
    # The texts of each keyword. A fuzzy entry has the keyword `#,`.
    entries: list[dict[str, list[str]]] = [{}]
    current = ""
    # Other line separators can be part of a text.
    for line in content.decode("utf-8-sig", "surrogateescape").split("\n"):
        match = _LINE.match(line.strip())
        if match is None or not match[0]:
            continue
        keyword, text = match.groups()
        is_start = keyword in ("#,", "msgctxt", "msgid") and "msgid" in entries[-1]
        if is_start or keyword == "#~":
            entries.append({})
        current = keyword or current
        entries[-1].setdefault(current, []).append((text or "")[1:-1])
    return {
        _joined(entry["msgid"]): _joined(entry["msgstr"])
        for entry in entries
        if {"msgid", "msgstr"} <= entry.keys()
        # Messages with a context are other messages.
        and {"#,", "msgctxt"}.isdisjoint(entry)
    }


def _joined(texts: Sequence[str]) -> str:
    return _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]), "".join(texts))
