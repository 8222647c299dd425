"""The extensions of the protocol for images, videos, and news: their elements and values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from docs_sitemap.sitemap.hreflang import check_hreflang
from docs_sitemap.sitemap.protocol import XHTML_NAMESPACE, parse_w3c_datetime
from docs_sitemap.sitemap.urls import require_url

# Raises ValueError if a value is invalid. The message is the reason.
_Check = Callable[[str], object]

# https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps: images of an
# entry; https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap: articles
# of a sitemap.
MAX_ELEMENTS = 1_000


@dataclass(frozen=True)
class Extension:
    """An extension, whose outer element has the name of its usual prefix, such as `image:image`.

    Attributes:
        name: The name of the outer element, and the usual prefix.
        namespace: The namespace.
        required: The elements that are required. Of several in a tuple, one is enough. The element
            `a/b` is in the element `a`.
        values: The elements whose values are checked.
    """

    name: str
    namespace: str
    required: tuple[tuple[str, ...], ...]
    values: Mapping[str, _Check]

    def tag(self, path: str) -> str:
        """Return the start tag of an element for messages."""
        return f"<{self.name}:{path.rpartition('/')[2]}>"

    @cached_property
    def paths(self) -> Set[str]:
        """Return the elements whose values are used."""
        return {*chain.from_iterable(self.required), *self.values}

    @cached_property
    def groups(self) -> Set[str]:
        """Return the elements that contain such elements."""
        return {path.partition("/")[0] for path in self.paths if "/" in path}


def _check_video_url(text: str) -> None:
    # https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps: HTTP and
    # FTP are supported.
    require_url(re.sub("^ftp:", "http:", text, flags=re.I))


def _check_date(text: str) -> None:
    parse_w3c_datetime(text)
    if len(text) < len("2026-05-31"):
        raise ValueError("it is not a complete date")


def _check_language(text: str) -> None:
    if not re.fullmatch("[a-z]{2,3}|zh-(?:cn|tw)", text, re.I):
        raise ValueError("it is not a language of ISO 639, zh-cn, or zh-tw")
    check_hreflang(text)


def _check(is_valid: Callable[[str], bool], reason: str) -> _Check:
    def check(text: str) -> None:
        if not is_valid(text):
            raise ValueError(reason)

    return check


def _check_number(form: str, lowest: float, highest: float) -> _Check:
    return _check(
        lambda text: bool(re.fullmatch(form, text)) and lowest <= float(text) <= highest,
        f"it is not a number from {lowest:,} to {highest:,}",
    )


def _check_length(limit: int) -> _Check:
    return _check(lambda text: len(text) <= limit, f"it has more than {limit:,} characters")


_YES_NO = _check(lambda text: text.lower() in ("yes", "no"), "it is not yes or no")

EXTENSIONS = {
    extension.namespace: extension
    for extension in (
        # https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps
        Extension(
            "image",
            "http://www.google.com/schemas/sitemap-image/1.1",
            required=(("loc",),),
            values={"loc": require_url},
        ),
        # https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps
        Extension(
            "video",
            "http://www.google.com/schemas/sitemap-video/1.1",
            required=(
                ("thumbnail_loc",),
                ("title",),
                ("description",),
                ("content_loc", "player_loc"),
            ),
            values={
                "thumbnail_loc": _check_video_url,
                "content_loc": _check_video_url,
                "player_loc": _check_video_url,
                "duration": _check_number("[0-9]+", 1, 28_800),
                "rating": _check_number(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+", 0.0, 5.0),
                "publication_date": _check_date,
                "expiration_date": _check_date,
                "description": _check_length(2_048),
                "uploader": _check_length(255),
                "family_friendly": _YES_NO,
                "requires_subscription": _YES_NO,
                "live": _YES_NO,
            },
        ),
        # https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
        Extension(
            "news",
            "http://www.google.com/schemas/sitemap-news/0.9",
            required=(
                ("publication/name",),
                ("publication/language",),
                ("publication_date",),
                ("title",),
            ),
            values={"publication/language": _check_language, "publication_date": _check_date},
        ),
    )
}

# The usual prefixes and their namespaces.
_NAMESPACES = {"xhtml": XHTML_NAMESPACE} | {one.name: one.namespace for one in EXTENSIONS.values()}

# Namespaces that are often written instead, for example with https, a slash at the end, or another
# version.
_SIMILAR_NAMESPACE = re.compile(
    r"""https?://(?:www\.)?
        (?: google\.com/schemas/sitemap-(?P<name>image|video|news)\b
        |   w3\.org/(?:1999|TR)/(?P<xhtml>xhtml) )""",
    re.I | re.X,
)


def is_known_element(namespace: str, local: str) -> bool:
    """Return whether readers of sitemaps know an element of another namespace."""
    return namespace in EXTENSIONS or (namespace == XHTML_NAMESPACE and local == "link")


def intended_namespace(namespace: str, local: str, prefix: str) -> str | None:
    """Return the namespace that was probably intended for an element; `None` if the namespace is
    correct, or has another purpose.
    """
    match = _SIMILAR_NAMESPACE.match(namespace)
    if match is not None and match["name"]:
        intended = _NAMESPACES[match["name"].lower()]
    elif local == "link" and (match is not None or prefix == "xhtml"):
        intended = XHTML_NAMESPACE
    elif local == prefix and prefix in _NAMESPACES:
        intended = _NAMESPACES[prefix]
    else:
        return None
    return None if namespace == intended else intended
