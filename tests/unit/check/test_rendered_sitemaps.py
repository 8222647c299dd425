"""The built-in template renders sitemaps without diagnostics."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from hypothesis import given, strategies as st
from support.sitemaps import BASE, NOW, check_data

from docs_sitemap import Alternate, Url, quote_path
from docs_sitemap.sitemap.protocol import ChangeFreq
from docs_sitemap.sitemap.urls import make_loc
from docs_sitemap.sitemap.writer import Renderer

# A file name with a percent sign and two hexadecimal digits looks as if it is encoded
# twice.
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


RENDERER = Renderer()


@given(
    st.lists(listed_urls, min_size=1, max_size=8, unique_by=lambda url: url.loc),
    st.lists(languages, min_size=2, max_size=5, unique=True),
)
def test_rendered_sitemap_has_no_diagnostics(
    urls: list[Url], hreflangs: list[str]
) -> None:
    translated = urls[: len(hreflangs)]
    alternates = tuple(
        Alternate(hreflang, url.loc)
        for hreflang, url in zip(hreflangs, translated, strict=False)
    )
    urls = [replace(url, alternates=alternates) for url in translated] + urls[
        len(translated) :
    ]
    for name, data in (
        ("sitemap.xml", RENDERER.sitemap(urls)),
        ("sitemap-index.xml", RENDERER.index([Url(url.loc) for url in urls])),
    ):
        assert check_data(data, name, BASE) == []
