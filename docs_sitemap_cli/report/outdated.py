"""Pages whose text is older than what they document."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date

import msgspec

from docs_sitemap.result import SavedPage, SavedSource
from docs_sitemap.shown import ShownKind
from docs_sitemap_cli.published.folder import SiteFolder

from .pages import ReportedPage

# Smaller differences are usual: a change and its documentation are separate commits.
_MIN_DAYS = 30

# A page with fewer words has no text of its own, such as a page that only names the
# module that it shows.
_MIN_WORDS = 25

# A file that more pages show is not what one of them is about, such as the types in all
# signatures.
_MAX_PAGES = 5

# Texts, and what illustrates them.
_NO_CODE = re.compile(
    r".*\.(?:md|markdown|mdx|rst|adoc|asciidoc|qmd|png|jpe?g|gif|svg|webp|avif|ico|mp4|"
    r"webm|pdf)",
    re.I | re.S,
)

# A line of a paragraph or list. Headings, directives, and indented lines are none.
_TEXT_LINE = re.compile(r"^(?:[-*>] +|[0-9]+\. +)?[`*\"'(\[]*\w.*", re.M)

# In bytes.
_MAX_DOCUMENT = 2**20


class OutdatedText(msgspec.Struct, frozen=True):
    """A page whose text is older than what the page documents.

    Attributes:
        days: The days from the last change to the text to the one of the source file.
        edited: The day of the last change to the text, which is in the document of the
            page.
        changed: The day of the last change to what the page shows of the source file.
        source: The newest source file that the page documents.
        page: The page.
    """

    days: int
    edited: date
    changed: date
    source: str
    page: ReportedPage


def find_outdated_texts(
    pages: Sequence[ReportedPage], project: SiteFolder
) -> list[OutdatedText]:
    """Return the pages whose text is older than what they document, the largest
    difference first.

    Args:
        pages: The pages.
        project: The folder with the source files. A document that cannot be read is
            assumed to have a text.
    """
    uses: Counter[str] = Counter()
    for page in pages:
        uses.update(source.path for source in page.page.sources)
    found = []
    for page in pages:
        text = _compare(page, uses)
        if text.days >= _MIN_DAYS and _has_text(page.page, project):
            found.append(text)
    return sorted(found, key=lambda text: -text.days)


def _compare(page: ReportedPage, uses: Mapping[str, int]) -> OutdatedText:
    """Return a page with the dates of its text and of the newest file that the page
    documents. If one of the two is unknown, they are the same.

    Args:
        page: The page.
        uses: The number of pages that show each file.
    """
    edited = changed = date.min
    newest = ""
    for source in page.page.sources:
        day = _read_day(source)
        if source.path == page.page.document:
            edited = day
        elif day > changed and uses[source.path] <= _MAX_PAGES and _is_code(source):
            changed, newest = day, source.path
    if edited == date.min:
        changed = edited
    return OutdatedText(
        (changed - edited).days,
        edited,
        changed,
        newest,
        page,
    )


def _read_day(source: SavedSource) -> date:
    """Return the day of the last change to what a page shows of a file."""
    if source.date is None or source.date.date is None:
        return date.min
    return source.date.date.date()


def _is_code(source: SavedSource) -> bool:
    """Return whether a file is code or data, not an illustration or another text."""
    if source.shows is ShownKind.MESSAGES:
        return False
    return _NO_CODE.fullmatch(source.path) is None


def _has_text(page: SavedPage, project: SiteFolder) -> bool:
    """Return whether a document has more text than headings and directives."""
    try:
        with project.open_file(page.document or "") as file:
            data = file.read(_MAX_DOCUMENT)
    except OSError:
        return True
    words = 0
    for line in _TEXT_LINE.findall(data.decode("utf-8", "replace")):
        words += len(line.split())
    return words >= _MIN_WORDS
