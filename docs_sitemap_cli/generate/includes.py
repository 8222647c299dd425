"""The files that a source file includes, in the notations of the usual generators."""

import posixpath
import re
from collections.abc import Callable, Iterator
from functools import cache

from .project_files import ProjectFiles

# mdBook; Jekyll, Eleventy, and Hugo; Zensical, also with extensions; Asciidoctor and
# Antora; VitePress; reStructuredText; MyST; and Docusaurus and Starlight. The first
# characters of all of them come first, so that others are skipped fast.
_INCLUDE = re.compile(
    r"(?=[-{<i. ])(?:(?<![`\\])(?:\{\{#(?:include|rustdoc_include|playground)"
    r"|\{[{%][<%-]*\s*include[\w-]*+|\{[!*]>?|--8<--(?=[ \t]))"
    r"|^include::|^<<<|<!--\s*@include:"
    r"|^ *\.\. (?:literal)?include::|\{(?:literal)?include\}"
    r"|^import\b[^\n;]*\bfrom(?=\s*[\"']?[^\s\"';]{1,255}\.mdx?\b))\s*[\"']?"
    r"(?:[\w-]+:)*([^\s\"'\[\]{}<>#:]+\.\w+)",
    re.M,
)
# A block of Zensical with a file in each line, and its lines.
_BLOCK = re.compile(
    r"^[ \t]*-+8<-+[ \t]*\n(.*?)(?:^[ \t]*-+8<-+[ \t]*$|\Z)", re.M | re.S
)
_BLOCK_LINE = re.compile(r"^[ \t]*([^\s;:][^\n:]*\.\w+)", re.M)
# Each of them contains one of these texts. Most files contain none, and searching for
# them is much faster.
_HINTS = ("include", "playground", "{!", "{*", "--8<--", "<<<", "\nimport")
# Jekyll and Eleventy show the content of such a block unchanged.
_RAW = re.compile(r"\{%-?\s*raw\b.*?(?:\{%-?\s*endraw\b|\Z)", re.S)
DOCUMENTED = "::: "

# What mkdocstrings documents: a module, or an object that a module or package contains
# or imports. VitePress has containers such as `::: tip`.
_DOCUMENTED = re.compile(r"^(?:#+ +)?::: +([\w.]{1,255})[ \t]*\r?$", re.M)


class Includes:
    """Finds what files include. Each file is read once.

    Args:
        project: The files that git tracks.
        read_file: Returns the content of one of them. If it raises `OSError`, the file
            includes nothing.
    """

    def __init__(
        self, project: ProjectFiles, read_file: Callable[[str], bytes]
    ) -> None:
        self._read = cache(lambda path: list(_read_included(path, project, read_file)))

    def find(self, path: str) -> list[str]:
        """Return the tracked files that a tracked file includes, directly or not, and
        the objects that it documents and whose files are unknown, after `DOCUMENTED`.
        """
        found: dict[str, None] = {}
        pending = [path]
        while pending:
            for file in self._read(pending.pop()):
                if file != path and file not in found:
                    found[file] = None
                    pending.append(file)
        return list(found)


def _read_included(
    path: str, project: ProjectFiles, read_file: Callable[[str], bytes]
) -> Iterator[str]:
    try:
        data = read_file(path)
    except OSError:
        return
    text = data.decode("utf-8", "replace")
    for name in _find_names(text, path):
        file = _find_file(name, path, project)
        if file is not None:
            yield file
    if DOCUMENTED not in text:
        return
    for name in _DOCUMENTED.findall(text):
        if "." in name or project.find_ending(f"{name}/__init__.py"):
            yield _find_module(name, project) or f"{DOCUMENTED}{name}"


def _find_names(text: str, path: str) -> list[str]:
    """Return the names in the notations of a file."""
    # Modules can show these notations in their docstrings.
    if path.endswith((".py", ".pyi")):
        return []
    if not any(hint in f"\n{text}" for hint in _HINTS):
        return []
    text = _RAW.sub("", text)
    names: list[str] = _INCLUDE.findall(text)
    for block in _BLOCK.findall(text):
        names += _BLOCK_LINE.findall(block)
    return names


def _find_file(name: str, path: str, project: ProjectFiles) -> str | None:
    """Return the tracked file that a notation in another file names."""
    name = name.rpartition("$")[2]  # Antora writes `partial$name.adoc`.
    file = project.find(
        posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
    )
    if file is not None:
        return file
    # Other names are relative to folders that only the generator knows, most often one
    # that contains the page.
    end = name.lstrip("@./")
    folder = path
    while folder:
        folder = posixpath.dirname(folder)
        file = project.find(posixpath.join(folder, end))
        if file is not None:
            return file
    files = project.find_ending(end)
    return files[0] if len(files) == 1 else None


def _find_module(name: str, project: ProjectFiles) -> str | None:
    """Return the only module that contains an object, as its name says. Packages import
    most of their objects from other modules.
    """
    path = name.replace(".", "/")
    modules: list[str] = []
    while "/" in path and not modules:
        modules = project.find_ending(f"{path}.py")
        path = posixpath.dirname(path)
    return modules[0] if len(modules) == 1 else None
