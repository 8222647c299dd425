"""Files that plugins and extensions insert into the Markdown of a page."""

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence

from docs_sitemap.page import Source
from docs_sitemap.shown import Shown, ShownKind, selected_lines

Selection = Mapping[str, str | None]
"""The options that select lines of a file: see `selected_lines`."""

_MARKDOWN = (".md", ".markdown")


def included_files(
    files: Sequence[tuple[str, Selection]], texts: Iterable[str]
) -> Iterator[Source]:
    """Yield files that a page inserts into its Markdown. Markdown files are compared as
    text, unless one of them is named in a block of code, and may be shown there.

    Args:
        files: The path of each file, and the options that select lines of it.
        texts: All that can insert files: the text of the page, and inserted ones.
    """
    if not files:  # as on most pages
        return
    from docs_sitemap.shown.document_notations import find_code

    names = {os.path.basename(path) for path, _ in files}
    code = ""
    for text in texts:
        if any(name in text for name in names):
            code += find_code(text)
    in_code = {path for path, _ in files if os.path.basename(path) in code}
    is_text = not any(path.endswith(_MARKDOWN) for path in in_code)
    for path, selection in files:
        notation = None
        if path.endswith(_MARKDOWN):
            notation = ".md" if is_text else None
        elif path in in_code:
            notation = "code"
        if selection or notation:
            part = selected_lines(**selection, notation=notation)
            yield Source(path, shows=Shown(ShownKind.LINES, (part,)))
        else:
            yield Source(path)


def between_marks(start: str | None, end: str | None) -> Selection:
    """Return what selects the text between two marks of mkdocs-include-markdown, which
    can contain the escape sequences of Python.

    Raises:
        ValueError: An escape sequence is invalid.
    """
    marks = {}
    for name, mark in (("start", start), ("end", end)):
        if mark is not None:
            with warnings.catch_warnings():
                # Python warns of unknown sequences. With `-W error`, it raises them.
                warnings.simplefilter("ignore")
                data = mark.encode("latin-1", "backslashreplace")
                marks[name] = data.decode("unicode_escape")
    return marks
