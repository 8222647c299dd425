"""Each page of the documentation describes itself to search engines."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

DOCS = Path(__file__).parents[3] / "docs"
PAGES = sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))


def description(page: str) -> str:
    text = (DOCS / page).read_text(encoding="utf-8")
    front_matter = yaml.safe_load(text.split("---\n")[1])
    return str(front_matter["description"])


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_a_short_description(page: str) -> None:
    assert 40 <= len(description(page)) <= 155


def test_all_descriptions_differ() -> None:
    assert len({description(page) for page in PAGES}) == len(PAGES)
