"""The fingerprint of a text: the hashes of its groups of consecutive words.

Two texts about the same subject have many words in common, but hardly any groups.
"""

from __future__ import annotations

import json
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from docs_sitemap.tools.front_matter import split_document

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# The start of a longer text says enough: so many words, and characters with markup. The
# hashes take 4 KiB.
_MAX_WORDS = 1_000
_MAX_TEXT = 20_000

# Thai, Lao, Chinese, and Japanese have no spaces between words: characters are words.
_NO_SPACES = r"\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_NO_SPACE = re.compile(f"[{_NO_SPACES}]")
_SYMBOL = re.compile(rf"[^\w\x00-\x7f{_NO_SPACES}]")

# Replaces what is neither a letter nor a digit in ASCII with spaces.
_SEPARATORS = re.sub(rb"[^0-9A-Za-z\x80-\xff]", b" ", bytes(range(256)))

# Of the 64 bits of a hash, 32 are enough.
_HASHES = 2**32

# With fewer groups of words, a text cannot be told from others.
MIN_GROUPS = 8

# The element with the text of a page, and what is no text of the page there.
_MAIN = "main, [role=main]"
_OTHER = "nav, aside, header, footer, script, noscript, style, template, svg"

# What readers do not see of documents: code of template languages, comments, tags,
# addresses, and the directives, roles, and fields of reStructuredText. Searching is
# fast if all alternatives start with a character, and not with `^`.
_MARKUP = re.compile(
    r"\{%.{0,500}?%\}|\{\{.{0,500}?\}\}|<!--.{0,5000}?-->|<[^<>]{0,500}>"
    r"|\]\([^()\s]*|https?://\S+|:[\w:+-]{1,80}:(?=`)|&\w+;"
    r"|\n(?: {0,3}\[[^\]\n]+\]:[^\n]*| *(?:\.\. (?:[\w:.-]+::|[^\n]*)|::: [^\n]*)"
    r"|:\w[\w -]*:|(?:import|export)\b[^\n]*)",
    re.S,
)
# What Pelican and MultiMarkdown write instead of front matter.
_METADATA = re.compile(r"\A(?:[A-Za-z][\w-]{0,30}:[ \t][^\n]*\n){2,}(?=\s*?(?:\n|\Z))")
_CODE = re.compile(r"<(script|style)\b.{0,20000}?</\1", re.S | re.I)


@dataclass(frozen=True, eq=False, slots=True)
class Fingerprint:
    """The fingerprint of a text.

    Attributes:
        groups: The hashes of its groups of four consecutive words, without order.
    """

    groups: array[int]

    def join(self, others: Iterable[Fingerprint]) -> Fingerprint:
        """Return the fingerprint of this text and others together."""
        joined = [text.groups for text in others]
        if not any(joined):
            return self
        return Fingerprint(array("I", set(self.groups).union(*joined)))


NO_TEXT = Fingerprint(array("I"))


def read_page_text(document: LexborHTMLParser) -> Fingerprint:
    """Return the fingerprint of what readers see on a page, without navigation. The
    elements with other text are removed from the page.
    """
    main = document.css_first(_MAIN) or document.body
    if main is None:
        return NO_TEXT
    for element in main.css(_OTHER):
        element.decompose(recursive=False)  # with all that it contains
    return fingerprint(main.text(separator=" "))


def read_document_text(data: bytes) -> Fingerprint:
    """Return the fingerprint of what readers see of a document."""
    document = split_document(data.decode("utf-8", "replace"))
    text = _METADATA.sub("", document.body)
    if not text.strip():
        # The page may show what the front matter says.
        values = fingerprint(document.front_matter)
        return values if len(values.groups) >= MIN_GROUPS else NO_TEXT
    if text.startswith("{"):
        text = _read_notebook(text)
    text = _CODE.sub(" ", f"\n{text[:_MAX_TEXT]}")
    return fingerprint(_MARKUP.sub(" ", text))


def _read_notebook(text: str) -> str:
    """Return the text in the cells of a notebook, and any other text as it is."""
    with suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
        notebook = json.loads(text)
        found = []
        # Format 3 has sheets, and the code in `input`.
        for sheet in notebook.get("worksheets", [notebook]):
            for cell in sheet["cells"]:
                found.append("".join(cell.get("source") or cell.get("input", "")))
        return "\n".join(found)
    return text


def fingerprint(text: str) -> Fingerprint:
    """Return the fingerprint of a text."""
    words = list(map(crc32, _split_words(text[:_MAX_TEXT].casefold())))
    groups = zip(words, words[1:], words[2:], words[3:], strict=False)
    # The hash of a tuple of integers is the same in every process.
    hashes = set(map(hash, groups))
    return Fingerprint(array("I", [group % _HASHES for group in hashes]))


def _split_words(text: str) -> list[bytes]:
    """Return the first words of a text in UTF-8: bytes are split much faster."""
    if not text.isascii():
        text = _SYMBOL.sub(" ", text)
        text = _NO_SPACE.sub(r" \g<0> ", text, count=_MAX_WORDS)
    words = text.encode().translate(_SEPARATORS).split(None, _MAX_WORDS)
    return words[:_MAX_WORDS]


class TextOfPage(NamedTuple):
    """The text of a page, to compare it with documents.

    Attributes:
        groups: Its groups of words.
        repeated: How much less than 1 each group weighs that other pages repeat.
        weight: The weight of all of its groups.
    """

    groups: frozenset[int]
    repeated: Mapping[int, float]
    weight: float

    def weigh(self, groups: Set[int]) -> float:
        """Return the weight of some of its groups."""
        repeated = groups & self.repeated.keys()
        return len(groups) - sum(map(self.repeated.__getitem__, repeated))


class Rarity:
    """How few pages contain a group of words, so that forms, licenses, and lists of
    recent posts count little: a group that is on three pages weighs a third.

    Args:
        pages: The fingerprints of all pages.
    """

    def __init__(self, pages: Iterable[Fingerprint]) -> None:
        groups = [page.groups for page in pages]
        # Groups that share a place by chance only count a little less.
        places = 2 ** (1 + sum(map(len, groups)).bit_length())
        mask = self._mask = places - 1
        # Most numbers fit in a byte. What exceeds it is counted elsewhere.
        numbers = self._numbers = bytearray(places)
        self._more = Counter[int]()
        for group in chain.from_iterable(groups):
            try:
                numbers[group & mask] += 1
            except ValueError:
                self._more[group & mask] += 1

    def weigh(self, page: Fingerprint) -> TextOfPage:
        """Return the text of a page with the weights of its groups."""
        numbers, mask = self._numbers, self._mask
        repeated = {}
        for group in page.groups:
            number = numbers[group & mask]
            if number > 1:
                number += self._more.get(group & mask, 0)
                repeated[group] = 1 - 1 / number
        weight = len(page.groups) - sum(repeated.values())
        return TextOfPage(frozenset(page.groups), repeated, weight)
