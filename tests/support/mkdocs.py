"""Real MkDocs and ProperDocs builds, by their commands."""

from __future__ import annotations

import contextlib
import logging
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from click.testing import CliRunner
from mkdocs.__main__ import cli
from mkdocs.config.defaults import MkDocsConfig

from support.command import run
from support.readers import Entry, read_site
from support.repository import Repository, noon

BASE_URL = "https://example.org/docs/"
MKDOCS = (sys.executable, "-m", "mkdocs")
PROPERDOCS = (sys.executable, "-m", "properdocs")

# A theme in which the front matter of a page sets robots or a redirect.
MAIN = """\
{% extends "base.html" %}
{% block extrahead %}
{% if page and page.meta.robots %}<meta name="robots" content="{{ page.meta.robots }}">{% endif %}
{% if page and page.meta.moved %}
<meta http-equiv="refresh" content="0; url={{ page.meta.moved }}">
{% endif %}
{% endblock %}
"""


@dataclass(frozen=True)
class MkDocsSite:
    """A MkDocs project in its own repository."""

    repository: Repository

    @property
    def path(self) -> Path:
        return self.repository.path

    @property
    def site(self) -> Path:
        return self.path / "site"

    @classmethod
    def create(
        cls, path: Path, pages: dict[str, str], *, sitemap: Any = None, **config: Any
    ) -> MkDocsSite:
        """Write and commit (on day 1) a project.

        Args:
            path: The folder of the project.
            pages: The files in `docs`.
            sitemap: The options of the plugin `sitemap`.
            config: More of `mkdocs.yml`; `plugins` are more plugins.
        """
        plugins = [{"sitemap": sitemap or {}}, *config.pop("plugins", [])]
        settings = {"site_name": "Test", "site_url": BASE_URL, "theme": "mkdocs"}
        settings |= config | {"plugins": plugins}
        site = cls(Repository.create(path))
        site.repository.write(
            {".gitignore": "/site/\n", "mkdocs.yml": yaml.safe_dump(settings)}
        )
        site.repository.commit(
            {f"docs/{name}": text for name, text in pages.items()}, day=1
        )
        return site

    def replace_in_config(self, old: str, new: str) -> None:
        """Change the text of `mkdocs.yml`."""
        config = self.path / "mkdocs.yml"
        text = config.read_text(encoding="utf-8")
        assert old in text
        config.write_text(text.replace(old, new), encoding="utf-8")

    def run(
        self, *arguments: str, succeeds: bool = True, folder: str = ".", **env: str
    ) -> str:
        """Run a subcommand of `mkdocs` in this process, and return what it logs.

        Args:
            arguments: The command line.
            succeeds: Whether the command is expected to succeed.
            folder: The working directory relative to the project.
            env: More variables of the environment.
        """
        forget_builds()
        with contextlib.chdir(self.path / folder), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = CliRunner().invoke(cli, arguments, env=env)
        error = result.exception
        assert error is None or isinstance(error, SystemExit), (error, result.output)
        assert (result.exit_code == 0) is succeeds, result.output
        return result.output

    def run_process(
        self,
        *arguments: str,
        command: tuple[str, ...] = MKDOCS,
        succeeds: bool = True,
        **env: str,
    ) -> str:
        """Run a subcommand in a process of its own, and return what it logs."""
        forget_builds()
        return run([*command, *arguments], cwd=self.path, env=env, succeeds=succeeds)

    def build(self, *arguments: str, **env: str) -> dict[str, Entry]:
        """Build with warnings as errors, and read the sitemap."""
        self.run("build", "--strict", *arguments, succeeds=True, **env)
        return self.read()

    def read(self) -> dict[str, Entry]:
        return read_site(self.site, BASE_URL)


def forget_builds() -> None:
    """Forget plugins that have `on_startup`, and the texts that MkDocs has logged once.
    MkDocs keeps both for as long as its process lives.
    """
    MkDocsConfig.plugins.plugin_cache.clear()  # type: ignore[attr-defined]
    logging.getLogger("mkdocs.commands.build").filters.clear()


def days(site: MkDocsSite) -> dict[str, int | None]:
    """Return the day in January of each page, by URL."""
    dates = {noon(day): day for day in range(1, 32)}
    return {
        url: dates[entry.lastmod] if entry.lastmod else None
        for url, entry in site.read().items()
    }


def build_days(site: MkDocsSite, *arguments: str) -> dict[str, int | None]:
    """Build, and return the day in January of each page, by URL."""
    site.build(*arguments)
    return days(site)


def snippets(**options: Any) -> dict[str, Any]:
    """Return the configuration of `pymdownx.snippets`."""
    return {
        "markdown_extensions": [{"pymdownx.snippets": {"check_paths": True} | options}]
    }
