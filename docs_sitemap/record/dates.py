"""Keep the dates of pages whose content has not changed.

The content record of an earlier build shows which pages have changed since. A changed
page has the date of a newer commit to its sources or, if there is none, the date of the
commit that is built.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from docs_sitemap.date_status import NOT_IN_GIT, DateStatus
from docs_sitemap.diagnostics import BuildCode, Diagnostics
from docs_sitemap.entry import Entry, Lastmod
from docs_sitemap.git.built_commit import BuiltCommit
from docs_sitemap.git.file_date import HistoryOptions
from docs_sitemap.git.location import check_parents
from docs_sitemap.git.repository import merge_base
from docs_sitemap.git.run import GitError
from docs_sitemap.git.walk import CLOCK_TOLERANCE
from docs_sitemap.tools.files import describe_write_error
from docs_sitemap.tools.json_store import OtherVersionError

from .digest import RULES_VERSION, digest_body, digest_content
from .store import ContentRecord, LoadedRecord, RecordedPage, load_record, open_store

if TYPE_CHECKING:
    from docs_sitemap.built.html import BuiltPage
    from docs_sitemap.site import Site

_SHORT_NAME = 12

# Git will not know later either when such a page changed.
_GENERATED = (DateStatus.NO_SOURCE, DateStatus.UNKNOWN_SOURCES, *NOT_IN_GIT)


class _EarlierBuild(NamedTuple):
    """What the record of an earlier build says about this build.

    Attributes:
        pages: The pages of the record; empty if it is not used.
        has_same_rules: Whether the digests can be compared. Otherwise, all pages are
            unchanged: a change of the rules is not a change of the pages.
        recorded_at: The committer date of the commit of the record.
        built: The date of the commit that is built, for changed pages; `None` if it is
            unknown.
        is_older: Whether the commit of the record comes before the one that is built.
    """

    pages: Mapping[str, RecordedPage] = {}
    has_same_rules: bool = True
    recorded_at: datetime = datetime.max.replace(tzinfo=UTC)
    built: Lastmod | None = None
    is_older: bool = False

    def date(self, url: str, digest: str, from_git: Lastmod) -> Lastmod:
        """Return the date of a page.

        Args:
            url: The URL relative to the base URL.
            digest: The digest of the main content.
            from_git: The date of the newest source.
        """
        page = self.pages.get(url)
        if page is None:
            return self._date_changed(from_git, is_new=True)
        if page.digest != digest and self.has_same_rules:
            return self._date_changed(from_git, is_new=False)
        if page.lastmod is not None:
            return Lastmod(DateStatus.RECORD, page.lastmod)
        # The record knows no earlier commit with this content.
        if self.is_older and from_git.status in _GENERATED:
            return Lastmod(DateStatus.RECORD, self.recorded_at)
        return from_git

    def _date_changed(self, from_git: Lastmod, *, is_new: bool) -> Lastmod:
        """Return the date of a page that is not in the record, or has another content
        there.
        """
        value = from_git.value
        # Readers saw another page when the record was written, whatever the dates of
        # its sources.
        if isinstance(value, datetime) and (is_new or value > self.recorded_at):
            return from_git
        if self.built is not None:
            return self.built
        if value is None:
            return from_git
        return Lastmod(DateStatus.GIT_FAILED)

    def find_body(self, url: str, digest: str) -> str:
        """Return the digest of the body of an unchanged page if the record is of the
        commit that is built; otherwise an empty string. A page can contain the time of
        the build, but the same commit must have the same record.
        """
        page = self.pages.get(url)
        is_same_commit = self.built is not None and not self.is_older
        if is_same_commit and page is not None and page.digest == digest:
            return page.body
        return ""


class RecordedDates:
    """Applies the record of an earlier build to the dates of this build, and writes a
    new record.

    Args:
        loaded: The record of the earlier build.
        site: The site.
        diagnostics: Receives warnings and notices about the record.
    """

    def __init__(
        self, loaded: LoadedRecord, site: Site, diagnostics: Diagnostics
    ) -> None:
        self._loaded = loaded
        self._base_url = site.base_url
        self._base_path = urlsplit(site.base_url).path
        self._root = os.fspath(site.root)
        self._diagnostics = diagnostics
        self._new: ContentRecord | None = None
        self._bodies: dict[str, str] = {}
        self._known: Mapping[str, RecordedPage] = {}
        record = loaded.record
        if record is not None and record.rules == RULES_VERSION:
            self._known = record.pages

    @classmethod
    def load(cls, site: Site, diagnostics: Diagnostics) -> RecordedDates | None:
        """Load the record of a site; `None` if the site has none."""
        loaded = site.record or load_record(site.options)
        if loaded is None:
            return None
        return cls(loaded, site, diagnostics)

    def read_content(self, entry: Entry, page: BuiltPage) -> None:
        """Set the digests of a page. Only a page that has changed is parsed."""
        body = digest_body(page, self._base_url)
        url = self._url(entry)
        known = self._known.get(url)
        if known is not None and known.body == body:
            digest = known.digest
        else:
            digest = digest_content(page, self._base_url)
        entry.content = digest
        self._bodies[url] = body

    def apply(self, entries: Sequence[Entry], history_options: HistoryOptions) -> None:
        """Set the dates of pages, which have the dates from git or their own dates
        until now.
        """
        built: BuiltCommit | None
        try:
            built = BuiltCommit.read(self._root, history_options)
            earlier = self._find_earlier(built)
        except (GitError, OSError, ValueError) as error:
            self._note(
                f"is not updated: the commit that is built is unknown ({error}). Fix: "
                "build from a clone of the git repository."
            )
            built = None
            earlier = self._find_earlier(None)
        if earlier is None:
            return
        pages = {}
        for entry in entries:
            digest = entry.content
            if digest is not None:
                url = self._url(entry)
                date = _set_date(entry, url, digest, earlier, built)
                body = earlier.find_body(url, digest) or self._bodies[url]
                pages[url] = RecordedPage(digest, date, body)
        if built is not None and pages:
            self._new = ContentRecord(
                rules=RULES_VERSION,
                base_path=self._base_path,
                commit=built.name,
                commit_date=built.committed,
                pages=dict(sorted(pages.items())),
            )

    def save(self) -> None:
        """Write the new record. If there is none, restore the earlier one, which the
        generator may have removed together with the earlier site.
        """
        record = self._new or self._loaded.record
        try:
            if record is not None:
                check_parents(self._loaded.path, self._root)
                open_store(self._loaded.path).save(record)
        except OSError as error:
            message = (
                f"the content record cannot be written: {describe_write_error(error)}"
            )
            self._diagnostics.warn(BuildCode.WRITE, message)

    def _url(self, entry: Entry) -> str:
        return entry.loc.removeprefix(self._base_url)

    def _find_earlier(self, built: BuiltCommit | None) -> _EarlierBuild | None:
        """Return what the record says about this build; `None` if the record must stay
        unchanged.

        Raises:
            GitError: Git failed.
        """
        record = self._loaded.record
        if record is None:
            self._report_missing()
            return _EarlierBuild()
        if record.base_path != self._base_path:
            self._note(
                f"is not used: it is for a site at {record.base_path}, and this site "
                f"is at {self._base_path}. Fix: give each site its own file in the "
                "option lastmod_record or, if the site has moved, change base_path in "
                "the file."
            )
            return None
        has_same_rules = record.rules == RULES_VERSION
        earlier = _EarlierBuild(record.pages, has_same_rules, record.commit_date)
        if built is None:
            return earlier
        common = merge_base(built.git, record.commit, built.name)
        may_be_earlier = built.is_shallow and record.commit_date <= built.committed
        if common == record.commit or (not common and may_be_earlier):
            date = max(built.committed, record.commit_date)
            lastmod = Lastmod(DateStatus.BUILT_COMMIT, date, built.name)
            return earlier._replace(built=lastmod, is_older=built.name != record.commit)
        if common == built.name:
            self._note_other_commit(
                record, "newer than this build", "build the newest commit"
            )
            return None
        self._note_other_commit(
            record,
            "not in the history of this build",
            "give each branch its own file",
        )
        return _EarlierBuild()

    def _report_missing(self) -> None:
        """Report that there is no record, or that it cannot be used."""
        fault = self._loaded.fault
        if fault is None:
            self._note("does not exist yet: this build has the dates from git.")
            return
        text = (
            f"is not used: {fault}. This build has the dates from git, and writes the "
            "record again. Fix: restore the file or, to accept these dates, delete the "
            "copy that the build reads, for example in the CI cache."
        )
        if isinstance(fault, OtherVersionError):
            # An upgrade must not stop a strict build: its cache would not be saved.
            self._note(text)
        else:
            self._diagnostics.warn(BuildCode.RECORD, self._about(text))

    def _note_other_commit(
        self, record: ContentRecord, position: str, fix: str
    ) -> None:
        self._note(
            f"is not used: it is of the commit {record.commit[:_SHORT_NAME]}, which is "
            f"{position}. This build has the dates from git. Fix: {fix}."
        )

    def _note(self, text: str) -> None:
        self._diagnostics.note(BuildCode.RECORD, self._about(text))

    def _about(self, text: str) -> str:
        return f"the content record {self._loaded.path} {text}"


def _set_date(
    entry: Entry,
    url: str,
    digest: str,
    earlier: _EarlierBuild,
    built: BuiltCommit | None,
) -> datetime | None:
    """Set the date of a page, unless the page sets its own. Return the date to
    record.
    """
    if entry.settings.lastmod is not None:
        return None
    entry.lastmod = earlier.date(url, digest, entry.lastmod)
    date = entry.lastmod.value
    if not isinstance(date, datetime):
        return None
    if built is not None and date - built.committed > CLOCK_TOLERANCE:
        entry.lastmod = Lastmod(DateStatus.FUTURE_DATE)
    return date
