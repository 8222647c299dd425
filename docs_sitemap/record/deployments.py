"""Date pages by the deployments on a branch that contains built pages.

Each commit on the line of first parents is a deployment. A page is dated by the first deployment of
its present content. Most deployments rewrite all pages, but change the content of a few. So the
search goes back in steps that double until the content differs, and then halves the last step.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from datetime import datetime

from docs_sitemap.git.commits import DELETED, Commit, CommitReader
from docs_sitemap.record.store import RecordedPage

# A deployment with a new theme or generator is not the date of its pages. On real branches, such
# deployments changed 41 to 100 % of the pages that stayed the same afterwards, and no other one
# changed more than 40 % of at least five pages.
_MIN_REDESIGNED = 5
_REDESIGNED = 0.4

# The number of the deployment if a version of a page cannot be read.
_UNKNOWN = -1

Digest = Callable[[bytes], str]


class Deployments:
    """The deployments of a site, and the versions of its pages.

    Attributes:
        commits: The commits of the deployments, the newest first, without their changes.

    Args:
        reader: Reads the changes of the pages, which must exist in the newest commit.
        tip: The newest commit.

    Raises:
        GitError: Git failed.
    """

    def __init__(self, reader: CommitReader, tip: str) -> None:
        self._reader = reader
        self.commits: list[Commit] = []
        # For each page the numbers of the deployments that wrote it, and the hashes of its content.
        self._versions: defaultdict[bytes, list[tuple[int, bytes]]] = defaultdict(list)
        for number, commit in enumerate(reader.first_parents(tip)):
            for path, change in commit.changes.items():
                if change.status != DELETED:
                    self._versions[path].append((number, change.new))
            commit.changes.clear()  # They would fill the memory.
            self.commits.append(commit)

    @property
    def newest(self) -> Commit:
        """The newest deployment that wrote a page."""
        return self.commits[min(versions[0][0] for versions in self._versions.values())]

    def date_pages(
        self, paths: Iterable[bytes], digest: Digest, latest: datetime
    ) -> dict[bytes, RecordedPage]:
        """Return the digest of each page, and the date since which its content is the same. The
        date is unknown if the history starts with this content, or if the deployment changed many
        of the pages. Pages that cannot be read are left out.

        Args:
            paths: The pages.
            digest: Returns the digest of the main content of an HTML file.
            latest: The date to use instead of a later one.
        """
        found = {path: self._find_start(path, digest) for path in paths}
        undecided = self._find_undecided([start for _, start in found.values()])
        recorded = {}
        for path, (value, start) in found.items():
            date = None if start in undecided else self.commits[start].committed
            if value is not None:
                recorded[path] = RecordedPage(value, date and min(date, latest))
        return recorded

    def _find_undecided(self, starts: Iterable[int]) -> set[int]:
        """Return the deployments that date no page, from those with which contents start."""
        oldest = max(versions[-1][0] for versions in self._versions.values())
        undecided, same, numbers = {oldest, _UNKNOWN}, 0, Counter(starts)
        for number in sorted(numbers, reverse=True):
            same += numbers[number]
            if numbers[number] >= _MIN_REDESIGNED and numbers[number] > _REDESIGNED * same:
                undecided.add(number)
        return undecided

    def _find_start(self, path: bytes, digest: Digest) -> tuple[str | None, int]:
        """Return the digest of a page, and the number of the first deployment with this digest."""
        versions = self._versions[path]

        def read(index: int) -> str | None:
            content = self._reader.content(versions[index][1])
            return None if content is None else digest(content)

        present = read(0)
        older: str | None = ""
        same, different, step = 0, len(versions), 1
        while different - same > 1:
            is_halving = different < len(versions)
            probe = (same + different) // 2 if is_halving else min(same + step, different - 1)
            found = read(probe)
            if found == present:
                same, step = probe, 2 * step
            else:
                different, older = probe, found
        return present, _UNKNOWN if older is None else versions[same][0]
