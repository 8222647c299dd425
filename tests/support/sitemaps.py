"""Build small sitemaps and sites for tests, check them, and summarize diagnostics."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from docs_sitemap import BaseUrl, Diagnostic
from docs_sitemap.sitemap.validation import check_sitemap
from docs_sitemap_cli.check.check_path import check_path
from docs_sitemap_cli.check.path_result import CheckResult

BASE = BaseUrl("https://example.org/docs/")
NOW = datetime(2025, 6, 15, 12, tzinfo=UTC)

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
NAMESPACES = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'


def urlset(*lines: str) -> str:
    """Return a sitemap whose first inner line is line 3."""
    return (
        f"{DECLARATION}<urlset {NAMESPACES}>\n"
        + "".join(f"{line}\n" for line in lines)
        + ("</urlset>\n")
    )


def index(*locs: str) -> str:
    lines = "".join(f"<sitemap><loc>{loc}</loc></sitemap>\n" for loc in locs)
    return f"{DECLARATION}<sitemapindex {NAMESPACES}>\n{lines}</sitemapindex>\n"


def url(loc: str, rest: str = "") -> str:
    return f"<url><loc>{loc}</loc>{rest}</url>"


def urls(*paths: str) -> str:
    """Return a sitemap that lists pages by their URLs relative to the base URL."""
    return urlset(*(url(BASE + path) for path in paths))


def links(**targets: str) -> str:
    return "".join(
        f'<xhtml:link rel="alternate" hreflang="{lang.replace("_", "-")}" href="{href}"/>'
        for lang, href in targets.items()
    )


def page(title: str = "A page", head: str = "") -> str:
    return f"<!doctype html><html><head><title>{title}</title>{head}</head><body>Text</body></html>"


def write_site(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files. If a name ends in `.gz`, text is compressed; bytes are written
    unchanged.
    """
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        compress = isinstance(content, str) and name.endswith(".gz")
        path.write_bytes(gzip.compress(data) if compress else data)
    return folder


def check(path: Path | str, **options: Any) -> CheckResult:
    """Check a site or a sitemap. Most sites of the tests have no dates, which is not
    reported.
    """
    result = check_path(str(path), **{"now": NOW} | options)
    return CheckResult(paths=(result,)).without({"lastmod-missing"})


def check_data(
    data: str | bytes, name: str = "sitemap.xml", scope: str | None = None
) -> list[Diagnostic]:
    """Check a sitemap on its own."""
    content = data.encode() if isinstance(data, str) else data
    return check_sitemap(io.BytesIO(content), name, scope, NOW)


def summarize(
    diagnostics: Iterable[Diagnostic], folder: Path | None = None
) -> list[str]:
    """Return diagnostics as `code` or `code@line`, after the file if a folder is given."""
    texts = []
    for one in diagnostics:
        assert one.message
        assert one.message.isprintable()
        assert one.file is not None
        assert one.file.isprintable()
        assert one.url is None or one.url.isprintable()
        text = one.code + (f"@{one.line}" if one.line else "")
        if folder is not None:
            name = one.file.removeprefix(str(folder)).lstrip("/")
            text = f"{name or '.'} {text}"
        texts.append(text)
    return texts
