"""Compose the sitemaps of many deployed sites into an index."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

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
                f"{section}-{number % 20}/page-{number}/</loc>\n    "
                f"<lastmod>2024-05-{1 + number % 28:02}T08:30:00+00:00</lastmod>\n  "
                "</url>\n"
                for number in range(int(urls))
            )
            path = Path(folder, name, "sitemap.xml")
            path.parent.mkdir(parents=True)
            path.write_text(f"{start}{''.join(entries)}</urlset>\n")

    return measured


def compose(folder: str, urls: str) -> Callable[[], None]:
    """Compose the sitemaps."""
    from docs_sitemap_cli.versions.command import index

    arguments = [folder, "--base-url", BASE_URL]

    def measured() -> None:
        output = StringIO()
        with redirect_stdout(output):
            index.main(arguments, standalone_mode=False)
        if f"{int(urls):,} URLs" not in output.getvalue():
            raise AssertionError(output.getvalue())

    return measured
