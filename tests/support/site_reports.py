"""What `docs-sitemap report` makes of the report of a build."""

from __future__ import annotations

from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from support.cli import Done, invoke

TODAY = "2026-08-31"


def run_report(folder: Path, *arguments: str, code: int = 0) -> Done:
    """Run the command with the report of `build_small_site`."""
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


def find(tree: LexborHTMLParser | LexborNode, selector: str) -> LexborNode:
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
