"""The languages of pages: names of locales, and their folders in URLs."""

from typing import NamedTuple

from docs_sitemap.sitemap.hreflang import check_hreflang
from docs_sitemap.tools.printing import shorten

# The scripts that names of locales contain as a modifier. Other modifiers have no tag.
_SCRIPTS = {"latin": "Latn", "cyrillic": "Cyrl", "devanagari": "Deva", "arabic": "Arab"}


class Locale(NamedTuple):
    """One language of a site.

    Attributes:
        code: The name of the language in the generator.
        path: The percent-encoded folder of the language in URLs; empty for the root of
            the site, and `None` for a folder that is named after the code.
        hreflang: The language tag.
    """

    code: str
    path: str | None
    hreflang: str


def to_hreflang(locale: str) -> str:
    """Return the language tag of a locale: `zh-CN` for `zh_CN`, `sr-Latn` for
    `sr@latin`, and `ca` for `ca@valencia`.

    Raises:
        ValueError: It has none. The message is the reason.
    """
    name, _, modifier = locale.partition("@")
    language, *others = name.replace("_", "-").split("-")
    if language.lower() == "x":  # x-default is no language.
        raise ValueError(f"{shorten(locale)} is not a language")
    if modifier.lower() in _SCRIPTS:
        others.insert(0, _SCRIPTS[modifier.lower()])
    check_hreflang("-".join([language, *others]))
    # https://www.rfc-editor.org/rfc/rfc5646#section-2.1.1
    cases = {2: str.upper, 4: str.title}
    tag = language.lower()
    for part in others:
        tag += f"-{cases.get(len(part), str.lower)(part)}"
    return tag


def find_folder(path: str, url: str) -> str:
    """Return the last folder in a URL that has the name of a locale, or a path with
    several folders; empty if there is none. Upper and lower case do not matter, and `_`
    is the same as `-`.
    """
    after_host = url.find("/", len("https://"))
    index = _folded(url).rfind(f"/{_folded(path)}/", after_host)
    if not path or index < 0:
        return ""
    return url[index + 1 :][: len(path)]


def _folded(name: str) -> str:
    return name.replace("_", "-").lower()
