"""Create small example sites, for the JSON examples."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import docs_sitemap
from docs_sitemap import Page, Site, Source, SourceRole, build_sitemap, read_options

BASE_URL = "https://example.org/docs/"

_DOCUMENTS = {
    "docs/index.md": "# Example",
    "docs/guide/setup.md": "# Set up",
    "docs/news.md": "# News",
}

_FAULTY_SITEMAP = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url>
    <loc>{BASE_URL}</loc>
    <lastmod>2026-05-31T08:30:00</lastmod>
  </url>
  <url>
    <loc>{BASE_URL}release notes/</loc>
  </url>
  <url>
    <loc>{BASE_URL}news/</loc>
  </url>
</urlset>
"""


_VERSION_SITEMAP = """\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.org/docs/{}/</loc></url>
</urlset>
"""


def make_site(project: Path) -> None:
    """Create a repository, its built site, the sitemap, and the report of the build.

    Args:
        project: an empty folder. The site is in `site`, the report is `report.json`.
    """
    _git(["init", "--quiet"], project)
    _commit(project, _DOCUMENTS, "2025-11-04T09:12:40+00:00")
    _git(["checkout", "--quiet", "-b", "prices"], project)
    _commit(project, {"docs/prices.csv": "small,10"}, "2026-05-28T14:03:19+00:00")
    _git(["checkout", "--quiet", "-"], project)
    merge = ["merge", "--quiet", "--no-ff", "--message=Merge", "prices"]
    _git(merge, project, "2026-05-31T08:30:00+00:00")
    pages = {
        "": ("index.md", ()),
        "guide/setup/": ("guide/setup.md", ("prices.csv",)),
        "news/": ("news.md", ()),
    }
    site = project / "site"
    _write_page(site / "index.html", "Example", "")
    _write_page(site / "guide/setup/index.html", "Set up - Example", "guide/setup/")
    _write_page(site / "news/index.html", "News - Example", "news/", robots="noindex")
    described = [
        Page(
            url=url,
            name=name,
            output=str(site / url / "index.html"),
            sources=(
                Source(str(project / "docs" / name), SourceRole.DOCUMENT),
                *(Source(str(project / "docs" / file)) for file in others),
            ),
        )
        for url, (name, others) in pages.items()
    ]
    options = read_options(
        {"base_url": BASE_URL, "report": str(project / "report.json")}
    )
    with patch.dict(
        os.environ, {"DOCS_SITEMAP_CACHE_DIR": ""}
    ):  # Save no other report.
        build_sitemap(
            Site(pages=described, options=options, out_dir=site, root=project)
        )


def _commit(project: Path, files: dict[str, str], date: str) -> None:
    _write(project, files)
    _git(["add", "docs"], project)
    _git(["commit", "--quiet", "--message=Write"], project, date)


def make_faulty_site(project: Path) -> None:
    """Create a built site with a faulty sitemap of another program.

    Args:
        project: an empty folder. The site is in `site`.
    """
    site = project / "site"
    _write_page(site / "index.html", "Example", "")
    _write_page(site / "news/index.html", "News - Example", "news/", robots="noindex")
    _write_page(site / "guide/setup/index.html", "Set up - Example", "guide/setup/")
    (site / "sitemap.xml").write_text(_FAULTY_SITEMAP, encoding="utf-8")


def make_versions(root: Path) -> None:
    """Create a folder with two versions, each with a page and a sitemap."""
    for name in ("1.0", "2.0"):
        _write_page(root / name / "index.html", "Example", f"{name}/")
        text = _VERSION_SITEMAP.format(name)
        (root / name / "sitemap.xml").write_text(text, encoding="utf-8")


def run_command(arguments: list[str], project: Path, **environment: str) -> str:
    """Run `docs-sitemap` in a folder and return what it prints."""
    package = str(Path(docs_sitemap.__file__).parents[1])
    process = subprocess.run(
        [sys.executable, "-m", "docs_sitemap_cli", *arguments],
        cwd=project,
        env={**os.environ, "PYTHONPATH": package, "COLUMNS": "100", **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if process.returncode not in (0, 1) or not process.stdout:
        raise RuntimeError(
            f"docs-sitemap {' '.join(arguments)} failed: {process.stderr}"
        )
    return process.stdout


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")


def _write_page(path: Path, title: str, url: str, robots: str | None = None) -> None:
    meta = f'<meta name="robots" content="{robots}">' if robots else ""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f"<!doctype html><title>{title}</title>{meta}"
        f'<link rel="canonical" href="{BASE_URL}{url}"><h1>{title}</h1>\n',
        encoding="utf-8",
    )


def _git(arguments: list[str], project: Path, date: str = "") -> None:
    """Run git without the settings of the user, so that commit names are always the
    same.
    """
    environment = {
        name: text for name, text in os.environ.items() if not name.startswith("GIT_")
    }
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for role in ("AUTHOR", "COMMITTER"):
        environment |= {
            f"GIT_{role}_NAME": "Writer",
            f"GIT_{role}_EMAIL": "writer@example.org",
        }
        environment |= {f"GIT_{role}_DATE": date}
    subprocess.run(["git", *arguments], cwd=project, env=environment, check=True)
