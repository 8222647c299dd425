"""Keep the dates of pages whose content has not changed.

The content record of an earlier build shows which pages have changed since. A changed page has the
date of a newer commit to its sources or, if there is none, the date of the commit that is built.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import urlsplit

from docs_sitemap.date_status import DateStatus
from docs_sitemap.diagnostics import BuildCode, Diagnostic, Severity
from docs_sitemap.entry import Entry, Lastmod
from docs_sitemap.files import check_parents, describe_write_error
from docs_sitemap.git.built_commit import BuiltCommit, Relation
from docs_sitemap.git.file_date import HistoryOptions
from docs_sitemap.git.run import GitError
from docs_sitemap.options import CommitDate, Options
from docs_sitemap.record.digest import RULES_VERSION, ContentDigest
from docs_sitemap.record.store import ContentRecord, LoadedRecord, RecordedPage, is_future
from docs_sitemap.sitemap.protocol import format_lastmod
from docs_sitemap.text import shorten

_SHORT_NAME = 12


@dataclass(frozen=True, slots=True)
class _EarlierBuild:
    """What the record of an earlier build says about this build.

    Attributes:
        pages: The pages of the record that can be compared; empty if it is not used.
        has_same_rules: Whether the digests can be compared. Otherwise, all pages are unchanged: a
            change of the rules is not a change of the pages.
        is_replaceable: Whether this build may replace the record.
        limit: The newest date that is used; `None` for all dates.
        built: The date of the commit that is built, for changed pages; `None` if they have the
            date from git.
        recorded_at: The committer date of the commit of the record.
        new_commits: The commits since then, if they are known.
    """

    pages: Mapping[str, RecordedPage] = field(default_factory=dict)
    has_same_rules: bool = True
    is_replaceable: bool = True
    limit: datetime | None = None
    built: Lastmod | None = None
    recorded_at: datetime = datetime.max.replace(tzinfo=UTC)
    new_commits: frozenset[str] = frozenset()

    def is_unchanged(self, url: str, content: ContentDigest) -> bool:
        """Return whether the record contains a page with the same content."""
        page = self.pages.get(url)
        return page is not None and (not self.has_same_rules or page.digest == content.value)

    def unchanged_date(self, url: str, from_git: Lastmod) -> Lastmod:
        """Return the recorded date of a page or, if there is none, its date from git."""
        recorded = self._recorded(url)
        return from_git if recorded is None else Lastmod(DateStatus.RECORD, recorded)

    def changed_date(self, url: str, from_git: Lastmod) -> Lastmod:
        """Return the date of a page that has changed since the record, or that is new."""
        value = from_git.value
        if self.built is None or not isinstance(value, datetime):
            return self.built or from_git
        recorded = self._recorded(url)
        is_new = from_git.commit in self.new_commits or value > self.recorded_at
        # A commit that was merged later can be older than the last change of the page.
        is_later = recorded is None or value > recorded
        return from_git if url not in self.pages or (is_new and is_later) else self.built

    def _recorded(self, url: str) -> datetime | None:
        page = self.pages.get(url)
        if page is None or page.lastmod is None:
            return None
        value = datetime.fromisoformat(page.lastmod).astimezone(UTC)
        return value if self.limit is None or value <= self.limit else None


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
        self._built: BuiltCommit | None = None
        self._new: ContentRecord | None = None

    def apply(self, entries: Sequence[Entry], history_options: HistoryOptions) -> None:
        """Set the dates of pages, which have the dates from git or their own dates until now."""
        earlier, uncommitted = _EarlierBuild(is_replaceable=False), frozenset[str]()
        self._check_selector(entries)
        try:
            self._built = self._read_commit(history_options)
            earlier = self._find_earlier()
            if self._built is not None:
                uncommitted = self._built.uncommitted(self._sources_of_changed(entries, earlier))
        except GitError as error:
            earlier = _EarlierBuild(is_replaceable=False)
            self._note(f"is not used: git has failed ({error}). Fix: build the site again.")
        pages = {}
        for entry in entries:
            is_committed = uncommitted.isdisjoint(source.path for source in entry.sources or ())
            page = _apply(earlier, entry, self._url(entry), is_committed=is_committed)
            if page is not None:
                pages[self._url(entry)] = page
        if self._built is not None and earlier.is_replaceable and pages:
            self._new = ContentRecord(
                rules=RULES_VERSION,
                selector=self._options.lastmod_record_selector,
                base_path=self._base_path,
                commit=self._built.name,
                commit_date=format_lastmod(self._built.dates.committed),
                pages=dict(sorted(pages.items())),
            )

    def save(self) -> None:
        """Write the new record. If there is none, restore the earlier one, which the generator may
        have removed together with the earlier site.
        """
        store = self._loaded.store()
        try:
            check_parents(store.path, self._root)
            if self._new is not None and not self._is_outdated():
                store.save(self._new)
            elif self._loaded.data is not None and not store.path.exists():
                store.write(self._loaded.data)
        except OSError as error:
            message = f"the content record cannot be written: {describe_write_error(error)}"
            self._diagnostics.append(Diagnostic(BuildCode.WRITE, message))

    def _is_outdated(self) -> bool:
        """Return whether another build has written the record of a newer commit meanwhile."""
        current = self._loaded.store().load()
        if current is None or current == self._loaded.record or self._built is None:
            return False
        try:
            return self._built.relation(current.commit)[0] is Relation.DESCENDANT
        except GitError:
            return False

    def _url(self, entry: Entry) -> str:
        return entry.loc.removeprefix(self._base_url)

    def _sources_of_changed(
        self, entries: Sequence[Entry], earlier: _EarlierBuild
    ) -> Collection[str]:
        return {
            source.path
            for entry in entries
            if entry.content and not earlier.is_unchanged(self._url(entry), entry.content)
            for source in entry.sources or ()
        }

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

    def _read_commit(self, history_options: HistoryOptions) -> BuiltCommit | None:
        try:
            return BuiltCommit.read(self._root, history_options)
        except (GitError, OSError, ValueError) as error:
            self._note(
                f"is not updated: the commit that is built is unknown ({error}). Fix: build from a "
                "clone of the git repository."
            )
            return None

    def _find_earlier(self) -> _EarlierBuild:
        """Decide how the earlier record can be used."""
        record = self._loaded.record
        if record is None:
            if self._loaded.fault is None:
                self._note("does not exist yet: this build has the dates from git.")
            else:
                self._note(
                    f"is not used: {self._loaded.fault}. This build has the dates from git, and "
                    "writes the record again. Fix: restore the file or, to accept these dates, "
                    "delete the copy that the build reads, for example in the CI cache.",
                    # An upgrade must not stop a strict build: its cache would not be saved.
                    severity=Severity.NOTICE if self._loaded.is_other_version else Severity.WARNING,
                )
            return _EarlierBuild()
        if record.base_path != self._base_path:
            self._note(
                f"is not used: it is for a site at {record.base_path}, and this site is at "
                f"{self._base_path}. Fix: give each site its own file in the option "
                "lastmod_record or, if the site has moved, change base_path in the file."
            )
            return _EarlierBuild(is_replaceable=False)
        rules = RULES_VERSION, self._options.lastmod_record_selector
        has_same_rules = (record.rules, record.selector) == rules
        if self._built is None:
            return _EarlierBuild(record.pages, has_same_rules, is_replaceable=False)
        return self._compare_commits(record, self._built, has_same_rules=has_same_rules)

    def _compare_commits(
        self, record: ContentRecord, built: BuiltCommit, *, has_same_rules: bool
    ) -> _EarlierBuild:
        relation, base = built.relation(record.commit)
        recorded_at = datetime.fromisoformat(record.commit_date)
        by_author = self._options.lastmod_date is CommitDate.AUTHOR
        date = built.dates.authored if by_author else built.dates.committed
        is_older = recorded_at <= built.dates.committed
        if relation in (Relation.ANCESTOR, Relation.SAME) or (
            relation is Relation.UNKNOWN_IN_SHALLOW_CLONE and is_older
        ):
            is_ancestor = relation is Relation.ANCESTOR
            return _EarlierBuild(
                record.pages,
                has_same_rules,
                built=Lastmod(DateStatus.BUILT_COMMIT, date, built.name),
                recorded_at=recorded_at,
                new_commits=built.commits_since(record.commit) if is_ancestor else frozenset(),
            )
        commit = record.commit[:_SHORT_NAME]
        if base is None:
            self._note(
                f"is not used: it is of the commit {commit}, which is not in the history of this "
                "build. This build has the dates from git. Fix: give each branch its own file."
            )
            return _EarlierBuild()
        is_newer = relation is Relation.DESCENDANT
        position = "newer than this build" if is_newer else "on another branch"
        fix = "build the newest commit" if is_newer else "give each branch its own file"
        day = base.committed.date()
        self._note(
            f"is used only for dates until {day}: it is of the commit {commit}, which is "
            f"{position}. Fix: {fix}."
        )
        pages = record.pages if has_same_rules else {}
        return _EarlierBuild(pages, limit=base.committed, is_replaceable=not is_newer)

    def _note(self, text: str, *, severity: Severity = Severity.NOTICE) -> None:
        message = f"the content record {self._loaded.path} {text}"
        self._diagnostics.append(Diagnostic(BuildCode.RECORD, message, severity))


def _apply(
    earlier: _EarlierBuild, entry: Entry, url: str, *, is_committed: bool
) -> RecordedPage | None:
    """Set the date of a page, and return what to record for it.

    A page that sets its own date keeps it. The date that is recorded applies if the page does not
    set its date any more.
    """
    if entry.content is None:
        return earlier.pages.get(url)
    sets_date = entry.settings.lastmod is not None
    lastmod = Lastmod(DateStatus.DISABLED) if sets_date else entry.lastmod
    if earlier.is_unchanged(url, entry.content) or not is_committed:
        lastmod = earlier.unchanged_date(url, lastmod)
    elif not sets_date:
        lastmod = earlier.changed_date(url, lastmod)
    if not sets_date:
        entry.lastmod = lastmod
    if not is_committed:
        return earlier.pages.get(url)
    value = lastmod.value
    if not isinstance(value, datetime) or is_future(value):
        return RecordedPage(entry.content.value, None)
    return RecordedPage(entry.content.value, format_lastmod(value))
