"""The names of versions: which names are versions, which are pre-releases, and their order."""

from __future__ import annotations

import re
from functools import lru_cache

from packaging.version import InvalidVersion, Version

# What projects call the release that they recommend, in order of preference.
RELEASE_NAMES = ("stable", "latest", "current")
# What projects call a state that is not released, and the branches of such a state.
_UNRELEASED_NAMES = frozenset(
    (
        *("dev", "devel", "develop", "development", "nightly", "next", "edge", "unstable"),
        *("canary", "preview", "main", "master", "trunk", "head", "alpha", "beta"),
    )
)
_PREFIX = re.compile(r"(?:version|release|rel|ver|v)?[-_. ]?(?=[0-9])", re.I)
# `2.x` is the newest version that starts with 2.
_ANY_PART = re.compile(r"\.[x*](?=\Z|[-_.])", re.I)
_ANY_NUMBER = ".999999"
# What Java projects call the development version.
_SNAPSHOT = re.compile(r"[-.]snapshot\Z", re.I)


@lru_cache(maxsize=4_096)
def parse_version(name: str) -> Version | None:
    """Return the version that a name such as `2.0`, `v2.0rc1`, or `2.x` represents; `None` if it
    represents none.
    """
    start = _PREFIX.match(name)
    if start is None:
        return None
    try:
        number = _SNAPSHOT.sub(".dev0", name[start.end() :])
        return Version(_ANY_PART.sub(_ANY_NUMBER, number))
    except InvalidVersion:
        return None


def is_version_name(name: str) -> bool:
    """Return whether a folder of this name probably contains a version."""
    return (
        parse_version(name) is not None
        or name.lower() in RELEASE_NAMES
        or name.lower() in _UNRELEASED_NAMES
    )


def is_prerelease(name: str) -> bool:
    """Return whether a version is not released: a pre-release, or a branch of the development."""
    version = parse_version(name)
    if version is not None:
        return version.is_prerelease
    return name.lower() in _UNRELEASED_NAMES


def version_order(name: str) -> tuple[bool, bool, Version, str]:
    """Return a key that sorts names: other names, then pre-releases, then released versions."""
    version = parse_version(name)
    is_released = version is not None and not version.is_prerelease
    return is_released, version is not None, version or Version("0"), name
