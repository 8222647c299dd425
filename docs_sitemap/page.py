"""What a generator integration provides: pages, and their sources."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from .built.verdict import Head
from .diagnostics import Described
from .shown import COMPLETE_FILE, Shown


class SourceRole(StrEnum):
    """Why a file is a source of a page."""

    DOCUMENT = "document"
    PART = "part"
    NAMED = "named"


class SourceRule(Described):
    """How the sources of a page are found in the site of any generator. The first rule
    wins.
    """

    MAPPING = "mapping", "your configuration"
    MARKDOWN_FILE = "markdown-file", "its Markdown file"
    OWN_FILE = "own-file", "its own file in git"
    GENERATOR_DATA = "generator-data", "the data of the generator"
    EDIT_LINK = "edit-link", "its edit link"
    WORDS = "words", "its words"
    PATH = "path", "its path"
    SOURCE_LINKS = "source-links", "its source links"


class NoSource(msgspec.Struct, frozen=True):
    """Why no source was found for a page, if only the built site is known.

    Attributes:
        candidates: The files that fit best: one that does not fit well enough, or two
            that fit equally well; empty if no file is similar.
        score: How much text the page and the best one have in common, from 0 to 1; 0
            if one of them has not enough words to tell.
        is_list: Whether the page repeats other pages, as lists of pages do.
    """

    candidates: tuple[str, ...] = ()
    score: float = 0
    is_list: bool = False

    @property
    def is_tied(self) -> bool:
        """Whether two files fit equally well."""
        return len(self.candidates) > 1

    def describe(self) -> str:
        """Return the reason in one line."""
        if self.is_list:
            return "it repeats other pages, as lists do"
        if self.is_tied:
            return f"{' and '.join(self.candidates)} fit it equally well"
        if self.candidates and not self.score:
            return f"too few words to compare with {self.candidates[0]}"
        if self.candidates:
            file = self.candidates[0]
            return f"not enough evidence for {file}, score {self.score:.2f}"
        return "no file in git is similar"


class Source(NamedTuple):
    """A source file of a page.

    Attributes:
        path: The absolute path.
        role: `document` for the page's own file, `part` for a file that the page
            includes or documents, and `named` for a file of the option `dependencies`.
        shows: What the page shows of the file. Other changes to the file have no
            effect.
        is_optional: Whether the file is ignored if it is not in git.
        ref: The branch or tag whose history dates the file, if it is not the one of the
            options.
    """

    path: str
    role: SourceRole = SourceRole.PART
    shows: Shown = COMPLETE_FILE
    is_optional: bool = False
    ref: str = ""


class Page(NamedTuple):
    """One page that the generator built.

    Attributes:
        url: The URL relative to the base URL, percent-encoded; `""` is the home page.
        name: The name in messages and patterns, such as the path of the source file.
        output: The absolute path of the HTML file. A page is excluded if this file does
            not exist or its `<head>` rules out indexing. `None` skips both checks.
        sources: The source files; the newest commit to one of them dates the page.
            `None` if not all of them are known: the page then has no date.
        overrides: What the page sets for the sitemap, not yet validated: `False`
            excludes the page, `True` includes it, and a mapping sets `lastmod`,
            `changefreq`, `priority`, `exclude`, `dependencies`, and
            `ignore-dependencies`.
        front_matter: The front matter or metadata, where `lastmod_fields` finds dates.
        generator_page: Whether the page only serves navigation, such as a 404 or search
            page or page 2 of a list. It is excluded unless `overrides` or the option
            `include` lists it.
        is_fragment: Whether the HTML file has no title and is not a complete document
            with text. It is excluded like a generator page.
        is_shell: Whether the HTML file has no text before its scripts run, and is the
            fallback of an application, or equal to others. It is excluded like a
            generator page.
        canonicals: The canonical links that the generator itself writes. They do not
            exclude the page, even if they are incorrect.
        is_translated: False for an untranslated copy of a page, which is excluded.
        ran_code: The plugins, directives, or hooks that ran code for the page, as users
            know them. The code may have read files that are not sources.
        unknown_because: Why not all sources are known, in one line. The page has a date
            only if the user adds the others to `dependencies`.
        found_by: The rule that found the sources, if only the built site is known.
        no_source: Why no rule found any; `None` if it is not known.
        shared_words: The share of the words of the source that are on the page, if only
            they show that it is the source.
        head: What the head of the HTML file declares, if it has been read before.
        original: The name of the index page with the same content, which is listed in
            its place; `None` if there is none.
    """

    url: str
    name: str
    output: str | None = None
    sources: tuple[Source, ...] | None = ()
    overrides: object = None
    front_matter: Mapping[str, object] = MappingProxyType({})
    generator_page: bool = False
    is_fragment: bool = False
    is_shell: bool = False
    canonicals: frozenset[str] = frozenset()
    is_translated: bool = True
    ran_code: tuple[str, ...] = ()
    unknown_because: str = ""
    found_by: SourceRule | None = None
    no_source: NoSource | None = None
    shared_words: float | None = None
    head: Head | None = None
    original: str | None = None

    @property
    def document(self) -> str | None:
        """The absolute path of the page's own source file; `None` if it has none."""
        for source in self.sources or ():
            if source.role is SourceRole.DOCUMENT:
                return source.path
        return None
