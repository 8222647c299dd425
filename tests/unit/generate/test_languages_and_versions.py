"""Sites in several languages and versions: each page has its own document, or none."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from support.realistic_sites import (
    NAMES,
    RealisticSite,
    document,
    render,
    sentences,
)


@pytest.fixture(autouse=True)
def _in_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project.mkdir()
    monkeypatch.chdir(project)


CODE = "example init --directory site\nexample build --output public"
NOTICE = "<p>This page is not translated yet. Help us with the translation.</p>"


@dataclass(frozen=True)
class Layout:
    """Where a generator has the documents and the pages of languages or versions: `{0}`
    stands for the language, and `{1}` for the name.
    """

    source: str
    page: str
    original: str
    original_page: str
    home: str  # The document of the home page.


LANGUAGES = {
    "hugo": Layout(
        "content/{0}/docs/{1}.md",
        "{0}/docs/{1}/index.html",
        "content/en/docs/{1}.md",
        "docs/{1}/index.html",
        "content/en/_index.md",
    ),
    "hugo-suffixes": Layout(
        "content/docs/{1}.{0}.md",
        "{0}/docs/{1}/index.html",
        "content/docs/{1}.md",
        "docs/{1}/index.html",
        "content/_index.md",
    ),
    "docusaurus": Layout(
        "i18n/{0}/docusaurus-plugin-content-docs/current/{1}.md",
        "{0}/docs/{1}/index.html",
        "docs/{1}.md",
        "docs/{1}/index.html",
        "src/pages/index.md",
    ),
    "jekyll": Layout(
        "_articles/{0}/{1}.md",
        "{0}/{1}/index.html",
        "_articles/{1}.md",
        "{1}/index.html",
        "index.md",
    ),
    "vitepress": Layout(
        "docs/{0}/guide/{1}.md",
        "{0}/guide/{1}.html",
        "docs/guide/{1}.md",
        "guide/{1}.html",
        "docs/index.md",
    ),
}


def site_in_languages(
    layout: Layout, languages: tuple[str, ...], names: tuple[str, ...] = NAMES
) -> RealisticSite:
    """Return a site with translations that have a text of their own, and the code of
    the original.
    """
    site = RealisticSite()
    site.add("index.html", layout.home)
    for number, name in enumerate(names):
        words = 80 + 20 * number
        source = layout.original.format("", name)
        site.add(
            layout.original_page.format("", name),
            source,
            document(source, words, title=name, code=CODE),
        )
        for language in languages:
            source = layout.source.format(language, name)
            site.add(
                layout.page.format(language, name),
                source,
                document(source, words, title=name, code=CODE),
            )
    return site


def show_original(
    site: RealisticSite, layout: Layout, language: str, name: str, stub: str
) -> None:
    """Replace a translation by a file that says hardly anything, whose page shows the
    text of the original.
    """
    original = layout.original.format("", name)
    site.files[layout.source.format(language, name)] = stub
    body = NOTICE + render(site.files[original])
    page = layout.page.format(language, name)
    site.add_page(page, body, original, None)


STUBS = {
    "front-matter": "---\ntitle: Caa\ndate: 2019-03-01\nslug: caa\n---\n",
    "nothing": "",
    "comment": "---\ntitle: Caa\n---\n<!-- This page is not translated. -->\n",
    "heading": "---\nuntranslated: 1\n---\n# Caa\n",
}


@pytest.mark.parametrize("stub", sorted(STUBS))
@pytest.mark.parametrize("generator", ["hugo", "hugo-suffixes", "docusaurus"])
def test_an_empty_file_of_a_page_without_a_translation(
    project: Path, generator: str, stub: str
) -> None:
    layout = LANGUAGES[generator]
    site = site_in_languages(layout, ("ca", "fr"), NAMES[:7])
    for name in NAMES[:4]:
        show_original(site, layout, "ca", name, STUBS[stub])
    assert site.wrong_sources(project) == {}


@pytest.mark.parametrize("generator", ["hugo", "jekyll", "vitepress"])
def test_most_pages_of_a_language_have_no_translation(
    project: Path, generator: str
) -> None:
    """The folder of the language contains hardly any other files."""
    layout = LANGUAGES[generator]
    site = site_in_languages(layout, ("fr", "sr"), NAMES[:8])
    for name in NAMES[1:8]:
        show_original(site, layout, "sr", name, STUBS["front-matter"])
    assert site.wrong_sources(project) == {}


@pytest.mark.parametrize("generator", sorted(LANGUAGES))
@pytest.mark.parametrize("translated", [15, 60])
def test_documents_that_are_translated_in_part(
    project: Path, generator: str, translated: int
) -> None:
    """The rest of the text is still the original."""
    layout = LANGUAGES[generator]
    site = site_in_languages(layout, ("fr",), NAMES[:6])
    for name in NAMES[2:6]:
        original = site.files[layout.original.format("", name)]
        source = layout.source.format("fr", name)
        title, _, rest = original.partition("\n\n")
        own = sentences(f"fr {name}", translated)
        text = f"{title}\n\n{own} {rest.split(maxsplit=translated)[-1]}"
        site.add(layout.page.format("fr", name), source, text)
    assert site.wrong_sources(project) == {}


# A code of a language is a part of the name of each document.
PARTS = [
    ("ca", "certificates"),
    ("si", "docs-ipv6"),
    ("de", "deploy-guide"),
    ("es", "releases"),
]


@pytest.mark.parametrize("generator", ["hugo", "docusaurus", "jekyll"])
@pytest.mark.parametrize(("language", "name"), PARTS)
def test_names_that_contain_the_code_of_a_language(
    project: Path, generator: str, language: str, name: str
) -> None:
    """The file of the language is empty, or has the same text."""
    layout = LANGUAGES[generator]
    site = site_in_languages(layout, (language, "fr"), (*NAMES[:5], name, f"{name}-2"))
    for number, name_in_both in enumerate((name, f"{name}-2")):
        original = layout.original.format("", name_in_both)
        text = site.files[original]
        # A component of the page adds a few words.
        shown = f"{render(text)}<p>{sentences(f'added to {name_in_both}', 8)}</p>"
        site.add_page(layout.original_page.format("", name_in_both), shown, original)
        translation = layout.source.format(language, name_in_both)
        site.files[translation] = text if number else "---\ntitle: T\n---\n"
        right = (translation if number else original, None)
        site.add_page(
            layout.page.format(language, name_in_both), NOTICE + shown, *right
        )
    assert site.wrong_sources(project) == {}


LONG = "how-to-find-and-keep-the-best-contributors-of-a-project"


@pytest.mark.parametrize("generator", sorted(LANGUAGES))
@pytest.mark.parametrize("changed", [0, 6])
def test_a_code_of_two_letters_next_to_a_long_name(
    project: Path, generator: str, changed: int
) -> None:
    """The texts of three languages are the same, or nearly."""
    layout = LANGUAGES[generator]
    site = site_in_languages(layout, ("de", "ro"), NAMES[:6])
    text = sentences(LONG, 160)
    files = {
        layout.original.format("", LONG): layout.original_page.format("", LONG),
        layout.source.format("de", LONG): layout.page.format("de", LONG),
        layout.source.format("ro", LONG): layout.page.format("ro", LONG),
    }
    for source, page in files.items():
        own = sentences(source, changed) if changed else ""
        site.add(page, source, f"# Contributors\n\n{own} {text}\n")
    assert site.wrong_sources(project) == {}


@pytest.mark.parametrize(
    ("source", "page", "folders"),
    [
        ("content/{}{}.md", "{}{}/index.html", ("", "pt/", "zh-cn/")),
        ("src/content/docs/{}{}.mdx", "{}{}/index.html", ("", "ja/", "ko/")),
        ("docs/{}{}.rst", "{}{}.html", ("v1/", "v2/", "v3/")),
        ("docs/{}guide/{}.md", "{}guide/{}.html", ("", "uk/", "ru/")),
    ],
)
def test_folders_with_short_names_next_to_long_names(
    project: Path, source: str, page: str, folders: tuple[str, ...]
) -> None:
    """All documents of the folders have the same text."""
    site = RealisticSite()
    for name in (
        LONG,
        f"why-{LONG}",
        "a-short-history-of-the-company-and-its-products",
    ):
        text = document(name, 120)
        for folder in folders:
            site.add(page.format(folder, name), source.format(folder, name), text)
    for folder in folders:
        names = [f"{name}-{folder.rstrip('/')}" for name in NAMES[:3]]
        for name in names:
            site.add(page.format(folder, name), source.format(folder, name))
    assert site.wrong_sources(project) == {}


@dataclass(frozen=True)
class Versions:
    """The folders of the documents and of the pages of versions."""

    folders: tuple[tuple[str, str], ...]
    page: str = "{}/{}/index.html"
    source: str = "{}/{}.md"


VERSIONS = {
    "docusaurus": Versions(
        (
            ("docs", "docs/next"),
            ("versioned_docs/version-11.x", "docs"),
            ("versioned_docs/version-10.x", "docs/10.x"),
        )
    ),
    "docusaurus-newest": Versions(
        (("docs", "docs"), ("versioned_docs/version-10.x", "10.x"))
    ),
    "hugo": Versions(
        (
            ("content/docs/main", "docs/main"),
            ("content/docs/v1.2", "docs/v1.2"),
            ("content/docs/v1.1", "docs/v1.1"),
        )
    ),
    "vitepress": Versions(
        (("docs/guide", "guide"), ("docs/v1/guide", "v1/guide")), "{}/{}.html"
    ),
    "antora": Versions(
        (
            ("docs/2.0/modules/ROOT/pages", "manual/2.0"),
            ("docs/1.9/modules/ROOT/pages", "manual/1.9"),
        ),
        "{}/{}.html",
        "{}/{}.adoc",
    ),
}


@pytest.mark.parametrize("layout", sorted(VERSIONS))
@pytest.mark.parametrize("same", [3, 8])
def test_versions_with_nearly_the_same_texts(
    project: Path, layout: str, same: int
) -> None:
    """Some documents are the same in all versions, some nearly, and some are not."""
    versions = VERSIONS[layout]
    site = RealisticSite()
    site.add("index.html", "src/pages/index.md")
    for number, name in enumerate(NAMES):
        for folder, pages in versions.folders:
            text = document(name, 120)
            if number >= same and number % 2:
                text = f"{text}\n{sentences(folder + name, 12)}\n"
            elif number >= same:
                text = f"{text}\n{sentences(folder + name, 100)}\n"
            source = versions.source.format(folder, name)
            page = versions.page.format(pages, name)
            site.add(page, source, text)
            if number < same or number % 2:
                site.right[page] = (source, None)
    assert site.wrong_sources(project) == {}


def test_only_one_of_two_versions_has_a_document(project: Path) -> None:
    """The documents of the other version have other texts, and other names."""
    site = RealisticSite()
    site.add("index.html", "src/pages/index.md")
    for name in NAMES:
        old = f"versioned_docs/version-10.x/{name}.md"
        site.add(f"10.x/{name}/index.html", old, document(name, 120))
        new = f"docs/{name}.md"
        site.add(f"docs/{name}/index.html", new, document(f"new {name}", 120))
    for name in ("removed", "retired", "replaced"):
        site.add(f"10.x/{name}/index.html", f"versioned_docs/version-10.x/{name}.md")
        # The generator wrote this page from a file with another name.
        site.add(f"docs/{name}/index.html", f"docs/_{name}-in-11.md")
    assert site.wrong_sources(project) == {}


HOMES = {
    "jekyll": (LANGUAGES["jekyll"], "index.html", "_articles/ro/index.html"),
    "hugo": (LANGUAGES["hugo"], "layouts/index.html", "content/ro/_index.html"),
    "eleventy": (LANGUAGES["jekyll"], "src/index.njk", "src/ro/index.njk"),
    "vitepress": (LANGUAGES["vitepress"], "docs/index.md", "docs/ro/index.md"),
}


@pytest.mark.parametrize("generator", sorted(HOMES))
@pytest.mark.parametrize("copied", [False, True])
def test_the_home_page_of_a_site_in_languages(
    project: Path, generator: str, copied: bool
) -> None:
    """The home pages come from a template and data, and their files have no words. One
    article is not translated.
    """
    layout, original, translated = HOMES[generator]
    names = tuple(f"{name}-{LONG}" for name in NAMES[:5])
    site = site_in_languages(layout, ("de", "ro"), names)
    del site.files[layout.home]
    if copied:
        text = site.files[layout.original.format("", names[1])]
        source = layout.source.format("ro", names[1])
        site.add(layout.page.format("ro", names[1]), source, text)
    for name in NAMES[5:]:
        source = layout.source.format("ro", name)
        site.add(layout.page.format("ro", name), source)
    for source, language in ((original, "en"), (translated, "ro")):
        front = f"---\nlayout: index\ntitle: Home\nlang: {language}\n---\n"
        site.files[source] = front
    shown = ""
    for name in NAMES[:5]:
        shown += f"<h2>{name}</h2><p>{sentences(f'teaser of {name}', 15)}</p>"
    hero_page = f"<h1>Example</h1><p>{sentences('hero', 14)}</p>"
    site.add_page("index.html", hero_page + shown, original, None)
    other = sentences("hero" if copied else "erou", 14)
    body = f"<h1>Exemplu</h1><p>{other}</p>{shown}"
    site.add_page("ro/index.html", body, translated, None)
    site.add_page("de/index.html", body.replace("Exemplu", "Beispiel"), None)
    assert site.wrong_sources(project) == {}
