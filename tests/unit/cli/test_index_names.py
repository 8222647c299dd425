"""`docs-sitemap index` with versions whose names are not numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.cli import Done, invoke
from support.deployed import BASE_URL, read_index, write_version
from support.sitemaps import page, write_site

PAGES = ("", "guide/")


def run(root: Path, *arguments: str, code: int = 0) -> Done:
    done = invoke("index", root, "--base-url", BASE_URL, *arguments)
    assert done.code == code, done
    return done


def listed(root: Path, *arguments: str) -> list[str]:
    run(root, *arguments)
    names = [*read_index(root / "sitemap.xml")]
    return [name.removesuffix("/sitemap.xml") for name in names]


def write_pages(root: Path, *folders: str) -> None:
    """Write versions without a sitemap."""
    for folder in folders:
        for path in PAGES:
            write_site(root, {f"{folder}/{path}index.html": page()})


def save_versions(root: Path, *names: str) -> None:
    text = json.dumps([{"version": name} for name in names])
    write_site(root, {"versions.json": text})


@pytest.mark.parametrize(
    ("folders", "wanted", "expected"),
    [
        (["foxy", "humble"], "humble,foxy", ["humble"]),
        (["foxy", "humble"], "foxy, humble", ["foxy"]),
        (["foxy", "humble"], "all,humble,foxy", ["humble", "foxy"]),
        # Numbers in names are compared as numbers.
        (["rocm-5.4.3", "rocm-5.10.0"], "rocm-*", ["rocm-5.10.0"]),
        (["branch-3.4", "branch-3.10", "1.0"], "branch-*", ["branch-3.10"]),
        (["2024.1-LTS", "2024.2-LTS"], "2024.1-LTS,2024.2-LTS", ["2024.1-LTS"]),
        (
            ["gr\u00f6\u00dfe", "Foxy Fitzroy"],
            "Foxy Fitzroy,gr\u00f6\u00dfe",
            ["Foxy%20Fitzroy"],
        ),
        # The user also orders versions that have names of versions.
        (["foxy", "main", "1.0"], "main,foxy,1.0", ["main"]),
        (["v1.x", "foxy"], "foxy", ["foxy"]),
        # Other folders stay sites of their own.
        (["foxy", "humble", "notes"], "humble,foxy", ["humble", "notes"]),
        (["2.0", "1.0", "api"], "canonical,api", ["2.0", "api"]),
    ],
)
def test_listed_folders_are_versions(
    tmp_path: Path, folders: list[str], wanted: str, expected: list[str]
) -> None:
    for folder in folders:
        write_version(tmp_path, folder, PAGES)
    assert listed(tmp_path, "--versions", wanted) == expected


def test_versions_without_a_sitemap_point_to_the_first_one(tmp_path: Path) -> None:
    write_version(tmp_path, "humble", PAGES)
    write_pages(tmp_path, "foxy", "release-notes")
    write_site(tmp_path, {"foxy/guide/sub/index.html": page()})
    done = run(tmp_path, "--canonical", "--versions", "humble", "--versions", "foxy")
    assert "2 changed, 1 no-counterpart" in done.out
    text = (tmp_path / "foxy/guide/index.html").read_text(encoding="utf-8")
    assert f'href="{BASE_URL}humble/guide/"' in text
    text = (tmp_path / "release-notes/index.html").read_text(encoding="utf-8")
    assert "canonical" not in text


def test_the_order_of_names_in_versions_json(tmp_path: Path) -> None:
    for name in ("foxy", "humble", "1.0", "2.0rc1"):
        write_version(tmp_path, name, PAGES)
    save_versions(tmp_path, "foxy", "humble")
    assert listed(tmp_path) == ["foxy"]
    # Numbers are newer than names: mike writes branches first.
    save_versions(tmp_path, "foxy", "2.0rc1", "1.0", "humble")
    assert listed(tmp_path, "--versions", "*") == ["1.0", "foxy", "humble"]


@pytest.mark.parametrize(
    ("folders", "shown"),
    [
        (["foxy", "humble", "release-notes"], "humble,foxy"),
        (["main", "rocm-5.4.3", "rocm-5.10.0"], "rocm-5.10.0,rocm-5.4.3"),
        (["Foxy F", "Humble"], "'Humble,Foxy F'"),
        (["foxy", "humble", "1.0"], None),
        (["en", "de", "pt-BR"], None),
        # Sections of a site at the root.
        (["", "admin", "user"], None),
    ],
)
def test_folders_with_the_same_pages_are_shown(
    tmp_path: Path, folders: list[str], shown: str | None
) -> None:
    for folder in folders:
        paths = ["", "new/", "fixed/"] if folder == "release-notes" else PAGES
        write_version(tmp_path, folder, paths)
    notices = [line for line in run(tmp_path).out.splitlines() if "could be" in line]
    assert len(notices) == (shown is not None)
    if shown is None:
        return
    assert f"--versions {shown}, newest first" in notices[0]
    assert "release-notes" not in notices[0]
    for arguments in (["--versions", "canonical"], ["--skip", "*"]):
        done = invoke("index", tmp_path, "--base-url", BASE_URL, *arguments)
        assert "could be" not in done.out
    content = notices[0].partition(" versions.json: ")[2].partition("; ")[0]
    write_site(tmp_path, {"versions.json": content})
    assert "could be" not in run(tmp_path).out


def test_the_most_similar_folder_is_suggested(tmp_path: Path) -> None:
    write_pages(tmp_path, "foxy", "humble")
    for typed, meant in (("humbel", "humble"), ("Foxy", "foxy")):
        done = run(tmp_path, "--versions", typed, code=2)
        assert f"there is no version '{typed}'. Fix: use {meant}\n" in done.err
    write_version(tmp_path, "galactic", PAGES)
    assert run(tmp_path, "--versions", "x", code=2).err.count("galactic") == 1
