"""What all commands have in common: short options, quiet output, readable URLs,
completion, and progress.
"""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import pytest
from support.cli import COMMAND, invoke
from support.deployed import BASE_URL, write_version
from support.platforms import needs_posix
from support.repository import Repository
from support.sitemaps import page, url, urlset, write_site

from docs_sitemap_cli.__main__ import main


@pytest.fixture
def versions(tmp_path: Path) -> Path:
    for name in ("1.0", "2.0"):
        write_version(tmp_path, name, ["", "guide/"])
    return tmp_path


def test_a_quiet_command_prints_only_what_is_wrong(versions: Path) -> None:
    done = invoke("index", versions, "-b", BASE_URL, "-o", "all.xml", "-q")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Warning: ")
    assert " 2 of 2 pages " in done.out
    assert done.out.count("\n") == 1
    assert (versions / "all.xml").is_file()
    done = invoke("index", versions, "-b", BASE_URL, "-q", "--canonical")
    assert (done.code, done.out, done.err) == (0, "", "")


@pytest.mark.parametrize("format_", ["text", "github"])
def test_a_quiet_check_of_a_correct_site_prints_nothing(
    tmp_path: Path, format_: str
) -> None:
    pages = {"index.html": page(), "sitemap.xml": urlset(url(BASE_URL))}
    write_site(tmp_path, pages)
    done = invoke("check", "-q", "-f", format_, tmp_path)
    assert (done.code, done.out, done.err) == (0, "", "")
    (tmp_path / "a.html").write_text(page(), encoding="utf-8")
    done = invoke("check", "-q", "-f", format_, tmp_path)
    assert "missing" in done.out
    assert "in 1 sitemap" not in done.out


def test_generate_shows_less_or_more(project: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"docs/a.html": page(title="A")}, day=1)
    command = ("generate", "-b", BASE_URL, "docs")
    done = invoke(*command, "-q", cwd=project)
    assert (done.code, done.out, done.err) == (0, "", "")
    done = invoke(*command, "-v", cwd=project)
    table, summary = done.out.splitlines()
    assert table.startswith("2024-01-01  a.html  ")
    assert summary.startswith("1 page listed, 1 dated")
    assert (project / "docs/sitemap.xml").is_file()


def test_a_dry_run_says_how_to_write(versions: Path) -> None:
    done = invoke("index", versions, "-b", BASE_URL, "--dry-run")
    assert done.out.endswith("\nto write it: run without --dry-run\n")
    Repository.create(versions).commit({}, day=1)
    done = invoke("index", "main", "-b", BASE_URL, cwd=versions)
    assert done.out.endswith("\nto write it: add --commit\n")


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("%E4%B8%AD%E6%96%87/", "中文/"),
        ("caf%c3%a9%20au%20lait/", "café%20au%20lait/"),
        ("%D0%BF%2Fa/", "п%2Fa/"),
        # No text, or text that looks like something else.
        ("%FF%FE/", "%FF%FE/"),
        ("%E2%80%AEtxt.html", "%E2%80%AEtxt.html"),
        ("%C2%A0a/", "%C2%A0a/"),
    ],
)
def test_urls_are_shown_as_people_read_them(
    tmp_path: Path, path: str, shown: str
) -> None:
    loc = f"https://example.org/{path}"
    (tmp_path / "a.xml").write_text(urlset(url(loc)), encoding="utf-8")
    (tmp_path / "b.xml").write_text(urlset(), encoding="utf-8")
    done = invoke("compare", "a.xml", "b.xml", cwd=tmp_path)
    assert f"\n  https://example.org/{shown}\n" in done.out
    done = invoke("compare", "-f", "json", "a.xml", "b.xml", cwd=tmp_path)
    assert list(done.json()["removed"]) == [loc]


@pytest.mark.parametrize("shell", ["bash", "fish", "zsh"])
def test_the_shell_completes_commands(shell: str) -> None:
    done = invoke("completion", shell)
    assert (done.code, done.err) == (0, "")
    assert "_DOCS_SITEMAP_COMPLETE" in done.out


@needs_posix
def test_bash_accepts_the_script() -> None:
    script = invoke("completion", "bash").out
    done = subprocess.run(["bash", "-n"], input=script.encode(), capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    env = {
        "_DOCS_SITEMAP_COMPLETE": "bash_complete",
        "COMP_WORDS": "docs-sitemap ch",
        "COMP_CWORD": "1",
    }
    shown = subprocess.run(COMMAND, env=env, capture_output=True, encoding="utf-8")
    assert "check" in shown.stdout


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "patience", "is_shown"),
    [(Terminal(), 0, True), (Terminal(), 60, False), (io.StringIO(), 0, False)],
)
def test_progress_is_shown_in_a_terminal_if_it_takes_long(
    versions: Path,
    monkeypatch: pytest.MonkeyPatch,
    stream: io.StringIO,
    patience: int,
    is_shown: bool,
) -> None:
    arguments = ["index", str(versions), "-b", BASE_URL, "-q", "--canonical"]
    monkeypatch.setattr("sys.argv", ["docs-sitemap", *arguments])
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr("docs_sitemap_cli.console._PATIENCE", patience)
    with pytest.raises(SystemExit) as done:
        main()
    assert not done.value.code
    assert ("Canonical links" in stream.getvalue()) is is_shown
    changed = (versions / "1.0/guide/index.html").read_text(encoding="utf-8")
    assert f'href="{BASE_URL}2.0/guide/"' in changed
