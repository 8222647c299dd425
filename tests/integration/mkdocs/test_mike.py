"""Versions that mike deploys to a branch, and the sitemap of all of them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from support.cli import Done, invoke
from support.deployed import read_index
from support.mike import run_mike
from support.mkdocs import BASE_URL, MkDocsSite
from support.readers import read
from support.repository import Repository, noon

# The pages of each version, which is committed on day 1, 2, or 3.
VERSIONS = {
    "1.0": {"index.md": "# Home", "old.md": "# Old", "a b.md": "# A b"},
    "1.1": {"index.md": "# Home", "guide.md": "# Guide", "gone.md": "# Gone"},
    "2.0": {"index.md": "# Home", "guide.md": "# Guide, new"},
}

Deploy = Callable[..., MkDocsSite]


@pytest.fixture(scope="module")
def deployments(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Deploy all versions, once for each combination of arguments.

    The sitemaps of MkDocs itself are the same in all versions, so two are enough.
    """

    @cache
    def deploy_once(canonical_version: str | None, own: bool) -> Path:
        path = tmp_path_factory.mktemp("deployment")
        options = (
            {}
            if canonical_version is None
            else {"canonical_version": canonical_version}
        )
        site = MkDocsSite.create(path / "project", {}, plugins=[{"mike": options}])
        if not own:
            site.replace_in_config("- sitemap: {}", "- search")
        subprocess.run(
            ["git", "init", "--quiet", "--bare", path / "remote"], check=True
        )
        site.repository.git("remote", "add", "origin", "../remote")
        for day, (name, pages) in enumerate(VERSIONS.items(), start=1):
            if name == "1.0" and not own:
                continue
            site.repository.git("rm", "-rq", "--ignore-unmatch", "docs")
            files = {f"docs/{file}": text for file, text in pages.items()}
            site.repository.commit(files, day=day)
            aliases = ["latest"] if name == "2.0" else []
            run_mike(site, "deploy", name, *aliases)
        run_mike(site, "set-default", "latest")
        return path

    return deploy_once


@pytest.fixture
def deploy(deployments: Callable[..., Path], tmp_path: Path) -> Deploy:
    """Return a function that deploys all versions to the branch gh-pages, with a bare
    remote.

    Its arguments are the type of the alias, `canonical_version` of mike, and whether
    the site has the sitemap plugin. Otherwise, MkDocs writes its own sitemap.
    """

    def copy(
        alias_type: str = "symlink",
        canonical_version: str | None = None,
        own: bool = True,
    ) -> MkDocsSite:
        source = deployments(canonical_version, own)
        shutil.copytree(source, tmp_path / "copy", symlinks=True)
        site = MkDocsSite(Repository(tmp_path / "copy/project"))
        if alias_type != "symlink":
            run_mike(site, "delete", "latest")
            run_mike(site, "alias", "--alias-type", alias_type, "2.0", "latest")
        return site

    return copy


def index(site: MkDocsSite, *arguments: str) -> Done:
    """Commit the sitemap of all versions, and push it as the command says."""
    command = ("index", "gh-pages", "--base-url", BASE_URL, "--commit", *arguments)
    done = invoke(*command, cwd=site.path)
    assert done.code == 0, done
    site.repository.git(*done.out.rstrip().rpartition("git ")[2].split())
    return done


def published(site: MkDocsSite) -> Path:
    """Return what a server publishes: the pushed branch, with the targets of links."""
    target = site.path.parent / "published"
    subprocess.run(["rm", "-rf", target], check=True)
    command = ["git", "clone", "--quiet", "--branch=gh-pages", "remote", str(target)]
    subprocess.run(command, cwd=site.path.parent, check=True)
    return target


def check(root: Path, *arguments: str, base_url: str = BASE_URL) -> Done:
    return invoke("check", "--base-url", base_url, *arguments, root, cwd=root)


@pytest.mark.parametrize("alias_type", ["symlink", "copy", "redirect"])
def test_each_version_is_listed_once(deploy: Deploy, alias_type: str) -> None:
    site = deploy(alias_type)
    modes = {"symlink": "120000", "copy": "040000", "redirect": "040000"}
    assert site.repository.git("ls-tree", "gh-pages", "latest").startswith(
        modes[alias_type]
    )
    done = index(site)
    assert "(latest), listed, 2 URLs" in done.out
    root = published(site)
    assert read_index(root / "sitemap.xml") == {"2.0/sitemap.xml": noon(3)}
    assert check(root, "--strict").code == 0
    index(site, "--versions", "all")
    root = published(site)
    names = ["2.0", "1.1", "1.0"]
    assert [*read_index(root / "sitemap.xml")] == [
        f"{name}/sitemap.xml" for name in names
    ]
    assert check(root, "--strict").code == 0


def test_several_versions(deploy: Deploy) -> None:
    site = deploy()
    index(site, "--versions", "1.*,latest")
    root = published(site)
    assert read_index(root / "sitemap.xml") == {
        "2.0/sitemap.xml": noon(3),
        "1.1/sitemap.xml": noon(2),
        "1.0/sitemap.xml": noon(1),
    }
    assert check(root, "--strict").code == 0


def test_later_deployments_keep_the_sitemap(deploy: Deploy) -> None:
    site = deploy()
    index(site)
    site.repository.commit({"docs/guide.md": "# Guide, again"}, day=4)
    run_mike(site, "deploy", "--update-aliases", "3.0", "latest")
    assert "2.0/sitemap.xml" in site.repository.git("show", "gh-pages:sitemap.xml")
    index(site)
    root = published(site)
    assert read_index(root / "sitemap.xml") == {"3.0/sitemap.xml": noon(4)}
    assert check(root, "--strict").code == 0


def test_canonical_version(deploy: Deploy) -> None:
    site = deploy(canonical_version="latest")
    done = index(site)
    root = published(site)
    # Each version lists its own pages at its own address.
    for name, paths in {
        "1.0": ["", "a%20b/", "old/"],
        "1.1": ["", "gone/", "guide/"],
        "2.0": ["", "guide/"],
    }.items():
        entries = read((root / name / "sitemap.xml").read_bytes())
        assert [entry.loc for entry in entries] == [
            f"{BASE_URL}{name}/{path}" for path in paths
        ]
        checked = check(root / name, base_url=f"{BASE_URL}{name}/")
        assert checked.code == 0
        assert checked.out.count("warning canonical-version: ") == 1
    assert read_index(root / "sitemap.xml") == {"2.0/sitemap.xml": noon(3)}
    assert "notice" in done.out.lower()
    # The pages that 2.0 does not have name missing pages, until they are corrected.
    done = invoke("index", root, "--base-url", BASE_URL, "--canonical", cwd=root)
    assert "3 corrected" in done.out
    assert check(root).code == 0


def test_sitemaps_of_mkdocs_itself(deploy: Deploy) -> None:
    site = deploy(own=False)
    index(site)
    root = published(site)
    assert [*read_index(root / "sitemap.xml")] == ["2.0/sitemap.xml"]
    assert check(root).code == 0


def test_sitemaps_of_mkdocs_itself_with_canonical_version(deploy: Deploy) -> None:
    site = deploy(canonical_version="latest", own=False)
    index(site)
    root = published(site)
    assert [*read_index(root / "sitemap.xml")] == ["latest/sitemap.xml"]
    command = ("index", "gh-pages", "--base-url", BASE_URL, "--versions", "all")
    done = invoke(*command, cwd=site.path)
    # The sitemaps of the other versions list the pages of the canonical one.
    assert done.code == 1
    assert "index of 1 sitemap" in done.out
    assert done.out.count(": out-of-scope: ") == 1


def test_another_address_than_the_one_of_mike_stays(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        {"index.md": "# Home\n"},
        plugins=[{"mike": {"canonical_version": "latest"}}],
        hooks=["hook.py"],
    )
    address = "https://example.com/docs/"
    hook = f"def on_config(config):\n    config.site_url = '{address}'\n"
    (project / "hook.py").write_text(hook)
    site.run("build", MIKE_DOCS_VERSION="1.0")
    (entry,) = read((site.site / "sitemap.xml").read_bytes())
    assert entry.loc == address
