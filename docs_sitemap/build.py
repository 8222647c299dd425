"""The one call that an adapter makes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from docs_sitemap.check import CODES, Code, check_sitemap
from docs_sitemap.errors import OptionError, TemplateError
from docs_sitemap.git import History
from docs_sitemap.loc import make_loc
from docs_sitemap.model import (
    MAX_BYTES,
    MAX_ENTRIES,
    Listed,
    Page,
    Problem,
    ProblemKind,
    Report,
)
from docs_sitemap.options import Options
from docs_sitemap.render import Renderer
from docs_sitemap.report import forget, keep, make_report, write_report
from docs_sitemap.urlset import make_urlset
from docs_sitemap.write import part_name, remove_files, write_files


class SitemapRenderer(Protocol):
    """What renders the files: [`Renderer`][docs_sitemap.render.Renderer], or an adapter's own."""

    def sitemap(self, listed: Sequence[Listed], /) -> bytes: ...

    def sitemapindex(self, locs: Sequence[str], /) -> bytes: ...


def build_sitemap(
    pages: Iterable[Page],
    options: Options,
    out_dir: str | os.PathLike[str],
    *,
    renderer: SitemapRenderer | None = None,
    owned: bool = True,
    root: str | os.PathLike[str] = ".",
    history: History | None = None,
    keep_report: bool = True,
) -> Report:
    """Write the sitemap of a built site.

    What is wrong with a page, with git or with a template does not stop a build: it stands in
    the report's `problems`, for the caller to warn about. A file is replaced whole or not at
    all; parts and twins that an earlier run left are removed.

    Args:
        pages: every page of the site. Of those that have the same URL, the last is listed: give
            them in the order in which they were written.
        options: what to write; `base_url` must be set.
        out_dir: the folder of the built site.
        renderer: what renders the files; by default, the template of the options.
        owned: whether a file in the sitemap's place is that of an earlier run, which is removed
            if no page is listed.
        root: the folder that the paths of `dependencies` are relative to.
        history: what finds the dates: with a folder to remember them in, or one that is used
            for several builds; by default, git is asked anew.
        keep_report: whether the report is kept for `docs-sitemap explain` in the user's cache,
            besides where the option `report` says.

    Returns:
        What was listed, left out and written, and what to warn about.

    Raises:
        OptionError: the options have no base URL.
        ShallowError: the clone is too shallow, and the option `shallow` makes that an error.
    """
    if options.base_url is None:
        raise OptionError([("base_url", "it is not set, and no URL can be given without it")])
    out_dir = Path(out_dir)
    base_url = options.prefix()
    report = make_urlset(pages, options, base_url, out_dir, root, history or History())
    report = _write(report, options, base_url, out_dir, renderer, owned)
    kept = make_report(report, base_url, out_dir, root)
    if keep_report:
        keep(kept, out_dir)
    if options.report is not None:
        try:
            write_report(kept, options.report)
        except OSError as error:
            message = f"the report of the build cannot be written to {_reason(error)}"
            return _with(report, Problem(ProblemKind.WRITE, message))
    return report


def _write(
    report: Report,
    options: Options,
    base_url: str,
    out_dir: Path,
    renderer: SitemapRenderer | None,
    owned: bool,
) -> Report:
    try:
        if not report.listed:
            if owned:
                remove_files(out_dir, options.filename)
            return _with(report, _empty(report))
        files = _render(report.listed, options.filename, base_url, renderer or Renderer(options))
        write_files(out_dir, options.filename, files, options.gzip)
        report = replace(report, problems=(*report.problems, *_check(files, base_url)))
    except TemplateError as error:
        return _with(report, Problem(ProblemKind.TEMPLATE, f"no new sitemap is written: {error}"))
    except OSError as error:
        return _with(report, _obstacle(error))
    return replace(report, files=tuple(out_dir / name for name in files))


def _check(files: Mapping[str, bytes], base_url: str) -> Iterator[Problem]:
    """Hold what was rendered, be it by a user's template, against the protocol."""
    now = datetime.now(UTC)
    for name, data in files.items():
        found = check_sitemap(data, name, url=make_loc(base_url, name), now=now)
        # A date that git gives may be older than sitemaps are.
        numbers: Counter[Code] = Counter()
        for finding in found:
            numbers[finding.code] += finding.number
        numbers.pop(CODES["lastmod-old"], None)
        for code, number in numbers.items():
            first = next(finding for finding in found if finding.code == code)
            line = "" if first.line is None else f", line {first.line}"
            more = f" ({number} such)" if number > 1 else ""
            url = "" if first.url is None else f"{first.url}: "
            yield Problem(
                ProblemKind.CHECK,
                f"{name}{line}: {code.name}: {url}{first.message}{more}; {code.cure}",
            )


def remove_sitemap(
    options: Options, out_dir: str | os.PathLike[str], *, owned: bool = True
) -> list[Problem]:
    """Remove the sitemap and the report that an earlier build left: for builds that can have none.

    Args:
        options: those of the sitemap.
        out_dir: the folder of the built site.
        owned: whether a file in the sitemap's place is that of an earlier run.

    Returns:
        What to warn about: a file that cannot be removed.
    """
    forget(out_dir)
    problems = []
    try:
        if owned:
            remove_files(Path(out_dir), options.filename)
    except OSError as error:
        problems.append(_obstacle(error))
    if options.report is not None:
        try:
            Path(options.report).unlink(missing_ok=True)
        except OSError as error:
            message = f"the report of an earlier build cannot be removed: {_reason(error)}"
            problems.append(Problem(ProblemKind.WRITE, message))
    return problems


def _empty(report: Report) -> Problem:
    message = "no sitemap is written, for no page is listed"
    if report.excluded:
        reasons = Counter(excluded.reason for excluded in report.excluded)
        (reason, number), *_ = reasons.most_common()
        example = next(entry for entry in report.excluded if entry.reason is reason)
        detail = f", {example.detail}" if example.detail else ""
        message += (
            f"; the reason for {number} of {len(report.excluded)} pages: {reason.meaning} "
            f"({example.page.name}{detail})"
        )
    return Problem(ProblemKind.EMPTY, message)


def _obstacle(error: OSError) -> Problem:
    return Problem(
        ProblemKind.WRITE,
        f"{error.filename} cannot be replaced ({error.strerror}); it is the sitemap's place: "
        "free it, or choose another filename",
    )


def _reason(error: OSError) -> str:
    return f"{error.filename} ({error.strerror})"


def _with(report: Report, problem: Problem) -> Report:
    return replace(report, problems=(problem, *report.problems))


def _render(
    listed: Sequence[Listed], filename: str, base_url: str, renderer: SitemapRenderer
) -> dict[str, bytes]:
    """Return the files by name, the sitemap itself first; split past the protocol's limits."""
    parts = split(listed, renderer)
    if len(parts) == 1:
        return {filename: parts[0]}
    named = {part_name(filename, number): part for number, part in enumerate(parts, start=1)}
    index = renderer.sitemapindex([make_loc(base_url, name) for name in named])
    return {filename: index, **named}


def split(
    listed: Sequence[Listed],
    renderer: SitemapRenderer,
    *,
    max_entries: int = MAX_ENTRIES,
    max_bytes: int = MAX_BYTES,
) -> list[bytes]:
    """Render the URLs into as many sitemaps as the limits ask for.

    Source: <https://www.sitemaps.org/protocol.html#index>.

    Raises:
        TemplateError: one URL alone takes more than `max_bytes`.
    """
    parts: list[bytes] = []
    for start in range(0, len(listed), max_entries):
        chunk = listed[start : start + max_entries]
        part = renderer.sitemap(chunk)
        if len(part) <= max_bytes:
            parts.append(part)
        elif len(chunk) == 1:
            raise TemplateError(f"{chunk[0].url.loc} alone takes more than {max_bytes} bytes")
        else:
            # Entries differ in size: a quarter more pieces than their mean asks for mostly do.
            pieces = max(2, -(-len(part) * 5 // (max_bytes * 4)))
            size = -(-len(chunk) // pieces)
            parts += split(chunk, renderer, max_entries=size, max_bytes=max_bytes)
    return parts
