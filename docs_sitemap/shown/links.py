"""Links within the site, compared by the page that they lead to.

If a page moves, the links to it have to follow, and so do its own links. None of this
is a change of content.
"""

from __future__ import annotations

import re

# The target of a link within the site: no scheme, and no host.
_OTHER_SITE = r"[\w+.-]+:|//"
_TARGET = rf"(?!{_OTHER_SITE})([^\s()<>\"'`]+)"
_ROLE = r":(?:doc|download):`(?:[^`<\n]*<)?"
_MYST_ROLE = r"\{(?:doc|download)\}`(?:[^`<\n]*<)?"
# In documents, where code can contain the same characters. At other characters, nothing
# is tried.
_MARKDOWN = re.compile(
    r"(?=[]\[ hs{])(\]\(<?|^ {0,3}\[[^\]\n]+\]:[ ]*<?|\b(?:href|src)=[\"']|"
    rf"{_MYST_ROLE}){_TARGET}",
    re.M,
)
_RST = re.compile(
    rf"({_ROLE}|<|\.\. (?:_[^:\n]{{1,99}}:|(?:image|figure)::) ){_TARGET}"
)
_PAGE_SUFFIX = re.compile(r"\.(?:md|markdown|rst|ipynb|html?)\Z")
_FOLDER_PAGES = ("", ".", "..", "index", "_index", "README")


def name_links(text: str, suffix: str) -> str:
    """Return some lines of a document with only the name of the page in each link. Code
    that looks like a link changes, too.

    Args:
        text: The lines.
        suffix: The suffix of the document, `.md` or `.rst`.
    """
    pattern = _RST if suffix == ".rst" else _MARKDOWN
    return pattern.sub(_name_link, text)


def name_target(target: str) -> str:
    """Return the name of the page that a link leads to: the last one in its path that
    is not the name of an index, with the fragment of a file that is no page. A target
    on another site is returned as it is.
    """
    if re.match(_OTHER_SITE, target):
        return target
    path, mark, fragment = target.partition("#")
    for name in reversed(path.split("/")):
        stem = _PAGE_SUFFIX.sub("", name)
        if stem in _FOLDER_PAGES:
            continue
        if "." in stem and stem == name:
            return stem + mark + fragment  # an image can be `#only-dark`
        return stem
    return ""


def _name_link(link: re.Match[str]) -> str:
    start, target = link.groups()
    return f"{start}{name_target(target)}"
