"""The URLs of the sitemap and of its parts fit into the limit of the protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from support.builds import build

from docs_sitemap import OptionError, Page, parse_base_url, quote_path, read_options

TEMPLATE = (
    "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{% for url in urls %}"
    "<url><loc>{{ url.loc }}</loc></url>{% endfor %}</urlset>"
)

# Its URL has 12 characters for each of these.
LONG_NAME = "\U0001f4c4" * 60 + ".xml"


def base_url(length: int) -> str:
    return f"https://example.org/{'x' * (length - 21)}/"


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"base_url": base_url(2_040)}, "filename"),
        ({"base_url": base_url(2_026)}, "filename"),
        ({"base_url": base_url(1_400), "filename": LONG_NAME}, "filename"),
        (
            {"filename": LONG_NAME, "url_scheme": f"{'x' * 1_400}/{{link}}"},
            "url_scheme",
        ),
        ({"base_url": base_url(2_047), "url_scheme": "a/{link}"}, "url_scheme"),
        ({"url_scheme": "{lang}{link}", "language": "é" * 400}, "url_scheme"),
        ({"url_scheme": "{version}{link}", "version": "v" * 2_010}, "url_scheme"),
        ({"base_url": base_url(2_048)}, "filename"),
    ],
)
def test_a_url_that_is_too_long_is_an_error(
    options: dict[str, Any], option: str
) -> None:
    with pytest.raises(OptionError) as raised:
        read_options(options)
    ((name, message),) = raised.value.errors
    assert name == option
    assert "the protocol allows 2,047" in message
    assert len(message) < 400


def test_the_longest_base_url_can_be_used_with_a_template(tmp_path: Path) -> None:
    template = tmp_path / "sitemap.xml"
    template.write_text(TEMPLATE, encoding="utf-8")
    longest = base_url(2_047 - len("sitemap-1000000000.xml"))
    pages = [Page(url="a/", name="a"), Page(url="x" * 100, name="b")]
    report = build(tmp_path / "site", *pages, base_url=longest, template=str(template))
    assert [entry.page.name for entry in report.listed] == ["a"]
    assert [one.code for one in report.diagnostics] == ["url"]


@given(
    st.text(st.characters(codec="utf-8"), max_size=100).map(lambda name: f"{name}.xml"),
    st.integers(10, 2_100),
    st.text(max_size=20),
)
def test_accepted_options_give_valid_urls(
    tmp_path_factory: pytest.TempPathFactory, filename: str, length: int, language: str
) -> None:
    values: dict[str, Any] = {
        "base_url": base_url(length),
        "filename": filename,
        "url_scheme": "{lang}{link}",
        "language": language,
    }
    try:
        read_options(values)
    except OptionError:
        return
    out = tmp_path_factory.mktemp("out")
    (entry,) = build(out, Page(url="", name="index"), **values).listed
    base = entry.url.loc
    assert parse_base_url(base) == base
    for part in ("", "-1", "-50000"):
        name = f"{filename.removesuffix('.xml')}{part}.xml"
        assert len(base + quote_path(name)) <= 2_047
