"""Collect the source files of each page, including named dependencies."""

import os
from collections.abc import Callable, Sequence, Set
from functools import cache
from glob import has_magic

from docs_sitemap.config.options import OptionNames
from docs_sitemap.config.patterns import compile_pattern
from docs_sitemap.diagnostics import BuildCode, Diagnostics
from docs_sitemap.entry import Entry
from docs_sitemap.page import Source, SourceRole
from docs_sitemap.shown import COMPLETE_FILE
from docs_sitemap.site import Site
from docs_sitemap.sources.installed import TrackedModules, module_path
from docs_sitemap.tools.files import real_path, walk_files
from docs_sitemap.tools.printing import shorten


def find_sources(entries: Sequence[Entry], site: Site) -> None:
    """Set the sources of each page: those from the generator, without the ones that
    options ignore, and those that the user names.
    """
    files = FileSearch(os.fspath(site.root))
    originals = cache(TrackedModules(os.fspath(site.root), site.options).originals)
    names = site.names
    for entry in entries:
        page = entry.page
        named = _find_named(entry, files) if entry.dependencies else []
        if page.sources is None or (page.unknown_because and not named):
            entry.sources = None
            continue
        sources, unknown = _find_originals(page.sources, originals, names)
        if unknown and not named:
            entry.sources = None
            entry.page = page._replace(unknown_because=unknown)
            continue
        ignored = site.options.ignore_dependencies + entry.settings.ignore_dependencies
        if ignored:
            sources = _without_ignored(sources, files.real_paths(ignored))
        if named:
            sources = _add_named(sources, named)
        if len(sources) > 1:
            sources = list(dict.fromkeys(sources))
        entry.sources = tuple(sources)


def report_missing_files(
    entries: Sequence[Entry], site: Site, diagnostics: Diagnostics
) -> None:
    """Report the dependencies of pages that match no file."""
    missing: dict[tuple[str, str | None], None] = {}
    found = set()
    for entry in entries:
        for dependency in entry.dependencies:
            name = dependency.template or dependency.pattern
            if dependency in entry.missing:
                missing[name, dependency.page] = None
            else:
                found.add(name)
    for name, page_name in missing:
        if name not in found:
            place = page_name or site.names["dependencies"]
            message = (
                f"the dependency {shorten(name)} of {place} has no effect: it "
                f"matches no file below {site.root}. Fix: correct or remove it."
            )
            diagnostics.warn(BuildCode.DEPENDENCY, message, page=page_name)


def _find_originals(
    sources: Sequence[Source],
    originals: Callable[[str], Sequence[str] | None],
    names: OptionNames,
) -> tuple[list[Source], str]:
    """Return the sources with the files of the project in place of installed and
    compiled ones, and why the original of one of them is unknown; empty if all are
    known.
    """
    known: list[Source] = []
    unknown = ""
    for source in sources:
        if source.role is not SourceRole.PART:
            known.append(source)
            continue
        paths = originals(source.path)
        if paths == [source.path]:  # nearly always
            known.append(source)
            continue
        if paths is None:
            path = module_path(source.path) or source.path
            unknown = (
                f"{path} is not the path of exactly one file in git. Fix: install the "
                "package with pip install --editable, or add its file to "
                f"{names['dependencies']}"
            )
            continue
        suffix = os.path.splitext(source.path)[1]
        for path in paths:
            original = source._replace(path=path)
            if os.path.splitext(path)[1] != suffix:
                original = original._replace(shows=COMPLETE_FILE)
            known.append(original)
    return known, unknown


def _add_named(sources: Sequence[Source], named: Sequence[Source]) -> list[Source]:
    """Return the sources of a page for which the user names the files that it is
    generated from. Its own file, and files that were removed after the build, need not
    be in git.
    """
    combined = []
    for source in sources:
        if source.role is not SourceRole.PART or not os.path.lexists(source.path):
            source = source._replace(is_optional=True)
        combined.append(source)
    known = {source.path for source in sources}
    for source in named:
        if source.path not in known:
            combined.append(source)
    return combined


class FileSearch:
    """Searches the files of a project.

    Patterns match the path below the folder in front of their first wildcard. They
    match no hidden files and folders, and nothing behind symbolic links to folders.

    Args:
        root: The absolute path of the folder to which patterns are relative.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._list_files = cache(lambda folder: list(walk_files(folder)))
        self.find = cache(self._search)
        self.real_paths = cache(self._search_real_paths)

    def _search(self, pattern: str) -> list[str]:
        """Return the absolute paths of the files that match a pattern, sorted."""
        names = os.path.normpath(pattern).split(os.sep)
        folder = self._root
        while names and not has_magic(names[0]):
            folder = os.path.abspath(os.path.join(folder, names.pop(0)))
        if not names:
            if os.path.isfile(folder):
                return [folder]
            return []
        pattern_below = compile_pattern("/".join(names))
        matches = filter(pattern_below.fullmatch, self._list_files(folder))
        return sorted(os.path.join(folder, path) for path in matches)

    def _search_real_paths(self, patterns: Sequence[str]) -> Set[str]:
        """Return the paths without links of the files that any pattern matches."""
        paths: set[str] = set()
        for pattern in patterns:
            paths.update(map(real_path, self.find(pattern)))
        return paths


def _find_named(entry: Entry, files: FileSearch) -> list[Source]:
    """Return the files that the user names for a page, and set the dependencies that
    match no file.
    """
    sources = []
    missing = []
    for dependency in entry.dependencies:
        paths = files.find(dependency.pattern)
        # A pattern may match backups and caches.
        is_pattern = has_magic(dependency.pattern) and dependency.template is None
        for path in paths:
            sources.append(Source(path, SourceRole.NAMED, is_optional=is_pattern))
        if not paths:
            missing.append(dependency)
    entry.missing = tuple(missing)
    return sources


def _without_ignored(sources: Sequence[Source], ignored: Set[str]) -> list[Source]:
    """Return the sources without the parts with these real paths."""
    kept = []
    for source in sources:
        is_part = source.role is SourceRole.PART
        if not is_part or real_path(source.path) not in ignored:
            kept.append(source)
    return kept
