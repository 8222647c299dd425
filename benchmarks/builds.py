"""Whole builds of one site, with different makers of dates."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import unescape
from pathlib import Path
from typing import Any

import yaml
from measure import BenchError, Cost, run

BASE_URL = "https://example.org/docs/"
Dates = dict[str, int]

# Notes, when the build is done, the URL of each page, and the date that a plugin left on it.
HOOK = """\
import json, os
from pathlib import Path
KEY = "git_revision_date_localized_raw_iso_datetime"
def on_post_build(config):
    Path(os.environ["NOTED"]).write_text(json.dumps(noted))
def on_files(files, config):
    noted.clear()
def on_page_context(context, page, config, nav):
    noted[page.file.src_uri] = [page.url, page.meta.get(KEY)]
    return context
noted = {}
"""


@dataclass(frozen=True)
class Contestant:
    """One way to build the site.

    Attributes:
        tool: what builds it.
        name: who dates the pages.
        needs: the modules without which it cannot run.
        settings: what it adds to the site's configuration.
        dates: reads the dates of a finished build; `None` for one without.
        warm: whether it finds the user's cache as the contestant before it left it.
        written: whether its dates are the authors', not the committers'.
    """

    tool: str
    name: str
    needs: Sequence[str] = ()
    settings: Any = None
    dates: Callable[[Build], Dates] | None = None
    warm: bool = False
    written: bool = False

    def missing(self) -> list[str]:
        needs = [MODULES[self.tool], *self.needs]
        return [name for name in needs if importlib.util.find_spec(name) is None]


@dataclass(frozen=True)
class Build:
    """A site that is built again and again.

    Attributes:
        repository: where the site lies.
        docs: the folder of the pages, below the repository.
        scratch: a folder for what is built.
        mkdocs: the site's own `mkdocs.yml`, if it has one, below the repository.
    """

    repository: Path
    docs: str
    scratch: Path
    mkdocs: str | None = None

    @property
    def cache(self) -> Path:
        return self.scratch / "cache"

    @property
    def out(self) -> Path:
        return self.scratch / "out"

    @property
    def noted(self) -> Path:
        return self.scratch / "noted.json"

    def run(self, contestant: Contestant, env: Mapping[str, str], *, note: bool = False) -> Cost:
        """Build the site, with nothing left of earlier builds but, for the warm, the cache."""
        for folder in (self.out, self.scratch / "doctrees", *[self.cache] * (not contestant.warm)):
            shutil.rmtree(folder, ignore_errors=True)
        self.scratch.mkdir(exist_ok=True)
        command = COMMANDS[contestant.tool](self, contestant, note)
        env = {**env, "XDG_CACHE_HOME": str(self.cache), "NOTED": str(self.noted)}
        return run(command, cwd=self.repository, env=env)[0]


def _mkdocs(build: Build, contestant: Contestant, note: bool) -> list[str]:
    settings: dict[str, Any] = {"site_name": "Test", "docs_dir": build.docs}
    plugins: list[Any] = []
    hooks: list[str] = []
    folder = build.repository
    if build.mkdocs is not None:
        own = build.repository / build.mkdocs
        folder = own.parent
        settings = {"INHERIT": own.name}
        plugins, hooks = _own_plugins(own)
    if note:
        hook = build.scratch / "note.py"
        hook.write_text(HOOK)
        settings["hooks"] = [*hooks, str(hook)]
    settings |= {"site_url": BASE_URL, "site_dir": str(build.out)}
    settings["plugins"] = plugins + contestant.settings
    config = folder / "mkdocs-bench.yml"  # here, for its paths are relative to its folder
    try:
        config.write_text(yaml.safe_dump(settings))
    except yaml.YAMLError:
        raise BenchError(f"the plugins of {build.mkdocs} have options that are no text") from None
    return [sys.executable, "-m", "mkdocs", "build", "--quiet", "-f", str(config)]


def _own_plugins(path: Path) -> tuple[list[Any], list[str]]:
    """The site's plugins, without those that are compared, and its hooks."""
    from mkdocs.utils.yaml import yaml_load

    with path.open("rb") as stream:
        settings = yaml_load(stream)
    plugins = settings.get("plugins", ["search"])
    if isinstance(plugins, dict):
        plugins = [{name: options or {}} for name, options in plugins.items()]
    compared = ("sitemap", "git-revision-date-localized")
    names = [plugin if isinstance(plugin, str) else next(iter(plugin)) for plugin in plugins]
    kept = [p for p, name in zip(plugins, names, strict=True) if name not in compared]
    return kept, settings.get("hooks", [])


def _sphinx(build: Build, contestant: Contestant, note: bool) -> list[str]:
    extensions = ["myst_parser", *contestant.settings]
    (build.scratch / "conf.py").write_text(
        f"html_baseurl = {BASE_URL!r}\n"
        f"extensions = {extensions!r}\n"
        "sitemap_show_lastmod = True\n"
        "sitemap_url_scheme = '{link}'\n"
    )
    command = [sys.executable, "-m", "sphinx", "-q", "-d", str(build.scratch / "doctrees")]
    return [*command, "-c", str(build.scratch), build.docs, str(build.out)]


def _sitemap(build: Build) -> dict[str, int | None]:
    """The date of each URL below the base URL."""
    text = (build.out / "sitemap.xml").read_text(encoding="utf-8")
    dates = {}
    for entry in re.findall(r"<url>.*?</url>", text, re.DOTALL):
        url = unescape(re.findall(r"<loc>(.*?)</loc>", entry)[0]).removeprefix(BASE_URL)
        date = re.findall(r"<lastmod>(.*?)</lastmod>", entry)
        dates[url] = int(datetime.fromisoformat(date[0]).timestamp()) if date else None
    return dates


def _noted(build: Build) -> dict[str, tuple[str, str | None]]:
    noted = json.loads(build.noted.read_text(encoding="utf-8"))
    return {
        os.path.normpath(f"{build.docs}/{path}"): (url, date) for path, (url, date) in noted.items()
    }


def _mkdocs_sitemap(build: Build) -> Dates:
    dates = _sitemap(build)
    pages = {path: dates.get(url.removeprefix("./")) for path, (url, _) in _noted(build).items()}
    return {path: date for path, date in pages.items() if date is not None}


def _mkdocs_meta(build: Build) -> Dates:
    return {
        path: int(datetime.fromisoformat(f"{date}+00:00").timestamp())
        for path, (_, date) in _noted(build).items()
        if date is not None
    }


def _sphinx_sitemap(build: Build) -> Dates:
    return {
        f"{build.docs}/{url.removesuffix('.html')}.md": date
        for url, date in _sitemap(build).items()
        if date is not None
    }


PLAIN = "nobody (plain build)"
MODULES = {"MkDocs": "mkdocs", "Sphinx": "myst_parser"}
COMMANDS = {"MkDocs": _mkdocs, "Sphinx": _sphinx}
CONTESTANTS = (
    Contestant("MkDocs", PLAIN, settings=[]),
    Contestant("MkDocs", "this project, cold", settings=["sitemap"], dates=_mkdocs_sitemap),
    Contestant(
        "MkDocs", "this project, warm", settings=["sitemap"], dates=_mkdocs_sitemap, warm=True
    ),
    Contestant(
        "MkDocs",
        "mkdocs-git-revision-date-localized-plugin",
        needs=["mkdocs_git_revision_date_localized_plugin"],
        settings=["git-revision-date-localized"],
        dates=_mkdocs_meta,
        written=True,
    ),
    Contestant("Sphinx", PLAIN, settings=[]),
    Contestant(
        "Sphinx", "this project, cold", settings=["sphinx_sitemap_ext"], dates=_sphinx_sitemap
    ),
    Contestant(
        "Sphinx",
        "this project, warm",
        settings=["sphinx_sitemap_ext"],
        dates=_sphinx_sitemap,
        warm=True,
    ),
    Contestant(
        "Sphinx",
        "sphinx-last-updated-by-git + sphinx-sitemap",
        needs=["sphinx_last_updated_by_git", "sphinx_sitemap"],
        settings=["sphinx_last_updated_by_git", "sphinx_sitemap"],
        dates=_sphinx_sitemap,
        written=True,
    ),
)
