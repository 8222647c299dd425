"""What was found, remembered from one build to the next.

A file in the cache holds, for one repository and one way of asking, the answers at one commit and
all that they depend on. Whatever is wrong with it, it counts as empty.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from docs_sitemap.git.walk import Found
from docs_sitemap.write import replace_file

_NAME = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")

# Changes with the meaning of what is stored.
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Memory:
    """The answers at one commit: `found` holds `None` for a file that is not part of it.

    `conditions` is a digest of all else that the answers depend on.
    """

    head: str = ""
    conditions: str = ""
    surroundings: str = ""
    found: Mapping[str, Found | None] = field(default_factory=dict)


class Cache:
    """One file of a cache folder; without a folder, nothing is remembered."""

    def __init__(self, folder: str | os.PathLike[str] | None, *key: str) -> None:
        name = sha256(json.dumps(key).encode()).hexdigest()[:32]
        self._path = None if folder is None else Path(folder, f"sitemap-git-{name}.json")

    def load(self) -> Memory:
        if self._path is None:
            return Memory()
        try:
            return _parse(self._path.read_bytes())
        except (OSError, ValueError, TypeError, AttributeError, LookupError, RecursionError):
            return Memory()

    def store(self, memory: Memory) -> None:
        if self._path is None:
            return
        with suppress(OSError):  # the next build will ask git again, that is all
            self._path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._path, _serialize(memory))


def _serialize(memory: Memory) -> bytes:
    content = [memory.head, memory.conditions, memory.surroundings, dict(memory.found)]
    body = json.dumps([_VERSION, *content]).encode()
    return sha256(body).hexdigest().encode() + b"\n" + body


def _parse(data: bytes) -> Memory:
    checksum, _, body = data.partition(b"\n")
    if sha256(body).hexdigest().encode() != checksum:
        raise ValueError("the file was cut off, or changed")
    version, head, conditions, surroundings, found = json.loads(body)
    if version != _VERSION:
        raise ValueError("the file is of another version")
    items = {path: None if item is None else Found(*item) for path, item in found.items()}
    names = [head, *(item.name for item in items.values() if item is not None)]
    dates = [date for item in items.values() if item is not None for date in item[1:]]
    if not (
        all(isinstance(name, str) and _NAME.fullmatch(name) for name in names)
        and all(date is None or type(date) is int for date in dates)
        and os.fsencode("".join(items)).find(b"\0") < 0
    ):
        raise ValueError("the file was made by something else")
    return Memory(head, conditions, surroundings, items)
