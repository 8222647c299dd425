"""Compose the sitemaps of many deployed sites into an index, or into one merged sitemap."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.core import BASE_URL


def generate(folder: str, sites: str, urls: str) -> Callable[[], None]:
    """Write sites without pages, each with a sitemap."""
    start = '<?xml version="1.0" encoding="UTF-8"?>\n'
    start += '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'

    def measured() -> None:
        for site in range(int(sites)):
            name = f"project-{site:04}"
            section = f"  <url>\n    <loc>{BASE_URL}{name}/guide/section"
            entries = (
                f"{section}-{number % 20}/page-{number}/</loc>\n"
                f"    <lastmod>2024-05-{1 + number % 28:02}T08:30:00+00:00</lastmod>\n  </url>\n"
                for number in range(int(urls))
            )
            path = Path(folder, name, "sitemap.xml")
            path.parent.mkdir(parents=True)
            path.write_text(f"{start}{''.join(entries)}</urlset>\n")

    return measured


def compose(folder: str, urls: str, merge: str = "") -> Callable[[], None]:
    """Compose the sitemaps, as a merged sitemap if `merge` is not empty."""
    from docs_sitemap import parse_base_url
    from docs_sitemap.commands.index.command import index  # noqa: F401  # What a user loads.
    from docs_sitemap.commands.index.composition import IndexOptions, compose_sitemaps
    from docs_sitemap.commands.index.publish import write_to_folder
    from docs_sitemap.commands.index.tree import DeployedFolder

    options = IndexOptions(parse_base_url(BASE_URL), merge=bool(merge))

    def measured() -> None:
        with TemporaryDirectory() as scratch:
            tree = DeployedFolder(folder)
            result = compose_sitemaps(tree, options, Path(scratch), datetime.now(UTC))
            if result.document.urls != int(urls) or result.document.diagnostics:
                raise AssertionError(result.document.diagnostics)
            write_to_folder(result, Path(folder))

    return measured
