"""Find where a file was before a commit moved it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from .commits import RemovedFile


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
