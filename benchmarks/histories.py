"""Generated repositories: a site that MkDocs and Sphinx build, with a history of a known shape.

All is made by `git fast-import` from a seeded generator: the same arguments give the same commits.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from typing import IO

SECTION = 20  # pages in a folder, its index included
START = 1_500_000_000  # the date of the first commit, in seconds
WORDS = (
    "request",
    "option",
    "returns",
    "value",
    "when",
    "each",
    "page",
    "needs",
    "default",
    "list",
)
TOPICS = ("adapters", "billing", "clusters", "deployment", "events", "filters", "groups", "hooks")

Tree = dict[str, int]
"""The revision of the text of each path: two revisions that are equal are the same text."""


@dataclass(frozen=True)
class Size:
    """How many pages a site has, and how many commits its history."""

    pages: int
    commits: int

    def __str__(self) -> str:
        return f"{self.pages:,} pages, {self.commits:,} commits"


def generate(folder: Path, shape: str, size: Size) -> None:
    """Make a repository in the folder, with the branch `main` checked out."""
    git = ["git", "-C", str(folder)]
    folder.mkdir(parents=True)
    subprocess.run([*git, "init", "--quiet", "--initial-branch=main"], check=True)
    command = [*git, "fast-import", "--quiet", "--done"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        history = History(process.stdin, Site(size.pages), size)
        SHAPES[shape](history)
        process.stdin.write(b"done\n")
    assert process.returncode == 0, "git fast-import failed"
    subprocess.run([*git, "reset", "--quiet", "--hard", "main"], check=True)


class Site:
    """The paths of the pages, and their texts."""

    def __init__(self, pages: int) -> None:
        self.paths = list(islice(_paths(sections=max(1, pages // 100)), pages))
        self.areas = sorted({path.split("/")[1] for path in self.paths if path.count("/") > 1})
        self._children = {path: [*self._below(path)] for path in self.paths}

    def text(self, path: str, revision: int) -> bytes:
        if path not in self._children:
            return f"revision = {revision}\n".encode()
        title = path.removeprefix("docs/").removesuffix(".md").replace("/", " ")
        body = "".join(_chapter(random.Random(f"{path} {n}"), n) for n in range(7))  # noqa: S311
        names = self._children[path]
        toctree = "\n".join(["\n```{toctree}", *names, "```\n"]) if names else ""
        return f"# {title}\n\nRevision {revision}.\n{body}{toctree}".encode()

    def _below(self, path: str) -> Iterator[str]:
        """What the table of contents of an index names."""
        folder = path.removesuffix("index.md")
        for other in self.paths if folder != path else ():
            name = other.removeprefix(folder).removesuffix(".md")
            if name != other.removesuffix(".md") and name.removesuffix("/index").count("/") == 0:
                yield from [name] * (other != path)


def _paths(sections: int) -> Iterator[str]:
    """Areas of so many sections of so many pages, without end."""
    yield "docs/index.md"
    for area in count():
        folder = f"docs/{TOPICS[area % len(TOPICS)]}-{area}"
        yield f"{folder}/index.md"
        for section in range(sections):
            yield f"{folder}/section-{section}/index.md"
            for page in range(1, SECTION):
                yield f"{folder}/section-{section}/page-{page:02}.md"


def _chapter(chance: random.Random, number: int) -> str:
    """Some fifteen lines of what documentation consists of."""

    def sentence() -> str:
        return " ".join(chance.choices(WORDS, k=14)).capitalize() + "."

    return f"""
## Chapter {number}

{sentence()} {sentence()} See `option_{number}` and *{chance.choice(WORDS)}*.
{sentence()} **{sentence()}** {sentence()}

- {sentence()}
- {sentence()} [A link](https://example.org/{number}).

```python
def function_{number}(value: int = {chance.randrange(99)}) -> str:
    return f"{{value}} items"
```

| name | value |
| ---- | ----- |
| {chance.choice(WORDS)} | {chance.randrange(99)} |
"""


@dataclass
class Branch:
    """A line of commits: its newest, and what lies there."""

    tip: int
    tree: Tree
    base: Tree = field(default_factory=dict)


class History:
    """Writes commits, one hour after the other."""

    def __init__(self, stream: IO[bytes], site: Site, size: Size) -> None:
        self.site = site
        self.size = size
        self.chance = random.Random(f"{size}")  # noqa: S311  # no secret
        self.written = 0
        self._stream = stream
        self._revision = 0

    @property
    def left(self) -> int:
        return self.size.commits - self.written

    def new_revision(self) -> int:
        self._revision += 1
        return self._revision

    def commit(
        self,
        branch: Branch,
        changes: Mapping[str, int],
        *,
        merged: int | None = None,
        hours_old: int = 0,
        place: Callable[[str], str] = str,
        ref: str = "main",
    ) -> None:
        """Add a commit to the branch.

        Args:
            branch: where.
            changes: the new revision of each path that changes.
            merged: the second parent.
            hours_old: how long before the commit its author wrote it.
            place: where a path lies in this branch.
            ref: the name of the branch while it is written.
        """
        self.written += 1
        now = START + self.written * 3600
        lines = [f"commit refs/heads/{ref}", f"mark :{self.written}"]
        lines += [f"author A <a@example.org> {now - hours_old * 3600} +0000"]
        lines += [f"committer C <c@example.org> {now} +0000", "data 0"]
        lines += [f"from :{branch.tip}"] if branch.tip else []
        lines += [f"merge :{merged}"] if merged else []
        self._stream.write("\n".join([*lines, ""]).encode())
        for path, revision in changes.items():
            text = self.site.text(path, revision)
            self._stream.write(f"M 100644 inline {place(path)}\ndata {len(text)}\n".encode())
            self._stream.write(text + b"\n")
        branch.tip = self.written
        branch.tree |= changes

    def edits(self, tree: Tree, share: float = 0.6) -> Tree:
        """What one commit edits: code, or pages of which some are edited much more often."""
        if self.chance.random() > share:
            return {f"src/module_{self.chance.randrange(50)}.py": self.new_revision()}
        pages = [path for path in tree if path.startswith("docs/")]
        number = self.chance.choice([1, 1, 1, 1, 2, 2, 3, 5])
        # The square favours those that were added first.
        picked = {pages[int(self.chance.random() ** 2 * len(pages))] for _ in range(number)}
        return {path: self.new_revision() for path in sorted(picked)}


def _first_pages(history: History, paths: list[str]) -> tuple[Tree, Iterator[str]]:
    """Return a third of the pages, to begin with, and the others, to be added one by one."""
    third = max(1, len(paths) // 3)
    return {path: history.new_revision() for path in paths[:third]}, iter(paths[third:])


def linear(history: History) -> None:
    """One commit after the other, on one branch."""
    main = Branch(0, {})
    first, others = _first_pages(history, history.site.paths)
    history.commit(main, first)
    rest = list(others)
    while history.left:
        changes = history.edits(main.tree)
        if rest:  # all pages are there when four fifths of the commits are written
            due = len(rest) / max(1.0, history.left - history.size.commits * 0.2)
            number = int(due) + (history.chance.random() < due % 1)
            changes |= {path: history.new_revision() for path in rest[:number]}
            del rest[:number]
        history.commit(main, changes)


def merges(history: History) -> None:
    """Pull requests: several short branches at a time, each joined by a merge.

    Some bring what is on the main branch already (picked from them), some undo what they did,
    some bring the main branch up to date first; some merges settle a conflict, or drop the
    branch's change of a page; some are reverted later.
    """
    chance = history.chance
    main = Branch(0, {})
    first, others = _first_pages(history, history.site.paths)
    history.commit(main, first)
    rest = list(others)
    branches: list[Branch] = []
    while history.left > 3 * len(branches) + 3:
        action = chance.random()
        if len(branches) < 2 or (action < 0.2 and len(branches) < 8):
            branches.append(Branch(main.tip, dict(main.tree), dict(main.tree)))
            added, rest = rest[:6], rest[6:]
            changes = {path: history.new_revision() for path in added}
            history.commit(branches[-1], changes or history.edits(main.tree, 0.5), ref="topic")
            continue
        branch = chance.choice(branches)
        if action < 0.5:
            _work_on(history, main, branch)
        elif action < 0.55:
            history.commit(main, history.edits(main.tree))
        elif action < 0.6:
            _merge(history, branch, main, "topic")
            branch.base = dict(main.tree)
        else:
            branches.remove(branch)
            _finish(history, main, branch)
    for branch in branches:
        _merge(history, main, branch)
    if rest:
        history.commit(main, {path: history.new_revision() for path in rest})
    while history.left:
        history.commit(main, history.edits(main.tree, 0.2))


def _work_on(history: History, main: Branch, branch: Branch) -> None:
    """One more commit on a branch; some undo an earlier one, some are picked to `main` at once."""
    changed = _changed(branch)
    kind = history.chance.random()
    if changed and kind < 0.15:
        path = history.chance.choice(sorted(changed))
        history.commit(branch, {path: branch.base.get(path, history.new_revision())}, ref="topic")
        return
    edits = history.edits(branch.tree, 0.5)
    history.commit(branch, edits, ref="topic")
    if kind > 0.85:
        history.commit(main, edits, hours_old=1)


def _finish(history: History, main: Branch, branch: Branch) -> None:
    """Merge a branch; some merges are reverted by a commit."""
    before = dict(main.tree)
    changed = _changed(branch)
    dropped = history.chance.choice(sorted(changed)) if changed else ""
    drop = history.chance.random() < 0.04 and dropped in main.tree
    _merge(history, main, branch, dropped=dropped if drop else "")
    if history.chance.random() < 0.06 and history.left > 30:
        undone = {path: before[path] for path in changed if path in before}
        if undone:
            history.commit(main, undone)


def _changed(branch: Branch) -> set[str]:
    return {path for path, revision in branch.tree.items() if branch.base.get(path) != revision}


def _merge(
    history: History, into: Branch, other: Branch, ref: str = "main", dropped: str = ""
) -> None:
    """Merge as git does: what one side changed wins; where both did, a new text settles it."""
    base = other.base or into.base
    changes: Tree = {}
    for path, revision in other.tree.items():
        ours, common = into.tree.get(path), base.get(path)
        if revision in (ours, common) or path == dropped:
            continue
        changes[path] = revision if ours == common else history.new_revision()
    history.commit(into, changes, merged=other.tip, ref=ref)


def subtree(history: History) -> None:
    """Projects with histories of their own, joined again and again.

    The pages of every second project lie at its top, and are moved below `docs` by the merge
    itself, as `git subtree` does; those of the others lie where they will be.
    """
    main = Branch(0, {})
    history.commit(main, {"docs/index.md": history.new_revision()})
    areas = [f"docs/{area}/" for area in history.site.areas]
    projects: list[tuple[Branch, Iterator[str], Callable[[str], str], str]] = []
    for number, area in enumerate(areas):
        paths = [path for path in history.site.paths if path.startswith(area)]
        place = _remover(area) if number % 2 == 0 else str
        first, others = _first_pages(history, paths)
        branch, ref = Branch(0, {}), f"project-{number}"
        history.commit(branch, first, place=place, ref=ref)
        projects.append((branch, others, place, ref))
    step = max(1, history.left // (12 * len(areas)))
    while history.left > step + len(areas) + 1:
        branch, others, place, ref = history.chance.choice(projects)
        for _ in range(step):
            edits = history.edits(branch.tree)
            added = [path for _, path in zip(range(2), others, strict=False)]
            edits |= {path: history.new_revision() for path in added}
            history.commit(branch, edits, place=place, ref=ref)
        _join(history, main, branch)
    for branch, others, place, ref in projects:
        rest = {path: history.new_revision() for path in others}
        if rest:
            history.commit(branch, rest, place=place, ref=ref)
        _join(history, main, branch)
    while history.left > 0:
        history.commit(main, {"src/main.py": history.new_revision()})


def _join(history: History, main: Branch, project: Branch) -> None:
    docs = {path: n for path, n in project.tree.items() if path.startswith("docs/")}
    changes = {path: n for path, n in docs.items() if main.tree.get(path) != n}
    history.commit(main, changes, merged=project.tip)


def _remover(prefix: str) -> Callable[[str], str]:
    return lambda path: path.removeprefix(prefix)


SHAPES: dict[str, Callable[[History], None]] = {
    "linear": linear,
    "merges": merges,
    "subtree": subtree,
}
