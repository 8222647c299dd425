"""The time to read text from elsewhere grows no faster than the text, whatever it
repeats. The patterns themselves are tried in `test_pattern_growth.py`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from support.builds import BASE_URL, as_sources, build, build_site
from support.sitemaps import check_data

from docs_sitemap import OptionError, Page, parse_base_url, read_options
from docs_sitemap.built.html import parse_head
from docs_sitemap.config.patterns import NameIndex, PageNames
from docs_sitemap.shown import Shown, ShownKind, selected_lines
from docs_sitemap.shown.glossaries import find_definitions, is_glossary
from docs_sitemap.shown.shown_objects import ShownObject
from docs_sitemap_cli.check.robots import RobotsTxt

BASE = parse_base_url("https://example.org/docs/")
URL = f"{BASE}guide/"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"

# Work that grows with the square of this size takes much longer than the limit.
SIZE = 60_000
MAX_SECONDS = 4.0


@contextmanager
def limited_time(seconds: float = MAX_SECONDS) -> Iterator[None]:
    # The time of the processor does not depend on other processes.
    start = time.process_time()
    yield
    assert time.process_time() - start < seconds


def read_page(html: str) -> None:
    head = parse_head(html.encode("utf-8", "replace"))
    head.redirect_target(URL)
    head.canonical_target(URL)


def read_sitemap(text: str) -> None:
    value = escape(text.encode("utf-8", "replace").decode())
    entry = f"<url><loc>{URL}{value}</loc><lastmod>{value}</lastmod><priority>{value}</priority>"
    check_data(f'<urlset xmlns="{NAMESPACE}">{entry}</url></urlset>')


def find(pattern: str, name: str) -> None:
    NameIndex([PageNames(name, name, f"/docs/{name}")], BASE).match(pattern)


def digest(shown: Shown, text: str) -> None:
    shown.digest(text.encode("utf-8", "replace"))


def compare_objects(text: str, *names: str) -> None:
    content = text.encode("utf-8", "replace")
    shown = Shown(ShownKind.PYTHON, objects=tuple(map(ShownObject, names)))
    shown.changed_keys(b"a.py", content, content)


def compare(path: bytes, text: str) -> None:
    content = text.encode("utf-8", "replace")
    shown = Shown(ShownKind.TEXT)
    shown.changed_keys(path, b"a\n%s\n" % content, b"a \n%s\nb" % content)


def compare_catalogs(text: str) -> None:
    content = text.encode("utf-8", "replace")
    shown = Shown(ShownKind.MESSAGES, (".rst", "a"))
    shown.changed_keys(b"a.po", content, b'msgid "a"\nmsgstr "b"\n\n' + content)


READERS: dict[str, Callable[[str], object]] = {
    "page": read_page,
    "sitemap": read_sitemap,
    "robots.txt": lambda text: RobotsTxt(
        f"User-agent: *\nDisallow: /{text}".encode("utf-8", "replace")
    ).disallowed_crawlers(URL + text),
    "pattern": lambda text: read_options({"exclude": (text,)}),
    "page name": lambda text: find("*a/**/b*[0-9]c", text),
    "Markdown": lambda text: compare(b"a.md", text),
    "reStructuredText": lambda text: compare(b"a.rst", text),
    "module": lambda text: compare_objects(text, ""),
    "objects": lambda text: compare_objects(text, "a", "a.b"),
    "catalog": compare_catalogs,
    "lines": lambda text: digest(
        Shown(ShownKind.LINES, (selected_lines(start_at="a", lines="1"),)), text
    ),
}

# Single characters, and what starts or ends something.
CHARACTERS = " \n\t;:,.=<>/&%[]@#?*-a0é\0\udc80\ud800'\"({"
WORDS = "<!-- --> <![ </ content= noindex &#x https:// **/ *a ``` --- :: class {{ %}"
LINES = ("<meta ", "<title>", ".. a::", "def f():", '"""', "lambda:", "User-agent: ")
fragments = st.sampled_from([*CHARACTERS, *WORDS.split(), *LINES])


@given(
    reader=st.sampled_from(sorted(READERS)),
    units=st.lists(st.lists(fragments, min_size=1, max_size=3), min_size=1, max_size=2),
)
def test_repeated_fragments_take_no_time(reader: str, units: list[list[str]]) -> None:
    repeated = ["".join(unit) for unit in units]
    text = "".join(unit * (SIZE // len(units) // len(unit)) for unit in repeated)
    for end in ("", "x"):
        with limited_time(), suppress(ValueError, OptionError):
            READERS[reader](text + end)


@pytest.mark.parametrize(
    "unit",
    [
        *("<!--", "<pre", "[", "![", "[a](", "<a ", "{{", "{%", "..\n", ".. a::\n"),
        *("a*", "`a", "`a`_ ", "|a| ", "a\n=\n"),
        *(
            "```{toctree}\n",
            ":::{toctree}\nx\n",
            ":hidden:\n",
            "- \n",
            "# a\n",
            "(a)=\n",
        ),
        *("{#a", "# {#a}", "`a`{#a .b} ", "__a", "<a id=", ":::{a}\n---\n", "a  \n"),
        *(":::{a}\n:b:\n", ".. a::\n   :b:\n", ":b:\n", "`a <b>", "> > ", "````a"),
    ],
)
@pytest.mark.parametrize("path", [b"a.md", b"a.rst"])
@pytest.mark.parametrize("size", [16_000, 65_000])
def test_versions_of_documents_take_no_time(unit: str, path: bytes, size: int) -> None:
    line = unit * (1_900 // len(unit))
    text = f"{line}\n".encode() * (size // len(line))
    start = b"```{toctree}\n:hidden:\n%b\n\n" % text
    with limited_time():
        Shown(ShownKind.TEXT).changed_keys(path, start + b"a", start + b" a")


def test_a_heading_of_spaces_takes_no_time() -> None:
    with limited_time(1):
        compare(b"a.md", "# " + " " * SIZE)


@pytest.mark.parametrize(
    "pattern",
    [
        *("**/" * 900 + "b", "*a" * 900 + "b", "*/" * 900 + "b"),
        *(
            "*" * 2_000 + "b",
            "[" * 2_000,
            "<![" * 600,
            "[z-a]*" * 300,
            "[!" * 900 + "]",
        ),
    ],
)
def test_patterns_of_pages_take_no_time(tmp_path: Path, pattern: str) -> None:
    page = Page(url="a/" * 1_000, name="a/" * 1_000)
    with limited_time():
        assert build(tmp_path, page, exclude=[pattern]).listed


@pytest.mark.parametrize(
    "pattern",
    ["**/" * 600 + "x", "*/" * 900 + "x", "*" * 2_000 + "x", "[" * 2_000],
)
def test_patterns_of_files_take_no_time(tmp_path: Path, pattern: str) -> None:
    (tmp_path / ("a/" * 50)).mkdir(parents=True)
    page = Page(url="a/", name="a")
    values = {"base_url": BASE_URL, "lastmod": False, "dependencies": {"a": pattern}}
    options = read_options(values)
    with limited_time():
        (entry,) = build_site([page], options, tmp_path / "out", root=tmp_path).listed
    assert entry.sources == ()


def test_glossaries_take_no_time() -> None:
    with limited_time():
        assert not is_glossary("[1]: a\n" + "    \n" * 100_000 + "x")
        assert not is_glossary("<!--" * 100_000)
        assert not is_glossary(".. _a:\n" * 100_000)
        assert find_definitions("[a]: b\n" * 100_000).keys() == {"a"}


def test_links_below_a_long_base_take_no_time() -> None:
    base = f"<base href='/{'a/' * 3_900}'>"
    with limited_time():
        read_page(base + "<link rel=canonical href=x>")
        read_page(f"<base href='/{'a/' * 200_000}'>" + "<link rel=canonical href=x>")


def test_files_that_do_not_count_are_resolved_once(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.txt" for number in range(400)]
    for file in files:
        file.touch()
    sources = as_sources(tmp_path / "page.md", files[0])
    pages = [Page(url=f"{number}", name="", sources=sources) for number in range(800)]
    with limited_time():
        options = read_options(
            {"base_url": BASE_URL, "lastmod": False, "ignore_dependencies": ("*.txt",)}
        )
        report = build_site(pages, options, tmp_path / "site", root=tmp_path)
    assert {entry.sources for entry in report.listed} == {sources[:1]}
