"""The JSON Schemas in the documentation, which describe what the commands print."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

_SCHEMAS = Path(__file__).parents[2] / "docs/reference/json"


def check_schema(name: str, document: object) -> None:
    """Fail if a document is invalid, or contains a key that its schema leaves out."""
    _validator(name).validate(document)


@cache
def _validator(name: str) -> Draft202012Validator:
    schema: Any = json.loads((_SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    for definition in schema["$defs"].values():
        if "properties" in definition:
            definition["additionalProperties"] = False
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)
