"""Shallow clones: noticed always; what is known is kept, what is not is left out or fetched."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.repository import Repository, noon

from docs_sitemap import (
    History,
    Lastmod,
    LastmodState,
    Options,
    Page,
    ShallowError,
    build_sitemap,
)
from docs_sitemap.hosts import HOSTS
from docs_sitemap.lastmod import find_lastmods
from docs_sitemap.values import lastmod_text

NAMES = ("old.md", "middle.md", "new.md")


@pytest.fixture
def origin(tmp_path: Path) -> Repository:
    origin = Repository.create(tmp_path / "origin")
    for day, name in enumerate(NAMES, start=1):
        origin.commit({name: name}, day=day)
    origin.git("config", "uploadpack.allowFilter", "true")
    origin.git("config", "uploadpack.allowAnySHA1InWant", "true")
    return origin


def clone(origin: Repository, path: Path, *options: str) -> Repository:
    Repository(origin.path).git(
        "clone", "--quiet", *(options or ["--depth=2"]), origin.path.as_uri(), str(path)
    )
    return Repository(path)


def find(
    folder: Path, *names: str, cache: Path | None = None, **options: object
) -> tuple[dict[str, Lastmod], list[str]]:
    names = names or NAMES
    pages = [Page(url=name, name=name, sources=(str(folder / name),)) for name in names]
    found, problems = find_lastmods(pages, Options(**options), History(cache))  # type: ignore[arg-type]
    return dict(zip(names, found, strict=True)), [problem.message for problem in problems]


def dates(found: dict[str, Lastmod]) -> list[str | None]:
    return [None if item.value is None else lastmod_text(item.value) for item in found.values()]


def test_dates_that_are_known_are_kept_and_the_others_left_out(
    origin: Repository, project: Path
) -> None:
    clone(origin, project)
    found, (message,) = find(project)
    assert [item.state for item in found.values()] == ["shallow", "shallow", "commit"]
    assert dates(found) == [None, None, noon(3)]
    assert message.startswith("2 of 3 pages get no lastmod")
    assert message.endswith("git fetch --unshallow")
    assert find(project, "new.md")[1] == []


def test_every_depth_is_noticed(origin: Repository, tmp_path: Path) -> None:
    for depth in (1, 2, 3):
        folder = tmp_path / f"depth-{depth}"
        clone(origin, folder, f"--depth={depth}")
        found, _ = find(folder)
        shallow = [item.state for item in found.values()].count(LastmodState.SHALLOW)
        # With depth 3, the clone is shallow in name only: it begins at the root.
        assert shallow == {1: 3, 2: 2, 3: 0}[depth]
    folder = tmp_path / "since"
    clone(origin, folder, "--shallow-since=2024-01-02T00:00:00Z")
    assert dates(find(folder)[0]) == [None, None, noon(3)]


@pytest.mark.parametrize("host", HOSTS, ids=lambda host: host.name)
def test_the_warning_says_what_to_add_where_the_site_is_built(
    origin: Repository, project: Path, monkeypatch: pytest.MonkeyPatch, host: object
) -> None:
    assert host in HOSTS
    name, variable, cure = HOSTS[HOSTS.index(host)]  # type: ignore[arg-type]
    clone(origin, project)
    monkeypatch.setenv(variable, "true")
    _, (message,) = find(project)
    assert name in message
    assert cure in message
    page = (Path(__file__).parents[2] / "docs" / "dates.md").read_text(encoding="utf-8")
    assert f"### {name}\n" in page


def test_a_page_is_dated_if_what_is_too_old_to_be_dated_cannot_matter(
    origin: Repository, project: Path
) -> None:
    """Whenever old.md was changed: not after middle.md, at which the clone begins."""
    clone(origin, project)
    sources = tuple(str(project / name) for name in ("new.md", "old.md"))
    page = Page(url="a", name="a", sources=sources)
    ((known,), problems) = find_lastmods([page], Options(), History())
    assert (known.state, known.source) == ("commit", sources[0])
    assert problems == []
    ((unknown,), _) = find_lastmods([page], Options(lastmod_date="author"), History())  # type: ignore[arg-type]
    assert (unknown.state, unknown.source) == ("shallow", sources[1])


def test_error_fails_the_build_and_leaves_the_old_sitemap(
    origin: Repository, project: Path, tmp_path: Path
) -> None:
    clone(origin, project)
    page = Page(url="a", name="a", sources=(str(project / "old.md"),))
    options = {"base_url": "https://example.org/", "shallow": "error"}
    old = tmp_path / "sitemap.xml"
    old.write_text("old")
    with pytest.raises(ShallowError, match="1 of 1 pages get no lastmod"):
        build_sitemap([page], Options(**options), tmp_path)  # type: ignore[arg-type]
    assert old.read_text() == "old"
    page = Page(url="a", name="a", sources=(str(project / "new.md"),))
    assert build_sitemap([page], Options(**options), tmp_path).problems == ()  # type: ignore[arg-type]


@pytest.mark.parametrize("detached", [False, True])
def test_fetch_fetches_what_is_missing_and_no_content(
    origin: Repository, project: Path, tmp_path: Path, detached: bool
) -> None:
    origin.commit({"old.md": "other", "large.bin": "never needed"}, day=4)
    origin.commit({"large.bin": "needed"}, day=5)
    repository = clone(origin, project, "--depth=1")
    if detached:
        repository.git("checkout", "--quiet", "--detach")
    found, problems = find(project, cache=tmp_path / "cache", shallow="fetch")
    assert problems == []
    assert dates(found) == [noon(4), noon(2), noon(3)]
    missing = repository.git("rev-list", "--objects", "--missing=print", "HEAD")
    assert missing.count("\n?") == 2  # the content of old.md and large.bin before
    found, problems = find(project, cache=tmp_path / "cache")
    assert (dates(found), problems) == ([noon(4), noon(2), noon(3)], [])


@pytest.mark.parametrize("trouble", ["no remote", "no such remote", "refused"])
def test_fetch_that_cannot_be_leaves_all_as_it_was(
    origin: Repository, project: Path, tmp_path: Path, trouble: str
) -> None:
    repository = clone(origin, project)
    if trouble == "no remote":
        repository.git("remote", "remove", "origin")
    elif trouble == "no such remote":
        repository.git("remote", "set-url", "origin", (tmp_path / "nowhere").as_uri())
    else:
        (origin.path / ".git" / "HEAD").write_text("rubbish")
    git = project / ".git"
    before = {path: (git / path).read_bytes() for path in ("config", "shallow", "HEAD")}
    found, (could_not, too_old) = find(project, shallow="fetch")
    assert could_not.startswith(f"the history that {project} lacks could not be fetched: ")
    assert too_old.startswith("2 of 3 pages get no lastmod")
    assert dates(found) == [None, None, noon(3)]
    assert {path: (git / path).read_bytes() for path in before} == before
    assert not [*git.glob("**/*.lock")]


def test_nothing_is_fetched_that_is_not_needed(origin: Repository, project: Path) -> None:
    clone(origin, project)
    _, problems = find(project, "new.md", shallow="fetch")
    assert problems == []
    assert (project / ".git" / "shallow").exists()


def test_clones_without_blobs_or_trees_fetch_nothing(origin: Repository, tmp_path: Path) -> None:
    blobless = clone(origin, tmp_path / "blobless", "--filter=blob:none")
    treeless = clone(origin, tmp_path / "treeless", "--filter=tree:0")
    found, problems = find(blobless.path)
    assert (dates(found), problems) == ([noon(1), noon(2), noon(3)], [])
    found, (message,) = find(treeless.path)
    assert {item.state for item in found.values()} == {LastmodState.NO_ANSWER}
    assert "--filter=blob:none" in message
