"""The sitemaps that the generator wrote: change only their dates, or report what a new
sitemap leaves and loses of them.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from os.path import splitext
from pathlib import Path

from docs_sitemap.config.options import OPTION_NAMES
from docs_sitemap.diagnostics import BuildCode, DateStatus, Diagnostics, SitemapError
from docs_sitemap.entry import Entry, sort_listed
from docs_sitemap.result import BuildResult
from docs_sitemap.site import Site
from docs_sitemap.sitemap.protocol import DAY_LENGTH, format_lastmod
from docs_sitemap.sitemap.reader import SitemapEntry, read_chunks
from docs_sitemap.sitemap.rules import UnusableFileError
from docs_sitemap.sitemap.urls import NormalizedUrl
from docs_sitemap.tools.files import (
    compress,
    lock_folder,
    relative_path,
    replace_files,
)
from docs_sitemap.tools.printing import count, shorten
from docs_sitemap_cli.console import join_some
from docs_sitemap_cli.published.folder import SiteFolder
from docs_sitemap_cli.published.lastmods import (
    newest_date,
    parse_lastmod,
    update_lastmods,
)
from docs_sitemap_cli.published.sitemap_sources import FolderSitemaps, find_sitemaps
from docs_sitemap_cli.published.sitemaps import Skip, walk_sitemaps

from .site_urls import find_listed

# What happens to the dates of pages, in the words and the order of the summary.
_OUTCOMES = (
    "added",
    "corrected",
    "unchanged",
    "removed, because the clone is shallow",
    "kept that could not be checked",
    "unknown",
)
_ADDED, _CORRECTED, _UNCHANGED, _REMOVED, _KEPT, _UNKNOWN = _OUTCOMES

# The suffixes of sitemaps that contain only URLs.
_TEXT_SUFFIXES = (".txt", ".txt.gz")


def update_sitemaps(
    entries: Sequence[Entry], site: Site, diagnostics: Diagnostics
) -> tuple[Path, ...]:
    """Update all sitemaps of a site, or none. A notice says what happened to the dates,
    or what would happen in a preview.

    Returns:
        The absolute paths of the sitemaps.

    Raises:
        SitemapError: There is no sitemap with URLs, all URLs are those of another site,
            or a sitemap cannot be read.
        OSError: A file cannot be written.
    """
    update = _Update(entries, site)
    # An index may have the dates of its sitemaps, so it comes after them.
    for file in reversed(update.files):
        update.change(file)
    if update.foreign_url and not update.has_own_urls:
        raise SitemapError(
            f"the sitemap in {site.out_dir} lists no page of this site: none of its "
            f"URLs, such as {shorten(update.foreign_url)}, opens a file of the site at "
            f"{site.base_url}. Fix: correct the URL of the site in the configuration "
            "of the generator, or --base-url"
        )
    if not update.outcomes:
        fault = f"{site.out_dir} contains no sitemap with URLs"
        if update.text_file:
            fault = f"{update.text_file} is a text sitemap, which contains no dates"
        raise SitemapError(f"{fault}. Fix: run without --update")
    if update.contents and not site.is_preview:
        with lock_folder(Path(site.out_dir)):
            replace_files(update.contents)
    urls = count(update.outcomes.total(), "URL")
    dates = []
    for outcome in _OUTCOMES:
        if update.outcomes[outcome]:
            dates.append(f"{update.outcomes[outcome]:,} {outcome}")
    message = f"{join_some(update.files, 1)}: {urls}; dates: {', '.join(dates)}"
    diagnostics.note(BuildCode.WRITE, message)
    return tuple(Path(site.out_dir, file) for file in update.files)


class _Update:
    """An update of the sitemaps of a site.

    Attributes:
        files: The sitemaps. An index comes before its sitemaps.
        contents: The new content of each file that changes.
        outcomes: What happens to the dates of pages.
        has_own_urls: Whether any page in the sitemaps is a file of the site.
        foreign_url: A URL in the sitemaps that opens no file of the site; empty if
            there is none.
        text_file: A sitemap that lists only URLs; empty if there is none.

    Args:
        entries: The pages with their dates.
        site: The site.
    """

    def __init__(self, entries: Sequence[Entry], site: Site) -> None:
        self.files: list[str] = []
        self.contents: dict[Path, bytes | None] = {}
        self.outcomes = Counter[str]()
        self.has_own_urls = False
        self.foreign_url = ""
        self.text_file = ""
        self._folder = SiteFolder(site.out_dir)
        self._base = NormalizedUrl(site.base_url)
        # Of pages and sitemaps, by their files; empty if the old date is incorrect.
        self._dates: dict[str | None, str | None] = {}
        for entry in sort_listed(entries):
            lastmod = entry.url.lastmod
            # The generator read the same clone, in which all old pages have the date of
            # one commit.
            if lastmod is None and entry.lastmod.status is DateStatus.SHALLOW:
                lastmod = ""
            self._dates[_find_file(entry, self._folder.root)] = lastmod
        starts = []
        for name in find_sitemaps(self._folder):
            if name.endswith(_TEXT_SUFFIXES):
                self.text_file = name
            else:
                starts.append(name)
        source = FolderSitemaps(self._folder, self._base)
        for sitemap in walk_sitemaps(source, starts):
            if sitemap.skip in (Skip.ELSEWHERE, Skip.NOT_FOUND):
                self.foreign_url = self.foreign_url or sitemap.name
            if sitemap.skip in (Skip.PAGE, Skip.LIMIT):
                raise SitemapError(source.describe_fault(sitemap))
            if sitemap.skip is None and not sitemap.is_feed:
                self.files.append(sitemap.name)

    def change(self, file: str) -> None:
        """Find the new content of a sitemap and of its compressed copy."""
        try:
            with self._folder.open_checked(file) as opened:
                data = b"".join(read_chunks(opened, file))
            updated, lastmods = update_lastmods(data, self._choose)
        except UnusableFileError as error:
            raise SitemapError(error.describe(self._folder.user_path(file))) from None
        plain = file.removesuffix(".gz")
        # The next run compares the file. If this one is interrupted, the copy may only
        # be newer.
        for name in filter(self._folder.exists, (f"{plain}.gz", plain)):
            self._dates[name] = newest_date(lastmods)
            if updated != data:
                content = updated if name == plain else compress(updated)
                self.contents[Path(self._folder.root, name)] = content

    def _choose(self, entry: SitemapEntry, is_index: bool) -> str | None:
        """Return the date to write into an entry; `None` to leave the entry as it
        is.
        """
        loc = entry.text("loc") or ""
        file = self._folder.file_at(self._base, NormalizedUrl(loc))
        old = entry.text("lastmod") or ""
        new = self._dates.get(file)
        outcome = _compare(old, new)
        if not is_index:
            self.outcomes[outcome] += 1
            if file is None:
                self.foreign_url = self.foreign_url or loc
            else:
                self.has_own_urls = True
        if new is None or outcome in (_UNCHANGED, _UNKNOWN):
            return None
        if is_index and not old:  # The dates of sitemaps in an index are optional.
            return None
        is_day = old and "T" not in old  # It stays a day.
        return new[:DAY_LENGTH] if is_day else new


def _compare(old: str, new: str | None) -> str:
    """Return what happens to the date of a page if the correct one is `new`: `None` if
    it is unknown, and empty if the old one is incorrect anyway.
    """
    if not old:
        return _ADDED if new else _UNKNOWN
    if new is None:
        return _KEPT
    if not new:
        return _REMOVED
    timestamp = parse_lastmod(old)
    if timestamp is None:
        return _CORRECTED
    # In the same form as the new date. A day is correct at any time of the day.
    text = format_lastmod(timestamp, date_only="T" not in old)
    if text.startswith(new) or new.startswith(text):
        return _UNCHANGED
    return _CORRECTED


def report_conflicts(
    folder: SiteFolder, site: Site, notes: Diagnostics
) -> Sequence[str]:
    """Report what a new sitemap of a site leaves, and what it loses.

    Args:
        folder: The folder of the site.
        site: The site.
        notes: Receives the notices.

    Returns:
        The files that the sitemap lists which the new one replaces.
    """
    filename = site.options.filename
    listed: Sequence[str] = ()
    for name in find_sitemaps(folder):
        if name != filename:
            fix = "add --update to correct its dates instead, or "
            if name.endswith(_TEXT_SUFFIXES):
                fix = ""  # Text contains no dates.
            message = (
                f"{name} of the generator stays next to {filename}. Fix: {fix}list "
                f"only {filename} in robots.txt and in search consoles"
            )
            notes.note(BuildCode.CONFLICT, message)
            continue
        listed = list(find_listed(folder, [name], site.base_url))
        if _is_richer(folder, filename):
            message = (
                f"the links to languages and images in {filename} of the generator "
                "are lost. Fix: add --update to keep them and correct only the dates"
            )
            notes.note(BuildCode.CONFLICT, message)
    return listed


def report_left_out(
    listed: Iterable[str], result: BuildResult, folder: str, notes: Diagnostics
) -> None:
    """Report the files that a new sitemap lists no longer, and that are no pages: those
    have a reason.

    Args:
        listed: The files that the replaced sitemap lists.
        result: The pages of the new one.
        folder: The absolute path of the site.
        notes: Receives the notice.
    """
    pages = set()
    for entry in (*result.listed, *result.excluded):
        pages.add(_find_file(entry, folder))
    files = [file for file in listed if file not in pages]
    if files:
        suffix = splitext(files[0])[1]
        message = (
            "the new sitemap lists only pages and leaves out "
            f"{count(len(files), 'file')} of the replaced one ({join_some(files)}). "
            f'Fix: add them to {OPTION_NAMES["include"]}, for example with "*{suffix}"'
        )
        notes.note(BuildCode.CONFLICT, message)


def _find_file(entry: Entry, folder: str) -> str:
    """Return the path of the HTML file of a page below the folder of the site."""
    return relative_path(entry.page.output or "", folder)


def _is_richer(folder: SiteFolder, filename: str) -> bool:
    """Return whether a sitemap of the generator contains links."""
    sitemap = next(walk_sitemaps(FolderSitemaps(folder, None), [filename]))
    return any(page.has_extensions or page.alternates for page in sitemap.pages)
