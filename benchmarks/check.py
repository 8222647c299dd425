"""Check finished sitemaps and sites, compared with readers that check less."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.core import BASE_URL

SCHEMA = Path(__file__).parents[1] / "tests/support/sitemap.rng"


def this_project(path: str) -> Callable[[], None]:
    from docs_sitemap.sitemap.urls import parse_base_url
    from docs_sitemap_cli.check.check_path import check_path

    def measured() -> None:
        base_url = parse_base_url(BASE_URL)
        result = check_path(path, base_url=base_url, now=datetime.now(UTC))
        if result.diagnostics:
            raise AssertionError(result.diagnostics[:3])

    return measured


def lxml_schema(path: str) -> Callable[[], None]:
    from lxml import etree

    def measured() -> None:
        etree.RelaxNG(etree.parse(SCHEMA)).assertValid(etree.parse(path))

    return measured


def ultimate_sitemap_parser(path: str) -> Callable[[], int]:
    from usp.tree import sitemap_from_str

    return lambda: sum(1 for _ in sitemap_from_str(Path(path).read_text()).all_pages())
