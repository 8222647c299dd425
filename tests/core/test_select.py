"""Selection: the built site is the truth, patterns say what users mean, all can be overruled."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from docs_sitemap import Options, Page, ProblemKind, Reason, Report, build_sitemap
from docs_sitemap.site import page_url

BASE = "https://example.org/docs/"

ROBOTS = "<title>x</title><meta name=robots content=noindex>"
REFRESH = "<meta http-equiv=refresh content='0; url=../elsewhere/'>"
CANONICAL = "<link rel=canonical href='https://example.org/docs/elsewhere/'>"


def build(out: Path, *pages: Page, **options: Any) -> Report:
    return build_sitemap(pages, Options(**{"base_url": BASE, "lastmod": False} | options), out)


def built(out: Path, path: str, html: str = "<title>x</title>", **more: Any) -> Page:
    """A page that was built: its file, and what a generator says of it."""
    file = out / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(html)
    return Page(**{"url": page_url(path), "name": path, "output": str(file)} | more)


def reasons(report: Report) -> dict[str, tuple[Reason, str]]:
    return {entry.page.name: (entry.reason, entry.detail) for entry in report.excluded}


def listed(report: Report) -> list[str]:
    return [entry.url.loc.removeprefix(BASE) for entry in report.listed]


def test_the_head_of_a_page_keeps_it_out_for_one_reason(tmp_path: Path) -> None:
    pages = {
        "index.html": "<link rel=canonical href=https://example.org/docs/>",
        "self/index.html": "<link rel=canonical href=https://EXAMPLE.org/docs/self/index.html>",
        "robots/index.html": ROBOTS,
        "refresh/index.html": REFRESH + ROBOTS + CANONICAL,
        "canonical/index.html": CANONICAL,
        "both/index.html": CANONICAL + ROBOTS,
        "tracked/index.html": "<link rel=canonical href=https://example.org/docs/tracked/?a=1>",
        "secure/index.html": "<link rel=canonical href=http://example.org/docs/secure/>",
        "body/index.html": f"<body>{ROBOTS}{REFRESH}{CANONICAL}",
    }
    report = build(tmp_path, *(built(tmp_path, path, html) for path, html in pages.items()))
    assert listed(report) == ["", "body/", "self/"]
    assert reasons(report) == {
        "robots/index.html": (Reason.NOINDEX, "robots: noindex"),
        "refresh/index.html": (Reason.REDIRECT, f"{BASE}elsewhere/"),
        "canonical/index.html": (Reason.CANONICAL, f"{BASE}elsewhere/"),
        "both/index.html": (Reason.NOINDEX, "robots: noindex"),
        "tracked/index.html": (Reason.CANONICAL, f"{BASE}tracked/?a=1"),
        "secure/index.html": (Reason.CANONICAL, "http://example.org/docs/secure/"),
    }
    assert report.problems == ()


def everything(out: Path, **asks: Any) -> list[Page]:
    """A page for each reason that can be overruled."""
    return [
        built(out, "page.html", overrides=False),
        built(out, "utility.html", utility=True, **asks),
        built(out, "pattern.html", **asks),
        built(out, "redirect.html", REFRESH, **asks),
        built(out, "noindex.html", ROBOTS, **asks),
        built(out, "canonical.html", CANONICAL, **asks),
        Page(url="not-written.html", name="not-written.html", output=str(out / "no"), **asks),
    ]


def test_every_reason_can_be_overruled_by_an_option(tmp_path: Path) -> None:
    pages = everything(tmp_path)
    names = {page.name.removesuffix(".html") for page in pages}
    nothing = build(tmp_path, *pages, exclude=["pattern.html"])
    assert {str(reason) for reason, _ in reasons(nothing).values()} == names
    assert [problem.kind for problem in nothing.problems] == [ProblemKind.EMPTY]
    for name in names:
        report = build(tmp_path, *pages, exclude=["pattern.html"], overrule=[name])
        assert listed(report) == [f"{name}.html"]
        assert report.problems == ()
        included = build(tmp_path, *pages, exclude=["pattern.html"], include=[f"{name}.html"])
        # No wish makes a file, nor does it outdo the page: an option of that name must say so.
        asked_in = name not in ("not-written", "page")
        assert listed(included) == ([f"{name}.html"] if asked_in else [])


def test_every_reason_but_a_missing_file_can_be_overruled_by_the_page(tmp_path: Path) -> None:
    pages = everything(tmp_path, overrides={"exclude": False})
    report = build(tmp_path, *pages, exclude=["*"])
    assert set(reasons(report)) == {"page.html", "not-written.html"}


def test_of_pages_with_one_url_the_one_that_is_asked_for_is_listed(tmp_path: Path) -> None:
    asked = built(tmp_path, "a.html", name="asked.md", overrides=True)
    other = built(tmp_path, "a.html", name="other.md")
    for pages in ((asked, other), (other, asked)):
        report = build(tmp_path, *pages)
        assert [entry.page.name for entry in report.listed] == ["asked.md"]
        assert reasons(report) == {"other.md": (Reason.DUPLICATE, "asked.md")}
    late = built(tmp_path, "a.html", name="late.md", overrides=True)
    assert [entry.page.name for entry in build(tmp_path, asked, late).listed] == ["late.md"]


def test_a_canonical_link_that_the_tool_gets_wrong_keeps_no_page_out(tmp_path: Path) -> None:
    page = built(tmp_path, "a.html", CANONICAL, canonicals=frozenset([f"{BASE}elsewhere/"]))
    other = built(tmp_path, "b.html", CANONICAL, canonicals=frozenset([f"{BASE}b/"]))
    assert listed(build(tmp_path, page, other)) == ["a.html"]


def test_include_lists_other_html_files_of_the_output(tmp_path: Path) -> None:
    for path in ("api/index.html", "api/class a.html", "api/.hidden.html", "old.html", "404.html"):
        built(tmp_path, path, REFRESH)
    (tmp_path / "api/style.css").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "api")
    page = built(tmp_path, "index.html")
    report = build(tmp_path, page, include=["api/*", "old.html"])
    assert listed(report) == ["", "api/", "api/class%20a.html", "old.html"]
    assert listed(build(tmp_path, page)) == [""]
    linked = build(tmp_path, page, include=["link/*"])
    assert listed(linked) == [""], "links are not followed"
    assert "the pattern 'link/*' matches no page" in linked.problems[0].message


@pytest.mark.parametrize("option", ["exclude", "include", "rules", "dependencies"])
def test_a_pattern_that_matches_nothing_is_named(tmp_path: Path, option: str) -> None:
    value: Any = {
        "rules": [{"match": ["index.html", "x/*"], "priority": 1}],
        "dependencies": {"x/*": ["a"]},
    }.get(option, ["index.html", "x/*"])
    report = build(tmp_path, built(tmp_path, "index.html"), built(tmp_path, "b"), **{option: value})
    assert [problem.kind for problem in report.problems] == [ProblemKind.PATTERN]
    assert report.problems[0].message.startswith("the pattern 'x/*' matches no page")
    # It does mean something, if not a page of ours.
    built(tmp_path, "x/search.html")
    report = build(tmp_path, built(tmp_path, "index.html"), built(tmp_path, "b"), **{option: value})
    assert report.problems == ()


DIRECTORY = ("guide/index.html", "guide/set up/index.html", "index.html")
FILES = ("guide/index.html", "guide/set up.html", "index.html")
EXTENSIONLESS = ("guide/index.html", "guide/set up", "index.html")


@pytest.mark.parametrize("outputs", [DIRECTORY, FILES, EXTENSIONLESS])
@pytest.mark.parametrize(
    ("pattern", "page"),
    [
        *((pattern, 0) for pattern in ("guide/index.md", "guide/index", "guide/", "guide")),
        *((pattern, 0) for pattern in ("guide/index.html", "/guide/", "docs/guide/", "gu?de")),
        *((pattern, 0) for pattern in ("sources/guide/index.md", "sources/guide/index")),
        *((pattern, 1) for pattern in ("guide/set up.md", "guide/set up", "guide/set%20up")),
        *(
            (pattern, 1)
            for pattern in ("guide/set up/", "guide/set up.html", "guide/set%20up.html")
        ),
        *((pattern, 1) for pattern in ("guide/set up/index.html", "/docs/guide/set%20up/")),
        *((pattern, 1) for pattern in ("./guide/set up.md", "sources/guide/set up.md", "*/set*")),
        *((pattern, 2) for pattern in ("index.md", "index", "index.html", "/", "docs/", "/docs/")),
        ("https://example.org/docs/", 2),
        ("https://example.org/docs", 2),
        *((f"https://example.org/docs/guide/set%20up{end}", 1) for end in ("", "/", ".html")),
        ("Guide/", None),
        ("guide/set", None),
        ("uide/", None),
    ],
)
def test_patterns_under_every_url_style(
    tmp_path: Path, outputs: tuple[str, ...], pattern: str, page: int | None
) -> None:
    names = ("guide/index.md", "guide/set up.md", "index.md")
    pages = [
        built(tmp_path, output, name=name, sources=(str(tmp_path / "sources" / name),))
        for output, name in zip(outputs, names, strict=True)
    ]
    options = Options(base_url=BASE, lastmod=False, exclude=[pattern])  # type: ignore[arg-type]
    report = build_sitemap(pages, options, tmp_path, root=tmp_path)
    assert [*reasons(report)] == ([] if page is None else [names[page]])
    assert bool(report.problems) is (page is None)


def test_plain_names_go_before_whole_ones(tmp_path: Path) -> None:
    names = ("index.html", "docs/index.html", "docs/a.html", "a.html")
    pages = [built(tmp_path, name) for name in names]
    for pattern, left in {
        "docs/*": ["", "a.html"],
        "docs/": ["", "a.html", "docs/a.html"],
        "docs/index.html": ["", "a.html", "docs/a.html"],
        "/docs/a.html": ["", "a.html", "docs/"],
        "docs/docs/*": ["", "a.html", "docs/"],
    }.items():
        assert listed(build(tmp_path, *pages, exclude=[pattern])) == left, pattern


@pytest.mark.parametrize(
    ("pattern", "out"),
    [
        ("sub/*", ["sub/a/index.html", "sub/index.html"]),
        ("guide/*", []),
        (
            "*/index.html",
            ["a[1]/index.html", "sub/a/index.html", "sub/index.html", "\xfc/index.html"],
        ),
        ("*gui*", ["guide.md"]),
        ("[!ags]*index*", ["\xfc/index.html"]),
        ("u\u0308/", ["\xfc/index.html"]),
        ("a[1]/", ["a[1]/index.html"]),
        ("a[1]*", ["a1.md"]),
        ("a[[]1]*", ["a[1]/index.html"]),
    ],
)
def test_patterns_mean_no_more_than_they_say(tmp_path: Path, pattern: str, out: list[str]) -> None:
    pages = [
        *(built(tmp_path, f"{name}/index.html", name=f"{name}.md") for name in ("guide", "a1")),
        built(tmp_path, "index.html", name="index.md"),
        *(built(tmp_path, f"{name}/index.html") for name in ("sub", "sub/a", "\xfc", "a[1]")),
    ]
    report = build(tmp_path, *pages, exclude=[pattern])
    assert [*reasons(report)] == out


@pytest.mark.parametrize(
    ("pattern", "out"),
    [
        ("**/internal.md", ["a/b/internal.md", "a/internal.md", "ca/internal.md", "internal.md"]),
        ("**/a/**/internal.md", ["a/b/internal.md", "a/internal.md"]),
        ("a/**/*", ["a/b/internal.md", "a/internal.md"]),
        ("a/**", ["a/b/internal.md", "a/internal.md"]),
        ("a/**/**/b/*.md", ["a/b/internal.md"]),
        ("**", ["a.md", "a/b/internal.md", "a/internal.md", "ca/internal.md", "internal.md"]),
    ],
)
def test_two_stars_and_a_slash_stand_for_folders_or_none(
    tmp_path: Path, pattern: str, out: list[str]
) -> None:
    names = ("internal", "a", "a/internal", "a/b/internal", "ca/internal")
    pages = [built(tmp_path, f"{name}/index.html", name=f"{name}.md") for name in names]
    report = build(tmp_path, *pages, exclude=[pattern])
    assert [*reasons(report)] == out


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("api/*.html", ["api/static.html"]),
        ("api/hidden*.html", ["api/hidden/"]),
        ("guide/", ["guide/"]),
        ("guide.html", ["guide.html"]),
        ("old/*.html", ["old/b/"]),
        ("old/a.html", ["old/a/"]),
        ("old/*", ["old/a/", "old/b/"]),
    ],
)
def test_pages_and_other_html_are_called_by_the_same_rules(
    tmp_path: Path, pattern: str, found: list[str]
) -> None:
    """A static file of that name goes before a page of another URL style, and the other way."""
    names = ("api/hidden", "guide", "old/a")
    pages = [built(tmp_path, f"{name}/index.html", ROBOTS, name=f"{name}.md") for name in names]
    for static in ("api/static.html", "guide.html", "old/b/index.html"):
        built(tmp_path, static, REFRESH)
    assert listed(build(tmp_path, *pages, include=[pattern])) == found


@pytest.mark.parametrize("pattern", ["*.html", "api/*.html", "api/**/*.html", "api/"])
def test_no_other_html_keeps_a_page_from_its_rule(tmp_path: Path, pattern: str) -> None:
    page = built(tmp_path, "api/intro/index.html", name="api/intro.md")
    index = built(tmp_path, "api/index.html", name="api.md")
    for static in ("404.html", "api/static.html", "api.html"):
        built(tmp_path, static)
    rules = [{"match": pattern, "priority": 0.3}]
    report = build(tmp_path, page, index, rules=rules, include=["api/static.html"])
    assert report.problems == ()
    priorities = {entry.url.loc: entry.url.priority for entry in report.listed}
    assert priorities[f"{BASE}api/intro/"] == (None if pattern == "api/" else "0.3")
    assert priorities[f"{BASE}api/"] == ("0.3" if pattern in ("*.html", "api/") else None)
    assert priorities[f"{BASE}api/static.html"] == (None if pattern == "api/" else "0.3")
    left = listed(build(tmp_path, page, index, exclude=[pattern]))
    assert left == [url for url in ("api/", "api/intro/") if priorities[BASE + url] is None]


@pytest.mark.parametrize("pattern", ["*/**/*/index.html", "v*/**/*.html", "v*/**/[!x]*/*x.html"])
def test_folders_between_stars(tmp_path: Path, pattern: str) -> None:
    for name in ("v1/a/index.html", "v1/index.html", "v1/b/c/index.html"):
        built(tmp_path, name)
    found = listed(build(tmp_path, include=[pattern]))
    assert found == ["v1/"] * (pattern == "v*/**/*.html") + ["v1/a/", "v1/b/c/"]


def test_a_static_index_has_its_own_name(tmp_path: Path) -> None:
    for name in ("api/index.html", "api/Foo.html", "api.html"):
        built(tmp_path, name)
    assert listed(build(tmp_path, include=["api/*.html"])) == ["api/", "api/Foo.html"]
    for pattern in ("api/index.html", "api/index", "**/index"):
        assert listed(build(tmp_path, include=[pattern])) == ["api/"]
    page = built(tmp_path, "guide/index.html", name="guide/index.md")
    built(tmp_path, "guide.html")
    report = build(tmp_path, page, exclude=["guide/index.html"])
    assert reasons(report) == {"guide/index.md": (Reason.PATTERN, "guide/index.html")}


def test_an_exact_name_goes_before_a_shorter_one(tmp_path: Path) -> None:
    names = ("guide", "guide/index", "v1", "v1.0", "v1.0.1")
    links = [
        built(tmp_path, f"{name}.html", name=f"{name}.rst", url=name, sources=(f"/{name}.rst",))
        for name in names
    ]
    files = [replace(page, url=f"{page.url}.html") for page in links]
    for pages in (links, files):
        for name in names:
            report = build(tmp_path, *pages, exclude=[name])
            assert [*reasons(report)] == [f"{name}.rst"]


def test_other_html_that_is_excluded_is_in_the_report(tmp_path: Path) -> None:
    page, _ = built(tmp_path, "index.html"), built(tmp_path, "raw.html")
    report = build(tmp_path, page, exclude=["raw.html"])
    assert reasons(report) == {"raw.html": (Reason.PATTERN, "raw.html")}
    assert report.problems == ()


def test_a_page_of_that_url_goes_before_one_of_another_style(tmp_path: Path) -> None:
    page, index = built(tmp_path, "guide.html"), built(tmp_path, "guide/index.html")
    for pattern, left in {"guide/": page, "guide.html": index, "guide/index.html": page}.items():
        report = build(tmp_path, page, index, exclude=[pattern])
        assert [entry.page for entry in report.listed] == [left]
    report = build(tmp_path, page, index, exclude=["*/index.html"])
    assert [entry.page for entry in report.listed] == [page]


def test_an_unreadable_page_is_listed_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = built(tmp_path, "a.html", ROBOTS)
    monkeypatch.setattr("os.open", _refuse)
    report = build(tmp_path, page)
    assert listed(report) == ["a.html"]
    assert "a.html: its page cannot be read" in report.problems[0].message


def _refuse(*_: object) -> int:
    raise PermissionError(13, "Permission denied", "a.html")
