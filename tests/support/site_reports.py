"""Saved reports with dates, and what `docs-sitemap report` makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from docs_sitemap.date_status import DateStatus
from docs_sitemap.git.file_date import FileDate
from docs_sitemap.saved_report import SavedPage, SavedReport, SavedSource, write_report
from support.cli import Done, invoke
from support.sitemaps import BASE

TODAY = "2026-08-31"
COMMIT = "1a2b3c4d" * 5


def source(path: str, day: str | None, **values: Any) -> SavedSource:
    """Return a source file that changed on a day."""
    date = None
    if day is not None:
        when = datetime.fromisoformat(day).replace(tzinfo=UTC)
        date = FileDate(DateStatus.COMMIT, COMMIT, when)
    return SavedSource(path=path, date=date, **values)


def page(url: str, day: str | None, **values: Any) -> SavedPage:
    """Return a listed page that changed on a day; `None` for a page without a date."""
    name = f"{url.strip('/') or 'index'}.md"
    details = {
        "name": name,
        "loc": BASE + url,
        "output": f"{url}index.html",
        "document": f"docs/{name}",
        "sources": (source(f"docs/{name}", day),),
        "source": f"docs/{name}",
        "lastmod": day and f"{day}T10:00:00+00:00",
        "date_status": DateStatus.UNTRACKED if day is None else DateStatus.COMMIT,
        "commit": day and COMMIT,
    }
    return SavedPage(url=url, **details | values)


def documenting(url: str, edited: str, others: Mapping[str, str]) -> SavedPage:
    """Return a page with a text, and the days on which its other sources changed."""
    document = f"docs/{url.strip('/')}.md"
    sources = [source(document, edited)]
    sources += [source(path, day) for path, day in others.items()]
    return page(url, max(edited, *others.values()), sources=tuple(sources))


def save(folder: Path, *pages: SavedPage, **values: Any) -> Path:
    """Save the report of a build, and create the folder of the site."""
    (folder / "site").mkdir(parents=True, exist_ok=True)
    report = SavedReport(base_url=BASE, project="..", pages=pages, **values)
    write_report(report, folder / "report.json")
    return folder


def run_report(folder: Path, *arguments: str, code: int = 0) -> Done:
    """Run the command with the report that `save` wrote."""
    done = invoke(
        "report",
        "site",
        "--report",
        "report.json",
        "--today",
        TODAY,
        *arguments,
        cwd=folder,
    )
    assert done.code == code, done
    return done


def read_html(folder: Path) -> LexborHTMLParser:
    """Run the command, and return the parsed file."""
    run_report(folder)
    return LexborHTMLParser((folder / "docs-report.html").read_text(encoding="utf-8"))


def find(tree: LexborHTMLParser, selector: str) -> LexborNode:
    """Return the first element that a selector matches. It must exist."""
    node = tree.css_first(selector)
    assert node is not None, selector
    return node


def read_rows(tree: LexborHTMLParser, table: str) -> list[list[str]]:
    """Return the text of the cells in the body of a table."""
    rows = []
    for row in tree.css(f"{table} tbody tr"):
        cells = row.css("th, td")
        rows.append([" ".join(cell.text(separator=" ").split()) for cell in cells])
    return rows
