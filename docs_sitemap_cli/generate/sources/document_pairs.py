"""Pairs of a page and a document that may be its own, each with one score."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence, Set
from functools import cached_property
from heapq import nsmallest
from math import sqrt
from typing import NamedTuple

from .fingerprints import MIN_GROUPS, NO_TEXT, Fingerprint, Rarity, TextOfPage
from .path_names import Folders, PathNames, source_names

# The histogram of each threshold: benchmarks/README.md#what-each-threshold-decides

# So much have a page and its own document in common, whatever their paths are.
MIN_WORDS = 0.3

# A page has at least so much of a document with its path, or is so much of it.
_MIN_PATH_WORDS = 0.1

# Between texts that are equal, or nearly, the path decides.
_PATH_WEIGHT = 0.5

# Documents are found by so many hashes. Those that more documents have say nothing, and
# so many of the others are compared.
_LOOKED_UP = 24
_MAX_SAME = 32
_MAX_COMPARED = 16


class Document(NamedTuple):
    """A file that may be the own document of a page.

    Attributes:
        text: Its text, with that of what it includes.
        included: The files that it includes.
        is_code: Whether the words of its page come from code: a component, or a
            document about modules.
        is_page: Whether it is a page by its name or folder.
        is_usual: Whether the usual generators turn it into a page.
        needs_words: Whether the path says nothing without words.
    """

    text: Fingerprint
    included: Collection[str] = ()
    is_code: bool = False
    is_page: bool = False
    is_usual: bool = True
    needs_words: bool = False


class Pair(NamedTuple):
    """A page and a document that may be its own.

    Attributes:
        page: The HTML file.
        path: The path of the document.
        shown: The share of the document that is on the page; 0 if one of them has not
            enough words to tell.
        own: The share of the page that is in the document, likewise, where what few
            other pages contain counts most.
        agrees: Whether the words agree with the path; `None` if the document has not
            enough words to tell, and the page not many others.
        names: The share of the names in the path of the page that the document has.
        folders: The names of folders that only one of them has.
        has_path: Whether the document has all names of the page.
        score: From 0 to 1.5: the words, and half of it for the path.
    """

    page: str
    path: str
    shown: float
    own: float
    agrees: bool | None
    names: float
    folders: Folders
    has_path: bool
    score: float = 0.0

    @property
    def words(self) -> float:
        """How much the texts have in common: 1 if they are the same."""
        return sqrt(self.shown * self.own)

    @property
    def is_similar(self) -> bool:
        """Whether the words alone are evidence."""
        return self.words >= MIN_WORDS

    def score_with(self, votes: float) -> Pair:
        """Return the pair with its score.

        Args:
            votes: How much the documents of other pages speak for these folders, from 0
                to 1.
        """
        path = (self.names + votes) / 2
        return self._replace(score=self.words + _PATH_WEIGHT * path)


class CommonWords(NamedTuple):
    """What a page and a document have in common.

    Attributes:
        shown: See `Pair`.
        own: See `Pair`.
        agrees: See `Pair`.
    """

    shown: float
    own: float
    agrees: bool | None


_NO_WORDS = CommonWords(0, 0, agrees=False)


def compare_words(page: TextOfPage, document: Fingerprint) -> CommonWords:
    """Return what a page and a document have in common."""
    groups = page.groups
    if document is NO_TEXT and len(groups) >= MIN_GROUPS:
        return _NO_WORDS
    common = groups.intersection(document.groups)
    shorter = min(len(groups), len(document.groups))
    if shorter < MIN_GROUPS:
        agrees = None
        if 2 * len(common) > shorter:
            agrees = True
        elif _MIN_PATH_WORDS * page.weight > MIN_GROUPS:
            agrees = False
        return CommonWords(0, 0, agrees)
    shown = len(common) / len(document.groups)
    own = page.weigh(common) / page.weight
    return CommonWords(shown, own, max(shown, own) >= _MIN_PATH_WORDS)


class PairFinder:
    """Finds the documents that may be those of pages.

    Attributes:
        names: The names in the paths of the documents.

    Args:
        pages: The texts of all pages.
        documents: The documents by their paths.
        rarity: Weighs the groups of words of pages.
    """

    def __init__(
        self,
        pages: Mapping[str, Fingerprint],
        documents: Mapping[str, Document],
        rarity: Rarity,
    ) -> None:
        self._pages = pages
        self._documents = documents
        self._rarity = rarity
        self.names = {path: source_names(path) for path in documents}
        # The smallest ones are in the same part of both texts.
        self._looked_up = {
            path: array("I", nsmallest(_LOOKED_UP, document.text.groups))
            for path, document in documents.items()
        }
        self._paths_by_group = self._index_words()
        self._by_own_name: defaultdict[str, set[str]] = defaultdict(set)
        self._by_name: defaultdict[str, set[str]] = defaultdict(set)
        self._index_names()

    def find(self, page: str, names: PathNames) -> list[Pair]:
        """Return the likely pairs of a page, without scores."""
        text = self._rarity.weigh(self._pages[page])
        common = self._count_common(text.groups)
        best = sorted(common, key=lambda path: (-common[path], path))
        likely = {*best[:_MAX_COMPARED], *self._find_by_names(names)}
        pairs = []
        for path in sorted(likely):
            words = _NO_WORDS
            document = self._documents[path].text
            shorter = min(len(text.groups), len(document.groups))
            looked_up = self._looked_up[path]
            if shorter < _LOOKED_UP or not text.groups.isdisjoint(looked_up):
                words = compare_words(text, document)
            source = self.names[path]
            agreement, folders = source.agreement(names), source.folders(names)
            has_path = source.has_name(names) and not folders.page
            if words.shown or agreement:
                pairs.append(Pair(page, path, *words, agreement, folders, has_path))
        return pairs

    def share_shown(self, page: str, other: str, path: str) -> float:
        """Return how much a page shows of what another page shows of a document."""
        both = set(self._pages[other].groups) & set(self._documents[path].text.groups)
        return len(both.intersection(self._pages[page].groups)) / max(1, len(both))

    def are_similar(self, page: str, other: str) -> bool:
        """Return whether two pages have much of their text in common."""
        groups, others = set(self._pages[page].groups), self._pages[other].groups
        if min(len(groups), len(others)) < MIN_GROUPS:
            return False
        longer = max(len(groups), len(others))
        return len(groups.intersection(others)) >= MIN_WORDS * longer

    def _index_words(self) -> Mapping[int, Sequence[str]]:
        """Return the documents by the smallest hashes of their texts."""
        index: defaultdict[int, list[str]] = defaultdict(list)
        for path, groups in self._looked_up.items():
            for group in groups:
                index[group].append(path)
        return index

    def _index_names(self) -> None:
        for path, names in self.names.items():
            own = names.own
            if names.index_name:
                own |= {names.index_name, ""}
            for name in own:
                self._by_own_name[name].add(path)
            for name in names.names:
                self._by_name[name].add(path)

    def _count_common(self, groups: Set[int]) -> Counter[str]:
        """Return how many hashes of a page documents have; none for those that many
        documents have.
        """
        common: list[str] = []
        for group in self._paths_by_group.keys() & groups:
            paths = self._paths_by_group[group]
            if len(paths) < _MAX_SAME:
                common += paths
        return Counter(common)

    def _find_by_names(self, names: PathNames) -> Collection[str]:
        """Return the documents whose names may be the one of a page."""
        found: set[str] = set()
        for name in names.own or ("",):
            found |= self._by_own_name.get(name, set())
        for name in sorted(names.names, key=self._count_names):
            if len(found) > _MAX_SAME:
                found = found & self._by_name.get(name, set()) or found
        if len(found) <= _MAX_SAME:
            return found
        # Index files near the top are most likely those of home pages.
        return nsmallest(2 * _MAX_SAME, found, key=self._positions.__getitem__)

    def _count_names(self, name: str) -> int:
        return len(self._by_name.get(name, ()))

    @cached_property
    def _positions(self) -> Mapping[str, int]:
        """The positions of the documents if those near the top come first."""
        paths = sorted(self.names, key=lambda path: (len(self.names[path].names), path))
        return {path: position for position, path in enumerate(paths)}
