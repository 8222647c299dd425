"""Which files count as sources of a page, and for which pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.sphinx import SphinxSite, days, document


def test_the_configuration_of_docutils_is_not_a_source(project: Path) -> None:
    site = SphinxSite.create(project, {"index.rst": document("Home")})
    site.repository.commit({"docs/docutils.conf": "[parsers]\nsmart_quotes: no\n"}, day=4)
    assert days(site.build()) == {"index": 1}
    assert days(site.build()) == {"index": 1}, "also if nothing is read again"


CATALOG = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"

"""


def catalog(**translations: str) -> str:
    """Return a `.po` file."""
    return CATALOG + "".join(
        f'msgid "{message}"\nmsgstr "{text}"\n\n' for message, text in translations.items()
    )


@pytest.mark.parametrize("compact", [True, False])
def test_a_translation_is_a_source(project: Path, compact: bool) -> None:
    site = SphinxSite.create(
        project,
        {"index.rst": document("Home", toctree=("a/b",)), "a/b.rst": document("Page")},
        language="de",
        locale_dirs=["locale"],
        gettext_compact=compact,
    )
    site.repository.commit({".gitignore": "/out/\n*.mo\n"}, day=2)
    messages = "docs/locale/de/LC_MESSAGES"
    site.repository.commit({f"{messages}/index.po": catalog(Home="Heim")}, day=5)
    name = "a" if compact else "a/b"
    site.repository.commit({f"{messages}/{name}.po": catalog(Page="Seite")}, day=6)
    for _ in range(2):  # Sphinx records the compiled catalog from the second build on.
        assert days(site.build()) == {"index": 5, "a/b": 6}


def test_a_catalog_is_a_source_of_the_documents_that_it_translates(project: Path) -> None:
    names = ("title", "caption", "alt", "entry", "nothing", "same", "fuzzy", "obsolete")
    pages = {
        "index.rst": document("Home", toctree=tuple(f"guide/{name}" for name in names)),
        "guide/caption.rst": document("Caption")
        + "\n.. toctree::\n   :caption: Contents\n\n   title\n",
        "guide/alt.rst": document("Alt") + "\n.. figure:: a.png\n   :alt: Picture\n",
        "guide/a.png": "The HTML builders do not read images.",
        "guide/entry.rst": document("Entries") + "\n.. index:: Entry\n",
    }
    for name in names:
        pages.setdefault(f"guide/{name}.rst", document(name.title()))
    site = SphinxSite.create(
        project,
        pages,
        language="de",
        locale_dirs=["locale"],
        gettext_compact=True,
        gettext_additional_targets=["index"],
    )
    text = catalog(
        Title="Titel", Contents="Inhalt", Picture="Bild", Entry="Eintrag", Nothing="", Same="Same"
    )
    text += '#, fuzzy\nmsgid "Fuzzy"\nmsgstr "Vage"\n\n#~ msgid "Obsolete"\n#~ msgstr "Alt"\n'
    path = "docs/locale/de/LC_MESSAGES/guide.po"
    site.repository.commit({".gitignore": "/out/\n*.mo\n", path: text}, day=5)
    expected: dict[str, int | None] = {"index": 1}
    expected |= {f"guide/{name}": 5 for name in ("title", "caption", "alt", "entry")}
    expected |= {f"guide/{name}": 1 for name in ("nothing", "same", "fuzzy", "obsolete")}
    assert days(site.build()) == expected
    assert days(site.build()) == expected, "also if nothing is read again"
    site.run("html", "-W", "-E", "-j", "2")
    assert days(site.read()) == expected, "also if other processes read the documents"


def test_a_message_that_is_translated_between_builds(project: Path) -> None:
    site = SphinxSite.create(
        project, {"index.rst": document("Home")}, language="de", locale_dirs=["locale"]
    )
    path = "docs/locale/de/LC_MESSAGES/index.po"
    site.repository.commit({".gitignore": "/out/\n*.mo\n", path: catalog(Home="")}, day=5)
    site.run()
    assert days(site.read()) == {"index": 1}
    site.repository.commit({path: catalog(Home="Heim")}, day=6)
    site.run()
    assert days(site.read()) == {"index": 6}
