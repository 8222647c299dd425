"""The text of a Markdown or reStructuredText document: whether readers see a change to
it.

Most changes change a word. Only if all words are the same, a parser renders both
versions, and what comes out is compared. Without a parser, white space counts, and so
does what the parser does not know, such as the directives of Sphinx extensions.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import starmap, takewhile, zip_longest
from operator import eq
from typing import Any

from docs_sitemap.tools.front_matter import SplitDocument, split_document, write_values

from .document_parsers import remove_html_comments, render
from .front_matter import names_in_jinja
from .links import name_links

# In characters. Only one section of it may have to be rendered.
_MAX_DOCUMENT = 2**16

_MYST_TOCTREE = re.compile(r"(`{3,}|~{3,}|:{3,})\{toctree\}")
_RST_TOCTREE = re.compile(
    r"^( *)\.\. toctree::.*\n"
    r"(?:\1 +:(?!hidden:).*\n)*\1 +:hidden:.*\n(?: *\n|\1 +.*\n)*",
    re.M,
)
# The fields at the start of a document are its metadata.
# https://www.sphinx-doc.org/en/master/usage/restructuredtext/field-lists.html
_RST_FIELD = re.compile(r"^:([^:\n]+):((?: .*)?\n(?:[ \t]+.*\n)*)", re.M)
_RST_FIELDS = re.compile(rf"\n*(?:{_RST_FIELD.pattern})+", re.M)
# Labels that links can name, and options with which directives only add objects to the
# index.
_RST_SETTING = re.compile(
    r"^ *\.\. _[^:\n]+:[ \t]*\n"
    r"|^ +:(?:canonical|no-?index|no-index-entry|noindexentry):.*\n",
    re.M,
)

# A label that links can name.
# https://myst-parser.readthedocs.io/en/latest/syntax/cross-referencing.html
_MYST_LABEL = re.compile(r"\([^()]+\)=")

# What may be a comment. In code, it is text: only the parser knows.
# https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#explicit-markup-blocks
_RST_COMMENT = re.compile(
    r"^( *)\.\.(?! +(?:_|\[|\||[\w.+:-]+::))(?: .*)?\n(?: *\n|\1 +\S.*\n)*", re.M
)
_FENCE_OR_HEADING = re.compile(r"[ >]*(`{3,}|~{3,})|#{1,6} ")
_WORD = re.compile(r"\w+")

# Lines of Markdown that extensions read in their own way, such as `::: module`.
_EXTENSION_LINE = re.compile(r"\s*(?::::|///|;?--8<--|\{[%{!]|\[=|<<<)")


def changed_keys(
    path: bytes, old: bytes, new: bytes, parser: Sequence[str]
) -> set[str] | None:
    """Return the keys of front matter that differ in two versions of a document; `None`
    if readers see another change.

    Args:
        path: The path of the document.
        old: The content of one version.
        new: The content of the other.
        parser: The module of the parser, and the names of its extensions; empty if
            there is none.

    Raises:
        ValueError: The content is not UTF-8, or its front matter is invalid.
    """
    suffix = ".md"
    # The history of a document may start with another suffix.
    if "docutils" in parser or path.endswith(b".rst"):
        suffix = ".rst"
    elif path.endswith((b".yml", b".yaml")):  # nothing but front matter
        suffix = ".yml"
    before, after = _read(old, suffix), _read(new, suffix)
    if not _has_same_body(before.body, after.body, suffix, parser):
        return None
    if before._replace(body="") == after._replace(body=""):
        return set()
    values, others = before.read_values(), after.read_values()
    changed = set()
    for key in values.keys() | others.keys():
        if _write_value(values, key) != _write_value(others, key):
            changed.add(key)
    # With mkdocs-macros, and in MyST, the text can contain values of front matter.
    if changed & names_in_jinja(after.body):
        return None
    return changed


def _read(content: bytes, suffix: str) -> SplitDocument:
    """Return a document, without the parts of its body that are never shown."""
    text = content.replace(b"\r\n", b"\n").decode("utf-8-sig")
    if suffix == ".yml":
        return SplitDocument(text, "")
    if suffix == ".md":
        document = split_document(text)
    else:
        # docutils removes the white space at the ends of lines, too.
        lines = [line.rstrip() for line in text.rstrip().split("\n")]
        text = "\n".join(lines) + "\n"
        fields = _RST_FIELDS.match(text)
        values = {}
        if fields is not None:
            values = dict(_RST_FIELD.findall(fields[0]))
            text = text[fields.end() :]
        front_matter = json.dumps(values)  # which is YAML, too
        document = SplitDocument(front_matter, _RST_SETTING.sub("", text))
    body = document.body
    if ":hidden:" in body and suffix == ".md":
        body = _remove_hidden_toctrees(body)
    elif ":hidden:" in body:
        body = _RST_TOCTREE.sub("", body)
    return document._replace(body=body)


def _remove_hidden_toctrees(text: str) -> str:
    """Return a text of MyST without the tables of contents that only name pages."""
    kept: list[str] = []
    # The open table: its fence, its first line in the list, and whether it is hidden.
    fence, first, is_hidden = "", 0, False
    for line in text.split("\n"):
        kept.append(line)
        start = _MYST_TOCTREE.match(line)
        if fence and line.startswith(fence):
            if is_hidden:
                del kept[first:]
                start = None
            fence = ""
        if start is not None and not fence:
            fence, first, is_hidden = start[1], len(kept) - 1, False
        elif fence and line.startswith(":hidden:"):
            is_hidden = True
    return "\n".join(kept)


def _write_value(values: Mapping[str, Any], key: str) -> str:
    """Return a value of front matter as text; empty if there is none."""
    return write_values({key: values[key]}) if key in values else ""


def _has_same_body(before: str, after: str, suffix: str, parser: Sequence[str]) -> bool:
    """Return whether readers see the same below the front matter."""
    if before == after:
        return True
    if not parser or max(len(before), len(after)) > _MAX_DOCUMENT:
        return False
    if not _has_same_words(before, after, suffix):
        return False
    if suffix == ".md":
        sections = _find_sections(before.split("\n"), after.split("\n"))
        if sections is None:
            return False
        before, after = sections
    rendered = render(before, parser)
    return rendered is not None and rendered == render(after, parser)


def _has_same_words(before: str, after: str, suffix: str) -> bool:
    """Return whether the words outside of comments are the same, in the same order."""
    old = _remove_comments(before, suffix).split("\n")
    new = _remove_comments(after, suffix).split("\n")
    start, end = _count_equal_ends(old, new)
    old_words = _words(old[start : len(old) - end], suffix)
    new_words = _words(new[start : len(new) - end], suffix)
    # Nearly always, one of the first words differs.
    return all(starmap(eq, zip_longest(old_words, new_words)))


def _remove_comments(text: str, suffix: str) -> str:
    if suffix == ".rst":
        return _RST_COMMENT.sub("", text)
    return remove_html_comments(text)


def _words(lines: Iterable[str], suffix: str) -> Iterator[str]:
    for line in lines:
        if suffix == ".rst" or _MYST_LABEL.fullmatch(line) is None:
            yield from _WORD.findall(name_links(line, suffix))


def _count_equal_ends(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """Return how many lines are equal at the start and at the end."""
    start = _count_equal(before, after)
    return start, _count_equal(before[start:][::-1], after[start:][::-1])


def _count_equal(before: Sequence[str], after: Sequence[str]) -> int:
    return len(list(takewhile(bool, map(eq, before, after))))


def _find_sections(
    before: Sequence[str], after: Sequence[str]
) -> tuple[str, str] | None:
    """Return the sections of two versions of a Markdown document that differ: parsers
    of Markdown are slow. Return `None` if a line of an extension may decide what
    readers see.
    """
    start, end = _count_equal_ends(before, after)
    named = [name_links(line, ".md") for line in before[start : len(before) - end]]
    others = [name_links(line, ".md") for line in after[start : len(after) - end]]
    named_start, named_end = _count_equal_ends(named, others)
    block = start + named_start
    while block and before[block - 1].strip():
        block -= 1
    for lines in (before, after):
        changed = lines[block : len(lines) - end - named_end]
        if any(map(_EXTENSION_LINE.match, changed)):
            return None
    first, last = 0, len(before)
    for heading in _headings(before):
        if heading <= start:
            first = heading
        elif heading >= len(before) - end:
            last = heading
            break
    shift = len(after) - len(before)
    return "\n".join(before[first:last]), "\n".join(after[first : last + shift])


def _headings(lines: Sequence[str]) -> Iterator[int]:
    """Yield the numbers of lines with headings. In code, a line can start like a
    heading.
    """
    fence = ""
    for number, line in enumerate(lines):
        match = _FENCE_OR_HEADING.match(line)
        if match is None:
            continue
        marks = match[1]
        if marks is None and not fence:
            yield number
        elif not fence:
            fence = marks
        elif marks is not None and marks.startswith(fence):
            fence = ""
