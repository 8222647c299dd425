"""Why a page is in the sitemap or not, and with which date: what its build told, and what the
site on the disk says now.
"""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path
from urllib.parse import unquote

from docs_sitemap.check.files import read_chunks
from docs_sitemap.check.findings import Findings, Unusable
from docs_sitemap.check.folder import Folder
from docs_sitemap.check.locate import find_sitemaps, guess_base_url
from docs_sitemap.check.parse import Reader
from docs_sitemap.head import Head, read_head
from docs_sitemap.loc import normalize_url
from docs_sitemap.model import Reason
from docs_sitemap.patterns import Names, find_pages, page_names
from docs_sitemap.report import KeptPage, KeptReport
from docs_sitemap.select import HEAD_REASONS, head_reasons
from docs_sitemap.site import page_url, walk_pages

# By so many of its sources, a project's folder is known.
_SAMPLE = 20


@dataclass(frozen=True, slots=True)
class Entry:
    """What a sitemap on the disk says of a page.

    Attributes:
        file: the sitemap, relative to the site's folder.
        line: where the entry's URL stands in it.
        loc: the URL, as written.
        lastmod: its date, as written.
    """

    file: str
    line: int
    loc: str
    lastmod: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What is known of one page.

    Attributes:
        name: what its build calls it or, if it is no page of the build, its file.
        url: its URL; `None` if nobody knows where the site is published.
        page: what the report of the build says of it.
        output: its file, relative to the site's folder; `None` if there is none.
        exists: whether that file exists now.
        head: what the head of that file says now.
        against: what of that speaks against listing the page: reasons, each with its detail.
        entry: what the sitemap on the disk says of it.
    """

    name: str
    url: str | None
    page: KeptPage | None = None
    output: str | None = None
    exists: bool = False
    head: Head | None = None
    against: tuple[tuple[Reason, str], ...] = ()
    entry: Entry | None = None

    @property
    def is_listed(self) -> bool:
        """Whether it is in the sitemap, by the build or, without a report, by the sitemap."""
        return self.entry is not None if self.page is None else self.page.loc is not None

    @property
    def listed_url(self) -> str | None:
        """By which URL the sitemap lists it, if it does: that of the build goes before another."""
        return self.url if self.page is None or self.page.loc is None else self.page.loc

    @property
    def cure(self) -> str | None:
        """How to list it; `None` if it is listed."""
        if self.is_listed:
            return None
        return _include(self.name) if self.page is None else _cure(self.page)

    @property
    def notes(self) -> tuple[str, ...]:
        """Where the site on the disk says something else than its build; if nobody knows what
        that said, what speaks against the page.
        """
        if self.page is not None:
            return tuple(self._notes(self.page))
        return tuple(f"its file says {reason} ({detail})" for reason, detail in self.against)

    def _notes(self, page: KeptPage) -> Iterator[str]:
        if page.loc is not None:
            if self.entry is None:
                yield "the sitemap on the disk does not list it: another build wrote that"
            elif self.entry.lastmod != page.lastmod:
                date = self.entry.lastmod or "no date"
                yield f"the sitemap on the disk says {date}: another build wrote that"
            if self.output is not None and not self.exists:
                yield "its file is not there any more"
            for reason, detail in self.against:
                yield f"its file says {reason} ({detail}): that did not count, or is new"
            return
        if self.entry is not None and page.reason is not Reason.DUPLICATE:
            yield "the sitemap on the disk lists it: another build wrote that"
        if page.reason is Reason.NOT_WRITTEN and self.exists:
            yield "its file is there by now; build the site again"
        elif page.reason in HEAD_REASONS and (page.reason, page.detail) not in self.against:
            yield "its file does not say so any more; build the site again"


@dataclass(frozen=True, slots=True)
class Answer:
    """What there is to say on one question.

    Attributes:
        asked: the question: a page, by any of its names.
        pages: the pages that it can mean; none if there is no such page.
        close: names of pages that are much the same, if there is no such page.
    """

    asked: str
    pages: tuple[Explanation, ...]
    close: tuple[str, ...] = ()


def explain(
    site_dir: str | os.PathLike[str],
    asked: Sequence[str],
    *,
    report: KeptReport | None = None,
    base_url: str | None = None,
) -> list[Answer]:
    """Explain pages of a built site.

    Args:
        site_dir: the folder of the site.
        asked: pages: by URL, absolute or relative; by source file; by file of the output.
        report: the report of the build; without it, there is only what the site itself says.
        base_url: where the site is published, in normal form; by default, what the report says,
            or what fits the URLs of the sitemap.
    """
    folder = Folder(os.fspath(site_dir))
    sitemaps = find_sitemaps(folder, report.files if report else (), _named_sitemaps(folder))
    base_url = base_url or (report.base_url if report else None)
    if base_url is None:
        base_url = guess_base_url(folder, sitemaps)
    known = _Pages(folder, base_url, report)
    found = known.find(asked)
    pages = [page for pages in found.values() for page in pages]
    urls = {normalize_url(page.listed_url) for page in pages if page.listed_url is not None}
    urls |= {known.url(text) for text, pages in found.items() if not pages}
    # Which URL a file has, only its build knows: /guide can be guide.html.
    outputs = {page.output for page in pages if page.page is None and page.output is not None}
    entries = _read_entries(folder, sitemaps, base_url, urls, outputs)
    answers = []
    for text, pages in found.items():
        answer = tuple(_complete(page, folder, entries) for page in pages)
        if not answer and (entry := entries.get(known.url(text))) is not None:
            answer = (Explanation(name=text, url=known.url(text), entry=entry),)
        answers.append(Answer(text, answer, () if answer else known.close(text)))
    return answers


class _Pages:
    """The pages of a site: those of its build, and other HTML files in its folder."""

    def __init__(self, folder: Folder, base_url: str | None, report: KeptReport | None) -> None:
        self._folder = folder
        self._base_url = base_url
        self._kept = report.pages if report else ()
        outputs = {page.output for page in self._kept}
        self._others = [path for path in walk_pages(folder.root) if path not in outputs]
        self._sources = {page.sources[0] for page in self._kept if page.sources}
        self._sample = sorted(self._sources)[:_SAMPLE]

    def find(self, asked: Iterable[str]) -> dict[str, list[Explanation]]:
        """Return the pages that each name means; several may have the same."""
        readings = {text: [*map(escape, self._readings(text))] for text in asked}
        found = find_pages((text for texts in readings.values() for text in texts), self._names())
        return {
            text: [*map(self._page, next(filter(None, (found[one] for one in texts)), ()))]
            for text, texts in readings.items()
        }

    def url(self, asked: str) -> str:
        """Return the URL that a question may mean, in normal form."""
        if "://" in asked or self._base_url is None:
            return normalize_url(asked)
        return normalize_url(self._base_url + asked.lstrip("/"))

    def close(self, asked: str) -> tuple[str, ...]:
        """Return names that a misspelt one may mean."""
        text = self._below_base(asked)
        names = {page.url: page.name for page in self._kept}
        names |= {name: name for name in (*names.values(), *self._others)}
        found = difflib.get_close_matches(asked if text is None else text, names, n=6)
        return tuple(dict.fromkeys(names[name] for name in found))[:3]

    def _page(self, number: int) -> Explanation:
        if number < len(self._kept):
            page = self._kept[number]
            url = self._absolute(page.url)
            return Explanation(name=page.name, url=url, page=page, output=page.output)
        path = self._others[number - len(self._kept)]
        return Explanation(name=path, url=self._absolute(page_url(path)), output=path)

    def _absolute(self, url: str) -> str | None:
        return None if self._base_url is None else f"{self._base_url}{url}"

    def _names(self) -> Iterator[Names]:
        base_url = self._base_url or ""
        for page in self._kept:
            source = page.sources[0] if page.sources else None
            names = page_names(page.name, page.url, source, base_url)
            output = () if page.output is None else (page.output,)
            yield names._replace(own=names.own.union(output))
        for path in self._others:
            yield page_names(path, page_url(path), None, base_url)

    def _readings(self, asked: str) -> Iterator[str]:
        if "://" in asked:
            if (below := self._below_base(asked)) is not None:
                yield below
            return
        yield asked
        path = Path(os.path.abspath(asked))
        with suppress(ValueError):  # it is elsewhere
            below = path.relative_to(os.path.abspath(self._folder.path)).as_posix()
            yield "" if below == "." else below
        with suppress(ValueError):
            yield Path(os.path.realpath(path)).relative_to(self._folder.root).as_posix()
        yield from self._as_source(path)

    def _below_base(self, asked: str) -> str | None:
        if self._base_url is None:
            return None
        url, base_url = normalize_url(asked), normalize_url(self._base_url)
        if f"{url}/" == base_url:
            return ""
        return unquote(url.removeprefix(base_url)) if url.startswith(base_url) else None

    def _as_source(self, path: Path) -> Iterator[str]:
        """A report does not say where the project is: there, its sources are."""
        for folder in path.parents if os.path.isfile(path) else ():
            source = path.relative_to(folder).as_posix()
            samples = (folder / name for name in self._sample)
            if source in self._sources and all(map(os.path.isfile, samples)):
                yield source


def _named_sitemaps(folder: Folder) -> Sequence[str]:
    """Return the URLs of the sitemaps that robots.txt names."""
    from docs_sitemap.check.robots import read_robots  # it needs a library that builds do without

    with suppress(Unusable), folder.open_file("robots.txt") as file:
        return read_robots(file).sitemaps
    return ()


def _read_entries(
    folder: Folder,
    sitemaps: Sequence[str],
    base_url: str | None,
    urls: Collection[str],
    outputs: Collection[str],
) -> dict[str, Entry]:
    """Return what sitemaps, and those that they name, say of some URLs (in normal form), and of
    URLs that open some files of the folder.
    """
    entries: dict[str, Entry] = {}
    base = None if base_url is None else normalize_url(base_url)
    ahead = [*sitemaps]
    for file in ahead:  # grows
        reader = Reader(Findings(file))
        with suppress(Unusable), folder.open_file(file) as source:
            for raw in reader.entries(read_chunks(source, file)):
                if (loc := raw.texts.get("loc")) is None:
                    continue
                url = normalize_url(loc.value)
                lastmod = raw.texts.get("lastmod")
                date = None if lastmod is None else lastmod.value
                entry = Entry(file, loc.line, loc.value, date)
                if url in urls and not reader.is_index:
                    entries.setdefault(url, entry)
                if base is None or not (reader.is_index or outputs):
                    continue
                opened = folder.open_below(base, url)
                if opened is None or opened.file is None:
                    continue
                if reader.is_index and opened.file not in ahead:
                    ahead.append(opened.file)
                elif opened.file in outputs and not reader.is_index:
                    entries.setdefault(opened.file, entry)
    return entries


def _complete(page: Explanation, folder: Folder, entries: Mapping[str, Entry]) -> Explanation:
    """Add what the site says now."""
    entry = None if page.listed_url is None else entries.get(normalize_url(page.listed_url))
    if entry is None and page.page is None and page.output is not None:
        entry = entries.get(page.output)
        page = replace(page, url=page.url if entry is None else normalize_url(entry.loc))
    page = replace(page, entry=entry)
    if page.output is None or not folder.holds(page.output):
        return page
    path = os.path.join(folder.root, *page.output.split("/"))
    try:
        head = read_head(path)
    except (OSError, ValueError):
        return replace(page, exists=os.path.lexists(path))
    against = () if page.url is None else tuple(head_reasons(head, page.url))
    return replace(page, exists=True, head=head, against=against)


def _cure(page: KeptPage) -> str:
    reason = page.reason
    if reason is Reason.URL:
        return "rename the page"
    if reason is Reason.DUPLICATE:
        return "give one of the two another URL"
    overrule = f"overrule: [{reason}] for all such pages"
    if reason is Reason.NOT_WRITTEN:
        return f"let the build write it, or set the option {overrule}"
    if reason is Reason.PAGE:
        return f"take `sitemap: false` out of the page, or set the option {overrule}"
    ways = [_include(page.name), f"or {overrule}"]
    if page.sources:
        ways.insert(0, "write `sitemap: true` into the page")
    return ", ".join(ways)


def _include(name: str) -> str:
    return f"set the option include: {json.dumps([name], ensure_ascii=False)}"
