"""What a commit does to a file: where the file was before, and whether pages show a
difference.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import NamedTuple

import msgspec

from docs_sitemap.shown import COMPLETE_FILE, PRESENCE, Shown, ShownKind
from docs_sitemap.shown.front_matter import FrontMatterKeys

from .commits import ADDED, MODIFIED, Commit, CommitReader, RemovedFile, parse_change
from .file_date import FileDate

# So many files are read at once, two versions of each.
_BATCH = 50


class WalkedFile(msgspec.Struct, eq=False):
    """A file on its way through the history.

    Attributes:
        path: The path, which changes with the moves that the file follows.
        shown: What the page shows of the file.
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
        path: Its path in a commit.
        old_path: Its path in a parent.
        new: The hash of its content in the commit.
        old: The hash of its content in the parent.
    """

    file: WalkedFile
    path: bytes
    old_path: bytes
    new: bytes
    old: bytes


class VersionReader:
    """Finds and compares the versions of files.

    Args:
        reader: Reads the commits.
        front_matter: Decides which keys of front matter the pages show.
        follow_moves: Whether a file can have another path in a parent.
    """

    def __init__(
        self, reader: CommitReader, front_matter: FrontMatterKeys, *, follow_moves: bool
    ) -> None:
        self._reader = reader
        self._front_matter = front_matter
        self._follow_moves = follow_moves
        self._removed: dict[tuple[bytes, bytes], RemovedFiles] = {}
        # The keys of front matter that differ; `None` if pages show another change. A
        # merge changes the same versions as a commit on the merged branch.
        self._changed_keys: dict[Versions, set[str] | None] = {}
        self._digests: dict[tuple[str, bytes], bytes | None] = {}

    def find(
        self, files: Iterable[WalkedFile], commit: Commit, parent: bytes
    ) -> list[Versions]:
        """Return the versions of files that a commit changes: only of those that the
        parent also contains, perhaps at another path.
        """
        found = []
        changes = self._reader.changes(commit, parent)
        for file in files:
            path = file.path
            change = parse_change(changes[path])
            if change.status == MODIFIED:
                found.append(Versions(file, path, path, change.new, change.old))
            elif change.status == ADDED and self._follow_moves:
                removed = self._find_removed(commit, parent)
                old = removed.find(path, change.new)
                if old is not None:
                    found.append(Versions(file, path, old.path, change.new, old.blob))
        return found

    def compare(self, versions: Iterable[Versions]) -> None:
        """Compare versions before `show_same` is asked about them: git needs less time
        for many at once.
        """
        unread = []
        for one in versions:
            if one in self._changed_keys:
                continue
            has_moved = one.path != one.old_path
            if has_moved and one.old == one.new:
                self._changed_keys[one] = set()
            elif one.file.shown == PRESENCE:
                self._changed_keys[one] = None if has_moved else set()
            elif one.file.shown == COMPLETE_FILE:
                self._changed_keys[one] = None
            else:
                unread.append(one)
        for start in range(0, len(unread), _BATCH):
            batch = unread[start : start + _BATCH]
            blobs = set()
            for one in batch:
                blobs |= {one.old, one.new}
            contents = self._reader.contents(sorted(blobs))
            for one in batch:
                self._changed_keys[one] = self._compare_contents(one, contents)

    def show_same(self, versions: Versions) -> bool:
        """Return whether pages show no difference between two versions. Note the keys
        of front matter on which this depends.
        """
        self.compare([versions])
        keys = self._changed_keys[versions]
        if keys is None:
            return False
        shown_keys = set(filter(self._front_matter.shows, keys))
        if shown_keys:
            versions.file.shown_keys |= shown_keys
            return False
        versions.file.hidden_keys |= keys
        return True

    def _compare_contents(
        self, versions: Versions, contents: Mapping[bytes, bytes]
    ) -> set[str] | None:
        """Return the keys of front matter that differ; `None` if the page shows another
        change, or a version cannot be read or parsed.
        """
        shown = versions.file.shown
        if shown.kind is not ShownKind.TEXT:
            old_digest = self._digest(shown, versions.old, contents)
            new_digest = self._digest(shown, versions.new, contents)
            is_same = old_digest is not None and old_digest == new_digest
            return set() if is_same else None
        old = contents.get(versions.old)
        new = contents.get(versions.new)
        if old is None or new is None:
            return None
        return shown.changed_keys(versions.path, old, new)

    def _digest(
        self, shown: Shown, blob: bytes, contents: Mapping[bytes, bytes]
    ) -> bytes | None:
        key = shown.key, blob
        if key not in self._digests:
            content = contents.get(blob)
            self._digests[key] = None if content is None else shown.digest(content)
        return self._digests[key]

    def _find_removed(self, commit: Commit, parent: bytes) -> "RemovedFiles":
        if (commit.hash, parent) not in self._removed:
            removed, added = self._reader.moves(commit, parent)
            self._removed[commit.hash, parent] = RemovedFiles(removed, added)
        return self._removed[commit.hash, parent]


class RemovedFiles:
    """The files that a commit removes, as the old versions of files that it adds.

    Args:
        files: The files, in the order of their paths.
        added: The hashes of contents that the commit adds. A removed file with one of
            them has moved, and is no old version of a file with another content.
    """

    def __init__(self, files: Iterable[RemovedFile], added: Set[bytes]) -> None:
        # By the content, or any content, and the last names of the path.
        self._by_end: dict[tuple[bytes, bytes], RemovedFile] = {}
        self._by_suffix: dict[bytes, list[RemovedFile]] = {}
        for file in files:
            has_moved = file.blob in added
            for end in _ends(file.path):
                self._by_end.setdefault((file.blob, end), file)
                if end and not has_moved:
                    self._by_end.setdefault((b"", end), file)
            if not has_moved:
                self._by_suffix.setdefault(_suffix(file.path), []).append(file)

    def find(self, path: bytes, blob: bytes) -> RemovedFile | None:
        """Return the removed file that is most likely the old version of an added one.

        This is a file with the same content or else with the same name. If there are
        several, it is the one with the most equal names at the end of its path. Without
        them, it is the only removed file with the same suffix.

        Args:
            path: The path of the added file.
            blob: The hash of its content.
        """
        for content in (blob, b""):
            for end in _ends(path):
                file = self._by_end.get((content, end))
                if file is not None:
                    return file
        others = self._by_suffix.get(_suffix(path), [])
        if len(others) == 1:
            return others[0]
        return None


def _ends(path: bytes) -> Iterator[bytes]:
    """Yield the ends of a path, from the complete path to an empty one."""
    while path:
        yield path
        _, _, path = path.partition(b"/")
    yield path


def _suffix(path: bytes) -> bytes:
    _, _, name = path.rpartition(b"/")
    _, dot, suffix = name.rpartition(b".")
    return dot + suffix
