"""Build the documentation of a real project with a sitemap.

Run this file with the Python of the project's environment. It imports nothing from this
folder, so that it can also build with another checkout of this project:

    PYTHONPATH=CHECKOUT ENVIRONMENT/bin/python -P documentation.py SETTINGS

`SETTINGS` is JSON: the fields of `Build`.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import json
import os
import pickle
import resource
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

BASE_URL = "https://example.org/docs/"

# The fields of a site that another process does not need, or that are functions.
_OTHER_FIELDS = ("pages", "history", "edit_url", "find_original", "front_matter")

_hooks = 0.0


class Build(NamedTuple):
    """What to build.

    Attributes:
        clone: The clone of the project.
        out: The folder for the built site, which does not exist.
        report: The file for the report of the build; empty without a sitemap.
        config: The configuration of MkDocs, relative to the clone; empty for Sphinx.
        source: The folder of `conf.py`, relative to the clone.
        drop: The plugins or extensions to leave out.
        settings: More settings of the generator.
        only: The documents to build, relative to the folder of documents; all if
            empty.
        capture: The file for the pages as they are dated; empty to write none.
    """

    clone: str
    out: str
    report: str = ""
    config: str = ""
    source: str = ""
    drop: tuple[str, ...] = ()
    settings: Mapping[str, Any] = MappingProxyType({})
    only: tuple[str, ...] = ()
    capture: str = ""


def run(build: Build) -> float:
    """Build the documentation. Return the processor seconds of the hooks."""
    os.environ["DOCS_SITEMAP_CACHE_DIR"] = ""
    if build.capture:
        _capture_pages(build)
    if build.config:
        _run_mkdocs(build)
    else:
        _run_sphinx(build)
    return _hooks


def _capture_pages(build: Build) -> None:
    """Save the pages when they are dated, and what the collecting analyses find."""
    from benchmarks.analyses import note_finds
    from docs_sitemap import build as steps
    from docs_sitemap.steps.dates import find_dates

    captured: list[tuple[Any, dict[str, Any], Any]] = []
    finds = note_finds()

    def capture(entries: Any, site: Any, diagnostics: Any) -> None:
        if entries:
            fields = {}
            for field in dataclasses.fields(site):
                if field.init and field.name not in _OTHER_FIELDS:
                    fields[field.name] = getattr(site, field.name)
            words = site.front_matter._words
            captured.append((copy.deepcopy(entries), fields, words))
        find_dates(entries, site, diagnostics)
        Path(build.capture).write_bytes(pickle.dumps((captured, finds)))

    vars(steps)["find_dates"] = capture


def _run_mkdocs(build: Build) -> None:
    from mkdocs.commands.build import build as run_build
    from mkdocs.config import load_config
    from mkdocs.config.defaults import MkDocsConfig

    path = Path(build.clone, build.config)
    os.chdir(path.parent)
    sys.path.append(build.clone)  # as with `python -m mkdocs`
    written = MkDocsConfig(str(path))
    with path.open("rb") as file:
        written.load_file(file)
    plugins = _list_plugins(written.data.get("plugins") or ["search"])
    plugins = [one for one in plugins if not one.keys() & set(build.drop)]
    if build.report:
        _time_plugin()
        plugins.append({"sitemap": {"report": build.report}})
    config = load_config(
        str(path),
        site_url=BASE_URL,
        site_dir=build.out,
        strict=False,
        plugins=plugins,
        **build.settings,
    )
    if build.only:
        config.plugins.events["files"].append(functools.partial(_select, build.only))
    config.plugins.on_startup(command="build", dirty=False)
    run_build(config)


def _time_plugin() -> None:
    """Measure the hooks of the plugin."""
    import mkdocs_sitemap.build  # noqa: F401  # The hooks would load it.
    from mkdocs_sitemap import SitemapPlugin

    for name in dir(SitemapPlugin):
        if name.startswith("on_"):
            setattr(SitemapPlugin, name, _timed(getattr(SitemapPlugin, name)))


def _select(only: Sequence[str], files: Any, *, config: Any) -> Any:
    """Leave out all other documents: a hook of MkDocs."""
    for file in list(files.documentation_pages()):
        if file.src_uri not in only:
            files.remove(file)
    return files


def _list_plugins(plugins: Any) -> list[dict[str, Any]]:
    """Return the plugins of a configuration with their options, in one form."""
    if isinstance(plugins, dict):
        return [{name: options or {}} for name, options in plugins.items()]
    listed = []
    for plugin in plugins:
        listed.append(plugin if isinstance(plugin, dict) else {plugin: {}})
    return listed


def _run_sphinx(build: Build) -> None:
    import sphinx.config
    from sphinx.application import Sphinx

    read_config = sphinx.config.eval_config_file
    connect = Sphinx.connect

    def read_with_extension(*args: Any) -> dict[str, Any]:
        names = read_config(*args)
        extensions = names.get("extensions", [])
        kept = [name for name in extensions if name not in build.drop]
        if build.report:
            kept.append("sphinx_sitemap_ext")
        names["extensions"] = kept
        return names

    def connect_timed(
        app: Sphinx, event: str, callback: Callable[..., Any], *args: Any, **more: Any
    ) -> int:
        module = str(getattr(callback, "__module__", None))
        if module.startswith("sphinx_sitemap_ext"):
            callback = _timed(callback)
        return connect(app, event, callback, *args, **more)

    vars(sphinx.config)["eval_config_file"] = read_with_extension
    Sphinx.connect = connect_timed  # type: ignore[method-assign, assignment]
    settings = {
        "html_baseurl": BASE_URL,
        "intersphinx_mapping": {},
        **build.settings,
    }
    if build.report:
        import sphinx_sitemap_ext.events  # noqa: F401  # A handler would load it.

        settings["sitemap_report"] = build.report
    if build.only:
        settings["include_patterns"] = ["index.*", *build.only]
    os.chdir(build.clone)
    source = Path(build.clone, build.source)
    out = Path(build.out)
    doctrees = out.with_name(f"{out.name}-doctrees")
    app = Sphinx(source, source, out, doctrees, "html", settings, freshenv=True)
    app.build()


def _timed(hook: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(hook)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        global _hooks
        start = processor_seconds()
        try:
            return hook(*args, **kwargs)
        finally:
            _hooks += processor_seconds() - start

    return wrapper


def processor_seconds() -> float:
    """Return the processor time of this process and its finished children."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    seconds = run(Build(**json.loads(sys.argv[1])))
    print(json.dumps({"hooks": round(seconds, 2)}))
