"""Glossaries: Markdown files that only define abbreviations and links.

Often, such a file is appended to every page. What it adds to the text of a page is a
tooltip, or the address of a link, so it is no source of the page.
"""

import re

_DEFINITION = re.compile(
    r"""
    ^(?:
      \*\[ [^\]\n]+ \] [ ]? : [ ]* (?: \n[ ]* )? \S .*
    | [ ]{0,3} \[ (?!\^) [^\[\]\n]+ \]: [ ]* (?: \n[ ]* )? \S+ [ ]*
      (?: (?: \n[ ]* )? (?: "[^"\n]*" | '[^'\n]*' | \( [^)\n]* \) ) [ ]* )?
    | [ ]{0,3} <!-- (?: (?! --> ) . | \n )* --> [ ]*
    )$
    """,
    re.VERBOSE | re.MULTILINE,
)


def is_glossary(text: str) -> bool:
    """Return whether a text contains nothing but definitions and comments. Footnotes
    are shown on every page.
    """
    return not _DEFINITION.sub("", text).strip()
