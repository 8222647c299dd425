"""`docs-sitemap generate` where something is missing, contradictory, or hostile."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from support.cli import COMMAND, Done, docs_sitemap
from support.fake_git import replace_git
from support.platforms import needs_posix
from support.readers import read
from support.repository import Repository, noon
from support.sitemaps import BASE, urls, write_site
from support.small_sites import REPOSITORY, generate, html

PAGES = ("index.html", "a.html", "b.html")
DATES = {"": noon(1), "a.html": noon(2), "b.html": noon(3)}
UNDATED = dict.fromkeys(DATES)


@pytest.fixture
def repository(project: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A project with three documents and a built site."""
    repository = Repository.create(project)
    repository.git("remote", "add", "origin", f"{REPOSITORY}.git")
    repository.write({".gitignore": "site\n"})
    for day, name in enumerate(("index", "a", "b"), start=1):
        repository.commit({f"docs/{name}.md": name}, day=day)
    write_site(project / "site", {name: html(name) for name in PAGES})
    monkeypatch.chdir(project)
    return repository


def run(*options: str | Path, site: str | Path = "site", code: int = 0) -> Done:
    return generate(site, *options, "--base-url", BASE, code=code)


def dates(site: str | Path = "site") -> dict[str, str | None]:
    """Return the dates in a sitemap by URL."""
    entries = read(Path(site, "sitemap.xml").read_bytes())
    return {entry.loc.removeprefix(BASE): entry.lastmod for entry in entries}


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


# Repositories


def test_without_git(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_site(
        project, {"docs/a.md": "a", "site/index.html": html(), "site/a.html": html()}
    )
    monkeypatch.chdir(project)
    done = run()
    assert dates() == {"": None, "a.html": None}
    fix = "Fix: run the command in the repository"
    assert f"the dates of files in {project}: it tracks none of them. {fix}" in done.err
    Path("docs-sitemap.toml").write_text("lastmod = false\n")
    assert run().err == ""


def test_git_is_not_installed(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    done = run()
    assert dates() == UNDATED
    assert "git is not installed" in done.err


def test_one_failure_of_git_is_one_message(repository: Repository) -> None:
    """Git lists the files of the project, and dates the documents of mkdocs.yml."""
    shutil.rmtree(".git")
    Path(".git").write_text("gitdir: /missing\n")
    Path("mkdocs.yml").write_text("site_name: a\nuse_directory_urls: false\n")
    done = generate("site", "--config", "mkdocs.yml", "--base-url", BASE)
    assert dates() == UNDATED
    assert done.err.count("git cannot find") == 1
    assert "Note: " in done.err
    assert " /missing, " in done.err
    assert " /missing, " in docs_sitemap("explain", "site", "a.md", cwd=Path()).out


@needs_posix
def test_git_does_not_trust_the_repository(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_git(
        tmp_path, monkeypatch, 'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {git} "$@"'
    )
    done = run()
    assert dates() == UNDATED
    assert f"git config --global --add safe.directory {repository.path}" in done.err


def test_edit_links_to_another_repository(repository: Repository) -> None:
    link = '<a href="https://github.com/other/project/edit/main/docs/b.md">Edit this page</a>'
    write_site(Path("site"), {"a.html": html("a", link)})
    run()
    assert dates() == DATES


@pytest.mark.parametrize("remote", ["git@github.com:example/project.git", "../project"])
def test_edit_links_in_a_project_with_another_remote(
    repository: Repository, remote: str
) -> None:
    repository.git("remote", "set-url", "origin", remote)
    write_site(Path("site"), {"moved.html": html("a", edit="main/docs/a.md")})
    repository.git("mv", "docs/a.md", "docs/moved.md")
    repository.commit({"docs/moved.md": "Moved and changed"}, day=4)
    run()
    assert dates()["moved.html"] == noon(4)


def test_two_sources_for_one_path(repository: Repository) -> None:
    repository.commit({"docs/a.rst": "a"}, day=4)
    run()
    assert dates() == DATES | {"a.html": None}


def test_two_folders_with_sources_of_the_same_pages(repository: Repository) -> None:
    repository.commit(
        {f"old/docs/{name}.md": name for name in ("index", "a", "b")}, day=4
    )
    done = run()
    assert dates() == UNDATED
    assert "fit equally well" in done.err
    assert 'sources = { "index.html" = "docs/index.md" }' in done.err
    assert run("--source-dir", "docs").err == ""
    assert dates() == DATES
    for folder in ("nope", "..", "site/a.html"):
        assert (
            "git tracks no files in"
            in generate("site", "--source-dir", folder, code=2).err
        )


def test_a_site_outside_of_the_repository(
    repository: Repository, tmp_path: Path
) -> None:
    Path("site").rename(tmp_path / "built")
    run(site=tmp_path / "built")
    assert dates(tmp_path / "built") == DATES


def test_in_a_worktree(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.git("worktree", "add", "-q", str(tmp_path / "worktree"), "HEAD")
    Path("site").rename(tmp_path / "worktree/site")
    monkeypatch.chdir(tmp_path / "worktree")
    run()
    assert dates() == DATES


def test_a_site_in_a_worktree_with_another_branch(
    repository: Repository, tmp_path: Path
) -> None:
    worktree = tmp_path / "worktree"
    repository.git("worktree", "add", "-q", str(worktree), "HEAD")
    pages = Repository(worktree)
    pages.git("checkout", "-q", "--orphan", "gh-pages")
    pages.git("rm", "-r", "-q", "-f", ".")
    pages.commit({name: html(name) for name in PAGES}, day=9)
    run(site=worktree)
    assert dates(worktree) == DATES


def test_on_the_branch_with_the_site(repository: Repository) -> None:
    repository.git("checkout", "-q", "--orphan", "gh-pages")
    repository.git("rm", "-r", "-q", "-f", "docs")
    shutil.rmtree("site")
    repository.commit({name: html(name) for name in PAGES}, day=8)
    repository.commit({"a.html": html("a", "New")}, day=9)
    run(site=".")
    assert dates(".") == {"": noon(8), "a.html": noon(9), "b.html": noon(8)}


def test_a_shallow_clone(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = tmp_path / "clone"
    repository.git("clone", "-q", "--depth=1", repository.path.as_uri(), str(clone))
    Path("site").rename(clone / "site")
    monkeypatch.chdir(clone)
    done = run()
    assert dates() == UNDATED
    assert "git fetch --unshallow" in done.err


def test_sources_in_a_submodule(repository: Repository, tmp_path: Path) -> None:
    module = Repository.create(tmp_path / "module")
    module.commit({"guide/x.md": "x", "guide/y.md": "y"}, day=7)
    repository.git("submodule", "add", "-q", str(module.path), "docs/module")
    repository.commit({}, day=9)
    write_site(Path("site"), {f"module/guide/{name}.html": html(name) for name in "xy"})
    run()
    assert dates() == DATES | {f"module/guide/{name}.html": noon(7) for name in "xy"}


@needs_posix
def test_names_that_differ_in_case_only(repository: Repository) -> None:
    repository.commit({"docs/guide.md": "1"}, day=4)
    repository.commit({"docs/Guide.md": "2", "docs/B.md": "2"}, day=5)
    write_site(
        Path("site"), {"guide.html": html(), "Guide.html": html(), "GUIDE.html": html()}
    )
    run()
    guides = {"guide.html": noon(4), "Guide.html": noon(5), "GUIDE.html": None}
    assert dates() == DATES | guides


# Symbolic links


@needs_posix
def test_symbolic_links_to_folders(repository: Repository) -> None:
    Path("site").rename("built")
    Path("site").symlink_to("built")
    run()
    assert dates() == DATES


@needs_posix
def test_symbolic_links_in_the_site(repository: Repository, tmp_path: Path) -> None:
    write_site(tmp_path, {"secret.html": html("secret")})
    links = {
        "out.html": f"{tmp_path}/secret.html",
        "loop.html": "loop.html",
        "in.html": "a.html",
    }
    for name, target in links.items():
        Path("site", name).symlink_to(target)
    Path("site/folder").symlink_to(tmp_path)
    run()
    assert dates() == DATES


@needs_posix
def test_symbolic_links_to_sources(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("---\nsitemap: false\n---\n")
    Path("docs/out.md").symlink_to(tmp_path / "secret.md")
    Path("docs/in.md").symlink_to("a.md")
    repository.commit({}, day=4)
    write_site(Path("site"), {"out.html": html(), "in.html": html()})
    run()
    assert dates() == DATES | {"in.html": DATES["a.html"]}


# Hostile pages


def test_links_to_files_that_git_does_not_track(repository: Repository) -> None:
    starts = [
        f"{REPOSITORY}/edit/main/",
        "file://",
        "file:///",
        "https://[::1/edit/",
        "",
    ]
    paths = [
        *("../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "docs/../../../etc/passwd"),
        *("/etc/passwd", ".git/config", "docs/%00a.md", "docs%5Ca.md", "docs", ""),
    ]
    links = [
        f'<a class="edit" href="{start}{path}">Edit</a>'
        for start in starts
        for path in paths
    ]
    pages = {f"x{number}.html": html("x", link) for number, link in enumerate(links)}
    write_site(Path("site"), pages)
    assert run("--dry-run").out.count("no date ") == len(pages) == 45
    run()
    assert dates() == DATES | dict.fromkeys(pages)


def test_pages_that_are_not_utf_8(repository: Repository) -> None:
    page = html("a", edit="main/docs/b.md")
    Path("site/a.html").write_bytes(page.encode().replace(b">a<", b">\xe4\xff\x00<"))
    run()
    assert dates().keys() == DATES.keys()


@pytest.mark.parametrize(
    "text", ["<a href='{}'>Edit</a>", "{}", "<a href='{}' ", "<{}"]
)
def test_a_page_with_many_links(repository: Repository, text: str) -> None:
    link = text.format(f"{REPOSITORY}/edit/main/docs/a.md")
    write_site(Path("site"), {"a.html": html("a", link * 2_000)})
    run()
    assert dates() == DATES


@needs_posix
def test_unusual_names(repository: Repository) -> None:
    names = [
        b"line\nbreak",
        b"tab\there",
        b"bell\a",
        b"\xff",
        b"a?b#c%20d",
        b"%2e%2e",
        b"'&<",
    ]
    for name in map(os.fsdecode, names):
        Path(f"docs/{name}.md").write_text("x")
        Path(f"site/{name}.html").write_text(html("x"))
    repository.commit({}, day=4)
    out = run("--dry-run").out
    assert {*"\a\t"}.isdisjoint(out)
    assert len(out.splitlines()) == len(names) + len(DATES) + 1
    run()
    found = dates()
    assert DATES.items() <= found.items()
    assert [found[url] for url in found.keys() - DATES.keys()] == [noon(4)] * len(names)


# Configuration


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("gzip = \n", ["docs-sitemap.toml: "]),
        ("\0", ["docs-sitemap.toml: "]),
        ("\ud800", ["docs-sitemap.toml: "]),
        ("min-date = 5", ["docs-sitemap.toml:1: min-date: ", "use min_dated"]),
        (
            "gzip = 'x'\nshallow = 3\nmin-dated = 101",
            [
                f"\nError: docs-sitemap.toml:{line}: {name}: "
                for line, name in ((2, "shallow"), (3, "min-dated"))
            ],
        ),
        ("base-url = 'example.org'\nsource-dir = 5", ["base-url", "source-dir"]),
    ],
)
def test_invalid_configuration(
    repository: Repository, text: str, messages: list[str]
) -> None:
    Path("docs-sitemap.toml").write_bytes(text.encode(errors="surrogatepass"))
    done = generate("site", code=2)
    assert [one for one in messages if one not in done.err] == []
    assert not Path("site/sitemap.xml").exists()


@pytest.mark.parametrize(
    "text", ["tool = 3", "[tool]\ndocs-sitemap = 3", "[[tool.docs-sitemap]]"]
)
def test_an_invalid_table_in_pyproject(repository: Repository, text: str) -> None:
    Path("pyproject.toml").write_text(text)
    error = "Error: pyproject.toml: tool.docs-sitemap is not a table."
    assert error in run(code=2).err


@pytest.mark.parametrize("file", ["pyproject.toml", "docs-sitemap.toml"])
def test_options_in_a_file(repository: Repository, file: str) -> None:
    """Options on the command line win."""
    table = f"[tool.docs-sitemap]\nbase-url = '{BASE}x/'\nexclude = ['a.html']\ngzip = false\n"
    # The header is the same in both files.
    Path(file).write_text(table)
    assert run().err == ""
    assert dates() == {url: date for url, date in DATES.items() if url != "a.html"}
    assert not Path("site/sitemap.xml.gz").exists()


def test_a_missing_base_url(repository: Repository) -> None:
    error = generate("site", code=2).err
    assert "no sitemap lists URLs" in error
    assert "--base-url https://" in error


def test_contradicting_base_urls(repository: Repository) -> None:
    canonical = '<link rel="canonical" href="https://other.example/docs/{}">'
    pages = {name: html(name, head=canonical.format(name)) for name in PAGES}
    write_site(Path("site"), {**pages, "sitemap.xml": urls(*PAGES)})
    error = generate("site", code=2).err
    assert "https://other.example/docs/" in error
    assert BASE in error
    assert Path("site/sitemap.xml").read_text(encoding="utf-8") == urls(*PAGES)


def test_a_wrong_base_url(repository: Repository) -> None:
    pages = {
        name: html(head=f'<link rel="canonical" href="{BASE}{name}">') for name in PAGES
    }
    write_site(Path("site"), pages)
    done = generate("site", "--base-url", "https://example.org/", code=1)
    assert "the URL of the site" in done.err


def test_canonical_links_that_fit_no_files(repository: Repository) -> None:
    """The URL of any folder opens its index file."""
    for name in ("a", "b"):
        head = f'<link rel="canonical" href="{BASE}{name}/">'
        write_site(Path("site"), {f"{name}.html": html(name, head=head)})
    assert "the URL of the site is unknown" in generate("site", code=2).err


def test_clean_urls_after_a_sitemap_without_them(repository: Repository) -> None:
    run()
    run("--clean-urls")
    assert dates() == {url.removesuffix(".html"): date for url, date in DATES.items()}


@pytest.mark.parametrize(
    "server", ["http://localhost:3000/", "http://127.0.0.1:4000/docs/"]
)
def test_the_address_of_a_local_server(repository: Repository, server: str) -> None:
    """Some generators write it into every sitemap."""
    write_site(Path("site"), {"sitemap.xml": urls(*PAGES).replace(BASE, server)})
    assert f"{server} (the sitemap). Fix: set it" in generate("site", code=2).err


def test_no_html_files(repository: Repository) -> None:
    assert "docs contains no HTML" in run(site="docs", code=2).err
    assert "missing does not exist" in run(site="missing", code=2).err


@needs_posix
def test_a_page_that_cannot_be_read(repository: Repository) -> None:
    page = repository.path / "site/a.html"
    page.chmod(0)
    if os.access(page, os.R_OK):
        pytest.skip("this user can read all files")
    done = docs_sitemap("generate", "site", "--base-url", BASE, cwd=repository.path)
    assert done.code == 2
    assert f"Error: {page}Permission denied" in done.err
    assert not Path("site/sitemap.xml").exists()


@pytest.mark.parametrize("least", ["66", "67%", "0", "100 %"])
def test_min_dated(repository: Repository, least: str) -> None:
    """The sitemap is written in any case, to look at it."""
    write_site(Path("site"), {"x.html": html("x"), "y.html": html("y")})
    Path("site/index.html").unlink()
    fails = float(least.strip(" %")) > 50
    done = run("--min-dated", least, code=int(fails))
    assert ("Error: --min-dated: 50% of the listed pages " in done.err) is fails
    assert len(dates()) == 4


# Output


def test_nothing_is_written_for_a_dry_run(repository: Repository) -> None:
    before = contents(repository.path)
    out = run("--dry-run").out
    assert f"{noon(2)[:10]}  a.html  its path: docs/a.md" in out
    assert contents(repository.path) == before


def test_the_same_site_has_the_same_sitemap(repository: Repository) -> None:
    run()
    before = contents(Path("site"))
    times = {path: Path(path).stat().st_mtime_ns for path in before}
    assert gzip.decompress(before["site/sitemap.xml.gz"]) == before["site/sitemap.xml"]
    run()
    assert contents(Path("site")) == before
    assert {path: Path(path).stat().st_mtime_ns for path in before} == times


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_the_sitemap_of_the_generator_stays_if_no_page_is_listed(
    repository: Repository, options: tuple[str, ...]
) -> None:
    write_site(
        Path("site"), {"sitemap.xml": urls(*PAGES), "sitemap.xml.gz": urls(*PAGES)}
    )
    assert "3 left out" in run("--exclude", "*", *options, code=1).out
    assert Path("site/sitemap.xml").read_text(encoding="utf-8") == urls(*PAGES)
    assert Path("site/sitemap.xml.gz").exists()


def test_a_folder_that_cannot_be_written(repository: Repository) -> None:
    Path("site/sitemap.xml").mkdir()
    done = run(code=1)
    assert "no new sitemap is written" in done.err
    assert list(Path("site").glob(".docs-sitemap*")) == []


def test_two_commands_at_once(repository: Repository) -> None:
    command = [*COMMAND, "generate", "site", "--base-url", BASE]
    runs = [subprocess.Popen(command, stderr=subprocess.DEVNULL) for _ in range(2)]
    assert [one.wait() for one in runs] == [0, 0]
    assert dates() == DATES
    assert list(Path("site").glob(".docs-sitemap*")) == []
