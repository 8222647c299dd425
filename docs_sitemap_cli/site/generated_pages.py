"""Generated pages, including the lists and indexes of Doxygen, Javadoc, and YARD."""

import re

from docs_sitemap.built.generated_pages import is_generated_page

# Doxygen also writes lists of everything in several orders, and a page for each source
# file.
_DOXYGEN = re.compile(
    r"(?:.*/)?(?:annotated|classes|files|hierarchy|inherits|pages|topics|modules|namespaces"
    r"|concepts|graph_legend|doxygen_crawl|(?:functions|globals|namespacemembers)(?:_\w+)?"
    r"|.*_source|.*-members|.*_8\w+_source|dir_[0-9a-f]{32}(?:_dep)?|search/.*)\.html"
)

# Before version 13, Javadoc does not name itself, and YARD never does. No other page
# has these names.
_LISTS = re.compile(
    r"(?:.*/)?(?:all(?:classes|packages)-(?:index|frame|noframe)|index-all"
    r"|index-files/index-\d+|(?:overview|package)-(?:tree|frame)|package-use|class-use/.*"
    r"|help-doc|_index|(?:class|method|file|tag)_list)\.html"
)
_JAVADOC = re.compile(
    r"(?:.*/)?(?:constant-values|search-tags|serialized-form|system-properties"
    r"|external-specs|(?:deprecated|new|preview|restricted)-list|src-html/.*)\.html"
)


def is_generated_by(file: str, generator: str) -> bool:
    """Return whether a generator wrote a page for navigation, or for URLs that do not
    exist.

    Args:
        file: The path of the HTML file below the folder of the site, with `/` as
            separator.
        generator: The generator, as the page names it; empty if it is unknown.
    """
    if is_generated_page(file) or _LISTS.fullmatch(file):
        return True
    if generator.startswith("javadoc"):
        return _JAVADOC.fullmatch(file) is not None
    return generator.startswith("Doxygen") and _DOXYGEN.fullmatch(file) is not None
