"""The dates that built pages show."""

from __future__ import annotations

import re
from pathlib import Path

_TIME = re.compile(r'<time class="docs-sitemap-date" datetime="([^"]*)">([^<]*)</time>')


def shown_dates(page: Path) -> list[tuple[str, str]]:
    """Return the timestamp and the text of each date that a page shows."""
    text = page.read_text(encoding="utf-8")
    assert "docs-sitemap-day" not in text
    assert "docs-sitemap-text" not in text
    assert "docs-sitemap-timestamp" not in text
    return _TIME.findall(text)
