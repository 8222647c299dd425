"""Versions that Zensical builds, in the folders in which its fork of mike deploys them."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from support.cli import docs_sitemap
from support.command import run
from support.mkdocs import BASE_URL, MkDocsSite
from support.readers import NAMESPACE, parse, read_site
from support.repository import noon

pytest.importorskip("zensical")


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two versions, the sitemap of each, and one for both."""
    site = MkDocsSite.create(
        tmp_path_factory.mktemp("project"),
        {name: f"# {name}" for name in ("index.md", "guide.md", "old.md", "hidden.md")},
        sitemap={"exclude": ["hidden.md"]},
        theme={"name": "material", "font": False},
        extra={"version": {"provider": "mike"}},
    )
    folder = tmp_path_factory.mktemp("gh-pages")
    _deploy(site, folder, "1.0")
    site.repository.git("rm", "--quiet", "docs/old.md")
    site.repository.commit({"docs/guide.md": "# Guide\n\nIt has more text.\n"}, day=5)
    _deploy(site, folder, "2.0")
    versions = []
    for version, aliases in (("2.0", ["latest"]), ("1.0", [])):
        versions.append({"version": version, "title": version, "aliases": aliases})
    (folder / "versions.json").write_text(json.dumps(versions))
    done = docs_sitemap(
        "index", folder, "--base-url", BASE_URL, "--canonical", cwd=site.path
    )
    assert done.code == 0, done
    return folder


def _deploy(site: MkDocsSite, folder: Path, version: str) -> None:
    """Build a version as mike does, move it to its folder, and write its sitemap
    there.
    """
    command = (sys.executable, "-m", "zensical", "build", "--clean")
    env = {"MIKE_DOCS_VERSION": version}
    run(command, cwd=site.path, env=env)
    shutil.move(site.site, folder / version)
    done = docs_sitemap("generate", folder / version, cwd=site.path, **env)
    assert (done.code, done.err) == (0, "")


def test_each_version_has_its_own_addresses_and_dates(deployed: Path) -> None:
    assert _read_dates(deployed, "1.0") == {
        "": noon(1),
        "guide/": noon(1),
        "old/": noon(1),
    }
    assert _read_dates(deployed, "2.0") == {"": noon(1), "guide/": noon(5)}


def _read_dates(deployed: Path, version: str) -> dict[str, str | None]:
    """Return the dates of the pages of a version."""
    entries = read_site(deployed / version, f"{BASE_URL}{version}/")
    return {path: entry.lastmod for path, entry in entries.items()}


def test_the_newest_version_is_listed(deployed: Path) -> None:
    index = parse((deployed / "sitemap.xml").read_bytes())
    assert [loc.text for loc in index.iter(f"{NAMESPACE}loc")] == [
        f"{BASE_URL}2.0/sitemap.xml"
    ]
    # Only the report of the build knows why the hidden page is not listed.
    check = ("check", "--strict", "--ignore", "missing", deployed)
    done = docs_sitemap(*check, cwd=deployed)
    assert done.code == 0, done


def test_old_versions_point_to_the_newest(deployed: Path) -> None:
    assert _read_canonical(deployed / "1.0/guide/index.html") == f"{BASE_URL}2.0/guide/"
    # The newest version has no such page.
    assert _read_canonical(deployed / "1.0/old/index.html") == f"{BASE_URL}1.0/old/"


def _read_canonical(page: Path) -> str:
    """Return the canonical link of a page."""
    text = page.read_text(encoding="utf-8")
    (url,) = re.findall('<link rel="canonical" href="(.*?)"', text)
    return str(url)
