"""The sitemap settings of a document: fields at its start, or front matter in MyST."""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from docs_sitemap.config.parsers import parse_bool

_PREFIX = "sitemap-"


def read_front_matter(metadata: Mapping[Any, object]) -> dict[str, object]:
    """Return the file-wide metadata of a document. All values are text, except for the
    mappings of MyST.
    """
    values = {}
    for name, value in metadata.items():
        if isinstance(value, str) and (value == "null" or value.startswith("{")):
            with suppress(ValueError, RecursionError):  # It is text.
                value = json.loads(value)
        values[str(name)] = value
    return values


def read_overrides(front_matter: Mapping[str, object]) -> object:
    """Return the settings of a document, not yet validated.

    `sitemap` is a boolean or, from MyST, a mapping. Fields such as `sitemap-priority`
    set one value each.
    """
    entry = front_matter.get("sitemap")
    fields = {}
    for name, value in front_matter.items():
        if name.startswith(_PREFIX):
            fields[name.removeprefix(_PREFIX)] = value
    if not fields:
        return entry
    if entry is None:
        return fields
    if isinstance(entry, dict):
        return entry | fields
    with suppress(ValueError):
        return {"exclude": not parse_bool(entry)} | fields
    return entry
