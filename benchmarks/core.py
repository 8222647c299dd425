"""The core without git: select, sort, render, write, and report."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Not the address of an example: builds and `check` report these.
BASE_URL = "https://www.python.org/docs/"
_HTML = (
    '<!doctype html><html><head><meta charset="utf-8"><title>Page</title>'
    f'<link rel="canonical" href="{BASE_URL}{{url}}"></head><body>{"<p>Text.</p>" * 500}'
)


def build(count: str, folder: str, html: str = "") -> Callable[[], None]:
    """Build a sitemap, of pages with HTML files if `html` is not empty."""
    load_modules()
    return _prepare(count, folder, html)


def load_modules() -> None:
    """Build a small sitemap, because some modules are loaded when a build needs them."""
    with tempfile.TemporaryDirectory() as folder:
        _prepare("100", folder, "html")()


def _prepare(count: str, folder: str, html: str) -> Callable[[], None]:
    from docs_sitemap import Page, Site, Source, SourceRole, build_sitemap, read_options
    from docs_sitemap.sitemap.urls import parse_base_url

    rules: Any = [
        {"match": "section 1/*", "changefreq": "weekly", "priority": 0.8},
        {"match": "section 2/*", "changefreq": "daily"},
    ]
    options = read_options(
        {"base_url": parse_base_url(BASE_URL), "lastmod": False, "rules": rules}
    )
    pages = []
    for number in range(int(count)):
        name = f"section {number % 100}/page-{number}.md"
        url = f"section%20{number % 100}/page-{number}.html"
        output = Path(folder, name).with_suffix(".html")
        if html:
            output.parent.mkdir(parents=True, exist_ok=True)
            output.write_text(_HTML.format(url=url))
        day = f"2024-05-{1 + number // 10 % 28:02}"
        overrides = {"lastmod": day} if number % 10 == 0 else None
        page = Page(
            url=url,
            name=name,
            output=str(output) if html else None,
            sources=(Source(f"/docs/{name}", SourceRole.DOCUMENT),),
            overrides=overrides,
        )
        pages.append(page)

    def measured() -> None:
        report = build_sitemap(
            Site(pages=pages, options=options, out_dir=folder, root="/docs")
        )
        if len(report.listed) != len(pages) or report.diagnostics:
            raise AssertionError(report.diagnostics)

    return measured
