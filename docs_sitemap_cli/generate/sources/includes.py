"""The files that a source file includes, imports, or documents."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.project_files import ProjectFiles

# mdBook; Jekyll, Eleventy, and Hugo; Asciidoctor and Antora; VitePress;
# reStructuredText; and MyST. Zensical has a configuration: see `mkdocs_project`.
_INCLUDE = re.compile(
    rb"(?:(?<![`\\])(?:\{\{#(?:include|rustdoc_include)"
    rb"|\{[{%][<%-]*\s*include[\w-]*+)"
    rb"|^include::|^<<<|<!--\s*@include:"
    rb"|^ *\.\. (?:literal)?include::|\{(?:literal)?include\})\s*[\"']?"
    rb"((?:[\w.@-]+:)*[^\s\"'\[\]{}<>#:]+\.\w+)",
    re.M,
)
# Each notation contains one of these texts. Most files contain none, and most lines,
# and searching for them is much faster.
_INCLUDE_HINTS = (b"include", b"<<<")
_IMPORT_HINTS = (
    b"from '",
    b'from "',
    b"import '",
    b'import "',
    b"import(",
    b"require(",
    b"glob(",
)
_OBJECT_HINTS = (b".. auto", b"{auto")

# Files with imports, and the code that they only show.
_SCRIPT = re.compile(r"\.(?:mdx?|astro|vue|svelte|[cm]?[jt]sx?)\Z")
# Inline code ends in the same paragraph.
_CODE = re.compile(
    rb"^ *(`{3,}+|~{3,}+).*?(?:^ *\1|\Z)|^(?: {4}|\t)[^\n]*"
    rb"|(?<![`\\])(`++)(?:[^`\n]++|\n(?! *\n)|(?!\2(?!`))`++)++\2(?!`)",
    re.M | re.S,
)
# Stylesheets change nothing that a page says.
_IMPORT = re.compile(
    rb"(?:^[ \t]*(?:import|export)\b(?:[^\"'`;=()]{0,500}\bfrom\b)?\s*"
    rb"|\b(?:import|require|glob)\s*\(\s*)[\"'`]"
    rb"(?![^\"'`\s]*\.(?:css|s[ac]ss|less|styl)\b)([^\"'`\s?!]+)",
    re.M,
)
# What an import may leave out.
_SUFFIXES = ("", ".js", ".jsx", ".mjs", ".ts", ".tsx", ".vue", ".svelte", ".astro")
_ENDS = (*_SUFFIXES, ".json", *[f"/index{suffix}" for suffix in _SUFFIXES[1:]])

# What Sphinx documents, in reStructuredText and MyST: the directive, its argument, and
# the options and names below it.
_DIRECTIVE = re.compile(
    r"(?:^ *\.\. |[`:]{3}\{)(?:py:)?(auto\w+|currentmodule|module)(?:::|\})[ \t]*"
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
        files = [path]
        known = {path}
        unknown = ""
        for file in files:
            included = self._read(file)
            unknown = unknown or included.unknown_because
            files += [new for new in included.files if new not in known]
            known.update(included.files)
        return Included(files[1:], unknown)

    def _read_included(self, path: str) -> Included:
        """Return what a file itself includes."""
        # Modules can show all notations in their docstrings.
        if path.endswith((".py", ".pyi")):
            return Included([])
        data = self._read_file(path)
        included: dict[str, None] = {}
        unknown = ""
        for name, files in self._read_notations(data, path):
            if len(files) == 1:
                included[files[0]] = None
            else:
                fault = "and several files in git may be meant"
                if not files:
                    fault = "which is not in git"
                unknown = f"{path} includes {shorten(name)}, {fault}"
        return Included(list(included), unknown)

    def _read_notations(
        self, data: bytes, path: str
    ) -> Iterator[tuple[str, list[str]]]:
        """Yield the names in the notations of a file, and the files that each of them
        may mean. Names of other things, such as packages, are left out.
        """
        hints = _find_hints(_INCLUDE_HINTS, data)
        if hints:
            lines = data.splitlines()
            likely = [line for line in lines if _find_hints(hints, line)]
            for name in _find_names(_INCLUDE, b"\n".join(likely)):
                files = self._find_file(name, path)
                if files:
                    yield name, files
        if _SCRIPT.search(path) and _find_hints(_IMPORT_HINTS, data):
            shown = _CODE.sub(b"", data) if ".md" in path else data
            for name in _find_names(_IMPORT, shown):
                files = self._find_imported(name, path)
                # Documents also show imports of other projects.
                if files or (name.startswith(".") and not path.endswith(".md")):
                    yield name, files
        if _find_hints(_OBJECT_HINTS, data):
            for name in self._find_objects(data.decode("utf-8", "replace"), path):
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
        if "/" not in end and "." not in end:  # a package
            return []
        for suffix in _ENDS:
            if name.startswith("."):
                file = self._project.tracked(_join(path, f"{end}{suffix}"))
                files = [] if file is None else [file]
            else:
                files = self._project.find_nearest(f"{end}{suffix}", path)
            if files:
                return files
        return []

    def _find_objects(self, text: str, path: str) -> Iterator[str]:
        """Yield the names of the modules and objects that a file documents."""
        module = ""
        for directive, argument, block in _DIRECTIVE.findall(f"{text}\n"):
            # Names in later directives of Sphinx may be relative to this module.
            if directive.endswith("module"):
                module = argument
            names = [argument]
            if directive == "autosummary":
                names = _ENTRY.findall(block)
            elif directive in ("module", "currentmodule"):
                continue
            for name in names:
                is_known = self._is_package(name.partition(".")[0], path)
                if not is_known and module not in ("", name):
                    name = f"{module}.{name}"
                if is_known or "." in name:
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


def _find_hints(hints: Iterable[bytes], data: bytes) -> list[bytes]:
    """Return the hints that a file or a line contains."""
    return [hint for hint in hints if hint in data]


def _find_names(notation: re.Pattern[bytes], data: bytes) -> list[str]:
    """Return the names in a notation."""
    return [str(name, "utf-8", "replace") for name in notation.findall(data)]


def _join(path: str, name: str) -> str:
    """Return the path of a name that is relative to the folder of a file."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
