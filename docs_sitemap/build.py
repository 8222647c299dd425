"""Build a sitemap: collect pages, date them from git, render, and write.

To show dates in pages, an integration calls `date_pages` before it writes the pages.
`build_sitemap` then takes the same entries.
"""

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from .built.robots_txt import add_to_robots, is_robots_effective
from .config.options import OptionNames, Options
from .config.parsers import DateFormat, PageRule
from .config.published_address import check_address, serves_robots
from .diagnostics import (
    BuildCode,
    Diagnostic,
    Diagnostics,
    ExclusionReason,
    UrlError,
)
from .entry import Entry, sort_listed
from .result import BuildResult, describe_causes, write_reports
from .site import Site
from .sitemap.protocol import Url, format_lastmod
from .sitemap.urls import make_loc
from .sitemap.writer import remove_files
from .steps.alternates import link_languages
from .steps.dates import find_dates
from .steps.git_diagnostics import report_missing_dates
from .steps.match import match_other_files, match_pages
from .steps.select import select_pages
from .steps.sources import find_sources, report_missing_files
from .steps.uncommitted import report_uncommitted
from .steps.url_hook import apply_edits, call_hook
from .steps.write import write_sitemap
from .tools.files import StrPath, describe_write_error
from .tools.printing import shorten

WriteFiles = Callable[[Sequence[Entry], Site, Diagnostics], tuple[Path, ...]]
"""Writes the sitemap of a site, adds diagnostics, and returns the paths of the files.
"""

_NO_RULE = PageRule(match=())

# Nearly all objects of a build are in use until its end.
_OBJECTS_PER_COLLECTION = 100_000


@contextmanager
def with_few_collections() -> Iterator[None]:
    """Collect garbage seldom, and leave out the objects of the generator. It has so
    many that one collection can take as long as all else at the end of a build.
    """
    thresholds = gc.get_threshold()
    gc.set_threshold(_OBJECTS_PER_COLLECTION, *thresholds[1:])
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)


@with_few_collections()
def date_pages(site: Site, diagnostics: Diagnostics) -> list[Entry]:
    """Date the pages of a site before they are written.

    Which of them are listed is not known yet, so all pages have dates, and the hook of
    the user receives all of them.

    Args:
        site: The site. Its output need not exist.
        diagnostics: Receives warnings and notices, which `build_sitemap` does not
            repeat.

    Returns:
        An entry for each page, in the same order, for `build_sitemap`.
    """
    entries = match_pages(site, diagnostics)
    with_url = []
    for entry in entries:
        with suppress(UrlError):  # Such a page is not listed, and shows no date.
            entry.loc = make_loc(site.base_url, entry.page.url)
            with_url.append(entry)
    _date(with_url, site, diagnostics)
    return entries


@with_few_collections()
def build_sitemap(
    site: Site, dated: Sequence[Entry] = (), *, write: WriteFiles | None = None
) -> BuildResult:
    """Build the sitemap of a site: the entry point for generator integrations.

    Each file is replaced completely or not at all.

    Args:
        site: The site.
        dated: The entries of pages that were dated before they were written, and that
            are not among the pages of the site.
        write: A function that writes the files, for example to change only the dates in
            them. By default, a new sitemap is written.

    Raises:
        ShallowError: The option `shallow` is `error`, and the clone lacks commits.
    """
    diagnostics = Diagnostics()
    entries = _find_entries(site, dated, diagnostics)
    files = (write or _write)(entries, site, diagnostics)
    result = _make_result(entries, site, files, diagnostics)
    if not site.is_preview:
        write_reports(result, site, diagnostics)
    return result._replace(diagnostics=tuple(diagnostics))


@with_few_collections()
def plan_sitemap(site: Site) -> BuildResult:
    """Return the result of `build_sitemap`, and write nothing."""
    diagnostics = Diagnostics()
    entries = _find_entries(site, (), diagnostics)
    return _make_result(entries, site, (), diagnostics)


def _find_entries(
    site: Site, dated: Sequence[Entry], diagnostics: Diagnostics
) -> list[Entry]:
    """Return the entries of all pages, including those that were dated before."""
    if not site.is_preview:
        check_address(
            site.base_url,
            os.fspath(site.out_dir),
            diagnostics,
            is_chosen=site.is_address_chosen,
        )
    undated = match_pages(site, diagnostics)
    undated += match_other_files([*dated, *undated], site, diagnostics)
    entries = [*dated, *undated]
    select_pages(entries, site, diagnostics)
    _date(sort_listed(undated), site, diagnostics)
    listed = sort_listed(entries)
    report_missing_files(listed, site, diagnostics)
    report_missing_dates(listed, site, diagnostics)
    report_uncommitted(listed, site, diagnostics)
    if site.edit_url is not None:
        apply_edits(listed, diagnostics)
    link_languages(entries, site, diagnostics)
    return entries


def _date(entries: Sequence[Entry], site: Site, diagnostics: Diagnostics) -> None:
    """Set the sources, dates, and values of pages, and what the hook of the user makes
    of them.
    """
    find_sources(entries, site)
    find_dates(entries, site, diagnostics)
    for entry in entries:
        entry.url = _make_url(entry, site.options)
    call_hook(entries, site)


def _make_result(
    entries: Sequence[Entry],
    site: Site,
    files: tuple[Path, ...],
    diagnostics: Diagnostics,
) -> BuildResult:
    excluded = [entry for entry in entries if entry.reason is not None]
    excluded.sort(key=lambda entry: (entry.page.name, entry.page.url))
    return BuildResult(
        tuple(sort_listed(entries)),
        tuple(excluded),
        files,
        tuple(diagnostics),
        site.names,
    )


def _make_url(entry: Entry, options: Options) -> Url:
    """Return the `<url>` of a page. The values of the page precede its rule and the
    options.
    """
    settings = entry.settings
    lastmod = entry.lastmod
    rule = entry.rule or _NO_RULE
    date_text = None
    if lastmod.value is not None:
        date_only = options.lastmod_format is DateFormat.DATE
        date_text = format_lastmod(lastmod.value, date_only=date_only)
    priority = settings.priority
    if priority is None:
        priority = rule.priority
    if priority is None:
        priority = options.priority
    priority_text = None
    if priority is not None:
        priority_text = str(round(priority, 3))  # without an exponent
    changefreq = settings.changefreq or rule.changefreq or options.changefreq
    return Url(entry.loc, date_text, changefreq, priority_text)


def _write(
    entries: Sequence[Entry], site: Site, diagnostics: Diagnostics
) -> tuple[Path, ...]:
    """Render and write the sitemap, or remove the one of an earlier build if no page is
    listed.
    """
    options = site.options
    listed = sort_listed(entries)
    files = write_sitemap(listed, site, diagnostics)
    if options.robots and files and not site.is_preview:
        base_url = site.base_url
        add_to_robots(
            base_url,
            options.filename,
            os.fspath(site.out_dir),
            diagnostics,
            option=site.names["robots"],
            is_at_root=is_robots_effective(base_url) or serves_robots(base_url),
        )
    if not listed:
        _report_empty(entries, site.names, diagnostics)
        diagnostics += remove_sitemap(options, site.out_dir, is_owner=site.is_owner)
    return files


def _report_empty(
    entries: Sequence[Entry], names: OptionNames, diagnostics: Diagnostics
) -> None:
    reasons = [entry.reason for entry in entries if entry.reason]
    causes = describe_causes(reasons, names)
    fix = "list at least one page"
    for entry in entries:
        if entry.reason is ExclusionReason.CANONICAL:
            fix = (
                "correct the URL of the site or the canonical links: the one of "
                f"{shorten(entry.page.name)} leads to {shorten(entry.detail)}"
            )
            break
    message = f"no sitemap is written: no page is listed{causes}. Fix: {fix}."
    diagnostics.warn(BuildCode.EMPTY, message)


def remove_sitemap(
    options: Options, out_dir: StrPath, *, is_owner: bool = True
) -> list[Diagnostic]:
    """Remove the sitemap of an earlier build, if this build cannot write one.

    Args:
        options: The options.
        out_dir: The folder of the built site.
        is_owner: Whether an existing sitemap belongs to an earlier build.

    Returns:
        Warnings about files that cannot be removed.
    """
    try:
        if is_owner:
            remove_files(options.filename, Path(os.path.abspath(out_dir)))
    except OSError as error:
        message = (
            f"an outdated sitemap cannot be removed: {describe_write_error(error)}"
        )
        return [Diagnostic(BuildCode.WRITE, message)]
    return []
