from __future__ import annotations

import re
from dataclasses import fields
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_sitemap import OPTIONS, OptionError, Options, Page, Rule
from docs_sitemap.overrides import Overrides, read_overrides
from docs_sitemap.values import check_lastmod, lastmod_text, priority_text

LONG = "a" * 101 + ".xml"
WRONG = {
    "base_url": ["example.org", 3],
    "filename": [
        "",
        "a/b.xml",
        "../s.xml",
        "sitemap.xml.gz",
        "a\\b.xml",
        "a\nb.xml",
        "\ud800.xml",
        "a" * 101 + ".xml",
        1,
    ],
    "gzip": ["perhaps", 2, [], 1.5],
    "lastmod": ["perhaps", 2],
    "changefreq": ["Weekly", "fortnightly", 1, []],
    "priority": [1.01, -0.1, "high", True, float("nan"), [], 10**400],
    "rules": [
        *({}, [3], [{}], [{"match": "a"}], [{"match": "a", "prio": 1}], [{"priority": 1}]),
        *([{"match": [], "priority": 1}], [Rule(("*",), None, 7)]),
    ],
    "exclude": [3, [3], [""], {"a": 1}],
    "include": [3, [3], [""], {"a": 1}],
    "overrule": ["url", ["duplicate"], [3], "No-Index", {"noindex": True}],
    "template": [3],
    "indent": [-1, 9, True, "2", 2.0],
    "url_scheme": [
        *("{lang}", "{link}/", "{link}{link}", "{}{link}", "{x}{link}", "{link", 3, "{{link}"),
        *("{lang.x}{link}", "{lang!r}{link}", "{lang:>9}{link}"),
        *("?x={link}", "#{link}", "../{link}", "a/%2E./{link}"),
    ],
    "lastmod_date": ["Author", 1],
    "lastmod_format": ["time", True],
    "lastmod_fallback": ["now", False],
    "first_parent": ["perhaps"],
    "shallow": ["unshallow", True],
    "ignore_revs_file": ["/etc/passwd", "../revs", "a/../../b", True, 3],
    "ignore_revs": ["1234567", [3], {"a": 1}, ["HEAD"]],
    "ignore_messages": ["(", [3], [""], 3],
    "ignore_authors": ["*", {}],
    "detect_dependencies": ["perhaps", 2],
    "dependencies": [3, ["a"], {"": "a"}, {3: "a"}, {"a": 3}, {"a": "/etc/passwd"}, {"a": [""]}],
    "repository": [3, []],
    "report": [3, [], "mkdocs.yml", "site/sitemap.xml"],
    "ref": ["", "--all", "a b", "a\nb", 3],
    "language": [3],
    "version": [3],
}


@pytest.mark.parametrize("name", [field.name for field in fields(Options)])
def test_wrong_values_are_named(name: str) -> None:
    for value in WRONG[name]:
        with pytest.raises(OptionError) as raised:
            Options(**{name: value})
        ((wrong, message),) = raised.value.errors
        assert wrong == name
        assert "\n" not in message


def test_all_wrong_options_are_listed_at_once() -> None:
    with pytest.raises(OptionError) as raised:
        Options(
            priority=7,
            gzip="x",  # type: ignore[arg-type]
            rules=[{"match": 1}, {"match": "ok", "priority": 1}, {"mach": "a"}],  # type: ignore[arg-type]
        )
    assert [name for name, _ in raised.value.errors] == ["gzip", "priority", "rules"]
    assert "rule 1" in str(raised.value)
    assert "rule 2" not in str(raised.value)
    assert "rule 3: 'mach' is not one of match, changefreq, priority" in str(raised.value)


def test_values_in_normal_form() -> None:
    options = Options(
        base_url="https://example.org",
        gzip=0,  # type: ignore[arg-type]
        lastmod=None,  # type: ignore[arg-type]
        priority="0.5",  # type: ignore[arg-type]
        exclude="a/*",  # type: ignore[arg-type]
        rules=[{"match": ["b/*"], "changefreq": "weekly", "priority": None}],  # type: ignore[arg-type]
    )
    assert options.base_url == "https://example.org/"
    assert options.gzip is False
    assert options.lastmod is True
    assert options.priority == 0.5
    assert options.exclude == ("a/*",)
    (rule,) = options.rules
    assert (rule.match, rule.changefreq, rule.priority) == (("b/*",), "weekly", None)
    assert Options(rules=(rule,)).rules == (Rule(("b/*",), rule.changefreq),)


def test_each_option_is_described_once() -> None:
    assert [option.name for option in OPTIONS] == [field.name for field in fields(Options)]
    for option in OPTIONS:
        assert option.meaning.endswith(".")
        assert getattr(Options(), option.name) == option.default


def test_reference_page_says_what_the_table_says() -> None:
    page = (Path(__file__).parents[2] / "docs" / "options.md").read_text(encoding="utf-8")
    documented = re.findall(r"^## `(\w+)`\n\n(.+\n\n(?:\|.+\n?)+)", page, flags=re.M)
    assert [(name, text.rstrip()) for name, text in documented] == [
        (option.name, reference(option.name))
        for option in OPTIONS
        if option.mkdocs or option.sphinx
    ]


def reference(name: str) -> str:
    """What docs/options.md must say of an option, word for word."""
    (option,) = (option for option in OPTIONS if option.name == name)
    default = {(): "none", None: "none", True: "`true`", False: "`false`"}.get(
        option.default, f"`{option.default}`"
    )
    return (
        f"{option.meaning}\n\n| in `mkdocs.yml` | in `conf.py` | type | default |\n"
        "| --- | --- | --- | --- |\n"
        f"| {f'`{option.mkdocs}`' if option.mkdocs else '-'} "
        f"| {f'`{option.sphinx}`' if option.sphinx else '-'} | {option.type} | {default} |"
    )


def _deep() -> list[object]:
    """What a few YAML aliases make of a few bytes: a list of a thousand million items."""
    value: list[object] = ["x"]
    for _ in range(9):
        value = [value] * 10
    return value


DEEP = _deep()


def page(overrides: object) -> Page:
    return Page(url="a/", name="guide/a.md", overrides=overrides)


@pytest.mark.parametrize(
    ("raw", "overrides"),
    [
        (None, Overrides()),
        (False, Overrides(exclude=True)),
        ("False", Overrides(exclude=True)),
        ("no", Overrides(exclude=True)),
        (True, Overrides(exclude=False)),
        ({"exclude": True}, Overrides(exclude=True)),
        ({"priority": "0.3"}, Overrides(priority=0.3)),
        ({"priority": 0}, Overrides(priority=0.0)),
        ({"lastmod": date(2024, 5, 1)}, Overrides(lastmod=date(2024, 5, 1))),
        ({"lastmod": "2024-05-01"}, Overrides(lastmod=date(2024, 5, 1))),
        ({"lastmod": None}, Overrides()),
    ],
)
def test_overrides_of_a_page(raw: object, overrides: Overrides) -> None:
    assert read_overrides(page(raw)) == (overrides, [])


@pytest.mark.parametrize(
    ("raw", "named"),
    [
        ("perhaps", ["sitemap", "'perhaps'", "true, false or a mapping"]),
        ([], ["sitemap", "[]"]),
        ({"prio": 1}, ["'prio'", "exclude, lastmod, changefreq, priority"]),
        ({3: 1}, ["3", "exclude, lastmod, changefreq, priority"]),
        ({"priority": 2}, ["sitemap priority", "2", "from 0.0 to 1.0"]),
        ({"changefreq": "often"}, ["sitemap changefreq", "'often'", "always, hourly"]),
        ({"lastmod": "May 2024"}, ["sitemap lastmod", "'May 2024'", "2026-05-31"]),
        ({"lastmod": 2024}, ["sitemap lastmod", "2024"]),
        ({"lastmod": "2024"}, ["sitemap lastmod", "'2024'"]),
        ({"lastmod": "0001-01-01T00:00:00+14:00"}, ["sitemap lastmod", "0001-01-01"]),
        ({"exclude": "maybe"}, ["sitemap exclude", "'maybe'"]),
        ({"priority": 10**5000}, ["sitemap priority", "<int>"]),
        ({"lastmod": DEEP}, ["sitemap lastmod"]),
        ({"changefreq": DEEP}, ["sitemap changefreq"]),
        ({"priority": DEEP}, ["sitemap priority"]),
        ({"exclude": DEEP}, ["sitemap exclude"]),
    ],
)
def test_a_wrong_value_on_a_page_is_left_out_with_a_warning(raw: object, named: list[str]) -> None:
    overrides, (problem,) = read_overrides(page(raw))
    assert overrides == Overrides()
    assert problem.message.startswith("guide/a.md: ")
    assert problem.kind == "page"
    for part in named:
        assert part in problem.message
    assert len(problem.message) < 400


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (date(2024, 5, 1), "2024-05-01"),
        (date(24, 5, 1), "0024-05-01"),
        (datetime(2024, 5, 1, 12, tzinfo=UTC), "2024-05-01T12:00:00+00:00"),
        (datetime(2024, 5, 1, 12, 0, 0, 999), "2024-05-01T12:00:00+00:00"),
        ("2024-05-01T00:30:00+02:00", "2024-04-30T22:30:00+00:00"),
        ("2024-05-01T00:30:00Z", "2024-05-01T00:30:00+00:00"),
        ("2024-05-01 00:30", "2024-05-01T00:30:00+00:00"),
    ],
)
def test_lastmod_is_a_w3c_datetime_in_utc(value: object, text: str) -> None:
    assert lastmod_text(check_lastmod(value)) == text


@given(st.floats(0, 1))
def test_priority_is_a_decimal_without_exponent(value: float) -> None:
    text = priority_text(value)
    assert re.fullmatch(r"[01]\.[0-9]{1,3}", text)
    assert abs(float(text) - value) <= 0.0005
