"""Templates of themes, for many builds in a process.

Each build makes a new Jinja environment and compiles the templates of its theme again,
which takes half of the time of a small site. MkDocs also lists all files of a theme, and
then leaves out hidden files: the 14,000 icons of Material for MkDocs, for example.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import CodeType

import pytest
from jinja2 import BytecodeCache, Environment, FileSystemLoader
from jinja2.bccache import Bucket


class _CompiledTemplates(BytecodeCache):
    """The code of templates by what Jinja compiles it from."""

    def __init__(self) -> None:
        self._codes: dict[tuple[object, ...], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get(_key(bucket))

    def dump_bytecode(self, bucket: Bucket) -> None:
        assert bucket.code is not None
        self._codes[_key(bucket)] = bucket.code


def share_compiled_templates(patch: pytest.MonkeyPatch) -> None:
    """Let all Jinja environments use one cache of compiled templates."""
    cache = _CompiledTemplates()
    create = Environment.__init__

    def create_with_cache(self: Environment, *args: object, **options: object) -> None:
        create(self, *args, **options)  # type: ignore[arg-type]
        if self.bytecode_cache is None:
            self.bytecode_cache = cache

    patch.setattr(Environment, "__init__", create_with_cache)


def skip_hidden_templates(patch: pytest.MonkeyPatch) -> None:
    """Let Jinja list no files in hidden folders."""

    def list_visible(self: FileSystemLoader) -> list[str]:
        found = set()
        for root in self.searchpath:
            for folder, folders, files in os.walk(root):
                folders[:] = [name for name in folders if not name.startswith(".")]
                for name in files:
                    found.add(Path(folder, name).relative_to(root).as_posix())
        return sorted(found)

    patch.setattr(FileSystemLoader, "list_templates", list_visible)


def _key(bucket: Bucket) -> tuple[object, ...]:
    """Return the name and the content of a template, and the options that change its
    code.
    """
    environment = bucket.environment
    return (
        bucket.key,
        bucket.checksum,
        type(environment),
        tuple(environment.extensions),
        environment.autoescape,
        environment.trim_blocks,
        environment.lstrip_blocks,
        environment.undefined,
    )
