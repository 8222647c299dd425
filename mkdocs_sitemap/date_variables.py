"""The variables in Markdown that mkdocs-git-revision-date-localized-plugin replaces:
<https://timvink.github.io/mkdocs-git-revision-date-localized-plugin/available-variables/>.
"""

import re
import secrets
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

# Fenced code, and code in a line, stay as they are. Indented lines need not be code.
_VARIABLE = re.compile(
    rf"""
    ^[ \t>]*(?P<fence>`{{3,}}|~{{3,}}).*?(?:^[ \t>]*(?P=fence)|\Z)
    | (?P<quotes>`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)(?P=quotes)(?!`)
    | \{{\{{\s*(?P<field>{FIELD}|{SITE_FIELD})\s*\}}\}}
    """,
    re.I | re.M | re.S | re.X,
)
_CODE = re.compile(r"<(pre|code)\b.*?</\1>", re.S)
_CREATION_DATE = re.compile(r"\{\{\s*git_creation_date_localized\s*\}\}", re.I)


class _Variable(NamedTuple):
    page: Page
    field: str
    text: str


class DateVariables:
    """The variables of all pages, until their dates are known.

    An empty element with a token stands for each of them, because other plugins show
    nothing of it if they copy the text: no titles, anchors, or search results.
    """

    def __init__(self) -> None:
        self._variables: list[_Variable] = []
        self._names_with_creation_date: list[str] = []
        self._token = f"date-{secrets.token_hex(16)}-"
        # In indented code, the element is escaped.
        self._element = re.compile(
            rf'(?P<start><|&lt;)time class="?{self._token}(?P<number>\d+)"?'
            "(?:>|&gt;)(?:<|&lt;)/time(?:>|&gt;)"
        )

    def mark(self, markdown: str, page: Page) -> str:
        """Return the text of a page with elements for its variables."""
        parts = []
        end = 0
        for match in _VARIABLE.finditer(markdown):
            if match["field"] is None:
                continue
            parts.append(markdown[end : match.start()])
            parts.append(f"<time class={self._token}{len(self._variables)}></time>")
            end = match.end()
            self._variables.append(_Variable(page, match["field"].lower(), match[0]))
        parts.append(markdown[end:])
        return "".join(parts)

    def replace(self, html: str) -> str:
        """Replace the elements by dates, which the fields of the pages contain."""
        if not self._variables:
            return html
        return self._element.sub(self._shown, html)

    def _shown(self, element: re.Match[str]) -> str:
        variable = self._variables[int(element["number"])]
        if element["start"] != "<":
            return variable.text
        meta = variable.page.meta
        date = str(meta.get(variable.field, meta.get(REVISION_DATE, "")))
        if is_text(element.string, element.start()):
            return date
        return plain_text(date)

    def note_creation_date(self, page: Page) -> None:
        """Note whether a page shows the variable of a creation date, because no plugin
        has replaced it.
        """
        text = _CODE.sub("", page.content or "")
        if _CREATION_DATE.search(text):
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
