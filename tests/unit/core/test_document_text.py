"""Changes of documents that readers do not see."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings, strategies as st
from support.builds import as_sources, build_dates
from support.repository import Repository, noon

from docs_sitemap import History, Options, Page
from docs_sitemap.git.history_types import HistoryOptions, WantedFile
from docs_sitemap.shown import Shown, ShownKind
from docs_sitemap.shown.document_notations import NOTATIONS, canonical
from docs_sitemap.shown.front_matter import FrontMatterKeys

MARKDOWN = """\
---
title: Guide
tags: [a, b]
status: new
hide:
- toc
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
    "md: wrapped again": (
        "md",
        "Some text that\nis wrapped.",
        "Some text\nthat is wrapped.",
    ),
    "md: spaces at the end": ("md", "# Guide\n", "# Guide  \n"),
    "md: blank lines": ("md", "# Guide\n\n", "# Guide\n\n\n"),
    "md: comment": ("md", "A comment.", "Another\ncomment."),
    "md: comment removed": ("md", "<!-- A comment. -->\n", ""),
    "md: status": ("md", "status: new\n", ""),
    "md: list below a key": ("md", "- toc\n", "- toc\n- navigation\n"),
    "md: order of keys": (
        "md",
        "title: Guide\ntags: [a, b]",
        "tags: [a,  b]\ntitle: Guide",
    ),
    "md: nested key": ("md", "priority: 0.5", "priority: 0.7"),
    "md: quotes": ("md", "title: Guide", 'title: "Guide"'),
    "md: form of a list": ("md", "tags: [a, b]", "tags:\n  - a\n  - b"),
    "md: comment in front matter": ("md", "title: Guide", "# A name\ntitle: Guide"),
    "md: end of the front matter": ("md", "0.5\n---", "0.5\n..."),
    "md: line ends": ("md", "\n", "\r\n"),
    "md: byte order mark": ("md", "---\ntitle", "\ufeff---\ntitle"),
    "rst: wrapped again": (
        "rst",
        "Some text that\nis wrapped.",
        "Some text\nthat is wrapped.",
    ),
    "rst: comment": ("rst", "A comment\n   with two lines.", "Another\n\n   comment."),
    "rst: underline": ("rst", "=====", "========="),
    "rst: character of the underline": ("rst", "=====", "-----"),
    "rst: setting": ("rst", ":sitemap-priority: 0.5\n", ""),
    "rst: label": ("rst", ".. _target:\n", ""),
    "rst: other label": ("rst", ".. _target:", ".. _other:"),
    "rst: new comment": ("rst", "The end.", "..\n   Hidden.\n\nThe end."),
}

SEEN = {
    "md: word": ("md", "wrapped", "broken"),
    "md: link": ("md", "other.md", "others.md"),
    "md: image": ("md", "a.png", "b.png"),
    "md: tags": ("md", "tags: [a, b]", "tags: [a]"),
    "md: invalid front matter": ("md", "title: Guide", "title: [Guide"),
    "md: new key": ("md", "status: new", "hero: Welcome"),
    "md: title": ("md", "title: Guide", "title: The guide"),
    "md: second line of the description": ("md", "  is about", "  is all about"),
    "md: code": ("md", "return 1", "return 2"),
    "md: indentation of code": ("md", "    return 1", "  return 1"),
    "md: comment in code": ("md", "<!-- shown -->", "<!-- seen -->"),
    "md: list": ("md", "- two\n", ""),
    "md: level": ("md", "# Guide", "## Guide"),
    "md: no comment": ("md", "<!-- A comment. -->", "A comment."),
    "md: comment for a hook": ("md", "A comment.", "version:1.2"),
    "rst: word": ("rst", "wrapped", "broken"),
    "rst: role": ("rst", ":doc:`other`", ":doc:`others`"),
    "rst: directive": ("rst", ".. note::", ".. warning::"),
    "rst: directive content": ("rst", "More of it.", "Less of it."),
    "rst: literal block": ("rst", "return 1", "return 2"),
    "rst: indentation in a literal block": (
        "rst",
        "        return 1",
        "      return 1",
    ),
    "rst: like a comment in a literal block": ("rst", ".. shown", ".. seen"),
    "rst: code block": ("rst", "   x = 1", "   x = 2"),
    "rst: level": ("rst", "The end.", "The end.\n\nEnd\n---"),
    "rst: after code": ("rst", "The end.", "An end."),
    "rst: text below an empty comment": (
        "rst",
        "The end.",
        "..\n\n   Shown.\n\nThe end.",
    ),
}


# Changes of the structure in which all words stay the same: the texts before and after.
STRUCTURE = {
    "md: line below two lines of text": ("a\nb\n---\n", "a\nb\n\n---\n"),
    "md: other indentation of the end of a fence": (
        "```\na\n ```\n\nb\n",
        "```\na\n```\n\nb\n",
    ),
    "md: fence without an end": ("```\na\n", "```\na\n```\n"),
    "rst: code directly below two colons": ("a::\n    b\n", "a::\n\n    b\n"),
    "rst: code directly below a directive": (
        ".. code-block:: a\n    b\n",
        ".. code-block:: a\n\n    b\n",
    ),
    "rst: indentation of a session of Python": (
        "  a\n\n  >>> 1\n  1\n",
        "  a\n\n    >>> 1\n    1\n",
    ),
    "rst: definition in a note": (
        ".. note::\n\n   a\n    b\n",
        ".. note::\n\n   a\n   b\n",
    ),
    "rst: word above the text of a directive": (
        ".. seealso:: :ref:`a`\n   b\n",
        ".. seealso:: :ref:`a`\n\n   b\n",
    ),
    "md: nested list made flat": ("- one\n    - two\n", "- one\n- two\n"),
    "md: code becomes a paragraph": ("One:\n\n    two three\n", "One:\n\ntwo three\n"),
    "md: shorter admonition": (
        "!!! note\n    one\n\n    two\n",
        "!!! note\n    one\n\ntwo\n",
    ),
    "md: heading joined with its paragraph": ("# One\n\ntwo\n", "# One two\n"),
    "md: alignment": ("|a|b|\n|-|-|\n|c|d|\n", "|a|b|\n|-|-:|\n|c|d|\n"),
    "md: cells": ("|a|b|\n|-|-|\n|one two|three|\n", "|a|b|\n|-|-|\n|one|two three|\n"),
    "md: line break": ("one\ntwo\n", "one  \ntwo\n"),
    "md: unknown block": ("::: a\n    b: c\n", "::: a\n  b: c\n"),
    "md: emphasis": ("one two\n", "one *two*\n"),
    "md: code without an end": ("```\none\n```\n# two\n", "```\none\n# two\n"),
    "md: heading in code": ("```\n# one\na b\n```\n", "```\n# one\na\nb\n```\n"),
    "md: link of mkdocs-autorefs": ("[`one`]\n", "[`one`][]\n"),
    "rst: nested list made flat": ("- one\n\n  - two\n", "- one\n\n- two\n"),
    "rst: heading below a paragraph": (
        "one\nTwo\n---\n\nthree\n",
        "one\n\nTwo\n---\n\nthree\n",
    ),
    "rst: code becomes a paragraph": ("One::\n\n   two\n", "One::\n\ntwo\n"),
    "rst: shorter note": (".. note::\n\n   a\n\n   b\n", ".. note::\n\n   a\n\nb\n"),
    "rst: paragraphs joined": ("one\n\ntwo\n", "one\ntwo\n"),
    "rst: line block": ("| one\n| two\n", "| one two\n"),
    "rst: unknown directive": (".. tabs::\n\n   a b\n", ".. tabs::\n\n   a\n   b\n"),
    "md: other marks of a list in text": ("one\n- two\n", "one\n* two three\n"),
    "md: options of an object": ("::: a\n    b:\n      c\n", "::: a\n    b: c\n"),
    "md: code without a fence": ("one\n\n    a\n    b\n", "one\n\n    a b\n"),
    "md: preformatted": ("<pre>a\nb</pre>\n", "<pre>a b</pre>\n"),
    "md: loose list": ("- one\n- two\n", "- one\n\n- two\n"),
    "md: text below a term": ("one\n:   two\n", "one :   two\n"),
    "md: line break above bold": ("**a**  \n**b**\n", "**a**\n**b**\n"),
    "md: line break above code": ("a  \n`b`\n", "a\n`b`\n"),
    "md: line break above HTML": ("a  \n<b>b</b>\n", "a\n<b>b</b>\n"),
    "md: line break in a quote": ("> a  \n> **b**\n", "> a\n> **b**\n"),
    "md: table below a paragraph": ("a\n|b|c|\n|-|-|\n", "a\n\n|b|c|\n|-|-|\n"),
    "md: code below bold text": ("**a**\n\n    b\n    c\n", "**a**\n\n    b c\n"),
    "md: code below a link": ("[a](b)\n\n    b\n    c\n", "[a](b)\n\n    b c\n"),
    "md: code in an item": ("- a\n\n        b\n        c\n", "- a\n\n        b c\n"),
    "md: code below a paragraph of an item": (
        "- a\n\n    b\n\n        c\n          d\n",
        "- a\n\n    b\n\n        c\n        d\n",
    ),
    "md: code in an admonition": (
        "!!! note\n\n    a\n\n        b\n          c\n",
        "!!! note\n\n    a\n\n        b\n        c\n",
    ),
    "md: code between colons": (
        ":::{testcode}\na\nb\n:::\n",
        ":::{testcode}\na b\n:::\n",
    ),
    "md: text around a hidden toctree": (
        "````{note}\n```{toctree}\n:hidden:\na\n```\nb\n````\n",
        "````{note}\n```{toctree}\n:hidden:\na\n```\nc\n````\n",
    ),
    "md: list of a quote": ("> - a\n> - b\n", "> - a\n>   - b\n"),
    "md: table that leaves a tab": (
        '=== "A"\n\n    |b|c|\n    |-|-|\n',
        '=== "A"\n\n|b|c|\n|-|-|\n',
    ),
    "md: space before a heading of Python-Markdown": (" # A\n", "# A\n"),
    "md: space before an admonition": (" !!! note\n", "!!! note\n"),
    "md: line break in a quote of a quote": ("> > a  \n> > b\n", "> > a\n> > b\n"),
    "md: line break that a space ends": ("a\\\nb\n", "a\\ \nb\n"),
    "md: code below HTML in a line": (
        "<b>a</b> b\n\n    c\n      d\n",
        "<b>a</b> b\n\n    c\n    d\n",
    ),
    "md: text that is a row": ("|a|b|\n|-|-|\n\nc\n", "|a|b|\n|-|-|\nc\n"),
    "md: definition that is text": ("a\n\n[b]: c\n", "a\n[b]: c\n"),
    "md: text below the mark of a quote": ("> a\n", ">\na\n"),
    "rst: too short underline": ("One title\n---\n", "One title\n---------\n"),
    "md: underlined code": ("`a`\n===\n", "`a`\n\n===\n"),
    # Python-Markdown shows the backslash.
    "md: other line break": ("one  \ntwo\n", "one\\\ntwo\n"),
    "md: backslash above a text": ("one\\\ntwo\n", "one\\ two\n"),
    "md: line break in an item": ("- a  \n  b\n", "- a\n  b\n"),
    "md: line break in an admonition": (
        "!!! note\n    a  \n    b\n",
        "!!! note\n    a\n    b\n",
    ),
    "md: class of a heading": ("# A { #a .b }\n", "# A { #a }\n"),
    "md: label in the table of contents": (
        '# A { #a data-toc-label="B" }\n',
        "# A { #a }\n",
    ),
    "md: number in an attribute": (
        '[a](b){ title="c #1" }\n',
        '[a](b){ title="c #2" }\n',
    ),
    "md: comment of Jinja": ("{# a #}\n", "{# b #}\n"),
    "md: class of a link": ('<a href="b" class="c">a</a>\n', "[a](b)\n"),
    "md: image for one theme": ("![a](b.svg#only-dark)\n", "![a](b.svg#only-light)\n"),
    "md: indented code below a fence": (
        "```\na\n```\n    b\n      c\n",
        "```\na\n```\n    b\n    c\n",
    ),
    "md: indented code below a heading": (
        "# a\n    b\n      c\n",
        "# a\n    b\n    c\n",
    ),
    "md: indented code in a quote": (
        "> a\n>\n>     b\n>       c\n",
        "> a\n>\n>     b\n>     c\n",
    ),
    "md: indentation of all code": ("a\n\n    b\n", "a\n\n      b\n"),
    "md: space in fenced code": ("```\n  a\n```\n", "```\na\n```\n"),
    "md: long marks of code": ("````a <!-- b --> c````\n", "````a  c````\n"),
    "md: text like a comment of MyST": ("one\n% two\n", "one\n% three\n"),
    "md: options in code": (
        "````md\n:::{a}\n:b:\n:c:\n:::\n````\n",
        "````md\n:::{a}\n:c:\n:b:\n:::\n````\n",
    ),
    "md: value of an option": (
        ":::{a}\n:b: c\n:d: e\n:::\n",
        ":::{a}\n:b: e\n:d: c\n:::\n",
    ),
    "md: title that is not the heading": ("# A\n", "---\ntitle: B\n---\n# A\n"),
    "md: title of a text without a heading": ("A\n", "---\ntitle: A\n---\nA\n"),
    "md: title of a section": ("## A\n", "---\ntitle: A\n---\n## A\n"),
    "md: underscores in a word": ("a__b__c\n", "a**b**c\n"),
    "rst: indentation in a line block": ("| a\n|   b\n", "| a\n| b\n"),
    "rst: code in an item": (
        "- .. code-block:: a\n\n     b\n     c\n",
        "- .. code-block:: a\n\n     b c\n",
    ),
    "rst: options in code": (
        "A::\n\n   .. figure:: b\n      :alt: c\n      :width: d\n",
        "A::\n\n   .. figure:: b\n      :width: d\n      :alt: c\n",
    ),
    "rst: value of an option": (
        ".. figure:: b\n   :alt: c\n   :align: d\n",
        ".. figure:: b\n   :alt: d\n   :align: c\n",
    ),
    "rst: list below a paragraph": ("a\n- b\n- c\n", "a\n\n- b\n- c\n"),
    "rst: directive below a paragraph": ("a\n.. tip:: b\n", "a\n\n.. tip:: b\n"),
    "rst: text around a hidden toctree": (
        ".. grid:: 2\n\n   b\n\n   .. toctree::\n      :hidden:\n\n      a\n",
        ".. grid:: 2\n\n   c\n\n   .. toctree::\n      :hidden:\n\n      a\n",
    ),
    "rst: hidden toctree as code": (
        "A::\n\n   .. toctree::\n      :hidden:\n\n      a\n",
        "A::\n\n   .. toctree::\n      :hidden:\n\n      b\n",
    ),
    "rst: deeper heading": (
        "One\n===\n\nTwo\n---\n\nThree\n---\n",
        "One\n===\n\nTwo\n---\n\nThree\n~~~\n",
    ),
    "rst: term": ("one\n   two\n", "one two\n"),
    "rst: text that moves into a note": (
        ".. tip::\n\none\n",
        ".. tip::\n\n   one\n",
    ),
    "rst: prompt": (">>> a\nb\n", ">>> a b\n"),
    "rst: entries of a table of contents": (
        ".. toctree::\n\n   a\n   b\n",
        ".. toctree::\n\n   a b\n",
    ),
    "rst: cells": ("=== ===\na   b c\n=== ===\n", "=== ===\na b c\n=== ===\n"),
}

# Changes of documents that change nothing that is rendered.
LAYOUT = {
    "md: markers of lists": ("* one\n* two\n", "- one\n- two\n"),
    "md: width of a table": (
        "|a|b|\n|-|-|\n|c|d|\n",
        "| a | b |\n| --- | --- |\n| c | d |\n",
    ),
    "md: heading": ("One\n===\n\nTwo\n---\n", "# One\n\n## Two ##\n"),
    "md: tabs": ('=== "A"\n\n    b c\n', '=== "A"\n    b\n    c\n'),
    "md: id of a heading": ("# One\n\ntwo\n", "# One { #one }\n\ntwo\n"),
    "md: emphasis": ("_one_ **_three_**\n", "*one* ***three***\n"),
    "md: table without bars at its sides": (
        "a | b\n- | -\nc | d\n",
        "| a | b |\n| --- | --- |\n| c | d |\n",
    ),
    "md: link in HTML": ('<a href="b.md">one</a>\n', "[one](../b.md)\n"),
    "md: marks of code": ("`one` two\n", "``one`` two\n"),
    "md: fences": ("```py\none\n```\n", "~~~ py\none  \n~~~\n"),
    "md: line": ("one\n\n***\n\ntwo\n", "one\n\n- - -\n\ntwo\n"),
    "md: padding of markers": ("-   one\n    two\n", "- one two\n"),
    "md: wrapped quote": ("> one\n> two\n", "> one two\n"),
    "md: wrapped list in a block": (
        "!!! note\n\n    - one\n      two\n",
        "!!! note\n\n    - one two\n",
    ),
    "md: comment of MyST": ("one\n\n% two\n\nthree\n", "one\n\nthree\n"),
    "md: space at the end": ("- one \n\n> two  \n", "- one\n\n> two\n"),
    "rst: address below its name": (".. _a:\n   https://b.c\n", ".. _a: https://b.c\n"),
    "rst: wrapped list": ("* one\n  two\n", "- one two\n"),
    "rst: indented note": (".. note::\n   one\n   two\n", ".. note::\n     one two\n"),
    "rst: underlines": (
        "One\n===\n\nTwo\n---\n\nThree\n=====\n",
        "One\n***\nTwo\n~~~\nThree\n*****\n",
    ),
    "rst: option of a module": (".. module:: a\n", ".. module:: a\n   :no-index:\n"),
    "rst: tabs": ("A::\n\n\tb\n", "A::\n\n    b\n"),
    "rst: wrapped object": (
        ".. function:: a()\n\n   one\n   two\n",
        ".. function:: a()\n\n   one two\n",
    ),
    "md: comment in text": ("one <!-- two --> three\n", "one three\n"),
    "md: icon": (
        "---\ntitle: A\n---\nb\n",
        "---\ntitle: A\nicon: c\nstatus: new\n---\nb\n",
    ),
    "md: settings of MyST": (
        "---\nhtml_meta:\n  description: A\n---\nb\n",
        "---\nmyst:\n  html_meta:\n    description: A\n---\nb\n",
    ),
    "md: hidden toctree": ("a\n\n```{toctree}\n:hidden:\nb\n```\n", "a\n"),
    "md: hidden toctree with a caption": (
        "a\n\n```{toctree}\n:caption: c\n:hidden:\nb\n```\n",
        "a\n",
    ),
    "md: space before a heading": ("a  \n# b\n", "a\n# b\n"),
    "md: space before a list": ("a  \n* b\n", "a\n* b\n"),
    "md: wrapped item of an item": (
        "- a\n\n    - b\n      c\n",
        "- a\n\n    - b c\n",
    ),
    "md: one of several sections": ("# a\n\nb c\n\n# d\n", "# a\n\nb\nc\n\n# d\n"),
    "rst: hidden toctree": ("a\n\n.. toctree::\n   :hidden:\n\n   b\n", "a\n"),
    "rst: wrapped note": (".. note:: one two\n", ".. note::\n\n   one\n   two\n"),
    "rst: index": (
        ".. py:class:: A\n\n   Text.\n",
        ".. py:class:: A\n   :canonical: a.A\n   :no-index:\n\n   Text.\n",
    ),
    "rst: wrapped versionadded": (
        ".. versionadded:: 1 one two\n",
        ".. versionadded:: 1\n   one\n   two\n",
    ),
    "md: id": ("# A {#a}\n", "# A {#b}\n"),
    "md: id in the notation of kramdown": ("# A {: #a }\n", "# A\n"),
    "md: id of an underlined heading": ("A { #a }\n===\n", "A\n===\n"),
    "md: id beside a class": ("# A { #a .b }\n", "# A {.b}\n"),
    "md: id of a heading with code": ("## `{a}` {#a} ##\n", "## `{a}`\n"),
    "md: id of a heading in a tab": ('=== "A"\n    ## B {#b}\n', '=== "A"\n    ## B\n'),
    "md: id above a heading in MyST": ("{#a}\n# A\n", "# A\n"),
    "md: id below a paragraph": ("a\n{: #a }\n\nb\n", "a\n\nb\n"),
    "md: id of code": ("`a`{ #a } b\n", "`a`{: #b } b\n"),
    "md: empty link with an id": ("[](){#a}\n\n# A\n", "# A\n"),
    "md: anchor": ('# <a name="a"></a>A\n', "# A\n"),
    "md: window of a link": ("[a](b){target=_blank}\n", "[a](b)\n"),
    "md: window of a link in HTML": (
        '<a href="b" target="_blank" rel="noopener">a</a>\n',
        "[a](b)\n",
    ),
    "md: wrapped footnote": ("[^a]: b c\n\nd\n", "[^a]: b\n    c\n\nd\n"),
    "md: wrapped expression": ("a {{ b }} c\n", "a {{\nb }} c\n"),
    "md: space between blocks": (
        "`{a}` b\n\n```\nc\n```\n",
        "`{a}` b\n    \n```\nc\n```\n",
    ),
    "md: strong emphasis": ("__a__ __*b*__\n", "**a** ***b***\n"),
    "md: space before a table": (" a | b\n - | -\n c | d\n", "a | b\n- | -\nc | d\n"),
    "md: title that is the heading": (
        "A\n===\n\nb\n",
        "---\ntitle: 'A'\n---\n# A {#a}\nb\n",
    ),
    "md: space in front matter": (
        "---\ndescription: |\n  a \n  b\n---\nc\n",
        "---\ndescription: |\n  a\n  b  \n---\nc\n",
    ),
    "md: item without a text": ("* \n* a\n", "-\n- a\n"),
    "rst: name of a code block": (
        ".. sourcecode:: a\n\n   b\n",
        ".. code-block:: a\n\n   b\n",
    ),
    "rst: link without a name": ("`a <b>`__ c\n", "`a <b>`_ c\n"),
    "rst: address below a name of words": (
        ".. _`a b`:\n   https://c\n",
        ".. _`a b`: https://c\n",
    ),
    "rst: orphan": ("a\n", ":orphan:\n\na\n"),
    "rst: text below an unknown role": ("a :ref:`b`\n\nc d\n", "a :ref:`b`\n\nc\nd\n"),
}


def shows_same(path: str, old: bytes, new: bytes) -> bool:
    keys = Shown(ShownKind.TEXT).changed_keys(path.encode(), old, new)
    return keys is not None and not any(map(FrontMatterKeys().shows, keys))


def is_same(path: str, old: str, new: str) -> bool:
    return shows_same(path, old.encode(), new.encode())


def is_unseen(suffix: str, old: str, new: str) -> bool:
    text = MARKDOWN if suffix == "md" else RST
    assert old in text
    changed = text.replace(old, new)
    assert changed != text
    return is_same(f"a.{suffix}", text, changed)


@pytest.mark.parametrize("name", UNSEEN)
def test_changes_that_readers_do_not_see(name: str) -> None:
    assert is_unseen(*UNSEEN[name])


@pytest.mark.parametrize("name", SEEN)
def test_changes_that_readers_see(name: str) -> None:
    assert not is_unseen(*SEEN[name])


@pytest.mark.parametrize("name", STRUCTURE)
def test_changes_of_the_structure_are_seen(name: str) -> None:
    old, new = STRUCTURE[name]
    assert not is_same(f"a.{name.partition(':')[0]}", old, new)


@pytest.mark.parametrize("name", LAYOUT)
def test_changes_of_the_layout_are_not_seen(name: str) -> None:
    old, new = LAYOUT[name]
    assert is_same(f"a.{name.partition(':')[0]}", old, new)


def without_front_matter(changes: dict[str, tuple[str, str]], suffix: str) -> list[str]:
    names = []
    for name, texts in changes.items():
        metadata = any(text.startswith(("---", ":orphan")) for text in texts)
        if name.startswith(f"{suffix}:") and not metadata:
            names.append(name)
    return names


@given(st.data(), st.sampled_from(["md", "rst"]))
def test_one_of_many_changes_is_seen(data: st.DataObject, suffix: str) -> None:
    names = st.lists(st.sampled_from(without_front_matter(LAYOUT, suffix)), max_size=6)
    parts = [LAYOUT[name] for name in data.draw(names)]
    old = [data.draw(st.sampled_from(part)) for part in parts]
    new = [data.draw(st.sampled_from(part)) for part in parts]
    text = "\n\nText.\n\n"
    assert is_same(f"a.{suffix}", text.join(["", *old]), text.join(["", *new]))
    name = data.draw(st.sampled_from(without_front_matter(STRUCTURE, suffix)))
    position = data.draw(st.integers(0, len(parts)))
    old.insert(position, STRUCTURE[name][0])
    new.insert(position, STRUCTURE[name][1])
    assert not is_same(f"a.{suffix}", text.join(["", *old]), text.join(["", *new]))


def test_toml_is_front_matter_too() -> None:
    text = "+++\nweight = 1\ntitle = 'A'\n+++\n# B\n"
    assert is_same("a.md", text, text.replace("weight = 1\n", ""))
    assert not is_same("a.md", text, text.replace("'A'", "'C'"))
    assert not is_same("a.md", text, text.replace("+++", "---"))


@pytest.mark.parametrize("suffix", ["yml", "yaml"])
def test_a_file_can_be_nothing_but_front_matter(suffix: str) -> None:
    path = f"a.{suffix}"
    assert is_same(path, "tags: [b, c]\nicon: d\n", "tags:\n- b\n- c\nicon: e\n")
    assert not is_same(path, "tags: [b, c]\n", "tags: [b, d]\n")


def test_repeated_values_in_yaml_are_compared_in_linear_time() -> None:
    nested = "".join(f"x{n}: &x{n} [*x{n - 1}, *x{n - 1}]\n" for n in range(1, 40))
    text = f"---\nx0: &x0 [a]\n{nested}icon: a\n---\n# B\n"
    assert is_same("a.md", text, text.replace("icon: a\n", ""))
    assert not is_same("a.md", text, text.replace("[a]", "[b]"))


def test_the_text_can_show_a_key_for_the_layout() -> None:
    text = "---\nicon: a\n---\n{{ icon }}\n"
    assert not is_same("a.md", text, text.replace(": a", ": b"))
    text = "# A\n\n{{ title }}\n"
    assert not is_same("a.md", text, f"---\ntitle: A\n---\n{text}")


@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_white_space_in_code_is_seen(fence: str) -> None:
    code = f"{fence}\n# a\nb  c\n# d\n{fence}\n"
    assert not is_same("a.md", code, code.replace("b  c", "b c"))
    # Neither a shorter fence nor another one ends the code.
    longer = fence + fence[0]
    other = "~~~~~" if fence[0] == "`" else "`````"
    for text in (f"{longer}\n{fence}\n", f"{fence}\n{other}\n"):
        start, _, _ = text.partition("\n")
        code = f"{text}# e\nb  c\n# d\n{start}\n"
        assert not is_same("a.md", code, code.replace("b  c", "b c"))


@given(st.text("aé0 ,.;'\"?!()/-#+&", max_size=30), st.sampled_from([".md", ".rst"]))
def test_a_line_without_notations_has_the_form_that_it_has_in_a_text(
    line: str, suffix: str
) -> None:
    text = f"a{line}"
    assert canonical(f"{text}\n\n[b]", suffix) == f"{canonical(text, suffix)}\n\n[b]"


def test_a_part_of_a_document_has_a_form() -> None:
    for suffix in (".md", ".rst"):
        assert canonical("", suffix) == ""
        assert canonical("\n  \n", suffix) == ""
        # The end of a list, and all lines indented.
        old = "  end of an\n  item\n\n* another one \n"
        new = "  end\n  of an item\n\n- another one"
        assert canonical(old, suffix) == canonical(new, suffix)


# Lines that start, end, or continue what other lines contain.
PIECES = {
    ".md": (
        *("", "", "a", "bc [d](e/f.md) *g*,", "h", "# i", "j", "===", "  k", "      l"),
        *("- m", "* m", "1. n", "> o", "| p | q |", "| - | - |", "```", "~~~", "````"),
        *("- ```", ":::{note}", ":::", "<!-- r -->", "<pre>", "</pre>"),
        *("% s", "(t)=", "# i {#u}", "`v", "w`", "[x]: y", "```{toctree}", ":hidden:"),
        *("z  ", "!!! note", "a (b", "c) d", "<a href=e", "f>g", "e_f", "---"),
    ),
    ".rst": (
        *("", "", "a", "bc :doc:`d <e/f>` *g*,", "h", "i", "===", "---", "++++"),
        *("  k", "      l", "- m", "* m", "1. n", "| p", "..", ".. r", ".. _s:", "a::"),
        *(".. _t: u", ".. note:: v", ".. note::", "   w", "   :no-index:"),
        *(".. toctree::", "   :hidden:", ".. code:: y", ".. code-block:: y", "== ==="),
        *("``z", "b``", "`c <d", "e>`_", "`c <d>`__", ".. image:: f/g.png", "a (b"),
    ),
}


@st.composite
def two_versions(draw: st.DrawFn) -> tuple[str, str, str]:
    """Return a suffix and two versions of a document, which differ in some lines."""
    suffix = draw(st.sampled_from(list(PIECES)))
    pieces = st.sampled_from(PIECES[suffix])
    start, end = draw(st.lists(pieces, min_size=8)), draw(st.lists(pieces, min_size=8))
    old, new = draw(st.lists(pieces, max_size=4)), draw(st.lists(pieces, max_size=4))
    before, after = "\n".join([*start, *old, *end]), "\n".join([*start, *new, *end])
    return suffix, f"\n{before}", f"\n{after}"


@settings(max_examples=100)
@given(two_versions())
@example((".md", "```\n\na\n\n* b\n\nc\n```", "```\n\na\n\n- b\n\nc\n```"))
@example((".md", "a\n\n```\n\nb\n\n* c", "a\n\n```\n\nb\n\n- c"))
@example((".md", "<!--\n\na\n\nb\n\nc\n-->", "<!--\n\na\n\nd\n\nc\n-->"))
@example(
    (".md", "```{toctree}\n:hidden:\n\na\n\nb\n```", "```{toctree}\n:hidden:\n\na\n```")
)
@example((".rst", "a\n==\n\nb\n--\n\nc\n==", "a\n==\n\nb\n--\n\nc\n--"))
def test_blocks_that_are_equal_do_not_decide_what_is_seen(
    versions: tuple[str, str, str],
) -> None:
    suffix, before, after = versions
    has_same_form = canonical(before, suffix) == canonical(after, suffix)
    assert is_same(f"a{suffix}", before, after) is has_same_form


def test_each_notation_has_an_example() -> None:
    for row in NOTATIONS:
        assert row.pattern.search(f"{row.example}\n") is not None, row.name


# A document with each kind of block.
BLOCKS = """\
---
title: A
---
# Title

A line
and more

* item
* item
  goes on

1. one
2. two

> quote
> more

| a | b |
| - | - |
| c | d |

a | b
- | -
c | d

term
:   definition

!!! note "A"
    text

    - item

```python
code
```

Text

    indented

- item

        code

Under
-----

[ref]: https://a.example
*[HTML]: HyperText

<div>
text
</div>

::: package
    options:
      a: b

:::{note}
hello
:::

$$
x
$$

(label)=

--8<-- "file"

{{ macro }}
"""


@pytest.mark.parametrize("space", [" ", "  "])
@pytest.mark.parametrize("number", range(BLOCKS.count("\n")))
def test_space_at_the_end_of_a_line_is_not_seen(number: int, space: str) -> None:
    lines = BLOCKS.split("\n")
    is_break = space == "  " and lines[number + 1] in (
        "and more",
        "  goes on",
        "> more",
    )
    lines[number] += space
    assert is_same("a.md", BLOCKS, "\n".join(lines)) is not is_break


@pytest.mark.parametrize("number", range(RST.count("\n")))
def test_space_at_the_end_of_a_line_of_rst_is_not_seen(number: int) -> None:
    lines = RST.split("\n")
    lines[number] += "  "
    assert is_same("a.rst", RST, "\n".join(lines))


@given(st.sampled_from(["a.md", "a.rst"]), st.text("ab \n`~-=<>!.:[]|_", max_size=80))
def test_words_that_are_not_in_a_comment_are_seen(name: str, text: str) -> None:
    hidden = ".." in text or "<!--" in text
    assert hidden or not is_same(name, f"{text}\n\nword\n", f"{text}\n\nother\n")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("a.md", "[b](b.md)", "[b](../b.md)"),
        ("a.md", "[b](../old/b.md#c)", "[b](/docs/b.md#d)"),
        ("a.md", "[b](b/index.md)", "[b](../b.md)"),
        ("a.md", "[b](../b/)", "[b](b.html)"),
        ("a.md", "[b][1]\n\n[1]: <b.md>", "[b][1]\n\n[1]: <../b.md>"),
        ("a.md", '![b](b.png "c")', '![b](../b.png "c")'),
        ("a.md", '<img src="b.png">', '<img src="../b.png">'),
        ("a.md", "{doc}`b <b>`", "{doc}`b <../b>`"),
        ("a.md", "{doc}`b`", "{doc}`../b`"),
        ("a.rst", ":doc:`b <b>`", ":doc:`b <../b>`"),
        ("a.rst", ":doc:`b`", ":doc:`../b`"),
        ("a.rst", "`b <b.html>`_", "`b <../b.html>`_"),
        ("a.rst", "b_\n\n.. _b: b.html", "b_\n\n.. _b: ../b.html"),
        ("a.rst", ".. image:: b.png", ".. image:: ../b.png"),
    ],
)
def test_links_that_follow_a_moved_page_are_the_same(
    name: str, old: str, new: str
) -> None:
    assert is_same(name, old, new)
    assert not is_same(name, old, f"{new} c")
    if "b." in new:
        assert not is_same(name, old, new.replace("b.", "d."))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(b)=\n# B", "(c)=\n# B"),
        ("# B", "(c)=\n# B"),
        ("A {doc}`b <b>`", "A {doc}`b <../b>`"),
        ("A {doc}`b`", "A {doc}`../b`"),
    ],
)
def test_labels_and_roles_of_myst(old: str, new: str) -> None:
    assert is_same("a.md", old, new)
    assert not is_same("a.md", f"```md\n{old}\n```", f"```md\n{new}\n```")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a.md", '```html\n<a href="{}.html">b</a>\n```'),
        ("a.md", "Write `[b]({}.md)` here."),
        ("a.md", 'Write `<img src="{}.png">` here.'),
        ("a.md", "Text.\n\n    [b]({}.md)"),
        ("a.rst", "::\n\n   #include <{}.h>"),
        ("a.rst", "Write ``:doc:`{}``` here."),
        ("a.rst", ".. code:: c\n\n   vector<{}>"),
    ],
)
def test_code_that_looks_like_a_link_is_compared(name: str, code: str) -> None:
    assert not is_same(name, code.format("old/b"), code.format("new/b"))


def test_links_change_around_the_line_of_an_extension() -> None:
    text = "[b]({0}b.md)\n\n{{{{< note >}}}}\n::: module\n\n[c]({0}c.md)\n"
    assert is_same("a.md", text.format(""), text.format("../"))
    assert not is_same(
        "a.md", text.format(""), text.format("../").replace(":::", "///")
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[b](https://a.example/b.md)", "[b](https://c.example/b.md)"),
        ("[b](//a.example/b.md)", "[b](//c.example/b.md)"),
        ("![b](b.png)", "![b](b.svg)"),
        ("[b](a/index.md)", "[b](c/index.md)"),
        ("`a/b.md`", "`c/b.md`"),
    ],
)
def test_other_targets_and_texts_are_compared(old: str, new: str) -> None:
    assert not is_same("a.md", old, new)


def test_documents_that_are_not_utf_8_always_differ() -> None:
    assert not shows_same("a.md", b"\xff one", b"\xff one\n")


@pytest.mark.parametrize("name", ["a.md", "a.rst", "a.txt"])
def test_the_option_text_passes_over_commits_that_only_wrap_lines(
    project: Path, name: str
) -> None:
    repository = Repository.create(project)
    repository.commit({name: "One two.\n", "part.md": "Part.\n"}, day=1)
    repository.commit({name: "One\ntwo.\n"}, day=2)
    files = [str(project / path) for path in (name, "part.md")]

    def date(changes: str) -> str | None:
        page = Page(url="a", name=name, sources=as_sources(*files))
        return build_dates(page, lastmod_changes=changes).listed[0].url.lastmod

    assert Options().lastmod_changes == "text"

    assert date("any") == noon(2)
    assert date("text") == noon(2 if name == "a.txt" else 1)
    repository.commit({"part.md": "Part.\n\n"}, day=3)
    assert date("text") == noon(3), "only the own file of the page is compared"


def test_a_partial_clone_is_dated_by_every_change_and_fetches_nothing(
    project: Path, tmp_path: Path
) -> None:
    """Git would fetch the old versions one by one."""
    repository = Repository.create(project)
    repository.git("config", "uploadpack.allowFilter", "true")
    pages = {"a.md": "# A\n\nText.\n", "b.md": "# B\n", "c.md": "C is [A](a.md).\n"}
    repository.commit(pages, day=1)
    (project / "d").mkdir()
    repository.git("mv", "b.md", "c.md", "d")
    edits = {"a.md": "# A\n\n\nText.\n", "d/c.md": "C is [A](../a.md).\n"}
    repository.commit(edits, day=2)
    clone = tmp_path / "clone"
    Repository(tmp_path).git(
        "clone", "--quiet", "--filter=blob:none", project.as_uri(), str(clone)
    )
    objects = sorted((clone / ".git/objects").rglob("*"))
    shown = Shown(ShownKind.TEXT)
    days = []
    for folder in (project, clone):
        files = [
            WantedFile(str(folder / name), shown)
            for name in ("a.md", "d/b.md", "d/c.md")
        ]
        result = History().find_dates(files, HistoryOptions(follow_moves=True))
        assert not result.failures
        days.append([date.date and date.date.day for date in result.dates.values()])
    assert days == [[1, 1, 1], [2, 1, 2]]
    assert sorted((clone / ".git/objects").rglob("*")) == objects
