"""Tools that build each version from an exported tree: sphinx-multiversion,
sphinx-polyversion.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path

import pytest
import sphinx
from support.command import run
from support.readers import read_site
from support.repository import Repository, noon
from support.sphinx import BASE_URL, SphinxSite, document

PAGES = {"index.rst": document("Home", toctree=("a",)), "a.rst": document("A")}

# The days of `a` and of the home page in each version, by the ref of the version. The
# branch and the tag `2.x` are different versions.
DAYS = {
    "refs/tags/2.x": (1, 1),
    "refs/tags/rel/2.0": (5, 1),
    "refs/heads/2.x": (5, 1),
    "refs/remotes/origin/3.x": (5, 7),
    "refs/tags/-x": (9, 7),
    "refs/heads/main": (9, 7),
}

Days = tuple[int, int]

# sphinx-multiversion 0.2.4 calls methods of `sphinx.config.Config` that Sphinx 9 has
# changed.
needs_sphinx8 = pytest.mark.skipif(
    sphinx.version_info >= (9,), reason="sphinx-multiversion does not support Sphinx 9"
)

# What sphinx-multiversion does in the build of a version.
MULTIVERSION = """
import json

def read_versions(app, config):
    with open(config.smv_metadata_path) as file:
        config.smv_metadata = json.load(file)

def setup(app):
    app.add_config_value("smv_metadata", {}, "html")
    app.add_config_value("smv_metadata_path", "", "html")
    app.add_config_value("smv_current_version", "", "html")
    app.connect("config-inited", read_versions)
"""

# `load` restores the revision only if its class is imported.
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
    vcs=Git(branch_regex=".*", tag_regex=TAGS),
    builder=SphinxBuilder("docs", args=ARGUMENTS),
    env=Environment.factory(),
).run(sequential=True)
"""


def create(
    project: Path, *, conf: str = "", files: dict[str, str] | None = None
) -> SphinxSite:
    """Make a project with the versions in `DAYS`. `conf` is appended to `conf.py`."""
    site = SphinxSite.create(project, {})
    site.extend_configuration(conf)
    git = site.repository.git
    pages = {f"docs/{name}": text for name, text in PAGES.items()}
    site.repository.commit(pages | (files or {}), day=1)
    git("update-ref", "refs/tags/2.x", "HEAD")
    site.repository.commit({"docs/a.rst": document("A, changed")}, day=5)
    git("tag", "--annotate", "--message=", "rel/2.0", day=6)
    git("branch", "2.x")
    site.repository.commit(
        {"docs/index.rst": document("Changed", toctree=("a",))}, day=7
    )
    git("update-ref", "refs/remotes/origin/3.x", "HEAD")
    site.repository.commit({"docs/a.rst": document("A, changed again")}, day=9)
    git("update-ref", "refs/tags/-x", "HEAD")
    return site


def build_like_multiversion(
    site: SphinxSite, refs: Iterable[str], *arguments: str
) -> list[Days]:
    """Build versions as sphinx-multiversion 0.2.4 does, with any version of Sphinx, and
    return the days of each.
    """
    folder = site.path.parent
    days = []
    for ref in refs:
        out = folder / "site" / ref
        match = re.fullmatch(r"refs/(heads|tags|remotes/[^/]+)/(\S+)", ref)
        assert match is not None
        commit = site.repository.git("rev-parse", ref).strip()
        tree = folder / commit
        site.repository.git("archive", "--format=tar", f"--output={tree}.tar", commit)
        with tarfile.open(f"{tree}.tar") as archive:
            archive.extractall(tree, filter="data")
        version = {
            "name": match[2],
            "source": match[1],
            "basedir": str(tree),
            "sourcedir": str(tree / "docs"),
            "outputdir": str(out),
            "confdir": str(tree / "docs"),
        }
        (folder / "versions.json").write_text(json.dumps({match[2]: version}))
        options = ["-D", f"html_baseurl={BASE_URL}", *arguments]
        options += ["-D", f"smv_metadata_path={folder / 'versions.json'}"]
        options += ["-D", f"smv_current_version={match[2]}"]
        options += ["-c", str(site.path / "docs")]
        site.run_here("-q", "-W", *options, str(tree / "docs"), str(out), cwd=tree)
        days.append(read_days(out))
    return days


def read_days(out: Path, base_url: str = BASE_URL) -> Days:
    """Return the days of `a` and of the home page."""
    day_of = {noon(day): day for day in range(1, 10)}
    entries = read_site(out, base_url)
    return day_of[str(entries["a.html"].lastmod)], day_of[
        str(entries["index.html"].lastmod)
    ]


def read_version(site: SphinxSite, name: str) -> Days:
    return read_days(site.path / "out" / name, f"{BASE_URL}{name}/")


def run_polyversion(site: SphinxSite, *, cwd: Path, **names: object) -> str:
    """Run the tool with `poly.py`. `names` are its variables."""
    lines = "".join(f"{name} = {value!r}\n" for name, value in names.items())
    (site.path / "docs/poly.py").write_text(lines + POLYVERSION)
    script = str(site.path / "docs/poly.py")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "sphinx_polyversion", script, "-vv"]
    return run(command, cwd=cwd, env={"PATH": path})


@needs_sphinx8
def test_sphinx_multiversion_needs_no_setting_for_dates(project: Path) -> None:
    conf = (
        'extensions.append("sphinx_multiversion")\n'
        'smv_tag_whitelist = r"^(?!2\\.x)"\nsmv_remote_whitelist = "origin"\n'
    )
    site = create(project, conf=conf)
    command = [sys.executable, "-m", "sphinx_multiversion", "docs", "out", "-W"]
    run([*command, "-D", f"html_baseurl={BASE_URL}${{name}}/"], cwd=site.path)
    for ref, days in DAYS.items():
        name = ref.split("/", 2 if "/remotes/" not in ref else 3)[-1]
        if (
            ref != "refs/tags/2.x"
        ):  # The branch has the same name and therefore the same folder.
            assert read_version(site, name) == days


def test_versions_of_sphinx_multiversion_are_dated_by_their_refs(project: Path) -> None:
    conf = 'extensions.append("versions")\n'
    site = create(project, conf=conf, files={"docs/versions.py": MULTIVERSION})
    assert build_like_multiversion(site, DAYS) == [*DAYS.values()]


def test_dependencies_are_files_of_the_exported_version(project: Path) -> None:
    conf = 'extensions.append("versions")\nsitemap_dependencies = {"a.rst": ["../src/*.py"]}\n'
    files = {"docs/versions.py": MULTIVERSION, "src/x.py": "1"}
    site = create(project, conf=conf, files=files)
    site.repository.git("switch", "--quiet", "2.x")
    site.repository.commit({"src/x.py": "2"}, day=8)
    site.repository.git("switch", "--quiet", "main")
    assert build_like_multiversion(site, ["refs/heads/2.x"]) == [(8, 1)]


def test_the_repository_and_the_ref_in_the_configuration_win(project: Path) -> None:
    conf = 'extensions.append("versions")\nsitemap_repository = ".."\n'
    site = create(project, conf=conf, files={"docs/versions.py": MULTIVERSION})
    refs = ["refs/tags/rel/2.0", "refs/heads/main"]
    assert build_like_multiversion(site, refs) == [DAYS[ref] for ref in refs]
    days = build_like_multiversion(site, refs, "-D", "sitemap_ref=tags/rel/2.0")
    assert days == [DAYS["refs/tags/rel/2.0"]] * 2


def test_sphinx_polyversion_needs_no_setting_for_dates(project: Path) -> None:
    site = create(project, conf=POLYVERSION_CONF)
    run_polyversion(site, cwd=site.path / "docs", TAGS="(?!2).*", ARGUMENTS=["-W"])
    for name in ("main", "2.x"):
        assert read_version(site, name) == DAYS[f"refs/heads/{name}"]
    for name in ("-x", "rel/2.0"):
        assert read_version(site, name) == DAYS[f"refs/tags/{name}"]


def test_sphinx_polyversion_outside_the_repository(
    project: Path, tmp_path: Path
) -> None:
    site = create(project, conf=POLYVERSION_CONF)
    # The current folder is in a repository, which does not contain the versions.
    other = Repository.create(tmp_path / "other")
    other.commit({"docs/a.rst": "A\n=\n"}, day=3)
    log = run_polyversion(site, cwd=other.path, TAGS="none", ARGUMENTS=[])
    assert log.count("is not a commit") == 2
    assert "correct sitemap_repository or sitemap_ref" in log
    arguments = ["-W", "-D", f"sitemap_repository={site.path}"]
    run_polyversion(site, cwd=other.path, TAGS="none", ARGUMENTS=arguments)
    for name in ("main", "2.x"):
        assert read_version(site, name) == DAYS[f"refs/heads/{name}"]
