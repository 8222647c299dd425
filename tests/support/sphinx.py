"""Real Sphinx builds, by its command."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.command import run
from support.readers import Entry, read_site
from support.repository import Repository

BASE_URL = "https://example.org/docs/"


@dataclass(frozen=True)
class SphinxSite:
    """A Sphinx project in a repository of its own."""

    repository: Repository

    @property
    def path(self) -> Path:
        return self.repository.path

    @classmethod
    def create(cls, path: Path, pages: dict[str, str], **config: Any) -> SphinxSite:
        """Make and commit (on day 1) a project with these files below `docs`.

        Args:
            path: where to make it.
            pages: files below `docs`.
            config: what `conf.py` says; `extensions` are further extensions.
        """
        extensions = ["sphinx_sitemap_ext", *config.pop("extensions", [])]
        settings = {"html_baseurl": BASE_URL, "html_theme": "basic", "extensions": extensions}
        site = cls(Repository.create(path))
        site.configure(**settings | config)
        site.repository.write({".gitignore": "/out/\n"})
        site.repository.commit({f"docs/{name}": text for name, text in pages.items()}, day=1)
        return site

    def configure(self, **settings: Any) -> None:
        lines = [f"{name} = {value!r}\n" for name, value in settings.items()]
        self.repository.write({"docs/conf.py": "".join(lines)})

    def out(self, builder: str = "html") -> Path:
        return self.path / "out" / builder

    def run(self, builder: str = "html", *arguments: str, succeeds: bool = True, **env: str) -> str:
        """Run Sphinx and return what it logs."""
        command = [sys.executable, "-m", "sphinx", "--no-color", "-b", builder]
        command += ["-d", "out/doctrees", "docs", str(self.out(builder)), *arguments]
        return run(command, cwd=self.path, env=env, succeeds=succeeds)

    def build(self, builder: str = "html", *arguments: str, **env: str) -> dict[str, Entry]:
        """Build, with warnings as errors, and read the sitemap back."""
        self.run(builder, "-W", "--keep-going", *arguments, **env)
        return self.read(builder)

    def read(self, builder: str = "html", filename: str = "sitemap.xml") -> dict[str, Entry]:
        return read_site(self.out(builder), BASE_URL, filename)


def document(title: str, *, toctree: tuple[str, ...] = (), fields: str = "") -> str:
    """A reStructuredText document."""
    head = f"{fields}\n\n" if fields else ""
    tree = "".join(f"   {docname}\n" for docname in toctree)
    return f"{head}{title}\n{'=' * len(title)}\n" + (f"\n.. toctree::\n\n{tree}" if tree else "")
