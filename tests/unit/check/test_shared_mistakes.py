"""A mistake that all URLs of a sitemap have is one finding."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from support.sitemaps import (
    BASE,
    check,
    links,
    page,
    summarize,
    url,
    urls,
    urlset,
    write_site,
)

ROOT = "https://example.org/"
NAMES = ("a.html", "b.html", "c.html")


def pages(head: str = "") -> dict[str, str]:
    return {name: page(head=head.replace("NAME", name)) for name in NAMES}


def listed(element: str = "", base: str = BASE) -> dict[str, str]:
    return {"sitemap.xml": urlset(*(url(base + name, element) for name in NAMES))}


SITES: dict[str, tuple[Mapping[str, str], list[str]]] = {
    "noindex": ({**pages('<meta name="robots" content="none">'), **listed()}, []),
    "canonical": (
        {**pages(f'<link rel="canonical" href="{ROOT}NAME">'), **listed()},
        [],
    ),
    "redirect": (
        {**pages(), **listed(), "_redirects": f"{BASE}* /new/:splat 301!"},
        [],
    ),
    "robots-disallow": (
        {
            **pages(),
            **listed(base=ROOT),
            "robots.txt": f"User-agent: *\nDisallow: /*.html\nSitemap: {ROOT}sitemap.xml",
        },
        [],
    ),
    "lastmod-invalid": ({**pages(), **listed("<lastmod>31.12.2026</lastmod>")}, []),
    "lastmod-old": ({**pages(), **listed("<lastmod>1970-01-01</lastmod>")}, []),
    "changefreq-invalid": ({**pages(), **listed("<changefreq>Daily</changefreq>")}, []),
    "alternate-no-self": (
        {**pages(), **listed(links(de=f"{BASE}de/")), "de/index.html": page()},
        ["missing"],
    ),
    "unexpected-element": ({**pages(), **listed("<lastMod>2025-05-31</lastMod>")}, []),
}


@pytest.mark.parametrize("code", SITES)
def test_mistake_of_all_urls_is_one_finding(tmp_path: Path, code: str) -> None:
    files, others = SITES[code]
    write_site(tmp_path, files)
    diagnostics = check(tmp_path).diagnostics
    assert [one.code for one in diagnostics] == [code, *others]
    assert "2 more" in diagnostics[0].message


def test_mistakes_of_some_urls_are_reported_one_by_one(tmp_path: Path) -> None:
    files = {**pages('<meta name="robots" content="none">'), "index.html": page()}
    write_site(tmp_path, {**files, "sitemap.xml": urls("", *NAMES)})
    expected = ["noindex@4", "noindex@5", "noindex@6"]
    assert summarize(check(tmp_path).diagnostics) == expected


@pytest.mark.parametrize(
    ("element", "correction"),
    [
        ("lastMod", ": write <lastmod>"),
        ("changeFreq", ": write <changefreq>"),
        ("Priority", ": write <priority>"),
        ("lastmodified", ": write <lastmod>"),
        ("video", "<video> is not allowed here"),
    ],
)
def test_name_of_an_element_is_corrected(
    tmp_path: Path, element: str, correction: str
) -> None:
    write_site(tmp_path, {**pages(), **listed(f"<{element}/>")})
    first, *_ = check(tmp_path).diagnostics
    assert first.code == "unexpected-element"
    assert correction in first.message


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Loc", "unexpected-element"),
        ("urlSet", "wrong-root"),
        ("Url", "unexpected-element"),
    ],
)
def test_entries_in_another_case_are_read(tmp_path: Path, name: str, code: str) -> None:
    sitemap = urls(*NAMES).replace(f"{name.lower()}>", f"{name}>")
    sitemap = sitemap.replace(f"<{name.lower()} ", f"<{name} ")
    write_site(tmp_path, {**pages(), "sitemap.xml": sitemap})
    diagnostics = check(tmp_path).diagnostics
    assert [one.code for one in diagnostics] == [code]
    assert f"write <{name.lower()}>" in diagnostics[0].message
