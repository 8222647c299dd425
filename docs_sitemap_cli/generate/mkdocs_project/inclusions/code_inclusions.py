"""mkdocs-codeinclude: complete files in blocks between two comments.

Source: <https://github.com/rnorth/mkdocs-codeinclude-plugin>.
"""

import os
import re
from collections.abc import Iterator

from docs_sitemap.page import Source
from docs_sitemap_cli.generate.mkdocs_project.markdown_page import MarkdownPage

_START = "<!--codeinclude-->"
_END = "<!--/codeinclude-->"
_LINK = re.compile(r"^\s*\[[^\]\n]*\]\(([^()\n]+)\)", re.M)


def sources(page: MarkdownPage) -> Iterator[Source]:
    if page.project.plugin("codeinclude") is None:
        return
    folder = os.path.dirname(page.document)
    for text in page.texts:
        for block in text.split(_START)[1:]:
            links, end, _ = block.partition(_END)
            for name in _LINK.findall(links if end else ""):
                path = os.path.normpath(os.path.join(folder, name))
                if os.path.isfile(path):
                    yield Source(path)
