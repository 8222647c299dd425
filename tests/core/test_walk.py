"""The walk finds what git itself finds, in every history."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import CalledProcessError
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.histories import AUTHORS, PATHS, MadeCommit, MadeHistory, commits, make
from support.repository import Repository

from docs_sitemap.git import Commit, History, NoCommit, Settings, Unknown, walk

FORMATS = st.sampled_from(["--object-format=sha1", "--object-format=sha256"])


def ask(
    history: MadeHistory,
    settings: Settings,
    cache: Path | None = None,
    paths: tuple[str, ...] = PATHS,
) -> dict[str, str | None]:
    answer = History(cache).newest_commits([str(history.path / path) for path in paths], settings)
    assert not answer.errors
    names: dict[str, str | None] = {}
    for path in paths:
        commit = answer.commits[str(history.path / path)]
        if isinstance(commit, Commit):
            names[path] = commit.name
        else:
            assert commit == NoCommit(Unknown.UNTRACKED)
            names[path] = None
    return names


@contextmanager
def few_looks(looks: int | None) -> Iterator[None]:
    """Make the walk give up looking at single commits earlier than it would in so short a
    history, so that it has to go on in its other ways.
    """
    if looks is None:
        yield
    else:
        with patch.multiple(walk, _FEW_LOOKS=looks, _LOOKS=looks):
            yield


def truths(
    history: MadeHistory, commit: int, *options: str, paths: tuple[str, ...] = PATHS
) -> dict[str, str | None]:
    """What git says of the files of a commit, as git has it by now: it may be replaced."""
    listed = history.git("ls-tree", "-r", "--name-only", history.names[commit]).splitlines()
    return {
        path: history.truth(path, commit, *options) if path in listed else None for path in paths
    }


@settings(max_examples=100)
@given(commits(), st.booleans(), FORMATS, st.sampled_from([0, 1, 3, None]))
def test_each_file_has_the_commit_that_git_names(
    made: tuple[MadeCommit, ...], first_parent: bool, init: str, looks: int | None
) -> None:
    with tempfile.TemporaryDirectory() as folder, few_looks(looks):
        history = make(Path(folder, "r"), made, init)
        options = ["--first-parent"] * first_parent
        assert ask(history, Settings(first_parent=first_parent)) == truths(history, -1, *options)


@settings(max_examples=40)
@given(commits(), st.data())
def test_replaced_and_grafted_commits_count_as_git_counts_them(
    made: tuple[MadeCommit, ...], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        history = make(Path(folder, "r"), made)
        numbers = st.integers(0, len(made) - 1)
        for new, old in data.draw(st.lists(st.tuples(numbers, numbers), max_size=3)):
            if new < old:  # no commit becomes its own ancestor
                with suppress(CalledProcessError):  # it is replaced already
                    history.git("replace", history.names[old], history.names[new])
        for child, parent in data.draw(st.lists(st.tuples(numbers, numbers), max_size=2)):
            if parent < child:
                with (history.path / ".git/info/grafts").open("a") as grafts:
                    grafts.write(f"{history.names[child]} {history.names[parent]}\n")
        assert ask(history, Settings()) == truths(history, -1)


@settings(max_examples=60)
@given(commits(most=16), st.booleans(), st.data())
def test_what_is_remembered_is_never_wrong(
    made: tuple[MadeCommit, ...], first_parent: bool, data: st.DataObject
) -> None:
    """HEAD jumps from commit to commit: forward, back, and to other branches."""
    settings = Settings(first_parent=first_parent)
    options = ["--first-parent"] * first_parent
    numbers = st.integers(0, len(made) - 1)
    with tempfile.TemporaryDirectory() as folder:
        history = make(Path(folder, "r"), made)
        cache = Path(folder, "cache")
        for number in data.draw(st.lists(numbers, min_size=2, max_size=4)):
            history.git("update-ref", "HEAD", history.names[number])
            paths = tuple(data.draw(st.sets(st.sampled_from(PATHS), min_size=1)))
            truth = truths(history, number, *options, paths=paths)
            for _ in range(2):
                assert ask(history, settings, cache, paths) == truth


def test_a_remembered_head_may_be_gone(project: Path, tmp_path: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "1", "b.md": "1"}, day=1)
    repository.commit({"a.md": "2"}, day=2)
    cache = tmp_path / "cache"
    files = [str(project / "a.md"), str(project / "b.md")]
    assert not History(cache).newest_commits(files, Settings()).errors
    repository.git("reset", "--quiet", "--hard", "HEAD~1")
    repository.commit({"b.md": "3"}, day=3)
    repository.git("reflog", "expire", "--expire=now", "--all")
    repository.git("gc", "--quiet", "--prune=now")
    for _ in range(2):
        answer = History(cache).newest_commits(files, Settings())
        assert not answer.errors
        assert answer == History().newest_commits(files, Settings())


@settings(max_examples=60)
@given(
    commits(),
    st.booleans(),
    st.sets(st.integers(0, 11)),
    st.sampled_from([(), ("^A Bot <x@example",), ("Ann", "Bob")]),
    st.sampled_from([(), (r"^commit [37] by \w",)]),
)
def test_ignored_commits_hand_on_what_they_did_not_add(
    made: tuple[MadeCommit, ...],
    first_parent: bool,
    ignored: set[int],
    authors: tuple[str, ...],
    messages: tuple[str, ...],
) -> None:
    bots = {author for author in AUTHORS if author == "A Bot" or len(authors) == 2} - (
        {"A Bot"} if len(authors) == 2 else set()
    )

    def ignores(number: int) -> bool:
        return (
            number in ignored
            or (bool(authors) and made[number].author in bots)
            or (bool(messages) and number in (3, 7))
        )

    def newest(path: str, number: int) -> int:
        commit = made[number]
        parents = commit.parents[:1] if first_parent else commit.parents
        for parent in parents:
            if made[parent].files.get(path) == commit.files[path]:
                return newest(path, parent)
        for parent in parents if ignores(number) else ():
            if path in made[parent].files:
                return newest(path, parent)
        return number

    with tempfile.TemporaryDirectory() as folder:
        history = make(Path(folder, "r"), made)
        settings = Settings(
            first_parent=first_parent,
            ignore_revs=tuple(history.names[number] for number in ignored if number < len(made)),
            ignore_authors=authors,
            ignore_messages=messages,
        )
        found = ask(history, settings, Path(folder, "cache"))
        assert found == {
            path: history.names[newest(path, len(made) - 1)] if path in made[-1].files else None
            for path in PATHS
        }
        assert ask(history, settings, Path(folder, "cache")) == found


def made(*commits: tuple[tuple[int, ...], str, int]) -> tuple[MadeCommit, ...]:
    """Commits by their parents, the contents of `docs/a.md` and `docs/b.md`, and their seconds."""
    return tuple(
        MadeCommit(
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


# A merge is as its second parent; the line of its first changed a file, and changed it back.
CHANGED_BACK = made(
    ((), "11", 1),
    ((0,), "21", 2),
    ((1,), "11", 3),
    ((0,), "12", 4),
    ((2, 3), "12", 5),
    ((), "-9", 6),
    ((5, 4), "12", 7),
)

# A parent says to be younger than one of its children.
WRONG_CLOCK = made(
    ((), "--", 1),
    ((0,), "11", 100),
    ((1,), "12", 2),
    ((1,), "11", 101),
    ((2, 3), "12", 102),
    ((), "-9", 103),
    ((5, 4), "12", 104),
)


# The merge 2 is looked at for one file, and again for the other.
MERGED_TWICE = made(
    ((), "11", 1),
    ((0,), "22", 2),
    ((0, 1), "21", 3),
    ((1,), "22", 4),
    ((3, 2), "11", 5),
    ((4, 2), "21", 6),
)


@pytest.mark.parametrize("history", [CHANGED_BACK, WRONG_CLOCK, MERGED_TWICE])
@pytest.mark.parametrize("looks", [0, None])
def test_histories_that_are_easily_got_wrong(
    project: Path, history: tuple[MadeCommit, ...], looks: int | None
) -> None:
    with few_looks(looks):
        repository = make(project, history)
        assert ask(repository, Settings()) == truths(repository, -1)
