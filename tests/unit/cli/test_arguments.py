"""What commands say about arguments that cannot be used: one wording and one exit code for
all of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import Done, invoke
from support.platforms import needs_posix
from support.sitemaps import page, url, urlset, write_site

BASE = "https://docs.acme.dev/"
LIVE = f"{BASE}sitemap.xml"

COMMANDS = (
    ("check", "PATH"),
    ("compare", "PATH", "site"),
    ("compare", "site", "PATH"),
    ("explain", "PATH", "index.html"),
    ("generate", "PATH"),
    ("index", "-b", BASE, "PATH"),
    ("report", "PATH"),
    ("submit", LIVE, "--since", "HEAD", "--site", "PATH"),
    ("submit", LIVE, "--previous", "PATH"),
)
# They also accept files.
SITEMAPS = ("check", "compare", "--previous")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pages = {
        "index.html": page(),
        "guide/settings.html": page(title="Settings"),
        "sitemap.xml": urlset(url(BASE), url(f"{BASE}guide/settings.html")),
    }
    write_site(Path("site"), pages)
    Path("file.txt").write_text("text\n")
    Path("empty").write_text("")
    return tmp_path


def error_of(done: Done) -> str:
    """Return the error of a command, which is one line with a fix."""
    assert (done.code, done.out) == (2, ""), done
    (line,) = done.err.splitlines()
    assert line.startswith("Error: ")
    assert ". Fix: " in line
    return line


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_folder_that_cannot_be_used(command: tuple[str, ...]) -> None:
    reasons = {"nowhere": "nowhere does not exist", "": "'' does not exist"}
    if not set(SITEMAPS).intersection(command):
        reasons["file.txt"] = "file.txt is a file"
        reasons["empty"] = "empty is a file"
    for path, reason in reasons.items():
        words = [path if word == "PATH" else word for word in command]
        assert reason in error_of(invoke(*words))


@pytest.mark.parametrize("name", ["explain", "generate", "report"])
def test_a_folder_without_pages(name: str) -> None:
    Path("unbuilt").mkdir()
    assert "unbuilt contains no HTML files" in error_of(invoke(name, "unbuilt"))


@needs_posix
@pytest.mark.parametrize("command", COMMANDS[1:-1], ids=" ".join)
def test_a_folder_that_cannot_be_read(command: tuple[str, ...]) -> None:
    Path("loop").symlink_to("loop")
    words = ["loop" if word == "PATH" else word for word in command]
    assert "loop cannot be read (" in error_of(invoke(*words))


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("chek site", "check"),
        ("help chek", "check"),
        ("verify site", "one of check, compare, "),
        ("--versoin", "--version"),
        ("check --ingore x site", "--ignore"),
        ("explain --xyz site", "one of --base-url, "),
        ("generate --dryrun site", "--dry-run"),
        ("report --base_url x site", "--base-url"),
        ("check --ignore missing,not-fuond site", "not-found"),
        ("check --format jsn site", "json"),
        ("report -f XML site", "one of html, text, json"),
        ("completion zssh", "zsh"),
        (f"index -b {BASE} --versions canonnical site", "canonical"),
    ],
)
def test_the_similar_name_is_suggested(line: str, known: str) -> None:
    assert f". Fix: use {known}" in error_of(invoke(*line.split()))


@pytest.mark.parametrize("query", ["setings.html", f"{BASE}guide/setting.html"])
def test_the_similar_page_is_suggested(query: str) -> None:
    done = invoke("explain", "site", query)
    assert done.code == 1
    assert "Fix: use guide/settings.html" in done.out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("report --today tomorrow site", "--today: 'tomorrow' is not a date"),
        ("report --today 2026-02-31 site", "--today: '2026-02-31' is not a date"),
        (f"submit {LIVE} --since tomorrow", "--since: 'tomorrow' is neither a date"),
        ("report -o nowhere/x.html site", "--output: nowhere does not exist"),
        ("report -o site site", "--output: site is a folder"),
        ("report -o file.txt/x site", "--output: file.txt is a file"),
        ("report --report file.txt/x site", "--report: file.txt/x does not exist"),
        ("report file.txt/site", "file.txt/site does not exist"),
        ("submit --new-key nowhere/key.txt", "--new-key: nowhere does not exist"),
        ("report --report nowhere site", "--report: nowhere does not exist"),
        ("check --report site site", "--report: site is a folder"),
        ("check --report empty site", "it is empty"),
        ("explain --report file.txt site", "not JSON"),
        ("generate --config nowhere site", "--config: nowhere does not exist"),
        ("generate --min-dated most site", "--min-dated: 'most' is not a number"),
        ("report --min-fresh 101% site", "--min-fresh: '101' is not a number"),
        ("check --max-pages 0 site", "--max-pages: '0' is not a number"),
        ("check -b example.org site", "--base-url: 'example.org' is not"),
        ("generate --base-url example.org site", "--base-url: 'example.org' is not"),
        ("index --base-url example.org site", "absolute. Fix: pass it as in https://"),
        ("submit example.org --since HEAD", "'example.org': it is not absolute"),
        ("compare empty site", "it is empty"),
        ("compare site file.txt", "it is not XML"),
    ],
)
def test_the_value_of_an_option_is_explained(line: str, message: str) -> None:
    done = invoke(*line.split())
    assert (done.code, done.out) == (2, "")
    (error,) = done.err.splitlines()
    assert message in error


@pytest.mark.parametrize("folder", [".", "docs", "site/guide"])
@pytest.mark.parametrize("command", ["check", "explain", "generate", "report"])
def test_the_site_next_to_a_wrong_folder_is_suggested(
    command: str, folder: str
) -> None:
    write_site(Path("docs"), {"overrides/main.html": page()})
    done = invoke(command, folder)
    if (command, folder) != ("generate", "."):
        assert "pass site" in done.out + done.err
    write_site(Path(folder), {"index.html": page()})
    done = invoke(command, folder)
    assert "pass site" not in done.out + done.err


@pytest.mark.parametrize(
    ("line", "usage", "error"),
    [
        ("explain", "docs-sitemap explain ", "SITE_DIR"),
        ("compare site", "docs-sitemap compare ", "AFTER"),
        ("completion", "docs-sitemap completion ", "bash|fish|zsh"),
        ("index site", "docs-sitemap index ", "--base-url"),
    ],
)
def test_the_usage_shows_what_is_missing(line: str, usage: str, error: str) -> None:
    done = invoke(*line.split())
    assert (done.code, done.out) == (2, "")
    first, *_, last = done.err.splitlines()
    assert first.startswith(f"Usage: {usage}")
    assert last.startswith(f"Error: {error}")
    assert last.endswith(" is missing")


@pytest.mark.parametrize(
    "line", ["check -x site", "report --max-age 2y site", "explain --ignore x site"]
)
def test_only_options_are_known_options(line: str) -> None:
    known = error_of(invoke(*line.split())).partition("Fix: use one of ")[2]
    assert "--base-url" in known.split(", ")
    assert all(name.startswith("-") for name in known.split(", "))


def test_help() -> None:
    done = invoke()
    assert done.code == 2
    assert done.err == invoke("--help").out == invoke("help").out
    assert done.err.count("\n") > 10
    assert invoke("help", "check").out == invoke("check", "--help").out


@pytest.mark.parametrize(
    ("file", "reason"),
    [("empty", "empty"), ("file.txt", "not XML"), ("links.txt", "not XML")],
)
def test_check_says_what_is_no_sitemap(file: str, reason: str) -> None:
    Path("links.txt").write_text("see <https://example.org/>")
    done = invoke("check", file)
    assert done.code == 1
    assert f"not-well-formed: it is {reason}\n" in done.out
