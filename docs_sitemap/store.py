"""JSON files with a version, validated completely when they are read."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import msgspec

from docs_sitemap.files import (
    has_content,
    has_temporary_files,
    lock_folder,
    read_regular,
    replace_files,
)
from docs_sitemap.text import one_line

_T = TypeVar("_T")

# A saved report of several hundred thousand pages. docs-sitemap does not write larger files.
_MAX_SIZE = 2**28

_ENCODER = msgspec.json.Encoder()


class StoreError(Exception):
    """A file cannot be used. The message is one line with the reason."""


class OtherVersionError(StoreError):
    """Another version of docs-sitemap wrote the file."""


class JsonStore(Generic[_T]):
    """A JSON file with one object: the fields of a dataclass or `msgspec.Struct`, and `version`.

    Args:
        path: The file.
        type: The class of the content. Its annotations define which files are valid.
        version: The version of the format. Files with another version are not used.
        max_bytes: The size of the largest file that is read.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        type: type[_T],  # noqa: A002
        *,
        version: int,
        max_bytes: int = _MAX_SIZE,
    ) -> None:
        self.path = Path(path)
        self._type = type
        self._version = version
        self._max_bytes = max_bytes

    def read(self) -> _T:
        """Return the content.

        Raises:
            StoreError: The file is missing, unreadable, of another version, or invalid.
        """
        try:
            data = read_regular(self.path, self._max_bytes)
        except OSError as error:
            raise StoreError(f"it cannot be read ({error.strerror})") from None
        return self.parse(data)

    def parse(self, data: bytes) -> _T:
        """Return the content of a file with these bytes.

        Raises:
            StoreError: They are of another version, or invalid.
        """
        try:
            # File names may contain lone surrogates, which the decoder of msgspec rejects.
            content = json.loads(data)
            if not isinstance(content, dict):
                raise StoreError("it does not contain a JSON object")
            if content.pop("version", None) != self._version:
                raise OtherVersionError("it was written by another version of docs-sitemap")
            return msgspec.convert(content, self._type)
        except (msgspec.ValidationError, ValueError, RecursionError) as error:
            raise StoreError(f"it is invalid ({one_line(str(error))})") from None

    def load(self) -> _T | None:
        """Return the content; `None` if the file cannot be used."""
        try:
            return self.read()
        except StoreError:
            return None

    def save(self, content: _T) -> None:
        """Write the file atomically, and create its folder. Equal content gives equal bytes.

        Raises:
            OSError: The file cannot be written; the old one is unchanged.
        """
        members = {"version": self._version}
        members |= {name: getattr(content, name) for name in _field_names(content)}
        lines = (b"%s: %s" % (_encode(key), _serialize(item)) for key, item in members.items())
        self.write(b"{\n%s\n}\n" % b",\n".join(lines))

    def write(self, data: bytes) -> None:
        """Write a file with these bytes atomically, and create its folder.

        Raises:
            OSError: The file cannot be written; the old one is unchanged.
        """
        folder = self.path.parent
        folder.mkdir(parents=True, exist_ok=True)
        # Programs that watch the folder must not see a change if there is none.
        if not has_content(self.path, data) or has_temporary_files(folder):
            with lock_folder(folder):
                replace_files({self.path: data})


def _field_names(content: Any) -> Sequence[str]:
    if dataclasses.is_dataclass(content):
        return [field.name for field in dataclasses.fields(content)]
    return cast(Sequence[str], content.__struct_fields__)


def _serialize(value: object) -> bytes:
    """Return a value as JSON; a list or mapping has one item per line, which suits `diff`."""
    if isinstance(value, list | tuple) and value:
        return b"[\n%s\n]" % b",\n".join(map(_encode, value))
    if isinstance(value, Mapping) and value:
        items = (b"%s: %s" % (_encode(key), _encode(item)) for key, item in value.items())
        return b"{\n%s\n}" % b",\n".join(items)
    return _encode(value)


def _encode(value: object) -> bytes:
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:  # a file name that is not UTF-8
        return json.dumps(msgspec.to_builtins(value), separators=(",", ":")).encode()
