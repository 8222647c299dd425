"""One sitemap for the versions that sphinx-polyversion and sphinx-multiversion build."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
import sphinx
from support.cli import Done, invoke
from support.command import run
from support.deployed import read_index
from support.repository import noon
from support.sphinx import BASE_URL, SphinxSite, document

POLYVERSION_CONF = """
from sphinx_polyversion import load
from sphinx_polyversion.git import GitRef

current: GitRef = load(globals())["current"]
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
    vcs=Git(branch_regex=BRANCHES, tag_regex=".*"),
    builder=SphinxBuilder("docs"),
    env=Environment.factory(),
).run(sequential=True)
"""


needs_sphinx8 = pytest.mark.skipif(
    sphinx.version_info >= (9,), reason="sphinx-multiversion does not support Sphinx 9"
)


def create(project: Path, conf: str) -> SphinxSite:
    """Make a project with the tags v1.0 and v2.0, and newer commits on main."""
    site = SphinxSite.create(project, {})
    site.extend_configuration(conf)
    git = site.repository.git
    home = document("Home", toctree=("a", "b"))
    pages = {
        "docs/index.rst": home,
        "docs/a.rst": document("A"),
        "docs/b.rst": document("B"),
    }
    site.repository.commit(pages, day=1)
    git("tag", "v1.0")
    git("rm", "-q", "docs/b.rst")
    site.repository.commit({"docs/index.rst": document("Home", toctree=("a",))}, day=3)
    git("tag", "v2.0")
    site.repository.commit({"docs/a.rst": document("A, changed")}, day=5)
    return site


def index(root: Path, *arguments: str) -> Done:
    done = invoke("index", root, "--base-url", BASE_URL, *arguments, cwd=root)
    assert done.code == 0, done
    # The canonical page of a removed page does not exist.
    check = (
        "check",
        "--base-url",
        BASE_URL,
        "--strict",
        "--ignore",
        "canonical-not-found",
        root,
    )
    assert invoke(*check, cwd=root).code == 0
    return done


def check_versions(root: Path, release: str, other: str) -> None:
    """Check the sitemaps of a tree with v1.0, v2.0, and main."""
    (root / "index.html").write_text(
        f'<meta http-equiv="refresh" content="0; url={release}/"><title>Docs</title>'
    )
    index(root)
    assert read_index(root / "sitemap.xml") == {f"{release}/sitemap.xml": noon(3)}
    index(root, "--versions", "all,main")
    assert len(read_index(root / "sitemap.xml")) == 3


def check_canonical_version(root: Path) -> None:
    """Check the sitemaps of a tree in which all versions have the canonical address of
    `stable`.
    """
    (root / "stable").symlink_to("v2.0", target_is_directory=True)
    done = index(root)
    assert read_index(root / "sitemap.xml") == {"stable/sitemap.xml": noon(3)}
    assert "Warning" not in done.out


def build_with_polyversion(project: Path, conf: str, *, branches: str) -> Path:
    """Build the tags, and the branches that match a regular expression."""
    site = create(project, conf)
    (site.path / "docs/poly.py").write_text(f"BRANCHES = {branches!r}\n{POLYVERSION}")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [
        sys.executable,
        "-m",
        "sphinx_polyversion",
        str(site.path / "docs/poly.py"),
    ]
    run(command, cwd=site.path, env={"PATH": path})
    return site.path / "out"


def build_with_multiversion(
    project: Path, base_url: str, *, branches: str = ".*"
) -> Path:
    """Build the tags, and the branches that match a regular expression."""
    conf = f'extensions.append("sphinx_multiversion")\nsmv_branch_whitelist = {branches!r}\n'
    site = create(project, conf)
    command = [sys.executable, "-m", "sphinx_multiversion", "docs", "out", "-W"]
    run([*command, "-D", f"html_baseurl={base_url}"], cwd=site.path)
    return site.path / "out"


def test_sphinx_polyversion(project: Path) -> None:
    conf = f'{POLYVERSION_CONF}html_baseurl += f"{{current.name}}/"\n'
    root = build_with_polyversion(project, conf, branches="main")
    check_versions(root, "v2.0", "v1.0")


def test_sphinx_polyversion_with_a_canonical_version(project: Path) -> None:
    conf = f'{POLYVERSION_CONF}html_baseurl += "stable/"\n'
    check_canonical_version(build_with_polyversion(project, conf, branches="none"))


@needs_sphinx8
def test_sphinx_multiversion(project: Path) -> None:
    root = build_with_multiversion(project, f"{BASE_URL}${{name}}/")
    check_versions(root, "v2.0", "v1.0")


@needs_sphinx8
def test_sphinx_multiversion_with_a_canonical_version(project: Path) -> None:
    root = build_with_multiversion(project, f"{BASE_URL}stable/", branches="none")
    check_canonical_version(root)


def test_sitemaps_of_sphinx_sitemap(project: Path) -> None:
    conf = 'extensions = ["sphinx_sitemap"]\nsitemap_url_scheme = "{link}"\n'
    site = create(project, conf)
    root = site.path / "public"
    root.mkdir()
    for ref in ("v1.0", "v2.0"):
        site.repository.git("checkout", "--quiet", ref)
        site.run("html", "-D", f"html_baseurl={BASE_URL}{ref}/")
        site.out().rename(root / ref)
    done = invoke("index", root, "--base-url", BASE_URL, cwd=root)
    assert done.code == 0
    assert [*read_index(root / "sitemap.xml")] == ["v2.0/sitemap.xml"]
