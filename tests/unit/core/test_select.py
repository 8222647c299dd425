"""Selection: the built site decides, patterns match what users write, reasons can be
ignored.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from support.builds import (
    BASE_URL as BASE,
    as_sources,
    build,
    build_site,
    paths as listed,
)
from support.platforms import needs_posix

from docs_sitemap import BuildResult, ExclusionReason, Page, quote_path, read_options

ROBOTS = "<title>x</title><meta name=robots content=noindex>"
REFRESH = "<meta http-equiv=refresh content='0; url=../elsewhere/'>"
CANONICAL = "<link rel=canonical href='https://example.org/docs/elsewhere/'>"
COVERAGE = "<title>Coverage report</title><script src=coverage_html.js></script>"


def built(out: Path, path: str, html: str = "<title>x</title>", **details: Any) -> Page:
    """Write an HTML file, and return its page as a generator describes it."""
    file = out / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(html)
    url = quote_path(path.removesuffix("index.html") if is_index(path) else path)
    return Page(**{"url": url, "name": path, "output": str(file)} | details)


def is_index(path: str) -> bool:
    return path.rpartition("/")[2] == "index.html"


def reasons(report: BuildResult) -> dict[str, tuple[ExclusionReason | None, str]]:
    return {entry.page.name: (entry.reason, entry.detail) for entry in report.excluded}


def test_the_head_of_a_page_excludes_it_for_one_reason(tmp_path: Path) -> None:
    pages = {
        "index.html": "<link rel=canonical href=https://example.org/docs/>",
        "self/index.html": "<link rel=canonical href=https://EXAMPLE.org/docs/self/index.html>",
        "robots/index.html": ROBOTS,
        "refresh/index.html": REFRESH + ROBOTS + CANONICAL,
        "canonical/index.html": CANONICAL,
        "both/index.html": CANONICAL + ROBOTS,
        "tracked/index.html": "<link rel=canonical href=https://example.org/docs/tracked/?a=1>",
        "secure/index.html": "<link rel=canonical href=http://example.org/docs/secure/>",
        "coverage/index.html": COVERAGE,
        "body/index.html": f"<body>{ROBOTS}{REFRESH}{CANONICAL}{COVERAGE}",
    }
    report = build(
        tmp_path, *(built(tmp_path, path, html) for path, html in pages.items())
    )
    assert listed(report) == ["", "body/", "self/"]
    assert reasons(report) == {
        "robots/index.html": (ExclusionReason.NOINDEX, "robots: noindex"),
        "refresh/index.html": (ExclusionReason.REDIRECT, f"{BASE}elsewhere/"),
        "canonical/index.html": (ExclusionReason.CANONICAL, f"{BASE}elsewhere/"),
        "both/index.html": (ExclusionReason.NOINDEX, "robots: noindex"),
        "tracked/index.html": (ExclusionReason.CANONICAL, f"{BASE}tracked/?a=1"),
        "secure/index.html": (
            ExclusionReason.CANONICAL,
            "http://example.org/docs/secure/",
        ),
        "coverage/index.html": (ExclusionReason.COVERAGE_REPORT, "coverage_html.js"),
    }
    assert report.diagnostics == ()


def one_page_per_reason(out: Path, **details: Any) -> list[Page]:
    """Return a page for each reason that can be ignored. The reason is in the name of
    the page.
    """
    missing = str(out / "missing.html")
    return [
        built(out, "front-matter.html", overrides=False),
        built(out, "generator-page.html", generator_page=True, **details),
        built(out, "no-title.html", is_fragment=True, **details),
        built(out, "exclude-pattern.html", **details),
        built(out, "redirect.html", REFRESH, **details),
        built(out, "noindex.html", ROBOTS, **details),
        built(out, "canonical.html", CANONICAL, **details),
        built(out, "coverage-report.html", COVERAGE, **details),
        Page(
            url="not-written.html", name="not-written.html", output=missing, **details
        ),
    ]


def test_every_reason_can_be_ignored_by_an_option(tmp_path: Path) -> None:
    pages = one_page_per_reason(tmp_path)
    names = {page.name.removesuffix(".html") for page in pages}
    options: dict[str, Any] = {"exclude": ["exclude-pattern.html"]}
    report = build(tmp_path, *pages, **options)
    assert {str(reason) for reason, _ in reasons(report).values()} == names
    assert [one.code for one in report.diagnostics] == ["empty"]
    for name in names:
        report = build(tmp_path, *pages, **options, ignore_reasons=[name])
        assert listed(report) == [f"{name}.html"]
        assert report.diagnostics == ()
        report = build(tmp_path, *pages, **options, include=[f"{name}.html"])
        # `include` cannot make a file, and the page itself has priority.
        is_included = name not in ("not-written", "front-matter")
        assert listed(report) == ([f"{name}.html"] if is_included else [])


def test_every_reason_except_a_missing_file_can_be_ignored_by_the_page(
    tmp_path: Path,
) -> None:
    pages = one_page_per_reason(tmp_path, overrides={"exclude": False})
    report = build(tmp_path, *pages, exclude=["*"])
    assert set(reasons(report)) == {"front-matter.html", "not-written.html"}


def test_of_pages_with_the_same_url_the_requested_one_is_listed(tmp_path: Path) -> None:
    requested = built(tmp_path, "a.html", name="requested.md", overrides=True)
    other = built(tmp_path, "a.html", name="other.md")
    for pages in ((requested, other), (other, requested)):
        report = build(tmp_path, *pages)
        assert [entry.page.name for entry in report.listed] == ["requested.md"]
        assert reasons(report) == {
            "other.md": (ExclusionReason.DUPLICATE_URL, "requested.md")
        }
    late = built(tmp_path, "a.html", name="late.md", overrides=True)
    assert [entry.page.name for entry in build(tmp_path, requested, late).listed] == [
        "late.md"
    ]


def test_the_first_of_several_patterns_is_the_reason(tmp_path: Path) -> None:
    report = build(tmp_path, built(tmp_path, "ab.html"), exclude=["a*", "*b.html"])
    pattern = (ExclusionReason.EXCLUDE_PATTERN, "a*")
    assert reasons(report) == {"ab.html": pattern}


def test_an_incorrect_canonical_link_of_the_generator_excludes_no_page(
    tmp_path: Path,
) -> None:
    page = built(
        tmp_path, "a.html", CANONICAL, canonicals=frozenset([f"{BASE}elsewhere/"])
    )
    other = built(tmp_path, "b.html", CANONICAL, canonicals=frozenset([f"{BASE}b/"]))
    spelled = f"{BASE}elsewhere/".replace("example", "EXAMPLE").replace("w", "%77")
    third = built(tmp_path, "c.html", CANONICAL, canonicals=frozenset([spelled]))
    assert listed(build(tmp_path, page, other, third)) == ["a.html", "c.html"]


@needs_posix
def test_include_lists_other_html_files_of_the_output(tmp_path: Path) -> None:
    for path in (
        "api/index.html",
        "api/class a.html",
        "api/.hidden.html",
        "old.html",
        "404.html",
    ):
        built(tmp_path, path, REFRESH)
    (tmp_path / "api/style.css").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "api")
    page = built(tmp_path, "index.html")
    report = build(tmp_path, page, include=["api/*", "old.html"])
    assert listed(report) == ["", "api/", "api/class%20a.html", "old.html"]
    assert listed(build(tmp_path, page)) == [""]
    linked = build(tmp_path, page, include=["link/*"])
    assert listed(linked) == [""], "links are not followed"
    assert "'link/*' of the option" in linked.diagnostics[0].message


@pytest.mark.parametrize("option", ["exclude", "include", "rules", "dependencies"])
def test_a_pattern_that_matches_nothing_is_one_warning(
    tmp_path: Path, option: str
) -> None:
    value: Any = {
        "rules": [{"match": ["index.html", "x/*"], "priority": 1}],
        "dependencies": {"x/*": ["a"]},
    }.get(option, ["index.html", "x/*"])
    report = build(
        tmp_path, built(tmp_path, "index.html"), built(tmp_path, "b"), **{option: value}
    )
    (one,) = report.diagnostics
    assert one.code == "pattern"
    assert f"'x/*' of the option {option}" in one.message
    # A file that is not a page of the generator counts, too.
    built(tmp_path, "x/search.html")
    report = build(
        tmp_path, built(tmp_path, "index.html"), built(tmp_path, "b"), **{option: value}
    )
    assert report.diagnostics == ()


def test_a_pattern_that_matches_nothing_is_one_warning_for_each_option(
    tmp_path: Path,
) -> None:
    report = build(
        *(tmp_path, built(tmp_path, "index.html")),
        exclude=["x"],
        include=["x"],
        rules=[{"match": "x", "priority": 1}],
    )
    for one, option in zip(
        report.diagnostics, ("include", "exclude", "rules"), strict=True
    ):
        assert f"'x' of the option {option}" in one.message


def test_patterns_for_pages_of_the_generator_are_no_warning(tmp_path: Path) -> None:
    page = built(tmp_path, "index.html")
    patterns = [
        "search.html",
        "search*",
        "404/",
        "_modules/*",
        "api/search",
        "found.html",
    ]
    options = read_options(
        {"base_url": BASE, "lastmod": False, "exclude": patterns, "include": ["404"]}
    )
    report = build_site([page], options, tmp_path)
    unmatched = [one.message.split("'")[1] for one in report.diagnostics]
    assert unmatched == ["404", "api/search", "found.html"], "include needs the page"


# The files of the same three pages in three URL styles.
FOLDERS = ("guide/index.html", "guide/set up/index.html", "index.html")
FILES = ("guide/index.html", "guide/set up.html", "index.html")
NO_SUFFIXES = ("guide/index.html", "guide/set up", "index.html")


@pytest.mark.parametrize("outputs", [FOLDERS, FILES, NO_SUFFIXES])
@pytest.mark.parametrize(
    ("pattern", "page"),
    [
        *(
            (pattern, 0)
            for pattern in ("guide/index.md", "guide/index", "guide/", "guide")
        ),
        *(
            (pattern, 0)
            for pattern in ("guide/index.html", "/guide/", "docs/guide/", "gu?de")
        ),
        *(
            (pattern, 0)
            for pattern in ("sources/guide/index.md", "sources/guide/index")
        ),
        *(
            (pattern, 1)
            for pattern in ("guide/set up.md", "guide/set up", "guide/set%20up")
        ),
        *(
            (pattern, 1)
            for pattern in ("./guide/set up.md", "sources/guide/set up.md", "*/set*")
        ),
        ("https://example.org/docs/guide/set%20up", 1),
        *(
            (pattern, 2)
            for pattern in ("index.md", "index", "index.html", "/", "docs/", "/docs/")
        ),
        *(
            (pattern, 2)
            for pattern in ("https://example.org/docs/", "https://example.org/docs")
        ),
        *((pattern, None) for pattern in ("Guide/", "guide/set", "uide/")),
    ],
)
def test_patterns_for_any_url_style(
    tmp_path: Path, outputs: tuple[str, ...], pattern: str, page: int | None
) -> None:
    assert_excludes(tmp_path, outputs, pattern, page)


@pytest.mark.parametrize(
    ("pattern", "outputs"),
    [
        *((f"{start}guide/set up/", FOLDERS) for start in ("", "/docs/")),
        *((f"{start}guide/set%20up/", FOLDERS) for start in ("", "/docs/", BASE)),
        ("guide/set up/index.html", FOLDERS),
        *((f"{start}guide/set up.html", FILES) for start in ("", "/docs/")),
        *((f"{start}guide/set%20up.html", FILES) for start in ("", "/docs/", BASE)),
    ],
)
def test_patterns_for_one_url_style_match_no_other(
    tmp_path: Path, pattern: str, outputs: tuple[str, ...]
) -> None:
    for number, style in enumerate((FOLDERS, FILES, NO_SUFFIXES)):
        assert_excludes(
            tmp_path / str(number), style, pattern, 1 if style == outputs else None
        )


def assert_excludes(
    folder: Path, outputs: tuple[str, ...], pattern: str, page: int | None
) -> None:
    names = ("guide/index.md", "guide/set up.md", "index.md")
    pages = [
        built(folder, output, name=name, sources=as_sources(folder / "sources" / name))
        for output, name in zip(outputs, names, strict=True)
    ]
    options = read_options({"base_url": BASE, "lastmod": False, "exclude": [pattern]})
    report = build_site(pages, options, folder, root=folder)
    assert [*reasons(report)] == ([] if page is None else [names[page]])
    assert bool(report.diagnostics) is (page is None)


def test_relative_names_have_priority_over_complete_ones(tmp_path: Path) -> None:
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
            [
                "a[1]/index.html",
                "sub/a/index.html",
                "sub/index.html",
                "\xfc/index.html",
            ],
        ),
        ("*gui*", ["guide.md"]),
        ("[!ags]*index*", ["\xfc/index.html"]),
        ("u\u0308/", ["\xfc/index.html"]),
        ("a[1]/", ["a[1]/index.html"]),
        ("a[1]*", ["a1.md"]),
        ("a[[]1]*", ["a[1]/index.html"]),
    ],
)
def test_patterns_match_complete_names_only(
    tmp_path: Path, pattern: str, out: list[str]
) -> None:
    pages = [
        *(
            built(tmp_path, f"{name}/index.html", name=f"{name}.md")
            for name in ("guide", "a1")
        ),
        built(tmp_path, "index.html", name="index.md"),
        *(
            built(tmp_path, f"{name}/index.html")
            for name in ("sub", "sub/a", "\xfc", "a[1]")
        ),
    ]
    report = build(tmp_path, *pages, exclude=[pattern])
    assert [*reasons(report)] == out


@pytest.mark.parametrize(
    ("pattern", "out"),
    [
        (
            "**/internal.md",
            ["a/b/internal.md", "a/internal.md", "ca/internal.md", "internal.md"],
        ),
        ("**/a/**/internal.md", ["a/b/internal.md", "a/internal.md"]),
        ("a/**/*", ["a/b/internal.md", "a/internal.md"]),
        ("a/**", ["a/b/internal.md", "a/internal.md"]),
        ("a/**/**/b/*.md", ["a/b/internal.md"]),
        (
            "**",
            [
                "a.md",
                "a/b/internal.md",
                "a/internal.md",
                "ca/internal.md",
                "internal.md",
            ],
        ),
    ],
)
def test_two_stars_and_a_slash_match_any_folders_or_none(
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
        ("api/hidden*.md", ["api/hidden/"]),
        ("guide/", ["guide/"]),
        ("guide.html", ["guide.html"]),
        ("old/*.html", ["old/b/"]),
        ("old/a", ["old/a/"]),
        ("old/*", ["old/a/", "old/b/"]),
    ],
)
def test_the_same_rules_apply_to_pages_and_other_html_files(
    tmp_path: Path, pattern: str, found: list[str]
) -> None:
    names = ("api/hidden", "guide", "old/a")
    pages = [
        built(tmp_path, f"{name}/index.html", ROBOTS, name=f"{name}.md")
        for name in names
    ]
    for static in ("api/static.html", "guide.html", "old/b/index.html"):
        built(tmp_path, static, REFRESH)
    assert listed(build(tmp_path, *pages, include=[pattern])) == found


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("*.html", ["api/intro.html", "api/static.html"]),
        ("api/*.html", ["api/intro.html", "api/static.html"]),
        ("api/**/*.html", ["api/intro.html", "api/static.html"]),
        ("api/", ["api/"]),
        ("api", ["api/"]),
    ],
)
def test_other_html_files_do_not_hide_a_page_from_its_rule(
    tmp_path: Path, pattern: str, matches: list[str]
) -> None:
    page = built(tmp_path, "api/intro.html", name="api/intro.md")
    index = built(tmp_path, "api/index.html", name="api.md")
    for static in ("404.html", "api/static.html", "api.html"):
        built(tmp_path, static)
    rules = [{"match": pattern, "priority": 0.3}]
    report = build(tmp_path, page, index, rules=rules, include=["api/static.html"])
    assert report.diagnostics == ()
    priorities = {
        entry.url.loc.removeprefix(BASE): entry.url.priority for entry in report.listed
    }
    assert [*priorities] == ["api/", "api/intro.html", "api/static.html"]
    assert [
        path for path, priority in priorities.items() if priority == "0.3"
    ] == matches
    left = listed(build(tmp_path, page, index, exclude=[pattern]))
    assert left == [path for path in ("api/", "api/intro.html") if path not in matches]


@pytest.mark.parametrize(
    "pattern", ["*/**/*/index.html", "v*/**/*.html", "v*/**/[!x]*/*x.html"]
)
def test_patterns_with_stars_between_folders(tmp_path: Path, pattern: str) -> None:
    for name in ("v1/a/index.html", "v1/index.html", "v1/b/c/index.html"):
        built(tmp_path, name)
    found = listed(build(tmp_path, include=[pattern]))
    assert found == ["v1/"] * (pattern == "v*/**/*.html") + ["v1/a/", "v1/b/c/"]


def test_a_static_index_file_can_be_named(tmp_path: Path) -> None:
    for name in ("api/index.html", "api/Foo.html", "api.html"):
        built(tmp_path, name)
    assert listed(build(tmp_path, include=["api/*.html"])) == ["api/", "api/Foo.html"]
    for pattern in ("api/index.html", "api/index", "**/index"):
        assert listed(build(tmp_path, include=[pattern])) == ["api/"]
    page = built(tmp_path, "guide/index.html", name="guide/index.md")
    built(tmp_path, "guide.html")
    report = build(tmp_path, page, exclude=["guide/index.html"])
    reason = (ExclusionReason.EXCLUDE_PATTERN, "guide/index.html")
    assert reasons(report) == {"guide/index.md": reason}


def test_an_exact_name_has_priority_over_a_shorter_one(tmp_path: Path) -> None:
    names = ("guide", "guide/index", "v1", "v1.0", "v1.0.1")
    links = [
        built(
            tmp_path,
            f"{name}.html",
            name=f"{name}.rst",
            url=name,
            sources=as_sources(f"/{name}.rst"),
        )
        for name in names
    ]
    files = [page._replace(url=f"{page.url}.html") for page in links]
    for pages in (links, files):
        for name in names:
            report = build(tmp_path, *pages, exclude=[name])
            assert [*reasons(report)] == [f"{name}.rst"]


def test_other_html_files_that_are_excluded_are_in_the_report(tmp_path: Path) -> None:
    page, _ = built(tmp_path, "index.html"), built(tmp_path, "raw.html")
    report = build(tmp_path, page, exclude=["raw.html"])
    assert reasons(report) == {
        "raw.html": (ExclusionReason.EXCLUDE_PATTERN, "raw.html")
    }
    assert report.diagnostics == ()


def test_a_page_with_the_exact_url_has_priority(tmp_path: Path) -> None:
    page, index = built(tmp_path, "guide.html"), built(tmp_path, "guide/index.html")
    for pattern, left in {
        "guide/": page,
        "guide.html": index,
        "guide/index.html": page,
    }.items():
        report = build(tmp_path, page, index, exclude=[pattern])
        assert [entry.page for entry in report.listed] == [left]
    report = build(tmp_path, page, index, exclude=["*/index.html"])
    assert [entry.page for entry in report.listed] == [page]


def test_an_unreadable_page_is_listed_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = built(tmp_path, "a.html", ROBOTS)
    os_open = os.open

    def open_others(path: Any, *arguments: Any, **options: Any) -> int:
        if path == page.output:
            raise PermissionError(13, "Permission denied", path)
        return os_open(path, *arguments, **options)

    # File permissions do not apply to the root user, who may run the tests.
    monkeypatch.setattr(os, "open", open_others)
    report = build(tmp_path, page)
    assert listed(report) == ["a.html"]
    (one,) = report.diagnostics
    assert one.code == "page"
    assert "a.html is listed" in one.message
