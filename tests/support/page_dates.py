"""The dates that built pages show."""

from __future__ import annotations

import re
from pathlib import Path

_TIME = re.compile(r'<time class="docs-sitemap-date" datetime="([^"]*)">([^<]*)</time>')


def shown_dates(page: Path) -> list[tuple[str, str]]:
    """Return the timestamp and the text of each date that a page shows."""
    text = page.read_text(encoding="utf-8")
    return _TIME.findall(text)
