"""Values in configurations and front matter of others, in which any type may stand.
Their text can be endless, because YAML repeats values.
"""

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


def as_texts(value: object) -> list[str]:
    """Return the texts in a list; none for another value."""
    return [item for item in as_list(value) if isinstance(item, str)]
