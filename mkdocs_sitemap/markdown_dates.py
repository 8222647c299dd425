"""The variables in Markdown that mkdocs-git-revision-date-localized-plugin replaces:
<https://timvink.github.io/mkdocs-git-revision-date-localized-plugin/available-variables/>.
"""

import re
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from mkdocs.structure.pages import Page

from docs_sitemap.built.page_date import is_text, plain_text
from docs_sitemap.diagnostics import BuildCode, Diagnostics
from docs_sitemap.tools.printing import count

from .pages import REVISION_DATE

FIELD = "git_revision_date_localized"
"""The field of a page with its date. Many themes read it."""

SITE_FIELD = "git_site_revision_date_localized"
"""The field of each page with the newest date of all pages."""

_FIELDS = (
    FIELD,
    f"{FIELD}_raw_iso_date",
    f"{FIELD}_raw_iso_datetime",
    SITE_FIELD,
)
_PART = "revision_date_localized"

# Fenced code, and code in a line, stay as they are. Indented lines need not be code.
_VARIABLE = re.compile(
    rf"""
    ^(?:[ \t>]|[-*+][ ]|\d+[.)][ ])*(?P<fence>`{{3,}}|~{{3,}})
      .*?(?:^[ \t>]*(?P=fence)|\Z)
    | (?P<quotes>`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)(?P=quotes)(?!`)
    | \{{\{{\s*(?P<field>{FIELD}|{SITE_FIELD})\s*\}}\}}
    """,
    re.I | re.M | re.S | re.X,
)
# In indented code, the element is escaped.
_ELEMENT = re.compile(
    r'(?P<start><|&lt;)time class="?date-(?P<token>[0-9a-f]{32}-\d+)"?'
    "(?:>|&gt;)(?:<|&lt;)/time(?:>|&gt;)"
)
_CODE = re.compile(r"<(pre|code)\b.*?</\1>", re.S)
_CREATION_DATE = re.compile(r"\{\{\s*git_creation_date_localized\s*\}\}", re.I)


class _Variable(NamedTuple):
    """A variable in the text of a page.

    Attributes:
        page: The page.
        field: The field of the page that contains the date.
        text: What the author has written; empty if a macro inserts the field.
    """

    page: Page
    field: str
    text: str


class DateVariables:
    """The variables of all pages, until their dates are known.

    An empty element with a token stands for each of them. Other plugins may copy the
    text before, and titles, anchors, and search results contain nothing of an element.
    The token contains a hash of the page, so the page cannot contain it, and copies are
    the same in each build.
    """

    def __init__(self) -> None:
        self._variables: dict[str, _Variable] = {}
        self._names_with_creation_date: list[str] = []

    def mark(self, markdown: str, page: Page) -> str:
        """Return the text of a page with elements for its variables."""
        if _PART not in markdown.lower():
            return markdown
        source = f"{page.file.src_uri}\n{markdown}"
        digest = sha256(source.encode(errors="surrogatepass")).hexdigest()[:32]
        for field in _FIELDS:  # for macros
            page.meta.setdefault(field, self._add(_Variable(page, field, ""), digest))
        return _VARIABLE.sub(partial(self._mark, page, digest), markdown)

    def _mark(self, page: Page, digest: str, match: re.Match[str]) -> str:
        field = match["field"]
        if field is None:
            return match[0]
        return self._add(_Variable(page, field.lower(), match[0]), digest)

    def _add(self, variable: _Variable, digest: str) -> str:
        """Return the element for a variable."""
        token = f"{digest}-{len(self._variables)}"
        self._variables[token] = variable
        return f"<time class=date-{token}></time>"

    def unset_fields(self, page: Page) -> None:
        """Remove the elements from the fields of a page."""
        for field in _FIELDS:
            if _ELEMENT.fullmatch(str(page.meta.get(field))):
                del page.meta[field]

    def replace(self, html: str) -> str:
        """Replace the elements by dates, which the fields of the pages contain."""
        if not self._variables:
            return html
        return _ELEMENT.sub(self._date, html)

    def _date(self, element: re.Match[str]) -> str:
        variable = self._variables.get(element["token"])
        if variable is None:
            return element[0]
        is_code = element["start"] != "<"
        if is_code and variable.text:
            return variable.text
        meta = variable.page.meta
        date = str(meta.get(variable.field, meta.get(REVISION_DATE, "")))
        if is_code or not is_text(element.string, element.start()):
            return plain_text(date)
        return date

    def note_creation_date(self, page: Page) -> None:
        """Note whether a page shows the variable of a creation date, because no plugin
        has replaced it.
        """
        content = page.content or ""
        if _CREATION_DATE.search(content):
            if _CREATION_DATE.search(_CODE.sub("", content)):
                self._names_with_creation_date.append(page.file.src_uri)

    def report(self, diagnostics: Diagnostics) -> None:
        """Report variables that are not replaced."""
        names = self._names_with_creation_date
        if names:
            diagnostics.warn(
                BuildCode.OPTION,
                "{{ git_creation_date_localized }} is published as it stands on "
                f"{count(len(names), 'page')}, first on {names[0]}: docs-sitemap finds "
                "only the last change of a page. Fix: remove it, or let "
                "mkdocs-git-revision-date-localized replace it.",
            )
