"""Glossaries: files that only define abbreviations, links, and substitutions.

Often, such a file is included in every document. Readers see only the definitions that
a document uses. Its settings, such as roles, count on each page.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

# Footnotes are shown on every page.
_DEFINITION = re.compile(
    r"""
    ^(?:
    # an abbreviation or a link in Markdown
      (?P<term> \*\[ [^\]\n]+ \] ) [ ]? : [ ]* (?: \n[ ]* )? \S .*
    | [ ]{0,3} (?P<label> \[ (?!\^) [^\[\]\n]+ \] ): [ ]* (?: \n[ ]* )? \S+ [ ]*
      (?: (?: \n[ ]* )? (?: "[^"\n]*" | '[^'\n]*' | \( [^)\n]* \) ) [ ]* )?
    # a link, a substitution, or a setting in reStructuredText
    | (?P<name> \.\.[ ]+
        (?: _ (?: `[^`\n]+` | [^_`\s] (?: \\. | [^\\:\n] )* ) : | \|[^|\n]+\|
          | (?: default-role | highlight | role ) ::
        )
      ) [ ]+ \S .* (?: \n[ \t]+ \S .* )*
    # a comment
    | [ ]{0,3} <!-- (?: (?! --> ) . | \n )* --> [ ]*
    | \.\. (?: [ ]++ (?! _ | \[ | \| | [\w.+:-]+:: ) .* )? (?: \n[ \t]+ \S .* )*
    )$
    """,
    re.VERBOSE | re.MULTILINE,
)
SETTINGS = frozenset({"default-role", "highlight", "role"})
"""The names of settings, which change how each page looks."""

# The marks around the names of links and substitutions.
_MARKS = ".:_|`[] "


class Definition(NamedTuple):
    """The definitions of one name.

    Attributes:
        start: How the first of them starts, such as `*[HTML]`.
        text: All of them.
    """

    start: str
    text: str


@lru_cache(maxsize=16)  # Each page can include the same glossaries.
def is_glossary(text: str) -> bool:
    """Return whether a text contains definitions, and nothing else but comments."""
    has_definitions = len(find_definitions(text)) > 0
    return has_definitions and not _DEFINITION.sub("", text).strip()


@lru_cache(maxsize=16)  # Pages show many definitions of the same versions.
def find_definitions(text: str) -> Mapping[str, Definition]:
    """Return the definitions in a text by name."""
    definitions: dict[str, Definition] = {}
    for match in _DEFINITION.finditer(text):
        start = match["term"] or match["label"] or match["name"]
        if start is None:  # a comment
            continue
        name = definition_name(start)
        first, known = definitions.get(name, (start, ""))
        definitions[name] = Definition(first, f"{known}{match[0]}\n")
    return definitions


def definition_name(start: str) -> str:
    """Return the name in the start of a definition, or in a reference to it, without
    the differences that do not matter. The case of an abbreviation does.
    """
    if start.startswith("*"):
        return start
    name = start.replace("\\", "").strip(_MARKS)
    return " ".join(name.casefold().split())
