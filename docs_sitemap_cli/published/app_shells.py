"""Empty pages that an application fills: for URLs that have no page of their own, or
while there is no network.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress

from docs_sitemap.sitemap.urls import INDEX_FILE

from .page import BuiltPage, read_page

# Of hosts, React Router, Angular, TanStack, and plugins of Gatsby.
_FALLBACK = re.compile(
    r"(?:.*/)?(?:200|spa|index\.csr|(?:[\w.-]*[_.-])?(?:fallback|shell))(?:/index)?\.html"
)


def find_shells(root: str, files: Iterable[str]) -> set[str]:
    """Return the HTML files of a site that have no text before their scripts run, and
    that are a fallback by their names, or equal to others. The home page is none.

    Args:
        root: The absolute path of the site.
        files: The paths of its HTML files.
    """
    # Only files of one size can be equal, and most pages are never parsed.
    by_size: defaultdict[int, list[str]] = defaultdict(list)
    for file in files:
        with suppress(OSError):
            by_size[os.path.getsize(os.path.join(root, file))].append(file)
    shells: set[str] = set()
    for names in by_size.values():
        by_content: defaultdict[bytes, list[str]] = defaultdict(list)
        for file in names:
            if len(names) > 1 or _FALLBACK.fullmatch(file):
                with suppress(OSError):
                    by_content[read_page(os.path.join(root, file)).raw].append(file)
        for data, equal in by_content.items():
            is_fallback = len(equal) > 1 or _FALLBACK.fullmatch(equal[0])
            if is_fallback and BuiltPage(data).needs_scripts:
                shells.update(equal)
    return shells - {INDEX_FILE}
