"""The date that a page shows."""

from __future__ import annotations

from docs_sitemap.built.page_date import PageDate, is_text, make_page_date


def test_the_text_is_escaped() -> None:
    date = PageDate('<4 "juin" & 2026>', "2026-06-04", "2026-06-04T10:00:00+00:00")
    assert "&lt;4 &quot;juin&quot; &amp; 2026&gt;</time>" in date.element


def test_an_incomplete_date_is_not_shown() -> None:
    assert make_page_date("2025-05", str) is None
    assert make_page_date("2025-05-01", lambda day: f"{day:%j}") == PageDate(
        "121", "2025-05-01", "2025-05-01"
    )


def test_a_closed_comment_does_not_end_the_next_one() -> None:
    page = "<!-- a --><p>x</p><!-- <b>y</b>"
    assert is_text(page, page.index("x"))
    assert not is_text(page, page.index("y"))


def test_the_day_is_the_one_in_the_sitemap() -> None:
    shown = make_page_date("2025-03-04T01:00:00+09:00", lambda day: f"{day:%d}")
    assert shown == PageDate("04", "2025-03-04", "2025-03-04T01:00:00+09:00")
