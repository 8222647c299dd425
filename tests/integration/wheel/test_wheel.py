"""Build the wheel, and use it in a new environment."""

from __future__ import annotations

import email
import re
import shutil
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from support.command import run
from support.readers import read_site
from support.repository import Repository, noon

ROOT = Path(__file__).parents[3]
BASE_URL = "https://docs-sitemap.example.org/"
PACKAGES = {"docs_sitemap", "docs_sitemap_cli", "mkdocs_sitemap", "sphinx_sitemap_ext"}
PRINT_PACKAGES = "import sysconfig; print(sysconfig.get_path('purelib'))"
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    # `make` has installed the project, and so proves what the build needs.
    build = [*PIP, "wheel", "--no-deps", "--no-build-isolation"]
    run([*build, "--wheel-dir", folder, ROOT], cwd=folder)
    (path,) = folder.glob("*.whl")
    return path


def test_wheel_contains_the_packages_with_templates_and_type_markers(
    wheel: Path,
) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    folders = {name.partition("/")[0] for name in names}
    assert {name for name in folders if not name.endswith(".dist-info")} == PACKAGES
    assert {f"{package}/py.typed" for package in PACKAGES} <= names
    templates = set()
    for template in ("sitemap.xml", "sitemapindex.xml"):
        templates.add(f"docs_sitemap/sitemap/templates/{template}")
    for suffix in ("css", "html.j2", "js", "txt.j2"):
        templates.add(f"docs_sitemap_cli/report/templates/report.{suffix}")
    assert {name for name in names if "/templates/" in name} == templates


def test_the_package_index_shows_the_readme_with_links_that_work_there(
    wheel: Path,
) -> None:
    archive = zipfile.ZipFile(wheel)
    (name,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
    metadata = email.message_from_bytes(archive.read(name))
    urls = {}
    for text in metadata.get_all("Project-URL", []):
        label, url = text.split(", ")
        urls[label] = url
    assert set(urls) == {"Documentation", "Source", "Changelog", "Issues"}
    readme = str(metadata.get_payload())
    links = re.findall(r"\]\(([^)]+)\)", readme)
    links += re.findall(r' (?:src|srcset)="([^"]+)"', readme)
    assert f"{urls['Documentation']}reference/options/" in links
    for picture in ("dates.svg", "report.png", "report-dark.png"):
        assert f"{urls['Source']}/raw/main/docs/pictures/{picture}" in links
    assert f"{urls['Source']}/blob/main/SECURITY.md" in links
    for link in links:
        assert link.startswith("https://")
    security = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert f"({urls['Source']}/security/advisories/new)" in security


def test_sites_are_built_and_checked_with_the_installed_wheel(
    wheel: Path, project: Path, tmp_path: Path
) -> None:
    venv.create(tmp_path / "venv", with_pip=False)
    bin_dir = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    python = bin_dir / "python"
    # The generators are those of this environment. `make compat` installs the extras.
    packages = run([python, "-c", PRINT_PACKAGES], cwd=tmp_path).strip()
    (Path(packages) / "generators.pth").write_text(sysconfig.get_path("purelib"))
    install = [*PIP, "--python", str(tmp_path / "venv"), "install", "--no-compile"]
    install += ["--no-deps", "--ignore-installed", str(wheel)]
    run(install, cwd=tmp_path)
    Repository.create(project).commit(
        {
            "mkdocs.yml": f"site_name: Test\nsite_url: {BASE_URL}\nplugins: [sitemap]\n",
            "docs/conf.py": f"extensions = ['sphinx_sitemap_ext']\nhtml_baseurl = {BASE_URL!r}\n",
            "docs/index.md": "# Home",
            "docs/index.rst": "Home\n====\n",
        },
        day=1,
    )
    for arguments in (
        ["mkdocs", "build", "--strict", "--site-dir", "out"],
        ["sphinx", "-W", "-b", "dirhtml", "docs", "out"],
    ):
        shutil.rmtree(project / "out", ignore_errors=True)
        run([python, "-m", *arguments], cwd=project)
        entries = read_site(project / "out", BASE_URL)
        assert {url: entry.lastmod for url, entry in entries.items()} == {"": noon(1)}

    docs_sitemap = bin_dir / "docs-sitemap"
    assert "1 URL" in run([docs_sitemap, "check", "--strict", "out"], cwd=project)
    assert "commit" in run([docs_sitemap, "explain", "out", "index"], cwd=project)
    location = run(
        [python, "-c", "import docs_sitemap as d; print(d.__file__)"], cwd=project
    )
    assert location.startswith(packages)
