"""Links to the source files of pages: to the hosting service, and to an editor."""

import os
import posixpath
import re
from collections.abc import Iterable
from contextlib import suppress
from html import unescape
from urllib.parse import unquote

from docs_sitemap.git.remotes import Remote
from docs_sitemap.git.repository import RepositorySnapshot, find_repository
from docs_sitemap.git.run import GitError
from docs_sitemap.tools.files import relative_path
from docs_sitemap_cli.dating_commits import find_remote

# A link to an editor, such as `https://github.com/a/b/edit/main/docs/c.md`. The limit
# keeps a hostile page from taking minutes.
_EDIT_LINK = re.compile(
    rb"""href=["']?(https?://[^\s"'<>]{1,1000}(?:/_?edit/|[?&;]mode=edit)[^\s"'<>]*)"""
)


class SourceLinks:
    """Links to the files of the commit that is checked out.

    Attributes:
        commit: The hash of the commit; `None` without a repository.
        commit_url: Its page at the hosting service; `None` if it is unknown.

    Args:
        project: The folder of the project; `None` if it is not in its repository.
    """

    def __init__(self, project: str | None) -> None:
        self.commit: str | None = None
        self.commit_url: str | None = None
        self._remote: Remote | None = None
        if project is None:
            return
        with suppress(GitError, OSError, ValueError):
            git = find_repository(project)
            snapshot = RepositorySnapshot.read(git)
            self.commit = snapshot.head
            remote = find_remote(git)
            if remote is not None:
                self.commit_url = remote.commit_url(self.commit)
                self._folder = relative_path(os.path.realpath(project), git.folder)
                self._files = snapshot.files()
                self._remote = remote

    def find_urls(self, paths: Iterable[str | None]) -> dict[str, str]:
        """Return the pages of files at the hosting service, by their paths relative to
        the project. Files that are not in the commit have none.
        """
        urls: dict[str, str] = {}
        if self._remote is None or self.commit is None:
            return urls
        for path in paths:
            if path is None or path in urls:
                continue
            file = posixpath.normpath(posixpath.join(self._folder, path))
            if file in self._files:
                url = self._remote.file_url(self.commit, file)
                if url is not None:
                    urls[path] = url
        return urls


def find_edit_link(page: bytes, document: str | None) -> str | None:
    """Return the link of a built page that opens its document in an editor; `None` if
    it has no such link.

    Args:
        page: The HTML.
        document: The source file of the page relative to the project.
    """
    if document is None:
        return None
    # Parents of the project have no names in its paths.
    end = f"/{document.rpartition('../')[2]}"
    for match in _EDIT_LINK.finditer(page):
        url = unescape(match[1].decode("utf-8", "replace"))
        if unquote(url.partition("?")[0]).endswith(end):
            return url
    return None
