"""JSON files of earlier builds: whatever is invalid counts as absent."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.platforms import needs_posix

from docs_sitemap.result import SavedReport, read_report
from docs_sitemap.tools.json_store import JsonStore, StoreError
from sphinx_sitemap_ext.pages import AdditionalPages

STORES: list[tuple[type[Any], dict[str, Any]]] = [
    (AdditionalPages, {"version": 1, "extensions": ["a"], "pages": {"genindex": True}}),
    (
        SavedReport,
        {
            "version": 1,
            "base_url": "https://example.org/",
            "project": "..",
            "files": ["sitemap.xml"],
            "sha256": "00",
            "pages": [
                {
                    "name": "a.md",
                    "url": "a/",
                    "output": "a.html",
                    "sources": [{"path": "a.md"}],
                }
            ],
            "diagnostics": ["x"],
        },
    ),
]
VALUES: list[Any] = [
    *(
        None,
        True,
        1,
        -1,
        10**30,
        1.5,
        float("nan"),
        float("inf"),
        "",
        "x",
        "\0",
        "\ud800",
        "\udcff",
    ),
    *([], [[]], {}, {"x": {}}, [None]),
]
CONTENTS = {
    "empty": b"",
    "no object": b"[]",
    "invalid UTF-8": b'{"version": 1, "pages": "\xff"}',
    "NULs": bytes(1_000),
    "deep lists": b"[" * 100_000,
    "deep objects": b'{"a":' * 100_000,
    "deep pages": b'{"version": 1, "sites": ' + b"[" * 100_000,
    "huge number": b'{"version": ' + b"1" * 10_000 + b"}",
    "huge exponent": b'{"version": 1e999999}',
    "trailing text": b"{} {}",
}


def store(path: Path, kind: type[Any]) -> JsonStore[Any]:
    return JsonStore(path, kind, version=1)


def replaced(value: Any) -> Iterator[Any]:
    """Yield a document with another value in each position, and without each member."""
    yield from VALUES
    if not isinstance(value, dict | list):
        return
    for key, item in [
        *(value.items() if isinstance(value, dict) else enumerate(value))
    ]:
        copy = value.copy()
        for changed in replaced(item):
            copy[key] = changed
            yield copy
        if isinstance(value, dict):
            yield {other: item for other, item in value.items() if other != key}
            for name in ("\0", "\ud800", ""):
                yield value | {name: item}


@pytest.mark.parametrize(("kind", "valid"), STORES)
def test_other_values_in_any_position_raise_nothing(
    tmp_path: Path, kind: type[Any], valid: dict[str, Any]
) -> None:
    path = tmp_path / "store.json"
    path.write_text(json.dumps(valid), encoding="utf-8")
    assert store(path, kind).load() is not None
    for document in replaced(valid):
        path.write_text(json.dumps(document), encoding="utf-8")
        content = store(path, kind).load()
        if content is not None:  # What is valid can be written and read again.
            store(path, kind).save(content)
            assert store(path, kind).load() == content
    for version in (0, 2, "1", None):
        path.write_text(json.dumps(valid | {"version": version}), encoding="utf-8")
        assert store(path, kind).load() is None


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS.keys())
def test_other_files_count_as_absent(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "store.json"
    path.write_bytes(content)
    for kind, _ in STORES:
        assert store(path, kind).load() is None
    with pytest.raises(StoreError) as raised:
        read_report(path)
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 600


@needs_posix
def test_paths_that_are_not_files_count_as_absent(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    for kind, _ in STORES:
        for name in ("pipe", "loop", ".", "missing", "a\0b"):
            assert store(tmp_path / name, kind).load() is None


def test_of_repeated_members_the_last_one_counts(tmp_path: Path) -> None:
    path = tmp_path / "store.json"
    path.write_text('{"version": 2, "version": 1, "pages": 3, "pages": {}}')
    assert store(path, AdditionalPages).load() == AdditionalPages({})
