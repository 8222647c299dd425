"""What `generate` reads of `mkdocs.yml` and `zensical.toml`: values as MkDocs reads
them, without running code, and errors that say what is wrong.
"""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import date
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from mkdocs.utils.yaml import yaml_load
from support.platforms import needs_posix

from docs_sitemap.diagnostics import SitemapError
from docs_sitemap_cli.generate.mkdocs_project.project_file import (
    read_project,
    read_project_file,
)
from docs_sitemap_cli.generate.mkdocs_project.yaml_values import TaggedValue

# In seconds of the processor.
LIMIT = 10


def write(folder: Path, **files: str) -> str:
    """Write YAML files, and return the path of `mkdocs.yml`."""
    for name, text in files.items():
        (folder / f"{name}.yml").write_text(text, encoding="utf-8")
    return str(folder / "mkdocs.yml")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing\n",
        "a: 1\nb: [yes, no, ~, 0.5, 'x']\nc: 2026-01-02\n",
        "a: &x {b: 1}\nc: {<<: *x, d: 2}\n",
        "a: !ENV SET\nb: !ENV NUMBER\nc: !ENV YES\nd: !ENV MISSING\n",
        "a: !ENV [MISSING, SET, x]\nb: !ENV [MISSING, [1, 2]]\nc: !ENV [MISSING, yes]\n",
        "a: !ENV [MISSING]\nb: !ENV [MISSING, !ENV [SET, x]]\nc: !ENV EMPTY\n",
        "INHERIT: base.yml\na: {c: 3}\nlist: [4]\n",
        "INHERIT: !ENV [MISSING, base.yml]\na: 5\n",
        "INHERIT: sub/../base.yml\nnew: {x: 1}\n",
        "\ufeffa: ä\n",
    ],
)
def test_values_are_those_of_mkdocs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    for name, value in {
        "SET": "text",
        "NUMBER": "5",
        "YES": "yes",
        "EMPTY": "",
    }.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "sub").mkdir()
    base = "INHERIT: sub/root.yml\na: {b: 1, c: 2}\nlist: [1, 2]\n"
    (tmp_path / "sub/root.yml").write_text("a: {b: 0, e: [6]}\nroot: true\n")
    path = write(tmp_path, mkdocs=text, base=base)
    with open(path, "rb") as file:
        expected = yaml_load(file)
    assert read_project_file(path) == expected


@pytest.mark.parametrize(
    ("text", "tag", "value"),
    [
        ("!relative $docs_dir/x", "!relative", "$docs_dir/x"),
        ("!relative", "!relative", ""),
        ("!!python/name:os.system", "tag:yaml.org,2002:python/name:os.system", ""),
        (
            "!!python/object/apply:os.system ['touch ran']",
            "tag:yaml.org,2002:python/object/apply:os.system",
            ["touch ran"],
        ),
        (
            "!!python/object/new:os.system {kwds: {case: lower}}",
            "tag:yaml.org,2002:python/object/new:os.system",
            {"kwds": {"case": "lower"}},
        ),
        ("!unknown [1, {a: b}]", "!unknown", [1, {"a": "b"}]),
    ],
)
def test_tags_run_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, tag: str, value: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    found = read_project_file(write(tmp_path, mkdocs=f"a: {text}\n"))["a"]
    assert isinstance(found, TaggedValue)
    assert (found.tag, found.value) == (tag, value)
    assert os.listdir() == ["mkdocs.yml"]


BOMB = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30))
MERGE_BOMB = "".join(
    f"a{n}: &a{n} {{k{n}: 1, <<: [{', '.join([f'*a{n - 1}'] * 9)}]}}\n"
    for n in range(1, 30)
)
MAPPING_BOMB = "".join(
    f"b{n}: &b{n} {{x: *b{n - 1}, y: *b{n - 1}}}\n" for n in range(1, 60)
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: b: c\n", "line 1"),
        ("a: 1\nb: [\n", "line 3"),
        ("a: *missing\n", "missing"),
        ("a: 1\n---\nb: 2\n", "document"),
        ("- a\n", "mapping"),
        ("text\n", "mapping"),
        ("a: \0\n", "character"),
        ("a: 2026-13-45\n", "month"),
        (f"a: {'1' * 5_000}\n", "digits"),
        ("a: !ENV {b: c}\n", "scalar"),
        ("a: !ENV [[b], c]\n", "scalar"),
        ("? [a]\n: b\n", "key"),
        ("a: !!int ''\n", ""),
        ("a: !!timestamp x\n", ""),
        ("[" * 10_000, "deep"),
        (f"a: {'{b: ' * 10_000}", "deep"),
        ("a: &a 1\nb: &a 2\n", "anchor"),
        ("INHERIT: missing.yml\n", "missing"),
        ("INHERIT: mkdocs.yml\n", "again"),
        ("INHERIT: base.yml\n", "again"),
        ("INHERIT: folder.yml\n", "regular"),
        ("INHERIT: latin.yml\n", "UTF-8"),
        ("INHERIT: [base.yml]\n", "path"),
        ("INHERIT: !relative base.yml\n", "path"),
        ("INHERIT: ''\n", "regular"),
        ("# " + "x" * 2**20, "bytes"),
    ],
)
def test_invalid_files(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "folder.yml").mkdir()
    (tmp_path / "latin.yml").write_bytes(b"a: \xe4\n")
    path = write(tmp_path, mkdocs=text, base="INHERIT: ./mkdocs.yml\n")
    start = process_time()
    with pytest.raises(SitemapError) as raised:
        read_project_file(path)
    message = str(raised.value)
    assert words in message
    assert "\n" not in message
    assert len(message) < 1_000
    assert process_time() - start < LIMIT


def test_values_that_repeat_themselves(tmp_path: Path) -> None:
    """Aliases of YAML take no time, even if both files of an inheritance have them."""
    bombs = f"a0: &a0 [x]\n{BOMB}b0: &b0 {{x: 1}}\n{MAPPING_BOMB}"
    start = process_time()
    text = f"INHERIT: base.yml\n{bombs}c: &c [*c]\nd: &d {{d: *d}}\n"
    path = write(tmp_path, mkdocs=text, base=f"{bombs}d: &d {{d: *d}}\n")
    assert read_project_file(path)["a1"] == [["x"]] * 9
    assert process_time() - start < LIMIT


@pytest.mark.parametrize("text", ["a0: &a0 {<<: *a0}\n", "a0: &a0 {x: 1}\n"])
def test_keys_that_merge_themselves(tmp_path: Path, text: str) -> None:
    """Some versions of PyYAML repeat the keys, and others do not."""
    start = process_time()
    with suppress(SitemapError):
        read_project_file(write(tmp_path, mkdocs=text + MERGE_BOMB))
    assert process_time() - start < LIMIT


@needs_posix
def test_a_pipe_as_configuration(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "mkdocs.yml")
    with pytest.raises(SitemapError, match="regular"):
        read_project_file(str(tmp_path / "mkdocs.yml"))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("[project]\nsite_name = 'x'\n[other]\na = 1\n", {"site_name": "x"}),
        ("site_name = 'x'\n", {"site_name": "x"}),
        ("[project]\nday = 2026-01-02\n", {"day": date(2026, 1, 2)}),
        ("", {}),
    ],
)
def test_toml(tmp_path: Path, text: str, values: dict[str, object]) -> None:
    file = tmp_path / "zensical.toml"
    file.write_text(text)
    assert read_project_file(str(file)) == values


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"a = \n", "line 1"),
        (b"project = 3\n", "table"),
        (b"a = '\xff'\n", "UTF-8"),
        (b"a = " + b"[" * 100_000, "nest"),
    ],
)
def test_invalid_toml(tmp_path: Path, data: bytes, words: str) -> None:
    file = tmp_path / "zensical.toml"
    file.write_bytes(data)
    with pytest.raises(SitemapError, match=words):
        read_project_file(str(file))


SNIPPETS = {"base_path": "parts"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "mkdocs.yml",
            "markdown_extensions: [toc, pymdownx.snippets: {base_path: parts}]",
        ),
        ("mkdocs.yml", "markdown_extensions: {pymdownx.snippets: {base_path: parts}}"),
        (
            "zensical.toml",
            "[project.markdown_extensions.pymdownx.snippets]\nbase_path = 'parts'",
        ),
        (
            "zensical.toml",
            "[project.markdown_extensions.'pymdownx.snippets']\nbase_path = 'parts'",
        ),
    ],
)
def test_extensions(tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    project = read_project(str(file))
    assert project.extension("pymdownx.snippets") == SNIPPETS
    assert project.extension("pymdownx.arithmatex") is None


def test_extensions_in_tables_of_packages(tmp_path: Path) -> None:
    file = tmp_path / "zensical.toml"
    tables = ["pymdownx.blocks.caption", "zensical.extensions.macros"]
    file.write_text("".join(f"[project.markdown_extensions.{one}]\n" for one in tables))
    project = read_project(str(file))
    assert [project.extension(name) for name in tables] == [{}, {}]
