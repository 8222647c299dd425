"""The text of a document: whether readers see a change to it.

Most changes change a word. Only if all words are the same, both versions are brought
into their canonical form, and compared.
"""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from operator import eq
from typing import Any

from docs_sitemap.tools.front_matter import (
    SplitDocument,
    split_document,
    split_fields,
    write_values,
)

from .document_notations import canonical, remove_html_comments, replace_notations
from .front_matter import names_in_jinja
from .paragraphs import strip_line_ends

# The fields at the start of a document are its metadata.
# https://www.sphinx-doc.org/en/master/usage/restructuredtext/field-lists.html
_RST_FIELD = re.compile(r"^:([^:\n]+):((?: .*)?\n(?:[ \t]+.*\n)*)", re.M)
_RST_FIELDS = re.compile(rf"\n*(?:{_RST_FIELD.pattern})+", re.M)

# A heading at the start, in the canonical form.
_HEADING = re.compile(r"# (.+)")

_WORD = re.compile(r"\w+")

# Nearly always, one of the first words differs.
_FIRST_LINES = 20


def changed_keys(
    path: bytes, old: bytes, new: bytes, replaced: Mapping[str, str]
) -> set[str] | None:
    """Return the keys of front matter that differ in two versions of a document; `None`
    if readers see another change.

    Args:
        path: The path of the document.
        old: The content of one version.
        new: The content of the other.
        replaced: The messages of the old version that some of the new one replace, with
            the same translations.

    Raises:
        ValueError: The content is not UTF-8, or its front matter is invalid.
    """
    suffix = ".rst" if path.endswith(b".rst") else ".md"
    if path.endswith((b".yml", b".yaml")):  # nothing but front matter
        suffix = ".yml"
    before, after = _read(old, suffix), _read(new, suffix)
    if replaced:
        from .messages import differ_in_messages  # Few sites are translated.

        is_same = differ_in_messages(before.body, after.body, suffix, replaced)
    else:
        is_same = _has_same_body(before.body, after.body, suffix)
    if not is_same:
        return None
    if before._replace(body="") == after._replace(body=""):
        return set()
    values, others = _read_values(before), _read_values(after)
    names = names_in_jinja(after.body)
    if ("title" in values) != ("title" in others):
        # Without a title, it is the heading.
        heading = _HEADING.match(canonical(after.body, suffix))
        if heading is not None and "title" not in names:
            values = {"title": heading[1], **values}
            others = {"title": heading[1], **others}
    changed = set()
    for key in values.keys() | others.keys():
        if _write_value(values, key) != _write_value(others, key):
            changed.add(key)
    # With mkdocs-macros, and in MyST, the text can contain values of front matter.
    if changed & names:
        return None
    return changed


def _read(content: bytes, suffix: str) -> SplitDocument:
    text = content.replace(b"\r\n", b"\n").decode("utf-8-sig")
    if suffix == ".md":
        document = split_document(text)
        front_matter = strip_line_ends(document.front_matter)
        return document._replace(front_matter=front_matter)
    text = strip_line_ends(text)
    if suffix == ".yml":
        return SplitDocument(text, "")
    text += "\n"
    fields = _RST_FIELDS.match(text)
    if fields is None:
        return split_fields(text)
    values = dict(_RST_FIELD.findall(fields[0]))
    front_matter = json.dumps(values)  # which is YAML, too
    return SplitDocument(front_matter, text[fields.end() :])


def _read_values(document: SplitDocument) -> Mapping[str, Any]:
    """Return the values of front matter. Settings of MyST are below `myst`; older
    versions read them beside it:
    <https://myst-parser.readthedocs.io/en/latest/configuration.html#local-configuration>.

    Raises:
        ValueError: The front matter is invalid.
    """
    values = document.read_values()
    settings = values.get("myst")
    if not isinstance(settings, dict):
        return values
    others = {key: value for key, value in values.items() if key != "myst"}
    return {**settings, **others}


def _write_value(values: Mapping[str, Any], key: str) -> str:
    """Return a value of front matter as text; empty if there is none."""
    return write_values({key: values[key]}) if key in values else ""


def _has_same_body(before: str, after: str, suffix: str) -> bool:
    """Return whether readers see the same below the front matter."""
    if before == after:
        return True
    if not _can_be_same(before, after, suffix):
        return False
    return canonical(before, suffix) == canonical(after, suffix)


def _can_be_same(before: str, after: str, suffix: str) -> bool:
    """Return whether the lines that differ have the same words, as far as readers can
    see them. This takes much less time than the canonical form.
    """
    # Such a table of contents can hide words in all other lines.
    if ":hidden:" in before or ":hidden:" in after:
        return True
    if suffix == ".md":
        before, after = remove_html_comments(before), remove_html_comments(after)
    old, new = before.split("\n"), after.split("\n")
    start = _count_equal(old, new)
    end = _count_equal(old[start:][::-1], new[start:][::-1])
    first = _find_start(old[:start], suffix)
    end = max(0, end - 1)  # The next line can be below a heading.
    total = max(len(old), len(new)) - end
    for last in (start + _FIRST_LINES, total):
        words = []
        for lines in (old, new):
            text = "\n".join(lines[first : min(last, len(lines) - end)]) + "\n"
            words.append(_WORD.findall(replace_notations(text, suffix)))
        if last < total:
            # The same text can have more lines in one version.
            compared = min(map(len, words)) // 2
            words = [some[:compared] for some in words]
        if words[0] != words[1]:
            return False
    return True


def _find_start(lines: Sequence[str], suffix: str) -> int:
    """Return the number of the line at which the block starts that the lines end with:
    a comment, or a directive with its options.
    """
    start = len(lines)
    if suffix == ".rst":
        while start and not lines[start - 1][:1].strip():
            start -= 1
    else:
        while start and lines[start - 1].strip():
            start -= 1
    return max(0, start - 1)


def _count_equal(before: Sequence[str], after: Sequence[str]) -> int:
    """Return how many lines are equal at the start."""
    return len(list(takewhile(bool, map(eq, before, after))))
