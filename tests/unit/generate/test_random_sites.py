"""`docs-sitemap generate` with random sites: no page has the date of another document."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, strategies as st
from support.realistic_sites import RealisticSite, document, sentences

NAMES = (
    *("index", "installation", "02-limits", "Release Notes", "c", "c++", "tags", "ca"),
    *("2019-05-06-hello", "v2", "api", "certificates", "why-we-moved-to-another-host"),
    *("usage", "search-and-find", "1.0", "README", "_index", "faq", "über-uns"),
)
FOLDERS = ("guide", "guide/first", "blog", "reference", "3-admin", "news/2019")
ROOTS = ("docs", "content", "manual", "src/pages", "z", "website/docs")
SUFFIXES = (".md", ".mdx", ".rst", ".html.md", ".qmd", ".adoc")
INDEXES = ("index", "README", "_index")
LISTS = ("tags/one", "tags/ca", "2019/05", "archive", "blog/older", "fr/tags/two")


@dataclass(frozen=True)
class Document:
    """A document of a random site: where it is, and how many words it has."""

    folder: str
    name: str
    words: int


@dataclass(frozen=True)
class Plan:
    """A random site.

    Attributes:
        documents: The documents of each language and version.
        root: The folder of all documents.
        parts: The folders of languages or versions.
        suffix: The suffix of documents.
        keeps_names: Whether URLs contain the names of documents, as written.
        is_flat: Whether pages are files, and not folders.
        has_main: Whether pages have an element for the text.
        recent: The number of words that all pages repeat.
        same: So many documents are the same in all languages and versions.
        lists: Pages that show the start of so many documents, or the complete ones.
    """

    documents: tuple[Document, ...]
    root: str
    parts: tuple[str, ...]
    suffix: str
    keeps_names: bool
    is_flat: bool
    has_main: bool
    recent: int
    same: int
    lists: tuple[tuple[str, int, bool], ...]

    def build(self) -> RealisticSite:
        """Return the site. Each page has a document of its own."""
        site = RealisticSite(has_main=self.has_main)
        site.recent = f"<p>{sentences('recent', self.recent)}</p>"
        for part in self.parts:
            for number, one in enumerate(self.documents):
                source = "/".join(
                    filter(None, (self.root, part, one.folder, one.name + self.suffix))
                )
                page = self._page(part, one)
                if page in site.right:
                    continue
                is_same = number < self.same and len(self.parts) > 1
                text = f"{one}" if is_same else f"{part} {one}"
                site.add(page, source, document(text, one.words, title=one.name))
                if is_same:
                    site.right[page] = (source, None)
        bodies = [site.bodies[page] for page in site.bodies if page != "index.html"]
        for name, number, is_complete in self.lists:
            page = f"{name}/index.html"
            if page not in site.right:
                shown = bodies[:number]
                if not is_complete:
                    shown = [body[: body.index("</p>") + 4] for body in shown]
                site.add_page(page, f"<h1>{name}</h1>{''.join(shown)}", None)
        return site

    def _page(self, part: str, one: Document) -> str:
        """Return the page that a generator makes from a document."""
        path = [*part.split("/"), *one.folder.split("/"), one.name]
        if not self.keeps_names:
            path = [slug(name) for name in path]
        path = [name for name in path if name]
        if one.name in INDEXES:
            return "/".join([*path[:-1], "index.html"])
        end = ".html" if self.is_flat else "/index.html"
        return "/".join(path) + end


def slug(name: str) -> str:
    """Return a name in a URL, without the number before it."""
    return re.sub(r"[^\w.]+", "-", re.sub(r"^\d+-(?=\D)", "", name.lower())).strip("-")


documents = st.builds(
    Document,
    st.sampled_from(("", *FOLDERS)),
    st.sampled_from(NAMES),
    st.integers(min_value=40, max_value=300),
)
plans = st.builds(
    Plan,
    st.lists(
        documents, min_size=6, max_size=9, unique_by=lambda one: (one.folder, one.name)
    ).map(tuple),
    st.sampled_from(ROOTS),
    st.sampled_from([("",), ("", "fr"), ("en", "ca", "de"), ("", "1.x"), ("v1", "v2")]),
    st.sampled_from(SUFFIXES),
    *(st.booleans(), st.booleans(), st.booleans()),
    st.sampled_from([0, 40]),
    st.sampled_from([0, 3]),
    st.lists(
        st.tuples(st.sampled_from(LISTS), st.integers(1, 4), st.booleans()), max_size=3
    ).map(tuple),
)


@contextlib.contextmanager
def new_project() -> Iterator[Path]:
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        yield Path(folder)


def find_sources(site: RealisticSite) -> dict[str, str | None]:
    with new_project() as project:
        return site.find_sources(project)


@given(plans)
def test_each_page_has_its_own_document(plan: Plan) -> None:
    site = plan.build()
    with new_project() as project:
        assert site.wrong_sources(project) == {}


@given(plans, st.sampled_from(["a", "docs", "zzz", "website/content/en-source"]))
def test_the_name_of_the_folder_of_documents_makes_no_difference(
    plan: Plan, root: str
) -> None:
    """With another name, files are also read in another order."""
    found = find_sources(plan.build())
    renamed = find_sources(replace(plan, root=root).build())
    expected = {
        page: source and source.replace(f"{plan.root}/", f"{root}/", 1)
        for page, source in found.items()
    }
    assert renamed == expected


@given(
    plans,
    st.sampled_from(["notes", "docs", "a/b", "drafts/guide"]),
    st.sampled_from(NAMES),
    st.integers(min_value=0, max_value=300),
)
def test_an_unrelated_document_dates_no_page(
    plan: Plan, folder: str, name: str, words: int
) -> None:
    site = plan.build()
    found = find_sources(site)
    other = f"{folder}/{name}{plan.suffix}"
    if other not in site.files:
        site.files[other] = document("unrelated", words, title="Unrelated")
        assert find_sources(site) == found


@given(plans)
def test_pages_without_documents_have_no_date(plan: Plan) -> None:
    """Without its document, a page gets at most that of a page with the same text."""
    site = plan.build()
    removed = {source: site.files.pop(source) for source in [*site.files][::3]}
    for page, (source, *_) in site.right.items():
        if source in removed:
            text = removed[source]
            same = [name for name in site.files if site.files[name] == text]
            site.right[page] = (*same, None)
    with new_project() as project:
        assert site.wrong_sources(project) == {}
