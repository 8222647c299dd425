"""JSON files of earlier builds: whatever is invalid counts as absent."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from support.platforms import needs_posix
from support.repository import Repository

from docs_sitemap import History
from docs_sitemap.git.history import CachedDates
from docs_sitemap.git.history_types import HistoryOptions, WantedFile
from docs_sitemap.result import SavedReport, read_report
from docs_sitemap.tools.json_store import JsonStore, StoreError
from docs_sitemap_cli.report.trend import PreviousReport
from sphinx_sitemap_ext.page_dates import WrittenDates
from sphinx_sitemap_ext.pages import AdditionalPages

ROOT = Path(__file__).parents[3]

HASH = "0123456789" * 4
TIME = "2024-01-01T10:00:00Z"
FILE_DATE = {
    "status": "commit",
    "hash": HASH,
    "date": TIME,
    "committed": TIME,
    "authored": TIME,
    "merge": HASH,
    "merged": TIME,
    "skipped": 1,
    "hidden_keys": ["hide"],
    "shown_keys": ["title"],
}
SHALLOW = {"status": "shallow", "hash": HASH, "not_after": TIME}

STORES: list[tuple[type[Any], dict[str, Any]]] = [
    (AdditionalPages, {"version": 1, "extensions": ["a"], "pages": {"genindex": True}}),
    (WrittenDates, {"version": 1, "dates": {"index": TIME}}),
    (
        CachedDates,
        {
            "version": 1,
            "head": HASH,
            "shape": "00",
            "ignored_revs": [HASH],
            "dates": {"a.md\0text": FILE_DATE, "b.md\0": SHALLOW, "c.md\0": None},
        },
    ),
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
                    "sources": [{"path": "a.md", "date": SHALLOW}],
                }
            ],
            "diagnostics": ["x"],
        },
    ),
    (
        PreviousReport,
        {
            "version": 1,
            "base_url": "https://example.org/",
            "today": "2024-01-01",
            "older_than": None,
            "outdated": [],
            "pages": [],
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
    # Hashes and times that are not complete.
    *(HASH[1:], HASH.replace("a", "A") + "0", f"{HASH}\n", "2024-01-01T10:00:00"),
    *("0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"),
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


def write_private(path: Path, document: Any) -> None:
    """Write a document with its digest, as if the store had saved it."""
    data = json.dumps(document, indent=0).encode()
    digest = sha256(data).hexdigest().encode()
    path.write_bytes(data.replace(b"{\n", b'{\n"sha256": "%b",\n' % digest, 1))


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
    tried = {"None"}
    for document in replaced(valid):
        path.write_text(json.dumps(document), encoding="utf-8")
        content = store(path, kind).load()
        if repr(content) not in tried:
            # What is valid can be written and read again.
            store(path, kind).save(content)
            assert store(path, kind).load() == content
            tried.add(repr(content))
    for version in (0, 2, "1", None):
        path.write_text(json.dumps(valid | {"version": version}), encoding="utf-8")
        assert store(path, kind).load() is None
    without_version = valid.copy()
    del without_version["version"]
    path.write_text(json.dumps(without_version), encoding="utf-8")
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


def test_private_stores_do_not_use_a_file_that_anything_else_changed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "store.json"
    private = JsonStore(path, WrittenDates, version=1, is_private=True)
    content = WrittenDates({"index": TIME, "a": TIME})
    private.save(content)
    data = path.read_bytes()
    assert private.load() == content
    assert json.loads(data)["dates"] == content.dates
    for position in range(len(data)):
        for changed in (b"", bytes([data[position] ^ 1])):
            other = data[:position] + changed + data[position + 1 :]
            path.write_bytes(other)
            assert private.load() is None or other == data
        path.write_bytes(data[:position])
        assert private.load() is None


@pytest.mark.parametrize("is_private", [False, True])
def test_a_file_with_the_same_content_is_not_written_again(
    tmp_path: Path, is_private: bool
) -> None:
    path = tmp_path / "store.json"
    dates = JsonStore(path, WrittenDates, version=1, is_private=is_private)
    dates.save(WrittenDates({"index": TIME}))
    for changed in (path, tmp_path):
        os.utime(changed, (1, 1))
    dates.save(WrittenDates({"index": TIME}))
    assert (path.stat().st_mtime, tmp_path.stat().st_mtime) == (1, 1)
    dates.save(WrittenDates({}))
    assert path.stat().st_mtime > 1


def test_dates_of_a_damaged_cache_are_found_again(
    project: Path, tmp_path: Path
) -> None:
    """Somebody who writes a cache on purpose can write other dates into it, too, but no
    cache makes a build fail.
    """
    repository = Repository.create(project)
    repository.commit({"a.md": "1", "b.md": "1"}, day=1)
    repository.commit({"b.md": "2"}, day=2)
    files = [WantedFile(str(project / name)) for name in ("a.md", "b.md", "c.md")]
    cache = tmp_path / "cache"
    History(cache).find_dates(files, HistoryOptions())
    (path,) = cache.glob("*.json")
    saved = json.loads(path.read_bytes())
    del saved["sha256"]
    # The date of `a.md` is cached at a commit before the built one.
    repository.commit({"b.md": "3"}, day=3)
    expected = History().find_dates(files, HistoryOptions())
    private = JsonStore(path, CachedDates, version=saved["version"], is_private=True)
    tried = {"None"}
    for document in replaced(saved):
        write_private(path, document)
        content = repr(private.load())
        if content not in tried:
            result = History(cache).find_dates(files, HistoryOptions())
            assert not result.failures
            tried.add(content)
    assert len(tried) > 10
    for document in (saved, *replaced(saved)):
        path.write_text(json.dumps(document), encoding="utf-8")
        assert private.load() is None
    assert History(cache).find_dates(files, HistoryOptions()) == expected


def test_all_stores_are_tried() -> None:
    names = set()
    for package in ("docs_sitemap", "docs_sitemap_cli", "sphinx_sitemap_ext"):
        for path in (ROOT / package).rglob("*.py"):
            code = path.read_text(encoding="utf-8")
            names.update(re.findall(r"JsonStore\(\s*[\w.]+,\s*(\w+)", code))
    assert names == {kind.__name__ for kind, _ in STORES}
