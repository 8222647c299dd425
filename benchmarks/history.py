"""Generate a repository with documentation pages and a history with many merges.

The same arguments always give the same commits.
"""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

_WORDS = [
    "request",
    "option",
    "returns",
    "value",
    "when",
    "each",
    "page",
    "needs",
    "default",
]
_CHAPTER = """
## Chapter {n}

{text} See `option_{n}` and [this page](https://example.org/{n}).

- {text}
- **{text}**

```python
def function_{n}(value: int = {n}) -> str: ...
```

| name | value |
| ---- | ----- |
| {n}  | text  |
"""

Tree = dict[str, int]
"""The revision of each page. Equal revisions have the same content."""


@dataclass
class _Branch:
    tip: int = 0
    tree: Tree = field(default_factory=dict)
    base: Tree = field(default_factory=dict)


def generate(folder: Path, pages: int, commits: int) -> None:
    """Create the repository, with the branch `main` checked out."""
    git = ["git", "-C", str(folder)]
    folder.mkdir(parents=True)
    subprocess.run([*git, "init", "--quiet", "--initial-branch=main"], check=True)
    with subprocess.Popen(
        [*git, "fast-import", "--quiet"], stdin=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        _Writer(process.stdin, pages).write(commits)
    if process.returncode:
        raise RuntimeError("git fast-import failed")
    subprocess.run([*git, "reset", "--quiet", "--hard", "main"], check=True)


class _Writer:
    def __init__(self, stream: IO[bytes], pages: int) -> None:
        self._stream = stream
        self._random = random.Random(0)  # noqa: S311  # not for cryptography
        self._missing = ["docs/index.md"]
        self._missing += [
            f"docs/topic-{n // 20}/page-{n % 20}.md" for n in range(1, pages)
        ]
        self._commits = 0
        self._revisions = 0

    def write(self, commits: int) -> None:
        """Write pull requests: several branches at a time, merged in any order.

        Some commits are also picked to `main`, and some merges drop a change or are
        reverted.
        """
        main = _Branch()
        self._commit(main, self._add(max(1, len(self._missing) // 3)))
        branches: list[_Branch] = []
        while self._commits < commits - len(branches) - 1:
            action = self._random.random()
            if len(branches) < 2 or (action < 0.15 and len(branches) < 8):
                branches.append(_Branch(main.tip, dict(main.tree), dict(main.tree)))
                self._commit(branches[-1], self._add(6) or self._edit(main.tree))
                continue
            branch = self._random.choice(branches)
            if action < 0.5:
                edits = self._edit(branch.tree)
                self._commit(branch, edits)
                if action > 0.45:
                    self._commit(main, edits, hours_old=1)
            elif action < 0.55:
                self._commit(main, self._edit(main.tree))
            elif action < 0.6:
                self._merge(branch, main)
                branch.base = dict(main.tree)
            else:
                branches.remove(branch)
                before = dict(main.tree)
                self._merge(main, branch, drop=0.02)
                if action > 0.97:
                    merged = main.tree
                    self._commit(
                        main, {p: rev for p, rev in before.items() if merged[p] != rev}
                    )
        for branch in branches:
            self._merge(main, branch)
        self._commit(main, self._add(len(self._missing)))

    def _merge(self, into: _Branch, other: _Branch, drop: float = 0.0) -> None:
        base = other.base or into.base
        changes = {}
        for path, revision in other.tree.items():
            ours, common = into.tree.get(path), base.get(path)
            if revision in (ours, common) or (ours and self._random.random() < drop):
                continue
            # If both sides changed the page, resolve the conflict with new content.
            changes[path] = revision if ours == common else self._new_revision()
        self._commit(into, changes, merged=other.tip)

    def _add(self, count: int) -> Tree:
        added, self._missing = self._missing[:count], self._missing[count:]
        return {path: self._new_revision() for path in added}

    def _edit(self, tree: Tree) -> Tree:
        """Edit some pages, old ones more often than new ones."""
        paths = list(tree)
        number = self._random.choice([1, 1, 1, 2, 5])
        edited = {
            paths[int(self._random.random() ** 2 * len(paths))] for _ in range(number)
        }
        return {path: self._new_revision() for path in sorted(edited)}

    def _new_revision(self) -> int:
        self._revisions += 1
        return self._revisions

    def _commit(
        self, branch: _Branch, changes: Tree, *, merged: int = 0, hours_old: int = 0
    ) -> None:
        self._commits += 1
        now = 1_500_000_000 + self._commits * 3600
        lines = ["commit refs/heads/main", f"mark :{self._commits}"]
        lines += [f"author A <a@example.org> {now - hours_old * 3600} +0000"]
        lines += [f"committer C <c@example.org> {now} +0000", "data 0"]
        lines += [f"from :{branch.tip}"] if branch.tip else []
        lines += [f"merge :{merged}"] if merged else []
        for path, revision in changes.items():
            text = _text(path, revision)
            lines += [f"M 100644 inline {path}", f"data {len(text)}", text]
        self._stream.write("\n".join([*lines, ""]).encode())
        branch.tip = self._commits
        branch.tree |= changes


def _text(path: str, revision: int) -> str:
    words = random.Random(path)  # noqa: S311  # not for cryptography
    chapters = [
        _CHAPTER.format(
            n=n, text=" ".join(words.choices(_WORDS, k=30)).capitalize() + "."
        )
        for n in range(6)
    ]
    return f"---\norphan: true\n---\n\n# {path}\n\nRevision {revision}.\n{''.join(chapters)}"
