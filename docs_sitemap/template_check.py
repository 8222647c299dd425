"""Check the output of a custom template against the protocol and the listed pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from docs_sitemap.commands.check import lint_sitemap, read_entries
from docs_sitemap.diagnostics import BuildCode, Diagnostic
from docs_sitemap.entry import Entry, ExclusionReason
from docs_sitemap.site_folder import SiteFolder
from docs_sitemap.sitemap.urls import BaseUrl, make_loc, normalize_url, strip_index
from docs_sitemap.text import count


def check_rendered(
    files: Mapping[str, bytes], base_url: BaseUrl, diagnostics: list[Diagnostic]
) -> None:
    """Report the first finding of each code in each file.

    The output of the built-in template needs no check: its values are validated, and the template
    is tested.

    Args:
        files: The content of the files by name.
        base_url: The URL that the URLs of all pages start with.
        diagnostics: Receives the findings.
    """
    now = datetime.now(UTC)
    for name, data in files.items():
        url = make_loc(base_url, name)
        findings = lint_sitemap(data, name, url=url, now=now, has_exact_dates=True)
        numbers = Counter(finding.code for finding in findings)
        for code, number in numbers.items():
            first = next(finding for finding in findings if finding.code is code)
            line = "" if first.line is None else f", line {first.line}"
            entry = "" if first.url is None else f"{first.url}: "
            more = f" ({count(number, 'finding')})" if number > 1 else ""
            message = f"{name}{line}: {code.slug}: {entry}{first.message}{more}. Fix: {code.fix}."
            diagnostics.append(Diagnostic(BuildCode.CHECK, message))


def exclude_left_out(listed: Sequence[Entry], files: Sequence[Path]) -> None:
    """Exclude the pages that the template leaves out.

    Args:
        listed: The pages that the template received.
        files: The files of the sitemap; empty if none was written.
    """
    written = {
        _page_url(entry.loc)
        for file in files
        if file.suffix != ".gz"
        for entry in read_entries(SiteFolder(file.parent), file.name)
    }
    left_out = [entry for entry in listed if _page_url(entry.loc) not in written]
    if len(left_out) == len(listed):  # The template writes URLs of its own, or none was written.
        return
    for entry in left_out:
        entry.exclude(ExclusionReason.TEMPLATE)


def _page_url(loc: str) -> str:
    return strip_index(normalize_url(loc))
