"""The canonical form of a document: what readers see, however it is written.

Two versions with the same form show the same. Code is set aside first, so that nothing
in it is read as text. Then each row of `NOTATIONS` replaces a notation by the one that
stands for it, and the lines of each paragraph are joined. No parser runs, and each step
takes linear time. A change that no row knows is seen.
"""

import re
from collections.abc import Callable
from itertools import zip_longest
from textwrap import dedent
from typing import NamedTuple

from .links import name_links

_Replacement = str | Callable[[re.Match[str]], str]


class Notation(NamedTuple):
    """A row of the canonical form.

    Attributes:
        name: What can be written in several ways.
        suffix: The suffix of the documents, `.md` or `.rst`.
        pattern: What is replaced.
        replacement: What stands for it in the canonical form.
        example: A text with this notation.
    """

    name: str
    suffix: str
    pattern: re.Pattern[str]
    replacement: _Replacement
    example: str


def _underlined(match: re.Match[str]) -> str:
    level = "#" if match["line"][0] == "=" else "##"
    return f"\n{level} {match['text'].strip()}\n"


def _table(match: re.Match[str]) -> str:
    rows = []
    for row in match[0].rstrip("\n").split("\n"):
        cells = row.strip().removeprefix("|").removesuffix("|").split("|")
        rows.append("|" + "|".join(cell.strip() for cell in cells))
    rows[1] = re.sub("-+", "-", rows[1])
    return "\n".join(rows) + "\n"


# The rows are in the order in which they are applied.
NOTATIONS = (
    Notation("comment of MyST", ".md", re.compile(r"^%(?: .*)?$", re.M), "", "% A"),
    # https://myst-parser.readthedocs.io/en/latest/syntax/cross-referencing.html
    Notation("label", ".md", re.compile(r"^\([^()\n]+\)= *$", re.M), "", "(a)="),
    Notation(
        "id of a heading",
        ".md",
        re.compile(r"^(#[^{}\n]*[^{}\n ]) *\{ ?:? ?#[^\s{}]+ ?\} *$", re.M),
        r"\1",
        "# A {#a}",
    ),
    Notation(
        "underlined heading",
        ".md",
        re.compile(
            r"^(?<![^\n]\n) {0,3}(?P<text>(?!\0#)[^\s#>|<:{!?=-].*)\n"
            r"(?P<line>=+|-{2,}) *$",
            re.M,
        ),
        _underlined,
        "A\n===",
    ),
    Notation(
        "heading",
        ".md",
        re.compile(r"^ {0,3}(#{1,6}) +(.*[^#\s])(?: +#+)? *$", re.M),
        "\n\\1 \\2\n",
        "# A #",
    ),
    Notation(
        "line",
        ".md",
        re.compile(r"^ {0,3}([-*_])(?: *\1){2,} *$", re.M),
        "\n---\n",
        "***",
    ),
    Notation("marker", ".md", re.compile(r"^( *)[*+-] +", re.M), r"\1- ", "* A"),
    Notation(
        "marker with a number",
        ".md",
        re.compile(r"^( *\d{1,9}[.)]) +", re.M),
        r"\1 ",
        "1.  A",
    ),
    Notation(
        "strong",
        ".md",
        re.compile(r"__(?<![\w\\_*]__)(?![\s_])([^_\n]*[^_\s\\])__(?!\w)"),
        r"**\1**",
        "__a__",
    ),
    Notation(
        "emphasis",
        ".md",
        re.compile(r"_(?<![\w\\_]_)(?![\s_])([^_\n]*[^_\s\\])_(?!\w)"),
        r"*\1*",
        "_a_",
    ),
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
    Notation(
        "title of a block",
        ".md",
        re.compile(r"^( *(?:!!!|\?\?\?|===).*)\n(?= )", re.M),
        "\\1\n\n",
        "!!! note\n    A",
    ),
    Notation("short link", ".md", re.compile(r"\]\[\]"), "]", "[a][]"),
    Notation(
        "link in HTML",
        ".md",
        re.compile(r"<a href=\"([^\"<>\s]+)\">([^<>\[\]\n]+)</a>"),
        r"[\2](\1)",
        '<a href="a.md">b</a>',
    ),
    # https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#comments
    Notation(
        "comment",
        ".rst",
        re.compile(
            r"^( *)\.\.(?! +(?:_|\[|\||[\w.+:-]+::))"
            r"(?: .+\n(?:\n|\1 +\S.*\n)*|\n(?:\1 +\S.*\n(?:\n|\1 +\S.*\n)*)?)",
            re.M,
        ),
        "\n",
        ".. A\n",
    ),
    Notation(
        "hidden table of contents",
        ".rst",
        re.compile(
            r"^( *)\.\. toctree::.*\n"
            r"(?:\1 +:(?!hidden:).*\n)*\1 +:hidden:.*\n(?:\n|\1 +.*\n)*",
            re.M,
        ),
        "\n",
        ".. toctree::\n   :hidden:\n\n   a\n",
    ),
    Notation(
        "address below its name",
        ".rst",
        re.compile(r"^( *\.\. _[^:\n]+:)\n +(?=[^\s.:])", re.M),
        r"\1 ",
        ".. _a:\n   https://a.example\n",
    ),
    Notation("label", ".rst", re.compile(r"^ *\.\. _[^:\n]+:$", re.M), "", ".. _a:\n"),
    Notation(
        "option for the index",
        ".rst",
        re.compile(
            r"^ +:(?:canonical|no-?index|no-index-entry|noindexentry):.*\n", re.M
        ),
        "",
        "   :no-index:\n",
    ),
    Notation(
        "text below a directive",
        ".rst",
        re.compile(
            r"^( *\.\. (?:(?:attention|caution|danger|error|hint|important|note|tip"
            r"|warning|seealso)::|(?:deprecated|version\w+):: *\S+))\n+ +(?![ :.])",
            re.M,
        ),
        r"\1 ",
        ".. note::\n\n   A",
    ),
    Notation(
        "border of a table",
        ".rst",
        re.compile(r"\+([-=])\1+(?=\+)"),
        r"+\1",
        "+---+",
    ),
    Notation("marker", ".rst", re.compile(r"^( *)[*+•-] +", re.M), r"\1- ", "* A"),
)

_HTML_COMMENT = re.compile("<!--.*?-->", re.S)

# What stands for code while the text is changed: for a block with `#`. A text cannot
# contain it.
_HIDDEN = re.compile(r"\0#?(\d+)\0")

# Fenced code, also in lists and quotes.
_FENCE = re.compile(
    r"^(?P<start>[ >]*+(?:(?:[-*+]|\d{1,9}[.)]) ++)*+)"
    r"(?P<fence>`{3,}+(?=[^`\n]*$)|~{3,}+|:{3,}+(?=\{(?:toctree|code|math|raw)))"
    r"(?P<info>.*)\n"
    r"(?P<code>(?:.*\n)*?)(?:[ >]*(?P=fence)[`~:]*[ ]*$|.*\Z)",
    re.M,
)
_PREFORMATTED = re.compile(
    r"<(?P<tag>pre|script|style)\b(?:[^<]++|<(?!/?(?:pre|script|style)\b))*+"
    r"</(?P=tag)>"
)
# Code in a line, and roles of MyST, in one paragraph.
_CODE_SPAN = re.compile(
    r"(?P<role>\{[\w:.+-]{1,99}\})?(?<![\\`])(?P<marks>`{1,3})(?!`)"
    r"(?P<code>(?:[^`\n]++|\n(?! *\n)|(?!(?P=marks)(?!`))`++)++)(?P=marks)(?!`)"
)
_RST_LITERAL = re.compile(r"(?<![\\`\w])``(?=\S)(?:[^`\n]++|\n(?!\n)|`(?!`))*+``")
_DOCTEST = re.compile(r"^ *>>> .*\n(?: *\S.*\n)*", re.M)

# The directives of reStructuredText that contain text. Others may contain code.
_TEXT_DIRECTIVE = re.compile(
    r"\.\. +(?:attention|caution|danger|error|hint|important|note|tip|warning|seealso"
    r"|admonition|deprecated|version\w+|topic|sidebar|rubric|container|compound"
    r"|epigraph|highlights|pull-quote|rst-class|class|only|figure|image"
    r"|function|method|attribute|data|exception|property|decorator|classmethod"
    r"|staticmethod|option|envvar|confval|\w+:\w+)::"
)
_OPTION = re.compile(r":[\w-]+:(?: |\Z)")

_MARKER = re.compile(r"(?:[-*+•]|\(?(?:\d{1,9}|#|[A-Za-z])[.)]|:(?=  ))(?: +|\Z)")
_QUOTE = re.compile(r"(?:> ?)*")
# Blocks of Markdown whose content is indented.
_CONTAINER = re.compile(r"!!!|\?\?\?|===|///|\[\^|<|\{|:(?!::)")

_MARK = r"[=\-~^\"'`#*+.:_<>$%&!,;?@/\\|(){}\[\]]"
_RST_TABLE = re.compile(r"^ *=+(?: +=+)+\n(?:.+\n)+", re.M)
_LEVELS = "=-~^'\"#*+."
_RST_HEADING = re.compile(
    rf"^(?P<above>(?P<over>{_MARK})(?P=over)+\n(?=.+\n(?P=over)+$))?"
    rf"(?P<text>(?!({_MARK})\4+$) *\S.*)\n(?P<mark>{_MARK})(?P=mark)+$",
    re.M,
)

# Lines that start a block, and lines that no other line continues.
_MD_START = re.compile(
    r"[-+*] |\d{1,9}[.)] |#{1,6} |[|:{<=~^$%]|!!!|\?\?\?|///|\[[^\]\n]+\]:|---|\\|;"
    r"|-+8<|\0#"
)
_MD_ALONE = re.compile(r"!!!|\?\?\?|===|///|:::|\{[%{<]|;?-+8<|<|\||#{1,6} |---|\0#")
_RST_START = re.compile(
    r"[-*+•] |\(?(?:\d{1,9}|#|[A-Za-z])[.)] |\.\. |\.\.\Z|:[^:\s][^:\n]*:(?: |\Z)|\|"
    rf"|({_MARK})\1{{2,}}\Z|==+ |\+[-=]|__ |\0#"
)
_RST_ALONE = re.compile(
    r"\.\. (?!(?:attention|caution|danger|error|hint|important|note|tip|warning|seealso"
    rf"|deprecated|version\w+)::)[^\s:]+::|({_MARK})\1{{2,}}\Z|==+ |\+[-=]|\||\0#"
)


def canonical(text: str, suffix: str) -> str:
    """Return the canonical form of a text.

    Args:
        text: The text of a document, without its front matter.
        suffix: The suffix of the document, `.md` or `.rst`.
    """
    is_rst = suffix == ".rst"
    text = text.replace("\0", "\ufffd").expandtabs(8 if is_rst else 4) + "\n"
    code = _Code()
    if is_rst:
        text = "\n".join(line.rstrip() for line in text.split("\n"))
        text = _DOCTEST.sub(code.hide_doctest, text)
        text = _RST_TABLE.sub(_simple_table, text)
        text = _number_headings(text)
        text = _hide_indented(text, code, is_rst)
        text = _RST_LITERAL.sub(code.hide_literal, text)
    else:
        text = _FENCE.sub(code.hide_fence, text)
        text = _PREFORMATTED.sub(code.hide_doctest, text)
        text = _hide_indented(text, code, is_rst)
        text = _CODE_SPAN.sub(code.hide_span, text)
    text = replace_notations(text, suffix)
    return code.show(_join_lines(text, is_rst))


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

    def _hide(self, code: str, mark: str = "") -> str:
        self._pieces.append(code)
        return f"\0{mark}{len(self._pieces) - 1}\0"

    def _hide_block(self, code: str) -> str:
        lines = self.show(code).rstrip().split("\n")
        return self._hide("\n".join(line.rstrip() for line in lines), "#")

    def hide_lines(self, lines: list[str], is_rst: bool) -> str:
        """Return what stands for indented lines."""
        code = "\n".join(lines)
        return self._hide_block(dedent(code) if is_rst else code)

    def hide_doctest(self, match: re.Match[str]) -> str:
        return self._hide_block(match[0]) + "\n"

    def hide_fence(self, match: re.Match[str]) -> str:
        info = match["info"].strip()
        if info == "{toctree}" and ":hidden:" in match["code"]:
            return ""
        block = self._hide_block(f"```{info}\n{match['code']}")
        return f"{match['start']}{block}\n" if match["start"] else f"\n{block}\n"

    def hide_literal(self, match: re.Match[str]) -> str:
        return self._hide(" ".join(self.show(match[0]).split()))

    def hide_span(self, match: re.Match[str]) -> str:
        code = f"`{match['code'].strip()}`"
        if match["role"] is not None:
            code = name_links(match["role"] + code, ".md")
        return self._hide(" ".join(self.show(code).split()))

    def show(self, text: str) -> str:
        """Return a text with its code."""
        return _HIDDEN.sub(lambda match: self._pieces[int(match[1])], text)


def _hide_indented(text: str, code: _Code, is_rst: bool) -> str:
    """Set indented code aside. If it is unclear whether a block is code, it is."""
    result: list[str] = []
    block: list[str] = []
    least = 0  # how far its lines are indented
    # The lines that contain this one, and how far they are indented.
    stack: list[tuple[int, str]] = []
    is_below_empty = True
    for line in text.split("\n"):
        words = line.lstrip(" ")
        indentation = len(line) - len(words)
        if block and (not words or indentation >= least):
            block.append(line)
            continue
        if block:
            result += [" " * least + code.hide_lines(block, is_rst), ""]
            block = []
            is_below_empty = True
        if not words:
            result.append("")
            is_below_empty = True
            continue
        while stack and stack[-1][0] >= indentation:
            stack.pop()
        base, parent = stack[-1] if stack else (0, "")
        least = base + (1 if is_rst else _md_indentation(parent))
        if is_rst:
            is_option = not is_below_empty and _OPTION.match(words) is not None
            is_code = _opens_code(parent) and not is_option
        else:
            is_code = is_below_empty or parent.startswith("::: ")
        if is_code and indentation >= least:
            block = [line]
            continue
        result.append(line)
        is_below_empty = False
        stack += _contents(indentation, words)
    if block:
        result += [" " * least + code.hide_lines(block, is_rst), ""]
    return "\n".join(result)


def _contents(indentation: int, words: str) -> list[tuple[int, str]]:
    """Return how far a line is indented, and its text; for an item of a list, the
    marker and the text.
    """
    marker = _MARKER.match(words)
    if marker is None:
        return [(indentation, words)]
    return [(indentation, ":"), (indentation + marker.end(), words[marker.end() :])]


def _md_indentation(parent: str) -> int:
    """Return how far code below a line of Markdown is indented, at least."""
    if parent.startswith("::: "):  # the options of mkdocstrings
        return 1
    return 8 if _CONTAINER.match(parent) else 4


def _opens_code(line: str) -> bool:
    """Return whether a line of reStructuredText starts a block of code."""
    if line.startswith(".. ") and "::" in line:
        return _TEXT_DIRECTIVE.match(line) is None
    return line.endswith("::")


def _simple_table(match: re.Match[str]) -> str:
    """Return a table of reStructuredText whose columns have no width."""
    border, *rows = match[0].rstrip("\n").split("\n")
    starts = [column.start() for column in re.finditer("=+", border)]
    table = ["+=+"]
    for row in rows:
        if not row.strip("=- "):
            table.append("+-+")
            continue
        cells = []
        for start, end in zip_longest(starts, starts[1:]):
            cells.append(" ".join(row[start:end].split()))
        table.append("| " + " | ".join(cells))
    return "\n".join(table) + "\n"


def _number_headings(text: str) -> str:
    """Return a text of reStructuredText with the level of each heading, which follows
    from the order in which the underlines appear.
    """
    levels: dict[tuple[str, bool], int] = {}

    def number(match: re.Match[str]) -> str:
        style = match["mark"], match["above"] is not None
        level = levels.setdefault(style, len(levels))
        return f"\n{match['text'].strip()}\n{_LEVELS[level % len(_LEVELS)] * 4}\n"

    return _RST_HEADING.sub(number, text)


def _join_lines(text: str, is_rst: bool) -> str:
    """Return a text with each paragraph in one line."""
    pieces: list[str] = []
    is_open = False  # whether this line can continue the one above
    is_broken = False  # whether the one above ends with a line break
    is_below_empty = False
    first_quote = ""
    # How far the paragraph is indented, and its next line; `None` if this is not known.
    first = 0
    needed: int | None = 0
    for line in text.split("\n"):
        words = " ".join(line.split())
        if not words:
            is_open = False
            is_below_empty = True
            continue
        quote = ""
        if not is_rst and words[0] == ">":
            quote, words = _split_quote(words)
        indentation = len(line) - len(line.lstrip())
        continues = is_open and not _starts_block(words, is_rst)
        if is_rst:
            fits = indentation > first if needed is None else indentation == needed
        else:
            fits = quote in ("", first_quote)
        if continues and fits:
            pieces += ["\\\n" if is_broken else " ", words]
            needed = indentation
        else:
            if is_below_empty:
                pieces.append("\n")
            pieces += ["\n", " " * indentation, quote, words]
            first = needed = indentation
            first_quote = quote
            is_open = not _is_complete(words, is_rst)
            marker = _MARKER.match(words)
            if marker is not None:
                needed += marker.end()
            elif words.startswith((":", ".. ")):
                needed = None
        is_below_empty = False
        is_broken = not is_rst and line.endswith(("  ", "\\"))
        if is_broken:
            pieces[-1] = pieces[-1].removesuffix("\\")
    return "".join(pieces).strip("\n")


def _starts_block(words: str, is_rst: bool) -> bool:
    """Return whether a line does not continue the one above."""
    if is_rst:
        return _RST_START.match(words) is not None
    return words == "" or _MD_START.match(words) is not None


def _is_complete(words: str, is_rst: bool) -> bool:
    """Return whether no line continues this one."""
    if is_rst:
        return _RST_ALONE.match(words) is not None
    return words == "" or _MD_ALONE.match(words) is not None


def _split_quote(words: str) -> tuple[str, str]:
    """Return the marks of a quote at the start of a line, and the rest of the line."""
    marks = "> " * words[: _QUOTE.match(words).end()].count(">")  # type: ignore[union-attr]
    return marks, words.lstrip("> ")
