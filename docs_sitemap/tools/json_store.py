"""JSON files with a version, validated completely when they are read."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Generic, TypeVar

import msgspec

from .files import StrPath, has_content, lock_folder, read_regular, replace_files
from .printing import one_line

FilePath = Annotated[str, msgspec.Meta(pattern=r"^[^\0\ud800-\udc7f\udd00-\udfff]*$")]
"""A path that a file can have on POSIX, with no NUL byte and only surrogate escapes."""

_T = TypeVar("_T")

# The largest file that is read, in bytes. The report of the largest known site has a
# tenth of it. A hostile file needs thirty times its size in memory.
MAX_BYTES = 2**25

# What surrounds the digest in a file.
_START, _END = b'{\n"sha256": "', b'",\n'

_ENCODER = msgspec.json.Encoder()


class StoreError(Exception):
    """A file cannot be used. The message is one line with the reason."""


class JsonStore(Generic[_T]):
    """A JSON file with one object: the fields of a dataclass or `msgspec.Struct`, and
    `version`.

    Args:
        path: The file.
        type: The class of the content. Its annotations define which files are valid.
        version: The version of the format. Files with another version are not used.
        is_private: Whether only this store writes the file. It then contains its own
            digest, and a file that was damaged or changed is not used.
    """

    def __init__(
        self,
        path: StrPath,
        type: type[_T],  # noqa: A002
        *,
        version: int,
        is_private: bool = False,
    ) -> None:
        self.path = Path(os.path.abspath(path))
        self._type = type
        self._version = version
        self._is_private = is_private

    def read(self) -> _T:
        """Return the content.

        Raises:
            StoreError: The file is missing, unreadable, of another version, or invalid.
        """
        try:
            data = read_regular(self.path, MAX_BYTES)
        except OSError as error:
            raise StoreError(f"it cannot be read ({error.strerror})") from None
        if self._is_private:
            _, _, rest = data.partition(_END)
            if data != _add_digest(b"{\n" + rest):
                raise StoreError("it is damaged")
        try:
            # The decoder of msgspec rejects lone surrogates, as in some file names.
            content = json.loads(data)
            if not isinstance(content, dict):
                raise StoreError("it does not contain a JSON object")
            if content.pop("version", None) != self._version:
                raise StoreError("it was written by another version of docs-sitemap")
            return msgspec.convert(content, self._type)
        except json.JSONDecodeError as error:
            reason = f"it is not JSON: see line {error.lineno}"
            raise StoreError(reason if data.strip() else "it is empty") from None
        except (msgspec.ValidationError, ValueError, RecursionError) as error:
            raise StoreError(f"it is invalid ({one_line(str(error))})") from None

    def load(self) -> _T | None:
        """Return the content; `None` if the file cannot be used."""
        try:
            return self.read()
        except StoreError:
            return None

    def save(self, content: _T) -> None:
        """Write the file atomically, and create its folder. Equal content gives equal
        bytes.

        Raises:
            OSError: The file cannot be written; the old one is unchanged.
        """
        members: dict[str, object] = {"version": self._version}
        for name in self._type.__annotations__:
            members[name] = getattr(content, name)
        # Joined once: the report of a large site has megabytes.
        data = b"".join([*_serialize_members(members, _serialize), b"\n"])
        if self._is_private:
            data = _add_digest(data)
        folder = self.path.parent
        folder.mkdir(parents=True, exist_ok=True)
        # Programs that watch the folder must not see a change if there is none.
        if not has_content(self.path, data):
            with lock_folder(folder):
                replace_files({self.path: data})


def _add_digest(data: bytes) -> bytes:
    """Return the content of a file with its digest as the first member."""
    digest = sha256(data).hexdigest().encode()
    return _START + digest + _END + data.removeprefix(b"{\n")


def _serialize(value: object) -> Iterable[bytes]:
    """Return a value as JSON; a list or mapping has one item per line, which suits
    `diff`.
    """
    if isinstance(value, list | tuple) and value:
        return b"[\n", _encode_lines(value), b"]"
    if isinstance(value, dict) and value:
        return _serialize_members(value, lambda item: (_encode(item),))
    return (_encode(value),)


def _serialize_members(
    members: dict[str, object], serialize: Callable[[object], Iterable[bytes]]
) -> Iterator[bytes]:
    """Yield the parts of an object as JSON, with one member per line."""
    start = b"{\n"
    for key, value in members.items():
        yield from (start, _encode(key), b": ", *serialize(value))
        start = b",\n"
    yield b"\n}"


def _encode_lines(values: Sequence[object]) -> bytes:
    """Return values as JSON, one per line, with commas between them."""
    try:
        lines = _ENCODER.encode_lines(values)
    except UnicodeEncodeError:  # as below
        return b",\n".join(map(_encode, values)) + b"\n"
    # JSON itself contains no line breaks.
    return lines.replace(b"\n", b",\n", len(values) - 1)


def _encode(value: object) -> bytes:
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:  # a file name that is not UTF-8
        return json.dumps(msgspec.to_builtins(value), separators=(",", ":")).encode()
