"""The dates of pages that show lines or translations of a file: only these parts count."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.sphinx import SphinxSite, days, document

CODE = """\
# first
import os

# start
def function():
    return 1
# end


def other():
    return 2
"""

TEXT = """\
First.

.. start

Second.

.. end

Third.
"""

INCLUDED = ".. literalinclude:: ../src/a.py\n"
# The page, and whether it shows the first, the second, and the third part of the file.
PAGES = {
    "lines": (f"{INCLUDED}   :lines: 1-2\n", "100"),
    "many": (f"{INCLUDED}   :lines: 1-2, 8-\n", "101"),
    "object": (f"{INCLUDED}   :pyobject: function\n", "010"),
    "after": (f"{INCLUDED}   :start-after: # start\n   :end-before: # end\n", "010"),
    "at": (f"{INCLUDED}   :start-at: def function\n   :end-at: return\n", "010"),
    "numbers": (f"{INCLUDED}   :pyobject: function\n   :lineno-match:\n", "111"),
    "unchanged": (f"{INCLUDED}   :linenos:\n   :emphasize-lines: 1\n", "111"),
    "twice": (f"{INCLUDED}   :lines: 1\n\n{INCLUDED}   :pyobject: other\n", "101"),
    "both": (f"{INCLUDED}   :lines: 1\n\n{INCLUDED}", "111"),
    "download": (f"{INCLUDED}   :lines: 1\n\n:download:`Load <../src/a.py>`\n", "111"),
    "diff": (f"{INCLUDED}   :diff: ../src/b.py\n", "111"),
    "encoded": (f"{INCLUDED}   :lines: 1\n   :encoding: latin-1\n", "100"),
    "api": (f"{INCLUDED}   :lines: 1\n\n.. autofunction:: a.function\n", "111"),
    "literal": (".. include:: ../src/a.py\n   :literal:\n   :end-line: 2\n", "100"),
    "code": (".. include:: ../src/a.py\n   :code: python\n   :start-line: -3\n", "001"),
    "text": (".. include:: ../src/a.txt\n   :end-before: .. start\n", "100"),
    "middle": (
        ".. include:: ../src/a.txt\n   :start-after: .. start\n   :end-before: .. end\n",
        "010",
    ),
    "all": (".. include:: ../src/a.txt\n", "111"),
    "nested": (".. include:: part.inc\n", "010"),
}
CHANGES = (
    ({"src/a.py": ("# first", "# New"), "src/a.txt": ("First", "New")}, 4),
    ({"src/a.py": ("return 1", "return 3"), "src/a.txt": ("Second", "New")}, 5),
    ({"src/a.py": ("return 2", "return 4"), "src/a.txt": ("Third", "New")}, 6),
)


def make_site(project: Path) -> tuple[SphinxSite, dict[str, int | None]]:
    files = {"src/a.py": CODE, "src/a.txt": TEXT}
    site = SphinxSite.create(
        project,
        {
            "index.rst": document("Home", toctree=(*PAGES,)),
            **{
                f"{name}.rst": document(name) + f"\n{text}"
                for name, (text, _) in PAGES.items()
            },
            "part.inc": f"{INCLUDED}   :pyobject: function\n",
            "../src/b.py": "",
            **{f"../{path}": text for path, text in files.items()},
        },
        extensions=["sphinx.ext.autodoc"],
    )
    site.import_from("src")
    site.repository.commit({}, day=2)
    for changes, day in CHANGES:
        for path, change in changes.items():
            files[path] = files[path].replace(*change)
        site.repository.commit(files, day=day)
    expected: dict[str, int | None] = {"index": 1}
    for name, (_, shown) in PAGES.items():
        counted = [
            day for (_, day), flag in zip(CHANGES, shown, strict=True) if flag == "1"
        ]
        expected[name] = counted[-1]
    return site, expected


def test_only_the_lines_that_a_page_shows_count(project: Path) -> None:
    site, expected = make_site(project)
    assert days(site.build()) == expected
    assert days(site.build()) == expected, "also if nothing is read again"
    site.run("html", "-E", "-j", "2")
    assert days(site.read()) == expected, "also if other processes read the documents"


DIRECTIVES = """\
from docutils.parsers.rst import Directive
from sphinx.directives.code import LiteralInclude
from sphinx.directives.other import Include

class Own(LiteralInclude):
    pass

class Other(Directive):
    required_arguments = 1
    option_spec = Include.option_spec

    def run(self):
        from sphinx.directives.other import Include
        names = ("name", "arguments", "options", "content", "lineno", "content_offset")
        names += ("block_text", "state", "state_machine")
        return Include(*(getattr(self, name) for name in names)).run()

def setup(app):
    app.add_directive("literalinclude", Own, override=True)
    app.connect("builder-inited", replace)
    return {"parallel_read_safe": True}

def replace(app):
    app.add_directive("include", Other, override=True)
"""


def test_directives_of_other_extensions(project: Path) -> None:
    site = SphinxSite.create(
        project,
        {
            "index.rst": document("Home", toctree=("literal", "text")),
            "literal.rst": document("Literal") + f"\n{INCLUDED}   :lines: 1\n",
            "text.rst": document("Text")
            + "\n.. include:: ../src/a.py\n   :end-line: 1\n",
            "replacements.py": DIRECTIVES,
            "../src/a.py": CODE,
        },
        extensions=["replacements"],
    )
    site.repository.commit({"src/a.py": CODE.replace("return", "return 3 +")}, day=4)
    assert days(site.build()) == {"index": 1, "literal": 4, "text": 4}


def test_an_image_is_shown_completely(project: Path) -> None:
    page = "\n.. image:: a.svg\n\n.. literalinclude:: a.svg\n   :lines: 1\n"
    pages = {"index.rst": document("Home") + page, "a.svg": "<svg>\n</svg>\n"}
    site = SphinxSite.create(project, pages)
    site.repository.commit({"docs/a.svg": "<svg>\n<g/></svg>\n"}, day=4)
    assert days(site.build()) == {"index": 4}


def test_lines_in_markdown(project: Path) -> None:
    pytest.importorskip("myst_parser")
    fence = "```{{{0}}} {1}\n{2}\n```\n"
    lines = fence.format("literalinclude", "../src/a.py", ":lines: 1")
    text = fence.format("include", "../src/a.md", ":end-before: Second")
    pages = {
        "lines": lines,
        "text": text,
        "rst": fence.format(
            "eval-rst", "", ".. include:: ../src/a.md\n   :end-line: 1"
        ),
    }
    site = SphinxSite.create(
        project,
        {
            "index.rst": document("Home", toctree=(*pages,)),
            **{f"{name}.md": f"# {name}\n\n{page}" for name, page in pages.items()},
            "../src/a.py": CODE,
            "../src/a.md": TEXT,
        },
        extensions=["myst_parser"],
    )
    changes = {
        "src/a.py": CODE.replace("return", "return 3 +"),
        "src/a.md": TEXT + "New.\n",
    }
    site.repository.commit(changes, day=4)
    expected = {"index": 1, "lines": 1, "text": 1, "rst": 1}
    assert days(site.build()) == expected
    assert days(site.build()) == expected


CATALOG = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'


def catalog(*messages: tuple[str, str], flags: str = "") -> str:
    """Return a `.po` file."""
    return CATALOG + "".join(
        f'{flags}msgid "{message}"\nmsgstr "{text}"\n\n' for message, text in messages
    )


# As msgmerge and Weblate write it.
OBSOLETE = """\
#, fuzzy
#~| msgid "Older."
#~ msgid "Old."
#~ msgstr "Alt."
"""

# Tools take complete marks for a conflict in this file.
CONFLICT = f"""\
{"<" * 7} HEAD
#: a.rst:1
{"=" * 7}
#: a.rst:2
{">" * 7} other
msgid "New."
"Broken" msgstr
"""


@pytest.mark.parametrize("shows_fuzzy", [False, True])
def test_only_the_translations_of_a_document_count(
    project: Path, shows_fuzzy: bool
) -> None:
    site = SphinxSite.create(
        project,
        {
            "index.rst": document("Home", toctree=("guide/a", "guide/b")),
            "guide/a.rst": document("A") + "\nText.\n\nMore.\n",
            "guide/b.rst": document("B") + "\nOther.\n",
        },
        language="de",
        locale_dirs=["locale"],
        gettext_compact=True,
        gettext_allow_fuzzy_translations=shows_fuzzy,
    )
    path = "docs/locale/de/LC_MESSAGES/guide.po"
    versions = [
        catalog(("Text.", "Wort."), ("Other.", "Andere.")),
        catalog(("Text.", "Text-Wort."), ("Other.", "Andere.")),
        catalog(("Text.", "Text-Wort."), ("Other.", "Anderes.")),
        catalog(("Text.", "Text-Wort."), ("Other.", "Anderes."), ("More.", "Mehr.")),
        catalog(("Text.", "Text-Wort."), ("Other.", "Anderes.")),
        "# Comment\n" + catalog(("Text.", "Text-Wort."), ("Other.", "Anderes.")),
        catalog(("Text.", "Text-Wort."), ("Other.", "Anderes.")) + OBSOLETE,
        catalog(("Text.", "Text-Wort."), ("Other.", "Anderes.")) + CONFLICT,
        catalog(("Text.", "Text-Wort."), ("Other.", "Anderes.")) + OBSOLETE + OBSOLETE,
    ]
    ignored = {".gitignore": "/out/\n*.mo\n"}
    for day, text in enumerate(versions, start=4):
        site.repository.commit({path: text, **ignored}, day=day)
    # On day 8, a translation is removed.
    expected = {"index": 1, "guide/a": 8, "guide/b": 6}
    if shows_fuzzy:
        expected |= {"guide/a": 12, "guide/b": 12}
    assert days(site.build()) == expected
    assert days(site.build()) == expected, "also if nothing is read again"
    site.run("html", "-E", "-j", "2")
    assert days(site.read()) == expected, "also if other processes read the documents"


@pytest.mark.parametrize(("option", "day"), [("   :hidden:\n", 2), ("", 3)])
def test_only_translations_of_hidden_navigation_do_not_count(
    project: Path, option: str, day: int
) -> None:
    tree = f"\n.. toctree::\n   :caption: Parts\n{option}\n   Part A <a>\n"
    site = SphinxSite.create(
        project,
        {"index.rst": document("Home") + tree, "a.rst": document("A")},
        language="de",
        locale_dirs=["locale"],
    )
    path = "docs/locale/de/LC_MESSAGES/index.po"
    site.repository.commit(
        {path: catalog(("Home", "Start")), ".gitignore": "/out/\n*.mo\n"}, day=2
    )
    navigation = catalog(("Home", "Start"), ("Parts", "Teile"), ("Part A", "Teil A"))
    site.repository.commit({path: navigation}, day=3)
    assert days(site.build()) == {"index": day, "a": 1}


@pytest.mark.parametrize("is_reversed", [False, True])
def test_what_a_merge_shows_together_has_the_date_of_the_merge(
    project: Path, is_reversed: bool
) -> None:
    old, new = document("Page") + "\nOld.\n", document("Page") + "\nNew.\n"
    catalog_path = "locale/de/LC_MESSAGES/translated.po"
    site = SphinxSite.create(
        project,
        {
            "index.rst": document("Home", toctree=("translated", "including")),
            "translated.rst": old,
            "including.rst": document("Page"),
            "part.inc": "First.\n\n.. end\n",
            catalog_path: catalog(("Old.", "Alt.")),
        },
        language="de",
        locale_dirs=["locale"],
    )
    repository = site.repository
    repository.commit({".gitignore": "/out/\n*.mo\n"}, day=2)
    include = "\n.. include:: part.inc\n   :end-before: .. end\n"
    pages = {
        "docs/translated.rst": new,
        "docs/including.rst": document("Page") + include,
    }
    parts = {
        f"docs/{catalog_path}": catalog(("Old.", "Alt."), ("New.", "Neu.")),
        "docs/part.inc": "Second.\n\n.. end\n",
    }
    on_branch, on_main = (parts, pages) if is_reversed else (pages, parts)
    repository.git("switch", "--quiet", "--create", "branch")
    repository.commit(on_branch, day=4)
    repository.git("switch", "--quiet", "main")
    repository.commit(on_main, day=6)
    repository.git("merge", "--quiet", "--no-ff", "--message", "merge", "branch", day=9)
    assert days(site.build()) == {"index": 1, "translated": 9, "including": 9}
    site.configure(
        language="de", locale_dirs=["locale"], sitemap_lastmod_date="committed"
    )
    assert days(site.build()) == {"index": 1, "translated": 6, "including": 6}


LINKS = """\
.. Links and texts of all pages
.. highlight:: none
.. role:: python(code)
   :language: python
.. default-role:: strong

.. _First:           https://example.org/first
.. _`Second: page`: https://example.org/second
.. |name| replace:: **Product**
   with a second line
.. |logo| image:: logo.png
   :alt: Logo
.. |both| replace:: |name| and |logo|
"""


LINK_CHANGES = {
    4: ("org/first", "org/new-first"),
    5: ("org/second", "org/new-second"),
    6: ("second line", "new line"),
    7: (":alt: Logo", ":alt: New logo"),
    8: ("all pages", "every page"),
    9: (".. |logo|", ".. |new| replace:: text\n.. |logo|"),
}
# The page, and the day of the newest change that it shows.
LINKED_PAGES = {
    "none": ("No link.", 2),
    "first": ("See first_.", 4),
    "second": ("See `this <second: PAGE_>`_ and `Second: page`_.", 5),
    "text": ("The |name|.", 6),
    "logo": (".. note:: |logo| and FIRST_", 7),
    "both": ("The |both|.", 7),
    "code": ("See first_.\n\n.. include:: /links.txt\n   :literal:", 9),
    "block": ("See first_.\n\n.. literalinclude:: /links.txt", 9),
}


@pytest.mark.parametrize("option", ["rst_epilog", "rst_prolog"])
def test_links_and_substitutions_date_the_pages_that_use_them(
    project: Path, option: str
) -> None:
    site = SphinxSite.create(
        project,
        {
            "index.rst": document("Home", toctree=tuple(LINKED_PAGES)),
            **{f"{name}.rst": document(name) for name in LINKED_PAGES},
            "links.txt": LINKS,
            "logo.png": "",
        },
        exclude_patterns=["*.txt"],
        **{option: "\n.. include:: /links.txt\n"},
    )
    texts = {
        f"docs/{name}.rst": f"{document(name)}\n{text}\n"
        for name, (text, _) in LINKED_PAGES.items()
    }
    site.repository.commit(texts, day=2)
    links = LINKS
    for day, change in LINK_CHANGES.items():
        links = links.replace(*change)
        site.repository.commit({"docs/links.txt": links}, day=day)
    expected = {"index": 1} | {name: day for name, (_, day) in LINKED_PAGES.items()}
    assert days(site.build()) == expected
    site.run("html", "-E", "-j", "2")
    assert days(site.read()) == expected
    on_each_page = [
        links.replace("role:: strong", "role:: emphasis"),
        links.replace("language: python", "language: rst"),
        f"{links}\nA text.\n",
        f"{links}\n..  image:: logo.png\n",
    ]
    for day, shown in enumerate(on_each_page, start=10):
        site.repository.commit({"docs/links.txt": shown}, day=day)
        assert days(site.build()) == dict.fromkeys(expected, day), day


@pytest.mark.parametrize(
    ("options", "day"),
    [(":start-after: BEGIN\n:end-before: END\n", 4), (":literal:\n", 5)],
)
def test_lines_that_myst_includes(project: Path, options: str, day: int) -> None:
    site = SphinxSite.create(
        project,
        {
            "index.md": f"# Home\n\n```{{include}} ../README.md\n{options}```\n",
            "../README.md": "# A\n\nBEGIN\n\nFirst.\n\nEND\n",
        },
        extensions=["myst_parser"],
    )
    site.repository.commit({"README.md": "# A\n\nBEGIN\n\nSecond.\n\nEND\n"}, day=4)
    site.repository.commit({"README.md": "# B\n\nBEGIN\n\nSecond.\n\nEND\n"}, day=5)
    for _ in range(2):
        assert days(site.build()) == {"index": day}
