"""The sitemap settings of a document: fields at its start, or front matter in MyST."""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from docs_sitemap.config.parsers import parse_bool

_PREFIX = "sitemap-"


def read_overrides(metadata: Mapping[Any, object]) -> object:
    """Return the settings in the file-wide metadata of a document, not yet validated.

    `sitemap` is a boolean or, from MyST, a mapping in JSON. Fields such as
    `sitemap-priority` set one value each. All values are text.
    """
    entry = metadata.get("sitemap")
    if isinstance(entry, str) and (entry == "null" or entry.startswith("{")):
        with suppress(ValueError, RecursionError):  # The core reports invalid values.
            entry = json.loads(entry)
    fields = {}
    for name, value in metadata.items():
        if str(name).startswith(_PREFIX):
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
