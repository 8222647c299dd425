"""Real MkDocs and ProperDocs builds, by their commands."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from support.command import run
from support.readers import Entry, read_site
from support.repository import Repository

BASE_URL = "https://example.org/docs/"

# Of a theme in which front matter makes a page one that is not to be found.
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
    """A MkDocs project in a repository of its own."""

    repository: Repository
    command: tuple[str, ...] = (sys.executable, "-m", "mkdocs")

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
        """Make and commit (on day 1) a project with these files below `docs`.

        Args:
            path: where to make it.
            pages: files below `docs`.
            sitemap: the options of the plugin `sitemap`.
            config: more of `mkdocs.yml`; `plugins` are further plugins.
        """
        plugins = [{"sitemap": sitemap or {}}, *config.pop("plugins", [])]
        settings = {"site_name": "Test", "site_url": BASE_URL, "theme": "mkdocs"}
        settings |= config | {"plugins": plugins}
        site = cls(Repository.create(path))
        site.repository.write({".gitignore": "/site/\n", "mkdocs.yml": yaml.safe_dump(settings)})
        site.repository.commit({f"docs/{name}": text for name, text in pages.items()}, day=1)
        return site

    def run(self, *arguments: str, succeeds: bool = True, **env: str) -> str:
        """Run a sub-command and return what it logs."""
        command = [*self.command, *arguments]
        return run(command, cwd=self.path, env=env, succeeds=succeeds)

    def build(self, *arguments: str, **env: str) -> dict[str, Entry]:
        """Build, with warnings as errors, and read the sitemap back."""
        self.run("build", "--strict", *arguments, **env)
        return self.read()

    def read(self) -> dict[str, Entry]:
        return read_site(self.site, BASE_URL)
