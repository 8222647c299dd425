"""The words of pages and documents: a page contains the words of its source, whatever
the generator.

Groups of consecutive words are compared. Two texts about the same subject have many
words in common, but hardly any groups.
"""

from __future__ import annotations

import json
import re
from collections.abc import KeysView
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from docs_sitemap.tools.front_matter import split_document

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser


Words = KeysView[int]
"""The hashes of groups of four consecutive words, in the order of the text."""

# The number of groups from which a text has enough words to tell it from others.
MIN_GROUPS = 8

# The share of the groups of the shorter text that a page and its source have in common,
# at least. Includes, macros, and code of components are most of some real pages. Pages
# have less than a tenth in common with other documents.
_MIN_COMMON = 0.1

# The start of a long text says enough: so many words, and of documents, so many
# characters with markup.
_MAX_WORDS = 1_000
_MAX_TEXT = 20_000

# Thai, Lao, Chinese, and Japanese have no spaces between words: characters are words.
_NO_SPACES = r"\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[^\W_{_NO_SPACES}]++|[{_NO_SPACES}]")

# The element with the text of a page, and what is no text of the page there.
_MAIN = "main, [role=main]"
_OTHER_ELEMENTS = "nav, aside, header, footer, script, noscript, style, template, svg"

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


def page_words(document: LexborHTMLParser) -> Words:
    """Return the groups of words that readers see on a page, without navigation. The
    elements with other text are removed from the page.
    """
    main = document.css_first(_MAIN) or document.body
    if main is None:
        return {}.keys()
    for node in main.css(_OTHER_ELEMENTS):
        node.decompose()
    return group_words(main.text(separator=" "), _MAX_WORDS)


def document_words(data: bytes) -> Words:
    """Return the groups of words that readers see of a document."""
    text = split_document(data.decode("utf-8", "replace")).body
    if text.startswith("{"):
        text = _read_notebook(text)
    text = _CODE.sub(" ", f"\n{text[:_MAX_TEXT]}")
    return group_words(_MARKUP.sub(" ", text), _MAX_WORDS)


def _read_notebook(text: str) -> str:
    """Return the text in the cells of a notebook, and any other text as it is."""
    with suppress(ValueError, TypeError, KeyError, RecursionError):
        cells = json.loads(text)["cells"]
        return "\n".join("".join(cell["source"]) for cell in cells)
    return text


def group_words(text: str, limit: int | None = None) -> Words:
    """Return the groups of the first words of a text, or of all words."""
    words = [match[0] for match in islice(_WORD.finditer(text.casefold()), limit)]
    groups = zip(words, words[1:], words[2:], words[3:], strict=False)
    return dict.fromkeys(map(hash, groups)).keys()


def count_common(page: Words, document: Words) -> int | None:
    """Return how many groups a page and a document have in common: 0 if it is too few
    for a page that is made from this document, and `None` if one of them has not enough
    words to tell.
    """
    shorter = min(len(page), len(document))
    if shorter < MIN_GROUPS:
        return None
    common = len(page & document)
    return common if common >= _MIN_COMMON * shorter else 0


def share(part: Words, whole: Words) -> float:
    """Return the share of the groups of a text that are in another text."""
    return len(part & whole) / max(1, len(part))
