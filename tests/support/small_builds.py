"""Small sites that the public API builds, with documents that changed on fixed days."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote

from docs_sitemap import Page, Site, Source, SourceRole, build_sitemap, read_options
from docs_sitemap.result import SavedReport, read_report
from docs_sitemap.site import EditUrl
from docs_sitemap.tools.cache_folder import find_report_paths
from support.json_schemas import check_schema
from support.repository import Repository
from support.sitemaps import BASE


@dataclass(frozen=True)
class Document:
    """A page of a small site.

    Attributes:
        url: The URL relative to the base URL.
        changes: The source files, the page's own first, and the days on which they
            changed; `None` for files that are not committed.
        details: Attributes of `Page` that differ from those of other pages.
    """

    url: str
    changes: Mapping[str, str | None]
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def output(self) -> str:
        """The built page, relative to the folder of the site."""
        path = unquote(self.url)
        return path if path.endswith(".html") else f"{path}index.html"


def page(url: str, day: str | None, **details: Any) -> Document:
    """Return a page whose document changed on a day; `None` if it is not committed."""
    return Document(url, {f"docs/{url.strip('/') or 'index'}.md": day}, details)


def documenting(url: str, edited: str, others: Mapping[str, str]) -> Document:
    """Return a page, with the days on which its text and its other sources changed."""
    return Document(url, {f"docs/{url.strip('/')}.md": edited, **others})


def build_small_site(
    project: Path,
    *documents: Document,
    subject: str = "",
    generator: Literal["sphinx"] | None = None,
    edit_url: EditUrl | None = None,
    **options: Any,
) -> SavedReport:
    """Build the sitemap of the pages in the folder `site` of a project, and return the
    report of the build, which is also in the file `report.json`.

    Built pages that the test has not written are empty. The source files are committed
    in the order of their days. The keyword arguments are the message of the commits,
    attributes of `Site`, and options.
    """
    site = project / "site"
    for document in documents:
        file = site / document.output
        if "output" not in document.details and not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("<!doctype html>")
    site.mkdir(parents=True, exist_ok=True)
    _commit(project, documents, subject)
    report = project / "report.json"
    build_sitemap(
        Site(
            pages=[_make_page(project, document) for document in documents],
            options=read_options({"base_url": BASE, "report": str(report)} | options),
            out_dir=site,
            root=project,
            edit_url=edit_url,
            generator=generator,
        )
    )
    return read_report(report)


def edit_report(project: Path, url: str, /, **values: object) -> SavedReport:
    """Change what the file `report.json` says about a page, as other people may do."""
    path = project / "report.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    check_schema("saved-report", content)
    for saved in content["pages"]:
        if saved["url"] == url:
            saved.update(values)
    path.write_text(json.dumps(content), encoding="utf-8")
    return read_report(path)


def saved_report_path(site: Path) -> Path:
    """Return where a build saves its report for commands."""
    (path, *_) = find_report_paths(site)
    return path


def forget_build(project: Path) -> None:
    """Remove the report that commands find, but not the file `report.json`."""
    for path in find_report_paths(project / "site"):
        path.unlink(missing_ok=True)


def _commit(project: Path, documents: tuple[Document, ...], subject: str) -> None:
    days: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
    for document in documents:
        for file, day in document.changes.items():
            if day is not None:
                days[day][file] = b"Text"
    if not any(document.changes for document in documents):
        return
    if not (project / ".git").exists():
        Repository.create(project)
    commits: list[tuple[datetime, str, dict[str, bytes]]] = []
    if days:  # Commits that add files are no sweeps.
        drafts = {file: b"Draft" for files in days.values() for file in files}
        commits.append((datetime(2000, 1, 1, tzinfo=UTC), "Write drafts", drafts))
    for day, files in sorted(days.items()):
        date = datetime.fromisoformat(day).replace(hour=10, tzinfo=UTC)
        commits.append((date, subject or f"Change of {day}", files))
    Repository(project).commit_all(commits)


def _make_page(project: Path, document: Document) -> Page:
    sources = []
    for number, file in enumerate(document.changes):
        role = SourceRole.PART if number else SourceRole.DOCUMENT
        sources.append(Source(str(project / file), role))
    name = next(iter(document.changes), document.url).removeprefix("docs/")
    values: dict[str, Any] = {
        "name": name,
        "output": str(project / "site" / document.output),
        "sources": tuple(sources),
    }
    return Page(url=document.url, **values | dict(document.details))
