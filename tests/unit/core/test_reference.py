"""The reference pages in the repository agree with the code."""

from __future__ import annotations

import os
import runpy
from functools import partial
from pathlib import Path

import pytest
from support.forked import run_function

GENERATOR = Path(__file__).parents[3] / "docs/generate_reference.py"
SCHEMAS = GENERATOR.parent / "reference/json"


@pytest.mark.skipif(os.name == "nt", reason="the examples contain paths with slashes")
def test_reference_is_up_to_date() -> None:
    generate = partial(runpy.run_path, str(GENERATOR), run_name="__main__")
    arguments = [str(GENERATOR), "--check"]
    process = run_function(generate, arguments, cwd=GENERATOR.parents[1], env={})
    assert process.returncode == 0, process.stderr


def test_schemas_can_be_read_in_every_language() -> None:
    # https://json-schema.org/draft/2020-12/json-schema-core#section-6.4
    schemas = [path.read_text("utf-8") for path in SCHEMAS.glob("*.json")]
    assert any('"pattern"' in schema for schema in schemas)
    for schema in schemas:
        assert "\\A" not in schema
        assert "\\Z" not in schema
