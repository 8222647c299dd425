"""Which files are glossaries."""

from __future__ import annotations

import pytest

from mkdocs_sitemap.sources.glossary import is_glossary


def test_long_texts_are_parsed_in_linear_time() -> None:
    assert not is_glossary("[1]: a\n" + "    \n" * 100_000 + "x")
    assert not is_glossary("<!--" * 100_000)
    assert is_glossary("[a]: b\n" * 100_000)


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
    assert not is_glossary(text)


def test_definitions() -> None:
    text = (
        "<!-- a\nb -->\n*[A]: B\n*[C d] :\n  E\n\n"
        "[x]: <y>\n   [X Y]:\n  z\n  'Title'  \n[t]: u (Title)\n"
    )
    assert is_glossary(text)
