"""Options, and the sitemap settings of a page."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from support.builds import build

from docs_sitemap import BuildResult, OptionError, Options, Page, read_options

# Values that are parsed already.
RULES = read_options({"rules": [{"match": "*", "priority": 0.5}]}).rules
LOCALES = read_options({"locales": ["de"]}).locales

INVALID: dict[str, list[object]] = {
    "base_url": ["example.org", 3],
    "filename": [
        *(
            "",
            "a/b.xml",
            "../s.xml",
            "sitemap.xml.gz",
            "a\\b.xml",
            "a\nb.xml",
            "\ud800.xml",
            1,
        ),
        "a" * 101 + ".xml",
    ],
    "gzip": ["perhaps", 2, [], 1.5],
    "lastmod": ["perhaps", 2],
    "changefreq": ["Weekly", "fortnightly", 1, []],
    "priority": [1.01, -0.1, "high", True, float("nan"), [], 10**400],
    "rules": [
        *(
            {},
            [3],
            [{}],
            [{"match": "a"}],
            [{"match": "a", "prio": 1}],
            [{"priority": 1}],
        ),
        *([{"match": [], "priority": 1}], RULES),
    ],
    "exclude": [3, [3], [""], {"a": 1}],
    "include": [3, [3], [""], {"a": 1}],
    "ignore_reasons": [
        "invalid-url",
        ["duplicate-url"],
        [3],
        "No-Index",
        {"noindex": True},
    ],
    "template": [3],
    "url_scheme": [
        *(
            "{lang}",
            "{link}/",
            "{link}{link}",
            "{}{link}",
            "{x}{link}",
            "{link",
            3,
            "{{link}",
        ),
        *("{lang.x}{link}", "{lang!r}{link}", "{lang:>9}{link}"),
        *("?x={link}", "#{link}", "../{link}", "a/%2E./{link}"),
    ],
    "lastmod_changes": ["Text", True],
    "lastmod_date": ["Authored", "author", "committer", 1],
    "lastmod_fields": [3, [""], [None], {"updated": 1}],
    "lastmod_format": ["time", True],
    "shallow": ["unshallow", True],
    "ignore_revs_file": ["/etc/passwd", "../revs", "a/../../b", True, 3],
    "dependencies": [
        3,
        ["a"],
        {"": "a"},
        {3: "a"},
        {"a": 3},
        {"a": "/etc/passwd"},
        {"a": "C:/Windows"},
        {"a": "\\a"},
        {"a": [""]},
        (("a", ("b.py",)),),
    ],
    "ignore_dependencies": [3, [3], [""], ["/etc/passwd"]],
    "repository": [3, []],
    "report": [3, [], "mkdocs.yml", "site/sitemap.xml", "a\0.json", True],
    "ref": ["", "--all", "a b", "a\nb", 3],
    "language": [3],
    "version": [3],
    "locales": [
        *(
            3,
            [3],
            [""],
            ["xx"],
            ["de", None],
            "english",
            ["x-default"],
            {3: "de"},
            {"": "de"},
        ),
        *(
            {"xx": None},
            {"de": 3},
            {"de": "xx"},
            {"de": "de_DE"},
            {"de": "x-default"},
            {"de": ""},
        ),
        *(
            {"de": {"lang": "de"}},
            {"de": {"hreflang": 3}},
            {"de": {"path": 3}},
            {False: "nb"},
        ),
        *(
            {"de": {"path": path}}
            for path in ("/de", "a//b", "../de", "a/./b", "a\\b", "\udfff")
        ),
        {"de": {"path": "a"}, "en": {"path": "a/"}},
        LOCALES,
    ],
    "x_default": [3, ["en"]],
    "robots": ["perhaps", 2],
    "page_dates": ["perhaps", 2],
    "sources": [
        3,
        ["a"],
        {"a/": "b"},
        {"a": "b/"},
        {"a": "{name}"},
        {"{name}/{name}": "b"},
        {"": "b"},
        {"a": ["b"]},
    ],
    "source_dir": [3, [], "a\0"],
    "clean_urls": ["perhaps", 2],
    "min_dated": [-1, 101, "most", True, []],
}


@pytest.mark.parametrize("name", Options._fields)
def test_invalid_values_are_errors_that_name_the_option(name: str) -> None:
    for value in INVALID[name]:
        with pytest.raises(OptionError) as raised:
            read_options({name: value})
        ((option, message),) = raised.value.errors
        assert option == name
        assert "\n" not in message


def test_all_invalid_options_are_listed_at_once() -> None:
    with pytest.raises(OptionError) as raised:
        read_options(
            {
                "priority": 7,
                "gzip": "x",
                "rules": [{"match": 1}, {"match": "ok", "priority": 1}, {"mach": "a"}],
            }
        )
    assert [name for name, _ in raised.value.errors] == ["gzip", "priority", "rules"]
    assert "rule 1" in str(raised.value)
    assert "rule 2" not in str(raised.value)
    assert "rule 3: 'mach'" in str(raised.value)


def test_values_are_parsed_before_they_are_compared_with_each_other(
    tmp_path: Path,
) -> None:
    values: dict[str, object] = {"ref": "1.0", "template": "missing.xml"}
    names = errors_of(values | {"fliename": "a.xml", "gzip": "x"}, tmp_path)
    assert names == ["fliename", "gzip", "template"]
    assert errors_of(values, tmp_path) == ["ref", "template"]


def errors_of(values: dict[str, object], folder: Path) -> list[str]:
    with pytest.raises(OptionError) as raised:
        read_options(values, str(folder))
    return [name for name, _ in raised.value.errors]


def test_a_similar_name_is_suggested_for_an_unknown_option() -> None:
    with pytest.raises(OptionError, match=r"fliename: .* Fix: use filename instead"):
        read_options({"fliename": "a.xml"})


def test_valid_values_are_converted() -> None:
    options = read_options(
        {
            "base_url": "https://example.org",
            "gzip": 0,
            "lastmod": None,
            "priority": "0.5",
            "exclude": "a/*",
            "rules": [{"match": ["b/*"], "changefreq": "weekly", "priority": None}],
        }
    )
    assert options.base_url == "https://example.org/"
    assert options.gzip is False
    assert options.lastmod is True
    assert options.priority == 0.5
    assert options.exclude == ("a/*",)
    (rule,) = options.rules
    assert (rule.match, rule.changefreq, rule.priority) == (("b/*",), "weekly", None)
    assert str(read_options({"priority": -0.0}).priority) == "0.0"


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("priority", "0.5", 0.5),
        ("gzip", "no", False),
        ("ignore_revs_file", "false", ""),
        ("ignore_revs_file", "revs", "revs"),
        ("exclude", "drafts/*, old.md", ("drafts/*", "old.md")),
        ("exclude", "[ab]*", ("[ab]*",)),
        ("exclude", "[1]", ("[1]",)),
        ("exclude", "", ()),
        ("exclude", ["a, b.md"], ("a, b.md",)),
        ("ignore_reasons", "noindex,canonical", ("noindex", "canonical")),
        ("dependencies", {"a": "x.py, y.py"}, (("a", ("x.py", "y.py")),)),
    ],
)
def test_values_from_environment_variables_and_metadata_may_be_text(
    name: str, text: object, value: object
) -> None:
    assert getattr(read_options({name: text}), name) == value


def test_messages_name_options_as_their_reader_types_them() -> None:
    """Those of the Sphinx extension have other names: `test_log.py`."""
    with pytest.raises(OptionError) as caught:
        read_options({"ref": "main"})
    ((name, message),) = caught.value.errors
    assert name == "ref"
    assert message.startswith("the option repository ")


def _deep() -> list[object]:
    """Return what a few bytes of YAML can make with aliases: a list of 1,000,000,000
    items.
    """
    value: list[object] = ["x"]
    for _ in range(9):
        value = [value] * 10
    return value


DEEP = _deep()


def build_page(out: Path, overrides: object) -> BuildResult:
    return build(out, Page(url="a/", name="guide/a.md", overrides=overrides))


@pytest.mark.parametrize(
    "overrides", [False, "False", "no", {"exclude": True}, {"exclude": "on"}]
)
def test_a_page_can_exclude_itself(tmp_path: Path, overrides: object) -> None:
    report = build_page(tmp_path, overrides)
    assert [entry.reason for entry in report.excluded] == ["front-matter"]
    assert [one.code for one in report.diagnostics] == ["empty"]


@pytest.mark.parametrize(
    ("overrides", "lastmod", "changefreq", "priority"),
    [
        (None, None, None, None),
        (True, None, None, None),
        ({"exclude": False}, None, None, None),
        ({"lastmod": None}, None, None, None),
        ({"priority": "0.3"}, None, None, "0.3"),
        ({"priority": 0}, None, None, "0.0"),
        ({"changefreq": "never"}, None, "never", None),
        ({"lastmod": date(2024, 5, 1)}, "2024-05-01", None, None),
        ({"lastmod": "2024-05-01"}, "2024-05-01", None, None),
        ({"lastmod": date(24, 5, 1)}, "0024-05-01", None, None),
        (
            {"lastmod": datetime(2024, 5, 1, 12, tzinfo=UTC)},
            *("2024-05-01T12:00:00+00:00", None, None),
        ),
        (
            {"lastmod": datetime(2024, 5, 1, 12, 0, 0, 999)},
            "2024-05-01T12:00:00+00:00",
            None,
            None,
        ),
        (
            {"lastmod": "2024-05-01T00:30:00+02:00"},
            "2024-04-30T22:30:00+00:00",
            None,
            None,
        ),
        ({"lastmod": "2024-05-01T00:30:00Z"}, "2024-05-01T00:30:00+00:00", None, None),
        ({"lastmod": "2024-05-01 00:30"}, "2024-05-01T00:30:00+00:00", None, None),
    ],
)
def test_the_settings_of_a_page_are_used(
    tmp_path: Path,
    overrides: object,
    lastmod: str | None,
    changefreq: str | None,
    priority: str | None,
) -> None:
    report = build_page(tmp_path, overrides)
    assert report.diagnostics == ()
    (entry,) = report.listed
    values = (entry.url.lastmod, entry.url.changefreq, entry.url.priority)
    assert values == (lastmod, changefreq, priority)


@pytest.mark.parametrize(
    ("overrides", "named"),
    [
        ("perhaps", ["sitemap", "'perhaps'", "true, false, or a mapping"]),
        ([], ["sitemap", "[]"]),
        ({"prio": 1}, ["'prio'", "exclude, lastmod, changefreq, priority"]),
        ({3: 1}, ["3", "exclude, lastmod, changefreq, priority"]),
        ({"priority": 2}, ["the sitemap setting priority", "2", "from 0 to 1"]),
        (
            {"changefreq": "often"},
            ["the sitemap setting changefreq", "'often'", "always, hourly"],
        ),
        (
            {"lastmod": "May 2024"},
            ["the sitemap setting lastmod", "'May 2024'", "2026-05-31"],
        ),
        ({"lastmod": 2024}, ["the sitemap setting lastmod", "2024"]),
        ({"lastmod": "2024"}, ["the sitemap setting lastmod", "'2024'"]),
        (
            {"lastmod": "0001-01-01T00:00:00+14:00"},
            ["the sitemap setting lastmod", "0001-01-01"],
        ),
        ({"exclude": "maybe"}, ["the sitemap setting exclude", "'maybe'"]),
        ({"priority": 10**5000}, ["the sitemap setting priority", "<int>"]),
        ({"lastmod": DEEP}, ["the sitemap setting lastmod"]),
        ({"changefreq": DEEP}, ["the sitemap setting changefreq"]),
        ({"priority": DEEP}, ["the sitemap setting priority"]),
        ({"exclude": DEEP}, ["the sitemap setting exclude"]),
    ],
)
def test_an_invalid_setting_of_a_page_is_ignored_with_a_warning(
    tmp_path: Path, overrides: object, named: list[str]
) -> None:
    report = build_page(tmp_path, overrides)
    (entry,) = report.listed
    assert (entry.url.lastmod, entry.url.changefreq, entry.url.priority) == (
        None,
        None,
        None,
    )
    (one,) = report.diagnostics
    assert one.message.startswith("guide/a.md: ")
    assert one.code == "page"
    for part in named:
        assert part in one.message
    assert len(one.message) < 400


@given(st.floats(0, 1))
def test_priority_is_a_decimal_without_exponent(
    tmp_path_factory: pytest.TempPathFactory, value: float
) -> None:
    (entry,) = build_page(tmp_path_factory.getbasetemp(), {"priority": value}).listed
    text = str(entry.url.priority)
    assert re.fullmatch(r"[01]\.[0-9]{1,3}", text)
    assert abs(float(text) - value) <= 0.0005


def test_all_invalid_languages_are_listed_at_once() -> None:
    with pytest.raises(OptionError) as raised:
        read_options({"locales": {"xx": None, "de": "xx", "fr": {"path": ".."}}})
    assert all(f"'{code}': " in str(raised.value) for code in ("de", "fr"))
    assert "ISO 639-1" in str(raised.value)
