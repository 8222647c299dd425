"""Sites in several languages, with real message catalogs."""

from __future__ import annotations

import shutil
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from support.readers import read_site
from support.sphinx import SphinxSite, document

ROOT = "https://example.org/"
PAGES = {
    "index.rst": document("Home", toctree=("a", "b")),
    "a.rst": document("Install") + "\nRun the program.\n",
    "b.rst": document("Use") + "\nOpen a file.\n\nSave the file.\n\nClose the file.\n",
}
TRANSLATIONS = {
    "de": {
        "index": {"Home": "Start"},
        "a": {
            "Install": "Installieren",
            "Run the program.": "Starten Sie das Programm.",
        },
        "b": {
            "Use": "Benutzen",
            "Open a file.": "",
            "Save the file.": "",
            "Close the file.": "",
        },
    },
    "pt_BR": {
        "index": {"Home": "Início"},
        "a": {"Install": "Instalar", "Run the program.": "Execute o programa."},
    },
    # Translation services also write catalogs of the original language.
    "en": {"a": {"Install": "", "Run the program.": ""}},
}
LANGUAGES = ("en", "de", "pt_BR")
CONFIG: dict[str, Any] = {
    "html_baseurl": ROOT,
    "sitemap_locales": {"en": {"path": ""}, "de": "de-DE", "pt_BR": {"path": "pt-br"}},
    "sitemap_url_scheme": "{lang}{link}",
    "sitemap_x_default": "en",
    "gettext_compact": False,
    "suppress_warnings": ["sitemap.base_url", "toc.excluded"],
}
FOLDERS = {"en": "", "de": "de/", "pt_BR": "pt-br/"}
TAGS = {"en": "en", "de": "de-DE", "pt_BR": "pt-BR"}


def catalogs(*languages: str) -> dict[str, str]:
    """Return the catalogs of some languages."""
    files = {}
    for language in languages:
        for docname, messages in TRANSLATIONS[language].items():
            head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
            lines = (
                f'\nmsgid "{text}"\nmsgstr "{new}"\n' for text, new in messages.items()
            )
            files[f"locales/{language}/LC_MESSAGES/{docname}.po"] = head + "".join(
                lines
            )
    return files


def build(site: SphinxSite, tree: Path, language: str, **overrides: Any) -> None:
    """Build one language into a tree with all languages."""
    log = site.log(force_all=True, overrides={"language": language} | overrides)
    assert not log.warnings
    target = tree / FOLDERS[language]
    shutil.copytree(site.out(), target, dirs_exist_ok=True)
    shutil.rmtree(site.path / "out")


def read(tree: Path) -> dict[str, list[str]]:
    """Return the language tags of the links of each page, and assert where they lead."""
    found = {}
    for language, folder in FOLDERS.items():
        base_url = ROOT + folder
        for path, entry in read_site(tree / folder, base_url).items():
            found[folder + path] = [*entry.alternates]
            for other, tag in TAGS.items():
                assert entry.alternates.get(tag, ROOT + FOLDERS[other] + path) == (
                    ROOT + FOLDERS[other] + path
                )
            default = entry.alternates.get("x-default")
            assert default in (None, ROOT + path), language
    return found


ALL = ["de-DE", "en", "pt-BR", "x-default"]


@pytest.mark.parametrize("order", [*permutations(LANGUAGES)][::2])
def test_languages_are_complete_when_the_last_one_is_built(
    project: Path, tmp_path: Path, order: tuple[str, ...]
) -> None:
    site = SphinxSite.create(project, PAGES | catalogs(*TRANSLATIONS), **CONFIG)
    tree = tmp_path / "public"
    for language in order:
        build(site, tree, language)
    pages = ("a.html", "b.html", "index.html")
    assert read(tree) == {
        f"{folder}{page}": ALL for folder in FOLDERS.values() for page in pages
    }


def test_all_invalid_languages_are_listed_at_once(project: Path) -> None:
    config = {
        "sitemap_locales": {"xx": None, "de": {"path": ".."}},
    }
    site = SphinxSite.create(project, PAGES, **config)
    output = site.run(succeeds=False)
    assert "sitemap_locales: 'xx': " in output
    assert "; 'de': " in output


def test_the_sitemap_is_added_to_robots_txt(project: Path) -> None:
    """The file of the user is copied in each build, also if it is incremental."""
    files = PAGES | {"extra/robots.txt": "User-agent: *\r\nDisallow: /x"}
    config = {
        "html_baseurl": ROOT,
        "html_extra_path": ["extra"],
        "sitemap_robots": True,
    }
    site = SphinxSite.create(project, files, **config)
    for _ in range(2):
        assert not site.log().warnings
        expected = b"User-agent: *\r\nDisallow: /x\r\nSitemap: https://example.org/sitemap.xml\r\n"
        assert (site.out() / "robots.txt").read_bytes() == expected


def test_a_site_that_is_not_at_the_root_has_no_robots_txt(project: Path) -> None:
    site = SphinxSite.create(project, PAGES, sitemap_robots=True)
    log = site.log()
    assert not log.warnings
    assert "Sitemap: https://example.org/docs/sitemap.xml" in log.status
    assert not (site.out() / "robots.txt").exists()
