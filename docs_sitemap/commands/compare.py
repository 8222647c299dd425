"""`docs-sitemap compare`: which URLs appear, disappear, or change from one sitemap to
another.
"""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from urllib.parse import unquote

import click
import msgspec

from docs_sitemap.built.site_folder import SiteFolder
from docs_sitemap.built.site_sitemaps import (
    SitemapLine,
    find_sitemaps,
    guess_base_url,
    read_all_entries,
    read_complete,
)
from docs_sitemap.report import SavedReport
from docs_sitemap.sitemap.protocol import parse_w3c_datetime
from docs_sitemap.sitemap.rules import UnusableFileError
from docs_sitemap.sitemap.urls import PAGE_SUFFIX, BaseUrl, normalize_url, strip_index
from docs_sitemap.tools.printing import count

from .console import JSON_VERSION, print_json, print_line
from .site_options import find_report, format_option, report_option

# The text shows the dates and links of this many pages.
_MAX_SHOWN = 10

Entries = Mapping[str, SitemapLine]
"""The entries by the text of `<loc>`."""

Difference = tuple[str | None, str | None]
"""The values in the first and in the second sitemap; `None` where there is none."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The differences of two sitemaps: the document that `compare --format json`
    prints.

    Attributes:
        version: The version of this format.
        urls_before: The number of URLs in the first sitemap.
        urls_after: The number of URLs in the second sitemap.
        added: The URLs that only the second sitemap lists.
        removed: The URLs that only the first sitemap lists, each with the reason why
            the build excluded the page, in one line, if that is known.
        changed: The pages that have another URL in each sitemap: their URLs in the
            second sitemap by those in the first.
        dates: The pages in both sitemaps whose `lastmod` differs, by their URLs in the
            second one. Each has two values: in the first sitemap, and in the second;
            `None` if there is none.
        alternates: The pages in both sitemaps whose `hreflang` links differ, by their
            URLs in the second one. Each has the languages that differ, with two URLs in
            the same form.
    """

    version: int = JSON_VERSION
    urls_before: int
    urls_after: int
    added: list[str]
    removed: dict[str, str | None]
    changed: dict[str, str]
    dates: dict[str, Difference]
    alternates: dict[str, dict[str, Difference]]


@click.command(
    epilog="""\b
Examples:
  docs-sitemap compare before.xml site
  docs-sitemap compare --format json before.xml site/sitemap.xml""",
)
@click.argument("before", metavar="BEFORE", type=click.Path(exists=True))
@click.argument("after", metavar="AFTER", type=click.Path(exists=True))
@format_option
@report_option
def compare(before: str, after: str, output_format: str, report: str | None) -> None:
    """Compare the URLs, dates, and hreflang links of two sitemaps.

    BEFORE and AFTER are sitemaps, or folders of built sites. If the report of the build
    of AFTER is known, the reasons why it excluded pages are shown.
    """
    site_dir = after if os.path.isdir(after) else os.path.dirname(after)
    saved = find_report(site_dir, report)
    old, new = read_entries(before), read_entries(after, saved)
    comparison = compare_sitemaps(old, new, report=saved)
    if output_format == "json":
        print_json(comparison)
    else:
        _print_text(comparison)


def _print_text(comparison: Comparison) -> None:
    removed = []
    for url, reason in comparison.removed.items():
        removed.append(f"{url} ({reason})" if reason else url)
    changed = [f"{before} -> {after}" for before, after in comparison.changed.items()]
    _print_list("URL", "disappear", removed)
    _print_list("URL", "appear", comparison.added)
    _print_list("URL", "change", changed)
    _print_differences("date", comparison.dates)
    links: dict[str, Difference] = {}
    for url, pairs in comparison.alternates.items():
        for language, pair in pairs.items():
            links[f"{url}: {language}"] = pair
    _print_differences("hreflang link", links)
    print_line(
        f"{count(comparison.urls_before, 'URL')} before, {comparison.urls_after:,} "
        "after"
    )


def _print_differences(subject: str, differences: Mapping[str, Difference]) -> None:
    by_verb: dict[str, list[str]] = {"disappear": [], "appear": [], "change": []}
    for name, (old, new) in differences.items():
        if old is None:
            by_verb["appear"].append(f"{name}: {new}")
        elif new is None:
            by_verb["disappear"].append(f"{name}: {old}")
        else:
            by_verb["change"].append(f"{name}: {old} -> {new}")
    for verb, lines in by_verb.items():
        _print_list(subject, verb, lines, limit=_MAX_SHOWN)


def _print_list(
    subject: str, verb: str, lines: Sequence[str], *, limit: int | None = None
) -> None:
    if not lines:
        return
    ending = "s" if len(lines) == 1 else ""
    print_line((f"{count(len(lines), subject)} {verb}{ending}:", "bold"))
    shown = lines[:limit]
    for line in shown:
        print_line(f"  {line}")
    if len(shown) < len(lines):
        print_line(f"  … and {len(lines) - len(shown):,} more; --format json shows all")
    print_line()


def read_entries(path: str, report: SavedReport | None = None) -> Entries:
    """Return the entries of a sitemap, or of the sitemaps of a site.

    Args:
        path: A sitemap, a sitemap index, or the folder of a site. The sitemaps that an
            index names are read if they are in the same folder.
        report: The report of the build of the site, if it is known.

    Raises:
        click.UsageError: There is no sitemap, or not all URLs can be read.
    """
    is_site = os.path.isdir(path)
    folder = SiteFolder(path if is_site else os.path.dirname(path))
    sitemaps = [os.path.basename(path)]
    if is_site:
        sitemaps = find_sitemaps(folder, () if report is None else report.files)
    if not sitemaps:
        raise click.UsageError(
            f"{path} contains no sitemap. Fix: name a sitemap or the folder of a site."
        )
    base_url = guess_base_url(folder, sitemaps)
    lines = read_all_entries(
        folder, sitemaps, base_url, partial(_read_complete, base_url)
    )
    return {line.loc: line for line in lines}


def _read_complete(
    base_url: BaseUrl | None, folder: SiteFolder, file: str
) -> Iterator[SitemapLine]:
    """Yield all entries of a sitemap: the others would seem to disappear or appear."""
    try:
        for entry in read_complete(folder, file):
            yield entry
            if not entry.is_index:
                continue
            if folder.file_at(base_url, normalize_url(entry.loc)) is None:
                raise click.UsageError(
                    f"{folder.user_path(file)}, line {entry.line}: the sitemap "
                    f"{entry.loc} is not in the same folder. Fix: copy it there."
                )
    except UnusableFileError as error:
        raise click.UsageError(error.describe(folder.user_path(file))) from None


def compare_sitemaps(
    before: Entries, after: Entries, *, report: SavedReport | None = None
) -> Comparison:
    """Compare two sitemaps.

    Args:
        before: The first sitemap.
        after: The second sitemap.
        report: The report of the build that wrote the second sitemap.
    """
    folder_before = _common_folder(before)
    folder_after = _common_folder(after)
    added = after.keys() - before.keys()
    removed = before.keys() - after.keys()
    # Pages keep their name if only the ends of the URLs or the address of the site
    # change.
    changed = _pair(removed, "", added, "")
    left = removed - changed.keys()
    changed |= _pair(left, folder_before, added - {*changed.values()}, folder_after)
    removed -= changed.keys()
    kept = {changed.get(url, url): before[url] for url in before.keys() - removed}
    dates = {}
    alternates = {}
    for url, old in sorted(kept.items()):
        new = after[url]
        if not _same_date(old.lastmod, new.lastmod):
            dates[url] = old.lastmod, new.lastmod
        links = _compare_alternates(old, new, changed)
        if links:
            alternates[url] = links
    return Comparison(
        urls_before=len(before),
        urls_after=len(after),
        added=sorted(added - {*changed.values()}),
        removed=_find_reasons(sorted(removed), folder_before, report),
        changed=dict(sorted(changed.items())),
        dates=dates,
        alternates=alternates,
    )


def _find_reasons(
    removed: Sequence[str], folder: str, report: SavedReport | None
) -> dict[str, str | None]:
    """Return why the build excluded the pages with these URLs in a folder."""
    if report is None:
        return dict.fromkeys(removed)
    reasons = {}
    for page in report.pages:
        if page.reason is not None:
            detail = f" ({page.detail})" if page.detail else ""
            meaning = report.name_options(page.reason.meaning)
            reasons[_page_name(page.url)] = f"{meaning}{detail}"
    by_url = {}
    for url in removed:
        reason = reasons.get(_page_name(url, folder))
        by_url[url] = reasons.get(_page_name(url, report.base_url), reason)
    return by_url


def _common_folder(urls: Collection[str]) -> str:
    """Return the longest URL of a folder that all URLs start with."""
    start = os.path.commonprefix([*urls])  # noqa: RUF071  # The start of a name is cut off.
    return f"{start.rpartition('/')[0]}/"


def _page_name(url: str, folder: str = "") -> str:
    """Return what the URL of a page has in common with its URLs in other forms."""
    path = unquote(url).removeprefix(unquote(folder))
    return PAGE_SUFFIX.sub("", strip_index(path)).rstrip("/")


def _pair(
    removed: Collection[str],
    folder_before: str,
    added: Collection[str],
    folder_after: str,
) -> dict[str, str]:
    """Return the URLs of pages with the same name, the second by the first."""
    names = {_page_name(url, folder_after): url for url in sorted(added)}
    changed = {}
    for url in sorted(removed):
        after = names.pop(_page_name(url, folder_before), None)
        if after is not None:
            changed[url] = after
    return changed


def _compare_alternates(
    old: SitemapLine, new: SitemapLine, changed: Mapping[str, str]
) -> dict[str, Difference]:
    """Return the languages in which a page has another URL, with both URLs."""
    before, after = dict(old.alternates), dict(new.alternates)
    differences = {}
    for language in sorted({*before, *after}):
        url, other = before.get(language), after.get(language)
        if other != changed.get(url or "", url):
            differences[language] = url, other
    return differences


def _same_date(before: str | None, after: str | None) -> bool:
    """Return whether two dates are equal, whatever the time zones in which they are
    written.
    """
    if before is not None and after is not None:
        with suppress(ValueError):
            return parse_w3c_datetime(before)[0] == parse_w3c_datetime(after)[0]
    return before == after
