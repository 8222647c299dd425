"""What a commit does to a file: where the file was before, and whether pages show a
difference.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from docs_sitemap.shown import COMPLETE_FILE, PRESENCE, Shown, ShownKind
from docs_sitemap.shown.front_matter import FrontMatterKeys

from .commits import ADDED, BATCH, MODIFIED, Commit, CommitReader, parse_change
from .history_types import FileDate


class WalkedFile(msgspec.Struct, eq=False):
    """A file on its way through the history.

    Attributes:
        path: The path, which changes with the moves that the file follows.
        shown: What the page shows of the file, which changes with its messages.
        cached: The date of the file at the commit of the cache, if it is known.
        skipped: The number of commits that changed the file, but are skipped.
        merge: The commit at which the file left the line of first parents; `None` on
            this line.
        hidden_keys: The keys of front matter that skipped commits changed.
        shown_keys: The keys that the page shows, in commits that changed nothing but
            front matter.
        date: The result.
    """

    path: bytes
    shown: Shown
    cached: FileDate | None = None
    skipped: int = 0
    merge: Commit | None = None
    hidden_keys: set[str] = set()
    shown_keys: set[str] = set()
    date: FileDate | None = None


class Versions(NamedTuple):
    """Two versions of a file.

    Attributes:
        file: The file.
        path: Its path in the commit.
        new: The hash of its content in a commit.
        old: The hash of its content in a parent.
    """

    file: WalkedFile
    path: bytes
    new: bytes
    old: bytes


class VersionReader:
    """Finds and compares the versions of files.

    Args:
        reader: Reads the commits.
        front_matter: Decides which keys of front matter the pages show.
    """

    def __init__(self, reader: CommitReader, front_matter: FrontMatterKeys) -> None:
        self._reader = reader
        self._front_matter = front_matter
        # The keys of front matter that differ; `None` if pages show another change. A
        # merge changes the same versions as a commit on the merged branch.
        self._changed_keys: dict[Versions, set[str] | None] = {}

    def find_old_paths(
        self, files: Iterable[WalkedFile], commit: Commit, parent: bytes
    ) -> dict[WalkedFile, bytes]:
        """Return where a parent contains the files that a commit moves.

        They moved from files that the commit removes: from those with the same content,
        or else from those with the same name that show the same. If there are several,
        it is the one with the most equal names at the end of its path.
        """
        added = {}
        changes = self._reader.changes(commit, parent)
        for file in files:
            change = parse_change(changes[file.path])
            if change.status == ADDED:
                added[file] = change.new
        if not added:
            return {}
        names = {_name(file.path) for file in added}
        removed = self._reader.removed(commit, parent, {*added.values()}, names)
        paths = {_backward(path): path for path in removed}
        same_content = defaultdict(list)
        same_name = defaultdict(list)
        for backward, path in sorted(paths.items()):
            same_content[removed[path]].append(backward)
            same_name[_name(path)].append(backward)
        moved = {}
        edited = {}
        for file, blob in added.items():
            backward = _backward(file.path)
            if blob in same_content:
                moved[file] = paths[_find_closest(backward, same_content[blob])]
            elif _name(file.path) in same_name and file.shown != PRESENCE:
                path = paths[_find_closest(backward, same_name[_name(file.path)])]
                edited[Versions(file, file.path, blob, removed[path])] = path
        return moved | self._find_edited(edited)

    def _find_edited(self, paths: Mapping[Versions, bytes]) -> dict[WalkedFile, bytes]:
        """Return the old paths of the files that show the same in both versions: a page
        that moves has other links. Without this rule, 6 of 240 pages of real sites are
        as new as the commit that moves them.

        Args:
            paths: The path of each old version.
        """
        self.compare(paths)
        moved = {}
        for versions, path in paths.items():
            if self._shows_same(versions):
                moved[versions.file] = path
        return moved

    def find_same(
        self, files: Iterable[WalkedFile], commit: Commit, parent: bytes
    ) -> set[WalkedFile]:
        """Return the files that a commit modifies without a difference that pages show.
        Note the keys of front matter on which this depends.
        """
        versions = self.find(files, commit, parent)
        self.compare(versions)
        same = {one.file for one in versions if self._shows_same(one)}
        return same | self._find_translated(versions)

    def _shows_same(self, versions: Versions) -> bool:
        """Return whether pages show no difference between two versions that were
        compared. Note the keys of front matter on which this depends.
        """
        return self._hides(versions.file, self._changed_keys[versions])

    def _hides(self, file: WalkedFile, keys: set[str] | None) -> bool:
        """Return whether a page shows no difference between two versions of a file, and
        note the keys of front matter on which this depends.

        Args:
            file: The file.
            keys: The keys that differ; `None` if the page shows another change.
        """
        if keys is None:
            return False
        shown_keys = set(filter(self._front_matter.shows, keys))
        if shown_keys:
            file.shown_keys |= shown_keys
            return False
        file.hidden_keys |= keys
        return True

    def _find_translated(self, versions: Iterable[Versions]) -> set[WalkedFile]:
        """Return the documents and message catalogs that a commit changes, but show the
        same together: the original text of a message changes, and its translation
        stays. Older commits changed the original messages.
        """
        documents = {}
        for one in versions:
            shown = one.file.shown
            if shown.kind is ShownKind.TEXT:
                documents[shown.parts] = one
        same: set[WalkedFile] = set()
        for catalog in versions:
            shown = catalog.file.shown
            if shown.kind is not ShownKind.MESSAGES or shown.parts not in documents:
                continue
            document = documents[shown.parts]
            replaced = self._find_replaced(document, catalog)
            if replaced:
                suffix, *messages = shown.parts
                older = sorted(replaced.get(message, message) for message in messages)
                for file in (document.file, catalog.file):
                    file.shown = file.shown._replace(parts=(suffix, *older))
                    same.add(file)
        return same

    def _find_replaced(
        self, document: Versions, catalog: Versions
    ) -> Mapping[str, str]:
        """Return which messages replace which: for each new one, the old one with the
        same translation, which the document no longer contains. There are none if the
        page shows another change, too.
        """
        blobs = (document.old, document.new, catalog.old, catalog.new)
        contents = self._reader.contents(sorted(set(blobs)))
        if not contents.keys() >= set(blobs):
            return {}
        old, new = contents[catalog.old], contents[catalog.new]
        shown = catalog.file.shown
        replaced = shown.find_replaced(old, new, contents[document.old])
        if not replaced:
            return {}
        old, new = contents[document.old], contents[document.new]
        keys = document.file.shown.changed_keys(document.path, old, new, replaced)
        return replaced if self._hides(document.file, keys) else {}

    def find(
        self, files: Iterable[WalkedFile], commit: Commit, parent: bytes
    ) -> list[Versions]:
        """Return the versions of the files that a commit modifies."""
        found = []
        changes = self._reader.changes(commit, parent)
        for file in files:
            change = parse_change(changes[file.path])
            if change.status == MODIFIED:
                found.append(Versions(file, file.path, change.new, change.old))
        return found

    def compare(self, versions: Iterable[Versions]) -> None:
        """Compare versions before `find_same` needs the results: git needs less time
        for many at once.
        """
        unread = []
        for one in versions:
            if one.file.shown == PRESENCE:
                self._changed_keys[one] = set()
            elif one.file.shown == COMPLETE_FILE:
                self._changed_keys[one] = None
            elif one not in self._changed_keys:
                unread.append(one)
        for start in range(0, len(unread), BATCH):
            batch = unread[start : start + BATCH]
            blobs = set()
            for one in batch:
                blobs |= {one.old, one.new}
            contents = self._reader.contents(sorted(blobs))
            for one in batch:
                self._changed_keys[one] = self._compare_contents(one, contents)

    def _compare_contents(
        self, versions: Versions, contents: Mapping[bytes, bytes]
    ) -> set[str] | None:
        """Return the keys of front matter that differ; `None` if the page shows another
        change, or a version cannot be read or parsed.
        """
        old = contents.get(versions.old)
        new = contents.get(versions.new)
        if old is None or new is None:
            return None
        return versions.file.shown.changed_keys(versions.path, old, new)


def _name(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]


def _backward(path: bytes) -> bytes:
    """Return the names in a path from the last to the first, each with a slash. Sorted
    like this, paths with equal ends are next to each other.
    """
    return b"".join(name + b"/" for name in reversed(path.split(b"/")))


def _find_closest(path: bytes, others: Sequence[bytes]) -> bytes:
    """Return the one of some paths that has the most names in common with a path, from
    the start; the first if there are several.

    Args:
        path: The path.
        others: The other paths, sorted; at least one.
    """
    names = path.split(b"/")[:-1]
    position = bisect_left(others, path)
    most = 0
    # The paths with the most equal names are next to the position of the path.
    for other in others[max(position - 1, 0) : position + 1]:
        number = 0
        for name, other_name in zip(names, other.split(b"/"), strict=False):
            if name != other_name:
                break
            number += 1
        most = max(most, number)
    start = b"".join(name + b"/" for name in names[:most])
    return others[bisect_left(others, start)]
