"""Last step: check the output of a custom template against the protocol and the listed pages."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from docs_sitemap.result import Excluded, ExclusionReason, Listed, Problem, ProblemKind
from docs_sitemap.sitemap.urls import BaseUrl, normalize_url, strip_index
from docs_sitemap.text import count


def check_rendered(files: Mapping[str, bytes], base_url: BaseUrl, problems: list[Problem]) -> None:
    """Report the first violation of each rule in each file.

    The output of the built-in template needs no check: its values are validated, and the template
    is tested.

    Args:
        files: The content of the files by name.
        base_url: The URL that the URLs of all pages start with.
        problems: Receives the violations.
    """
    from docs_sitemap.sitemap.validation import DateLimits, check_sitemap

    dates = DateLimits(datetime.now(UTC), is_exact=True)
    for name, data in files.items():
        diagnostics = check_sitemap(io.BytesIO(data), name, normalize_url(base_url), dates)
        for code, number in Counter(one.code for one in diagnostics).items():
            first = next(one for one in diagnostics if one.code == code)
            line = "" if first.line is None else f", line {first.line}"
            entry = "" if first.url is None else f"{first.url}: "
            more = f" ({count(number, 'time')})" if number > 1 else ""
            message = f"{name}{line}: {code}: {entry}{first.message}{more}. Fix: {first.fix}."
            problems.append(Problem(ProblemKind.CHECK, message))


def split_by_template(
    listed: Sequence[Listed], rendered: Mapping[str, bytes]
) -> tuple[list[Listed], list[Excluded]]:
    """Return the pages that the sitemap contains, and those that the template leaves out.

    Args:
        listed: The pages that the template received.
        rendered: The content of the files that were written by name; empty if none was written.
    """
    from docs_sitemap.sitemap.reader import SitemapReader, read_chunks

    written = {
        _page_url(entry.text("loc") or "")
        for data in rendered.values()
        for entry in SitemapReader().entries(read_chunks(io.BytesIO(data), ""))
    }
    kept = [entry for entry in listed if _page_url(entry.url.loc) in written]
    if not kept:  # The template writes URLs of its own, or none was written.
        return [*listed], []
    left_out = [entry for entry in listed if _page_url(entry.url.loc) not in written]
    return kept, [Excluded(entry.page, ExclusionReason.TEMPLATE) for entry in left_out]


def _page_url(loc: str) -> str:
    return strip_index(normalize_url(loc))
