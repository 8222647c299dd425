"""The front matter of source files that may set a URL, or values of the sitemap."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from docs_sitemap.tools.files import open_regular
from docs_sitemap.tools.front_matter import split_document

# In bytes: the rest of a file with longer front matter is not read.
_MAX_START = 2**16

# Parsing YAML is slow, and most files set none of these.
_WANTED = ("sitemap", "slug", "permalink", "url", "id")


def read_front_matter(path: str, fields: Iterable[str] = ()) -> Mapping[str, Any]:
    """Return the front matter of a file; empty if there is none, if it is invalid, or
    if it contains nothing about the URL or the sitemap.

    Args:
        path: The absolute path of the file.
        fields: The option `lastmod_fields`.
    """
    keys = [name.partition(".")[0] for name in fields]
    names = "|".join(map(re.escape, [*_WANTED, *keys]))
    wanted = re.compile(rf"^(?:\[)?(?:{names})\b", re.M)
    try:
        with open_regular(path) as file:
            text = file.read(_MAX_START).decode("utf-8", "replace")
        document = split_document(text)
        if wanted.search(document.front_matter):
            return document.read_values()
    # The generator reports invalid front matter.
    except (OSError, ValueError):
        pass
    return {}
