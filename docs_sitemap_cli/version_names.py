"""Names of versions: whether a name is one, and which version is newer."""

import re

from packaging.version import Version

# Common names of the recommended release, the most common first.
RELEASE_NAMES = ("stable", "latest", "current")
_OTHER_RELEASE_NAMES = {"lts"}
# What projects call a state that is not released, and the branches of such a state.
_UNRELEASED_NAMES = {
    "dev",
    "devel",
    "develop",
    "development",
    "nightly",
    "next",
    "edge",
    "unstable",
    "canary",
    "preview",
    "main",
    "master",
    "trunk",
    "head",
    "alpha",
    "beta",
}
_PREFIX = re.compile(r"(?:version|release|rel|ver|v)?[-_. ]?(?=[0-9])", re.I)
# `2.x` is the newest version that starts with 2.
_ANY_PART = re.compile(r"\.[x*](?=\Z|[-_.])", re.I)
_ANY_NUMBER = ".999999"
_NUMBER = re.compile("([0-9]+)")
# What Java projects call the development version.
_SNAPSHOT = re.compile(r"[-.]snapshot\Z", re.I)


def is_version_name(name: str) -> bool:
    """Return whether a folder of this name probably contains a version."""
    return is_release_name(name) or name.lower() in _UNRELEASED_NAMES


def is_release_name(name: str) -> bool:
    """Return whether a name is a number, such as `2.0` or `v2.0rc1`, or what projects
    call a release, such as `stable`.
    """
    lowered = name.lower()
    if lowered in RELEASE_NAMES or lowered in _OTHER_RELEASE_NAMES:
        return True
    return _parse(name) is not None


def is_prerelease(name: str) -> bool:
    """Return whether a version is not released: a pre-release, or a branch of the
    development.
    """
    version = _parse(name)
    if version is None:
        return name.lower() in _UNRELEASED_NAMES
    return version.is_prerelease


def version_order(name: str) -> tuple[bool, Version, list[str | int]]:
    """Return a key that sorts names: other names, then pre-releases, then released
    versions. Other names are sorted as text, and the numbers in them as numbers.
    """
    # Other names are sorted before all pre-releases.
    version = _parse(name) or Version("0.dev0")
    parts: list[str | int] = [*_NUMBER.split(name)]
    parts[1::2] = map(int, parts[1::2])
    return not version.is_prerelease, version, parts


def _parse(name: str) -> Version | None:
    """Return the version that a name such as `2.0`, `v2.0rc1`, or `2.x` represents;
    `None` if it represents none.
    """
    start = _PREFIX.match(name)
    if start is None:
        return None
    try:
        number = _SNAPSHOT.sub(".dev0", name[start.end() :])
        return Version(_ANY_PART.sub(_ANY_NUMBER, number))
    except ValueError:  # Python reads no number of thousands of digits.
        return None
