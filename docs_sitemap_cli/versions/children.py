"""Read the sitemaps of a version, and check that an index may list them."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.sitemap.reader import (
    SitemapEntry,
    SitemapReader,
    open_file,
    read_chunks,
)
from docs_sitemap.sitemap.rules import FormatRule, UnusableFileError
from docs_sitemap.sitemap.urls import NormalizedUrl, check_url, quote_path
from docs_sitemap_cli.site.folder import SiteFolder

from .moved_urls import Move
from .valid_values import valid_url


@dataclass(slots=True)
class Child:
    """A sitemap of a version.

    Attributes:
        file: The file in the tree.
        loc: Its URL.
        dates: The dates of the entries on the host of the base URL, as written, by
            their normalized URL.
        fault: Why it cannot be listed; `None` if it can.
    """

    file: str
    loc: str
    dates: dict[NormalizedUrl, str | None] = field(default_factory=dict)
    fault: Diagnostic | None = None


def read_children(
    tree: SiteFolder, base_url: NormalizedUrl, file: str, move: Move | None
) -> Iterator[Child]:
    """Read a sitemap, or the sitemaps that it lists if it is an index, one after the
    other. Those that cannot be used have a fault.

    Args:
        tree: The tree.
        base_url: Where it is published.
        file: The sitemap in the tree.
        move: How to change the URLs; `None` to keep them.
    """
    url = base_url + quote_path(file)
    child = Child(file, valid_url(url) if move is None else move.url(url))
    if not _read_file(child, tree, base_url, move):
        yield child
        return
    for loc in child.dates:
        path = tree.file_of_url(loc.removeprefix(base_url))
        listed = Child(path or loc, loc)
        if _read_file(listed, tree, base_url, move):
            text = f"{file} is a sitemap index, and lists another one"
            listed.fault = FormatRule.WRONG_ROOT.diagnostic(text, listed.file)
        yield listed


def read_entries(
    reader: SitemapReader, tree: SiteFolder, base_url: NormalizedUrl, file: str
) -> Iterator[tuple[NormalizedUrl, SitemapEntry]]:
    """Yield the entries of a sitemap on the host of the base URL, with their normalized
    URLs.

    Raises:
        UnusableFileError: The file cannot be read to its end.
    """
    host = f"{base_url.origin}/"
    with open_file(tree.open_file, file) as source:
        for entry in reader.entries(read_chunks(source, file)):
            url = check_url(entry.text("loc") or "").normalized
            if url is not None and url.startswith(host):
                yield url, entry


def _read_file(
    child: Child, tree: SiteFolder, base_url: NormalizedUrl, move: Move | None
) -> bool:
    """Read the entries of a file. Return whether it is an index."""
    reader = SitemapReader()
    try:
        for url, entry in read_entries(reader, tree, base_url, child.file):
            if move is not None:
                url = move.normalized(url)
            child.dates.setdefault(url, entry.text("lastmod"))
        if not child.dates:
            text = f"it lists no valid URL that starts with {base_url.origin}"
            raise UnusableFileError(FormatRule.OUT_OF_SCOPE, text)
        folder = f"{child.loc.rpartition('/')[0]}/"
        in_folder = any(url.startswith(folder) for url in child.dates)
        if not reader.is_index and not in_folder:
            first = next(iter(child.dates))
            text = f"it lists no URL below {folder}, but URLs such as {first}"
            raise UnusableFileError(FormatRule.OUT_OF_SCOPE, text)
    except UnusableFileError as error:
        child.fault = error.diagnostic(child.file)
        return False
    return reader.is_index
