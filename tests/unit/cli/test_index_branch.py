"""`docs-sitemap index` with branches that are not checked out."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import zlib
from functools import partial
from pathlib import Path
from urllib.parse import unquote

import pytest
from support.cli import COMMAND, Done, invoke
from support.deployed import BASE_URL, read_index, read_urls, write_version
from support.repository import Repository

from docs_sitemap.git.run import GitError
from docs_sitemap.sitemap.split import split
from docs_sitemap_cli.site.branch import Branch
from docs_sitemap_cli.site.deployed_branch import DeployedBranch
from docs_sitemap_cli.site.folder import SiteFolder

PAGES = ("", "guide/")
COMMIT = (*COMMAND, "index", "gh-pages", "--base-url", BASE_URL, "--commit")


@pytest.fixture
def repository(project: Path) -> Repository:
    """A repository with the branches main and gh-pages, and a bare remote."""
    repository = Repository.create(project)
    repository.commit({"README": "x"}, day=1)
    subprocess.run(
        ["git", "init", "--quiet", "--bare", project.parent / "remote"], check=True
    )
    repository.git("remote", "add", "origin", str(project.parent / "remote"))
    repository.git("checkout", "--quiet", "--orphan", "gh-pages")
    write_version(project, "1.0", [*PAGES, "old/"], canonical="2.0/")
    write_version(project, "2.0", PAGES, canonical="2.0/", dates={"": "2026-01-01"})
    (project / "latest").symlink_to("2.0", target_is_directory=True)
    repository.commit({"a b\nü": "unusual"}, day=2)
    repository.git("checkout", "--quiet", "main")
    repository.git("push", "--quiet", "origin", "gh-pages")
    return repository


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a merged sitemap have parts of one URL."""
    monkeypatch.setattr(
        "docs_sitemap_cli.versions.composition.split", partial(split, max_entries=1)
    )


def run(
    repository: Repository, *arguments: str, code: int = 0, branch: str = "gh-pages"
) -> Done:
    done = invoke(
        "index", branch, "--base-url", BASE_URL, *arguments, cwd=repository.path
    )
    assert done.code == code, done
    return done


def tip(repository: Repository, ref: str = "gh-pages") -> str:
    return repository.git("rev-parse", ref).strip()


def files(repository: Repository, ref: str = "gh-pages") -> list[str]:
    return repository.git("ls-tree", "-z", "--name-only", ref).split("\0")[:-1]


def export(repository: Repository, target: Path, ref: str = "gh-pages") -> Path:
    target.mkdir()
    archive = subprocess.run(
        ["git", "archive", ref], cwd=repository.path, check=True, capture_output=True
    ).stdout
    subprocess.run(["tar", "--extract"], cwd=target, input=archive, check=True)
    return target


def test_without_commit_the_versions_of_a_branch_are_shown(
    repository: Repository, tmp_path: Path
) -> None:
    before = tip(repository)
    done = run(repository)
    assert "2.0: version 2.0 (latest), listed" in done.out
    assert "sitemap.xml: an index of 1 sitemap, 2 URLs, not written\n" in done.out
    assert tip(repository) == before
    # The sitemap is the same as for the folder.
    folder = export(repository, tmp_path / "export")
    assert invoke("index", folder, "--base-url", BASE_URL, cwd=tmp_path).code == 0
    assert read_index(folder / "sitemap.xml") == {"2.0/sitemap.xml": "2026-01-01"}
    run(repository, "--commit")
    text = (folder / "sitemap.xml").read_text(encoding="utf-8")
    assert repository.git("show", "gh-pages:sitemap.xml") == text


@pytest.mark.usefixtures("small_parts")
def test_the_sitemap_of_a_branch_can_have_parts(
    repository: Repository, tmp_path: Path
) -> None:
    run(repository, "--merge", "--commit", "--output", "all.xml")
    folder = export(repository, tmp_path / "export")
    assert [*read_index(folder / "all.xml")] == ["all-1.xml", "all-2.xml"]
    assert [*read_urls(folder / "all-2.xml")] == ["2.0/guide/"]


@pytest.mark.usefixtures("small_parts")
def test_a_commit_adds_only_the_sitemap(repository: Repository, tmp_path: Path) -> None:
    before, others = tip(repository), files(repository)
    done = run(repository, "--commit", "--merge")
    assert tip(repository, "gh-pages~1") == before
    parts = [f"sitemap-{number}.xml{end}" for number in (1, 2) for end in ("", ".gz")]
    names = [*parts, "sitemap.xml", "sitemap.xml.gz"]
    assert files(repository) == sorted([*others, *names], key=os.fsencode)
    assert repository.git("log", "-1", "--format=%s|%an|%ae|%cn", "gh-pages") == (
        "Update the sitemap of all versions|A U Thor|author@example.org|A U Thor\n"
    )
    assert f"commit {tip(repository)[:12]}" in done.out
    changes = repository.git(
        "diff", "--raw", "--no-renames", before, "gh-pages"
    ).splitlines()
    assert [line.split("\t")[1] for line in changes] == names
    assert all(line.startswith(":000000 100644 ") for line in changes)
    assert repository.git("status", "--porcelain") == ""
    assert repository.git("fsck", "--strict", "--no-dangling") == ""
    site = export(repository, tmp_path / "out")
    arguments = (
        "check",
        "--base-url",
        BASE_URL,
        "--ignore",
        "canonical,not-found",
        site,
    )
    assert invoke(*arguments, cwd=tmp_path).code == 0
    # Nothing changes, so nothing is committed.
    after = tip(repository)
    assert "nothing to commit" in run(repository, "--commit", "--merge").out
    assert tip(repository) == after
    run(repository, "--commit")
    assert files(repository) == sorted([*others, *names[4:]], key=os.fsencode)


def test_a_folder_of_a_branch(repository: Repository) -> None:
    repository.git("checkout", "--quiet", "--orphan", "site")
    repository.git("rm", "-rfq", ".")
    write_version(repository.path, "docs/v/1.0", PAGES, base_url="https://example.org/")
    for name in ("1.0", "2.0"):
        write_version(repository.path / "docs/all", name, PAGES)
    repository.commit({"docs/index.html": "x"}, day=3)
    repository.git("checkout", "--quiet", "main")
    run(repository, "--commit", branch="site:docs/all/")
    assert files(repository, "site:docs/all") == [
        "1.0",
        "2.0",
        "sitemap.xml",
        "sitemap.xml.gz",
    ]
    assert files(repository, "site:docs") == ["all", "index.html", "v"]
    for name in ("nowhere", "docs/index.html", "../..", "a\nb"):
        error = run(repository, code=2, branch=f"site:{name}").err
        assert "Fix: correct the name of the folder or, if git fsck reports" in error
        assert len(error.splitlines()) == 1


def test_unusual_names_of_folders(repository: Repository, tmp_path: Path) -> None:
    repository.git("checkout", "--quiet", "--orphan", "site")
    repository.git("rm", "-rfq", ".")
    names = [
        "-dash",
        "--help",
        "a b",
        "größe",
        'quo"te',
        "it's",
        "new\nline",
        "::warning::x",
    ]
    for name in names:
        write_version(repository.path, name, PAGES)
    repository.commit({"README": "x"}, day=3)
    repository.git("checkout", "--quiet", "main")
    done = run(repository, "--commit", branch="site")
    assert "\nnew\\nline: listed, 2 URLs\n" in done.out
    assert "\n\\::warning::x: listed, " in done.out
    root = export(repository, tmp_path / "out", "site")
    assert {unquote(one) for one in read_index(root / "sitemap.xml")} == {
        f"{name}/sitemap.xml" for name in names
    }
    assert invoke("check", "--base-url", BASE_URL, root, cwd=tmp_path).code == 0


def test_a_push_publishes_the_commit(repository: Repository) -> None:
    run(repository, "--commit", "--push")
    remote = Repository(repository.path.parent / "remote")
    assert tip(remote) == tip(repository)
    assert "sitemap.xml" in files(remote)


def clone(repository: Repository) -> Repository:
    path = repository.path.parent / "clone"
    command = ["git", "clone", "--quiet", "--branch=gh-pages", "../remote", str(path)]
    subprocess.run(command, cwd=repository.path, check=True)
    return Repository(path)


def test_commits_of_others_are_never_lost(repository: Repository) -> None:
    other = clone(repository)
    other.commit({"other": "x"}, day=5)
    other.git("push", "--quiet", "origin", "gh-pages")
    before, remote = tip(repository), Repository(repository.path.parent / "remote")
    # The remote has a commit that was not fetched.
    done = run(repository, "--commit", "--push", code=2)
    assert "gh-pages was not pushed, and is unchanged: " in done.err
    command = "git fetch origin gh-pages:refs/remotes/origin/gh-pages"
    assert f"Fix: {command}, and run the command again" in done.err
    assert tip(repository) == before
    assert tip(remote) == tip(other)
    repository.git(*command.split()[1:])
    run(repository, "--commit", "--push")
    assert tip(remote, "gh-pages~1") == tip(other)
    assert {"other", "sitemap.xml"} <= {*files(remote)}


@pytest.mark.skipif(os.name == "nt", reason="The hook is a shell script.")
@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("echo commits must be signed >&2", "remote: commits must be signed"),
        ("", "error: failed "),
    ],
)
def test_a_push_that_a_hook_rejects(
    repository: Repository, command: str, reason: str
) -> None:
    before = tip(repository)
    hook = repository.path.parent / "remote" / "hooks" / "pre-receive"
    hook.parent.mkdir()
    hook.write_text(f"#!/bin/sh\n{command}\nexit 1\n")
    hook.chmod(0o755)
    done = run(repository, "--commit", "--push", code=2)
    assert f"was not pushed, and is unchanged: {reason}" in done.err
    assert "check your access to origin, and its rules for gh-pages\n" in done.err
    assert tip(repository) == before


def test_tags_are_not_pushed(repository: Repository) -> None:
    repository.git("config", "push.followTags", "true")
    repository.git("tag", "--annotate", "--message=x", "deployed", "gh-pages", day=3)
    run(repository, "--commit", "--push")
    assert Repository(repository.path.parent / "remote").git("tag") == ""


def test_nothing_is_pushed_if_the_remote_is_newer_and_complete(
    repository: Repository,
) -> None:
    before = tip(repository)
    run(repository, "--commit", "--push")
    published = tip(repository)
    repository.git("fetch", "--quiet", "origin")
    repository.git("update-ref", "refs/heads/gh-pages", before)
    assert "nothing to commit" in run(repository, "--commit", "--push").out
    assert tip(Repository(repository.path.parent / "remote")) == published


def test_a_commit_that_was_not_pushed_is_pushed_later(repository: Repository) -> None:
    run(repository, "--commit")
    assert "nothing to commit" in run(repository, "--commit", "--push").out
    assert tip(Repository(repository.path.parent / "remote")) == tip(repository)


def test_branches_with_different_commits_are_not_changed(
    repository: Repository,
) -> None:
    other = clone(repository)
    other.commit({"other": "x"}, day=5)
    other.git("push", "--quiet", "origin", "gh-pages")
    run(repository, "--commit")
    before = tip(repository)
    repository.git("fetch", "--quiet", "origin")
    done = run(repository, "--commit", "--merge", code=2)
    assert "gh-pages and origin/gh-pages have different commits. Fix: " in done.err
    assert tip(repository) == before


def test_a_branch_that_only_the_remote_has(repository: Repository) -> None:
    published = tip(repository)
    repository.git("branch", "-D", "gh-pages")
    assert "2.0: version 2.0 (latest), listed" in run(repository).out
    run(repository, "--commit")
    assert tip(repository, "gh-pages~1") == published


def test_the_fix_for_an_unknown_branch_works_in_a_clone_of_one_branch(
    repository: Repository,
) -> None:
    repository.git("push", "--quiet", "origin", "main")
    path = repository.path.parent / "single"
    command = [
        "git",
        "clone",
        "--quiet",
        "--single-branch",
        "--branch=main",
        "../remote",
    ]
    subprocess.run([*command, str(path)], cwd=repository.path, check=True)
    single = Repository(path)
    fix = run(single, code=2).err.rstrip().partition("fetch the branch: git ")[2]
    single.git(*fix.split())
    assert "2.0: version 2.0 (latest), listed" in run(single).out


def test_a_branch_that_is_checked_out_is_not_changed(repository: Repository) -> None:
    repository.git("worktree", "add", "--quiet", "../deployed", "gh-pages")
    before = tip(repository)
    done = run(repository, "--commit", code=2)
    assert (
        f"gh-pages is checked out in {repository.path.parent / 'deployed'}. Fix: "
        in done.err
    )
    assert tip(repository) == before
    run(repository)


def test_a_symbolic_ref_stays_symbolic(repository: Repository) -> None:
    repository.git("symbolic-ref", "refs/heads/pages", "refs/heads/gh-pages")
    before = tip(repository)
    run(repository, "--commit", branch="pages")
    assert repository.git("symbolic-ref", "refs/heads/pages") == "refs/heads/gh-pages\n"
    assert tip(repository, "gh-pages~1") == before


def test_a_folder_with_the_name_of_the_sitemap_stays(repository: Repository) -> None:
    repository.git("checkout", "--quiet", "gh-pages")
    repository.commit({"sitemap.xml/index.html": "x"}, day=3)
    repository.git("checkout", "--quiet", "main")
    done = run(repository, "--commit", code=2)
    assert "sitemap.xml is a folder in gh-pages. Fix: " in done.err
    assert len(done.err.splitlines()) == 1
    assert repository.git("show", "gh-pages:sitemap.xml/index.html") == "x"


def test_a_damaged_folder_is_one_line(repository: Repository) -> None:
    command = ["git", "hash-object", "-t", "tree", "-w", "--literally", "--stdin"]
    done = subprocess.run(
        command, cwd=repository.path, input=b"100644 x", capture_output=True, check=True
    )
    tree = done.stdout.decode().strip()
    commit = repository.git("commit-tree", "-m", "x", tree).strip()
    repository.git("update-ref", "refs/heads/gh-pages", commit)
    repository.git("remote", "remove", "origin")
    error = run(repository, code=2).err
    assert error.startswith("Error: gh-pages: ")
    assert error.endswith("if git fsck reports damage, clone the repository again\n")
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize(
    "damage", [None, b"", b"garbage", zlib.compress(b"weird 3\0abc")]
)
@pytest.mark.parametrize(
    "name", ["gh-pages", "gh-pages^{tree}", "gh-pages:2.0", "gh-pages:2.0/sitemap.xml"]
)
def test_a_damaged_object_is_one_line(
    repository: Repository, name: str, damage: bytes | None
) -> None:
    found = tip(repository, name)
    path = repository.path / ".git/objects" / found[:2] / found[2:]
    path.unlink()
    if damage is not None:
        path.write_bytes(damage)
    done = invoke(
        *("index", "gh-pages", "--base-url", BASE_URL, "--commit"), cwd=repository.path
    )
    errors = [
        line
        for line in (done.err + done.out).splitlines()
        if line.startswith("Error: ")
    ]
    assert errors
    assert all(". Fix: " in line for line in errors)
    assert done.code in (1, 2)


def test_the_sitemap_is_committed_unchanged(repository: Repository) -> None:
    repository.git("config", "core.autocrlf", "true")
    repository.write(
        {".gitattributes": "* text eol=crlf working-tree-encoding=UTF-16\n"}
    )
    run(repository, "--commit")
    text = repository.git("show", "gh-pages:sitemap.xml")
    assert text.startswith("<?xml ")
    assert "\r" not in text


def test_the_branch_stays_if_it_cannot_be_pushed(repository: Repository) -> None:
    before = tip(repository)
    repository.git("remote", "set-url", "origin", "../nowhere")
    done = run(repository, "--commit", "--push", code=2)
    assert (
        "was not pushed, and is unchanged: '../nowhere' does not appear to be a git"
        in done.err
    )
    assert "check your access to origin, " in done.err
    assert tip(repository) == before
    assert len(done.err.splitlines()) == 1


def test_a_lock_of_git_is_named(repository: Repository) -> None:
    before = tip(repository)
    lock = repository.path / ".git/refs/heads/gh-pages.lock"
    lock.write_bytes(b"")
    error = run(repository, "--commit", code=2).err
    assert f"'{lock}': File exists. Fix: run the command again\n" in error
    lock.unlink()
    run(repository, "--commit")
    assert tip(repository, "gh-pages~1") == before


@pytest.mark.parametrize(
    "name",
    [
        "nothing",
        "--help-me",
        "a..b",
        "x y",
        "ü",
        "HEAD:x",
        "",
        "gh-*",
        "HEAD",
        "gh-pages^0",
        "a\nb",
    ],
)
def test_there_is_no_such_branch(repository: Repository, name: str) -> None:
    done = invoke("index", "--base-url", BASE_URL, "--", name, cwd=repository.path)
    assert done.code == 2
    assert done.err.startswith("Error: ")
    assert "Fix: correct the name" in done.err
    assert len(done.err.splitlines()) == 1


def test_there_is_no_repository(tmp_path: Path) -> None:
    done = invoke("index", "gh-pages", "--base-url", BASE_URL, cwd=tmp_path)
    assert done.code == 2
    assert "gh-pages: not a git repository" in done.err
    assert "Fix: check the name, and the repository with git fsck\n" in done.err


def test_git_does_not_know_the_author(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("[user]\nuseConfigOnly = true\n")
    before = tip(repository)
    config = {"GIT_CONFIG_GLOBAL": str(tmp_path / "empty")}
    done = invoke(
        *("index", "gh-pages", "--base-url", BASE_URL, "--commit"),
        cwd=repository.path,
        **config,
    )
    assert done.code == 2
    assert (
        "Fix: if git does not know the author, set user.name and user.email" in done.err
    )
    assert tip(repository) == before


def test_the_author_of_the_environment(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("[user]\nuseConfigOnly = true\n")
    variables = {"GIT_CONFIG_GLOBAL": str(tmp_path / "empty")}
    for role in ("AUTHOR", "COMMITTER"):
        variables |= {f"GIT_{role}_NAME": role, f"GIT_{role}_EMAIL": "ci@example.org"}
    done = invoke(
        *("index", "gh-pages", "--base-url", BASE_URL, "--commit"),
        cwd=repository.path,
        **variables,
    )
    assert done.code == 0, done
    log = repository.git("log", "-1", "--format=%an|%cn|%ce", "gh-pages")
    assert log == "AUTHOR|COMMITTER|ci@example.org\n"


def test_options_that_do_not_fit(repository: Repository) -> None:
    assert "--push needs --commit" in run(repository, "--push", code=2).err
    path = "folder/sitemap.xml"
    assert "--output" in run(repository, "--commit", "--output", path, code=2).err
    assert (
        "--commit needs a branch" in run(repository, "--commit", code=2, branch=".").err
    )
    run(repository, "--commit", "--output", "sitemap-versions.xml")
    assert "sitemap-versions.xml" in files(repository)


def test_a_commit_in_the_meantime_is_kept(repository: Repository) -> None:
    branch = Branch.find(str(repository.path), "gh-pages")
    repository.git("worktree", "add", "--quiet", "--detach", "../other", "gh-pages")
    other = Repository(repository.path.parent / "other")
    other.commit({"other": "x"}, day=5)
    other.git("update-ref", "refs/heads/gh-pages", "HEAD")
    with pytest.raises(GitError, match="but expected"):
        branch.commit("", [("sitemap.xml", b"x")], "message", push=False)
    assert tip(repository) == tip(other, "HEAD")


def test_many_processes_commit_at_the_same_time(repository: Repository) -> None:
    processes = {
        number: subprocess.Popen(
            [*COMMIT, "--output", f"sitemap-{number}.xml"],
            cwd=repository.path,
            stdout=subprocess.DEVNULL,
        )
        for number in "ab"
    }
    codes = {number: process.wait(120) for number, process in processes.items()}
    committed = {number for number, code in codes.items() if code == 0}
    assert committed
    assert {*codes.values()} <= {0, 2}
    assert {f"sitemap-{number}.xml" for number in committed} <= {*files(repository)}
    assert repository.git("log", "--format=%s", "gh-pages~1").count("\n") == len(
        committed
    )
    assert repository.git("fsck", "--strict", "--no-dangling") == ""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_an_interrupted_commit_leaves_the_branch_intact(
    repository: Repository, number: signal.Signals
) -> None:
    before = tip(repository)
    for delay in (0.3, 0.5):
        process = subprocess.Popen(
            COMMIT,
            cwd=repository.path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        threading.Event().wait(delay)
        process.send_signal(number)
        code = process.wait(30)
        # Before Python handles signals, they end the process directly. Click turns
        # SIGINT into 1.
        allowed = {0, -number, 128 + number} | (
            {1} if number == signal.SIGINT else set()
        )
        assert code in allowed
        time.sleep(0.05)
        after = tip(repository)
        assert after == before or tip(repository, "gh-pages~1") == before
        repository.git("update-ref", "refs/heads/gh-pages", before)
    run(repository, "--commit")
    assert repository.git("fsck", "--connectivity-only", "--no-dangling") == ""


# The trees


@pytest.fixture(params=["folder", "branch"])
def tree(
    request: pytest.FixtureRequest, repository: Repository, tmp_path: Path
) -> SiteFolder:
    root = repository.path
    repository.git("checkout", "--quiet", "gh-pages")
    (root / "deep/er").mkdir(parents=True)
    for name, target in {
        "deep/up": "../2.0",
        "deep/er/file": "../../1.0/index.html",
        "out": "../../..",
        "absolute": "/etc",
        "loop": "loop",
        "broken": "nothing",
        ".hidden": "2.0",
    }.items():
        (root / name).symlink_to(target)
    repository.commit({"big": "x" * 2**21, "_static/x": "x"}, day=4)
    repository.git("checkout", "--quiet", "main")
    if request.param == "folder":
        return SiteFolder(str(export(repository, tmp_path / "export")))
    return DeployedBranch(Branch.find(str(root), "gh-pages"))


def test_folders_and_branches_look_the_same(tree: SiteFolder) -> None:
    items = [one for one in tree.items("") if one.path not in ("broken", "loop")]
    assert items == [
        ("1.0", True, None),
        ("2.0", True, None),
        ("README", False, None),
        ("_static", True, None),
        ("a b\nü", False, None),
        ("big", False, None),
        ("deep", True, None),
        ("latest", True, "2.0"),
    ]
    file = ("deep/er/file", False, "1.0/index.html")
    assert tree.items("deep") == [("deep/er", True, None), ("deep/up", True, "2.0")]
    assert tree.items("deep/er") == [file]
    assert tree.items("nothing") == tree.items("a b\nü") == []
    present = ["1.0/index.html", "latest/guide/index.html", "deep/er/file", "a b\nü"]
    absent = [
        "1.0",
        "latest",
        "broken",
        "loop",
        "2.0/../../x",
        "nothing/x",
        "a b\nü/x",
        "",
    ]
    assert [*filter(tree.is_file, present + absent)] == present
    with (
        tree.open_file("deep/er/file") as one,
        tree.open_file("1.0/index.html") as other,
    ):
        assert one.read() == other.read()
    with tree.open_file("big") as one:
        assert one.read() == b"x" * 2**21
    for path in ("nothing", "out", "absolute", "loop"):
        with pytest.raises(OSError, match=r"."):
            tree.open_file(path)
    pages = ["1.0/index.html", "1.0/guide/index.html", "1.0/old/index.html"]
    assert [*tree.html_files("1.0")] == pages
    assert [*tree.html_files("")] == [*pages, "2.0/index.html", "2.0/guide/index.html"]
    assert (
        tree.file_of_url("2.0/guide/?x")
        == tree.file_of_url("2.0/guide")
        == "2.0/guide/index.html"
    )
    assert tree.file_of_url("2.0/index") == "2.0/index.html"
    for url in ("", "2.0/%2e%2e/1.0/", "2.0/%00", "2.0/guide%2findex.html", "2.0/x/"):
        assert tree.file_of_url(url) is None
    assert tree.head("2.0/index.html").canonicals == (f"{BASE_URL}2.0/",)
    assert tree.head("nothing").canonicals == ()
    if isinstance(tree, DeployedBranch):
        tree.close()


def test_a_file_that_a_partial_clone_does_not_contain(repository: Repository) -> None:
    remote = repository.path.parent / "remote"
    subprocess.run(
        ["git", "config", "uploadpack.allowFilter", "true"], cwd=remote, check=True
    )
    path = repository.path.parent / "partial"
    command = [
        "git",
        "clone",
        "--quiet",
        "--bare",
        "--filter=blob:none",
        remote.as_uri(),
        str(path),
    ]
    subprocess.run(command, check=True)
    tree = DeployedBranch(Branch.find(str(path), "gh-pages"))
    with pytest.raises((OSError, GitError)):
        tree.open_file("2.0/sitemap.xml")
    tree.close()
