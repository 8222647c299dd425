"""`generate` obeys the configuration of Zensical and MkDocs as the plugin of MkDocs
does.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.cli import Done, invoke
from support.command import run
from support.mkdocs import BASE_URL, MkDocsSite

pytest.importorskip("zensical")

# In the order of the days of their commits, from the second.
DOCS = {
    "index.md": "# Home",
    "hidden.md": "# Hidden",
    "guide/index.md": "# Guide",
    "guide/setup.md": "---\nupdated: 2023-05-06\n---\n# Setup",
    "guide/Über uns.md": "# About",
    "drafts/one.md": "---\nsitemap: {priority: 0.1}\n---\n# One",
    "drafts/two.md": "---\nsitemap: false\n---\n# Two",
    "data/setup.json": "{}",
    "data/hidden.json": "{}",
    "files/manual.pdf": "PDF",
}
HIDDEN = {"exclude": ["hidden.md"], "changefreq": "weekly"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> MkDocsSite:
    """A project that Zensical has built, with its site in the folder `zensical`."""
    folder = tmp_path_factory.mktemp("project")
    site = MkDocsSite.create(folder, {}, sitemap=HIDDEN, theme="material")
    for day, (name, text) in enumerate(DOCS.items(), start=2):
        site.repository.commit({f"docs/{name}": text}, day=day)
    log = run((sys.executable, "-m", "zensical", "build"), cwd=site.path)
    assert "warn" not in log.lower()
    shutil.move(site.site, site.path / "zensical")
    return site


@pytest.fixture
def site(built: MkDocsSite) -> MkDocsSite:
    """The same project, with the site of Zensical in its folder."""
    for path in built.path.glob("*.toml"):
        path.unlink()
    use_zensical(built)
    return built


def use_zensical(site: MkDocsSite) -> None:
    shutil.rmtree(site.site, ignore_errors=True)
    shutil.copytree(site.path / "zensical", site.site)


def configure(site: MkDocsSite, options: dict[str, Any], **settings: Any) -> None:
    """Write `mkdocs.yml` with options of the plugin."""
    values = {"site_name": "Test", "site_url": BASE_URL, "theme": "mkdocs"}
    values |= {"plugins": [{"sitemap": options}]} | settings
    (site.path / "mkdocs.yml").write_text(yaml.safe_dump(values, allow_unicode=True))


def generate(site: MkDocsSite, *arguments: str, code: int = 0) -> Done:
    done = invoke("generate", *arguments, cwd=site.path)
    assert done.code == code, done
    return done


@pytest.mark.parametrize(
    "options",
    [
        {},
        HIDDEN,
        {"exclude": "hidden, guide/*"},
        {"exclude": ["drafts/one.md", "guide/Über uns.md"]},
        {"exclude": ["drafts/*", "guide/setup/"], "include": ["drafts/one.md"]},
        {"exclude": ["*"], "include": ["guide/index.md", "drafts/two.md"]},
        {"include": ["files/*.pdf"], "lastmod_format": "date"},
        {
            "rules": [
                {"match": "guide/setup.md", "priority": 0.9},
                {"match": ["guide/*", "index.md"], "changefreq": "daily"},
            ],
            "priority": 0.4,
        },
        {"dependencies": {"{name}.md": "docs/data/{name}.json"}},
        {
            "dependencies": {
                "guide/setup.md": ["docs/data/*.json"],
                "drafts/*": "mkdocs.yml",
            }
        },
        {"lastmod_fields": "updated", "gzip": False},
        {"lastmod": False, "robots": False, "ignore_reasons": ["noindex"]},
    ],
)
def test_options_of_the_plugin(site: MkDocsSite, options: dict[str, Any]) -> None:
    configure(site, options)
    expected = site.build()
    assert len(expected) != len(DOCS), "no page is excluded"
    use_zensical(site)
    generate(site, "site")
    assert site.read() == expected


SETTINGS = f"site_name: Test\nsite_url: {BASE_URL}\n"
OPTIONS = "exclude: [hidden.md], changefreq: weekly"
TOML = 'exclude = ["hidden.md"]\nchangefreq = "weekly"\n'
PROJECT = f'[project]\nsite_name = "Test"\nsite_url = "{BASE_URL}"\n'


@pytest.mark.parametrize(
    "files",
    [
        {"mkdocs.yml": f"{SETTINGS}plugins:\n- search\n- sitemap: {{{OPTIONS}}}\n"},
        {"mkdocs.yml": f"{SETTINGS}plugins:\n  search:\n  sitemap: {{{OPTIONS}}}\n"},
        {
            "mkdocs.yaml": f"{SETTINGS}plugins: [sitemap: {{enabled: true, {OPTIONS}}}]\n"
        },
        {"mkdocs.yml": f"{SETTINGS}plugins: [sitemap, sitemap: {{{OPTIONS}}}]\n"},
        # The plugin writes no sitemap on this machine, but the command does.
        {
            "mkdocs.yml": f"{SETTINGS}plugins: [sitemap: "
            f"{{enabled: !ENV [NOT_SET, false], {OPTIONS}}}]\n"
        },
        {
            "mkdocs.yml": f"{SETTINGS}plugins: [sitemap: {{exclude: '*'}}, "
            f"sitemap: {{{OPTIONS}}}, sitemap: {{enabled: false}}]\n"
        },
        {
            "zensical.toml": f"{PROJECT}plugins = ['sitemap', {{ sitemap = "
            "{ exclude = ['hidden.md'], changefreq = 'weekly' } }]\n"
        },
        {
            "mkdocs.yml": "INHERIT: base.yml\nplugins: {sitemap: {changefreq: weekly}}\n",
            "base.yml": f"{SETTINGS}plugins: {{sitemap: {{exclude: hidden.md}}}}\n",
        },
        {
            "mkdocs.yml": f"{SETTINGS}plugins:\n- sitemap:\n    exclude: !ENV [UNSET, HIDDEN, x]\n"
            "    changefreq: !ENV [UNSET, weekly]\n"
            "markdown_extensions:\n- toc: {slugify: !!python/name:os.system }\n"
            "- attr_list: !!python/object/apply:os.system [touch ran]\n"
        },
        {"zensical.toml": f"{PROJECT}[project.plugins.sitemap]\n{TOML}"},
        {
            "zensical.toml": f"{PROJECT}plugins = ['search', {{ sitemap = "
            "{ exclude = ['hidden.md'], changefreq = 'weekly' } }]\n"
        },
        {
            "zensical.toml": f"{PROJECT}[[project.plugins]]\n[project.plugins.search]\n"
            f"[[project.plugins]]\n[project.plugins.sitemap]\n{TOML}"
        },
        {"zensical.toml": PROJECT, "docs-sitemap.toml": TOML},
        {"mkdocs.yml": SETTINGS, "pyproject.toml": f"[tool.docs-sitemap]\n{TOML}"},
        {
            "mkdocs.yml": f"{SETTINGS}plugins: [sitemap: {{{OPTIONS}}}]\n",
            "docs-sitemap.toml": 'exclude = "hidden.md"\nmin_dated = 90\n',
        },
        # Zensical does not read the second file.
        {
            "zensical.toml": f"{PROJECT}[project.plugins.sitemap]\n{TOML}",
            "mkdocs.yml": "plugins: [sitemap: {exclude: ['*']}]\n",
        },
    ],
)
def test_spellings(site: MkDocsSite, files: dict[str, str]) -> None:
    (site.path / "mkdocs.yml").unlink(missing_ok=True)
    site.repository.write(files)
    done = invoke("generate", "-v", cwd=site.path, HIDDEN="hidden.md")
    (site.path / "mkdocs.yaml").unlink(missing_ok=True)
    assert (done.code, done.err) == (0, ""), done
    assert {*site.read()} == {
        "",
        "guide/",
        "guide/setup/",
        "guide/%C3%9Cber%20uns/",
        "drafts/one/",
    }
    assert {entry.changefreq for entry in site.read().values()} == {"weekly"}
    lines = [line for line in done.out.splitlines() if line.startswith("options from")]
    assert f"options from {next(iter(files))}: " in done.out
    assert any("exclude" in line for line in lines)
    done = invoke("explain", "site", "hidden/", cwd=site.path)
    assert "exclude" in done.out.splitlines()[-1]
    assert not (site.path / "ran").exists()


@pytest.mark.parametrize(
    "text",
    [
        f"{PROJECT}[project.plugins.sitemap]\n{TOML}",
        f"{PROJECT}plugins = ['search', 'sitemap']\n",
    ],
)
def test_zensical_accepts_the_section(tmp_path: Path, text: str) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# Home")
    (tmp_path / "zensical.toml").write_text(text)
    log = run((sys.executable, "-m", "zensical", "build", "--strict"), cwd=tmp_path)
    assert "sitemap" not in log
