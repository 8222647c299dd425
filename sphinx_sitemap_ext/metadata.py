"""The sitemap settings of a document: fields at its start, or front matter in MyST."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from docs_sitemap.values import parse_bool

_PREFIX = "sitemap-"


def read_overrides(metadata: Mapping[Any, object]) -> object:
    """Return the settings in the file-wide metadata of a document, not yet validated.

    `sitemap` is a boolean or, from MyST, a mapping in JSON. Fields such as `sitemap-priority` set
    one value each. All values are text.
    """
    entry = _parse_json(metadata.get("sitemap"))
    fields = {
        name.removeprefix(_PREFIX): _parse_json(value)
        for name, value in metadata.items()
        if isinstance(name, str) and name.startswith(_PREFIX)
    }
    if not fields:
        return entry
    if entry is None:
        return fields
    if isinstance(entry, dict):
        return entry | fields
    try:
        return {"exclude": not parse_bool(entry)} | fields
    except ValueError:
        return {"exclude": entry} | fields  # The core reports the invalid value.


def _parse_json(value: object) -> object:
    """Return what a JSON object, array, or null represents; any other value unchanged."""
    if isinstance(value, str) and (value == "null" or value.startswith(("{", "["))):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            pass
    return value
