"""Keep the dates of pages whose content has not changed.

The content record of an earlier build shows which pages have changed since. A changed page has the
date of a newer commit to its sources or, if there is none, the date of the commit that is built.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from urllib.parse import urlsplit

from docs_sitemap.date_status import NOT_IN_GIT, DateStatus
from docs_sitemap.diagnostics import BuildCode, Diagnostic, Severity
from docs_sitemap.entry import Entry, Lastmod
from docs_sitemap.files import describe_write_error
from docs_sitemap.git.built_commit import BuiltCommit
from docs_sitemap.git.file_date import HistoryOptions
from docs_sitemap.git.location import check_parents
from docs_sitemap.git.run import GitError
from docs_sitemap.git.walk import CLOCK_TOLERANCE
from docs_sitemap.json_store import OtherVersionError
from docs_sitemap.options import Options
from docs_sitemap.printing import shorten
from docs_sitemap.record.digest import RULES_VERSION
from docs_sitemap.record.store import ContentRecord, LoadedRecord, RecordedPage, open_store

_SHORT_NAME = 12


# Git will not know later either when such a page changed.
_GENERATED = (DateStatus.NO_SOURCE, DateStatus.UNKNOWN_SOURCES, *NOT_IN_GIT)


@dataclass(frozen=True, slots=True)
class _EarlierBuild:
    """What the record of an earlier build says about this build.

    Attributes:
        pages: The pages of the record; empty if it is not used.
        has_same_rules: Whether the digests can be compared. Otherwise, all pages are unchanged: a
            change of the rules is not a change of the pages.
        recorded_at: The committer date of the commit of the record.
        built: The date of the commit that is built, for changed pages; `None` if it is unknown.
        can_date: Whether pages without a date in the record get the date of its commit: this commit
            comes after it.
    """

    pages: Mapping[str, RecordedPage] = field(default_factory=dict)
    has_same_rules: bool = True
    recorded_at: datetime = datetime.max.replace(tzinfo=UTC)
    built: Lastmod | None = None
    can_date: bool = False

    def date(self, url: str, digest: str, from_git: Lastmod) -> Lastmod:
        """Return the date of a page.

        Args:
            url: The URL relative to the base URL.
            digest: The digest of the main content.
            from_git: The date of the newest source.
        """
        page, value = self.pages.get(url), from_git.value
        if page is not None and (page.digest == digest or not self.has_same_rules):
            if page.lastmod is not None:
                return Lastmod(DateStatus.RECORD, page.lastmod)
            # The record knows no earlier commit with this content.
            is_known = self.can_date and from_git.status in _GENERATED
            return Lastmod(DateStatus.RECORD, self.recorded_at) if is_known else from_git
        # Readers saw another page when the record was written, whatever the dates of its sources.
        if isinstance(value, datetime) and (page is None or value > self.recorded_at):
            return from_git
        return self.built or (Lastmod(DateStatus.GIT_FAILED) if value else from_git)


class RecordedDates:
    """Applies the record of an earlier build to the dates of this build, and writes a new record.

    Args:
        loaded: The record of the earlier build.
        options: The options; `base_url` is set.
        root: The project folder.
        diagnostics: Receives warnings and notices about the record.
    """

    def __init__(
        self, loaded: LoadedRecord, options: Options, root: str, diagnostics: list[Diagnostic]
    ) -> None:
        self._loaded = loaded
        self._options = options
        self._base_url = options.page_base_url()
        self._base_path = urlsplit(self._base_url).path
        self._root = root
        self._diagnostics = diagnostics
        self._new: ContentRecord | None = None

    def apply(self, entries: Sequence[Entry], history_options: HistoryOptions) -> None:
        """Set the dates of pages, which have the dates from git or their own dates until now."""
        self._check_selector(entries)
        try:
            built: BuiltCommit | None = BuiltCommit.read(self._root, history_options)
            earlier = self._find_earlier(built)
        except (GitError, OSError, ValueError) as error:
            self._note(
                f"is not updated: the commit that is built is unknown ({error}). Fix: build from a "
                "clone of the git repository."
            )
            built, earlier = None, self._find_earlier(None)
        if earlier is None:
            return
        pages = {}
        for entry in entries:
            if entry.content is None:
                continue
            url, digest, date = entry.loc.removeprefix(self._base_url), entry.content.value, None
            if entry.settings.lastmod is None:
                entry.lastmod = earlier.date(url, digest, entry.lastmod)
                date = entry.lastmod.value if isinstance(entry.lastmod.value, datetime) else None
                if built and date and date - built.committed > CLOCK_TOLERANCE:
                    entry.lastmod = Lastmod(DateStatus.FUTURE_DATE)
            pages[url] = RecordedPage(digest, date)
        if built is not None and pages:
            self._new = ContentRecord(
                rules=RULES_VERSION,
                selector=self._options.lastmod_record_selector,
                base_path=self._base_path,
                commit=built.name,
                commit_date=built.committed,
                pages=dict(sorted(pages.items())),
            )

    def save(self) -> None:
        """Write the new record. If there is none, restore the earlier one, which the generator may
        have removed together with the earlier site.
        """
        record = self._new or self._loaded.record
        try:
            if record is not None:
                check_parents(self._loaded.path, self._root)
                open_store(self._loaded.path).save(record)
        except OSError as error:
            message = f"the content record cannot be written: {describe_write_error(error)}"
            self._diagnostics.append(Diagnostic(BuildCode.WRITE, message))

    def _check_selector(self, entries: Sequence[Entry]) -> None:
        """Report a selector that matches no page."""
        selector = self._options.lastmod_record_selector
        contents = [entry.content for entry in entries if entry.content is not None]
        if selector and contents and not any(content.is_selected for content in contents):
            message = (
                f"the selector {shorten(selector)} of the option lastmod_record_selector matches "
                "no page. Fix: correct or remove it."
            )
            self._diagnostics.append(Diagnostic(BuildCode.PATTERN, message))

    def _find_earlier(self, built: BuiltCommit | None) -> _EarlierBuild | None:
        """Return what the record says about this build; `None` if the record must stay as it is.

        Raises:
            GitError: Git failed.
        """
        record = self._loaded.record
        if record is None:
            self._note_missing()
            return _EarlierBuild()
        if record.base_path != self._base_path:
            self._note(
                f"is not used: it is for a site at {record.base_path}, and this site is at "
                f"{self._base_path}. Fix: give each site its own file in the option "
                "lastmod_record or, if the site has moved, change base_path in the file."
            )
            return None
        rules = RULES_VERSION, self._options.lastmod_record_selector
        has_same_rules = (record.rules, record.selector) == rules
        earlier = _EarlierBuild(record.pages, has_same_rules, record.commit_date)
        if built is None:
            return earlier
        common = built.common_commit(record.commit)
        may_be_earlier = built.is_shallow and record.commit_date <= built.committed
        if common == record.commit or (common is None and may_be_earlier):
            date = max(built.committed, record.commit_date)
            lastmod = Lastmod(DateStatus.BUILT_COMMIT, date, built.name)
            can_date = built.name != record.commit
            return replace(earlier, built=lastmod, can_date=can_date)
        is_newer = common == built.name
        position = "newer than this build" if is_newer else "not in the history of this build"
        fix = "build the newest commit" if is_newer else "give each branch its own file"
        self._note(
            f"is not used: it is of the commit {record.commit[:_SHORT_NAME]}, which is {position}. "
            f"This build has the dates from git. Fix: {fix}."
        )
        return None if is_newer else _EarlierBuild()

    def _note_missing(self) -> None:
        """Report that there is no record, or that it cannot be used."""
        fault = self._loaded.fault
        if fault is None:
            self._note("does not exist yet: this build has the dates from git.")
            return
        # An upgrade must not stop a strict build: its cache would not be saved.
        is_notice = isinstance(fault, OtherVersionError)
        self._note(
            f"is not used: {fault}. This build has the dates from git, and writes the record "
            "again. Fix: restore the file or, to accept these dates, delete the copy that the "
            "build reads, for example in the CI cache.",
            severity=Severity.NOTICE if is_notice else Severity.WARNING,
        )

    def _note(self, text: str, *, severity: Severity = Severity.NOTICE) -> None:
        message = f"the content record {self._loaded.path} {text}"
        self._diagnostics.append(Diagnostic(BuildCode.RECORD, message, severity))
