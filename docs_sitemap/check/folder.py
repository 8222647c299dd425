"""The folder of a built site: the file that a URL opens, and the URL that the folder has."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import BinaryIO, NamedTuple
from urllib.parse import unquote_to_bytes

from docs_sitemap.check.files import open_file
from docs_sitemap.check.findings import Unusable
from docs_sitemap.check.locs import origin

_INDEX = "index.html"

# No site has its files deeper than this below the origin.
_MAX_SEGMENTS = 30


class Opened(NamedTuple):
    """What a URL opens.

    Attributes:
        file: the real file, relative to the folder and with `/` between its parts; `None` if
            there is none.
        is_outside: whether there is one, but a link leads out of the folder to it.
    """

    file: str | None
    is_outside: bool = False


class Folder:
    """The folder of a built site.

    Attributes:
        path: the folder, as the user named it.
        root: its real path.

    Args:
        path: the folder.
        chosen: the file in it that the user named, which may be a link to anywhere.
    """

    def __init__(self, path: str, chosen: str | None = None) -> None:
        self.path = path
        self.root = os.path.realpath(path)
        self._chosen = chosen

    def open_url(self, path: str) -> Opened:
        """Return the file that a static web server sends.

        Args:
            path: what follows the site's own URL, percent-encoded and without a query.
        """
        try:
            names = [_name(segment) for segment in path.split("/")]
        except ValueError:
            return Opened(None)
        own = os.path.join(self.root, *names)
        candidates = [own, f"{own}.html", os.path.join(own, _INDEX)]
        is_outside = False
        for candidate in candidates if names[-1] else [os.path.join(own, _INDEX)]:
            if _is_file(candidate):
                if (file := self._relative(candidate)) is not None:
                    return Opened(file)
                is_outside = True
        return Opened(None, is_outside)

    def open_below(self, base: str, url: str) -> Opened | None:
        """Return what an absolute URL opens if the folder is published at another, both in normal
        form; `None` if it is not below that.
        """
        path = url.partition("?")[0]
        return self.open_url(path.removeprefix(base)) if path.startswith(base) else None

    def holds(self, file: str) -> bool:
        """Whether a file, by its name relative to the folder, is in it, were it there."""
        return self._relative(os.path.normpath(os.path.join(self.root, file))) is not None

    def named(self, file: str) -> str:
        """Return what messages call a file of the folder."""
        return os.path.join(self.path, file)

    def open_file(self, file: str) -> BinaryIO:
        """Open a file by its name relative to the folder.

        Raises:
            Unusable: it cannot be read, or a link leads out of the folder to it.
        """
        path = os.path.join(self.root, file)
        if file != self._chosen and self._relative(path) is None:
            raise Unusable("outside-site", "a link leads from it out of the site")
        return open_file(path)

    def _relative(self, path: str) -> str | None:
        """Return the real path of a file relative to the folder, `None` if it is not in it."""
        folder, name = os.path.split(path)
        real = os.path.join(_real(folder), name)
        if os.path.islink(real):
            real = os.path.realpath(real)
        prefix = os.path.join(self.root, "")
        return real[len(prefix) :].replace(os.sep, "/") if real.startswith(prefix) else None

    def guess_url(self, urls: Sequence[str], *, share: float) -> str | None:
        """Return where the folder seems to be published, going by some URLs of a sitemap (in
        normal form): of the most common origin, the URL below which more than this share of them
        open files, or else the folder that all of them are in.
        """
        groups: dict[str, list[str]] = {}
        for url in urls:
            groups.setdefault(origin(url), []).append(url)
        guesses = [(group, *self._opening(group)) for group in groups.values()]
        if not guesses:
            return None
        group, opened, base = max(guesses, key=lambda guess: (len(guess[0]), guess[1]))
        return base if opened > len(group) * share else _common_folder(group)

    def _opening(self, urls: Sequence[str]) -> tuple[int, str]:
        """Return how many of some URLs open files below one URL, and that one."""
        opening: Counter[str] = Counter()
        for url in urls:
            path = url.partition("?")[0]
            start = path.index("/", len("https://"))
            for _ in range(_MAX_SEGMENTS):
                if self.open_url(path[start + 1 :]).file is not None:
                    opening[path[: start + 1]] += 1
                start = path.find("/", start + 1)
                if start < 0:
                    break
        # Any folder's own URL opens its index: of those that open as many, the shortest explains
        # the longest paths.
        best = max(opening, key=lambda prefix: (opening[prefix], -len(prefix)), default="")
        return opening[best], best


def _common_folder(urls: Sequence[str]) -> str:
    folders = [url.partition("?")[0].split("/")[:-1] for url in urls]
    common = []
    for names in zip(*folders, strict=False):
        if len({*names}) > 1:
            break
        common.append(names[0])
    return f"{'/'.join(common)}/"


# Files of one folder follow each other.
@lru_cache(maxsize=64)
def _real(folder: str) -> str:
    return os.path.realpath(folder)


def _name(segment: str) -> str:
    """Return the file name that a segment of a URL stands for.

    Raises:
        ValueError: it stands for none, or would lead elsewhere.
    """
    name = os.fsdecode(unquote_to_bytes(segment))
    separators = {"/", "\0", os.sep, os.altsep or "/"}
    if name in (".", "..") or not separators.isdisjoint(name):
        raise ValueError(name)
    if os.name == "nt" and ":" in name:
        raise ValueError(name)
    return name


def _is_file(path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False
