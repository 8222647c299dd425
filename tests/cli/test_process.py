"""How the command starts, ends and looks, as a process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.cli import COMMAND, docs_sitemap

SITEMAP = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{}</urlset>"
ENTRY = "<url><loc>https://example.org/a b</loc></url>"


@pytest.fixture
def sitemap(tmp_path: Path) -> Path:
    path = tmp_path / "sitemap.xml"
    path.write_text(SITEMAP.format(ENTRY), encoding="utf-8")
    return path


def script(code: str, *arguments: str | Path) -> list[str | Path]:
    """The command in a process in which some code is run first."""
    call = "from docs_sitemap.cli import main; main()"
    return [sys.executable, "-c", f"import sys\n{code}\n{call}", *arguments]


@pytest.mark.parametrize("module", ["click", "rich", "protego"])
def test_without_the_extra_one_line_says_what_to_install(tmp_path: Path, module: str) -> None:
    command = script(f"sys.modules[{module!r}] = None", "check", ".")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "pip install 'docs-sitemap[cli]'" in line
    assert done.stdout == ""


@pytest.mark.parametrize("module", ["docs_sitemap", "mkdocs_sitemap", "sphinx_sitemap_ext"])
def test_builds_do_without_the_extra(module: str) -> None:
    code = f"import sys; sys.modules.update(rich=None, protego=None); import {module}"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_interrupt_ends_it_with_one_line(tmp_path: Path) -> None:
    code = """
import signal, time
import docs_sitemap.cli.check as check
signal.signal(signal.SIGINT, signal.default_int_handler)
def check_paths(*_, **__):
    print("ready", flush=True)
    time.sleep(60)
check.check_paths = check_paths
"""
    with subprocess.Popen(
        script(code, "check", "."),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "Error: interrupted\n")


@pytest.mark.parametrize("form", ["text", "json", "github"])
@pytest.mark.parametrize("entries", [1, 900])
def test_a_pipe_that_is_closed_is_no_fault(sitemap: Path, form: str, entries: int) -> None:
    sitemap.write_text(SITEMAP.format(f"{ENTRY}\n" * entries), encoding="utf-8")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, "check", "--format", form, sitemap], stdout=writing, stderr=subprocess.PIPE
    )
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 141


def test_without_an_output_there_is_still_a_result(sitemap: Path) -> None:
    command = ["sh", "-c", 'exec "$@" >&-', "sh", *COMMAND, "check", str(sitemap)]
    done = subprocess.run(command, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such terminals")
@pytest.mark.parametrize(
    ("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_a_terminal_gets_colours_and_shows_progress(
    sitemap: Path, env: dict[str, str], coloured: bool
) -> None:
    seen = on_terminal(sitemap, **{"TERM": "xterm-256color"} | env)
    assert ("\x1b[1;31merror" in seen) is coloured
    assert "loc-not-encoded" in seen
    if env.get("TERM") != "dumb":
        assert "\x1b[?25l" in seen  # no cursor while something moves


def on_terminal(sitemap: Path, **env: str) -> str:
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [*COMMAND, "check", sitemap], stdout=theirs, stderr=theirs, env=os.environ | env
    ) as process:
        os.close(theirs)
        seen = b""
        try:
            while piece := os.read(ours, 65_536):
                seen += piece
        except OSError:  # how Linux says that it was closed
            pass
    os.close(ours)
    assert process.returncode == 1
    return seen.decode()


def test_colours_can_be_forced_but_nothing_moves_in_a_pipe(sitemap: Path) -> None:
    done = docs_sitemap("check", sitemap, cwd=sitemap.parent, FORCE_COLOR="1", TERM="xterm")
    assert "\x1b[1;31merror" in done.out
    assert done.err == ""


def test_shells_complete_codes(tmp_path: Path) -> None:
    script = docs_sitemap(cwd=tmp_path, _DOCS_SITEMAP_COMPLETE="bash_source")
    assert script.code == 0
    assert "_DOCS_SITEMAP_COMPLETE=bash_complete" in script.out
    completed = docs_sitemap(
        cwd=tmp_path,
        _DOCS_SITEMAP_COMPLETE="bash_complete",
        COMP_WORDS="docs-sitemap check --ignore missing,lastmod-f",
        COMP_CWORD="3",
    )
    assert completed.out.splitlines() == [
        "plain,missing,lastmod-future",
        "plain,missing,lastmod-form",
    ]


def test_help_and_version(tmp_path: Path) -> None:
    assert docs_sitemap("--version", cwd=tmp_path).out.startswith("docs-sitemap ")
    assert "check" in docs_sitemap("-h", cwd=tmp_path).out
    for name in ("check", "explain"):
        shown = docs_sitemap(name, "--help", cwd=tmp_path)
        assert shown.code == 0
        assert f"docs-sitemap {name} site" in shown.out
    assert docs_sitemap("chekc", cwd=tmp_path).code == 2
