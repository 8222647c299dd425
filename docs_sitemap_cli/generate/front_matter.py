"""The settings of the sitemap, and the dates that authors set, in source files."""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from docs_sitemap.tools.front_matter import split_document

SETTINGS = "sitemap"
"""The key with the settings of the sitemap."""


def read_front_matter(data: bytes, lastmod_fields: Iterable[str]) -> Mapping[str, Any]:
    """Return the front matter of a document; empty if it is invalid, or contains
    neither settings nor dates.

    Args:
        data: The content of the document.
        lastmod_fields: The option with this name.
    """
    document = split_document(data.decode("utf-8", "replace"))
    keys = [SETTINGS]
    for name in lastmod_fields:
        keys.append(re.escape(name.partition(".")[0]))
    # Parsing YAML is slow, and most files contain no such key.
    if re.search(rf"^\[?(?:{'|'.join(keys)})\b", document.front_matter, re.M):
        with suppress(ValueError):  # The generator reports invalid front matter.
            return document.read_values()
    return {}


def read_overrides(front_matter: Mapping[str, Any]) -> object:
    """Return the settings of the sitemap in front matter; `None` if there are none."""
    settings = front_matter.get(SETTINGS) or None  # YAML has "" instead of null.
    if isinstance(settings, dict) and "disable" in settings:  # Hugo's own name
        settings = dict(settings)
        settings["exclude"] = settings.pop("disable")
    return settings
