"""The files of a project that git tracks."""

from __future__ import annotations

import os
import posixpath
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

from docs_sitemap.git.remotes import read_remotes
from docs_sitemap.git.repository import (
    RepositorySnapshot,
    blob_name,
    find_repository,
)
from docs_sitemap.git.run import Git, GitError
from docs_sitemap.tools.files import compose_letters, read_regular, relative_path

_REF = re.compile(
    r"^(?:(?P<is_head>\*)| )"
    r"(?P<full>refs/(?:heads|tags|remotes/[^/\n]+)/(?P<name>.+))$",
    re.M,
)

TESTS = r"(?:[_-]*(?:tests?|testdata|spec|fixtures))+[_-]*"
"""A pattern for the names of folders whose files have the names of others."""

_TESTS = re.compile(rf"(?:^|/){TESTS}(?:/|$)", re.I)

# What makes a folder a package of Python.
_PACKAGE = "__init__.py"

# In bytes: larger files are not documents.
_MAX_FILE = 2**22


@dataclass(frozen=True)
class ProjectFiles:
    """The files of a project that git tracks.

    Attributes:
        top: The top level of the work tree.
        paths: The paths below it as git writes them, by their normalized form.
        repositories: The hosts and paths of the remotes in lower case, such as
            `github.com/group/project`.
        head: The branch that is checked out; empty if there is none.
        refs: The full names of branches and tags by their short names.
        blobs: The paths by the names of their blobs: the hashes of their content.
        error: Why git cannot list the files; `None` if it can.
    """

    top: str
    paths: Mapping[str, str]
    repositories: frozenset[str]
    head: str = ""
    refs: Mapping[str, str] = field(default_factory=dict)
    blobs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    error: GitError | None = None
    _trees: dict[str, Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: str) -> ProjectFiles:
        """Read the repository that contains a folder. If git fails, there are no
        files.
        """
        git = find_repository(folder)
        try:
            # Files in submodules can be sources, too.
            listed = git.output(["ls-files", "-z", "--recurse-submodules"])
            staged = git.output(["ls-files", "-z", "--stage"])
            remotes = read_remotes(git)
            refs = git.output(["for-each-ref", "--format=%(HEAD)%(refname)"])
        except GitError as error:
            return cls(folder, {}, frozenset(), error=error)
        paths = {}
        for path in os.fsdecode(listed).split("\0"):
            if path:
                paths[compose_letters(path)] = path
        blobs = defaultdict(list)
        for line in os.fsdecode(staged).split("\0"):
            info, _, path = line.partition("\t")
            if path:
                blobs[info.split()[1]].append(path)
        named: dict[str, str] = {}
        head = ""
        for match in _REF.finditer(os.fsdecode(refs)):
            # Local branches come first, then those of remotes, and tags.
            named.setdefault(match["name"], match["full"])
            if match["is_head"]:
                head = match["name"]
        return cls(
            git.folder,
            paths,
            frozenset(str(remote).lower() for remote in remotes),
            head,
            named,
            blobs,
        )

    @cached_property
    def uncommitted(self) -> Mapping[str, str]:
        """The files that are not in git, in the form of `paths`: those that git does
        not ignore, and ignored ones in folders with files that are in git. Other
        folders contain packages and caches.
        """
        listed: set[str] = set()
        for option in ("--exclude-standard", "--directory"):
            with suppress(GitError):
                output = Git(self.top).output(["ls-files", "-z", "--others", option])
                listed.update(os.fsdecode(output).split("\0"))
        paths = sorted(path for path in listed if path and not path.endswith("/"))
        return {compose_letters(path): path for path in paths}

    def absolute(self, path: str) -> str:
        """Return the absolute path of a tracked file."""
        return os.path.join(self.top, *path.split("/"))

    def folder_below(self, folder: str) -> str | None:
        """Return a folder relative to the top level, with `/` at its end; empty if it
        is the top level, and `None` if it is elsewhere.
        """
        start = os.path.join(self.top, "")
        path = os.path.join(os.path.realpath(folder), "")
        if not path.startswith(start):
            return None
        return path.removeprefix(start).replace(os.sep, "/")

    def read_file(self, path: str) -> bytes:
        """Return the content of a tracked file in the work tree; empty if it cannot be
        read, or is too large for a document.
        """
        with suppress(OSError):
            return read_regular(self.absolute(path), _MAX_FILE)
        return b""

    def tracked(self, path: str) -> str | None:
        """Return the tracked file at a path below the top level, as git writes it."""
        return self.paths.get(compose_letters(path))

    def find_same(self, data: bytes) -> Sequence[str]:
        """Return the tracked files with some content, except those in submodules."""
        name = next(iter(self.blobs), "")
        return self.blobs.get(blob_name(data, like=name), ())

    def find_original(
        self, name: str, site_dir: str | None, same: Sequence[str]
    ) -> str | None:
        """Return the tracked file that a file of a site is, or that was copied to it.

        Args:
            name: The path of the file below the folder of the site.
            site_dir: The path of this folder below the top level, with `/` at its end;
                `None` if it is elsewhere.
            same: The tracked files with the same content.
        """
        if site_dir is not None:
            path = self.tracked(f"{site_dir}{name}")
            if path is not None:
                return path
        if len(same) > 1:
            same = [path for path in same if f"/{path}".endswith(f"/{name}")]
        return same[0] if len(same) == 1 else None

    def find_nearest(self, end: str, path: str) -> list[str]:
        """Return the tracked files whose paths end like this: only those below the
        folder that is nearest to another file. Folders that contain this file come
        first, and those of tests are left out, unless it is in one of them.
        """
        end = compose_letters(end)
        nearest: defaultdict[tuple[bool, int], list[str]] = defaultdict(list)
        for file in self._by_name.get(posixpath.basename(end), ()):
            if not f"/{file}".endswith(f"/{end}"):
                continue
            folder = file.removesuffix(end).removesuffix("/")
            common = posixpath.commonpath([folder, path])
            if not _TESTS.search(folder.removeprefix(common)):
                nearest[common == folder, len(common)].append(self.paths[file])
        return nearest[max(nearest)] if nearest else []

    def find_packages(self, name: str, folder: str) -> list[str]:
        """Return the absolute path of the folder that contains a package of Python, or
        a single module, and is in no other package; nothing if there are several.

        Args:
            name: The name of the package or module.
            folder: The folder of the project. The nearest package is found.
        """
        near = self.folder_below(folder) or ""
        for end in (f"{name}/{_PACKAGE}", f"{name}.py"):
            folders = []
            for file in self.find_nearest(end, f"{near}{name}"):
                parent = file.removesuffix(end)
                if self.tracked(f"{parent}{_PACKAGE}") is None:
                    folders.append(os.path.normpath(self.absolute(parent)))
            if folders:
                return folders if len(folders) == 1 else []
        return []

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[str]]:
        """The paths by the names of the files."""
        by_name: defaultdict[str, list[str]] = defaultdict(list)
        for path in self.paths:
            by_name[posixpath.basename(path)].append(path)
        return by_name

    def files_at(self, ref: str) -> Mapping[str, str]:
        """Return the object names of the files at a ref by path; none if git does not
        know it, or not its files.
        """
        if ref in self.refs and ref not in self._trees:
            self._trees[ref] = {}
            with suppress(GitError, OSError):
                commit = RepositorySnapshot.read(
                    Git(self.top), ref=self.refs[ref], is_top=False
                )
                self._trees[ref] = commit.files()
        return self._trees.get(ref, {})

    def at(self, ref: str) -> ProjectFiles:
        """Return the files at another ref."""
        files = self.files_at(ref)
        return replace(self, paths={compose_letters(path): path for path in files})


class CopiedFiles:
    """The files of a site that are copies of files of the project, committed or not.
    Git runs when the first one is asked for.

    Args:
        site_dir: The folder of the site.
        project: The folder of the project.
    """

    def __init__(self, site_dir: str, project: str) -> None:
        self._site_dir = site_dir
        self._project = project

    @cached_property
    def _files(self) -> ProjectFiles:
        return ProjectFiles.read(self._project)

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[str]]:
        """The files outside of the site by their names."""
        own = self._files.folder_below(self._site_dir)
        by_name = defaultdict[str, list[str]](list)
        for path in (*self._files.paths.values(), *self._files.uncommitted.values()):
            if own is None or not path.startswith(own):
                by_name[posixpath.basename(path)].append(path)
        return by_name

    def original_of(self, name: str) -> str | None:
        """Return the file that was copied, relative to the project; `None` if there is
        none, or if it could be one of several.

        Args:
            name: The path of the copy below the folder of the site.
        """
        with suppress(OSError):
            data = read_regular(os.path.join(self._site_dir, name), _MAX_FILE)
            same = []
            for path in self._by_name.get(posixpath.basename(name), ()):
                if self._files.read_file(path) == data:
                    same.append(path)
            original = self._files.find_original(name, None, same)
            if original is not None:
                return relative_path(self._files.absolute(original), self._project)
        return None

    def folder_of(self, name: str) -> str:
        """Return the folder or the single file that was copied, relative to the
        project; empty if it is unknown.

        Args:
            name: The path of the copy below the folder of the site.
        """
        original = self.original_of(name) or ""
        return original.removesuffix(f"/{name}")
