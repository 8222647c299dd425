"""Read the sitemaps of a version as streams, check them, and collect what an index needs."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace

from docs_sitemap.commands.index.diagnostics import IndexCode
from docs_sitemap.commands.index.tree import DeployedTree
from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.sitemap.protocol import MAX_ENTRIES, NewestDate, parse_w3c_datetime
from docs_sitemap.sitemap.reader import open_file, read_chunks
from docs_sitemap.sitemap.rules import FileDiagnostics, FormatRule, UnusableFileError
from docs_sitemap.sitemap.urls import BaseUrl, normalize_url, origin, quote_path
from docs_sitemap.sitemap.validation import CheckedEntry, DateLimits, SitemapChecker
from docs_sitemap.text import shorten

_WRONG_ADDRESS = "build it for the address at which it is published, or correct --base-url"


@dataclass(slots=True)
class Child:
    """A sitemap of a version.

    Attributes:
        file: The file in the tree.
        loc: Its URL.
        urls: The number of URLs that it lists.
        first_url: The first of these URLs; empty if there is none.
        urls_in_folder: The number of these URLs that are below the folder of the sitemap.
        newest: The newest date in it that is not in the future.
        has_extensions: Whether entries contain images, videos, or news.
        diagnostics: What is wrong with it.
        fault: Why it cannot be listed or merged; `None` if it can.
        is_unread: Whether it has another encoding than UTF-8, so that it can only be listed.
    """

    file: str
    loc: str
    urls: int = 0
    first_url: str = ""
    urls_in_folder: int = 0
    newest: NewestDate = field(default_factory=NewestDate)
    has_extensions: bool = False
    diagnostics: list[Diagnostic] = field(default_factory=list)
    fault: Diagnostic | None = None
    is_unread: bool = False

    @property
    def folder(self) -> str:
        """The URL of the folder that contains the sitemap."""
        return f"{normalize_url(self.loc).rpartition('/')[0]}/"

    def as_unread(self) -> Diagnostic:
        """Return the warning about a sitemap that is listed, but cannot be read."""
        fault = self.fault or FormatRule.ENCODING.diagnostic("", self.file)
        message = f"{fault.message}. It is listed as it is"
        return replace(fault, message=message, severity=Severity.WARNING)


class ChildReader:
    """Reads sitemaps of a tree.

    Args:
        tree: The tree.
        base_url: Where it is published.
        dates: The dates that are valid.
        needs_folder: Whether each sitemap must list URLs below its own folder.
    """

    def __init__(
        self, tree: DeployedTree, base_url: BaseUrl, dates: DateLimits, *, needs_folder: bool
    ) -> None:
        self._tree = tree
        self._base_url = base_url
        self._origin = origin(normalize_url(base_url))
        self._dates = dates
        self._needs_folder = needs_folder

    def read(self, file: str, use: Callable[[Iterator[CheckedEntry]], object]) -> list[Child]:
        """Read a sitemap, or the sitemaps that it lists if it is an index.

        Args:
            file: The sitemap.
            use: Receives the entries of each sitemap with URLs on the host of the base URL. If the
                sitemap cannot be used, the iterator raises `UnusableFileError`.

        Returns:
            The sitemaps. Those that cannot be used have a fault.
        """
        child = Child(file, self._base_url + quote_path(file))
        locs = self._scan(child, use)
        if not locs:
            return [child]
        normalized = dict.fromkeys(map(normalize_url, locs))
        return [self._read_listed(file, loc, use) for loc in normalized]

    def entries(self, child: Child) -> Iterator[CheckedEntry]:
        """Yield the entries of a sitemap, with URLs on the host of the base URL.

        Raises:
            UnusableFileError: The sitemap cannot be read to its end.
        """
        checker = SitemapChecker(FileDiagnostics(child.file))
        return (entry for entry in self._entries(child, checker) if not checker.is_index)

    def first_url(self, file: str) -> str:
        """Return the first URL of a sitemap; an empty text if there is none."""
        with suppress(UnusableFileError), closing(self._entries(Child(file, ""))) as entries:
            return next((str(entry.url) for entry in entries), "")
        return ""

    def _read_listed(
        self, index: str, loc: str, use: Callable[[Iterator[CheckedEntry]], object]
    ) -> Child:
        """Read a sitemap that an index lists."""
        base = normalize_url(self._base_url)
        path = self._tree.open_url(loc.removeprefix(base)) if loc.startswith(base) else None
        child = Child(path or loc, loc)
        if path is None:
            text = f"it lists {shorten(loc)}, which does not exist below {self._base_url}"
            child.fault = Diagnostic(
                *(IndexCode.NOT_FOUND, text, Severity.ERROR, "deploy this sitemap"), file=index
            )
        elif self._scan(child, use):
            text = f"{index} is a sitemap index, and lists another one"
            child.fault = Diagnostic(
                *(IndexCode.CHILD_NOT_SITEMAP, text, Severity.ERROR, "list its sitemaps"), file=path
            )
        return child

    def _scan(
        self, child: Child, use: Callable[[Iterator[CheckedEntry]], object]
    ) -> list[str]:
        """Read a sitemap to its end. If it is an index, return the URLs that it lists."""
        diagnostics = FileDiagnostics(child.file)
        checker = SitemapChecker(diagnostics, child.folder, self._dates)
        locs: list[str] = []
        try:
            use(self._pages(child, checker, locs))
        except UnusableFileError as error:
            child.fault = error.diagnostic(child.file)
            child.is_unread = error.rule is FormatRule.ENCODING
            if error.rule in (FormatRule.HOST_DIFFERS, FormatRule.OUT_OF_SCOPE):
                child.fault = replace(child.fault, fix=_WRONG_ADDRESS)
            return []
        child.diagnostics = diagnostics.sorted()
        return locs

    def _pages(
        self, child: Child, checker: SitemapChecker, locs: list[str]
    ) -> Iterator[CheckedEntry]:
        """Yield the entries of a sitemap, or collect the URLs of an index."""
        for entry in self._entries(child, checker):
            if checker.is_index:
                locs.append(entry.loc)
                continue
            url, lastmod = str(entry.url), entry.entry.text("lastmod")
            child.urls += 1
            child.first_url = child.first_url or url
            child.urls_in_folder += url.startswith(child.folder)
            child.has_extensions |= bool(entry.entry.extensions)
            if lastmod is not None and is_past(lastmod, self._dates):
                child.newest.add(lastmod)
            yield entry
        number = checker.inventory.entry_count
        if number > MAX_ENTRIES:
            text = f"it lists {number:,}, but the protocol allows {MAX_ENTRIES:,}"
            raise UnusableFileError(FormatRule.TOO_MANY_URLS, text)
        if not child.urls and checker.inventory.urls and not locs:
            text = f"none of its URLs starts with {self._origin}"
            raise UnusableFileError(FormatRule.HOST_DIFFERS, text)
        if not child.urls and not locs:
            raise UnusableFileError(FormatRule.EMPTY, "it lists no valid URL")
        if not child.urls_in_folder and self._needs_folder and not locs:
            text = f"it lists no URL below {child.folder}, but URLs such as {child.first_url}"
            raise UnusableFileError(FormatRule.OUT_OF_SCOPE, text)

    def _entries(
        self, child: Child, checker: SitemapChecker | None = None
    ) -> Generator[CheckedEntry]:
        checker = checker or SitemapChecker(FileDiagnostics(child.file))
        with open_file(self._tree.open, child.file) as file:
            for entry in checker.entries(read_chunks(file, child.file)):
                if entry.url is not None and (
                    checker.is_index or origin(entry.url) == self._origin
                ):
                    yield entry


def is_past(lastmod: str, dates: DateLimits) -> bool:
    """Return whether a text is a date that is not in the future."""
    try:
        return not dates.is_future(parse_w3c_datetime(lastmod)[0])
    except ValueError:
        return False
