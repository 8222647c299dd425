"""Which files are glossaries, and which of their definitions a page uses."""

from __future__ import annotations

import pytest

from mkdocs_sitemap.sources.glossary import parse_glossary, used_definitions


def test_long_texts_are_parsed_in_linear_time() -> None:
    parse_glossary("[1]: a\n" + "    \n" * 100_000 + "x")
    parse_glossary("<!--" * 100_000)
    parse_glossary("[a]: b\n" * 100_000)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "*[A]: B\n\nText.",
        "*[A]:",
        "[a]: b c",
        "[a]: b\n# Heading",
        "    [a]: code",
        "text [a]: b",
        "<!-- open",
        "<!-- a --> text",
        "[^1]: A footnote.",
        "--8<-- 'other.md'",
        "!!! note",
    ],
)
def test_files_with_other_text(text: str) -> None:
    assert parse_glossary(text) == []


def test_definitions() -> None:
    text = (
        "<!-- a\nb -->\n*[A]: B\n*[C d] :\n  E\n\n"
        "[x]: <y>\n   [X Y]:\n  z\n  'Title'  \n[t]: u (Title)\n"
    )
    assert parse_glossary(text) == ["<!--", "*[A]", "*[C d]", "[x]", "[X Y]", "[t]"]


@pytest.mark.parametrize(
    ("definition", "content", "markdown", "is_used"),
    [
        ("*[A&B]: C", '<abbr class="x" title="C">A&amp;B</abbr>', "", True),
        ("*[A]: C", "<p>A</p>", "A", False),
        ("*[A]: C", "<pre><span>*[A]</span>: C</pre>", "", True),
        ("[a]: b.md", '<a href="../b/">', "[Text][a\n]", True),
        ("[a]: b.md", '<a href="../b/">', "[Text](b.md)\n[a]: b.md", False),
        ("[A  B]: https://b/?c&d", '<a href="https://b/?c&amp;d">', "[a b]", True),
        ("[a]: https://b/", "<code>[a]: https://b/</code>", "", True),
        ("[a]: https://b/", '<a href="https://b/">', "See [a]: it is shown.", True),
        ("[*a]: https://b/", '<a href="https://b/">', "[*a]", True),
        ("<!-- a -->", "<code>&lt;!-- a --&gt;</code>", "", True),
        ("<!-- a -->", "<p>a</p>", "", False),
    ],
)
def test_use_of_definitions(definition: str, content: str, markdown: str, is_used: bool) -> None:
    definitions = parse_glossary(definition)
    assert (used_definitions(definitions, content, markdown) != []) is is_used
