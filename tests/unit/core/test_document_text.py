"""Changes of documents that readers do not see."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from support.builds import as_sources, build_dates
from support.repository import Repository, noon

from docs_sitemap import Page
from docs_sitemap.shown import Shown, ShownKind

MARKDOWN = """\
---
title: Guide
tags: [a, b]
description: >
  What this
  is about
sitemap:
  priority: 0.5
---

# Guide

Some text that
is wrapped. See [a page](other.md).

<!-- A comment. -->

- one
- two

```python
def f():
    return 1  # <!-- shown -->
```

![Picture](a.png)
"""

RST = """\
:sitemap-priority: 0.5

Guide
=====

Some text that
is wrapped. See :doc:`other`.

.. A comment
   with two lines.

.. _target:

.. note:: A note.

   More of it.

Code::

    def f():
        return 1

    .. shown

.. code-block:: python

   x = 1

The end.
"""

UNSEEN = {
    "md: wrapped again": ("md", "Some text that\nis wrapped.", "Some text\nthat is wrapped."),
    "md: spaces at the end": ("md", "# Guide\n", "# Guide  \n"),
    "md: blank lines": ("md", "# Guide\n\n", "# Guide\n\n\n"),
    "md: comment": ("md", "A comment.", "Another\ncomment."),
    "md: comment removed": ("md", "<!-- A comment. -->\n", ""),
    "md: tags": ("md", "tags: [a, b]", "tags: [a]"),
    "md: nested key": ("md", "priority: 0.5", "priority: 0.7"),
    "md: line ends": ("md", "\n", "\r\n"),
    "md: byte order mark": ("md", "---\ntitle", "\ufeff---\ntitle"),
    "rst: wrapped again": ("rst", "Some text that\nis wrapped.", "Some text\nthat is wrapped."),
    "rst: comment": ("rst", "A comment\n   with two lines.", "Another\n\n   comment."),
    "rst: underline": ("rst", "=====", "========="),
    "rst: setting": ("rst", ":sitemap-priority: 0.5\n", ""),
    "rst: new comment": ("rst", "The end.", "..\n   Hidden.\n\nThe end."),
}

SEEN = {
    "md: word": ("md", "wrapped", "broken"),
    "md: link": ("md", "other.md", "others.md"),
    "md: image": ("md", "a.png", "b.png"),
    "md: title": ("md", "title: Guide", "title: The guide"),
    "md: second line of the description": ("md", "  is about", "  is all about"),
    "md: code": ("md", "return 1", "return 2"),
    "md: indentation of code": ("md", "    return 1", "  return 1"),
    "md: comment in code": ("md", "<!-- shown -->", "<!-- seen -->"),
    "md: list": ("md", "- two\n", ""),
    "md: level": ("md", "# Guide", "## Guide"),
    "md: no comment": ("md", "<!-- A comment. -->", "A comment."),
    "rst: word": ("rst", "wrapped", "broken"),
    "rst: role": ("rst", ":doc:`other`", ":doc:`others`"),
    "rst: target": ("rst", ".. _target:", ".. _other:"),
    "rst: directive": ("rst", ".. note::", ".. warning::"),
    "rst: directive content": ("rst", "More of it.", "Less of it."),
    "rst: literal block": ("rst", "return 1", "return 2"),
    "rst: indentation in a literal block": ("rst", "        return 1", "      return 1"),
    "rst: like a comment in a literal block": ("rst", ".. shown", ".. seen"),
    "rst: code block": ("rst", "   x = 1", "   x = 2"),
    "rst: level": ("rst", "=====", "-----"),
    "rst: after code": ("rst", "The end.", "An end."),
    "rst: text below an empty comment": ("rst", "The end.", "..\n\n   Shown.\n\nThe end."),
}


def digest(path: str, text: str) -> bytes | None:
    return Shown(ShownKind.TEXT).digest(path.encode(), text.encode())


def digests(suffix: str, old: str, new: str) -> tuple[bytes | None, bytes | None]:
    text = MARKDOWN if suffix == "md" else RST
    assert old in text
    changed = text.replace(old, new)
    assert changed != text
    path = f"a.{suffix}"
    return digest(path, text), digest(path, changed)


@pytest.mark.parametrize("name", UNSEEN)
def test_changes_that_readers_do_not_see(name: str) -> None:
    before, after = digests(*UNSEEN[name])
    assert before == after


@pytest.mark.parametrize("name", SEEN)
def test_changes_that_readers_see(name: str) -> None:
    before, after = digests(*SEEN[name])
    assert before != after


@given(st.sampled_from(["a.md", "a.rst"]), st.text("ab \n`~-=<>!.:[]|_", max_size=80))
def test_words_that_are_not_in_a_comment_are_seen(name: str, text: str) -> None:
    shown = digest(name, f"{text}\n\nword\n")
    hidden = ".." in text or "<!--" in text
    assert hidden or shown != digest(name, f"{text}\n\nother\n")


def test_documents_that_are_not_utf_8_have_no_digest() -> None:
    assert Shown(ShownKind.TEXT).digest(b"a.md", b"\xff") is None


@pytest.mark.parametrize("name", ["a.md", "a.rst", "a.txt"])
def test_the_option_text_passes_over_commits_that_only_wrap_lines(project: Path, name: str) -> None:
    repository = Repository.create(project)
    repository.commit({name: "One two.\n", "part.md": "Part.\n"}, day=1)
    repository.commit({name: "One\ntwo.\n"}, day=2)
    files = [str(project / path) for path in (name, "part.md")]

    def date(changes: str) -> str | None:
        page = Page(url="a", name=name, sources=as_sources(*files))
        return build_dates(page, lastmod_changes=changes).listed[0].url.lastmod

    assert date("any") == noon(2)
    assert date("text") == noon(2 if name == "a.txt" else 1)
    repository.commit({"part.md": "Part.\n\n"}, day=3)
    assert date("text") == noon(3), "only the own file of the page is compared"
