"""The files that a source file includes, in the notations of the usual generators."""

import posixpath
import re
from collections.abc import Iterator

from docs_sitemap.any_site.project_files import ProjectFiles
from docs_sitemap.files import read_regular

# In bytes: larger files are not documents.
_MAX_FILE = 2**22

# mdBook; Jekyll, Eleventy, and Hugo; Zensical, also with extensions; Asciidoctor and Antora;
# VitePress; reStructuredText; MyST; and Docusaurus and Starlight.
_INCLUDE = re.compile(
    r"(?:(?<![`\\])(?:\{\{#(?:include|rustdoc_include|playground)|\{[{%][<%-]*\s*include[\w-]*+"
    r"|\{[!*]>?|--8<--)"
    r"|^include::|^<<<|<!--\s*@include:|^ *\.\. (?:literal)?include::|\{(?:literal)?include\}"
    r"|^import\b[^\n;]*\bfrom(?=\s*[\"']?[^\s\"';]{1,255}\.mdx?\b))\s*[\"']?"
    r"(?:[\w-]+:)*([^\s\"'\[\]{}<>#:]+\.\w+)",
    re.M,
)
# Jekyll and Eleventy show the content of such a block unchanged.
_RAW = re.compile(r"\{%-?\s*raw\b.*?(?:\{%-?\s*endraw\b|\Z)", re.S)
# What mkdocstrings documents: a module, or an object that a module or package contains or imports.
# VitePress has containers such as `::: tip`.
_DOCUMENTED = re.compile(r"^(?:#+ +)?::: +([\w.]{1,255})[ \t]*\r?$", re.M)


def find_included(path: str, project: ProjectFiles) -> list[str]:
    """Return the tracked files that a tracked file includes, directly or not, and the names of the
    objects that it documents and whose files are unknown.
    """
    found: dict[str, None] = {}
    pending = [path]
    while pending:
        for file in _read_included(pending.pop(), project):
            if file != path and file not in found:
                found[file] = None
                pending.append(file)
    return list(found)


def _read_included(path: str, project: ProjectFiles) -> Iterator[str]:
    try:
        text = read_regular(project.absolute(path), _MAX_FILE).decode("utf-8", "replace")
    except OSError:
        return
    for name in _INCLUDE.findall(_RAW.sub("", text)):
        # Antora writes `partial$name.adoc`.
        name = name.rpartition("$")[2]
        file = project.find(posixpath.normpath(posixpath.join(posixpath.dirname(path), name)))
        # Other names are relative to folders that only the generator knows.
        files = project.find_ending(name.lstrip("@./")) if file is None else [file]
        if len(files) == 1:
            yield files[0]
    for name in _DOCUMENTED.findall(text):
        if "." in name or project.find_ending(f"{name}/__init__.py"):
            yield _find_module(name, project) or name


def _find_module(name: str, project: ProjectFiles) -> str | None:
    """Return the only module that contains an object, as its name says. Packages import most of
    their objects from other modules.
    """
    path = name.replace(".", "/")
    modules: list[str] = []
    while "/" in path and not modules:
        modules = project.find_ending(f"{path}.py")
        path = posixpath.dirname(path)
    return modules[0] if len(modules) == 1 else None
