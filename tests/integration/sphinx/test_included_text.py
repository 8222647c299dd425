"""Text that a document includes is compared like the text of the document."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.sphinx import SphinxSite, days, document

RST = """\
.. start

Title
-----

One line
and another line.

* An item

  - another item

See `more <more.html>`_.

.. end
"""
MARKDOWN = """\
---
author: A
---

<!-- start -->

## Title

One line
and another line.

* An item
    * another item

See [more](more.md).

<!-- end -->
"""

# Each with a text of a file, and what stands in its place.
RST_CHANGES = {
    "comment": ("Title\n-", ".. A note.\n\nTitle\n-"),
    "rewrapped": ("line\nand another", "line and\nanother"),
    "label": ("Title\n-", ".. _label:\n\nTitle\n-"),
    "underline": ("-----", "------"),
    "marker": ("* An", "- An"),
    "space": ("another line.\n", "another line. \n"),
    "style": ("------", "~~~~~~"),
    "word": ("One", "A"),
    "paragraph": ("and\nanother", "and\n\nanother"),
    "list": ("  - another", "- another"),
}
MARKDOWN_CHANGES = {
    "front matter": ("author: A", "author: B"),
    "comment": ("## Title", "<!-- A note. -->\n\n## Title"),
    "rewrapped": ("line\nand another", "line and\nanother"),
    "label": ("## Title", "(label)=\n## Title"),
    "underline": ("## Title\n", "Title\n-----\n"),
    "marker": ("* An", "- An"),
    "space": ("another line.\n", "another line. \n"),
    "style": ("Title\n-----\n", "Title\n=====\n"),
    "word": ("One", "A"),
    "paragraph": ("and\nanother", "and\n\nanother"),
    "list": ("    * another", "- another"),
}
VISIBLE = {"style", "word", "paragraph", "list"}
# White space at the ends of lines is not visible in code, either.
VISIBLE_IN_CODE = (RST_CHANGES.keys() | MARKDOWN_CHANGES.keys()) - {"space"}

MARKS = "   :start-after: {}\n   :end-before: {}\n"
RST_MARKS = MARKS.format(".. start", ".. end")
MARKDOWN_MARKS = MARKS.format("<!-- start -->", "<!-- end -->")
PARSER = "   :parser: myst_parser.sphinx_\n"
# The text of each page, and whether it shows the file as code.
RST_PAGES = {
    "whole.rst": (".. include:: a.inc\n", False),
    "marks.rst": (f".. include:: a.inc\n{RST_MARKS}", False),
    "lines.rst": (".. include:: a.inc\n   :start-line: 1\n", False),
    "nested.rst": (".. include:: outer.inc\n", False),
    "myst.md": ("```{eval-rst}\n.. include:: a.inc\n```\n", False),
    "literal.rst": (".. include:: a.inc\n   :literal:\n", True),
    "code.rst": (f".. include:: a.inc\n   :code: rst\n{RST_MARKS}", True),
    "other.rst": (".. literalinclude:: a.inc\n", True),
    "both.rst": (".. include:: a.inc\n\n.. literalinclude:: a.inc\n", True),
}
MARKDOWN_PAGES = {
    "whole.md": ("```{include} a.inc\n```\n", False),
    "marks.md": (f"```{{include}} a.inc\n{MARKDOWN_MARKS}```\n", False),
    "nested.md": ("```{include} outer.inc\n```\n", False),
    "parser.rst": (f".. include:: a.inc\n{MARKDOWN_MARKS}{PARSER}", False),
    "literal.md": ("```{include} a.inc\n:literal: true\n```\n", True),
    "code.md": ("```{literalinclude} a.inc\n```\n", True),
}


@pytest.mark.parametrize(
    ("pages", "part", "outer", "changes"),
    [
        (RST_PAGES, RST, ".. include:: a.inc\n", RST_CHANGES),
        (MARKDOWN_PAGES, MARKDOWN, "```{include} a.inc\n```\n", MARKDOWN_CHANGES),
    ],
)
def test_changes_to_an_included_file(
    project: Path,
    pages: dict[str, tuple[str, bool]],
    part: str,
    outer: str,
    changes: dict[str, tuple[str, str]],
) -> None:
    names = {page: page.partition(".")[0] for page in pages}
    files = {"a.inc": part, "outer.inc": outer, "more.md": "# More\n"}
    files["index.rst"] = document("Home", toctree=("more", *names.values()))
    for page, (text, _) in pages.items():
        title = document("Page") if page.endswith(".rst") else "# Page\n"
        files[page] = f"{title}\n{text}"
    site = SphinxSite.create(
        project, files, extensions=["myst_parser"], suppress_warnings=["myst"]
    )
    site.log()
    expected = days(site.read())
    assert set(expected.values()) == {1}
    text = part
    # Builds take long, so one shows that all of these changes are invisible.
    last = [*changes].index("space") + 2
    for day, (name, (old, new)) in enumerate(changes.items(), start=2):
        assert old in text
        text = text.replace(old, new)
        site.repository.commit({"docs/a.inc": text}, day=day)
        for page, (_, is_code) in pages.items():
            if name in (VISIBLE_IN_CODE if is_code else VISIBLE):
                expected[names[page]] = day
        if day >= last:
            site.log()
            assert days(site.read()) == expected, name
