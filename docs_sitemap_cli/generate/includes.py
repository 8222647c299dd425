"""The files that a source file includes, imports, or documents."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from docs_sitemap.tools.printing import shorten

from .project_files import ProjectFiles

# mdBook; Jekyll, Eleventy, and Hugo; Zensical, also with extensions; Asciidoctor and
# Antora; VitePress; reStructuredText; and MyST. The first characters of all of them
# come first, so that others are skipped fast.
_INCLUDE = re.compile(
    r"(?=[-{<i. ])(?:(?<![`\\])(?:\{\{#(?:include|rustdoc_include|playground)"
    r"|\{[{%][<%-]*\s*include[\w-]*+|\{[!*]>?|--8<--(?=[ \t]))"
    r"|^include::|^<<<|<!--\s*@include:"
    r"|^ *\.\. (?:literal)?include::|\{(?:literal)?include\})\s*[\"']?"
    r"((?:[\w.@-]+:)*[^\s\"'\[\]{}<>#:]+\.\w+)",
    re.M,
)
# A block of Zensical with a file in each line, and its lines.
_BLOCK = re.compile(
    r"^[ \t]*-+8<-+[ \t]*\n(.*?)(?:^[ \t]*-+8<-+[ \t]*$|\Z)", re.M | re.S
)
_BLOCK_LINE = re.compile(r"^[ \t]*([^\s;:][^\n:]*\.\w+)", re.M)
# Each notation contains one of these texts. Most files contain none, and searching for
# them is much faster.
_INCLUDE_HINTS = ("include", "playground", "{!", "{*", "--8<--", "<<<")
_IMPORT_HINTS = ("import", "export", "require", "glob(")
_OBJECT_HINTS = (":::", ".. auto", "{auto")
# Jekyll and Eleventy show the content of such a block unchanged.
_RAW = re.compile(r"\{%-?\s*raw\b.*?(?:\{%-?\s*endraw\b|\Z)", re.S)

# Files with imports, and the code that they only show.
_SCRIPT = re.compile(r"\.(?:mdx?|astro|vue|svelte|[cm]?[jt]sx?)\Z")
_CODE = re.compile(
    r"^ *(`{3,}+|~{3,}+).*?(?:^ *\1|\Z)|^(?: {4}|\t)[^\n]*|`[^`\n]*`", re.M | re.S
)
# Bundlers allow a prefix with `!`. Stylesheets change nothing that a page says.
_IMPORT = re.compile(
    r"(?:^[ \t]*(?:import|export)\b(?:[^\"'`;=()]{0,500}\bfrom\b)?\s*"
    r"|\b(?:import|require|glob)\s*\(\s*)[\"'`](?:[^\"'`\s]*!)?"
    r"(?![^\"'`\s]*\.(?:css|s[ac]ss|less|styl)\b)([^\"'`\s?!]+)",
    re.M,
)
# What an import may leave out.
_SUFFIXES = ("", ".js", ".jsx", ".mjs", ".ts", ".tsx", ".vue", ".svelte", ".astro")
_ENDS = (*_SUFFIXES, ".json", *[f"/index{suffix}" for suffix in _SUFFIXES[1:]])

# What mkdocstrings and Sphinx document, the latter in reStructuredText and MyST: the
# directive, its argument, and the options and names below it. VitePress has containers
# such as `::: tip`.
_DIRECTIVE = re.compile(
    r"(?:^(?:#+ +)?:::(?= +[\w.]{1,255}[ \t]*\r?$)"
    r"|(?:^ *\.\. |[`:]{3}\{)(?:py:)?(auto\w+|currentmodule|module)(?:::|\}))[ \t]*"
    r"([\w.]{0,255}).*\n"
    r"((?:[ \t]*(?::\w.*|[~\w.]+[ \t]*(?:\(.*)?)?\r?\n(?![=~^*#-]{3}))*)",
    re.M,
)
_ENTRY = re.compile(r"^[ \t]*~?([\w.]{1,255})", re.M)


class Included(NamedTuple):
    """What a file includes, imports, or documents.

    Attributes:
        files: The tracked files.
        unknown_because: Why other files are unknown; empty if there are none.
    """

    files: list[str]
    unknown_because: str = ""


class Includes:
    """Finds what files include. Each file is read once.

    Args:
        project: The files that git tracks.
        read_file: Returns the content of one of them.
    """

    def __init__(
        self, project: ProjectFiles, read_file: Callable[[str], bytes]
    ) -> None:
        self._project = project
        self._read_file = read_file
        self._read = cache(self._read_included)

    def included_by(self, path: str) -> Included:
        """Return what a tracked file includes, directly or not."""
        found = dict.fromkeys([path])
        pending = [path]
        unknown = ""
        while pending:
            included = self._read(pending.pop())
            unknown = unknown or included.unknown_because
            new = [file for file in included.files if file not in found]
            found |= dict.fromkeys(new)
            pending += new
        return Included(list(found)[1:], unknown)

    def _read_included(self, path: str) -> Included:
        """Return what a file itself includes."""
        # Modules can show all notations in their docstrings.
        if path.endswith((".py", ".pyi")):
            return Included([])
        text = self._read_file(path).decode("utf-8", "replace")
        included = []
        unknown = ""
        for name, files in self._read_notations(text, path):
            if len(files) == 1:
                included.append(files[0])
            else:
                unknown = (
                    f"{path} includes {shorten(name)}, but it is unclear which file in "
                    "git contains it"
                )
        return Included(included, unknown)

    def _read_notations(self, text: str, path: str) -> Iterator[tuple[str, list[str]]]:
        """Yield the names in the notations of a file, and the files that each of them
        may mean. Names of other things, such as packages, are left out.
        """
        for name in _find_names(text):
            files = self._find_file(name, path)
            if files:
                yield name, files
        if _SCRIPT.search(path) and _has_any(_IMPORT_HINTS, text):
            shown = _CODE.sub("", text) if ".md" in path else text
            for name in _IMPORT.findall(shown):
                files = self._find_imported(name, path)
                # Documents also show imports of other projects.
                if files or (name.startswith(".") and not path.endswith(".md")):
                    yield name, files
        for name in self._find_objects(text, path):
            yield name, self._find_module(name, path)

    def _find_file(self, name: str, path: str) -> list[str]:
        """Return the tracked files that a notation in another file may mean."""
        file = self._project.tracked(_join(path, name))
        if file is not None:
            return [file]
        # In Antora, `1.0@component:module:partial$name.adoc` is in the folder
        # `module/partials`. Other names are relative to folders that only the generator
        # knows.
        module = name.rpartition("@")[2].split(":")[-2:]
        end = "/".join(module).replace("$", "s/").lstrip("./")
        return self._project.find_nearest(end, path)

    def _find_imported(self, name: str, path: str) -> list[str]:
        """Return the tracked files that an import may mean."""
        # TypeScript names the file that it writes.
        end = name.removesuffix(".js")
        # An alias of a folder may come first, as in `@site/src/hello.js`.
        if name[0] in "@~$#":
            end = end.partition("/")[2]
        files: list[str] = []
        for suffix in _ENDS:
            if name.startswith("."):
                file = self._project.tracked(_join(path, f"{end}{suffix}"))
                files = [] if file is None else [file]
            elif "/" in end or "." in end:
                files = self._project.find_nearest(f"{end}{suffix}", path)
            if files:
                break
        return files

    def _find_objects(self, text: str, path: str) -> Iterator[str]:
        """Yield the names of the modules and objects that a file documents."""
        if not _has_any(_OBJECT_HINTS, text):
            return
        module = ""
        for directive, argument, block in _DIRECTIVE.findall(f"{text}\n"):
            # Names in later directives of Sphinx may be relative to this module.
            if directive.endswith("module"):
                module = argument
            if directive in ("module", "currentmodule"):
                continue
            names = _ENTRY.findall(block) if directive == "autosummary" else [argument]
            for name in names:
                package = name.partition(".")[0]
                is_relative = not self._is_package(package, path)
                if is_relative and module not in ("", name):
                    name = f"{module}.{name}"
                if "." in name or self._is_package(name, path):
                    yield name

    def _is_package(self, name: str, path: str) -> bool:
        """Return whether a name is the one of a package."""
        return bool(self._project.find_nearest(f"{name}/__init__.py", path))

    def _find_module(self, name: str, path: str) -> list[str]:
        """Return the modules that may contain an object, as its name says. Packages
        import most of their objects from other modules.
        """
        end = name.replace(".", "/")
        modules: list[str] = []
        while "/" in end and not modules:
            modules = self._project.find_nearest(f"{end}.py", path)
            end = posixpath.dirname(end)
        return modules


def _find_names(text: str) -> list[str]:
    """Return the names in the notations of includes."""
    if not _has_any(_INCLUDE_HINTS, text):
        return []
    text = _RAW.sub("", text)
    names: list[str] = _INCLUDE.findall(text)
    for block in _BLOCK.findall(text):
        names += _BLOCK_LINE.findall(block)
    return names


def _has_any(hints: Iterable[str], text: str) -> bool:
    return any(hint in text for hint in hints)


def _join(path: str, name: str) -> str:
    """Return the path of a name that is relative to the folder of a file."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
