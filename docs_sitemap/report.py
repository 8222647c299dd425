"""The report of a build, kept as a file for those who ask later: the command `docs-sitemap`.

It lies in the user's cache, under a name made from that of the site's folder, and wherever the
option `report` says. All paths in it are relative: it can be moved, or published.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from docs_sitemap.check.files import open_file, read_chunks
from docs_sitemap.check.findings import Unusable
from docs_sitemap.check.folder import Folder
from docs_sitemap.errors import ReportError
from docs_sitemap.loc import check_base_url
from docs_sitemap.model import Excluded, Listed, Page, Reason, Report
from docs_sitemap.values import lastmod_text
from docs_sitemap.write import replace_file

_MAX_SIZE = 2**28  # some hundred thousand pages

# Changes with the meaning of what is stored.
VERSION = 1

# Builds into temporary folders leave reports that nobody asks for again.
_MAX_REPORTS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPage:
    """What the report of a build says of one page.

    Attributes:
        name: what the build called it: its source file, below the sources.
        url: its URL, relative to the base URL.
        loc: its URL in the sitemap; `None` if it is not listed.
        output: its file, relative to the site's folder with `/` between the parts.
        sources: the files that it was made from, relative to the project's folder.
        reason: why it is not listed; `None` if it is.
        detail: what speaks against it, as in [`Excluded`][docs_sitemap.Excluded].
        lastmod: its date, in the form of the sitemap; `None` if it has none.
        state: where the date is from, or why there is none.
        commit: the full name of the commit that decided.
        authored: when the author made that commit, as a W3C Datetime.
        source: the file that decided, relative to the project's folder.
        fallback: what the date is instead, where it is not known.
        changefreq: as in the sitemap.
        priority: as in the sitemap.
    """

    name: str
    url: str
    loc: str | None = None
    output: str | None = None
    sources: tuple[str, ...] = ()
    reason: Reason | None = None
    detail: str = ""
    lastmod: str | None = None
    state: str | None = None
    commit: str | None = None
    authored: str | None = None
    source: str | None = None
    fallback: str | None = None
    changefreq: str | None = None
    priority: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptReport:
    """The report of a build.

    Attributes:
        base_url: the URL that those of all pages begin with.
        files: the sitemap's files, relative to the site's folder, itself first.
        digest: the SHA-256 of the first of these; `None` if there is none.
        pages: the pages, those that are listed first.
        problems: what the build warned about.
    """

    base_url: str
    files: tuple[str, ...]
    pages: tuple[KeptPage, ...]
    problems: tuple[str, ...] = ()
    digest: str | None = None

    def is_of(self, site_dir: str | os.PathLike[str]) -> bool:
        """Whether the sitemap in a folder is the one of this report, and not of another build."""
        return not self.files or _digest(Folder(os.fspath(site_dir)), self.files[0]) == self.digest


def kept_path(out_dir: str | os.PathLike[str]) -> Path | None:
    """Return where the report of a build into this folder is kept; `None`: there is no place."""
    folder = user_cache_path("docs-sitemap")
    if not folder.is_absolute():  # no home
        return None
    key = sha256(os.fsencode(os.path.realpath(out_dir))).hexdigest()[:32]
    return folder / "reports" / f"{key}.json"


def keep(report: KeptReport, out_dir: str | os.PathLike[str]) -> None:
    """Keep the report where `explain` looks for it, if there is a place."""
    path = kept_path(out_dir)
    if path is None:
        return
    with suppress(OSError):  # `explain` will know less, that is all
        write_report(report, path)
        by_age = sorted(path.parent.glob("*.json"), key=lambda file: file.lstat().st_mtime)
        for old in by_age[:-_MAX_REPORTS]:
            old.unlink(missing_ok=True)


def forget(out_dir: str | os.PathLike[str]) -> None:
    """Remove the report that is kept of an earlier build."""
    path = kept_path(out_dir)
    if path is not None:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def write_report(report: KeptReport, path: str | os.PathLike[str]) -> None:
    """Write the report as JSON, for the same build always the same.

    Raises:
        OSError: the file cannot be written; the old one is left as it was.
    """
    members = {
        "version": json.dumps(VERSION),
        "base_url": json.dumps(report.base_url),
        "files": json.dumps(report.files),
        "digest": json.dumps(report.digest),
        "pages": _lines(json.dumps(_without_defaults(page)) for page in report.pages),
        "problems": _lines(map(json.dumps, report.problems)),
    }
    text = ",\n".join(f'"{name}": {value}' for name, value in members.items())
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, f"{{\n{text}\n}}\n".encode())


def _lines(values: Iterable[str]) -> str:
    """An array with one value a line, for people and for diff."""
    lines = ",\n".join(values)
    return f"[\n{lines}\n]" if lines else "[]"


def read_report(path: str | os.PathLike[str]) -> KeptReport:
    """Read the report of a build.

    Raises:
        ReportError: the file cannot be read, or is none.
    """
    try:
        with open_file(path) as file:
            content = json.loads(file.read(_MAX_SIZE))
        if content["version"] is not VERSION:
            raise ReportError(
                f"{path} was written by another version of docs-sitemap; build the site"
            )
        return KeptReport(
            base_url=check_base_url(_text(content["base_url"])),
            files=tuple(map(_path, content["files"])),
            pages=tuple(_page(page) for page in content["pages"]),
            problems=tuple(map(_text, content["problems"])),
            digest=None if content["digest"] is None else _text(content["digest"]),
        )
    except Unusable as fault:
        raise ReportError(f"{path}: {fault}; build the site") from None
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        raise ReportError(f"{path} is no report of a build; build the site") from None


def make_report(
    report: Report,
    base_url: str,
    out_dir: str | os.PathLike[str],
    root: str | os.PathLike[str],
) -> KeptReport:
    """Return what is kept of a build.

    Args:
        report: what the build did.
        base_url: the URL that those of all pages begin with.
        out_dir: the folder of the built site.
        root: the folder of the project.
    """
    relative = _Relative(out_dir, root)
    return KeptReport(
        base_url=base_url,
        files=tuple(relative.output(path) for path in report.files),
        pages=(
            *(_listed(listed, relative) for listed in report.listed),
            *(_excluded(excluded, relative) for excluded in report.excluded),
        ),
        problems=tuple(relative.message(problem.message) for problem in report.problems),
        digest=_digest(Folder(os.fspath(out_dir)), relative.output(report.files[0]))
        if report.files
        else None,
    )


def _digest(folder: Folder, name: str) -> str | None:
    hashed = sha256()
    with suppress(Unusable), folder.open_file(name) as file:
        for chunk in read_chunks(file, ""):
            hashed.update(chunk)
        return hashed.hexdigest()
    return None


class _Relative:
    def __init__(self, out_dir: str | os.PathLike[str], root: str | os.PathLike[str]) -> None:
        self._out_dir = os.path.join(os.path.abspath(out_dir), "")
        self._root = os.path.join(os.path.abspath(root), "")

    def output(self, path: str | os.PathLike[str]) -> str:
        return _relative(os.fspath(path), self._out_dir)

    def source(self, path: str) -> str:
        return _relative(path, self._root)

    def message(self, text: str) -> str:
        for folder in (self._out_dir, self._root):
            text = text.replace(folder, "").replace(folder.removesuffix(os.sep), ".")
        return text

    def about(self, page: Page) -> dict[str, Any]:
        return {
            "name": page.name,
            "url": page.url,
            "output": None if page.output is None else self.output(page.output),
            "sources": tuple(map(self.source, page.sources)),
        }


def _relative(path: str, start: str) -> str:
    try:
        below = path.startswith(start)
        relative = path.removeprefix(start) if below else os.path.relpath(path, start)
        return relative.replace(os.sep, "/")
    except ValueError:  # on another drive
        return path


def _listed(listed: Listed, relative: _Relative) -> KeptPage:
    lastmod = listed.lastmod
    return KeptPage(
        **relative.about(listed.page),
        loc=listed.url.loc,
        lastmod=listed.url.lastmod,
        state=lastmod.state,
        commit=lastmod.commit,
        authored=None if lastmod.authored is None else lastmod_text(lastmod.authored),
        source=None if lastmod.source is None else relative.source(lastmod.source),
        fallback=lastmod.fallback,
        changefreq=listed.url.changefreq,
        priority=listed.url.priority,
    )


def _excluded(excluded: Excluded, relative: _Relative) -> KeptPage:
    detail = excluded.detail
    if excluded.reason is Reason.NOT_WRITTEN:
        detail = relative.output(detail)
    return KeptPage(**relative.about(excluded.page), reason=excluded.reason, detail=detail)


_FIELDS = tuple(KeptPage.__dataclass_fields__.values())


def _without_defaults(page: KeptPage) -> dict[str, Any]:
    values = {field.name: getattr(page, field.name) for field in _FIELDS}
    return {
        field.name: values[field.name] for field in _FIELDS if values[field.name] != field.default
    }


def _page(content: Mapping[str, Any]) -> KeptPage:
    # A later version may say more.
    names = {field.name for field in _FIELDS} & content.keys() - {"sources", "reason"}
    values = {name: (_path if name == "output" else _text)(content[name]) for name in names}
    return KeptPage(
        **values,
        sources=tuple(map(_text, content.get("sources", ()))),
        reason=Reason(content["reason"]) if "reason" in content else None,
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is not a text")
    return value


def _path(value: object) -> str:
    text = _text(value)
    if b"\0" in os.fsencode(text):  # which raises a ValueError, too
        raise ValueError(f"{value!r:.40} is no path")
    return text
