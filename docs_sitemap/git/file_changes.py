"""What a commit does to a file: where the file was before, and whether pages show a
difference.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from docs_sitemap.shown import COMPLETE_FILE, PRESENCE, Shown, ShownKind
from docs_sitemap.shown.front_matter import FrontMatterKeys

from .commits import ADDED, BATCH, MODIFIED, Commit, CommitReader, parse_change
from .history_types import FileDate

# The paths and contents of the files that a commit removes, by their content, or any
# content, and the end of their path.
_RemovedFiles = dict[tuple[bytes, bytes], tuple[bytes, bytes]]
_ANY = b""


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
        self._removed: dict[tuple[bytes, bytes], _RemovedFiles] = {}
        # The keys of front matter that differ; `None` if pages show another change. A
        # merge changes the same versions as a commit on the merged branch.
        self._changed_keys: dict[Versions, set[str] | None] = {}
        self._digests: dict[tuple[str, bytes], bytes | None] = {}

    def find_old_path(
        self, file: WalkedFile, commit: Commit, parent: bytes
    ) -> bytes | None:
        """Return where a parent contains a file that a commit moves; `None` if the
        commit adds or changes the file.

        It moved from a file that the commit removes: one with the same content, or else
        one with the same name that shows the same. If there are several, it is the one
        with the most equal names at the end of its path.
        """
        change = parse_change(self._reader.changes(commit, parent)[file.path])
        if change.status != ADDED:
            return None
        removed = self._find_removed(commit, parent)
        for end in _ends(file.path):
            if (change.new, end) in removed:
                return removed[change.new, end][0]
        return self._find_edited(file, change.new, removed)

    def _find_edited(
        self, file: WalkedFile, new: bytes, removed: _RemovedFiles
    ) -> bytes | None:
        """Return the path of the removed file with the same name, if it shows the same
        as an added one: a page that moves has other links. Without this rule, 6 of 240
        pages of real sites are as new as the commit that moves them.
        """
        for end in _ends(file.path):
            if end and (_ANY, end) in removed and file.shown != PRESENCE:
                path, blob = removed[_ANY, end]
                versions = Versions(file, file.path, new, blob)
                self.compare([versions])
                return path if self._shows_same(versions) else None
        return None

    def _find_removed(self, commit: Commit, parent: bytes) -> _RemovedFiles:
        if (commit.hash, parent) not in self._removed:
            by_end: _RemovedFiles = {}
            for path, blob in self._reader.removed(commit, parent):
                for end in _ends(path):
                    by_end.setdefault((blob, end), (path, blob))
                    by_end.setdefault((_ANY, end), (path, blob))
            self._removed[commit.hash, parent] = by_end
        return self._removed[commit.hash, parent]

    def find_same(
        self, files: Iterable[WalkedFile], commit: Commit, parent: bytes
    ) -> set[WalkedFile]:
        """Return the files that a commit modifies without a difference that pages show.
        Note the keys of front matter on which this depends.
        """
        versions = self.find(files, commit, parent)
        self.compare(versions)
        return {one.file for one in versions if self._shows_same(one)}

    def _shows_same(self, versions: Versions) -> bool:
        """Return whether pages show no difference between two versions that were
        compared. Note the keys of front matter on which this depends.
        """
        keys = self._changed_keys[versions]
        if keys is None:
            return False
        shown_keys = set(filter(self._front_matter.shows, keys))
        if shown_keys:
            versions.file.shown_keys |= shown_keys
            return False
        versions.file.hidden_keys |= keys
        return True

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
        shown = versions.file.shown
        old = contents.get(versions.old)
        new = contents.get(versions.new)
        if old is None or new is None:
            return None
        if shown.kind is ShownKind.TEXT:
            return shown.changed_keys(versions.path, old, new)
        digest = self._digest(shown, versions.new, new)
        if digest is None or digest != self._digest(shown, versions.old, old):
            return None
        return set()

    def _digest(self, shown: Shown, blob: bytes, content: bytes) -> bytes | None:
        """Return the digest of a version. The next older version of a file is compared
        with the same one.
        """
        version = shown.name, blob
        if version not in self._digests:
            self._digests[version] = shown.digest(content)
        return self._digests[version]


def _ends(path: bytes) -> Iterator[bytes]:
    """Yield the ends of a path, from the complete path to an empty one."""
    while path:
        yield path
        _, _, path = path.partition(b"/")
    yield path
