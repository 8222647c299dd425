"""Which pages name a file, and which use the definitions in a file."""

from __future__ import annotations

import textwrap
import time

import pytest
from mkdocs.structure.files import File

from mkdocs_sitemap.tracking.attribution import PageFiles, attribute
from mkdocs_sitemap.tracking.command_docs import documented_commands
from mkdocs_sitemap.tracking.definitions import Definitions, RenderedPage

PRICES = "/project/data/prices (1).csv"


def sources(path: str, *texts: str) -> tuple[str, ...]:
    """Return the sources of the first page, which reads a file. All pages have a text."""
    documents = {
        f"/site/{number}.html": File(
            f"{number}.md", "/docs", "/site", use_directory_urls=True, dest_uri=f"{number}.html"
        )
        for number in range(len(texts))
    }
    for document, text in zip(documents.values(), texts, strict=True):
        document.content_string = text
    pages = {"/site/0.html": PageFiles((), (path,))}
    return attribute(pages, set(), documents)["/site/0.html"]


@pytest.mark.parametrize(
    "text",
    [
        "prices (1).csv",
        "See data/prices (1).csv.",
        "'../data/prices (1).csv'",
        "./prices (1).csv",
        "/project/data/prices (1).csv",
        "../../../data/prices (1).csv",
        "other/prices (1).csv, and prices (1).csv",
    ],
)
def test_names_of_files(text: str) -> None:
    assert sources(PRICES, text) == (PRICES,)
    assert sources(PRICES, text, "Another page.") == (PRICES,)
    assert sources(PRICES, text, text) == ()
    assert sources(PRICES, "Another page.", text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "prices",
        "xprices (1).csv",
        "prices (1).csv.gz",
        "prices (1).csvx",
        "other/prices (1).csv",
        "a/project/data/prices (1).csv",
    ],
)
def test_other_names(text: str) -> None:
    assert sources(PRICES, text) == ()


def test_long_texts_are_searched_in_linear_time() -> None:
    text = "a" * 2_000_000 + "prices (1).csv"
    assert sources(PRICES, text + " prices (1).csv" * 10_000) == (PRICES,)
    Definitions.parse("[^1]: a\n" + "    \n" * 100_000 + "x")
    Definitions.parse("<!--" * 100_000)
    Definitions.parse("[a]: b\n" * 100_000)
    documented_commands("::: mkdocs-click\n" + "    :module: a\n" * 100_000)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "<!-- Nothing. -->",
        "*[A]: B\n\nText.",
        "*[A]:",
        "[a]: b c",
        "[a]: b\n# Heading",
        "[^1]: A note.\n\nText.",
        "    [a]: code",
        "text [a]: b",
        "<!-- open",
        "<!-- a --> text",
        "--8<-- 'other.md'",
        "!!! note",
    ],
)
def test_files_with_other_text(text: str) -> None:
    assert Definitions.parse(text) is None


def test_definitions() -> None:
    text = (
        "<!-- a\nb -->\n*[A]: B\n*[C d] :\n  E\n\n[^1]: Note.\n\n    More.\n\t* item\n"
        "[x]: <y>\n   [X Y]:\n  z\n  'Title'  \n[t]: u (Title)\n"
    )
    links = frozenset({("x", "y"), ("X Y", "z"), ("t", "u")})
    expected = Definitions(frozenset({"A", "C d"}), frozenset({"1"}), links)
    assert Definitions.parse(text) == expected


@pytest.mark.parametrize(
    ("definition", "content", "markdown", "is_used"),
    [
        ("*[A&B]: C", '<abbr class="x" title="C">A&amp;B</abbr>', "", True),
        ("*[A]: C", "<p>A</p>", "A", False),
        ("*[A]: C", "<pre><span>*[A]</span>: C</pre>", "", True),
        ("[^1]: C", '<li id="fn:1">', "", True),
        ("[^1]: C", '<li id="fn:doc-1">', "", True),
        ("[^1]: C", '<li id="fn:11">', "", False),
        ("[a]: b.md", '<a href="../b/">', "[Text][a\n]", True),
        ("[a]: b.md", '<a href="../b/">', "[Text](b.md)", False),
        ("[a]: https://b/?c&d", '<a href="https://b/?c&amp;d">', "[A]", True),
        ("[a]: https://b/?c&d", '<a href="https://b/?c">', "[A]", False),
        ("[a]: https://b/", '<a href="https://b/">', None, True),
        ("[a]: https://b/", "<p>", None, False),
        ("[a]: https://b/", "<code>[a]: https://b/</code>", "", True),
    ],
)
def test_use_of_definitions(
    definition: str, content: str, markdown: str | None, is_used: bool
) -> None:
    definitions = Definitions.parse(definition)
    assert definitions is not None
    assert (definitions.used_by(RenderedPage(content, markdown)) != set()) is is_used


def test_commands_of_unknown_modules() -> None:
    block = "::: mkdocs-click\n    :module: {}\n    :command: {}\n"
    assert documented_commands(block.format("no.such.module", "main")) == set()
    assert documented_commands(block.format("sys", "main")) == set()
    assert documented_commands("::: mkdocs-click\n") == set()
    assert documented_commands(block.format("textwrap", "no_command")) == {textwrap.__file__}


def test_many_pages_that_read_a_file_each_take_little_time() -> None:
    outputs = [f"/site/{number}.html" for number in range(2_000)]
    documents = {}
    for output in outputs:
        documents[output] = File(output, "/docs", "/site", use_directory_urls=True)
        documents[output].content_string = "A text with words. See prices.csv. " * 100
    pages = {
        output: PageFiles((), (f"/data/prices{number}.csv",))
        for number, output in enumerate(outputs)
    }
    start = time.process_time()
    assert not any(attribute(pages, set(), documents).values())
    assert time.process_time() - start < 2


def test_names_without_letters_are_found() -> None:
    assert sources("/project/data/+", "See data/+.") == ("/project/data/+",)
