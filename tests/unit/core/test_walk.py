"""The walk finds the commits that git itself finds, in every history."""

from __future__ import annotations

import subprocess
import tempfile
import tracemalloc
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, cast
from unittest.mock import patch

import pytest
from hypothesis import given, settings, strategies as st
from support.random_histories import (
    PATHS,
    PlannedCommit,
    RandomHistory,
    create_history,
    histories,
    histories_with_moves,
)
from support.repository import Repository

from docs_sitemap import DateStatus, History
from docs_sitemap.diagnostics import CommitDate
from docs_sitemap.git.history_types import FileDate, HistoryOptions, WantedFile
from docs_sitemap.shown import COMPLETE_FILE, PRESENCE, Shown, ShownKind

OBJECT_FORMATS = st.sampled_from(["--object-format=sha1", "--object-format=sha256"])


COMMIT_DATES = st.sampled_from(CommitDate)


@pytest.fixture(autouse=True, scope="module")
def small_batches() -> Iterator[None]:
    """Read four commits at once, so that short histories need several batches."""
    with (
        patch("docs_sitemap.git.walk.BATCH", 4),
        patch("docs_sitemap.git.file_changes.BATCH", 4),
        patch("docs_sitemap.git.commits.BATCH", 4),
    ):
        yield


class Found(NamedTuple):
    """The newest commit of a file, the commit that brought it to the line of first
    parents, and the date of the change, or why it is unknown.
    """

    commit: str
    arrival: str
    date: int | DateStatus


def find_dates(
    history: RandomHistory,
    options: HistoryOptions,
    cache: Path | None = None,
    paths: Iterable[str] = PATHS,
    shown: Shown = COMPLETE_FILE,
    ignored: Iterable[int] = (),
) -> dict[str, FileDate]:
    """Return the date of each file."""
    files = {path: WantedFile(str(history.path / path), shown) for path in paths}
    revs = tuple(sorted(history.names[number] for number in ignored))
    with patch("docs_sitemap.git.history.read_ignored_revs", lambda *_: revs):
        result = History(cache).find_dates(files.values(), options)
    assert not result.failures
    return {path: result.dates[file] for path, file in files.items()}


def find_commits(
    history: RandomHistory,
    options: HistoryOptions,
    cache: Path | None = None,
    paths: tuple[str, ...] = PATHS,
    shown: Shown = COMPLETE_FILE,
    ignored: Iterable[int] = (),
) -> dict[str, Found | None]:
    """Return what the walk finds for each file; `None` if it is untracked."""
    found: dict[str, Found | None] = {}
    dates = find_dates(history, options, cache, paths, shown, ignored)
    for path, date in dates.items():
        if date.hash is None:
            assert date == FileDate(DateStatus.UNTRACKED)
            found[path] = None
        else:
            seconds = date.status if date.date is None else int(date.date.timestamp())
            found[path] = Found(date.hash, date.merge or date.hash, seconds)
    return found


def ask_git(
    history: RandomHistory, kind: CommitDate, paths: Collection[str] = PATHS
) -> dict[str, Found | None]:
    """Return what two `git log` per file report. In a shallow clone, a commit without
    its parents may not be the one that changed the file.
    """
    files = history.git("ls-tree", "-r", "--name-only", "HEAD").splitlines()
    latest = int(history.git("log", "-1", "--format=%ct")) + 86_400
    truncated = find_truncated(history)
    expected: dict[str, Found | None] = dict.fromkeys(paths)
    for path in {*paths} & {*files}:
        name, committed, authored = history.newest_commit(path)
        arrival, merged, _ = history.newest_commit(path, "--first-parent")
        date = {"merged": merged, "committed": committed, "authored": authored}[kind]
        expected[path] = Found(name, arrival, date)
        if name in truncated:
            expected[path] = Found(name, name, DateStatus.SHALLOW)
        elif date > latest:  # The clock was wrong.
            expected[path] = Found(name, arrival, DateStatus.FUTURE_DATE)
    return expected


def find_truncated(history: RandomHistory) -> set[str]:
    """Return the commits of a shallow clone whose parents are missing."""
    boundary = history.path / ".git/shallow"
    truncated = set()
    if boundary.exists():
        for name in boundary.read_text().split():
            header, _, _ = history.git("cat-file", "commit", name).partition("\n\n")
            if "\nparent " in header:
                truncated.add(name)
    return truncated


@given(histories(), COMMIT_DATES, OBJECT_FORMATS)
def test_each_file_has_the_commits_and_the_date_that_git_reports(
    commits: tuple[PlannedCommit, ...], kind: CommitDate, object_format: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        history = create_history(Path(folder, "r"), commits, object_format)
        assert find_commits(history, HistoryOptions(kind)) == ask_git(history, kind)


@dataclass(frozen=True)
class Parity:
    """The part of a file with a number that readers see: whether the number is odd."""

    name: str = "parity"
    kind: ShownKind = ShownKind.LINES

    def changed_keys(self, path: bytes, old: bytes, new: bytes) -> set[str] | None:
        return set() if old[-1] % 2 == new[-1] % 2 else None

    def shows_same(self, old: bytes, new: bytes) -> bool:
        return False


@given(histories())
def test_a_part_follows_the_first_parent_that_shows_the_same(
    commits: tuple[PlannedCommit, ...],
) -> None:
    def is_same(path: str, one: int, other: int) -> bool:
        states = [commits[number].files.get(path) for number in (one, other)]
        if states[0] == states[1]:
            return True
        if None in states:
            return False
        (mode, content), (other_mode, other_content) = states  # type: ignore[misc]
        is_link, other_is_link = (each == "120000" for each in (mode, other_mode))
        return is_link == other_is_link and int(content) % 2 == int(other_content) % 2

    def newest(path: str) -> tuple[int, int]:
        """Return the newest commit, and its arrival on the line."""
        number, arrival = len(commits) - 1, None
        while same := [
            one for one in commits[number].parents if is_same(path, number, one)
        ]:
            if arrival is None and same[0] != commits[number].parents[0]:
                arrival = number
            number = same[0]
        return number, number if arrival is None else arrival

    with tempfile.TemporaryDirectory() as folder:
        history = create_history(Path(folder, "r"), commits)
        found = find_commits(
            history,
            HistoryOptions(),
            Path(folder, "cache"),
            shown=cast(Shown, Parity()),
        )
        assert {path: one and one[:2] for path, one in found.items()} == {
            path: tuple(history.names[number] for number in newest(path))
            if path in commits[-1].files
            else None
            for path in PATHS
        }
        cached = find_commits(
            history,
            HistoryOptions(),
            Path(folder, "cache"),
            shown=cast(Shown, Parity()),
        )
        assert cached == found


MOVED_PATHS = (
    "docs/p/a.md",
    "old/p/a.md",
    "old/q/a.md",
    "docs/a.md",
    "docs/a.txt",
    "b.md",
)


def find_old_path(
    commits: tuple[PlannedCommit, ...], number: int, parent: int, path: str, kind: Shown
) -> str | None:
    """Return the path at which a parent contains what a file shows; `None` if the
    commit changes that.
    """
    before, after = commits[parent].files, commits[number].files

    def shows_same(other: str) -> bool:
        if kind == COMPLETE_FILE:
            return before[other] == after[path]
        return before[other][1].split() == after[path][1].split()

    if path in before:
        return path if shows_same(path) else None

    def count_equal_names(other: str) -> int:
        names = zip(names_backward(other), names_backward(path), strict=False)
        equal = [one == another for one, another in names]
        return [*equal, False].index(False)

    removed = sorted(before.keys() - after.keys(), key=names_backward)
    same = [other for other in removed if before[other][1] == after[path][1]]
    if same:
        return max(same, key=count_equal_names)
    closest = max(removed, key=count_equal_names, default=None)
    if closest and count_equal_names(closest) and shows_same(closest):
        return closest
    return None


def names_backward(path: str) -> list[str]:
    return path.split("/")[::-1]


def find_content_change(
    commits: tuple[PlannedCommit, ...], number: int, path: str, kind: Shown
) -> tuple[int, int]:
    """Return the newest commit that changes what a file shows, and its arrival on the
    line of first parents.
    """
    arrival = None
    while True:
        for parent in commits[number].parents:
            old_path = find_old_path(commits, number, parent, path, kind)
            if old_path is not None:
                break
        else:
            return number, number if arrival is None else arrival
        if arrival is None and parent != commits[number].parents[0]:
            arrival = number
        number, path = parent, old_path


@given(histories_with_moves(MOVED_PATHS), st.data())
def test_a_move_is_no_change(
    commits: tuple[PlannedCommit, ...], data: st.DataObject
) -> None:
    """`git log --follow` follows one file, and gives up at merges."""
    check_moves(commits, COMPLETE_FILE, data)


@given(histories_with_moves(MOVED_PATHS, ("a b", "a\nb", "a c")), st.data())
def test_moves_copies_and_edits_that_show_the_same_are_no_change(
    commits: tuple[PlannedCommit, ...], data: st.DataObject
) -> None:
    check_moves(commits, Shown(ShownKind.TEXT), data)


def check_moves(
    commits: tuple[PlannedCommit, ...], kind: Shown, data: st.DataObject
) -> None:
    """Check the date of each file among all files and alone, which is the same: which
    other files are pages today makes no difference.
    """
    options = HistoryOptions(follow_moves=True)
    with tempfile.TemporaryDirectory() as folder:
        history = create_history(Path(folder, "r"), commits)
        cache = Path(folder, "cache")
        numbers = st.integers(0, len(commits) - 1)
        for number in [*data.draw(st.lists(numbers, max_size=2)), len(commits) - 1]:
            history.check_out(number)
            found = find_commits(history, options, cache, MOVED_PATHS, kind)
            for path in MOVED_PATHS:
                expected = None
                if path in commits[number].files:
                    newest = find_content_change(commits, number, path, kind)
                    expected = tuple(history.names[one] for one in newest)
                one = found[path]
                assert expected == (None if one is None else one[:2]), path
            cached = find_commits(history, options, cache, MOVED_PATHS, kind)
            assert cached == found
        # The walk learns the old path of a single file when it moves: while it goes on,
        # if git compares all folders, or for another walk.
        for path in commits[-1].files:
            most = data.draw(st.sampled_from([0, 16]))
            with patch("docs_sitemap.git.repository._MAX_FOLDERS", most):
                alone = find_commits(history, options, None, (path,), kind)
            assert alone == {path: found[path]}
        options = HistoryOptions()
        expected_by_git = ask_git(history, CommitDate.MERGED, MOVED_PATHS)
        assert find_commits(history, options, cache, MOVED_PATHS) == expected_by_git


@pytest.mark.parametrize(
    "states",
    [
        # A file moves with each commit, and others take its places.
        "a1 b2|c1 b2|c1 a2|d1 c3 a2|e1 d3 a2",
        # Two files change their names, by a third one.
        "a1 b2|c1 b2|c1 a2|b1 a2|b1 a2 d4",
        # Of two equal files, one moves at a time.
        "a1 b1|c1 b1|c1 d1|a1 d1|a1 b1",
        # A file comes back to where another one was removed.
        "a1 b2|b2|b2 c1|a2 c1|a2 b1|a2 d1",
        # A file changes before and after a move, and when it moves.
        "a1|a2|b2|b3|c4|d4|d4 a2",
    ],
)
def test_a_file_may_move_again_and_again(project: Path, states: str) -> None:
    """A letter stands for a path, and a number for the content."""
    paths = dict(zip("abcde", MOVED_PATHS, strict=False))
    commits = []
    for number, state in enumerate(states.split("|")):
        files = {paths[file[0]]: ("100644", file[1]) for file in state.split()}
        parents = (number - 1,) if number else ()
        commits.append(PlannedCommit(parents, files, 1_700_000_000 + number, "Ann"))
    planned = tuple(commits)
    history = create_history(project, planned)
    options = HistoryOptions(follow_moves=True)
    last = len(planned) - 1
    names = tuple(planned[last].files)
    expected = {}
    for path in names:
        newest = find_content_change(planned, last, path, COMPLETE_FILE)
        expected[path] = tuple(history.names[one] for one in newest)
    together_and_alone = [names, *zip(names)]
    for wanted in together_and_alone:
        for most in (0, 16):
            with patch("docs_sitemap.git.repository._MAX_FOLDERS", most):
                found = find_commits(history, options, None, wanted)
            assert {path: one and one[:2] for path, one in found.items()} == {
                path: expected[path] for path in wanted
            }


def test_a_merge_before_a_move_keeps_its_parents(tmp_path: Path) -> None:
    before = {"old.md": ("100644", "1"), "b.md": ("100644", "1")}
    changed = before | {"b.md": ("100644", "2")}
    moved = {"docs/a.md": ("100644", "1"), "b.md": ("100644", "2")}
    planned: list[tuple[tuple[int, ...], dict[str, tuple[str, str]]]] = [
        ((), before),
        ((0,), changed),
        ((0,), before | {"c.md": ("100644", "1")}),
        ((2, 1), changed),
        ((3,), moved),
    ]
    commits = tuple(
        PlannedCommit(parents, files, 1_700_000_000 + number, "Ann")
        for number, (parents, files) in enumerate(planned)
    )
    history = create_history(tmp_path / "r", commits)
    options = HistoryOptions(follow_moves=True)
    # Git compares all folders, as it does for many files.
    with patch("docs_sitemap.git.repository._MAX_FOLDERS", 0):
        found = find_commits(history, options, None, ("docs/a.md", "b.md"))
    names = history.names
    assert found == {
        "docs/a.md": Found(names[0], names[0], 1_700_000_000),
        "b.md": Found(names[1], names[3], 1_700_000_003),
    }


def test_files_with_the_same_content_move_with_their_names(project: Path) -> None:
    repository = Repository.create(project)
    for day, name in enumerate(("two", "one", "three"), start=1):
        repository.commit({f"doc/{name}/index.md": "# Same\n"}, day=day)
    repository.git("mv", "doc", "docs")
    repository.git("commit", "--quiet", "--message", "move", day=4)
    files = [WantedFile(str(path)) for path in sorted(project.glob("docs/*/*.md"))]
    options = HistoryOptions(follow_moves=True)
    dates = History().find_dates(files, options).dates
    days = [dates[file].date for file in files]
    assert days == [datetime(2024, 1, day, 10, tzinfo=UTC) for day in (2, 3, 1)]


def test_a_moved_file_with_another_name_and_content_is_new(project: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "# A\n\n\nText.\n", "b.md": "# B\n"}, day=1)
    repository.git("rm", "--quiet", "a.md", "b.md")
    repository.commit({"c.md": "# A\n\nText.\n", "d/b.md": "# B\n\n"}, day=2)
    shown = Shown(ShownKind.TEXT)
    files = [WantedFile(str(project / path), shown) for path in ("c.md", "d/b.md")]
    dates = History().find_dates(files, HistoryOptions(follow_moves=True)).dates
    days = [dates[file].date for file in files]
    assert days == [datetime(2024, 1, day, 10, tzinfo=UTC) for day in (2, 1)]


def test_a_file_of_which_a_page_shows_nothing_moves_with_its_content(
    project: Path,
) -> None:
    repository = Repository.create(project)
    repository.commit({"a/one.md": "1", "a/two.md": "2"}, day=1)
    repository.git("rm", "--quiet", "-r", "a")
    repository.commit({"b/one.md": "1", "b/two.md": "Other"}, day=2)
    paths = ("b/one.md", "b/two.md")
    files = [WantedFile(str(project / path), PRESENCE) for path in paths]
    dates = History().find_dates(files, HistoryOptions(follow_moves=True)).dates
    days = [dates[file].date for file in files]
    assert days == [datetime(2024, 1, day, 10, tzinfo=UTC) for day in (1, 2)]


def test_a_file_moves_from_a_path_that_starts_the_same(project: Path) -> None:
    repository = Repository.create(project)
    for day in (1, 2):
        repository.commit({"a.md.old": str(day)}, day=day)
    repository.git("mv", "a.md.old", "a.md")
    repository.git("commit", "--quiet", "--message", "move", day=3)
    file = WantedFile(str(project / "a.md"))
    dates = History().find_dates([file], HistoryOptions(follow_moves=True)).dates
    assert dates[file].date == datetime(2024, 1, 2, 10, tzinfo=UTC)


@pytest.mark.parametrize("name", ["b.md", "b.md/c.md"])
def test_a_file_in_the_place_of_a_submodule_is_untracked(
    project: Path, name: str
) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "1"}, day=1)
    entry = f"160000,{repository.git('rev-parse', 'HEAD').strip()},b.md"
    repository.git("update-index", "--add", "--cacheinfo", entry)
    repository.git("commit", "--quiet", "--message", "add", day=2)
    file = WantedFile(str(project / name))
    repository.write({name: "2"})
    dates = History().find_dates([file], HistoryOptions()).dates
    assert dates[file].status is DateStatus.UNTRACKED


def change_repository(history: RandomHistory, data: st.DataObject) -> str:
    """Change what git reports: the commit that is checked out, or the history."""
    numbers = st.integers(0, len(history.commits) - 1)
    boundary = history.path / ".git/shallow"
    grafts = history.path / ".git/info/grafts"
    change = data.draw(
        st.sampled_from(["check out", "replace", "graft", "truncate", "restore"])
    )
    # A commit must not become its own ancestor.
    older, newer = sorted((data.draw(numbers), data.draw(numbers)))
    match change:
        case "check out":
            history.check_out(newer)
        case "replace" if older < newer:
            history.git(
                "replace", "--force", history.names[newer], history.names[older]
            )
        case "graft" if older < newer:
            grafts.parent.mkdir(exist_ok=True)
            with grafts.open("a") as file:
                file.write(f"{history.names[newer]} {history.names[older]}\n")
        case "truncate":
            names = {history.names[number] for number in (older, newer)}
            boundary.write_text("\n".join(sorted(names)))
        case "restore":
            boundary.unlink(missing_ok=True)
            grafts.unlink(missing_ok=True)
            for name in history.git("replace").split():
                history.git("replace", "--delete", name)
    return change


@settings(max_examples=40)
@given(histories(most=14), COMMIT_DATES, st.data())
def test_dates_are_accurate_in_every_state_of_a_repository(
    commits: tuple[PlannedCommit, ...], kind: CommitDate, data: st.DataObject
) -> None:
    """HEAD moves, commits are replaced or grafted, clones become shallow and complete
    again. Then all files are dated as by git, with the same cache as before.
    """
    options = HistoryOptions(kind, follow_moves=data.draw(st.booleans()))
    numbers = st.integers(0, len(commits) - 1)
    ignored = data.draw(st.sets(numbers, max_size=4))
    with tempfile.TemporaryDirectory() as folder:
        history = create_history(Path(folder, "r"), commits)
        cache = Path(folder, "cache")
        changes = ["none"]
        for _ in range(data.draw(st.integers(2, 4))):
            found = find_commits(history, HistoryOptions(kind))
            assert found == ask_git(history, kind), changes
            paths = data.draw(st.sets(st.sampled_from(PATHS), min_size=1))
            dates = find_dates(history, options, None, paths, ignored=ignored)
            for _ in range(2):
                cached = find_dates(history, options, cache, paths, ignored=ignored)
                assert cached == dates, changes
            changes.append(change_repository(history, data))


@given(
    histories(most=16),
    COMMIT_DATES,
    st.integers(1, 6),
    st.sampled_from(["none", "bots", "even"]),
    st.booleans(),
)
def test_shallow_clones_have_the_dates_of_the_complete_history_or_none(
    commits: tuple[PlannedCommit, ...],
    kind: CommitDate,
    depth: int,
    choice: str,
    follow_moves: bool,
) -> None:
    options = HistoryOptions(kind, follow_moves=follow_moves)
    ignored = {
        number
        for number, commit in enumerate(commits)
        if (choice == "bots" and commit.author == "A Bot")
        or (choice == "even" and number % 2 == 0)
    }
    with tempfile.TemporaryDirectory() as folder:
        history = create_history(Path(folder, "r"), commits)
        clone = replace(history, path=Path(folder, "clone"))
        branch = [
            "--no-checkout",
            "--single-branch",
            f"--branch=c{len(commits) - 1}",
            f"--depth={depth}",
        ]
        history.git("clone", "--quiet", *branch, history.path.as_uri(), str(clone.path))
        truncated = find_truncated(clone)
        complete = find_dates(history, options, ignored=ignored)
        cache = Path(folder, "cache")
        for _ in range(2):
            dates = find_dates(clone, options, cache, ignored=ignored)
            for path, date in dates.items():
                if date.status is not DateStatus.SHALLOW:
                    assert date == complete[path]
                else:
                    assert date.hash in truncated


@pytest.mark.parametrize("is_branch", [False, True])
def test_files_that_are_not_wanted_use_no_memory(
    project: Path, is_branch: bool
) -> None:
    """A few objects can stand for any number of files."""
    repository = Repository.create(project)
    pages = {f"docs/{number}.md": "1" for number in range(20)}
    repository.commit(pages, day=1)
    blob = repository.git("rev-parse", "HEAD:docs/0.md").strip()
    many = f"100644 blob {blob}"
    for _ in range(4):
        many = "040000 tree " + make_tree(
            project, *(f"{many}\t{number}" for number in range(12))
        )
    docs = make_tree(
        project, f"{many}\tmany", *repository.git("ls-tree", "HEAD:docs").splitlines()
    )
    tree = make_tree(project, f"040000 tree {docs}\tdocs")
    added = repository.git("commit-tree", "-m", "add", "-p", "HEAD", tree).strip()
    removed = repository.git(
        "commit-tree", "-m", "remove", "-p", added, "HEAD^{tree}"
    ).strip()
    if is_branch:
        empty = repository.git("commit-tree", "-m", "empty", make_tree(project))
        merged = ("-p", empty.strip(), "-p", removed, "HEAD^{tree}")
        removed = repository.git("commit-tree", "-m", "merge", *merged).strip()
    repository.git("update-ref", "HEAD", removed)
    tracemalloc.start()
    files = [WantedFile(str(project / page)) for page in pages]
    result = History().find_dates(files, HistoryOptions())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert {
        commit.date for commit in result.dates.values() if commit.date is not None
    } == {datetime(2024, 1, 1, 10, tzinfo=UTC)}
    assert peak < 1_000_000


def test_paths_of_removed_files_use_little_memory(project: Path) -> None:
    """Git stores any number of deep paths in small objects."""
    repository = Repository.create(project)
    deep = "d/" * 1_900
    start = datetime(2024, 1, 1, tzinfo=UTC)
    names = [f"{number}.md" for number in range(50)]
    names += [f"{number}/a.md" for number in range(50)]
    texts = {deep + name: name.encode() for name in names}
    moved = {"old/p/a.md": b"A page\nwith text.\n", "old/b.md": b"b"}
    repository.commit_all([(start, "1", texts | moved)])
    repository.git("rm", "-r", "--quiet", "--cached", "d", "old")
    repository.commit({"p/a.md": "A page with\ntext.\n", "b.md": "b"}, day=2)
    shown = Shown(ShownKind.TEXT)
    files = [WantedFile(str(project / name), shown) for name in ("p/a.md", "b.md")]
    tracemalloc.start()
    result = History().find_dates(files, HistoryOptions(follow_moves=True))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert {date.date for date in result.dates.values()} == {start}
    assert peak < 5_000_000


def make_tree(repository: Path, *entries: str) -> str:
    lines = "".join(f"{entry}\n" for entry in entries).encode()
    command = ["git", "mktree"]
    done = subprocess.run(
        command, cwd=repository, input=lines, check=True, capture_output=True
    )
    return done.stdout.decode().strip()


def test_the_commit_of_the_cache_may_be_deleted(project: Path, tmp_path: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "1", "b.md": "1"}, day=1)
    repository.commit({"a.md": "2"}, day=2)
    cache = tmp_path / "cache"
    files = [WantedFile(str(project / name)) for name in ("a.md", "b.md")]
    assert not History(cache).find_dates(files, HistoryOptions()).failures
    repository.git("reset", "--quiet", "--hard", "HEAD~1")
    repository.commit({"b.md": "3"}, day=3)
    repository.git("reflog", "expire", "--expire=now", "--all")
    repository.git("gc", "--quiet", "--prune=now")
    for _ in range(2):
        result = History(cache).find_dates(files, HistoryOptions())
        assert not result.failures
        assert result == History().find_dates(files, HistoryOptions())


@given(
    histories(),
    st.sets(st.integers(0, 11)),
)
def test_an_ignored_commit_does_not_count_for_files_that_it_did_not_add(
    commits: tuple[PlannedCommit, ...], ignored: set[int]
) -> None:
    def newest(path: str) -> tuple[int, int]:
        """Return the newest commit, and its arrival on the line."""
        number, arrival = len(commits) - 1, None
        while True:
            commit = commits[number]
            with_file = [one for one in commit.parents if path in commits[one].files]
            same = [
                one
                for one in with_file
                if commits[one].files[path] == commit.files[path]
            ]
            if not same and number in ignored and with_file:
                same, arrival = with_file, None
            if not same:
                return number, number if arrival is None else arrival
            if arrival is None and same[0] != commit.parents[0]:
                arrival = number
            number = same[0]

    with tempfile.TemporaryDirectory() as folder:
        history = create_history(Path(folder, "r"), commits)
        options = HistoryOptions()
        cache = Path(folder, "cache")
        revs = {number for number in ignored if number < len(commits)}
        found = find_commits(history, options, cache, ignored=revs)
        assert {path: one and one[:2] for path, one in found.items()} == {
            path: tuple(history.names[number] for number in newest(path))
            if path in commits[-1].files
            else None
            for path in PATHS
        }
        assert find_commits(history, options, cache, ignored=revs) == found


def plan(*commits: tuple[tuple[int, ...], str, int]) -> tuple[PlannedCommit, ...]:
    """Plan commits by parents, the contents of `docs/a.md` and `docs/b.md`, and
    seconds.
    """
    return tuple(
        PlannedCommit(
            parents,
            {
                path: ("100644", content)
                for path, content in zip(PATHS, contents, strict=False)
                if content != "-"
            },
            1_700_000_000 + seconds,
            "Ann",
        )
        for parents, contents, seconds in commits
    )


# A merge is the same as its second parent. The line of its first parent changed a file,
# and changed it back.
CHANGED_BACK = plan(
    ((), "11", 1),
    ((0,), "21", 2),
    ((1,), "11", 3),
    ((0,), "12", 4),
    ((2, 3), "12", 5),
    ((), "-9", 6),
    ((5, 4), "12", 7),
)

# A parent has a later date than one of its children.
WRONG_CLOCK = plan(
    ((), "--", 1),
    ((0,), "11", 100),
    ((1,), "12", 2),
    ((1,), "11", 101),
    ((2, 3), "12", 102),
    ((), "-9", 103),
    ((5, 4), "12", 104),
)

# Merge 2 is reached by one file, and later by the other.
MERGED_TWICE = plan(
    ((), "11", 1),
    ((0,), "22", 2),
    ((0, 1), "21", 3),
    ((1,), "22", 4),
    ((3, 2), "11", 5),
    ((4, 2), "21", 6),
)


def test_a_cached_date_does_not_hide_newer_skipped_commits(
    project: Path, tmp_path: Path
) -> None:
    history = create_history(project, plan(((), "11", 1), ((0,), "21", 2)))
    for number in (0, 1):
        history.check_out(number)
        dates = find_dates(history, HistoryOptions(), tmp_path / "cache", ignored={1})
        assert dates[PATHS[0]].hash == history.names[0]
        assert dates[PATHS[0]].skipped == number


def test_a_cached_date_of_a_branch_is_not_that_of_its_merge(
    project: Path, tmp_path: Path
) -> None:
    merged = plan(((), "11", 1), ((0,), "12", 2), ((0,), "21", 3), ((1, 2), "22", 4))
    history = create_history(project, merged)
    for number, arrival in ((2, None), (3, history.names[3])):
        history.check_out(number)
        dates = find_dates(history, HistoryOptions(), tmp_path / "cache")
        assert dates[PATHS[0]].hash == history.names[2]
        assert dates[PATHS[0]].merge == arrival


def test_a_merge_that_brought_an_ignored_commit_is_no_arrival(project: Path) -> None:
    """Commit 2 of a branch changed the page, and so did commit 3, which is ignored."""
    branch = plan(
        ((), "11", 1),
        ((0,), "12", 2),
        ((0,), "21", 3),
        ((2,), "31", 4),
        ((1, 3), "32", 5),
    )
    history = create_history(project, branch)
    date = find_dates(history, HistoryOptions(), ignored={3})[PATHS[0]]
    assert (date.hash, date.merge) == (history.names[2], None)


def test_dates_of_a_partial_clone_are_cached_once_all_versions_were_read(
    project: Path, tmp_path: Path
) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "# A\n\nText.\n", "b.md": "1"}, day=1)
    repository.commit({"a.md": "# A\n\n\nText.\n"}, day=2)
    repository.commit({"b.md": "2"}, day=3)
    repository.git("config", "uploadpack.allowFilter", "true")
    repository.git("config", "uploadpack.allowAnySHA1InWant", "true")
    clone = tmp_path / "clone"
    repository.git(
        "clone", "--quiet", "--filter=blob:none", project.as_uri(), str(clone)
    )
    file = WantedFile(str(clone / "a.md"), Shown(ShownKind.TEXT))
    listed = WantedFile(str(clone / "b.md"), PRESENCE)
    days = []
    for _ in range(2):
        history = History(tmp_path / "cache")
        dates = history.find_dates([file, listed], HistoryOptions()).dates
        days.append(dates[file].date)
        # No version of a file that the page only lists is read.
        assert dates[listed].date == datetime(2024, 1, 1, 10, tzinfo=UTC)
        # Git fetches the missing versions.
        subprocess.run(["git", "log", "-p"], cwd=clone, check=True, capture_output=True)
    assert days == [datetime(2024, 1, day, 10, tzinfo=UTC) for day in (2, 1)]


def test_dates_are_cached_once_all_removed_files_were_read(
    project: Path, tmp_path: Path
) -> None:
    repository = Repository.create(project)
    repository.commit({"old/a.md": "1"}, day=1)
    repository.git("mv", "old", "docs")
    repository.git("commit", "--quiet", "--message", "move", day=2)
    file = WantedFile(str(project / "docs/a.md"))
    days = []
    for limit in (1, 2**20):
        with patch("docs_sitemap.git.commits._MAX_REMOVED", limit):
            history = History(tmp_path / "cache")
            found = history.find_dates([file], HistoryOptions(follow_moves=True))
            days.append(found.dates[file].date)
    assert days == [datetime(2024, 1, day, 10, tzinfo=UTC) for day in (2, 1)]


@pytest.mark.parametrize("commits", [CHANGED_BACK, WRONG_CLOCK, MERGED_TWICE])
def test_histories_that_simpler_walks_get_wrong(
    project: Path, commits: tuple[PlannedCommit, ...]
) -> None:
    history = create_history(project, commits)
    for kind in CommitDate:
        assert find_commits(history, HistoryOptions(kind)) == ask_git(history, kind)
