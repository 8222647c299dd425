"""What pages show of the files of Material's meta plugin, which add to the front matter
of all pages in a folder.
"""

from collections.abc import Iterator
from contextlib import suppress

from docs_sitemap.page import Source
from docs_sitemap.shown import COMPLETE_FILE, Shown, ShownKind
from docs_sitemap.shown.front_matter import FrontMatterKeys, names_in_jinja
from docs_sitemap.tools.files import read_text_file
from docs_sitemap.tools.front_matter import SplitDocument


def meta_sources(path: str, document: str, keys: FrontMatterKeys) -> Iterator[Source]:
    """Yield such a file, if a page shows anything of it.

    Args:
        path: The absolute path of the file.
        document: The text of the document of the page.
        keys: Decides which keys of front matter the pages show.
    """
    with suppress(OSError, ValueError):
        text = read_text_file(path, "strict")
        names = SplitDocument(text, "").read_values().keys()
        if names & names_in_jinja(document):
            yield Source(path, shows=COMPLETE_FILE)
        elif any(map(keys.shows, names)):
            yield Source(path, shows=Shown(ShownKind.TEXT))
