"""Build small sitemaps and sites for tests, check them, and summarize diagnostics."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import cache
from pathlib import Path
from typing import Any, Self
from unittest.mock import patch

import msgspec

from docs_sitemap import BaseUrl, Diagnostic
from docs_sitemap.sitemap.validation import check_sitemap
from support.cli import invoke

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


def page(title: str = "A page", head: str = "", body: str = "Text") -> str:
    return f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>"


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


class _Clock(datetime):
    """The clock of the command, which stands still."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return cls.fromtimestamp(NOW.timestamp(), tz)


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A diagnostic, as the command prints it in JSON."""

    code: str
    message: str
    severity: str
    fix: str
    file: str | None
    line: int | None
    url: str | None


@dataclass(frozen=True, kw_only=True)
class CheckedPath:
    """What the command says in JSON about one path."""

    diagnostics: list[Finding]
    sitemaps: int
    urls: int
    pages: int
    assumed_base_url: str | None
    is_base_url_known: bool
    truncated_files: list[str]


@dataclass(frozen=True, kw_only=True)
class _Document:
    paths: list[CheckedPath]


def check(
    path: Path | str,
    *,
    base_url: str | None = None,
    report: Path | None = None,
    ignore: str = "lastmod-missing",
    real_time: bool = False,
) -> CheckedPath:
    """Check a site or a sitemap with the command. Most sites of the tests have no
    dates, which is not reported.
    """
    arguments = ["check", "--format", "json", "--ignore", ignore]
    if base_url is not None:
        arguments += ["--base-url", base_url]
    if report is not None:
        arguments += ["--report", str(report)]
    clock = datetime if real_time else _Clock
    with patch("docs_sitemap_cli.check.command.datetime", clock):
        done = invoke(*arguments, "--", path)
    assert done.code in (0, 1), done
    (checked,) = msgspec.json.decode(done.out, type=_Document).paths
    return checked


@cache
def read_rules() -> list[dict[str, Any]]:
    """Return all rules of the command, as each of its logs in SARIF describes them."""
    (run,) = invoke("check", "--format", "sarif", Path(__file__).parent).json()["runs"]
    rules: list[dict[str, Any]] = run["tool"]["driver"]["rules"]
    return rules


def read_fix(code: str) -> str:
    """Return how to fix what has a code, as the command says it."""
    (text,) = [rule["help"]["text"] for rule in read_rules() if rule["id"] == code]
    return str(text).removeprefix("Fix: ").removesuffix(".")


def check_data(
    data: str | bytes,
    name: str = "sitemap.xml",
    scope: str | None = None,
    now: datetime | None = NOW,
) -> list[Diagnostic]:
    """Check a sitemap on its own."""
    content = data.encode() if isinstance(data, str) else data
    return check_sitemap(io.BytesIO(content), name, scope, now)


def summarize(
    diagnostics: Iterable[Diagnostic | Finding], folder: Path | None = None
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
