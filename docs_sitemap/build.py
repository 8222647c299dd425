"""Build `sitemap.xml` from pages, with one module per step."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from docs_sitemap.alternates import find_alternates
from docs_sitemap.dates import find_lastmods
from docs_sitemap.edit import EditUrl, edit_entries
from docs_sitemap.entry import Candidate
from docs_sitemap.errors import OptionError
from docs_sitemap.files import describe_write_error
from docs_sitemap.git import History
from docs_sitemap.match import match_pages
from docs_sitemap.options import DateFormat, Options
from docs_sitemap.page import Page, Rule
from docs_sitemap.record.dates import RecordedDates
from docs_sitemap.record.store import LoadedRecord, load_record
from docs_sitemap.report import (
    SavedReport,
    make_saved_report,
    remove_saved_report,
    save_report,
    write_report,
)
from docs_sitemap.result import Excluded, Listed, Problem, ProblemKind, Report, Url
from docs_sitemap.robots import add_to_robots
from docs_sitemap.select import select_pages
from docs_sitemap.sitemap.writer import remove_files, write_files
from docs_sitemap.sitemap.protocol import format_lastmod, format_priority
from docs_sitemap.sitemap.render import RenderSitemap, render_files
from docs_sitemap.sitemap.urls import BaseUrl
from docs_sitemap.sources import find_sources
from docs_sitemap.template_check import check_rendered, split_by_template
from docs_sitemap.text import count
from docs_sitemap.values import parse_path


def build_sitemap(
    pages: Iterable[Page],
    options: Options,
    out_dir: str | os.PathLike[str],
    *,
    root: str | os.PathLike[str] = ".",
    history: History | None = None,
    render_sitemap: RenderSitemap | None = None,
    edit_url: EditUrl | None = None,
    is_owner: bool = True,
    keep_report: bool = True,
    record: LoadedRecord | None = None,
    keep_record: bool = True,
    generator: Literal["sphinx"] | None = None,
    generator_pages: Iterable[str] = (),
    languages: Mapping[str, BaseUrl] | None = None,
) -> Report:
    """Build the sitemap of a site: the entry point for generator integrations.

    Problems with pages, git, or templates do not stop the build, unless the option `shallow` is
    `error`. They are in the `problems` of the report, for the integration to log as warnings or
    notices. Each file is replaced completely or not at all.

    Args:
        pages: All pages of the site, in the order in which they were written. Of pages with the
            same URL, the last is listed, unless only an earlier one is requested.
        options: The options; `base_url` must be set.
        out_dir: The folder of the built site.
        root: The project folder, to which the paths of `dependencies` are relative.
        history: Finds commits. To reuse its results, pass one with a cache folder, or pass the
            same one to several builds.
        render_sitemap: Renders the sitemap instead of the template of the options.
        edit_url: Changes or excludes entries.
        is_owner: Whether an existing sitemap belongs to an earlier build, and not to the user. It
            is then removed if no page is listed.
        keep_report: Whether to save the report where `docs-sitemap explain` and `check` find it,
            unless the option `report` is `False`.
        record: The content record of an earlier build, from `load_record`. By default, it is read
            when this function starts.
        keep_record: Whether to write the content record of this build.
        generator: `sphinx` if `docs-sitemap explain` names options as in `conf.py`.
        generator_pages: The pages that the generator may write for its own use, such as `search`:
            the paths of their HTML files without `.html`. A pattern of `exclude` for such a page
            causes no warning if this build did not write the page.
        languages: The address of the site in each language that is built separately, by the names
            of languages; with the language of this build. By default, it follows from the options
            `language` and `locales`.

    Raises:
        OptionError: The options have no base URL, or `out_dir` or `root` cannot be a path.
        ShallowError: A shallow clone does not contain the commits of some pages, and the option
            `shallow` is `error`.
    """
    if options.base_url is None:
        raise OptionError([("base_url", "it is not set. Fix: set it to the address of the site")])
    base_url = options.page_base_url()
    out_dir = _absolute("out_dir", out_dir)
    root = os.path.join(_absolute("root", root), "")
    problems: list[Problem] = []

    candidates = match_pages(pages, options, base_url, out_dir, root, generator_pages, problems)
    select_pages(candidates, base_url, options.ignore_reasons, problems)
    selected = [candidate for candidate in candidates if candidate.exclusion is None]
    selected.sort(key=lambda candidate: candidate.loc)
    find_sources(selected, options.ignore_dependencies, root, problems)
    if record is None:
        record = load_record(options)
    recorded = None
    if record is not None:
        recorded = RecordedDates(record, options, base_url, root, problems)
    find_lastmods(selected, options, history or History(), problems, recorded)
    find_alternates(selected, options, languages)
    listed = [_make_entry(candidate, options) for candidate in selected]
    if edit_url is not None:
        listed = edit_entries(selected, listed, edit_url, base_url, problems)
    excluded = [candidate.exclusion for candidate in candidates if candidate.exclusion is not None]
    rendered = render_files(listed, options, base_url, render_sitemap, problems)
    files = write_files(rendered, options, out_dir, problems)
    if options.template is not None or render_sitemap is not None:
        check_rendered(rendered, base_url, problems)
        listed, left_out = split_by_template(listed, rendered if files else {})
        excluded += left_out
    if options.robots and files:
        add_to_robots(base_url, options.filename, out_dir, problems)
    if not listed:
        problems.append(_nothing_listed(excluded))
        if is_owner:
            remove_files(options.filename, out_dir, problems)

    if recorded is not None and keep_record:
        recorded.save()
    excluded.sort(key=lambda entry: (entry.page.name, entry.page.url))
    report = Report(tuple(listed), tuple(excluded), files, tuple(problems))
    saved = make_saved_report(report, base_url, out_dir, root, generator)
    if options.report is False:
        remove_saved_report(out_dir)
    elif keep_report:
        save_report(saved, out_dir, root)
    return _write_copy(report, saved, options)


def remove_sitemap(
    options: Options, out_dir: str | os.PathLike[str], *, is_owner: bool = True
) -> list[Problem]:
    """Remove the sitemap and the report of an earlier build, if this build cannot write them.

    Args:
        options: The options of the sitemap.
        out_dir: The folder of the built site.
        is_owner: Whether an existing sitemap belongs to an earlier build.

    Returns:
        Warnings about files that cannot be removed.

    Raises:
        OptionError: `out_dir` cannot be a path.
    """
    problems: list[Problem] = []
    out_dir = _absolute("out_dir", out_dir)
    remove_saved_report(out_dir)
    if is_owner:
        remove_files(options.filename, out_dir, problems)
    if options.report:
        try:
            Path(options.report).unlink(missing_ok=True)
        except OSError as error:
            message = f"an outdated report cannot be removed: {describe_write_error(error)}"
            problems.append(Problem(ProblemKind.WRITE, message))
    return problems


def _absolute(name: str, folder: str | os.PathLike[str]) -> str:
    try:
        path = parse_path(os.fspath(folder))
    except ValueError as error:
        raise OptionError([(name, str(error))]) from None
    return os.path.abspath(path or ".")


def _make_entry(candidate: Candidate, options: Options) -> Listed:
    """Return the entry of a page. Its own values take precedence over its rule and the options."""
    overrides, lastmod = candidate.overrides, candidate.lastmod
    rule = candidate.rule or Rule(match=())
    date_only = options.lastmod_format is DateFormat.DATE
    date_text = None
    if lastmod.value is not None:
        date_text = format_lastmod(lastmod.value, date_only=date_only)
    priority_text = None
    for priority in (overrides.priority, rule.priority, options.priority):
        if priority is not None:
            priority_text = format_priority(priority)
            break
    url = Url(
        loc=candidate.loc,
        lastmod=date_text,
        changefreq=overrides.changefreq or rule.changefreq or options.changefreq,
        priority=priority_text,
        alternates=candidate.alternates,
    )
    return Listed(candidate.page, url, lastmod, candidate.sources, candidate.source_dates)


def _write_copy(report: Report, saved: SavedReport, options: Options) -> Report:
    """Write the file of the option `report`."""
    if options.report:
        try:
            write_report(saved, options.report)
        except OSError as error:
            message = f"the report cannot be written: {describe_write_error(error)}"
            problem = Problem(ProblemKind.WRITE, message)
            return replace(report, problems=(*report.problems, problem))
    return report


def _nothing_listed(excluded: Sequence[Excluded]) -> Problem:
    message = "no sitemap is written: no page is listed"
    if excluded:
        ((reason, number),) = Counter(entry.reason for entry in excluded).most_common(1)
        example = next(entry for entry in excluded if entry.reason is reason)
        detail = f" ({example.detail})" if example.detail else ""
        message += (
            f". The most common exclusion reason is {reason} ({number:,} of "
            f"{count(len(excluded), 'page')}), for example of {example.page.name}{detail}"
        )
    return Problem(ProblemKind.EMPTY, f"{message}. Fix: list at least one page.")
