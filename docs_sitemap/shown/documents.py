"""The text of a document: whether readers see a change to it.

Most changes change a word in the first block that differs. Only if its words are the
same are all blocks that differ brought into their canonical form and compared.
"""

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from typing import Any

from docs_sitemap.tools.front_matter import (
    SplitDocument,
    split_document,
    split_fields,
    write_values,
)

from .front_matter import names_in_jinja
from .paragraphs import BLOCK_START, RST_COMMENT, strip_line_ends

# The fields at the start of a document are its metadata.
# https://www.sphinx-doc.org/en/master/usage/restructuredtext/field-lists.html
_RST_FIELD = re.compile(r"^:([^:\n]+):((?: .*)?\n(?:[ \t]+.*\n)*)", re.M)
_RST_FIELDS = re.compile(rf"\n*(?:{_RST_FIELD.pattern})+", re.M)

# A heading at the start, in the canonical form.
_HEADING = re.compile(r"# (.+)")

# What the canonical form can change, besides white space: links, tags, attributes,
# roles, comments, labels, options, and marks.
_MARKDOWN_CHANGEABLE = re.compile(
    r"(?=[-(<{ >%:\[\]*+_`~=|#\\])(?:"  # Nothing else is tried at other characters.
    r"\((?:[^()\n]|\n(?! *\n))*+\)|<(?:[^<>\n]|\n(?! *\n))*+>"
    r"|\{(?:[^{}\n]|\n(?! *\n))*+\}(?:`(?:[^`\n]|\n(?! *\n))*+`)?"
    r"|^[ >]*+(?:%|\[(?!\^)[^\]\n]++\]:).*"
    r"|[-<>:\[\]*+_`~=|#\\])",
    re.M,
)
_RST_CHANGEABLE = re.compile(
    r"(?=[^\w\s]|_|^ )(?:"
    r"<(?:[^<>\n]|\n(?!\n))*+>|:\w++:`(?:[^`\n]|\n(?!\n))*+`|^ ++:[\w-]++:(?: .*|$)"
    r"|\.\. (?:_[^:\n]++:(?:.++|(?:\n +(?=[^\s.:]).*)?)|(?:image|figure)::.*"
    r"|(?:sourcecode|code)(?:-block)?::)"
    rf"|{RST_COMMENT}|[^\w\s]|_)",
    re.M,
)

# A changed word nearly always differs in the first of so many characters.
_FIRST_CHARACTERS = 100

# The start of a block that is read in the same way wherever it is, if no code and no
# comment contains it: text or a heading below an empty line.
_BLOCK = re.compile(r"\n\n(?=[^\W\d_]|#)")

# What can contain empty lines in Markdown, and how it ends.
_ENDS = {"<!--": "-->", "<pre": "</pre", "<script": "</script", "<style": "</style"}
_FENCE = re.compile(rf"^{BLOCK_START}(`{{3,}}|~{{3,}}|:{{3,}})", re.M)


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
        from .document_notations import canonical

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
    text = content.decode("utf-8-sig")
    if "\r" in text:
        text = text.replace("\r\n", "\n")
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
    # Most versions differ in a word, and do not need its patterns.
    from .document_notations import canonical, heading_styles

    old, new = _cut_equal_blocks(before, after, suffix)
    if suffix == ".rst" and heading_styles(old) != heading_styles(new):
        old, new = before, after  # The first headings decide the level of each style.
    return canonical(old, suffix) == canonical(new, suffix)


def _can_be_same(before: str, after: str, suffix: str) -> bool:
    """Return whether the first blocks that differ are the same, except in what the
    canonical form can change. This takes much less time than the canonical form.
    """
    # Such a table of contents can hide all other lines.
    if ":hidden:" in before or ":hidden:" in after:
        return True
    changeable = _RST_CHANGEABLE
    if suffix == ".md":
        changeable = _MARKDOWN_CHANGEABLE
        if "<!--" in before or "<!--" in after:
            from .document_notations import remove_html_comments  # as above

            before, after = remove_html_comments(before), remove_html_comments(after)
    different = _count_equal(before, after)
    start = _find_start(before, different)
    texts = []
    for text in (before, after):
        end = _find_end(text, different + _FIRST_CHARACTERS)
        texts.append("".join(changeable.sub("", text[start:end]).split()))
    compared = min(map(len, texts))
    return texts[0][:compared] == texts[1][:compared]


def _cut_equal_blocks(before: str, after: str, suffix: str) -> tuple[str, str]:
    """Return two versions without the equal blocks at their start and at their end, if
    neither code nor a comment contains the places where they are cut.
    """
    different = _count_equal(before, after)
    start = _find_start(before, different)
    most = min(len(before), len(after)) - different
    equal = min(_count_equal(before[::-1], after[::-1]), most)
    equal = len(before) - _find_end(before, len(before) - equal)
    old, new = before[start : len(before) - equal], after[start : len(after) - equal]
    if suffix == ".md" and not all(map(_is_closed, (before[:start], old, new))):
        return before, after
    return old, new


def _count_equal(before: str, after: str) -> int:
    """Return how many characters are equal at the start."""
    shorter = min(len(before), len(after))
    return bisect_left(
        range(1, shorter + 1), True, key=lambda end: before[:end] != after[:end]
    )


def _find_start(text: str, end: int) -> int:
    """Return where the last complete block of a text before a place starts, which can
    decide how the next one is read.
    """
    position = text.rfind("\n\n", 0, end)
    while position >= 0 and _BLOCK.match(text, position) is None:
        position = text.rfind("\n\n", 0, position)
    return position + 1


def _find_end(text: str, start: int) -> int:
    """Return where a block of a text starts after a place."""
    block = _BLOCK.search(text, start)
    return len(text) if block is None else block.start() + 1


def _is_closed(text: str) -> bool:
    """Return whether all code and all comments of a text of Markdown end in it."""
    for start, end in _ENDS.items():
        if text.count(start) != text.count(end):
            return False
    fences = Counter(_FENCE.findall(text))
    return all(number % 2 == 0 for number in fences.values())
