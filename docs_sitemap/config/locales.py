"""The languages of a site, and their folders in URLs."""

from typing import NamedTuple


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
