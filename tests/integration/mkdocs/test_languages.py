"""Languages of MkDocs sites: mkdocs-static-i18n, `extra.alternate` of Material, and
`locales`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from support.mkdocs import BASE_URL, MkDocsSite
from support.readers import read_site

ROOT = "https://example.org/"
PAGES = {"index.md": "# Home", "a.md": "# A"}
LANGUAGES: list[dict[str, Any]] = [
    {"locale": "en", "default": True, "name": "English"},
    {"locale": "zh-TW", "name": "正體中文"},
    {"locale": "pt_BR", "name": "Português"},
]
# A link in the language selector that is not a language.
FORUM: dict[str, Any] = {
    "locale": "null",
    "name": "Forum",
    "fixed_link": "https://example.org/forum/",
}


def i18n(languages: list[dict[str, Any]], **options: Any) -> dict[str, Any]:
    return {"i18n": {"docs_structure": "suffix", "languages": languages} | options}


def alternates(site: MkDocsSite, base_url: str = ROOT) -> dict[str, dict[str, str]]:
    """Build, and return the links of each page. All URLs are relative to the root."""
    site.run("build", "--strict")
    return read_alternates(site, base_url)


def read_alternates(
    site: MkDocsSite, base_url: str = ROOT
) -> dict[str, dict[str, str]]:
    entries = read_site(site.site, base_url)
    return {
        entry.loc.removeprefix(ROOT): {
            tag: href.removeprefix(ROOT) for tag, href in entry.alternates.items()
        }
        for entry in entries.values()
    }


# The themes name their translations differently.
@pytest.mark.parametrize(
    ("theme", "code"), [("mkdocs", "zh_TW"), ("material", "zh-TW")]
)
@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize(
    ("structure", "names"),
    [
        ("suffix", ["index.md", "index.{}.md", "a.md", "a.{}.md", "b.{}.md"]),
        ("folder", ["en/index.md", "{}/index.md", "en/a.md", "{}/a.md", "{}/b.md"]),
    ],
)
def test_languages_of_static_i18n(
    project: Path,
    structure: str,
    names: list[str],
    is_first: bool,
    theme: str,
    code: str,
) -> None:
    languages = [LANGUAGES[0], {"locale": code, "name": "正體中文"}, FORUM]
    plugin = i18n(languages, docs_structure=structure, fallback_to_default=False)
    sitemap: Any = {"locales": {code: "zh-Hant"}, "x_default": "en"}
    pages = {name.format(code): "# Page" for name in names}
    site = MkDocsSite.create(
        project, pages, sitemap=sitemap, theme=theme, site_url=ROOT, plugins=[plugin]
    )
    if not is_first:
        config = yaml.safe_load((site.path / "mkdocs.yml").read_text(encoding="utf-8"))
        config["plugins"].reverse()
        (site.path / "mkdocs.yml").write_text(yaml.safe_dump(config), encoding="utf-8")
    site.run("build")
    home = {"en": "", "zh-Hant": f"{code}/", "x-default": ""}
    page = {"en": "a/", "zh-Hant": f"{code}/a/", "x-default": "a/"}
    assert read_alternates(site) == {
        "": home,
        "a/": page,
        f"{code}/": home,
        f"{code}/a/": page,
        f"{code}/b/": {},
    }


def test_fallback_pages_of_static_i18n(project: Path) -> None:
    languages = [
        LANGUAGES[0],
        *({"locale": code, "name": code} for code in ("zh_TW", "pt_BR")),
    ]
    pages = PAGES | {"index.zh_TW.md": "# 首頁"}
    site = MkDocsSite.create(project, pages, site_url=ROOT, plugins=[i18n(languages)])
    home = {"en": "", "zh-TW": "zh_TW/"}
    assert alternates(site) == {"": home, "zh_TW/": home, "a/": {}}
    site.replace_in_config("sitemap: {}", "sitemap: {ignore_reasons: [untranslated]}")
    listed: dict[str, Any] = {
        path: {} for path in ("a/", "pt_BR/", "pt_BR/a/", "zh_TW/a/")
    }
    assert alternates(site) == {"": home, "zh_TW/": home} | listed


def test_an_unknown_x_default_is_a_warning(project: Path) -> None:
    plugin = i18n([LANGUAGES[0], LANGUAGES[2]])
    site = MkDocsSite.create(
        project, PAGES, sitemap={"x_default": "de"}, plugins=[plugin]
    )
    log = site.run("build")
    assert "x_default has no effect" in log


def test_a_locale_that_is_not_built_needs_no_tag_and_has_no_links(
    project: Path,
) -> None:
    languages = [LANGUAGES[0]]
    for locale in ("xx", "de"):
        languages.append({"locale": locale, "name": "?", "build": False})
    site = MkDocsSite.create(project, PAGES, plugins=[i18n(languages)])
    assert alternates(site, BASE_URL) == {"docs/": {}, "docs/a/": {}}


SELECTOR = [
    {"name": "English", "link": ROOT, "lang": "en"},
    {"name": "Deutsch", "link": f"{ROOT}de/index.html", "lang": "de"},
    {"name": "正體中文", "link": "https://zh.example.com", "lang": "zh-TW"},
    {"name": "Mail", "link": "mailto:team@example.org", "lang": "fr"},
    {"name": "Forum", "link": f"{ROOT}forum/"},
    "a mistake",
]
RELATIVE = [
    {"name": "English", "link": "/", "lang": "en"},
    {"name": "Deutsch", "link": "../de", "lang": "de"},
]


def material(
    site_url: str, language: str = "en", selector: Any = SELECTOR
) -> dict[str, Any]:
    return {
        "site_url": site_url,
        "theme": {"name": "material", "language": language},
        "extra": {"alternate": selector},
    }


def test_languages_that_material_builds_separately(tmp_path: Path) -> None:
    sitemap = {"locales": {"zh-TW": {"hreflang": "zh-Hant"}}, "x_default": "en"}
    builds = {
        "en": material(ROOT),
        "de": material(f"{ROOT}de/", "de"),
        # The selector alone names the language of this build.
        "zh": material("https://zh.example.com/", "zh"),
    }
    locs = []
    for name, config in builds.items():
        site = MkDocsSite.create(tmp_path / name, PAGES, sitemap=sitemap, **config)
        links = alternates(site, config["site_url"])
        locs += [*links]
        for loc, hrefs in links.items():
            path = "a/" if loc.endswith("a/") else ""
            assert hrefs == {
                "en": path,
                "de": f"de/{path}",
                "zh-Hant": f"https://zh.example.com/{path}",
                "x-default": path,
            }
    assert locs == [
        "",
        "a/",
        "de/",
        "de/a/",
        *(f"https://zh.example.com/{p}" for p in ("", "a/")),
    ]


def test_items_without_a_language_tag_are_a_notice(project: Path) -> None:
    emoji = {"name": "Emoji", "link": "/em/", "lang": "em"}
    norwegian = {"name": "Norsk", "link": "/no/", "lang": False}
    selector = [*SELECTOR[:2], emoji, norwegian]
    site = MkDocsSite.create(project, PAGES, **material(ROOT, selector=selector))
    log = site.run("build", "--strict")
    assert f"{ROOT}em/ is not linked" in log
    assert f"{ROOT}no/ is not linked" in log
    assert read_alternates(site)["a/"] == {"de": "de/a/", "en": "a/"}


@pytest.mark.parametrize("selector", [SELECTOR, RELATIVE])
def test_another_address_in_the_selector_is_a_notice(
    project: Path, selector: Any
) -> None:
    site = MkDocsSite.create(
        project, PAGES, **material(f"{ROOT}1.0/", selector=selector)
    )
    log = site.run("build", "--strict")
    assert f"languages are not linked: {ROOT}1.0/" in log
    assert read_alternates(site, f"{ROOT}1.0/") == {"1.0/": {}, "1.0/a/": {}}


def test_links_of_the_selector_can_be_relative(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES, **material(f"{ROOT}de/", "de", RELATIVE))
    assert alternates(site, f"{ROOT}de/")["de/a/"] == {"de": "de/a/", "en": "a/"}


def test_languages_in_folders_of_one_build(project: Path) -> None:
    pages = PAGES | {"de/index.md": "# Start", "de/a.md": "# A", "de/b.md": "# B"}
    site = MkDocsSite.create(project, pages, **material(ROOT, selector=SELECTOR[:2]))
    page = {"de": "de/a/", "en": "a/"}
    home = {"de": "de/", "en": ""}
    expected = {"": home, "a/": page, "de/": home, "de/a/": page, "de/b/": {}}
    assert alternates(site) == expected


def test_the_folder_of_a_language_can_be_in_that_of_another(project: Path) -> None:
    selector = [*SELECTOR[:2], {"name": "Wien", "link": "/de/at/", "lang": "de-AT"}]
    pages = PAGES | {"de/a.md": "# A", "de/at/a.md": "# A"}
    site = MkDocsSite.create(project, pages, **material(ROOT, selector=selector))
    page = {"de": "de/a/", "de-AT": "de/at/a/", "en": "a/"}
    links = alternates(site)
    assert links.pop("") == {}
    assert links == {"a/": page, "de/a/": page, "de/at/a/": page}


def test_several_languages_can_have_one_address(project: Path) -> None:
    selector = [{"name": "British", "link": ROOT, "lang": "en-GB"}, *SELECTOR[:2]]
    site = MkDocsSite.create(project, PAGES, **material(ROOT, selector=selector))
    assert alternates(site)["a/"] == {"de": "de/a/", "en": "a/", "en-GB": "a/"}


def test_static_i18n_takes_precedence_over_the_selector(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        PAGES | {"a.zh-TW.md": "# A"},
        plugins=[i18n(LANGUAGES[:2])],
        **material(ROOT, selector=SELECTOR[:2]),
    )
    assert alternates(site)["a/"] == {"en": "a/", "zh-TW": "zh-TW/a/"}


def test_languages_of_another_theme(project: Path) -> None:
    sitemap = {
        "locales": {"en": {"path": ""}, "pt_BR": {"path": "pt-br"}},
        "x_default": "en",
    }
    theme = {"name": "mkdocs", "locale": "pt_BR"}
    site = MkDocsSite.create(
        project, PAGES, sitemap=sitemap, site_url=f"{ROOT}pt-br/", theme=theme
    )
    links = alternates(site, f"{ROOT}pt-br/")
    assert links["pt-br/a/"] == {"en": "a/", "pt-BR": "pt-br/a/", "x-default": "a/"}


def test_languages_with_the_same_urls_are_a_notice(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES, sitemap={"locales": ["de"]})
    log = site.run("build", "--strict")
    assert f"languages are not linked: {BASE_URL}" in log
    assert alternates(site, BASE_URL)["docs/a/"] == {}


def test_the_sitemap_is_added_to_robots_txt(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        PAGES | {"robots.txt": "User-agent: *"},
        sitemap={"robots": True},
        site_url=ROOT,
    )
    site.run("build", "--strict")
    line = "Sitemap: https://example.org/sitemap.xml"
    assert (site.site / "robots.txt").read_text(
        encoding="utf-8"
    ) == f"User-agent: *\n{line}\n"


def test_a_site_that_is_not_at_the_root_has_no_robots_txt(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES, sitemap={"robots": True})
    log = site.run("build", "--strict")
    assert f"add the line Sitemap: {BASE_URL}sitemap.xml to {ROOT}robots.txt" in log
    assert not (site.site / "robots.txt").exists()
