"""Real Sphinx builds: in this process by `sphinx.testing`, or by the command."""

from __future__ import annotations

import contextlib
import logging
import re
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sphinx.cmd.build import build_main
from sphinx.testing.util import SphinxTestApp, _clean_up_global_state

from support.command import run
from support.readers import Entry, read_site
from support.repository import Repository, noon

BASE_URL = "https://example.org/docs/"


@dataclass(frozen=True)
class BuildLog:
    """What a build in this process logs, without colors."""

    status: str
    warnings: str

    @property
    def number_of_warnings(self) -> int:
        return self.warnings.count("WARNING: ")


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
            path: The folder of the project.
            pages: The files below `docs`.
            config: The values in `conf.py`. `extensions` are further extensions, which
                may be modules in `docs`.
        """
        site = cls(Repository.create(path))
        site.configure(**config)
        site.repository.write({".gitignore": "/out/\n__pycache__/\n"})
        site.repository.commit(
            {f"docs/{name}": text for name, text in pages.items()}, day=1
        )
        return site

    def configure(self, **config: Any) -> None:
        """Write `conf.py`."""
        extensions = ["sphinx_sitemap_ext", *config.pop("extensions", [])]
        settings = {
            "html_baseurl": BASE_URL,
            "html_theme": "basic",
            "extensions": extensions,
        }
        lines = [f"{name} = {value!r}\n" for name, value in (settings | config).items()]
        self.repository.write({"docs/conf.py": "".join(lines)})
        self.import_from("docs")

    def import_from(self, folder: str) -> None:
        """Let Python import modules from a folder of the project."""
        self.extend_configuration(
            f"import sys\nsys.path.insert(0, {str(self.path / folder)!r})\n"
        )

    def extend_configuration(self, code: str) -> None:
        """Append code to `conf.py`."""
        with (self.path / "docs/conf.py").open("a") as file:
            file.write(code)

    def out(self, builder: str = "html") -> Path:
        return self.path / "out" / builder

    def run(
        self, builder: str = "html", *arguments: str, succeeds: bool = True, **env: str
    ) -> str:
        """Run the command, and return what it logs."""
        command = [sys.executable, "-m", "sphinx", "--no-color", "-b", builder]
        command += ["-d", "out/doctrees", "docs", str(self.out(builder)), *arguments]
        return run(command, cwd=self.path, env=env, succeeds=succeeds)

    def run_here(self, *arguments: str, cwd: Path) -> None:
        """Run the command in this process, with any arguments."""
        search_path = sys.path.copy()
        with contextlib.chdir(cwd), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                assert build_main(arguments) == 0
            finally:
                sys.path[:] = search_path
                _clean_up_global_state()
                self._unload_modules()

    def log(
        self,
        builder: str = "html",
        *,
        force_all: bool = False,
        overrides: dict[str, Any] | None = None,
        **arguments: Any,
    ) -> BuildLog:
        """Build in this process.

        Args:
            builder: The name of the builder.
            force_all: Whether to write all pages again, as `-a` does.
            overrides: Values that replace values of `conf.py`, as `-D` does.
            arguments: Further arguments of `SphinxTestApp`.
        """
        with warnings.catch_warnings():
            # Deprecations in Sphinx, docutils, and other extensions are not ours to
            # fix.
            warnings.simplefilter("ignore")
            warnings.filterwarnings("error", module="docs_sitemap|sphinx_sitemap_ext")
            if not arguments.get("verbosity"):
                # Sphinx makes thousands of messages that it does not print.
                logging.disable(logging.DEBUG)
            try:
                app = SphinxTestApp(
                    builder,
                    srcdir=self.path / "docs",
                    builddir=self.path / "out",
                    confoverrides=overrides,
                    **arguments,
                )
                try:
                    app.build(force_all)
                finally:
                    app.cleanup()
            finally:
                logging.disable(logging.NOTSET)
                self._unload_modules()
        return BuildLog(
            _strip_colors(app.status.getvalue()), _strip_colors(app.warning.getvalue())
        )

    def build(self, builder: str = "html", **arguments: Any) -> dict[str, Entry]:
        """Build in this process without a warning, and read the sitemap back."""
        log = self.log(builder, **arguments)
        assert not log.warnings, log.warnings
        return self.read(builder)

    def read(
        self, builder: str = "html", filename: str = "sitemap.xml"
    ) -> dict[str, Entry]:
        return read_site(self.out(builder), BASE_URL, filename)

    def _unload_modules(self) -> None:
        """Forget the modules of the project: other projects have some of the same name."""
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None)).startswith(str(self.path)):
                del sys.modules[name]
        # sphinx-autoapi and sphinx-autodoc2 read modules with it.
        if "astroid" in sys.modules:
            manager = sys.modules["astroid"].MANAGER
            files = [str(module.file) for module in manager.astroid_cache.values()]
            if any(file.startswith(str(self.path)) for file in files):
                # Reading `builtins` again takes longer than most builds.
                builtins = manager.astroid_cache["builtins"]
                with patch.object(type(manager), "bootstrap"):
                    manager.clear_cache()
                manager.astroid_cache["builtins"] = builtins


def document(title: str, *, toctree: tuple[str, ...] = (), fields: str = "") -> str:
    """Return a reStructuredText document."""
    head = f"{fields}\n\n" if fields else ""
    tree = "".join(f"   {docname}\n" for docname in toctree)
    return f"{head}{title}\n{'=' * len(title)}\n" + (
        f"\n.. toctree::\n\n{tree}" if tree else ""
    )


def days(entries: dict[str, Entry]) -> dict[str, int | None]:
    """Return the day of each page, by its name without the suffix."""
    day_of = {noon(day): day for day in range(1, 29)}
    return {
        name.removesuffix(".html"): None
        if entry.lastmod is None
        else day_of[entry.lastmod]
        for name, entry in entries.items()
    }


def _strip_colors(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
