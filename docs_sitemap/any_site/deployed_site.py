"""Make the content record of a site from the deployments on a branch."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from docs_sitemap.any_site.settings import SiteSettings
from docs_sitemap.any_site.site import read_site
from docs_sitemap.entry import Entry, sort_listed
from docs_sitemap.files import HTML_SUFFIXES
from docs_sitemap.git.branch import Branch
from docs_sitemap.git.built_commit import BuiltCommit
from docs_sitemap.git.commits import CommitReader
from docs_sitemap.git.file_date import HistoryOptions
from docs_sitemap.git.repository import open_repository
from docs_sitemap.git.run import Git, GitError
from docs_sitemap.html import BuiltPage
from docs_sitemap.match import match_pages
from docs_sitemap.record.deployments import Deployments
from docs_sitemap.record.digest import RULES_VERSION, digest_content
from docs_sitemap.record.store import ContentRecord
from docs_sitemap.select import select_pages
from docs_sitemap.site import Site
from docs_sitemap.site_folder import SiteFolder

# The files that decide which pages a site lists, and at which URLs.
_SITE_FILE = re.compile(r".*\.(?:html?|xhtml|xml|xml\.gz)|robots\.txt", re.I | re.S)


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
    paths = {f"{start}{path}" for path in files if path.lower().endswith(HTML_SUFFIXES)}
    reader = CommitReader(git, [folder] if folder else [], paths, with_texts=False)
    with closing(reader):
        site, listed = _read_newest(reader, files, settings)
        selector = site.options.lastmod_record_selector
        deployments = Deployments(reader, branch.tip)
        built = _find_built(git, deployments.newest.committed)
        urls = {
            os.fsencode(start + entry.page.name): entry.loc.removeprefix(site.base_url)
            for entry in listed
        }
        dated = deployments.date_pages(
            urls,
            lambda page: digest_content(BuiltPage(page), selector, site.base_url).value,
            built.committed,
        )
    record = ContentRecord(
        rules=RULES_VERSION,
        selector=selector,
        base_path=urlsplit(site.base_url).path,
        commit=built.name,
        commit_date=built.committed,
        pages={urls[path]: dated[path] for path in urls if path in dated},
    )
    return record, len(deployments.commits)


def _read_newest(
    reader: CommitReader, files: Mapping[str, str], settings: SiteSettings
) -> tuple[Site, list[Entry]]:
    """Return the site of the newest deployment, and its listed pages."""
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
    return site, sort_listed(entries)


def _find_built(git: Git, deployed: datetime | None) -> BuiltCommit:
    """Return the newest commit on the line of first parents when a site was deployed. The site may
    be of an older commit. Until then, its readers did not see the newer ones either.
    """
    until = f"--until={int(deployed.timestamp()) if deployed else 0}"
    commit = git.output(["rev-list", "-1", "--first-parent", until, "HEAD"]).decode().strip()
    # In a shallow clone, all commits may be newer.
    return BuiltCommit.read(git.folder, HistoryOptions(ref=commit or "HEAD"))
