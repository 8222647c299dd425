"""Which files are glossaries."""

from __future__ import annotations

import pytest

from docs_sitemap.shown.glossaries import find_definitions, is_glossary


def test_long_texts_are_parsed_in_linear_time() -> None:
    assert not is_glossary("[1]: a\n" + "    \n" * 100_000 + "x")
    assert not is_glossary("<!--" * 100_000)
    assert not is_glossary(".. _a:\n" * 100_000)
    assert find_definitions("[a]: b\n" * 100_000).keys() == {"a"}


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
        ".. note:: text",
        ".. _label:",
        ".. |a| replace:: b\n\nText.",
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
    starts = [one.start for one in find_definitions(text).values()]
    assert starts == ["*[A]", "*[C d]", "[x]", "[X Y]", "[t]"]
