"""The built-in template renders sitemaps without findings."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from functools import cache

from hypothesis import given
from hypothesis import strategies as st
from support.sitemaps import BASE, NOW

from docs_sitemap import (
    Alternate,
    Entry,
    Options,
    Page,
    Url,
    quote_path,
)
from docs_sitemap.commands.check import lint_sitemap
from docs_sitemap.sitemap.protocol import ChangeFreq
from docs_sitemap.sitemap.render import Renderer
from docs_sitemap.sitemap.urls import make_loc

# A file name with a percent sign and two hexadecimal digits looks as if it is encoded twice.
segments = st.text(min_size=1, max_size=20).filter(
    lambda text: text not in (".", "..") and not re.search("%[0-9A-Fa-f]{2}", text)
)
languages = st.sampled_from(["de", "en", "pt-BR", "zh-Hant", "x-default"])
listed_urls = st.builds(
    Url,
    loc=segments.map(lambda text: make_loc(BASE, quote_path(text.replace("/", "_")))),
    lastmod=st.none() | st.dates(date(2005, 6, 3), NOW.date()).map(str),
    changefreq=st.none() | st.sampled_from(ChangeFreq),
    priority=st.none() | st.sampled_from(["0.0", "0.5", "1.0"]),
)


@cache
def renderer(indent: int) -> Renderer:
    return Renderer(Options(base_url=BASE))


@given(
    st.lists(listed_urls, min_size=1, max_size=8, unique_by=lambda url: url.loc),
    st.lists(languages, min_size=2, max_size=5, unique=True),
    st.integers(0, 4),
)
def test_rendered_sitemap_has_no_findings(
    urls: list[Url], hreflangs: list[str], indent: int
) -> None:
    translated = urls[: len(hreflangs)]
    alternates = tuple(
        Alternate(hreflang, url.loc) for hreflang, url in zip(hreflangs, translated, strict=False)
    )
    urls = [replace(url, alternates=alternates) for url in translated] + urls[len(translated) :]
    page = Page(url="", name="page")
    listed = [Entry(page, url=url) for url in urls]
    for name, data in (
        ("sitemap.xml", renderer(indent).sitemap(listed)),
        ("sitemap-index.xml", renderer(indent).index([url.loc for url in urls])),
    ):
        assert lint_sitemap(data, name, url=BASE + name, now=NOW) == []
