"""A pipe, a device, or anything else can be in the place of a file that is read: nothing
waits, or needs more memory than the largest valid file.
"""

from __future__ import annotations

import os
import signal
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import jinja2
import pytest
from support.builds import build
from support.cli import invoke
from support.platforms import needs_posix
from support.sitemaps import write_site

from docs_sitemap import OptionError, Page
from docs_sitemap.shown.front_matter import names_in_templates
from docs_sitemap.sources.page_templates import PageTemplates

pytestmark = needs_posix

ADDRESS = ("--base-url", "https://example.org/")
SITEMAP = """\
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.org/a.html</loc></url></urlset>
"""


def make_endless(path: Path) -> None:
    """Link to a regular file that waits for more at its end, if there is one."""
    endless = "/proc/kmsg"
    if not os.access(endless, os.R_OK):
        pytest.skip("this user cannot read the messages of the kernel")
    path.symlink_to(endless)


def make_huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(3 * 2**30)


def make_secret(path: Path) -> None:
    path.touch(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user can read all files")


KINDS: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "endless": make_endless,
    "huge": make_huge,
    "folder": Path.mkdir,
    "secret": make_secret,
    "dangling": lambda path: path.symlink_to("nothing"),
    "loop": lambda path: path.symlink_to(path.name),
}


def build_with_template(project: Path, template: str) -> str:
    try:
        result = build(
            project / "out", Page(url="a/", name="a"), template=str(project / template)
        )
    except OptionError as error:
        return str(error)
    return "\n".join(one.message for one in result.diagnostics)


def run(project: Path, *arguments: str) -> str:
    done = invoke(*arguments, cwd=project)
    # Usage errors have several lines.
    return done.err.splitlines()[-1] if done.err else done.out


def find_templates(project: Path) -> str:
    names_in_templates(str(project), is_theme=False)
    environment = jinja2.Environment(autoescape=True)
    templates = PageTemplates(environment, [str(project)], [], [])
    try:
        templates.files_of("page.html")
    except OSError as error:
        return f"page.html: {error.strerror}"
    return "page.html"


# The files that are read, and what reads them. It returns the message.
DOORS: dict[str, Callable[[Path], str]] = {
    "template.xml": lambda project: build_with_template(project, "template.xml"),
    "included.xml": lambda project: build_with_template(project, "including.xml"),
    "site/sitemap.xml": lambda project: run(project, "check", "site"),
    "site/robots.txt": lambda project: run(project, "check", "site"),
    "report.json": lambda project: run(
        project, "explain", "site", "--report", "report.json"
    ),
    "pyproject.toml": lambda project: run(project, "generate", "site", *ADDRESS),
    "key.txt": lambda project: run(
        *(
            project,
            "submit",
            "https://example.org/sitemap.xml",
            "--since",
            "2024-01-01",
        ),
        *("--key-file", "key.txt", "--site", "site"),
    ),
    "old.xml": lambda project: run(project, "compare", "old.xml", "site"),
    "page.html": find_templates,
}


@pytest.fixture(autouse=True)
def limited_time() -> Iterator[None]:
    """Interrupt what waits for a file."""

    def interrupt(number: int, frame: object) -> None:
        raise AssertionError("it waits")

    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, previous)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", DOORS)
def test_a_file_that_cannot_be_read_is_named_in_one_line(
    tmp_path: Path, name: str, kind: str
) -> None:
    files = {"site/sitemap.xml": SITEMAP, "site/a.html": "<!doctype html>"}
    write_site(tmp_path, files | {"including.xml": "{% include 'included.xml' %}"})
    path = tmp_path / name
    path.unlink(missing_ok=True)
    KINDS[kind](path)
    tracemalloc.start()
    message = DOORS[name](tmp_path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert path.name in message.splitlines()[0]
    assert "Error:" not in message.removeprefix("Error:")
    assert "Errno" not in message
    assert peak < 200_000_000
