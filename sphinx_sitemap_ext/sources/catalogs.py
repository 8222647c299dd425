"""Which message catalogs translate messages of a document."""

import gettext
import os
import struct
from collections.abc import Iterable
from functools import lru_cache
from io import BytesIO

from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util.i18n import docname_to_domain
from sphinx.util.nodes import extract_messages

from docs_sitemap.tools.files import MAX_TEXT, read_regular

from .noted_files import current_notes


class NoteTranslations(SphinxTransform):
    """Notes the catalogs that translate messages of a document, as sources of the
    document.

    One catalog can contain the messages of many documents, and may translate only some
    of them. Sphinx reads compiled catalogs. They contain no untranslated, obsolete, or
    fuzzy messages unless the project wants them.
    """

    # After Sphinx saves the messages of the document, and before it translates them:
    # https://github.com/sphinx-doc/sphinx/blob/v8.2.3/sphinx/transforms/i18n.py
    default_priority = 15

    def apply(self, **kwargs: object) -> None:
        domain = docname_to_domain(self.env.docname, self.config.gettext_compact)
        catalogs: list[str] = []
        for folder in self.config.locale_dirs:
            path = os.fspath(self.env.srcdir / folder)
            catalogs += gettext.find(domain, path, [self.config.language], all=True)
        if not catalogs:
            return
        notes = current_notes(self.env)
        texts = set()
        for node, text in extract_messages(self.document):
            # What only the navigation shows is not content.
            if not isinstance(node, addnodes.toctree) or not node["hidden"]:
                texts.add(text)
        messages = tuple(sorted(texts))
        document = os.fspath(self.env.doc2path(self.env.docname))
        # Notebooks contain Markdown.
        suffix = ".md" if document.endswith((".md", ".markdown", ".ipynb")) else ".rst"
        for path in catalogs:
            if not _translates(path, messages):
                continue
            source = path.removesuffix(".mo") + ".po"
            if not os.path.isfile(source):
                notes.add_source(path)
                continue
            notes.add_source(source)
            # The core ignores fuzzy translations, so if Sphinx shows them, any change
            # counts.
            if not self.config.gettext_allow_fuzzy_translations:
                # A translation that is removed or added is a change, too.
                notes.messages[os.path.abspath(source)] = (suffix, *messages)


def _translates(path: str, messages: Iterable[str]) -> bool:
    """Return whether a catalog translates any of the messages."""
    catalog = _read_catalog(path, os.stat(path).st_mtime_ns)
    for message in messages:
        if catalog.gettext(message).strip() not in ("", message.strip()):
            return True
    return False


@lru_cache(maxsize=32)
def _read_catalog(path: str, mtime: int) -> gettext.NullTranslations:
    try:
        return gettext.GNUTranslations(BytesIO(read_regular(path, MAX_TEXT)))
    except (OSError, ValueError, struct.error):
        return gettext.NullTranslations()  # Sphinx ignores damaged catalogs, too.
