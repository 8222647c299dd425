"""Make a content record from the deployments on a branch that contains built pages.

Each commit on the line of first parents is a deployment. A page is dated by the first deployment of
its present content. Most deployments rewrite all pages, but change the content of a few. So the
search goes back in steps that double until the content differs, and then halves the last step.
"""

import os
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from contextlib import closing
from datetime import datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from docs_sitemap.any_site.built_site import read_site
from docs_sitemap.any_site.config_file import SiteSettings
from docs_sitemap.entry import sort_listed
from docs_sitemap.files import HTML_SUFFIXES
from docs_sitemap.git.branch import Branch
from docs_sitemap.git.built_commit import BuiltCommit
from docs_sitemap.git.commits import DELETED, CommitReader
from docs_sitemap.git.file_date import HistoryOptions
from docs_sitemap.git.repository import open_repository
from docs_sitemap.git.run import Git, GitError
from docs_sitemap.html import BuiltPage
from docs_sitemap.match import match_pages
from docs_sitemap.record.digest import RULES_VERSION, digest_content
from docs_sitemap.record.store import ContentRecord, RecordedPage
from docs_sitemap.select import select_pages
from docs_sitemap.site import Site
from docs_sitemap.site_folder import SiteFolder

# The files that decide which pages a site lists, and at which URLs. Git can store deeper ones than
# file systems.
_SITE_FILE = re.compile(r"(?:[^/]+/){0,99}[^/]+\.(?:html?|xhtml|xml|xml\.gz)|robots\.txt", re.I)

# A deployment with a new theme or generator is not the date of its pages. On real branches, such
# deployments changed 41 to 100 % of the pages that stayed the same afterwards, and no other one
# changed more than 40 % of at least five pages.
_MIN_REDESIGNED = 5
_REDESIGNED = 0.4

# The number of the deployment if a version of a page cannot be read.
_UNKNOWN = -1


def record_deployments(name: str, folder: str, settings: SiteSettings) -> tuple[ContentRecord, int]:
    """Return the content record of the newest deployment of a site, and the number of deployments.

    Args:
        name: The branch.
        folder: The folder of the site in the branch; empty for its top level.
        settings: The settings of the site.

    Raises:
        GitError: Git failed, or there are no pages.
        OptionError: The base URL is unknown.
        OSError: The copy of the newest deployment cannot be written.
    """
    git = open_repository(os.curdir)
    branch = Branch.find(git.folder, name)
    start = f"{folder}/" if folder else ""
    entries = branch.entries(folder)
    files = {path: one.object_name for path, one in entries.items() if one.mode.startswith("100")}
    pages = {start + path for path in files if path.lower().endswith(HTML_SUFFIXES)}
    reader = CommitReader(git, [folder] if folder else [], pages, with_texts=False)
    with closing(reader):
        site, listed = _read_newest(reader, files, settings)
        urls = {os.fsencode(start + name): url for name, url in listed.items()}
        deployments = _Deployments(reader, branch.tip, site)
        built = _find_built(git, deployments.dates[0])
        dated = deployments.date_pages(urls, built.committed)
    record = ContentRecord(
        rules=RULES_VERSION,
        selector=site.options.lastmod_record_selector,
        base_path=urlsplit(site.base_url).path,
        commit=built.name,
        commit_date=built.committed,
        pages={urls[path]: page for path, page in dated.items()},
        from_deployments=True,
    )
    return record, len(deployments.dates)


def _read_newest(
    reader: CommitReader, files: Mapping[str, str], settings: SiteSettings
) -> tuple[Site, dict[str, str]]:
    """Return the site of the newest deployment, and the URLs of its listed pages by file."""
    with TemporaryDirectory() as site_dir:
        folder = SiteFolder(site_dir)
        for path, blob in files.items():
            # Git can store names that lead out of the folder.
            is_used = _SITE_FILE.fullmatch(path) and folder.contains(path)
            if is_used and (content := reader.content(blob.encode())):
                file = Path(site_dir, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
        if not os.listdir(site_dir):
            fix = "name the folder of the site as BRANCH:FOLDER, or clone without --filter"
            raise GitError("it has no HTML files, or this clone does not have them", fix=fix)
        site = read_site(site_dir, settings).site
        entries = match_pages(site, [])
        select_pages(entries, site, [])
    listed = sort_listed(entries)
    return site, {one.page.name: one.loc.removeprefix(site.base_url) for one in listed}


def _find_built(git: Git, deployed: datetime | None) -> BuiltCommit:
    """Return the newest commit on the line of first parents when a site was deployed. The site may
    be of an older commit. Until then, its readers did not see the newer ones either.
    """
    until = f"--until={int(deployed.timestamp()) if deployed else 0}"
    commit = git.output(["rev-list", "-1", "--first-parent", until, "HEAD"]).decode().strip()
    # In a shallow clone, all commits may be newer.
    return BuiltCommit.read(git.folder, HistoryOptions(ref=commit or "HEAD"))


class _Deployments:
    """The deployments of a site, and the versions of its pages.

    Attributes:
        dates: The commit dates of the deployments, the newest first.

    Args:
        reader: Reads the changes of the pages.
        tip: The newest commit.
        site: The site in this commit.

    Raises:
        GitError: Git failed.
    """

    def __init__(self, reader: CommitReader, tip: str, site: Site) -> None:
        self._reader = reader
        self._site = site
        self.dates: list[datetime | None] = []
        # For each page the numbers of the deployments that wrote it, and the hashes of its content.
        self._versions: defaultdict[bytes, list[tuple[int, bytes]]] = defaultdict(list)
        for number, commit in enumerate(reader.first_parents(tip)):
            self.dates.append(commit.committed)
            for path, change in commit.changes.items():
                if change.status != DELETED:
                    self._versions[path].append((number, change.new))
            commit.changes.clear()  # The reader keeps all commits.

    def date_pages(self, paths: Iterable[bytes], latest: datetime) -> dict[bytes, RecordedPage]:
        """Return the digest of each page, and the date since which its content is the same. The
        date is unknown if the history starts with this content, or if the deployment changed many
        of the pages. Pages that cannot be read are left out.

        Args:
            paths: The pages.
            latest: The date to use instead of a later one.
        """
        found = {path: self._find_start(path) for path in paths}
        undecided = self._find_undecided(start for _, start in found.values())
        recorded = {}
        for path, (digest, start) in found.items():
            date = None if start in undecided else self.dates[start]
            if digest is not None:
                recorded[path] = RecordedPage(digest, date and min(date, latest))
        return recorded

    def _find_undecided(self, starts: Iterable[int]) -> set[int]:
        """Return the deployments that date no page, from those with which contents start."""
        oldest = max(versions[-1][0] for versions in self._versions.values())
        undecided, same, numbers = {oldest, _UNKNOWN}, 0, Counter(starts)
        for number in sorted(numbers, reverse=True):
            same += numbers[number]
            if numbers[number] >= _MIN_REDESIGNED and numbers[number] > _REDESIGNED * same:
                undecided.add(number)
        return undecided

    def _find_start(self, path: bytes) -> tuple[str | None, int]:
        """Return the digest of a page, and the number of the first deployment with this digest."""
        versions = self._versions[path]

        @cache
        def read(index: int) -> str | None:
            content = self._reader.content(versions[index][1])
            if content is None:
                return None
            selector = self._site.options.lastmod_record_selector
            return digest_content(BuiltPage(content), selector, self._site.base_url).value

        digest, step, count = read(0), 1, len(versions)
        while step < count and read(step) == digest:
            step *= 2
        first = count
        if step < count or read(count - 1) != digest:
            ends = range(step // 2, min(step, count))
            first = bisect_left(ends, True, key=lambda n: read(n) != digest) + ends.start
        is_known = first == count or read(first) is not None
        return digest, versions[first - 1][0] if is_known else _UNKNOWN
