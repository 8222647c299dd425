"""Requests to local servers need no pauses."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docs_sitemap_cli.published.client._DELAY", 0.0)
