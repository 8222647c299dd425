"""Record the names and values that the Jinja templates of other plugins look up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import jinja2
from jinja2.bccache import Bucket
from jinja2.runtime import Context


@dataclass
class Lookups:
    """The names and values that templates have looked up; names of filters start with `|`."""

    names: set[str] = field(default_factory=set)
    values: dict[int, object] = field(default_factory=dict)  # by identity

    def clear(self) -> None:
        self.names.clear()
        self.values.clear()


class CodeCache(jinja2.BytecodeCache):
    """Keeps compiled templates in memory."""

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key, bucket.checksum] = bucket.code


class _ObservedContext(Context):
    """Overrides the method that Jinja documents for this purpose:
    <https://jinja.palletsprojects.com/en/stable/api/#jinja2.runtime.Context.resolve_or_missing>.
    """

    lookups: Lookups

    def resolve_or_missing(self, key: str) -> Any:
        value = super().resolve_or_missing(key)
        self.lookups.names.add(key)
        self.lookups.values[id(value)] = value
        return value


class _ObservedFilters(dict[str, Any]):
    def __init__(self, filters: Mapping[str, Any], lookups: Lookups) -> None:
        super().__init__(filters)
        self._lookups = lookups

    def __getitem__(self, name: str) -> Any:  # `{{ value | name }}`
        self._lookups.names.add(f"|{name}")
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:  # `{{ values | map("name") }}`
        self._lookups.names.add(f"|{name}")
        return super().get(name, default)


def observe(environment: jinja2.Environment, lookups: Lookups) -> None:
    """Record what the templates of an environment look up."""
    base = environment.context_class
    if getattr(base, "lookups", None) is lookups:
        return
    bases = (base,) if issubclass(base, _ObservedContext) else (_ObservedContext, base)
    environment.context_class = type("ObservedContext", bases, {"lookups": lookups})
    environment.filters = _ObservedFilters(environment.filters, lookups)
