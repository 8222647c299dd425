"""The codes in messages: what each means, how to fix it, and its URL in the manual."""

from collections.abc import Iterator
from functools import cache
from importlib.metadata import metadata
from typing import NamedTuple

from docs_sitemap.config.options import OPTION_NAMES
from docs_sitemap.diagnostics import BuildCode, DateStatus, ExclusionReason
from docs_sitemap_cli.check.rules import RULES

from .advice import LIST_IN_PAGE, fix_to_list, fixes_to_date

# Sphinx calls the type of a warning `sitemap.git`.
_BUILD_PREFIX = "sitemap."


class ExplainedCode(NamedTuple):
    """A code with its meaning.

    Attributes:
        kind: `check`, `page`, `date`, or `build`. One word may be a code of several
            kinds.
        code: The code as messages print it.
        subject: What has the code, such as "an error of check".
        meaning: What it means, in one line.
        fix: How to fix it; `None` if there is nothing to fix.
    """

    kind: str
    code: str
    subject: str
    meaning: str
    fix: str | None = None

    @property
    def anchor(self) -> str:
        """The fragment of its URL in the manual."""
        return f"{self.kind}-{self.code.removeprefix(_BUILD_PREFIX)}"

    @property
    def url(self) -> str:
        """Its URL in the manual."""
        return f"{_find_manual()}reference/messages/#{self.anchor}"


@cache
def _find_manual() -> str:
    """Return the address of the manual, which only `pyproject.toml` contains."""
    for entry in metadata("docs-sitemap").get_all("Project-URL", []):
        name, _, url = entry.partition(", ")
        if name == "Documentation":
            return str(url)
    return ""


def explained_codes() -> Iterator[ExplainedCode]:
    """Yield all codes."""
    for rule in RULES:
        article = "an" if rule.severity == "error" else "a"
        subject = f"{article} {rule.severity} of check"
        yield ExplainedCode("check", rule.slug, subject, rule.meaning, rule.fix)
    include = f"{LIST_IN_PAGE}, add the page to {OPTION_NAMES['include']}"
    for reason in ExclusionReason:
        meaning = OPTION_NAMES.describe(reason)
        fix = fix_to_list(reason, OPTION_NAMES, include)
        yield ExplainedCode("page", reason, "why a page is left out", meaning, fix)
    date_fixes = fixes_to_date(OPTION_NAMES)
    for status in DateStatus:
        has_date = status in (DateStatus.COMMIT, DateStatus.FRONT_MATTER)
        subject = "where a date comes from" if has_date else "why a page has no date"
        meaning = OPTION_NAMES.describe(status)
        yield ExplainedCode("date", status, subject, meaning, date_fixes.get(status))
    for kind in BuildCode:
        code = f"{_BUILD_PREFIX}{kind}"
        fix = (
            "follow the warning; in Sphinx, you can silence it: suppress_warnings = "
            f'["{code}"]'
        )
        meaning = kind.meaning[0].lower() + kind.meaning[1:].removesuffix(".")
        yield ExplainedCode("build", code, "a warning of a build", meaning, fix)
