"""Builds of random options and pages: only documented errors, and always a valid
sitemap.
"""

from __future__ import annotations

import json
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, strategies as st
from support.builds import BASE_URL, as_sources, build_site
from support.cli import invoke
from support.readers import read

from docs_sitemap import OptionError, Options, Page, read_options

texts = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=8),
    st.sampled_from(
        ["*", "**/a", "[", "../a", "/a", "a%b", "%2e", "##[error]", "\0", "\ud800"]
    ),
)
zones = st.integers(-1439, 1439).map(
    lambda minutes: timezone(timedelta(minutes=minutes))
)
scalars = st.one_of(
    *(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.binary(max_size=4),
        texts,
    ),
    *(st.dates(), st.just(date.max), st.datetimes(timezones=st.none() | zones)),
    *(
        st.just(datetime.max.replace(tzinfo=timezone(-timedelta(hours=9)))),
        st.just(10**400),
    ),
)
keys = texts | st.sampled_from(
    ["exclude", "lastmod", "changefreq", "priority", "dependencies"]
)
settings = st.recursive(
    scalars,
    lambda children: (
        st.lists(children, max_size=3) | st.dictionaries(keys, children, max_size=3)
    ),
    max_leaves=5,
)
pages = st.builds(
    Page,
    url=texts,
    name=texts,
    output=st.none() | texts,
    sources=st.builds(as_sources, texts) | st.just(()) | st.none(),
    overrides=settings,
)


@given(st.sampled_from(Options._fields), settings)
def test_a_random_value_is_accepted_or_an_error_of_its_option(
    name: str, value: Any
) -> None:
    errors: tuple[tuple[str, str], ...] = ()
    try:
        read_options({name: value})
    except OptionError as error:
        errors = error.errors
    assert {option for option, _ in errors} <= {name, "url_scheme"}
    assert all(message.isprintable() and len(message) < 1_000 for _, message in errors)


@given(
    st.lists(pages, max_size=4), st.lists(texts.filter(bool), max_size=2), st.booleans()
)
def test_random_pages_are_listed_or_excluded(
    site_pages: list[Page], patterns: list[str], is_included: bool
) -> None:
    with TemporaryDirectory() as folder:
        values: dict[str, Any] = {"include" if is_included else "exclude": patterns}
        values |= {
            "base_url": BASE_URL,
            "lastmod": False,
            "report": f"{folder}/report.json",
        }
        options = read_options(values)
        site = Path(folder, "site")
        site.mkdir()
        report = build_site(site_pages, options, site, root=folder)
        found = [
            *(entry.page for entry in report.listed),
            *(e.page for e in report.excluded),
        ]
        assert sorted(map(id, found)) == sorted(map(id, site_pages))
        assert all(one.message.isprintable() for one in report.diagnostics)
        # Commands can read the report: an invalid one would be an error.
        done = invoke("report", "site", "--report", "report.json", cwd=folder)
        assert done.code == 0, done
        saved = json.loads(Path(folder, "report.json").read_text(encoding="utf-8"))
        assert len(saved["pages"]) == len(found)
        if report.listed:
            locs = [entry.loc for entry in read(report.files[0].read_bytes())]
            assert locs == [entry.url.loc for entry in report.listed] == sorted({*locs})
            # The same input gives the same bytes.
            before = report.files[0].read_bytes()
            build_site(site_pages, options, site, root=folder)
            assert report.files[0].read_bytes() == before
