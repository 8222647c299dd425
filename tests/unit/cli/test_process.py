"""How the command starts, ends, and looks, as a process."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from support.cli import COMMAND, docs_sitemap, invoke
from support.platforms import needs_posix

import docs_sitemap_cli

ROOT = Path(__file__).parents[3]
SITEMAP = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{}</urlset>"
ENTRY = "<url><loc>https://example.org/a b</loc></url>"


@pytest.fixture
def sitemap(tmp_path: Path) -> Path:
    path = tmp_path / "sitemap.xml"
    path.write_text(SITEMAP.format(ENTRY), encoding="utf-8")
    return path


def script(code: str, *arguments: str | Path) -> list[str | Path]:
    """Return the command in a process that first runs some code."""
    call = "from docs_sitemap_cli.root import main; main()"
    return [sys.executable, "-c", f"import sys\n{code}\n{call}", *arguments]


def interrupt(
    arguments: list[str | Path],
    name: str = "SIGINT",
    end: tuple[str, int] = ("\nError: interrupted\n", 1),
    **env: str,
) -> None:
    """Press Ctrl-C, or send another signal, when the process has printed "begun"."""
    with subprocess.Popen(
        arguments,
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "begun\n"
        process.send_signal(getattr(signal, name))
        out, err = process.communicate(timeout=50)
    assert (out, err, process.returncode) == ("", *end)


WAIT = """
import time
import docs_sitemap_cli.check.command as module
def wait(*_, **__):
    print("begun", file=sys.stderr, flush=True)
    time.sleep(60)
module.check_path = wait
"""


@needs_posix
def test_an_interrupt_ends_the_command_with_one_line(sitemap: Path) -> None:
    interrupt(script(WAIT, "check", sitemap))


@needs_posix
@pytest.mark.parametrize(("name", "code"), [("SIGHUP", 129), ("SIGTERM", 143)])
def test_a_signal_ends_the_command_also_under_nohup(
    sitemap: Path, name: str, code: int
) -> None:
    interrupt(script(WAIT, "check", sitemap), name, ("", code))


SLOW_MODULE = """
import sys, time
print("begun", file=sys.stderr, flush=True)
time.sleep(60)
"""


@needs_posix
@pytest.mark.parametrize("module", ["click", "platformdirs"])
@pytest.mark.parametrize("start", ["-m docs_sitemap_cli", "-c {}"])
def test_an_interrupt_while_modules_are_loaded_ends_the_command_with_one_line(
    tmp_path: Path, module: str, start: str
) -> None:
    (tmp_path / f"{module}.py").write_text(SLOW_MODULE, encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    name, _, function = project["project"]["scripts"]["docs-sitemap"].partition(":")
    # This is what the installed script contains.
    start = start.format(f"from {name} import {function}; {function}()")
    command: list[str | Path]
    command = [sys.executable, *start.split(" ", 1), "check", tmp_path]
    interrupt(command, PYTHONPATH=str(tmp_path))


def read_terminal(terminal: int) -> bytes:
    """Read everything that is written until all other ends of a terminal are closed."""
    seen = b""
    try:
        while piece := os.read(terminal, 65_536):
            seen += piece
    except OSError:  # Linux reports a closed terminal as an error.
        pass
    os.close(terminal)
    return seen


@needs_posix
@pytest.mark.parametrize(
    ("output_format", "entries"),
    [("text", 1), ("text", 900), ("json", 900), ("github", 900)],
)
def test_a_closed_pipe_is_not_an_error(
    sitemap: Path, output_format: str, entries: int
) -> None:
    sitemap.write_text(SITEMAP.format(f"{ENTRY}\n" * entries), encoding="utf-8")
    reading, writing = os.pipe()
    os.close(reading)
    command = [*COMMAND, "check", "--format", output_format, str(sitemap)]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 1


@needs_posix
def test_without_standard_output_there_is_still_an_exit_code(sitemap: Path) -> None:
    command = ["sh", "-c", 'exec "$@" >&-', "sh", *COMMAND, "check", str(sitemap)]
    done = subprocess.run(command, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, b"")


@needs_posix
@pytest.mark.skipif(
    not os.path.exists("/dev/full"), reason="the system has no such device"
)
def test_output_that_cannot_be_written_is_one_line(
    sitemap: Path,
) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, "--help"],
            cwd=sitemap.parent,
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(
        b"Error: the output or the current folder cannot be used: No spa"
    )
    assert done.stderr.count(b"\n") == 1


@needs_posix
@pytest.mark.parametrize(
    ("env", "is_colored"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_a_terminal_gets_colors(
    sitemap: Path, env: dict[str, str], is_colored: bool
) -> None:
    terminal, output = os.openpty()
    env = {"TERM": "xterm-256color"} | env
    with subprocess.Popen(
        [*COMMAND, "check", sitemap], stdout=output, stderr=output, env=os.environ | env
    ) as process:
        os.close(output)
        seen = read_terminal(terminal).decode()
    assert process.returncode == 1
    assert ("\x1b[31m\x1b[1merror" in seen) is is_colored
    assert "loc-not-encoded" in seen


def test_colors_can_be_forced(sitemap: Path) -> None:
    done = docs_sitemap(
        "check", sitemap, cwd=sitemap.parent, FORCE_COLOR="1", TERM="xterm"
    )
    assert "\x1b[31m\x1b[1merror" in done.out
    assert done.err == ""


def test_the_environment_does_not_change_the_text(sitemap: Path) -> None:
    usual = docs_sitemap("check", "sitemap.xml", cwd=sitemap.parent)
    assert "loc-not-encoded" in usual.out
    environments: list[dict[str, str]] = [
        *({"COLUMNS": "0"}, {"COLUMNS": "-5"}, {"COLUMNS": "1"}, {"LINES": "0"}),
        *({"TERM": "dumb"}, {"NO_COLOR": "1"}),
        {"COLUMNS": "0", "LINES": "0", "FORCE_COLOR": "1"},
    ]
    for env in environments:
        done = docs_sitemap("check", "sitemap.xml", cwd=sitemap.parent, **env)
        assert re.sub(r"\x1b\[[0-9;]*m", "", done.out) == usual.out, env
        assert done.code == 1


@needs_posix
def test_a_terminal_without_a_size_gets_the_text(sitemap: Path) -> None:
    terminal, output = os.openpty()  # with 0 columns
    env = {"TERM": "xterm", "COLUMNS": "0", "LINES": "0"}
    with subprocess.Popen(
        [*COMMAND, "check", sitemap], stdout=output, stderr=output, env=os.environ | env
    ) as process:
        os.close(output)
        seen = read_terminal(terminal).decode()
    assert process.returncode == 1
    assert "loc-not-encoded" in seen


FAILURE = """
import docs_sitemap_cli.check.command as module
def fail(*_, **__):
    raise RuntimeError("first\\n::error::second ##[error]" + "x" * 10_000)
module.check_path = fail
"""


def test_an_unexpected_failure_has_its_own_exit_code(sitemap: Path) -> None:
    done = subprocess.run(
        script(FAILURE, "check", sitemap), capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (70, "")
    lines = done.stderr.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert "RuntimeError: first" in lines
    assert lines[-1].startswith("Error: docs-sitemap has failed unexpectedly. Fix: ")
    assert "##[" not in done.stderr
    assert not [line for line in lines if line.startswith("::")]
    assert " 70 " in invoke("--help").out


HALF_MADE = """
import docs_sitemap_cli.check.command as module
class HalfMade:
    def __init__(self):
        raise KeyboardInterrupt
    def __del__(self):
        raise AttributeError("closed")
module.check_path = lambda *_, **__: HalfMade()
"""


def test_an_interrupt_prints_nothing_of_half_made_objects(sitemap: Path) -> None:
    done = subprocess.run(
        script(HALF_MADE, "check", sitemap), capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.strip() == "Error: interrupted"


ERROR = """
import click
import docs_sitemap_cli.check.command as module
def fail(*_, **__):
    raise click.{error}("first\\n::error::second\\r##[error] \\x1b[31m\\u2028third")
module.check_path = fail
"""


@pytest.mark.parametrize("error", ["ClickException", "UsageError", "BadParameter"])
def test_an_error_is_one_line_whatever_it_contains(sitemap: Path, error: str) -> None:
    code = ERROR.format(error=error)
    done = subprocess.run(script(code, "check", sitemap), capture_output=True)
    lines = done.stderr.decode().split("\n")
    assert lines[-1] == ""
    assert lines[-2].startswith("Error: ")
    assert "second" in lines[-2]
    assert "third" in lines[-2]
    assert not [line for line in lines if line.lstrip().startswith("::")]
    assert not re.search(rb"##\[|\r|\x1b|\xe2\x80\xa8", done.stderr)


def test_only_one_module_writes_text() -> None:
    package = Path(docs_sitemap_cli.__file__).parent
    writers = set()
    for path in package.rglob("*.py"):
        if re.search(r"\bprint\(|\.echo\(|\.show\(|\.write\(", path.read_text("utf-8")):
            writers.add(path.relative_to(package).as_posix())
    assert writers == {"console.py"}


def test_help_and_version() -> None:
    assert invoke("--version").out.startswith("docs-sitemap ")
    summaries = re.findall(r"^  ([a-z]+)  +.*[^.][.]$", invoke("-h").out, re.M)
    assert summaries == [
        "check",
        "compare",
        "completion",
        "explain",
        "generate",
        "index",
        "report",
        "submit",
    ]
    for name in ("check", "explain"):
        shown = invoke(name, "--help")
        assert shown.code == 0
        assert f"docs-sitemap {name} site" in shown.out
        assert "Exit codes:\n    0  " in shown.out
    assert invoke("chekc").code == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="It is a device of Linux.")
@pytest.mark.parametrize("arguments", [("index",), ("check",)])
def test_a_full_disk_is_one_line(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "a").mkdir()
    text = SITEMAP.format("<url><loc>https://example.org/a/</loc></url>")
    (tmp_path / "a/sitemap.xml").write_text(text, encoding="utf-8")
    command = [
        *COMMAND,
        *arguments,
        "--base-url",
        "https://example.org/",
        str(tmp_path),
    ]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path
        )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("Error: ")
    assert "No space left on device" in done.stderr
    assert ". Fix: " in done.stderr
    assert "Traceback" not in done.stderr
    # The sitemap itself is complete.
    assert (tmp_path / "sitemap.xml").exists() == (arguments == ("index",))
