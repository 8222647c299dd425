"""Shallow clones: dates that are known are used, the others are left out or fetched."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.builds import as_sources, build_dates, build_site
from support.platforms import needs_posix
from support.repository import Repository, noon

from docs_sitemap import DateStatus, History, Lastmod, Page, ShallowError, read_options
from docs_sitemap.config.options import OPTION_NAMES
from docs_sitemap.result import SavedPage
from docs_sitemap_cli.advice import how_to_date

NAMES = ("old.md", "middle.md", "new.md")


@pytest.fixture
def origin(tmp_path: Path) -> Repository:
    origin = Repository.create(tmp_path / "origin")
    for day, name in enumerate(NAMES, start=1):
        origin.commit({name: name}, day=day)
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
    pages = [
        Page(url=name, name=name, sources=as_sources(folder / name)) for name in names
    ]
    report = build_dates(*pages, history=History(cache), **options)
    found = {listed.page.name: listed.lastmod for listed in report.listed}
    return {name: found[name] for name in names}, [
        one.message for one in report.diagnostics
    ]


def dates(found: dict[str, Lastmod]) -> list[str | None]:
    return [
        None if item.value is None else item.value.isoformat()
        for item in found.values()
    ]


def test_known_dates_are_used_and_the_others_left_out(
    origin: Repository, project: Path
) -> None:
    clone(origin, project)
    found, (message,) = find(project)
    assert [item.status for item in found.values()] == ["shallow", "shallow", "commit"]
    assert dates(found) == [None, None, noon(3)]
    assert message.startswith("2 of 3 pages ")
    assert "`git fetch --unshallow`" in message
    assert find(project, "new.md")[1] == []


def test_every_depth_is_noticed(origin: Repository, tmp_path: Path) -> None:
    for depth in (1, 2, 3):
        folder = tmp_path / f"depth-{depth}"
        clone(origin, folder, f"--depth={depth}")
        found, _ = find(folder)
        shallow = [item.status for item in found.values()].count(DateStatus.SHALLOW)
        # With depth 3, the clone contains the complete history.
        assert shallow == {1: 3, 2: 2, 3: 0}[depth]
    folder = tmp_path / "since"
    clone(origin, folder, "--shallow-since=2024-01-02T00:00:00Z")
    assert dates(find(folder)[0]) == [None, None, noon(3)]


# The variables of services, with the fix and the name in the manual.
CI_SERVICES = {
    "GITHUB_ACTIONS": ("fetch-depth: 0", "GitHub Actions"),
    "GITLAB_CI": ("GIT_DEPTH: 0", "GitLab CI"),
    "READTHEDOCS": ("post_checkout", "Read the Docs"),
    "NETLIFY": ("netlify.toml", "Netlify"),
    "CF_PAGES": ("in the settings", "Cloudflare Pages"),
    "VERCEL": ("VERCEL_DEEP_CLONE=true", "Vercel"),
    "BITBUCKET_BUILD_NUMBER": ("depth: full", "Bitbucket Pipelines"),
    "TF_BUILD": ("fetchDepth: 0", "Azure Pipelines"),
}


@pytest.mark.parametrize("variable", CI_SERVICES)
def test_the_warning_contains_the_fix_for_the_ci_service(
    origin: Repository, project: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    clone(origin, project)
    monkeypatch.setenv(variable, "true")
    _, (message,) = find(project)
    fix, service = CI_SERVICES[variable]
    assert f"on {service}, " in message
    assert fix in message
    guide = Path(__file__).parents[3] / "docs" / "guides" / "ci-and-hosting.md"
    page = guide.read_text(encoding="utf-8")
    assert f"\n## {service}\n" in page or f"\n| {service} |" in page


def test_each_shallow_repository_has_its_fix(
    origin: Repository, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Settings of services do not complete submodules that `.gitmodules` calls
    shallow.
    """
    outer = Repository.create(tmp_path / "outer")
    outer.commit({"index.md": "1"}, day=1)
    outer.git("submodule", "--quiet", "add", origin.path.as_uri(), "docs/mod")
    outer.git("config", "--file=.gitmodules", "submodule.docs/mod.shallow", "true")
    outer.commit({}, day=4)
    repository = clone(outer, project, "--depth=1")
    repository.git("submodule", "--quiet", "update", "--init")
    of_submodule = "git -C docs/mod fetch --unshallow"
    page = SavedPage(name="a", url="a", date_status=DateStatus.SHALLOW)
    for variable in (None, "GITHUB_ACTIONS", "GITLAB_CI", "READTHEDOCS"):
        fix = "git fetch --unshallow"
        if variable is not None:
            monkeypatch.setenv(variable, "true")
            fix = CI_SERVICES[variable][0]
        submodule, own = find_messages(project)
        assert "the submodule docs/mod is shallow" in submodule
        assert of_submodule in submodule
        assert fix in own
        assert "docs/mod" not in own
        for page.source, text in (("docs/mod/old.md", of_submodule), ("index.md", fix)):
            assert text in (how_to_date(page, OPTION_NAMES, str(project)) or "")
        if variable is not None:
            monkeypatch.delenv(variable)
    # Each command completes its repository.
    repository.git("fetch", "--quiet", "--unshallow")
    (submodule,) = find_messages(project)
    assert of_submodule in submodule
    repository.git(*of_submodule.split()[1:])
    assert find_messages(project) == []


def find_messages(project: Path) -> list[str]:
    """Return the messages about pages of a repository and its submodule."""
    pages = []
    for name in ("index.md", "docs/mod/old.md"):
        pages.append(Page(url=name, name=name, sources=as_sources(project / name)))
    options = read_options({"base_url": "https://example.org/"})
    report = build_site(pages, options, project / "site", root=project)
    return [one.message for one in report.diagnostics]


def test_a_page_has_a_date_if_no_source_with_an_unknown_date_can_be_newer(
    origin: Repository, project: Path
) -> None:
    """The clone begins at the commit of middle.md, so old.md is not newer than
    middle.md.
    """
    clone(origin, project)
    sources = as_sources(project / "new.md", project / "old.md")
    page = Page(url="a", name="a", sources=sources)
    report = build_dates(page)
    (known,) = report.listed
    assert (known.lastmod.status, known.lastmod.source) == ("commit", sources[0].path)
    assert report.diagnostics == ()
    (unknown,) = build_dates(page, lastmod_date="authored").listed
    assert (unknown.lastmod.status, unknown.lastmod.source) == (
        "shallow",
        sources[1].path,
    )


def test_an_ignored_commit_of_a_branch_in_a_shallow_clone(tmp_path: Path) -> None:
    """The clone contains the start of a branch, but not as a commit of the published
    branch.
    """
    origin = Repository.create(tmp_path / "origin")
    for day in (1, 2, 3):
        origin.commit({"a.md": str(day)}, day=day)
    origin.git("checkout", "--quiet", "-b", "side")
    origin.commit({"a.md": "reformatted"}, day=4)
    origin.git("checkout", "--quiet", "main")
    for day in (5, 6, 7, 8):
        origin.commit({"other.md": str(day)}, day=day)
    origin.git("merge", "--quiet", "--no-ff", "-m", "merge", "side", day=9)
    ignored = origin.git("log", "--all", "--grep=^day 4$", "--format=%H")
    origin.commit({".git-blame-ignore-revs": ignored}, day=10)
    for depth in (5, 20):
        path = tmp_path / str(depth)
        clone(origin, path, f"--depth={depth}")
        assert dates(find(path, "a.md")[0]) == [noon(3)]
        assert dates(find(path, "a.md", ignore_revs_file=False)[0]) == [noon(9)]


def test_unknown_dates_stay_as_they_are_in_the_cache(
    origin: Repository, project: Path, tmp_path: Path
) -> None:
    repository = clone(origin, project)
    page = Page(
        url="a", name="a", sources=as_sources(project / "new.md", project / "old.md")
    )
    for day in (5, 6):
        (listed,) = build_dates(page, history=History(tmp_path / "cache")).listed
        assert listed.lastmod.status is DateStatus.COMMIT
        repository.commit({"other.md": str(day)}, day=day)


def test_error_fails_the_build_and_leaves_the_old_sitemap(
    origin: Repository, project: Path, tmp_path: Path
) -> None:
    clone(origin, project)
    page = Page(url="a", name="a", sources=as_sources(project / "old.md"))
    options = {"base_url": "https://example.org/", "shallow": "error"}
    old = tmp_path / "sitemap.xml"
    old.write_text("old")
    with pytest.raises(ShallowError, match="1 of 1 page has no lastmod"):
        build_site([page], read_options(options), tmp_path)
    assert old.read_text() == "old"
    page = Page(url="a", name="a", sources=as_sources(project / "new.md"))
    assert build_site([page], read_options(options), tmp_path).diagnostics == ()


@pytest.mark.parametrize("detached", [False, True])
def test_fetch_gets_the_missing_commits(
    origin: Repository, project: Path, tmp_path: Path, detached: bool
) -> None:
    origin.commit({"old.md": "other"}, day=4)
    origin.commit({"other.md": "1"}, day=5)
    repository = clone(origin, project, "--depth=1")
    if detached:
        repository.git("checkout", "--quiet", "--detach")
    found, diagnostics = find(project, cache=tmp_path / "cache", shallow="fetch")
    assert diagnostics == []
    assert dates(found) == [noon(4), noon(2), noon(3)]
    assert (
        repository.git("rev-list", "--objects", "--missing=print", "HEAD").count("\n?")
        == 0
    )
    found, diagnostics = find(project, cache=tmp_path / "cache")
    assert (dates(found), diagnostics) == ([noon(4), noon(2), noon(3)], [])


# Each of these settings lets a fetch change, create, or delete refs, or write other
# files.
REF_SETTINGS = {
    "remote.origin.fetch": "+refs/heads/*:refs/heads/*",
    "remote.origin.tagOpt": "--tags",
    "remote.origin.mirror": "true",
    "remote.origin.followRemoteHEAD": "always",
    "fetch.prune": "true",
    "fetch.pruneTags": "true",
    "fetch.writeCommitGraph": "true",
}


@pytest.mark.parametrize(
    "checkout", ["branch", "side", "old commit", "merge ref", "tag"]
)
def test_fetch_changes_no_refs(
    origin: Repository, project: Path, checkout: str
) -> None:
    origin.commit({"late.md": "1"}, day=4)
    origin.git("tag", "--annotate", "--message=v1", "v1")
    origin.git("branch", "side")
    origin.git("update-ref", "refs/pull/1/merge", "HEAD")
    for day in (5, 6):
        origin.commit({"main.md": str(day)}, day=day)
    ref = {"side": "side", "merge ref": "refs/pull/1/merge", "tag": "v1"}.get(
        checkout, "main"
    )
    repository = Repository.create(project)
    repository.git("remote", "add", "origin", origin.path.as_uri())
    repository.git("fetch", "--quiet", "--no-tags", "--depth=2", "origin", ref)
    if checkout == "branch":
        repository.git("checkout", "--quiet", "-b", "main", "FETCH_HEAD")
    else:
        repository.git("checkout", "--quiet", "--detach", "FETCH_HEAD")
    if (
        checkout == "old commit"
    ):  # The branch moves on between the checkout and the fetch.
        origin.commit({"main.md": "7"}, day=7)
    repository.git("branch", "mine")
    repository.git("tag", "mine")
    for setting, value in REF_SETTINGS.items():
        repository.git("config", setting, value)
    refs = repository.git("for-each-ref") + repository.git(
        "rev-parse", "HEAD", "FETCH_HEAD"
    )
    found, diagnostics = find(project, shallow="fetch")
    assert diagnostics == []
    assert dates(found) == [noon(1), noon(2), noon(3)]
    assert refs == repository.git("for-each-ref") + repository.git(
        "rev-parse", "HEAD", "FETCH_HEAD"
    )
    assert not [*project.glob(".git/objects/info/commit-graph*")]


@pytest.mark.parametrize("name", ["origin", "a"])
def test_fetch_uses_origin_or_else_the_first_remote(
    origin: Repository, project: Path, tmp_path: Path, name: str
) -> None:
    repository = clone(origin, project, "--depth=2", f"--origin={name}")
    # Git prints the remotes in the order of their names.
    for other in ("fork", "upstream"):
        repository.git("remote", "add", other, (tmp_path / "missing").as_uri())
    assert find(project, shallow="fetch")[1] == []


def test_fetch_does_not_use_another_source(
    origin: Repository, project: Path, tmp_path: Path
) -> None:
    bundle = tmp_path / "bundle"
    origin.git("bundle", "create", "--quiet", str(bundle), "main")
    repository = clone(origin, project)
    repository.git("config", "fetch.bundleURI", str(bundle))
    refs = repository.git("for-each-ref")
    assert find(project, shallow="fetch")[1] == []
    assert repository.git("for-each-ref") == refs


@needs_posix
@pytest.mark.parametrize("setting", ["url", "uploadpack"])
def test_fetch_runs_no_program_that_the_remote_names(
    origin: Repository, project: Path, tmp_path: Path, setting: str
) -> None:
    marker = tmp_path / "marker"
    program = {"url": f"ext::touch {marker}", "uploadpack": f"touch {marker}; false"}
    repository = clone(origin, project)
    repository.git("config", "protocol.ext.allow", "always")
    repository.git("config", f"remote.origin.{setting}", program[setting])
    find(project, shallow="fetch")
    assert not marker.exists()


@pytest.mark.parametrize("trouble", ["no remote", "no such remote", "refused"])
def test_a_failed_fetch_leaves_the_repository_as_it_was(
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
    found, (fetch_failed, too_old) = find(project, shallow="fetch")
    assert fetch_failed.startswith(
        f"the missing history of {project} cannot be fetched: "
    )
    assert too_old.startswith("2 of 3 pages")
    assert dates(found) == [None, None, noon(3)]
    assert {path: (git / path).read_bytes() for path in before} == before
    assert not [*git.glob("**/*.lock")]


def test_fetch_needs_no_configuration_in_the_repository(
    origin: Repository, project: Path
) -> None:
    repository = clone(origin, project)
    repository.git("config", "--global", "remote.origin.url", origin.path.as_uri())
    (project / ".git" / "config").unlink()
    found, diagnostics = find(project, shallow="fetch")
    assert diagnostics == []
    assert dates(found) == [noon(1), noon(2), noon(3)]


def test_the_remote_may_be_a_shallow_clone(
    origin: Repository, project: Path, tmp_path: Path
) -> None:
    remote = clone(origin, tmp_path / "remote", "--depth=2")
    repository = clone(remote, project, "--depth=1")
    repository.git("config", "protocol.version", "0")
    refs = repository.git("for-each-ref")
    found, diagnostics = find(project, shallow="fetch")
    assert dates(found) == [None, None, noon(3)]
    assert diagnostics[-1].startswith("2 of 3 pages")
    assert repository.git("for-each-ref") == refs


def test_nothing_is_fetched_if_all_dates_are_known(
    origin: Repository, project: Path
) -> None:
    clone(origin, project)
    _, diagnostics = find(project, "new.md", shallow="fetch")
    assert diagnostics == []
    assert (project / ".git" / "shallow").exists()


def test_clones_without_blobs_or_trees_fetch_nothing(
    origin: Repository, tmp_path: Path
) -> None:
    origin.git("config", "uploadpack.allowFilter", "true")
    blobless = clone(origin, tmp_path / "blobless", "--filter=blob:none")
    treeless = clone(origin, tmp_path / "treeless", "--filter=tree:0")
    found, diagnostics = find(blobless.path)
    assert (dates(found), diagnostics) == ([noon(1), noon(2), noon(3)], [])
    found, (message,) = find(treeless.path)
    assert {item.status for item in found.values()} == {DateStatus.GIT_FAILED}
    assert "clone it without --filter=tree" in message
