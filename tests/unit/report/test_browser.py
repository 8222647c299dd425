"""The HTML report in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.browser import Browser, needs_browser, serve
from support.repository import Repository
from support.site_reports import run_report
from support.small_builds import build_small_site, page

pytest.importorskip("selenium")
pytestmark = needs_browser

ROWS = "return [...document.querySelectorAll('#all-pages tbody tr')].map(r => r.cells[0].querySelector('small').textContent)"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


def status(browser: Browser) -> str:
    return str(browser.evaluate("return document.getElementById('status').textContent"))


def choose(browser: Browser, element: str, value: str) -> None:
    browser.evaluate(
        f"const e = document.getElementById('{element}'); e.value = '{value}';"
        "e.dispatchEvent(new Event('input'))"
    )


def test_sort_and_filter(tmp_path: Path, browser: Browser) -> None:
    build_small_site(
        tmp_path,
        page("b/x/", "2025-08-01"),
        page("b/y/", None),
        page("page-10/", "2024-08-01"),
        page("page-9/", "2026-08-01"),
    )
    run_report(tmp_path)
    with serve(tmp_path) as root:
        browser.open(f"{root}docs-report.html")
        by_age = ["page-10/", "b/x/", "page-9/", "b/y/"]
        assert browser.evaluate(ROWS) == by_age
        assert status(browser) == "4 pages"
        browser.click("#all-pages th:nth-child(3) button")
        assert browser.evaluate(ROWS) == ["page-9/", "b/x/", "page-10/", "b/y/"]
        browser.click("#all-pages th:nth-child(3) button")
        assert browser.evaluate(ROWS) == by_age
        browser.click("#all-pages th:nth-child(1) button")
        assert browser.evaluate(ROWS) == ["b/x/", "b/y/", "page-9/", "page-10/"]
        sorts = "return [...document.querySelectorAll('[aria-sort]')].map(h => h.textContent + h.ariaSort)"
        assert browser.evaluate(sorts) == ["Titleascending"]
        choose(browser, "filter", "PAGE 2024")
        assert browser.evaluate(ROWS) == ["page-10/"]
        assert status(browser) == "1 page"
        choose(browser, "filter", "")
        choose(browser, "section", "b")
        assert browser.evaluate(ROWS) == ["b/x/", "b/y/"]


def test_long_tables_are_shown_in_steps(tmp_path: Path, browser: Browser) -> None:
    pages = [page(f"page-{number}/", "2026-08-01") for number in range(600)]
    build_small_site(tmp_path, *pages)
    run_report(tmp_path)
    with serve(tmp_path) as root:
        browser.open(f"{root}docs-report.html")
        assert status(browser) == "250 of 600 pages"
        browser.click("#more")
        assert status(browser) == "500 of 600 pages"
        browser.click("#more")
        assert status(browser) == "600 pages"
        assert len(browser.evaluate(ROWS)) == 600
        hidden = "return document.getElementById('more').hidden"
        assert browser.evaluate(hidden) is True


# How the list of pages is laid out: whether it is wider than its card, whether the
# title, the age, and the date of each row are within it, and all cells of the tables of
# sections and of the trend, the headings that are shown, and the largest height of a
# row in lines of text.
LAYOUT = """
const table = document.getElementById("all-pages");
const card = table.closest("section").getBoundingClientRect();
const isInside = (element) => {
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.left >= card.left && box.right <= card.right;
};
const isShown = (element) => element.getBoundingClientRect().width > 0;
const rows = [...table.tBodies[0].rows];
return {
  isScrolled: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  cells: [...table.querySelectorAll("th, td")].filter(isShown).every(isInside),
  sections: [...document.querySelectorAll(":is(table.dense, .trend) :is(th, td)")].every(isInside),
  dates: rows.every(row => ["a", "td.a", "time"].every(name => isInside(row.querySelector(name)))),
  heads: [...table.tHead.rows[0].cells].filter(isShown).map(head => head.textContent),
  lines: Math.max(...rows.map(row => row.offsetHeight)) / parseFloat(getComputedStyle(table).lineHeight),
};
"""


@pytest.mark.parametrize(
    ("width", "heads", "lines"),
    [
        (400, ["Title", "Age"], 4),
        (600, ["Title", "Age"], 4),
        (900, ["Title", "Section", "Age", "Source"], 4),
        (1400, ["Title", "Section", "Age", "Source", "Commit"], 3),
    ],
)
def test_the_list_of_pages_fits_each_width(
    tmp_path: Path, browser: Browser, width: int, heads: list[str], lines: int
) -> None:
    Repository.create(tmp_path).git("remote", "add", "o", "https://github.com/a/b")
    pages = [page(f"guide/page-{number}/", "2024-08-01") for number in range(9)]
    pages.append(page("a_long-section_name/x/", "2025-10-01"))
    build_small_site(tmp_path, *pages, subject="Move all of these pages again " * 4)
    previous = tmp_path / "previous.json"
    previous.write_text(run_report(tmp_path, "--format", "json").out)
    run_report(tmp_path, "--previous", str(previous))
    browser.resize(width, 800)
    with serve(tmp_path) as root:
        browser.open(f"{root}docs-report.html")
        layout = browser.evaluate(LAYOUT)
    assert layout.pop("lines") < lines
    assert layout == {
        "isScrolled": False,
        "cells": True,
        "dates": True,
        "sections": True,
        "heads": heads,
    }
