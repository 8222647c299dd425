"""The paragraphs of a document: each in one line, as readers see them."""

import re

# Directives of reStructuredText whose text can start in their first line.
NOTE = (
    r"(?:attention|caution|danger|error|hint|important|note|tip|warning|seealso"
    r"|deprecated|version\w+)::"
)

RST_MARK = r"[=\-~^\"'`#*+.:_<>$%&!,;?@/\\|(){}\[\]]"

# How the first line of a block starts in quotes and lists of Markdown.
BLOCK_START = r"[ >]*+(?:(?:[-*+]|\d{1,9}[.)]) ++)*+"

RST_COMMENT = (
    r"^( *)\.\.(?! +(?:_|\[|\||[\w.+:-]+::))"
    r"(?: .+\n(?:\n|\1 +\S.*\n)*|\n(?:\1 +\S.*\n(?:\n|\1 +\S.*\n)*)?)"
)

# HTML that is no part of a paragraph.
BLOCK_TAG = r"</?(?!(?:a|b|br|code|em|i|img|kbd|small|span|strong|sub|sup)\b)"

# Lines that can start a block, those that do, and those that no other line continues.
_MARKDOWN_START = re.compile(
    r"[-+*] |\d{1,9}[.)] |[|:{<>=~^$%#]|!!!|\?\?\?|///|\*?\[[^\]\n]+\]:|\\|;|-+8<"
    r"|\0#"
)
_MARKDOWN_BLOCK = re.compile(
    r"[-+*] |\d{1,9}[.)] |[|>=#]|: |:::|--|!!!|\?\?\?|\*?\[[^\]\n]+\]:|\$\$|\0#"
    rf"|{BLOCK_TAG}"
)
_MARKDOWN_ALONE = re.compile(
    r"!!!|\?\?\?|===[!+]? |///|:::|\{[%{<]|;?-+8<|\||#{1,6} |---|\$\$|\0#"
    r"|\*?\[[^\]^\n]+\]: |(?:[>*+:-]|#{1,6}|\d{1,9}[.)]|<[^<>]+>)\Z"
    rf"|{BLOCK_TAG}"
)
_RST_START = re.compile(
    r"[-*+•] |\(?(?:\d{1,9}|#|[A-Za-z])[.)] |\.\. |\.\.\Z|:[^:\s][^:\n]*:(?: |\Z)|\|"
    r"|==+ |\+[-=]|__ |\0#"
)
_RST_ALONE = re.compile(
    rf"\.\. (?!{NOTE})[^\s:]+::|({RST_MARK})\1{{2,}}\Z|==+ |\+[-=]|\||\0#"
)
# A marker of a list.
_MARKER = re.compile(r"(?:[-*+•]|\(?(?:\d{1,9}|#|[A-Za-z])[.)])(?: +|\Z)")


def join_markdown_lines(text: str) -> str:
    """Return a text of Markdown with each paragraph in one line."""
    lines = [[""]]  # the pieces of each
    is_open = False  # whether this line can continue the last one
    quote = ""  # how each line of this quote starts
    last = ""
    for line in text.split("\n"):
        words = " ".join(line.split())
        rest = words.removeprefix(quote)
        is_broken = is_open and last.endswith(("  ", "\\"))
        if not words:
            # An empty line decides something only between texts, and below a table.
            if is_open:
                lines.append([""])
            elif lines[-1][0].lstrip().startswith("|"):
                lines.append([" "])
            is_open = False
        elif is_open and not is_broken and _MARKDOWN_START.match(rest) is None:
            lines[-1].append(rest)
        else:
            if is_broken and _MARKDOWN_BLOCK.match(rest) is None:
                lines[-1].append("\\")
            is_open = _MARKDOWN_ALONE.match(words) is None
            quote = words[: len(words) - len(words.lstrip("> "))]
            # Python-Markdown needs it above a table, and MyST above a definition.
            is_start = words.startswith(("|", "[", "*["))
            if not is_open and not is_start and lines[-1] == [""]:
                lines.pop()
            lines.append([_start_line(line)])
        last = line
    return "\n".join(map(" ".join, lines)).strip("\n")


def _start_line(line: str) -> str:
    """Return a line with its indentation, which is inside a quote if it is in one."""
    start = line[: count_spaces(line)]
    if line.lstrip().startswith("> "):
        start = line[: len(line) - len(line.lstrip(" >"))]
    words = " ".join(line[len(start) :].split())
    return start + words


def join_rst_lines(text: str) -> str:
    """Return a text of reStructuredText with each paragraph in one line."""
    lines = [[""]]  # the pieces of each
    is_open = False  # whether this line can continue the last one
    is_below_empty = False
    is_text = False  # whether only an empty line ends the last one
    last = 0  # how far the last line is indented
    needed: int | None = 0  # how far this one has to be; `None` if it is only further
    for line in text.split("\n"):
        words = " ".join(line.split())
        if words.startswith("| ") and not words.endswith("|"):
            words = line.strip()  # a line block
        indentation = count_spaces(line)
        fits = indentation > last if needed is None else indentation == needed
        if not words:
            is_open = False
            is_below_empty = True
        elif is_open and fits and _RST_START.match(words) is None:
            lines[-1].append(words)
            needed = indentation
        else:
            # Elsewhere, an empty line decides nothing.
            if is_below_empty and (indentation > last or is_text):
                lines.append([""])
            lines.append([" " * indentation + words])
            is_open = _RST_ALONE.match(words) is None
            is_below_empty = False
            is_text = _RST_START.match(words) is None
            last = needed = indentation
            marker = _MARKER.match(words)
            if marker is not None:
                needed += marker.end()
            elif words.startswith((":", ".. ")):
                needed = None
    return "\n".join(map(" ".join, lines)).strip("\n")


def strip_line_ends(text: str) -> str:
    """Return a text without white space at the ends of its lines."""
    return "\n".join(map(str.rstrip, text.split("\n")))


def count_spaces(line: str) -> int:
    """Return how far a line is indented."""
    return len(line) - len(line.lstrip())
