"""The bytes of a page that shows a date."""

from __future__ import annotations

from hypothesis import given, strategies as st

from docs_sitemap.built.page_date import PageDate
from docs_sitemap.page_dates import make_page_date

OLD = PageDate("May 1, 2025", "2025-05-01", "2025-05-01T10:00:00+00:00")
NEW = PageDate('<4 "juin" & 2026>', "2026-06-04", "2026-06-04T10:00:00+00:00")
# Other elements with dates, and what looks nearly the same.
PARTS = st.sampled_from(
    [
        "<time>May 1</time>",
        '<time class="other" datetime="2025-05-01">x</time>',
        "&lt;time class=&quot;docs-sitemap-date&quot;",
        '<meta property="article:modified_time" content="2025',
        "<p>\r\n\xe9\xff</p>",
        "<!-- ",
    ]
)


@given(st.lists(PARTS), st.lists(PARTS))
def test_only_the_date_changes(before: list[str], after: list[str]) -> None:
    start, end = ("".join(part).encode("latin-1") for part in (before, after))
    old = start + OLD.meta.encode() + OLD.element.encode() + end
    new = start + NEW.meta.encode() + NEW.element.encode() + end
    assert NEW.write_into(old) == new
    assert NEW.write_into(new) == new


def test_the_text_is_escaped() -> None:
    assert "&lt;4 &quot;juin&quot; &amp; 2026&gt;</time>" in NEW.element


def test_an_incomplete_date_is_not_shown() -> None:
    assert make_page_date("2025-05", str) is None
    assert make_page_date("2025-05-01", lambda day: f"{day:%j}") == PageDate(
        "121", "2025-05-01", "2025-05-01"
    )


def test_minified_dates_are_replaced() -> None:
    old = b"<time class=docs-sitemap-date datetime=2025-05-01>May 1, 2025</time>"
    assert NEW.write_into(b"<p>" + old) == b"<p>" + NEW.element.encode()


def test_the_day_is_the_one_in_the_sitemap() -> None:
    shown = make_page_date("2025-03-04T01:00:00+09:00", lambda day: f"{day:%d}")
    assert shown == PageDate("04", "2025-03-04", "2025-03-04T01:00:00+09:00")
