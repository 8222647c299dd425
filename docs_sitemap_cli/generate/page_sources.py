"""The sources of a page, with the files that they include, and the settings in their
front matter.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from hashlib import sha256
from typing import Any

from docs_sitemap.config.options import OPTION_NAMES
from docs_sitemap.git.commits import CommitReader
from docs_sitemap.git.run import GitError
from docs_sitemap.page import Page, Source, SourceRole, SourceRule
from docs_sitemap.sitemap.urls import is_index, strip_index
from docs_sitemap.tools.front_matter import split_document
from docs_sitemap.tools.printing import shorten

from .built_files import BuiltFile
from .mkdocs_project.page_parts import PageParts
from .sources.edit_links import LinkedFile
from .sources.includes import Includes
from .sources.path_names import DOCUMENT, is_usual
from .sources.source_rules import SourceRules

# The key with the settings of the sitemap.
_SETTINGS = "sitemap"


class PageSources:
    """Adds sources to pages.

    Args:
        rules: The rules that find the sources.
        reader: Reads the files of other branches.
        lastmod_fields: The option with this name.
        parts: Finds what pages of Zensical or MkDocs contain; `None` if another
            generator built the site.
    """

    def __init__(
        self,
        rules: SourceRules,
        reader: CommitReader,
        lastmod_fields: Sequence[str],
        parts: PageParts | None,
    ) -> None:
        self._rules = rules
        self._project = rules.project
        self._reader = reader
        self._lastmod_fields = lastmod_fields
        self._parts = parts
        self._includes_at = cache(self._read_includes)

    def add_to(self, page: Page, file: BuiltFile) -> Page:
        """Return a page with its sources, and with the settings in the front matter of
        its only source.

        Args:
            page: The page.
            file: Its HTML file.
        """
        if file.links.elsewhere is not None and not self._rules.find_mapped(file):
            page = page._replace(found_by=SourceRule.EDIT_LINK)
            return self._add_document(page, file.links.elsewhere)
        rule, paths = self._rules.sources_of(file)
        if rule is None:
            page = page._replace(no_source=self._rules.explain_missing(file))
        page = page._replace(found_by=rule)
        # A page about a module shows nothing of what the module imports.
        is_linked = rule is SourceRule.SOURCE_LINKS and not DOCUMENT.search(paths[0])
        is_found = rule in (SourceRule.PATH, SourceRule.WORDS)
        is_code = is_found and not is_usual(paths[0])
        if len(paths) != 1 or is_linked or is_code:
            sources = [Source(self._project.absolute(path)) for path in paths]
            return page._replace(sources=tuple(sources))
        page = self._add_own_document(page, paths[0])
        if rule is SourceRule.WORDS:
            shared_words = self._rules.share_shown(file, paths[0])
            page = page._replace(shared_words=shared_words)
        front_matter = self._read_front_matter(paths[0])
        overrides = _read_overrides(front_matter)
        return page._replace(overrides=overrides, front_matter=front_matter)

    def _add_own_document(self, page: Page, path: str) -> Page:
        """Return a page with its document in the work tree, and with what this document
        includes.
        """
        document = self._project.absolute(path)
        if self._parts is None or not self._parts.knows(document):
            return self._add_document(page, LinkedFile(path))
        page = self._parts.add_to(page, document)
        return page._replace(unknown_because=_add_fix(page.unknown_because))

    def _read_front_matter(self, path: str) -> Mapping[str, Any]:
        """Return the front matter of a document, as far as the sitemap needs it."""
        if self._parts is not None:
            metadata = self._parts.read_metadata(self._project.absolute(path))
            if metadata is not None:
                return metadata
        data = self._project.read_file(path)
        return _read_front_matter(data, self._lastmod_fields)

    def _add_document(self, page: Page, document: LinkedFile) -> Page:
        """Return a page with its document, and with what this document includes."""
        path, ref = document
        try:
            included = self._includes_at(ref).included_by(path)
        except GitError:
            reason = (
                f"its edit link leads to the branch {shorten(ref)}, which is not "
                "completely in this clone. Fix: fetch this branch"
            )
            return page._replace(sources=None, unknown_because=reason)
        ref = self._project.refs.get(ref, "")
        document_path = self._project.absolute(path)
        sources = [Source(document_path, SourceRole.DOCUMENT, ref=ref)]
        for file in included.files:
            sources.append(Source(self._project.absolute(file), ref=ref))
        unknown = _add_fix(included.unknown_because)
        return page._replace(sources=tuple(sources), unknown_because=unknown)

    def _read_includes(self, ref: str) -> Includes:
        """Return what files include on a branch or tag; without one, in the work
        tree.
        """
        if not ref:
            return self._rules.documents.includes
        return Includes(self._project.at(ref), partial(self._read_blob, ref))

    def _read_blob(self, ref: str, path: str) -> bytes:
        """Return the content of a file on a branch or tag.

        Raises:
            GitError: Git cannot read it.
        """
        blob = self._project.files_at(ref).get(path, "").encode()
        contents = self._reader.contents([blob]) if blob else {}
        if blob not in contents:
            raise GitError(f"git cannot read {path}")
        return contents[blob]


def _add_fix(unknown_because: str) -> str:
    """Return why sources are unknown, with the fix."""
    if not unknown_because:
        return ""
    return f"{unknown_because}. Fix: add its sources to {OPTION_NAMES['dependencies']}"


def connect_copies(pages: dict[str, Page], files: Iterable[BuiltFile]) -> None:
    """Connect an index page and the only page below its folder that has its title,
    language, and text: mdBook writes the first chapter twice. Both have the same
    sources, and the index page is listed, because readers and other sites link to it.

    Args:
        pages: The pages by their files.
        files: The files.
    """
    same = defaultdict[tuple[str, str, bytes], list[str]](list)
    for file in files:
        if file.text.groups:
            text = sha256(file.text.groups).digest()
            same[file.head.title, file.head.language, text].append(file.name)
    for names in same.values():
        names.sort(key=lambda name: (not is_index(name), len(name)))
        index, *others = names
        if len(others) != 1 or not is_index(index):
            continue
        other = others[0]
        if not other.startswith(strip_index(index)):
            continue
        for name, source in ((index, other), (other, index)):
            copy = pages[source]
            if pages[name].found_by is None and copy.sources:
                pages[name] = pages[name]._replace(
                    sources=copy.sources,
                    unknown_because=copy.unknown_because,
                    found_by=SourceRule.WORDS,
                )
        if not is_index(other):
            pages[other] = pages[other]._replace(original=pages[index].name)


def _read_front_matter(data: bytes, lastmod_fields: Iterable[str]) -> Mapping[str, Any]:
    """Return the front matter of a document; empty if it is invalid, or contains
    neither settings nor dates.

    Args:
        data: The content of the document.
        lastmod_fields: The option with this name.
    """
    document = split_document(data.decode("utf-8", "replace"))
    keys = [_SETTINGS]
    for name in lastmod_fields:
        keys.append(re.escape(name.partition(".")[0]))
    # Parsing YAML is slow, and most files contain no such key.
    if re.search(rf"^\[?(?:{'|'.join(keys)})\b", document.front_matter, re.M):
        with suppress(ValueError):  # The generator reports invalid front matter.
            return document.read_values()
    return {}


def _read_overrides(front_matter: Mapping[str, Any]) -> object:
    """Return the settings of the sitemap in front matter; `None` if there are none."""
    settings = front_matter.get(_SETTINGS) or None  # YAML has "" instead of null.
    if isinstance(settings, dict) and "disable" in settings:  # Hugo's own name
        settings = dict(settings)
        settings["exclude"] = settings.pop("disable")
    return settings
