"""Give each page its own document, or none: the best pair of all first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from posixpath import dirname

from docs_sitemap.page import NoSource, SourceRule

from .document_pairs import (
    MIN_WORDS,
    Document,
    Pair,
    PairFinder,
)
from .fingerprints import Fingerprint, Rarity
from .path_names import (
    Folders,
    Names,
    is_home_file,
    is_readme,
    leave_out_dates,
    page_names,
    source_names,
    untranslated_names,
)

# The histogram of each threshold: benchmarks/README.md#what-each-threshold-decides

# Scores that differ less are nearly equal.
_NEAR = 0.05

# The share of pages that have their documents in the same folders, or a path agrees by
# chance. It is never a single page.
_MIN_SHARE = 0.04


class Assignment:
    """The own documents of pages.

    Attributes:
        found: The pair of each page with its document, by page.
        rules: How each document was found.

    Args:
        pages: The texts of all pages.
        documents: The documents.
        known: The documents of the pages that name them.
        wanted: The pages whose documents are wanted.
        rarity: Weighs the groups of words of pages.
    """

    def __init__(
        self,
        pages: Mapping[str, Fingerprint],
        documents: Mapping[str, Document],
        known: Mapping[str, str],
        wanted: Iterable[str],
        rarity: Rarity,
    ) -> None:
        self.found: dict[str, Pair] = {}
        self.rules: dict[str, SourceRule] = {}
        self._documents = documents
        self._finder = PairFinder(pages, documents, rarity)
        self._names = {page: page_names(page) for page in pages}
        self._by_untranslated = defaultdict[Names, list[str]](list)
        for page in pages:
            self._by_untranslated[untranslated_names(page)].append(page)
        self._owners: defaultdict[str, list[str]] = defaultdict(list)
        # How many pages may have their documents in the same folders, and how many have
        # one likely document there, in their section of the site and everywhere.
        self._votes = Counter[Folders]()
        self._clear_votes = Counter[tuple[str | None, Folders]]()
        self._own_votes: dict[str, Folders] = {}
        for page, path in known.items():
            self._owners[path].append(page)
            folders = source_names(path).folders(self._names[page])
            self._add_vote(page, folders, is_clear=True)
        self._pairs: dict[str, list[Pair]] = {}
        for page in wanted:
            self._pairs[page] = self._finder.find(page, self._names[page])
        self._ties: dict[str, tuple[Pair, Pair]] = {}
        # The pairs that may be given, by page and by document.
        self._rivals: dict[str, list[Pair]] = {}
        self._claims: defaultdict[str, list[Pair]] = defaultdict(list)
        # Those with too few words to tell.
        self._short: defaultdict[str, list[Pair]] = defaultdict(list)
        self._assign_by_words()
        self._assign_copies()
        self._assign_by_path()

    def explain(self, page: str) -> NoSource:
        """Return why a page has no document."""
        if page in self._ties:
            first, second = self._ties[page]
            return NoSource((first.path, second.path), first.words)
        if self._is_list(page):
            return NoSource(is_list=True)
        pairs = sorted(self._pairs.get(page, ()), key=lambda pair: -pair.words)
        if pairs and pairs[0].agrees:
            return NoSource((pairs[0].path,), pairs[0].words)
        return NoSource()

    def _is_list(self, page: str) -> bool:
        """Return whether a page shows documents of other pages."""
        of_others = []
        for pair in self._pairs.get(page, ()):
            if pair.path in self._owners and pair.agrees:
                of_others.append(pair)
        return len(of_others) > 1 or any(pair.is_similar for pair in of_others)

    def _assign_by_words(self) -> None:
        """Give pages the documents with their words. A document with the path of a page
        that has too few words to tell is as likely as one with another path.
        """
        likely = {}
        for page, pairs in self._pairs.items():
            most = max([pair.words for pair in pairs], default=0)
            similar = []
            for pair in filter(self._is_likely, pairs):
                # The own document is never much less similar than another one.
                if pair.words > most - MIN_WORDS:
                    similar.append(pair)
            likely[page] = self._prefer_version(similar)
            self._vote(likely[page])
        self._claim_paths()
        self._assign(likely, SourceRule.WORDS)

    def _prefer_version(self, pairs: list[Pair]) -> list[Pair]:
        """Return the pairs of a page whose path names a version without documents of
        other versions with nearly the same words.
        """
        best = max([pair.words for pair in pairs], default=0)
        near = {}
        for pair in pairs:
            if pair.words >= best - _NEAR:
                source = self._finder.names[pair.path]
                common = source.names & self._names[pair.page].names
                near[pair] = len([name for name in common if name[0].isdigit()])
        most = max(near.values(), default=0)
        return [pair for pair in pairs if near.get(pair, most) == most]

    def _claim_paths(self) -> None:
        """Let pages claim the documents with their paths that have too few words to
        tell: the page whose path is the most similar.
        """
        claims: defaultdict[str, list[Pair]] = defaultdict(list)
        for pairs in self._pairs.values():
            for pair in pairs:
                if not pair.words and self._has_path(pair):
                    claims[pair.path].append(pair)
        for pairs in claims.values():
            closest = min(pairs, key=lambda pair: len(pair.folders.document))
            self._short[closest.page].append(closest)

    def _assign_copies(self) -> None:
        """Give pages without translation the documents of their originals, whose paths
        have the same names without the one of the language.
        """
        for page in self._open_pages():
            agreeing = [pair for pair in self._pairs[page] if pair.agrees]
            for pair in self._score(agreeing)[:1]:
                for original in self._owners.get(pair.path, ()):
                    if self._is_copy(pair, original):
                        self.found[page] = pair
                        self.rules[page] = SourceRule.WORDS

    def _assign_by_path(self) -> None:
        """Give pages whose words are in no document the documents with their paths."""
        exact = {}
        for page in self._open_pages():
            pairs = self._pairs[page]
            is_similar = any(map(self._is_likely, pairs))
            if not (is_similar or self._is_list(page) or self._is_copied(page)):
                exact[page] = list(filter(self._has_path, pairs))
                self._vote([pair for pair in exact[page] if self._names[page].names])
        # A README is found next to other documents.
        for are_readmes in (False, True):
            folders = set(map(dirname, self._owners))
            likely = {}
            for page, pairs in exact.items():
                supported = []
                for pair in pairs:
                    is_next = is_readme(pair.path) is are_readmes
                    if is_next and self._is_supported(pair, folders):
                        supported.append(pair)
                likely[page] = self._prefer_usual(supported)
            self._assign(likely, SourceRule.PATH)

    def _is_likely(self, pair: Pair) -> bool:
        """Return whether the words alone are evidence."""
        return pair.is_similar and self._documents[pair.path].is_usual

    def _prefer_usual(self, pairs: Iterable[Pair]) -> list[Pair]:
        """Return the pairs with usual documents or, if there are none, all pairs."""
        found = list(pairs)
        usual = [pair for pair in found if self._documents[pair.path].is_usual]
        return usual or found

    def _vote(self, pairs: Sequence[Pair]) -> None:
        """Let a page vote for the folders of its most similar pairs."""
        best = max([pair.words for pair in pairs], default=0)
        near = [pair for pair in pairs if pair.words >= best - _NEAR]
        for pair in near:
            self._add_vote(pair.page, pair.folders, is_clear=len(near) == 1)

    def _add_vote(self, page: str, folders: Folders, *, is_clear: bool) -> None:
        self._votes[folders] += 1
        if is_clear:
            self._clear_votes[None, folders] += 1
            self._clear_votes[self._names[page].section, folders] += 1
            self._own_votes[page] = folders

    def _compare_votes(self, pairs: Sequence[Pair]) -> list[float]:
        """Return the shares of the votes of other pages for the folders of the pairs of
        a page: of clear votes in its section of the site or, without any, elsewhere.
        """
        page = pairs[0].page
        for section in (self._names[page].section, None):
            votes = []
            for pair in pairs:
                number = self._clear_votes[section, pair.folders]
                if self._own_votes.get(page) == pair.folders:
                    number -= 1
                votes.append(number)
            most = max(votes)
            if most > 0:
                weight = most / (most + 1)
                return [weight * number / most for number in votes]
        return [0.5] * len(pairs)

    def _score(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Return the pairs of a page with their scores, the best first. A document that
        another one includes is not the own one of a page that shows both.
        """
        if not pairs:
            return []
        scored = []
        for pair, share in zip(pairs, self._compare_votes(pairs), strict=True):
            scored.append(pair.score_with(share))
        scored.sort(key=_order)
        own = []
        for pair in scored:
            includes = []
            for other in scored:
                if pair.path in self._documents[other.path].included:
                    includes.append(other.score)
            if max(includes, default=-1) < pair.score - _NEAR:
                own.append(pair)
        return own

    def _assign(self, likely: Mapping[str, Sequence[Pair]], rule: SourceRule) -> None:
        """Give pages and documents to each other, the best pair first.

        Args:
            likely: The pairs that may be given, by page.
            rule: How they are found.
        """
        self._rivals = {page: self._score(pairs) for page, pairs in likely.items()}
        scored = [pair for pairs in self._rivals.values() for pair in pairs]
        scored.sort(key=_order)
        self._claims.clear()
        for pair in scored:
            self._claims[pair.path].append(pair)
        for pair in scored:
            if not self._is_open(pair.page) or pair.path in self._owners:
                continue
            if pair.names < 1 and self._has_path_of_other(pair):
                continue
            rival = self._find_rival(pair)
            if rival is not None:
                self._ties[pair.page] = pair, rival
            else:
                self.found[pair.page] = pair
                self.rules[pair.page] = rule
                self._owners[pair.path].append(pair.page)

    def _has_path_of_other(self, pair: Pair) -> bool:
        """Return whether an open page has all names of a document and, of all others,
        the words of this one. Lists with one post have more of its words.
        """
        own = leave_out_dates(self._finder.names[pair.path].own)
        if own & self._names[pair.page].names:
            return False
        for claim in self._claims[pair.path]:
            best, *others = self._rivals[claim.page]
            if claim != best or claim.names < 1 or not self._is_open(claim.page):
                continue
            if not others or others[0].score < best.score - _NEAR:
                return True
        return False

    def _find_rival(self, pair: Pair) -> Pair | None:
        """Return a pair with another document that may also be the one of a page."""
        if pair.names < 1:
            for other in self._short[pair.page]:
                if self._is_free(other):
                    return other
        for other in self._rivals[pair.page]:
            if other.path == pair.path or not self._is_free(other):
                continue
            is_similar = abs(other.words - pair.words) <= _NEAR
            if other.score >= pair.score - _NEAR:
                return other
            if pair.words and is_similar and self._is_claimed_equally(pair, other):
                return other
        return None

    def _is_claimed_equally(self, pair: Pair, other: Pair) -> bool:
        """Return whether another page with the words of a document has the same names
        as the document: of equal documents of several versions, each may be its own.
        """
        section = self._names[pair.page].section
        votes = self._clear_votes[section, pair.folders]
        if votes > self._clear_votes[section, other.folders]:
            return False
        source = self._finder.names[pair.path].names
        common = source & self._names[pair.page].names
        for claim in self._claims[pair.path]:
            if claim.page == pair.page or not self._is_open(claim.page):
                continue
            is_similar = abs(claim.words - pair.words) <= _NEAR
            if is_similar and common <= self._names[claim.page].names:
                return self._rivals[claim.page][0].path == pair.path
        return False

    def _is_free(self, pair: Pair) -> bool:
        """Return whether no other page has the document of a pair, or will get it."""
        if pair.path in self._owners:
            return False
        for claim in self._claims[pair.path]:  # the best first
            if claim.score <= pair.score + _NEAR:
                return True
            # The own document of other pages is more likely another one.
            is_best = claim == self._rivals[claim.page][0]
            if is_best and self._is_open(claim.page):
                return False
        return True

    def _is_open(self, page: str) -> bool:
        return page not in self.found and page not in self._ties

    def _open_pages(self) -> list[str]:
        return [page for page in self._pairs if self._is_open(page)]

    def _is_copy(self, pair: Pair, original: str) -> bool:
        """Return whether a page shows as much of a document as its original."""
        if original not in self._translations(pair.page):
            return False
        return self._finder.share_shown(pair.page, original, pair.path) >= 1 - _NEAR

    def _translations(self, page: str) -> list[str]:
        """Return the pages in other languages with the path of a page."""
        pages = self._by_untranslated[untranslated_names(page)]
        return [other for other in pages if other != page]

    def _has_path(self, pair: Pair) -> bool:
        """Return whether a document has the path of a page, and its words do not
        contradict that.
        """
        document = self._documents[pair.path]
        if pair.path in self._owners:
            return False
        if not (document.is_code or pair.agrees):
            if document.needs_words or pair.agrees is False:
                return False
        if pair.has_path and (pair.names == 1 or pair.agrees):
            return True
        own = self._names[pair.page].own & self._finder.names[pair.path].names
        return bool(own) and self._votes[pair.folders] > 1

    def _is_copied(self, page: str) -> bool:
        """Return whether a page has the words of a page in another language."""
        for other in self._translations(page):
            if self._finder.are_similar(page, other):
                return True
        return False

    def _is_supported(self, pair: Pair, folders: Collection[str]) -> bool:
        """Return whether other pages have their documents in the same folders.

        Args:
            pair: The pair.
            folders: The folders of the documents of other pages.
        """
        if self._documents[pair.path].is_page:
            return bool(self._names[pair.page].names) or is_home_file(pair.path)
        folder = dirname(pair.path)
        names = self._names[pair.page]
        is_named = self._finder.names[pair.path].index_name in names.own
        if is_readme(pair.path) and folder not in folders and not is_named:
            return False
        votes = self._votes[pair.folders]
        # Most folders have an index file.
        if not names.names and votes < self._most_votes:
            return False
        start = f"{folder}/" if folder else ""
        is_above = any(f"{known}/".startswith(start) for known in folders)
        if names.names and pair.names == 1 and is_above:
            return True
        least = max(2, _MIN_SHARE * len(self._names))
        return votes >= min(least, len(self._names) - 1)

    @cached_property
    def _most_votes(self) -> int:
        """The most votes for folders whose documents have all names of their pages."""
        votes = [number for folders, number in self._votes.items() if not folders.page]
        return max(votes, default=0)


def _order(pair: Pair) -> tuple[float, str, str]:
    return -pair.score, pair.page, pair.path
