"""A deployed site on a branch, read like a folder."""

import os
from typing import BinaryIO

from docs_sitemap.git.branch import Branch

from .deployed_tree import DeployedBranch
from .site_folder import SiteFolder


class BranchSite(SiteFolder):
    """A deployed site on a branch that is not checked out. Close it after use.

    Args:
        name: The branch of the repository in the current folder, also with the folder
            of the site after a colon.

    Raises:
        GitError: There is no such branch or folder, or it cannot be read.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        branch, _, folder = name.partition(":")
        self._tree = DeployedBranch(Branch.find(os.curdir, branch), folder.strip("/"))

    def close(self) -> None:
        self._tree.close()

    def open_url(self, path: str) -> str | None:
        return self._tree.open_url(path)

    def exists(self, file: str) -> bool:
        return self._tree.is_file(file)

    def open_file(self, file: str) -> BinaryIO:
        return self._tree.open(file)

    def xml_files(self) -> list[str]:
        paths = [item.path for item in self._tree.items("")]
        return [path for path in paths if path.endswith(".xml")]
