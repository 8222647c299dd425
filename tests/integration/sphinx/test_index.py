"""One sitemap for the versions that sphinx-polyversion and sphinx-multiversion build."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
import sphinx
from support.cli import Done, docs_sitemap
from support.command import run
from support.deployed import read_index, read_urls
from support.repository import noon
from support.sphinx import BASE_URL, SphinxSite, document

POLYVERSION_CONF = """
from sphinx_polyversion import load
from sphinx_polyversion.git import GitRef

current: GitRef = load(globals())["current"]
html_baseurl += f"{current.name}/"
"""

POLYVERSION = """
from pathlib import Path

from sphinx_polyversion.driver import DefaultDriver
from sphinx_polyversion.environment import Environment
from sphinx_polyversion.git import Git
from sphinx_polyversion.sphinx import SphinxBuilder

root = Git.root(Path(__file__).parent)
DefaultDriver(
    root,
    root / "out",
    vcs=Git(branch_regex="main", tag_regex=".*"),
    builder=SphinxBuilder("docs"),
    env=Environment.factory(),
).run(sequential=True)
"""


def create(project: Path, conf: str) -> SphinxSite:
    """Make a project with the tags v1.0 and v2.0, and newer commits on main."""
    site = SphinxSite.create(project, {})
    site.extend_configuration(conf)
    git = site.repository.git
    home = document("Home", toctree=("a", "b"))
    pages = {"docs/index.rst": home, "docs/a.rst": document("A"), "docs/b.rst": document("B")}
    site.repository.commit(pages, day=1)
    git("tag", "v1.0")
    git("rm", "-q", "docs/b.rst")
    site.repository.commit({"docs/index.rst": document("Home", toctree=("a",))}, day=3)
    git("tag", "v2.0")
    site.repository.commit({"docs/a.rst": document("A, changed")}, day=5)
    return site


def index(root: Path, *arguments: str) -> Done:
    done = docs_sitemap("index", root, "--base-url", BASE_URL, *arguments, cwd=root)
    assert done.code == 0, done
    assert docs_sitemap("check", "--base-url", BASE_URL, "--strict", root, cwd=root).code == 0
    return done


def check_versions(root: Path, release: str, other: str) -> None:
    """Check the sitemaps of a tree with v1.0, v2.0, and main."""
    (root / "index.html").write_text(
        f'<meta http-equiv="refresh" content="0; url={release}/"><title>Docs</title>'
    )
    index(root)
    assert read_index(root / "sitemap.xml") == {f"{release}/sitemap.xml": noon(3)}
    index(root, "--versions", "all", "--prereleases")
    assert len(read_index(root / "sitemap.xml")) == 3
    index(root, "--merge", "--keep-removed")
    assert [*read_urls(root / "sitemap.xml")] == [
        f"{other}/b.html",
        f"{release}/a.html",
        f"{release}/index.html",
    ]
    switcher = [
        {"name": "dev", "version": "3.0.dev0", "url": f"{BASE_URL}main/"},
        {"name": "2.0", "version": "2.0", "url": f"{BASE_URL}{release}/"},
        {"name": "1.0", "version": "1.0", "url": f"{BASE_URL}{other}/", "preferred": True},
    ]
    (root / "main/_static/switcher.json").write_text(json.dumps(switcher))
    done = index(root)
    assert f"{other}: version {other} (1.0), listed, 3 URLs" in done.out
    assert [*read_index(root / "sitemap.xml")] == [f"{other}/sitemap.xml"]


def test_sphinx_polyversion(project: Path) -> None:
    site = create(project, POLYVERSION_CONF)
    (site.path / "docs/poly.py").write_text(POLYVERSION)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "sphinx_polyversion", str(site.path / "docs/poly.py")]
    run(command, cwd=site.path, env={"PATH": path})
    check_versions(site.path / "out", "v2.0", "v1.0")


@pytest.mark.skipif(
    sphinx.version_info >= (9,), reason="sphinx-multiversion does not support Sphinx 9"
)
def test_sphinx_multiversion(project: Path) -> None:
    site = create(project, 'extensions.append("sphinx_multiversion")\n')
    command = [sys.executable, "-m", "sphinx_multiversion", "docs", "out", "-W"]
    run([*command, "-D", f"html_baseurl={BASE_URL}${{name}}/"], cwd=site.path)
    check_versions(site.path / "out", "v2.0", "v1.0")


def test_sitemaps_of_sphinx_sitemap(project: Path) -> None:
    conf = 'extensions = ["sphinx_sitemap"]\nsitemap_url_scheme = "{link}"\n'
    site = create(project, conf)
    root = site.path / "public"
    root.mkdir()
    for ref in ("v1.0", "v2.0"):
        site.repository.git("checkout", "--quiet", ref)
        site.run("html", "-D", f"html_baseurl={BASE_URL}{ref}/")
        site.out().rename(root / ref)
    done = docs_sitemap("index", root, "--base-url", BASE_URL, cwd=root)
    assert done.code == 0
    assert [*read_index(root / "sitemap.xml")] == ["v2.0/sitemap.xml"]
    docs_sitemap("index", root, "--base-url", BASE_URL, "--merge", cwd=root)
    assert "v2.0/a.html" in read_urls(root / "sitemap.xml")
