"""Which files are glossaries."""

from __future__ import annotations

import pytest

from mkdocs_sitemap.sources.glossary import find_definitions


def test_long_texts_are_parsed_in_linear_time() -> None:
    assert find_definitions("[1]: a\n" + "    \n" * 100_000 + "x") is None
    assert find_definitions("<!--" * 100_000) is None
    assert find_definitions("[a]: b\n" * 100_000) == ["[a]"] * 100_000


@pytest.mark.parametrize(
    "text",
    [
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
    assert find_definitions(text) is None


def test_definitions() -> None:
    text = (
        "<!-- a\nb -->\n*[A]: B\n*[C d] :\n  E\n\n"
        "[x]: <y>\n   [X Y]:\n  z\n  'Title'  \n[t]: u (Title)\n"
    )
    assert find_definitions(text) == ["*[A]", "*[C d]", "[x]", "[X Y]", "[t]"]
