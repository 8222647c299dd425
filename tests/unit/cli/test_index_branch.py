"""`docs-sitemap index` with branches, which git checks out into a temporary folder."""

from __future__ import annotations

import itertools
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import unquote

import pytest
from support.cli import COMMAND, Done, invoke
from support.deployed import BASE_URL, read_index, write_version
from support.fake_git import GIT_VERSION, replace_git
from support.forked import run_function
from support.platforms import needs_posix
from support.repository import Repository
from support.sitemaps import urlset

from docs_sitemap.git.run import GitError
from docs_sitemap_cli.branch import check_out
from docs_sitemap_cli.published.folder import SiteFolder
from docs_sitemap_cli.root import main

PAGES = ("", "guide/")
COMMIT = (*COMMAND, "index", "gh-pages", "--base-url", BASE_URL, "--commit")


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A repository with the branches main and gh-pages, and a bare remote."""
    project = tmp_path_factory.mktemp("template") / "project"
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
def repository(template: Repository, project: Path) -> Repository:
    """A copy of the template, with its own remote."""
    origin = template.path.parent
    shutil.copytree(origin, project.parent, symlinks=True, dirs_exist_ok=True)
    config = project / ".git/config"
    text = config.read_text(encoding="utf-8")
    config.write_text(text.replace(str(origin), str(project.parent)), encoding="utf-8")
    return Repository(project)


@pytest.fixture(autouse=True)
def nothing_stays(
    repository: Repository,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[None]:
    """Check that each command removes its temporary folder, and the branch from it."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield
    assert [*folder.glob("docs-sitemap-*")] == []
    assert str(folder) not in repository.git("worktree", "list")


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
    assert "2.0 (latest), listed" in done.out
    assert "sitemap.xml: an index of 1 sitemap, 2 URLs, not written\n" in done.out
    assert tip(repository) == before
    # The sitemap is the same as for the folder.
    folder = export(repository, tmp_path / "export")
    assert invoke("index", folder, "--base-url", BASE_URL, cwd=tmp_path).code == 0
    assert read_index(folder / "sitemap.xml") == {"2.0/sitemap.xml": "2026-01-01"}
    run(repository, "--commit")
    text = (folder / "sitemap.xml").read_text(encoding="utf-8")
    assert repository.git("show", "gh-pages:sitemap.xml") == text


def test_what_cannot_be_committed_is_not_offered(repository: Repository) -> None:
    repository.git("checkout", "--quiet", "gh-pages")
    files = {"2.0/sitemap.xml": urlset(), "2.0/search/search_index.json": "{}"}
    repository.commit(files, day=3)
    repository.git("checkout", "--quiet", "main")
    done = run(repository, "--canonical", code=1)
    assert "built without site_url. Fix: " in done.out
    assert "to write it" not in run(repository, code=1).out
    generate = f"docs-sitemap generate ../gh-pages/2.0 --base-url {BASE_URL}2.0/;"
    assert f"run git worktree add ../gh-pages gh-pages && {generate}" in done.out
    # All pages of the other version already point to this one.
    assert done.out.endswith(
        "canonical links: 2 unchanged, 1 corrected, not written\nto write it: add --commit\n"
    )


def test_a_commit_adds_only_the_sitemap(repository: Repository, tmp_path: Path) -> None:
    repository.git("checkout", "--quiet", "gh-pages")
    write_version(repository.path, "2.0", PAGES, canonical="latest/")
    repository.commit({".gitignore": "*.gz\n"}, day=3)
    repository.git("checkout", "--quiet", "main")
    before, others = tip(repository), files(repository)
    done = run(repository, "--commit")
    assert tip(repository, "gh-pages~1") == before
    names = ["sitemap.xml", "sitemap.xml.gz"]
    assert files(repository) == sorted([*others, *names], key=os.fsencode)
    assert repository.git("log", "-1", "--format=%s|%an|%ae|%cn", "gh-pages") == (
        "Update the sitemap of all versions|A U Thor|author@example.org|A U Thor\n"
    )
    assert f", commit {tip(repository)[:12]}\n" in done.out
    assert done.out.endswith("\nto publish it: git push origin gh-pages\n")
    changes = repository.git(
        "diff", "--raw", "--no-renames", before, "gh-pages"
    ).splitlines()
    assert [line.split("\t")[1] for line in changes] == names
    assert all(line.startswith(":000000 100644 ") for line in changes)
    assert repository.git("status", "--porcelain") == ""
    assert repository.git("fsck", "--strict", "--no-dangling") == ""
    site = export(repository, tmp_path / "out")
    assert [*read_index(site / "sitemap.xml")] == ["2.0/sitemap.xml"]
    # Nothing changes, so nothing is committed.
    after = tip(repository)
    done = run(repository, "--commit")
    assert "nothing to commit" in done.out
    assert "git push" not in done.out
    assert tip(repository) == after


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
    for name in ("nowhere", "docs/index.html", "..", "docs/../..", "a\nb", ".git"):
        error = run(repository, code=2, branch=f"site:{name}").err
        assert "site contains no folder " in error
        assert "Fix: correct the name" in error
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


def clone(repository: Repository) -> Repository:
    path = repository.path.parent / "clone"
    command = ["git", "clone", "--quiet", "--branch=gh-pages", "../remote", str(path)]
    subprocess.run(command, cwd=repository.path, check=True)
    return Repository(path)


def test_newer_commits_of_the_remote_are_used(repository: Repository) -> None:
    other = clone(repository)
    write_version(other.path, "3.0", PAGES)
    other.commit({}, day=5)
    other.git("push", "--quiet", "origin", "gh-pages")
    before = tip(repository)
    repository.git("fetch", "--quiet", "origin")
    assert ": 3.0, 1.0\n" in run(repository).out
    assert tip(repository) == before
    run(repository, "--commit")
    assert tip(repository, "gh-pages~1") == tip(other)
    # A local branch that is ahead is used as it is.
    run(repository, "--commit", "--output", "other.xml")
    assert tip(repository, "gh-pages~2") == tip(other)


@pytest.mark.skipif(os.name == "nt", reason="The hook is a shell script.")
def test_hooks_run(repository: Repository) -> None:
    before = tip(repository)
    hook = repository.path / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(
        "#!/bin/sh\necho 'check names: \033[31mfailed'\necho 'see README'\nexit 1\n"
    )
    hook.chmod(0o755)
    assert run(repository).err == ""
    assert run(repository, "--commit", "--dry-run").err == ""
    done = run(repository, "--commit", code=2)
    lines = done.err.splitlines()
    assert lines[:2] == ["check names: \\x1b[31mfailed", "see README"]
    assert lines[2].startswith("Error: gh-pages: git cannot commit: check names: ")
    assert "if a hook rejects" in lines[2]
    assert len(lines) == 3
    assert tip(repository) == before
    hook.write_text("#!/bin/sh\ngit rev-parse --abbrev-ref HEAD > ../hooks.txt\n")
    run(repository, "--commit")
    assert tip(repository, "gh-pages~1") == before


def test_commits_are_signed(repository: Repository, tmp_path: Path) -> None:
    program = tmp_path / "sign"
    program.write_text(
        '#!/bin/sh\ncat >/dev/null\necho "[GNUPG:] SIG_CREATED D" >&2\necho signature\n'
    )
    program.chmod(0o755)
    repository.git("config", "commit.gpgSign", "true")
    repository.git("config", "gpg.program", str(program))
    run(repository, "--commit")
    assert "\ngpgsig signature" in repository.git("cat-file", "commit", "gh-pages")


@pytest.mark.parametrize("kind", ["smudge", "clean", "process"])
def test_filters_do_not_run(repository: Repository, tmp_path: Path, kind: str) -> None:
    """The configuration of the repository names programs."""
    repository.git("checkout", "--quiet", "gh-pages")
    repository.commit({".gitattributes": "* filter=lfs\n"}, day=3)
    repository.git("checkout", "--quiet", "main")
    repository.git("config", f"filter.lfs.{kind}", f"touch {tmp_path}/ran; cat")
    repository.git("config", "filter.lfs.required", "true")
    repository.git("config", f"filter.a=b.{kind}", f"touch {tmp_path}/ran; cat")
    run(repository, "--commit", "--canonical")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("condition", ["onbranch:gh-pages", "gitdir:**/worktrees/**"])
def test_filters_of_one_work_tree_do_not_run(
    repository: Repository, tmp_path: Path, condition: str
) -> None:
    """Git reads this configuration only in the temporary folder."""
    repository.git("checkout", "--quiet", "gh-pages")
    repository.commit({".gitattributes": "* filter=x\n"}, day=3)
    repository.git("checkout", "--quiet", "main")
    included = repository.path / ".git" / "included"
    included.write_text(f'[filter "x"]\nsmudge = touch {tmp_path}/ran; cat\n')
    repository.git("config", f"includeIf.{condition}.path", str(included))
    run(repository)
    run(repository, "--commit")
    assert not (tmp_path / "ran").exists()


PAGE = (
    b"<!doctype html>\r\n<html><head>\n%b<title>$Id$ $Id: 1 $</title>\r\n</head>"
    b"\n<body>Text \xc3\xbc\r\n  \xff \n</body></html>"
)


@pytest.mark.parametrize("place", ["branch", "info", "user"])
@pytest.mark.parametrize(
    "attributes",
    [
        "text",
        "text=auto",
        "crlf",
        "text eol=lf",
        "text eol=crlf",
        "text working-tree-encoding=UTF-16",
        "working-tree-encoding=true",
        "ident",
        "filter=x",
    ],
)
def test_pages_change_only_in_their_links(
    repository: Repository, tmp_path: Path, attributes: str, place: str
) -> None:
    root = repository.path
    repository.git("checkout", "--quiet", "gh-pages")
    for version in ("1.0", "2.0"):
        (root / version / "page.html").write_bytes(PAGE % b"")
    repository.git("add", "--all")
    line = f"* {attributes}\n"
    if place == "branch":
        command = ["git", "hash-object", "-w", "--no-filters", "--stdin"]
        done = subprocess.run(
            command, cwd=root, input=line.encode(), capture_output=True, check=True
        )
        entry = f"100644,{done.stdout.decode().strip()},.gitattributes"
        repository.git("update-index", "--add", "--cacheinfo", entry)
    repository.git("commit", "--quiet", "-m", "pages", day=3)
    repository.git("symbolic-ref", "HEAD", "refs/heads/main")
    # Git would now convert what is checked out.
    repository.git("config", "filter.x.clean", "tr a b")
    repository.git("config", "filter.x.smudge", "tr b a")
    repository.git("config", "core.autocrlf", "true")
    if place == "info":
        (root / ".git/info").mkdir(exist_ok=True)
        (root / ".git/info/attributes").write_text(line)
    if place == "user":
        (tmp_path / "attributes").write_text(line)
        repository.git("config", "core.attributesFile", str(tmp_path / "attributes"))
    run(repository, "--commit", "--canonical")
    command = ["git", "cat-file", "blob", "gh-pages:1.0/page.html"]
    content = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout
    link = f'<link rel="canonical" href="{BASE_URL}2.0/page.html" />'
    assert content == PAGE % link.encode()
    assert repository.git("show", "gh-pages:sitemap.xml").startswith("<?xml ")


def test_programs_stay_programs(repository: Repository) -> None:
    repository.git("checkout", "--quiet", "gh-pages")
    write_version(repository.path, "0.9", PAGES)
    (repository.path / "0.9/index.html").chmod(0o755)
    repository.commit({}, day=3)
    repository.git("checkout", "--quiet", "main")
    run(repository, "--commit", "--canonical")
    diff = repository.git(
        "diff", "--raw", "gh-pages~1", "gh-pages", "--", "0.9/index.html"
    )
    assert diff.startswith(":100755 100755 ")


def test_a_sparse_work_tree(repository: Repository) -> None:
    repository.git("sparse-checkout", "set", "nothing")
    assert "2.0 (latest), listed" in run(repository).out
    run(repository, "--commit")
    changed = repository.git("diff", "--name-only", "gh-pages~1", "gh-pages")
    assert changed == "sitemap.xml\nsitemap.xml.gz\n"


def test_submodules_stay(repository: Repository) -> None:
    repository.git("checkout", "--quiet", "gh-pages")
    repository.git(
        "update-index", "--add", "--cacheinfo", f"160000,{tip(repository)},sub"
    )
    repository.git("commit", "--quiet", "-m", "submodule")
    repository.git("checkout", "--quiet", "main")
    run(repository, "--commit")
    assert repository.git("ls-tree", "gh-pages", "sub").startswith("160000 commit ")


def test_a_bare_repository(repository: Repository) -> None:
    bare = Repository(repository.path.parent / "remote")
    assert "2.0 (latest), listed" in run(bare).out


def test_branches_with_different_commits_are_not_changed(
    repository: Repository,
) -> None:
    other = clone(repository)
    other.commit({"other": "x"}, day=5)
    other.git("push", "--quiet", "origin", "gh-pages")
    run(repository, "--commit")
    before = tip(repository)
    repository.git("fetch", "--quiet", "origin")
    done = run(repository, "--commit", code=2)
    assert "have different commits" in done.err
    assert tip(repository) == before


def test_a_branch_that_only_the_remote_has(repository: Repository) -> None:
    published = tip(repository)
    repository.git("branch", "-D", "gh-pages")
    assert "2.0 (latest), listed" in run(repository).out
    assert repository.git("branch", "--list", "gh-pages") == ""
    run(repository, "--commit")
    assert tip(repository, "gh-pages~1") == published
    upstream = repository.git("rev-parse", "--abbrev-ref", "gh-pages@{upstream}")
    assert upstream == "origin/gh-pages\n"


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
    assert "2.0 (latest), listed" in run(single).out


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
    shutil.rmtree(repository.path.parent / "deployed")
    error = run(repository, "--commit", code=2).err
    command = error.rstrip().partition(" no longer exists: run git ")[2]
    repository.git(*command.split())
    run(repository, "--commit")


def test_a_branch_that_git_bisect_uses(repository: Repository) -> None:
    repository.git("worktree", "add", "--quiet", "../deployed", "gh-pages")
    for command in (["bisect", "start"], ["checkout", "--quiet", "--detach"]):
        repository.git("-C", "../deployed", *command)
    error = run(repository, "--commit", code=2).err
    assert "if another git command" in error
    assert len(error.splitlines()) == 1


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
    assert "sitemap.xml would be replaced" in done.err
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
    assert "git fsck" in error
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("gh-pages", None),
        ("gh-pages^{tree}", b""),
        ("gh-pages:2.0", b"garbage"),
        ("gh-pages:2.0", None),
        ("gh-pages:2.0/sitemap.xml", b""),
        ("gh-pages:2.0/sitemap.xml", zlib.compress(b"weird 3\0abc")),
    ],
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


@pytest.mark.parametrize(
    "name",
    [
        "nothing",
        "--help-me",
        "a..b",
        "x y",
        "ü",
        "HEAD:x",
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


@pytest.mark.parametrize("name", ["-f", "--detach", "--lock"])
def test_a_branch_with_the_name_of_an_option(repository: Repository, name: str) -> None:
    """`git branch` does not create it, but other programs can."""
    repository.git("update-ref", f"refs/heads/{name}", "gh-pages")
    refs = repository.git("for-each-ref")
    command = ["index", "--base-url", BASE_URL, "--commit", "--", name]
    done = invoke(*command, cwd=repository.path)
    assert done.code == 2
    assert "does not exist" in done.err
    assert repository.git("for-each-ref") == refs


def test_there_is_no_repository(tmp_path: Path) -> None:
    done = invoke("index", "gh-pages", "--base-url", BASE_URL, cwd=tmp_path)
    assert done.code == 2
    assert done.err.startswith("Error: gh-pages does not exist. Fix: ")


@pytest.mark.skipif(GIT_VERSION < (2, 36), reason="git did not check the owner")
@pytest.mark.skipif(os.name == "nt", reason="Git is replaced by a shell script.")
def test_git_does_not_trust_the_repository(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = """case "$*" in *for-each-ref*) export GIT_TEST_ASSUME_DIFFERENT_OWNER=1;; esac
exec '{git}' "$@"
"""
    with monkeypatch.context() as patch:
        replace_git(tmp_path, patch, script)
        errors = [run(repository, code=2).err]
        errors.append(invoke("compare", "gh-pages", "x", cwd=repository.path).err)
    for error in errors:
        assert "git does not trust" in error
        command = f"git config --global --add safe.directory {repository.path}"
        assert f". Fix: if you trust it, run {command}" in error


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
    assert "set user.name and user.email" in done.err
    assert "gh-pages: git cannot commit: " in done.err
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
    path = "folder/sitemap.xml"
    assert "--output" in run(repository, "--commit", "--output", path, code=2).err
    assert (
        "--commit needs a branch" in run(repository, "--commit", code=2, branch=".").err
    )
    run(repository, "--commit", "--output", "sitemap-versions.xml")
    assert "sitemap-versions.xml" in files(repository)


def test_a_commit_in_the_meantime_is_kept(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository.path)
    repository.git("worktree", "add", "--quiet", "--detach", "../other", "gh-pages")
    other = Repository(repository.path.parent / "other")
    other.commit({"other": "x"}, day=5)
    with check_out("gh-pages", to_commit=True) as checkout:
        other.git("update-ref", "refs/heads/gh-pages", "HEAD")
        Path(checkout.folder.root, "sitemap.xml").write_text("x")
        with pytest.raises(GitError, match="another process changed gh-pages"):
            checkout.commit(["sitemap.xml"], "message")
    assert tip(repository) == tip(other, "HEAD")


@needs_posix
def test_a_commit_at_the_last_moment_is_kept(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(repository.path)
    repository.git("worktree", "add", "--quiet", "--detach", "../other", "gh-pages")
    other = Repository(repository.path.parent / "other")
    other.commit({"other": "x"}, day=5)
    move = f"update-ref refs/heads/gh-pages {tip(other, 'HEAD')}"
    script = f"""case "$*" in *" commit "*) '{{git}}' {move};; esac
exec '{{git}}' "$@"
"""
    with check_out("gh-pages", to_commit=True) as checkout:
        Path(checkout.folder.root, "sitemap.xml").write_text("x")
        replace_git(tmp_path, monkeypatch, script)
        with pytest.raises(GitError, match="another process changed gh-pages"):
            checkout.commit(["sitemap.xml"], "message")
    assert tip(repository) == tip(other, "HEAD")
    run(repository, "--commit")
    assert {"other", "sitemap.xml"} <= {*files(repository)}


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_interrupted_commit_leaves_the_branch_intact(
    repository: Repository, number: signal.Signals
) -> None:
    before = tip(repository)
    for delay in (0.3, 0.5, 0.6):
        process = subprocess.Popen(
            COMMIT,
            cwd=repository.path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(delay)
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


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_command_that_is_stopped_in_a_hook(
    repository: Repository, number: signal.Signals
) -> None:
    before = tip(repository)
    hook = repository.path / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch '{repository.path}/started'\nexec sleep 10\n")
    hook.chmod(0o755)
    process = subprocess.Popen(COMMIT, cwd=repository.path)
    while not (repository.path / "started").exists():
        time.sleep(0.05)
    process.send_signal(number)
    process.wait(30)
    hook.unlink()
    assert tip(repository) == before
    run(repository, "--commit")
    assert tip(repository, "gh-pages~1") == before
    if number == signal.SIGKILL:
        remove_folders(repository)
    else:
        assert process.returncode == 128 + number


def remove_folders(repository: Repository) -> None:
    """Remove what a killed command leaves."""
    for folder in Path(tempfile.gettempdir()).glob("docs-sitemap-*"):
        shutil.rmtree(folder)
    repository.git("worktree", "prune")


def run_until_killed(number: int, *, waits: bool) -> None:
    """Run the command, and end as with SIGKILL when git has started for the NUMBERth
    time, or when git has ended.
    """
    starts = itertools.count(1)

    class Popen(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            if next(starts) == number:
                if waits:
                    self.wait()
                os.kill(os.getpid(), signal.SIGKILL)

    with patch.object(subprocess, "Popen", Popen):
        main()


@needs_posix
def test_a_killed_command_does_not_block_the_next_one(repository: Repository) -> None:
    before = tip(repository)
    code = -9
    number = 0
    while code == -9:
        number += 1
        run_once = partial(run_until_killed, number, waits=number % 2 == 0)
        command = ["docs-sitemap", *COMMIT[-5:]]
        code = run_function(run_once, command, cwd=repository.path, env={}).returncode
        done = invoke(*COMMIT[-5:], cwd=repository.path)
        if done.code:
            fix = done.err.partition(" run git ")[2].rpartition(" first")[0]
            repository.git(*shlex.split(fix))
            run(repository, "--commit")
        assert repository.git("show", "gh-pages:sitemap.xml")
        repository.git("update-ref", "refs/heads/gh-pages", before)
        remove_folders(repository)
    assert number > 5


# The trees


@pytest.fixture(params=["folder", "branch"])
def tree(
    request: pytest.FixtureRequest,
    repository: Repository,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[SiteFolder]:
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
        yield SiteFolder(export(repository, tmp_path / "export"))
        return
    monkeypatch.chdir(root)
    with check_out("gh-pages") as checkout:
        yield checkout.folder


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
    assert (
        tree.file_of_url("2.0/guide/?x")
        == tree.file_of_url("2.0/guide")
        == "2.0/guide/index.html"
    )
    assert tree.file_of_url("2.0/index") == "2.0/index.html"
    for url in ("", "2.0/%2e%2e/1.0/", "2.0/%00", "2.0/guide%2findex.html", "2.0/x/"):
        assert tree.file_of_url(url) is None
    for outside in ("../export/", "%2e%2e/export/", "..%2fexport/", "./"):
        assert tree.file_of_url(f"{outside}2.0/index.html") is None
    assert tree.head("2.0/index.html").canonicals == (f"{BASE_URL}2.0/",)
    assert tree.head("nothing").canonicals == ()


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
    error = run(Repository(path), code=2).err
    assert "git fetch --refetch" in error
    assert len(error.splitlines()) == 1
