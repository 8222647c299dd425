"""Pages that are not for readers, by the paths of their files: those that generators
write for their own use, and proofs of who owns the site.
"""

import re

from docs_sitemap.sitemap.urls import PAGE_SUFFIX, strip_index

_HTML = r"(?:/index)?\.x?html?"
# The folder of a language at the top of a site.
_LANGUAGE = r"(?:[a-z]{2}(?:[-_]\w{2,4})?/)?"

# Error pages at the top of the site and of languages. In other folders, such a page may
# describe the error.
_ERROR = re.compile(rf"{_LANGUAGE}404{_HTML}", re.I)

_SEARCH = re.compile(rf"{_LANGUAGE}search{_HTML}", re.I)

# Indexes, later pages of lists, and copies of sources.
_GENERATED = re.compile(
    rf"(?:.*/)?(?:genindex(?:-\w*)?|(?:[\w-]*-)?modindex|page/\d+){_HTML}"
    r"|(?:.*/)?_(?:modules|static|sources|images|downloads)/.*",
    re.S,
)


# Proofs of who owns the site, for Google, Yandex, Pinterest, Naver, Baidu, Mail.ru, and
# ByteDance. Their names have at least a part that no author writes.
_PROOF = re.compile(
    r"(?:google[0-9a-f]{16}|yandex_[0-9a-f]{16}|pinterest-[0-9a-f]{5,32}"
    r"|naver[0-9a-f]{32}|baidu_verify_\w+(?:-\w+)*|(?:wmail_|mailru-verification)[0-9a-f]+"
    r"|ByteDanceVerify)\.html"
)


def is_error_page(file: str) -> bool:
    """Return whether a file is shown for URLs that do not exist."""
    return _ERROR.fullmatch(file) is not None


def is_search_page(file: str) -> bool:
    """Return whether a file has the name of the search page of a site."""
    return _SEARCH.fullmatch(file) is not None


def is_generated_page(file: str) -> bool:
    """Return whether a page is for navigation or for URLs that do not exist, or proves
    who owns the site.

    Args:
        file: The path of the HTML file below the folder of the site, with `/` as
            separator.
    """
    if is_error_page(file) or is_search_page(file):
        return True
    return bool(_PROOF.fullmatch(file) or _GENERATED.fullmatch(file))


def is_generated_pattern(pattern: str) -> bool:
    """Return whether a pattern of pages names such a page, or their folder."""
    name = PAGE_SUFFIX.sub("", strip_index(pattern)).strip("*/")
    return is_generated_page(f"{name}/index.html")
