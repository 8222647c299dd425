"""The dates of translated pages: what readers see is a translation, or else the
original text.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from support.sphinx import SphinxSite, days


class Change(NamedTuple):
    """A change to a document, and to its catalog. `X` stands for the name of the page.

    Attributes:
        old: The text of the document.
        new: The text after the change.
        old_catalog: The translations of messages.
        new_catalog: The translations after the change.
        is_seen: Whether readers of the translation see the change.
    """

    old: str
    new: str
    old_catalog: dict[str, str]
    new_catalog: dict[str, str]
    is_seen: bool


FUZZY = "#, fuzzy\n"

PAGES = {
    # The message changes, and the translation stays.
    "paragraph.rst": Change(
        "X old.", "X new\nwords.", {"X old.": "Wort."}, {"X new words.": "Wort."}, False
    ),
    "item.rst": Change(
        "- X old.", "- X new.", {"X old.": "Wort."}, {"X new.": "Wort."}, False
    ),
    "note.rst": Change(
        ".. note:: X old.",
        ".. note::\n\n   X new.",
        {"X old.": "Wort."},
        {"X new.": "Wort."},
        False,
    ),
    "heading.md": Change(
        "## X old", "## X new", {"X old": "Wort"}, {"X new": "Wort"}, False
    ),
    "twice.md": Change(
        "X old.\n\n> X old.\n",
        "X new.\n\n> X new.\n",
        {"X old.": "Wort."},
        {"X new.": "Wort."},
        False,
    ),
    "link.md": Change(
        "X [old](index.md).",
        "X [old](../guide/index.md).",
        {"X [old](index.md).": "Wort."},
        {"X [old](../guide/index.md).": "Wort."},
        False,
    ),
    "respelled.md": Change(
        "X _old_.", "X *old*.", {"X _old_.": "Wort."}, {"X *old*.": "Wort."}, False
    ),
    "both.md": Change(
        "X old.\n\nX other.",
        "X new.\n\nX more.",
        {"X old.": "Wort.", "X other.": "Satz."},
        {"X new.": "Wort.", "X more.": "Satz."},
        False,
    ),
    # Readers see that the translation is gone, or another one.
    "missing.rst": Change("X old.", "X new.", {"X old.": "Wort."}, {}, True),
    "fuzzy.rst": Change(
        "X old.", "X new.", {"X old.": "Wort."}, {"X new.": f"{FUZZY}Wort."}, True
    ),
    "new.rst": Change(
        "X old.", "X new.", {"X old.": "Wort."}, {"X new.": "Worte."}, True
    ),
    "lost.md": Change(
        "X _old_.", "X *old*.", {"X _old_.": "Wort."}, {"X _old_.": "Wort."}, True
    ),
    "cell.md": Change(
        "| X new. | b |\n| - | - |\n| c | d |\n\nSee X old. Two\nlines.",
        "| X new. | b |\n| - | - |\n| c | d |\n\nSee X old.\nTwo lines.",
        {"X old.": "Wort."},
        {"X new.": "Wort."},
        True,
    ),
    "exchanged.rst": Change(
        "X old.\n\nX other.",
        "X new.\n\nX more.",
        {"X old.": "Wort.", "X other.": "Satz."},
        {"X new.": "Satz.", "X more.": "Wort."},
        True,
    ),
    # Something else changes, too.
    "added.rst": Change(
        "X old.", "X new.\n\nX more.", {"X old.": "Wort."}, {"X new.": "Wort."}, True
    ),
    "untranslated.rst": Change(
        "X old.\n\nX a.",
        "X new.\n\nX b.",
        {"X old.": "Wort."},
        {"X new.": "Wort."},
        True,
    ),
    "code.rst": Change(
        "X old. ::\n\n   a",
        "X new. ::\n\n   b",
        {"X old.": "Wort."},
        {"X new.": "Wort."},
        True,
    ),
    "level.md": Change(
        "## X old", "### X new", {"X old": "Wort"}, {"X new": "Wort"}, True
    ),
    "already.rst": Change(
        "X old.\n\nX new.",
        "X new.\n\nX new.",
        {"X old.": "Wort."},
        {"X new.": "Wort."},
        True,
    ),
    "table.md": Change(
        "X old.\n\n| X old. | b |\n| - | - |\n| c | d |\n",
        "X new.\n\n| X new. | b |\n| - | - |\n| c | d |\n",
        {"X old.": "Wort."},
        {"X new.": "Wort."},
        True,
    ),
    # The document stays.
    "name.rst": Change("X", "X", {}, {"X": "X"}, False),
    "emphasis.md": Change(
        "X a.", "X a.", {"X a.": "*Wort*"}, {"X a.": "_Wort_"}, False
    ),
    "space.rst": Change("X a.", "X a.", {"X a.": "Wort"}, {"X a.": "Wort "}, False),
    "word.rst": Change("X a.", "X a.", {"X a.": "Wort"}, {"X a.": "Worte"}, True),
    "confirmed.rst": Change(
        "X a.", "X a.", {"X a.": f"{FUZZY}Wort"}, {"X a.": "Wort"}, True
    ),
}


def document(name: str, text: str) -> str:
    title = "# Title" if name.endswith(".md") else "Title\n====="
    return f"{title}\n\n{text}\n".replace("X", name.partition(".")[0])


def catalog(name: str, translations: dict[str, str]) -> str:
    """Return the entries of a catalog. Every page has a translation."""
    text = ""
    for message, translation in translations.items():
        flag = FUZZY if translation.startswith(FUZZY) else ""
        text += f'#: {len(translations)}\n{flag}msgid "{message}"\n'
        text += f'msgstr "{translation.removeprefix(FUZZY)}"\n\n'
    return text.replace("X", name.partition(".")[0])


def files(*, is_new: bool, is_compact: bool) -> tuple[dict[str, str], dict[str, str]]:
    """Return the documents, and their catalogs, in one of both versions."""
    documents: dict[str, str] = {}
    catalogs: dict[str, str] = {}
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    head += 'msgid "Title"\nmsgstr "Titel"\n\n'
    for name, change in PAGES.items():
        text = change.new if is_new else change.old
        documents[f"guide/{name}"] = document(name, text)
        domain = "guide" if is_compact else f"guide/{name.partition('.')[0]}"
        path = f"locale/de/LC_MESSAGES/{domain}.po"
        translations = change.new_catalog if is_new else change.old_catalog
        entries = catalogs.get(path, head) + catalog(name, translations)
        catalogs[path] = entries
    return documents, catalogs


@pytest.mark.parametrize(
    ("is_compact", "is_merged"), [(False, False), (True, False), (True, True)]
)
def test_translated_pages_are_dated_by_what_readers_see(
    project: Path, is_compact: bool, is_merged: bool
) -> None:
    documents, catalogs = files(is_new=False, is_compact=is_compact)
    tree = "Title\n=====\n\n.. toctree::\n   :glob:\n   :hidden:\n\n   *\n"
    site = SphinxSite.create(
        project,
        {
            "index.rst": "Title\n=====\n\n.. toctree::\n   :hidden:\n\n   guide/index\n",
            "guide/index.rst": tree,
            **documents,
            **catalogs,
        },
        extensions=["myst_parser"],
        language="de",
        locale_dirs=["locale"],
        gettext_compact=is_compact,
    )
    new_documents, new_catalogs = files(is_new=True, is_compact=is_compact)
    changes = [new_documents, new_catalogs]
    if not is_merged:
        changes = [new_documents | new_catalogs]
    repository = site.repository
    if is_merged:
        repository.git("switch", "--quiet", "--create", "branch")
    for day, files_of_day in enumerate(changes, start=4):
        repository.commit(
            {f"docs/{name}": text for name, text in files_of_day.items()}, day=day
        )
    day = 4
    if is_merged:
        day = 9
        repository.git("switch", "--quiet", "main")
        repository.git("merge", "--quiet", "--no-ff", "--message", "m", "branch", day=9)
    expected = {"index": 1, "guide/index": 1}
    for name, change in PAGES.items():
        expected[f"guide/{name.partition('.')[0]}"] = day if change.is_seen else 1
    site.log()  # Sphinx warns of translations without the links of the message.
    assert days(site.read()) == expected


def test_changes_to_earlier_messages_count(project: Path) -> None:
    path = "docs/locale/de/LC_MESSAGES/index.po"
    site = SphinxSite.create(
        project,
        {"index.rst": document("a.rst", "X old.")},
        language="de",
        locale_dirs=["locale"],
    )
    repository = site.repository
    repository.commit({path: catalog("a.rst", {"X old.": "Wrot."})}, day=2)
    repository.commit({path: catalog("a.rst", {"X old.": "Wort."})}, day=3)
    for day, word in enumerate(["new", "newer"], start=4):
        changes = {
            path: catalog("a.rst", {f"X {word}.": "Wort."}),
            "docs/index.rst": document("a.rst", f"X {word}."),
        }
        repository.commit(changes, day=day)
    assert days(site.build()) == {"index": 3}
