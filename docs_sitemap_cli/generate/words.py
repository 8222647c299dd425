"""The words of pages and documents: a page contains the words of its source, whatever
the generator.

Groups of consecutive words are compared. Two texts about the same subject have many
words in common, but hardly any groups.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, KeysView, Mapping, Set
from contextlib import suppress
from itertools import islice
from posixpath import dirname
from typing import TYPE_CHECKING, NamedTuple

from docs_sitemap.tools.front_matter import split_document

from .source_paths import page_key, source_stem

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser


class Words(NamedTuple):
    """The words of a page or a document.

    Attributes:
        groups: The hashes of groups of four consecutive words, in the order of the
            text.
        size: The number of characters of the complete text.
    """

    groups: KeysView[int]
    size: int

    def without(self, groups: Set[int]) -> Words:
        """Return the words without some groups."""
        own = [group for group in self.groups if group not in groups]
        return self._replace(groups=dict.fromkeys(own).keys())


NO_WORDS = Words({}.keys(), 0)

# The number of groups from which a text has enough words to tell it from others.
_MIN_GROUPS = 8

# The share of the groups of the shorter text that a page and its source have in common,
# at least. Includes, macros, and code of components are most of some real pages. Pages
# have less than a tenth in common with other documents.
_MIN_COMMON = 0.1

# If only the words speak for a document, it must be mostly on the page, and the page
# mostly of it. Otherwise, the page is a list, or shows only the start of a post.
_MIN_SCORE = 0.5

# In characters: dates, comments, and forms on short pages.
_OTHER_TEXT = 1_000

# The share of the best document that the next one may reach. Copies, for example for a
# version, come closer.
_MAX_NEXT = 0.9
_MAX_COMPARED = 5

# From this share of the pages, and this number, a group is no text of these pages.
_REPEATED_SHARE = 0.2
_MIN_REPEATED = 3

# The start of a long text says enough: so many words, and of documents, so many
# characters with markup.
_MAX_WORDS = 1_000
_MAX_TEXT = 20_000

# So many groups of a page are looked up in all documents.
_MAX_SAMPLE = 100

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
        return NO_WORDS
    for node in main.css(_OTHER_ELEMENTS):
        node.decompose()
    return _group(main.text(separator=" "))


def document_words(data: bytes) -> Words:
    """Return the groups of words that readers see of a document."""
    text = split_document(data.decode("utf-8", "replace")).body
    if text.startswith("{"):
        text = _read_notebook(text)
    start = text[:_MAX_TEXT]
    words = _group(_MARKUP.sub(" ", _CODE.sub(" ", f"\n{start}")))
    # The rest has about as much markup.
    return words._replace(size=words.size * len(text) // max(1, len(start)))


def _read_notebook(text: str) -> str:
    """Return the text in the cells of a notebook, and any other text as it is."""
    with suppress(ValueError, TypeError, KeyError, RecursionError):
        cells = json.loads(text)["cells"]
        return "\n".join("".join(cell["source"]) for cell in cells)
    return text


def _group(text: str) -> Words:
    matches = islice(_WORD.finditer(text.casefold()), _MAX_WORDS)
    words = [match[0] for match in matches]
    groups = zip(words, words[1:], words[2:], words[3:], strict=False)
    # Text has few other kinds of white space.
    size = len(text) - text.count(" ") - text.count("\n")
    return Words(dict.fromkeys(map(hash, groups)).keys(), size)


def count_common(page: Words, document: Words) -> int | None:
    """Return how many groups a page and a document have in common: 0 if it is too few
    for a page that is made from this document, and `None` if one of them has not enough
    words to tell.
    """
    shorter = min(len(page.groups), len(document.groups))
    if shorter < _MIN_GROUPS:
        return None
    common = len(page.groups & document.groups)
    return common if common >= _MIN_COMMON * shorter else 0


def share(part: Words, whole: Words) -> float:
    """Return the share of the groups of a text that are in another text."""
    return len(part.groups & whole.groups) / max(1, len(part.groups))


def find_documents(
    pages: Mapping[str, Words],
    documents: Iterable[str],
    read_words: Callable[[str], Words],
) -> dict[str, str]:
    """Return the documents whose words pages contain, by page. Copies of a page have
    the same document, and pages that contain less of it have none.

    Args:
        pages: The words of pages.
        documents: The names of all documents.
        read_words: Returns the words of a document.
    """
    similar = {}
    for page, scores in _compare(pages, documents, read_words).items():
        closest = _find_closest(scores)
        if scores[closest[0]] >= _MIN_SCORE:
            similar[page] = closest
    # Of several copies, for example of another version of the project, those in the
    # folder of other documents are the sources.
    folders = Counter[str]()
    for closest in similar.values():
        if len(closest) == 1:
            folders[dirname(closest[0])] += 1
    pages_of: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for page, closest in similar.items():
        numbers = {document: float(folders[dirname(document)]) for document in closest}
        best = _find_closest(numbers)
        if len(best) == 1:
            pages_of[best[0]][page] = _count_shared_letters(page, best[0])
    found = {}
    for document, letters in pages_of.items():
        # A list with a single post contains the same words as the post.
        for page in _find_closest(letters):
            found[page] = document
    return found


def _compare(
    pages: Mapping[str, Words],
    documents: Iterable[str],
    read_words: Callable[[str], Words],
) -> dict[str, dict[str, float]]:
    """Return the scores of the documents with the most words of each page."""
    repeated = _find_repeated(pages.values())
    texts = {}
    index: defaultdict[int, list[str]] = defaultdict(list)
    for name, page in pages.items():
        texts[name] = page.without(repeated)
        groups = list(texts[name].groups)
        if len(groups) >= _MIN_GROUPS:
            for group in groups[:: len(groups) // _MAX_SAMPLE + 1]:
                index[group].append(name)
    common: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for document in documents:
        for group in index.keys() & read_words(document).groups:
            for name in index[group]:
                common[name][document] += 1
    scores: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for name, counts in common.items():
        for document, _ in counts.most_common(_MAX_COMPARED):
            words = read_words(document).without(repeated)
            scores[name][document] = _score(texts[name], words)
    return scores


def _score(page: Words, document: Words) -> float:
    """Return how much a page is like a document, from 0 to 1: the share of the groups
    that they have in common, if both have the same length.
    """
    shorter, longer = sorted((page.size, document.size))
    length = min(1, (shorter + _OTHER_TEXT) / longer)
    common = len(page.groups & document.groups)
    return length * common / max(len(page.groups), len(document.groups))


def _find_closest(scores: Mapping[str, float]) -> list[str]:
    """Return the names with the highest score, and with nearly the same."""
    least = _MAX_NEXT * max(scores.values())
    closest = [name for name, score in scores.items() if score >= least]
    return sorted(closest, key=lambda name: scores[name], reverse=True)


def _count_shared_letters(page: str, document: str) -> float:
    """Return the length of the last name in the path of a page, if the name of a
    document contains it; otherwise 0.
    """
    name = "".join(page_key(page)[-1:])
    own = "".join(page_key(source_stem(document))[-1:])
    return len(name) if name in own else 0


def _find_repeated(pages: Collection[Words]) -> set[int]:
    """Return the groups that many pages repeat, for example in forms and licenses."""
    numbers = Counter[int]()
    for page in pages:
        numbers.update(page.groups)
    most = max(_MIN_REPEATED, _REPEATED_SHARE * len(pages))
    return {group for group, number in numbers.items() if number >= most}
