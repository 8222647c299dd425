"""What the templates of other plugins take from their context, while they are rendered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jinja2
from jinja2.bccache import Bucket

Note = Callable[[str, object], None]


class Compiled(jinja2.BytecodeCache):
    """Keeps the code of templates in memory: reading a file again does not compile it again."""

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key, bucket.checksum] = bucket.code


def observe(environment: jinja2.Environment, note: Note) -> None:
    """Call `note` with each name that a template looks up, and with the value that it finds.

    https://jinja.palletsprojects.com/en/stable/api/#jinja2.runtime.Context: `resolve_or_missing`
    is what a subclass overrides to look names up in another way.
    """
    base = environment.context_class
    if getattr(base, "note", None) == note:
        return

    class ObservedContext(base):  # type: ignore[misc, valid-type]  # it may be observed already
        def resolve_or_missing(self, key: str) -> Any:
            value = super().resolve_or_missing(key)
            note(key, value)
            return value

    ObservedContext.note = staticmethod(note)
    environment.context_class = ObservedContext


class ObservedFilters(dict[str, Any]):
    """The filters of an environment; `note` is called with the name of each that is used."""

    def __init__(self, filters: Mapping[str, Any], note: Callable[[str], None]) -> None:
        super().__init__(filters)
        self._note = note

    def __getitem__(self, name: str) -> Any:
        self._note(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self._note(name)
        return super().get(name, default)
