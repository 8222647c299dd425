"""The fingerprint of a text: a small sample of its groups of consecutive words.

Two texts about the same subject have many words in common, but hardly any groups. The
sample consists of the smallest hashes, so two texts have the same part of what they
share in their samples: https://doi.org/10.1109/SEQUEN.1997.666900 ("On the resemblance
and containment of documents").
"""

from __future__ import annotations

import json
import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import crc32

from docs_sitemap.tools.front_matter import split_document

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# So many hashes of a text are kept: 4 KiB.
_SAMPLE = 1_024
HASHES = 2**32

# The start of a longer document says enough: so many characters with markup.
_MAX_TEXT = 100_000

# Thai, Lao, Chinese, and Japanese have no spaces between words: characters are words.
_NO_SPACES = r"\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[^\W_{_NO_SPACES}]++|[{_NO_SPACES}]")

# The element with the text of a page, and what is no text of the page there.
_MAIN = "main, [role=main]"
_OTHER_ELEMENTS = [
    "nav",
    "aside",
    "header",
    "footer",
    "script",
    "noscript",
    "style",
    "template",
    "svg",
]

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
_CODE = re.compile(r"<(script|style)\b.{0,20000}?</\1", re.S | re.I)


@dataclass(frozen=True, eq=False, slots=True)
class Fingerprint:
    """The sample of a text.

    Attributes:
        groups: Hashes of groups of four consecutive words, in ascending order.
        bound: The text has no other hashes below this number.
    """

    groups: array[int]
    bound: int = HASHES

    def below(self, bound: int) -> array[int]:
        """Return the hashes below a number."""
        if bound >= self.bound:
            return self.groups
        return self.groups[: bisect_left(self.groups, bound)]

    def join(self, others: Iterable[Fingerprint]) -> Fingerprint:
        """Return the fingerprint of this text and others together."""
        texts = [self, *others]
        bound = min(text.bound for text in texts)
        return _sample(set().union(*[text.below(bound) for text in texts]), bound)


NO_TEXT = Fingerprint(array("I"))


def read_page_text(document: LexborHTMLParser) -> Fingerprint:
    """Return the fingerprint of what readers see on a page, without navigation. The
    elements with other text are removed from the page.
    """
    main = document.css_first(_MAIN) or document.body
    if main is None:
        return NO_TEXT
    main.strip_tags(_OTHER_ELEMENTS)
    return fingerprint(main.text(separator=" "))


def read_document_text(data: bytes) -> Fingerprint:
    """Return the fingerprint of what readers see of a document."""
    text = split_document(data.decode("utf-8", "replace")).body
    if text.startswith("{"):
        text = _read_notebook(text)
    text = _CODE.sub(" ", f"\n{text[:_MAX_TEXT]}")
    return fingerprint(_MARKUP.sub(" ", text))


def _read_notebook(text: str) -> str:
    """Return the text in the cells of a notebook, and any other text as it is."""
    with suppress(ValueError, TypeError, KeyError, RecursionError):
        cells = json.loads(text)["cells"]
        return "\n".join("".join(cell["source"]) for cell in cells)
    return text


def fingerprint(text: str) -> Fingerprint:
    """Return the fingerprint of a text."""
    words = [crc32(word.encode()) for word in _WORD.findall(text.casefold())]
    # The hash of a tuple of integers is the same in every process.
    groups = set(map(hash, zip(words, words[1:], words[2:], words[3:], strict=False)))
    return _sample({group % HASHES for group in groups}, HASHES)


def _sample(hashes: set[int], bound: int) -> Fingerprint:
    smallest = sorted(hashes)
    if len(smallest) > _SAMPLE:
        bound = smallest[_SAMPLE]
    return Fingerprint(array("I", smallest[:_SAMPLE]), bound)


class Rarity:
    """How few pages contain a group of words, so that forms, licenses, and lists of
    recent posts count little.

    Args:
        pages: The fingerprints of all pages.
    """

    def __init__(self, pages: Iterable[Fingerprint]) -> None:
        groups = [page.groups for page in pages]
        # Groups that share a place by chance only count a little less.
        places = 2 ** (1 + sum(map(len, groups)).bit_length())
        self._mask = places - 1
        self._numbers = array("I", bytes(4 * places))
        for page in groups:
            for group in page:
                self._numbers[group & self._mask] += 1

    def weigh(self, groups: Iterable[int]) -> float:
        """Return the weight of groups: one that is on three pages counts a third."""
        numbers, mask = self._numbers, self._mask
        return sum([1 / (numbers[group & mask] or 1) for group in groups])
