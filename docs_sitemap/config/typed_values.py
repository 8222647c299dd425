"""Values in configurations and front matter of others, in which any type may stand."""

from collections.abc import Mapping, Sequence
from typing import Any


def as_text(value: object, default: str = "") -> str:
    """Return a text, or the default for another value."""
    return value if isinstance(value, str) else default


def as_mapping(value: object) -> Mapping[str, Any]:
    """Return a mapping, or an empty one for another value."""
    return value if isinstance(value, Mapping) else {}


def as_list(value: object) -> Sequence[Any]:
    """Return a list, or an empty one for another value."""
    return value if isinstance(value, list) else ()
