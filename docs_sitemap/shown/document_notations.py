"""The canonical form of a document: what readers see, however it is written.

Two versions with the same form show the same. No parser runs:

1. Code is set aside, so that nothing in it is read as text.
2. Each row of `NOTATIONS` replaces a notation by the one that stands for all.
3. Links are named by the page that they lead to.
4. The lines of each paragraph are joined.

A change that no row knows is seen. Where it is unclear whether a text is code, it is.
"""

import re
from collections.abc import Callable
from textwrap import dedent
from typing import Any, NamedTuple

from .links import name_links
from .paragraphs import (
    BLOCK_START,
    BLOCK_TAG,
    NOTE,
    RST_COMMENT,
    RST_MARK,
    count_spaces,
    join_markdown_lines,
    join_rst_lines,
    strip_line_ends,
)


class Notation(NamedTuple):
    """A row of the canonical form.

    Attributes:
        name: What can be written in several ways.
        suffix: The suffix of the documents, `.md` or `.rst`.
        pattern: What is replaced, in linear time.
        replacement: What stands for it in the canonical form.
        example: A text with this notation.
    """

    name: str
    suffix: str
    pattern: re.Pattern[str]
    replacement: str | Callable[[re.Match[str]], str]
    example: str


def _underlined(match: re.Match[str]) -> str:
    level = "#" if match["line"][0] == "=" else "##"
    return f"{level} {match['text'].strip()}\n"


def _table(match: re.Match[str]) -> str:
    rows = []
    for row in match[0].rstrip("\n").split("\n"):
        cells = row.strip().removeprefix("|").removesuffix("|").split("|")
        start = " " * count_spaces(row)
        if start == " ":  # which decides nothing
            start = ""
        rows.append(f"{start}|" + "|".join(cell.strip() for cell in cells))
    rows[1] = re.sub("-+", "-", rows[1])
    return "\n".join(rows) + "\n"


def _attributes(match: re.Match[str]) -> str:
    """Return an attribute list without what readers do not see."""
    shown = []
    for one in _ATTRIBUTE.findall(match["list"]):
        if not one.startswith(("#", "target=", "rel=")):
            shown.append(one)
    if not shown:
        return match["start"]
    attributes = " ".join(shown)
    return f"{match['start']}{{{match['colon']}{attributes}}}"


# Directives of reStructuredText that contain text. The content of others can be code.
_TEXT = (
    rf"(?:{NOTE}|(?:admonition|topic|sidebar|rubric|container|compound|epigraph"
    r"|highlights|pull-quote|rst-class|class|only|figure|image|function|method"
    r"|attribute|data|exception|property|decorator|classmethod|staticmethod|option"
    r"|envvar|confval|module|auto\w+|\w+:\w+)::)"
)

# An attribute list, such as `{#a .b c="d"}`, but no comment in Jinja.
_ATTRIBUTES = r"\{(?P<colon>:?) *(?=[#.]|[\w-]+=)(?P<list>[^{}\n]*[^{}\n#])\}"
_ATTRIBUTE = re.compile(r"[^\s\"']+(?:\"[^\"]*\"|'[^']*')?|\S+")

# The rows are in the order in which they are applied. The number above a row says how
# many pairs of successive versions it alone calls equal, of about 77,000 in 47 real
# histories.
NOTATIONS = (
    # At the start of a document, such lines are its title and its authors for Pandoc.
    # 1
    Notation(
        "comment of MyST",
        ".md",
        re.compile(r"(?<=\n)(?<![^\n]\n)%(?: .*)?(?:\n%(?: .*)?)*$", re.M),
        "",
        "\n% A",
    ),
    # https://myst-parser.readthedocs.io/en/latest/syntax/cross-referencing.html
    # 52
    Notation("label", ".md", re.compile(r"^\([^()\n]+\)= *$", re.M), "", "(a)="),
    # 4
    Notation(
        "label in HTML",
        ".md",
        re.compile(r"<(a|span) (?:id|name)=\"[^\"<>\s]+\" ?(?:/>|></\1>)"),
        "",
        '<a id="a"></a>',
    ),
    # 43
    Notation(
        "table",
        ".md",
        re.compile(
            r"^[^\n|]*+\|[^\n]*+\n *+(?=[:|-])(?=[^\n|]*\||[^\n-]*-)[ :|-]++\n"
            r"(?:[^\n|]*+\|[^\n]*+\n)*+",
            re.M,
        ),
        _table,
        "| a | b |\n| --- | --- |\n",
    ),
    # 0
    Notation(
        "underlined heading",
        ".md",
        re.compile(
            r"^(?<![^\n]\n) {0,3}(?P<text>[^\s#>|<:{!?=\0-].*)\n"
            r"(?P<line>=+|-{2,}) *$",
            re.M,
        ),
        _underlined,
        "A\n===",
    ),
    # https://python-markdown.github.io/extensions/attr_list/
    # 152
    Notation(
        "attributes of a heading",
        ".md",
        re.compile(
            r"^(?P<start>[ >*+-]*#{1,6} .*[^\s{] +| *)" + _ATTRIBUTES + " *#* *$", re.M
        ),
        _attributes,
        "# A {#a}",
    ),
    # 19
    Notation(
        "attributes",
        ".md",
        re.compile(r"(?P<start>[)\]*_>:\0`])" + _ATTRIBUTES),
        _attributes,
        "[a](b){#c}",
    ),
    # 3
    Notation("empty link", ".md", re.compile(r"\[\]\(\)"), "", "[](){#a}"),
    # 1
    Notation(
        "heading",
        ".md",
        re.compile(r"^(#{1,6}) ++(.*[^#\s])(?: +#+)? *$", re.M),
        "\n\\1 \\2\n",
        "# A #",
    ),
    # 1
    Notation(
        "line",
        ".md",
        # Below a line of text, hyphens underline a heading.
        re.compile(r"^(?:(?<![^\n]\n)|(?! *-)) {0,3}([-*_])(?: *\1){2,} *$", re.M),
        "\n---\n",
        "***",
    ),
    # 63
    Notation("marker", ".md", re.compile(r"^( *)[*+-](?: +|$)", re.M), r"\1- ", "* A"),
    # 1
    Notation(
        "strong emphasis",
        ".md",
        re.compile(r"__(?<![\w\\_]__)(?![\s_])([^_\n]*[^_\s\\])__(?!\w)"),
        r"**\1**",
        "__a__",
    ),
    # 33
    Notation(
        "emphasis",
        ".md",
        re.compile(r"_(?<![\w\\_]_)(?![\s_])([^_\n]*[^_\s\\])_(?!\w)"),
        r"*\1*",
        "_a_",
    ),
    # 6
    Notation(
        "link in HTML",
        ".md",
        re.compile(
            r"<a href=\"([^\"<>\s]+)\"(?: (?:target|rel)=\"[^\"<>]*\")*>"
            r"([^<>\[\]\n]+)</a>"
        ),
        r"[\2](\1)",
        '<a href="a.md">b</a>',
    ),
    # https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#comments
    # 137
    Notation(
        "comment",
        ".rst",
        re.compile(RST_COMMENT, re.M),
        "\n",
        ".. A\n",
    ),
    # 6
    Notation(
        "name of a code block",
        ".rst",
        re.compile(r"(?<=\.\. )(?:sourcecode|code)(?=::)"),
        "code-block",
        ".. code:: c",
    ),
    # 4
    Notation(
        "link without a name",
        ".rst",
        re.compile(r"(`[^`<>]*<[^`<>]+>`_)_\b"),
        r"\1",
        "`a <b>`__",
    ),
    # 4
    Notation(
        "address below its name",
        ".rst",
        re.compile(r"^( *\.\. _[^:\n]+:)\n +(?=[^\s.:])", re.M),
        r"\1 ",
        ".. _a:\n   https://a.example\n",
    ),
    # 314
    Notation("label", ".rst", re.compile(r"^ *\.\. _[^:\n]+:$", re.M), "", ".. _a:\n"),
    # 20
    Notation(
        "option for the index",
        ".rst",
        re.compile(
            r"^ +:(?:canonical|no-?index|no-index-entry|noindexentry):.*\n", re.M
        ),
        "",
        "   :no-index:\n",
    ),
    # 2
    Notation(
        "text below a directive",
        ".rst",
        re.compile(
            rf"^( *\.\. (?:{NOTE}|(?:deprecated|version\w+):: +\S+))\n+( +)(?![ :.])"
            r"(?=.*\n(?!\2 ))",
            re.M,
        ),
        r"\1 ",
        ".. note::\n\n   A",
    ),
    # 2
    Notation("marker", ".rst", re.compile(r"^( *)[*+•-] +", re.M), r"\1- ", "* A"),
)

# Hooks replace comments such as `<!-- md:version 9.7.0 -->` with text.
_HTML_COMMENT = re.compile(r"<!--(?!\s*[\w-]+:[\w-]).*?-->", re.S)

# What stands for code while the text is changed: for a block with `#`. A text cannot
# contain it.
_HIDDEN = re.compile(r"\0#?(\d+)\0")

_MARKDOWN_CODE = re.compile(
    # Only where one of these is, the rest is tried.
    r"(?=[ >*+0-9`~:<{-])(?:"
    # A fence, also in lists and quotes.
    rf"^(?P<start>{BLOCK_START})"
    r"(?P<fence>`{3,}+(?=[^`\n]*$)|~{3,}+|:{3,}+(?=\{(?:toctree|code|math|raw|csv-|list-"
    r"|parsed-|mermaid|graphviz|prompt|doctest|test|ipython)))"
    r"(?P<block>.*\n(?:.*\n)*?)(?:(?P<end>[ >]*)(?P=fence)[`~:]* *$|.*\Z)"
    r"|<(?P<tag>pre|script|style)\b(?:[^<]++|<(?!/?(?:pre|script|style)\b))*+"
    r"</(?P=tag)>"
    # Code in a line, and roles of MyST, in one paragraph.
    r"|(?P<role>\{[\w:.+-]{1,99}\})?(?<![\\`])(?P<marks>`{1,9})(?!`)"
    r"(?P<span>(?:[^`\n]++|\n(?! *\n)|(?!(?P=marks)(?!`))`++)++)(?P=marks)(?!`))",
    re.M,
)

# How far lines of code are indented.
_CODE_LINE = r"(?(item)(?P=item)  |(?(indentation)(?P=indentation))) {4}"
_INDENTED_CODE = re.compile(
    # Indented lines below an item, other code, a heading, or a paragraph, and the
    # options of an object.
    r"^(?P<above>(?P<item> *+)(?:[-*+]|\d{1,9}[.)]) .*\n\n+(?=(?P=item) {6})"
    r"|(?P<indentation> *+)(?:(?:\0#\d+\0|#{1,6} .*)\n\n*+"
    rf"|(?!{BLOCK_TAG}|[-*+] |\*\[|[>=/{{:]|\[[^\]\n]+\]:|\d+[.)]|!!!|\?\?\?)"
    r"\S.*\n\n+)"
    r"(?=(?P=indentation) {4})|::: .*\n)"
    rf"(?:{_CODE_LINE}.*\n|\n(?=\n*{_CODE_LINE}))+"
    # In a quote, below an empty line of the quote.
    r"|^(?P<quoted>[ >]*>\n)(?: *> {5}.*\n)+",
    re.M,
)
_RST_CODE = re.compile(
    # Indented lines below two colons, and below a directive.
    r"^(?P<above>(?P<indentation> *)"
    rf"(?:(?!\.\. | ).*::|(?:[-*+•] +)*\.\. (?!{_TEXT})[^\s:]+::.*)\n)"
    r"(?:(?P=indentation) .*\n|\n(?=\n*(?P=indentation) ))+"
    r"|^ *>>> .*\n(?: *\S.*\n)*"
    r"|^ *=+(?: +=+)+\n(?:.+\n)+"
    r"|(?<![\\`\w])``(?P<span>(?=\S)(?:[^`\n]++|\n(?!\n)|`(?!`))*+)``",
    re.M,
)

# The options are directly below the directive.
_HIDDEN_TOCTREE = re.compile(r" *\{toctree\}.*\n(?: *:.*\n)*? *:hidden:")
_HIDDEN_RST_TOCTREE = re.compile(r" *\.\. toctree::.*\n(?: +:.*\n)*? +:hidden:")

_RST_HEADING = re.compile(
    rf"^(?:(?P<above>{RST_MARK})(?P=above)+\n(?=.+\n(?P=above)+$))?"
    rf"(?P<text>(?!({RST_MARK})\3+$) *\S.*)\n(?P<mark>{RST_MARK})(?P=mark)+$",
    re.M,
)

# docutils warns about shorter underlines than the title, but shows the heading.
_SHORT_UNDERLINE = 4

# A line without any notation, as most messages are.
_PLAIN = re.compile(r"[^\W_][^\n\t\0_*`\[\]<>{}|:=\\]*+")


def canonical(text: str, suffix: str) -> str:
    """Return the canonical form of a text.

    Args:
        text: The text of a document without its front matter, or a part of it.
        suffix: The suffix of the document, `.md` or `.rst`.
    """
    if _PLAIN.fullmatch(text) is not None:
        return " ".join(text.split())
    code = _Code()
    text = text.replace("\0", "\ufffd").expandtabs(8 if suffix == ".rst" else 4) + "\n"
    if suffix == ".rst":
        text = strip_line_ends(text)
        text = _RST_CODE.sub(code.hide_rst, _number_headings(text))
        text = join_rst_lines(replace_notations(text, suffix))
    else:
        text = code.hide_markdown(text)
        text = join_markdown_lines(replace_notations(text, suffix))
    return code.show(text)


def replace_notations(text: str, suffix: str) -> str:
    """Return a text with one notation of each kind. Code, if it is not set aside,
    changes, too.
    """
    if suffix == ".md":
        text = remove_html_comments(text)
    for row in NOTATIONS:
        if row.suffix == suffix:
            text = row.pattern.sub(row.replacement, text)
    return name_links(text, suffix)


def remove_html_comments(text: str) -> str:
    """Return a text without its comments."""
    if "<!--" not in text:
        return text
    # Each start before the last end has an end, so no start is searched in vain.
    commented, end, rest = text.rpartition("-->")
    return _HTML_COMMENT.sub("", commented + end) + rest


class _Code:
    """The code of a text, which is set aside while the text is changed."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._originals: list[str] = []

    def hide_markdown(self, text: str) -> str:
        """Return a text of Markdown with placeholders for its code."""
        text = "\n".join(map(_strip_end, text.split("\n")))
        text = _MARKDOWN_CODE.sub(self._hide_fenced, text)
        return _INDENTED_CODE.sub(self._hide_indented, text)

    def _hide_fenced(self, match: re.Match[str]) -> str:
        if match["span"] is not None:
            code = f"`{' '.join(match['span'].split())}`"
            if match["role"] is not None:
                code = name_links(match["role"] + code, ".md")
            return f"\0{self._keep(code, match[0])}\0"
        if match["fence"] is None:
            return self._hide_block(match[0], match[0])
        if _HIDDEN_TOCTREE.match(match["block"]) is not None:
            return ""
        code = f"```{match['block'].strip(' ')}"
        start = match["start"]
        end = match["end"]
        if end is None or len(end) != len(start):
            code += f"{end or ''}{match['fence']}"  # With SuperFences, no end.
        return start + self._hide_block(code, match[0].removeprefix(start))

    def _hide_indented(self, match: re.Match[str]) -> str:
        # Nothing in it is a fence, or code in a line.
        above = match["above"] or match["quoted"]
        code = match[0].removeprefix(above)
        code = _HIDDEN.sub(lambda one: self._originals[int(one[1])], code)
        return above + self._hide_block(code.strip("\n"), code)

    def hide_rst(self, match: re.Match[str]) -> str:
        """Return the placeholder for code in a text of reStructuredText."""
        if match["span"] is not None:
            return f"\0{self._keep(' '.join(match[0].split()), match[0])}\0"
        if _HIDDEN_RST_TOCTREE.match(match[0]) is not None:
            return "\n"
        above = match["above"] or " " * count_spaces(match[0])
        code = dedent(match[0].removeprefix(above))
        # Directly below a line, it is a part of the line, or a definition.
        code = re.sub(r"\A\n+", "\n", code)
        return above + self._hide_block(code, match[0])

    def _hide_block(self, code: str, original: str) -> str:
        lines = strip_line_ends(code.rstrip("\n"))
        code = f"```{lines}\n```"
        return f"\0#{self._keep(code, original)}\0\n"

    def _keep(self, code: str, original: str) -> int:
        self._pieces.append(code)
        self._originals.append(original)
        return len(self._pieces) - 1

    def blocks(self) -> list[str]:
        """Return the code blocks."""
        return [piece for piece in self._pieces if piece.startswith("```")]

    def show(self, text: str) -> str:
        """Return a text with its code."""
        return _HIDDEN.sub(lambda match: self._pieces[int(match[1])], text)


def find_code(text: str) -> str:
    """Return the code blocks of a text of Markdown."""
    code = _Code()
    code.hide_markdown(text.expandtabs(4) + "\n")
    return "\n".join(code.blocks())


def heading_styles(text: str) -> list[tuple[str | Any, ...]]:
    """Return the lines above and below headings of reStructuredText, by one of their
    characters, in the order in which they appear.
    """
    headings = _find_headings(text)
    return list(dict.fromkeys(one.group("above", "mark") for one in headings))


def _find_headings(text: str) -> list[re.Match[str]]:
    """Return the headings of a text of reStructuredText: directly below a paragraph, a
    line with an underline is its last line. So is one with a short underline.
    """
    headings = []
    end = 0
    for match in _RST_HEADING.finditer(text):
        lines_between = text[end : match.start()].removesuffix("\n")
        length = match.end() - match.start("mark")
        is_long = length >= min(_SHORT_UNDERLINE, len(match["text"].strip()))
        if is_long and not lines_between.rpartition("\n")[2].strip():
            headings.append(match)
        end = match.end()
    return headings


def _number_headings(text: str) -> str:
    """Return a text of reStructuredText with the level of each heading, which follows
    from the order in which the underlines appear.
    """
    styles = heading_styles(text)
    for_style = {style: "#" * level for level, style in enumerate(styles, 1)}
    pieces = []
    end = 0
    for match in _find_headings(text):
        level = for_style[match.group("above", "mark")]
        pieces += [text[end : match.start()], f"\n{level} {match['text'].strip()}\n"]
        end = match.end()
    return "".join([*pieces, text[end:]])


def _strip_end(line: str) -> str:
    """Return a line of Markdown with nothing at its end but two spaces, which can be a
    line break, or one after a backslash, which is none.
    """
    words = line.rstrip()
    if words and line.endswith(("  ", "\\ ")):
        return line[: len(words) + 2]
    return words
