"""Find the source of a page by its words: a page contains the words of its source,
whatever the generator and the paths are.

Groups of consecutive words are compared. Two texts about the same subject have many
words in common, but hardly any groups.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, KeysView, Mapping
from contextlib import suppress
from itertools import islice
from posixpath import dirname
from typing import TYPE_CHECKING

from docs_sitemap.tools.front_matter import split_document

from .source_paths import plain_path, source_stem

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

# The share of the groups of the longer text that a page and its document have in
# common, at least. Comments and lists of other posts are most of some real pages.
_MIN_SCORE = 0.3

# The share of the highest score from which a score is nearly the same.
_NEAR = 0.9

# The share of a page that comes from its file of code, at least. Most pages of API
# documentation also contain signatures, and what objects inherit.
_MIN_CODE = 0.3

# From this share of the pages, and this number, a group is no text of these pages.
_REPEATED_SHARE = 0.2
_MIN_REPEATED = 3

# So many groups of a page are looked up in all files.
_MAX_SAMPLE = 100

_IDENTIFIER = re.compile(rb"\w+")


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


class PageIndex:
    """Finds the pages that contain groups of words.

    Attributes:
        repeated: The groups that many pages repeat, such as forms and licenses.
        sizes: How many other groups each page has, if they are enough to tell it from
            others.

    Args:
        pages: The words of the pages.
    """

    def __init__(self, pages: Mapping[str, Words]) -> None:
        self.sizes: dict[str, int] = {}
        self._pages: defaultdict[int, list[tuple[str, float]]] = defaultdict(list)
        self.repeated = _find_repeated(pages.values())
        for name, words in pages.items():
            groups = [group for group in words if group not in self.repeated]
            if len(groups) < MIN_GROUPS:
                continue
            self.sizes[name] = len(groups)
            sample = groups[:: len(groups) // _MAX_SAMPLE + 1]
            for group in sample:
                self._pages[group].append((name, len(groups) / len(sample)))

    def count_common(self, groups: Iterable[int]) -> Mapping[str, float]:
        """Return about how many groups of a text each page contains."""
        common: defaultdict[str, float] = defaultdict(float)
        for group in self._pages.keys() & groups:
            for page, number in self._pages[group]:
                common[page] += number
        return common


def find_documents(
    index: PageIndex,
    documents: Iterable[str],
    read_words: Callable[[str], Words],
    known: Iterable[str],
) -> dict[str, str]:
    """Return the documents whose words pages contain, by page. Copies of a page have
    the same document, and pages that contain less of it have none.

    Args:
        index: The pages.
        documents: The names of all documents.
        read_words: Returns the words of a document.
        known: The sources of other pages.
    """
    similar = _find_similar(index, documents, read_words)
    pages_of: defaultdict[str, dict[str, float]] = defaultdict(dict)
    tied = {}
    for page, best in _choose_copies(similar, known).items():
        if len(best) == 1:
            pages_of[best[0]][page] = _count_shared_letters(page, best[0])
        else:
            tied[page] = best
    found = {}
    for document, shared in pages_of.items():
        # A list with a single post contains the same words as the post.
        for page in _find_closest(shared):
            found[page] = document
    for page, best in tied.items():
        free = [name for name in best if name not in pages_of]
        if len(free) == 1:
            found[page] = free[0]
    return found


def _choose_copies(
    similar: Mapping[str, list[str]], known: Iterable[str]
) -> dict[str, list[str]]:
    """Return the likely documents of each page. Of several copies, for example of
    another version of the project, those in the folder of other sources are the
    sources. Of the others, the path of the page decides, for example between languages.

    Args:
        similar: The documents with nearly the most words of each page.
        known: The sources of other pages.
    """
    folders = Counter(map(dirname, known))
    for closest in similar.values():
        if len(closest) == 1:
            folders[dirname(closest[0])] += 1
    chosen = {}
    for page, closest in similar.items():
        best = _find_closest({name: folders[dirname(name)] for name in closest})
        letters = {name: _count_shared_letters(page, name) for name in best}
        most = max(letters.values())
        chosen[page] = [name for name in best if letters[name] == most]
    return chosen


def _find_similar(
    index: PageIndex, documents: Iterable[str], read_words: Callable[[str], Words]
) -> dict[str, list[str]]:
    """Return the documents with nearly the most words of each page."""
    scores: defaultdict[str, dict[str, float]] = defaultdict(dict)
    highest: dict[str, float] = {}
    for document in documents:
        groups = read_words(document) - index.repeated
        for page, common in index.count_common(groups).items():
            score = common / max(len(groups), index.sizes[page])
            scores[page][document] = score
            highest[document] = max(score, highest.get(document, 0))
    similar = {}
    for page, likely in scores.items():
        # Lists of posts contain less of each document than the page of this document.
        own = {}
        for document, score in likely.items():
            if score >= max(_MIN_SCORE, _NEAR * highest[document]):
                own[document] = score
        if own:
            similar[page] = _find_closest(own)
    return similar


def find_code(
    index: PageIndex, files: Iterable[str], read_file: Callable[[str], bytes]
) -> dict[str, str]:
    """Return the files of code whose comments pages contain, by page. They also contain
    the name of the page, or have it: classes inherit comments from other files.
    """
    named: defaultdict[bytes, set[str]] = defaultdict(set)
    for page in index.sizes:
        name = page.removesuffix(".html").removesuffix("/index").lower().encode()
        for last in _IDENTIFIER.findall(name)[-1:]:
            named[last].add(page)
    scores: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for file in files:
        data = b"%b\n%b" % (file.encode(), read_file(file))
        data = data.lower()
        # Most files contain no name, and searching for names is much faster.
        if b"\0" in data or not any(name in data for name in named):
            continue
        own: set[str] = set()
        for name in named.keys() & set(_IDENTIFIER.findall(data)):
            own |= named[name]
        groups = group_words(data.decode("utf-8", "replace"))
        for page, common in index.count_common(groups).items():
            score = common / index.sizes[page]
            if page in own and score >= _MIN_CODE:
                scores[page][file] = score
    found = {}
    for page, likely in scores.items():
        best = _find_closest(likely)
        if len(best) == 1:
            found[page] = best[0]
    return found


def _find_closest(scores: Mapping[str, float]) -> list[str]:
    """Return the names with the highest score, and with nearly the same."""
    least = _NEAR * max(scores.values())
    return [name for name, score in scores.items() if score >= least]


def _count_shared_letters(page: str, document: str) -> int:
    """Return the length of the names in the path of a page that are in the path of a
    document, too.
    """
    path = "".join(plain_path(source_stem(document)))
    return sum(len(name) for name in plain_path(page) if name in path)


def _find_repeated(pages: Collection[Words]) -> set[int]:
    """Return the groups that many pages repeat."""
    numbers = Counter[int]()
    for page in pages:
        numbers.update(page)
    most = max(_MIN_REPEATED, _REPEATED_SHARE * len(pages))
    return {group for group, number in numbers.items() if number >= most}
