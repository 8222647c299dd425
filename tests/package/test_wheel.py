"""The built wheel, in an environment of its own, and this project's own documentation."""

from __future__ import annotations

import sys
import venv
import zipfile
from pathlib import Path

import pytest
from support.command import run
from support.readers import read_site
from support.repository import Repository

ROOT = Path(__file__).parents[2]
BASE_URL = "https://docs-sitemap.example.org/"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip"]
    run([*pip, "wheel", "-q", "--no-deps", "-w", folder, ROOT], cwd=folder)
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_holds_templates_and_type_markers_and_nothing_else_at_its_top(
    wheel: Path,
) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for package in ("docs_sitemap", "mkdocs_sitemap", "sphinx_sitemap_ext"):
        assert f"{package}/py.typed" in names
    assert {name for name in names if "/templates/" in name} == {
        "docs_sitemap/templates/sitemap.xml",
        "docs_sitemap/templates/sitemapindex.xml",
    }
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {
        "docs_sitemap",
        "mkdocs_sitemap",
        "sphinx_sitemap_ext",
    }


@pytest.mark.parametrize(
    ("extra", "command"),
    [
        ("mkdocs", ["mkdocs", "build", "--strict", "--site-dir", "out"]),
        ("sphinx", ["sphinx-build", "-W", "-b", "dirhtml", "docs", "out"]),
    ],
)
def test_a_site_is_built_from_the_installed_wheel(
    wheel: Path, project: Path, tmp_path: Path, extra: str, command: list[str]
) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    bin_dir = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    run([bin_dir / "python", "-m", "pip", "install", "-q", f"{wheel}[{extra}]"], cwd=tmp_path)
    Repository.create(project).commit(
        {
            "mkdocs.yml": f"site_name: Test\nsite_url: {BASE_URL}\nplugins: [sitemap]\n",
            "docs/conf.py": f"extensions = ['sphinx_sitemap_ext']\nhtml_baseurl = {BASE_URL!r}\n",
            "docs/index.md": "# Home",
            "docs/index.rst": "Home\n====\n",
        },
        day=1,
    )
    run([bin_dir / command[0], *command[1:]], cwd=project)
    check = [bin_dir / "docs-sitemap", "check", "--strict", "out"]
    assert "pip install 'docs-sitemap[cli]'" in run(check, cwd=project, succeeds=False)
    run([bin_dir / "python", "-m", "pip", "install", "-q", f"{wheel}[cli]"], cwd=tmp_path)
    assert "nothing is wrong in 1 sitemap, 1 URL" in run(check, cwd=project)
    explained = run([bin_dir / "docs-sitemap", "explain", "out", "index"], cwd=project)
    assert "2024-01-01T10:00:00+00:00, commit" in explained
    entries = read_site(project / "out", BASE_URL)
    assert {url: entry.lastmod for url, entry in entries.items()} == {
        "": "2024-01-01T10:00:00+00:00"
    }


def test_both_tools_give_this_projects_documentation_the_same_sitemap(tmp_path: Path) -> None:
    mkdocs, sphinx = tmp_path / "mkdocs", tmp_path / "sphinx"
    python = [sys.executable, "-m"]
    run([*python, "mkdocs", "build", "-q", "--site-dir", mkdocs], cwd=ROOT)
    builder = ["-b", "dirhtml", "-d", tmp_path / "doctrees"]
    run([*python, "sphinx", "-q", *builder, "docs", sphinx], cwd=ROOT)
    entries = read_site(mkdocs, BASE_URL)
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert set(entries) == {"" if page == "index" else f"{page}/" for page in pages}
    assert (mkdocs / "sitemap.xml").read_bytes() == (sphinx / "sitemap.xml").read_bytes()
