"""Complete builds with MkDocs and Sphinx, with and without a sitemap or dates.

The result of a build is the processor seconds of all hooks of this project.
"""

from __future__ import annotations

import functools
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.core import BASE_URL
from benchmarks.measure import processor_seconds

_PLUGIN_OPTIONS = {
    "mkdocstrings": {
        "handlers": {"python": {"paths": ["."], "options": {"show_source": False}}}
    }
}

_FASTAPI_PLUGIN_OPTIONS = {
    "mkdocstrings": {
        "handlers": {
            "python": {
                "paths": ["."],
                "options": {
                    "extensions": ["griffe_typingdoc"],
                    "preload_modules": ["httpx", "starlette"],
                    "inherited_members": True,
                    "merge_init_into_class": True,
                    "show_if_no_docstring": True,
                },
            }
        }
    }
}

# The theme and the settings for which little but the pages is built.
_FASTAPI_PLAIN = {"docs_dir": "docs", "theme": {"name": "mkdocs"}}

# Five languages are enough. The pages use these extensions.
_FASTAPI = {
    "exclude_docs": "/fr/\n/hi/\n/ja/\n/ko/\n/tr/\n/uk/\n/zh/\n/zh-hant/\n",
    "theme": {"name": "material"},
    "markdown_extensions": [
        "abbr",
        "attr_list",
        "footnotes",
        "md_in_html",
        "tables",
        {"toc": {"permalink": True}},
        "pymdownx.betterem",
        "pymdownx.caret",
        "pymdownx.highlight",
        "pymdownx.inlinehilite",
        "pymdownx.keys",
        "pymdownx.mark",
        "pymdownx.superfences",
        "pymdownx.tilde",
        {"pymdownx.blocks.admonition": {"types": ["info", "note", "tip", "warning"]}},
        "pymdownx.blocks.details",
        {"pymdownx.blocks.tab": {"alternate_style": True}},
        "mdx_include",
        "markdown_include_variants",
    ],
}

# In bytes. Nearly all heads are smaller.
_HEAD = 2**14

_hooks = 0.0


def mkdocs(
    repository: str, plugins: str, cache: str = "", dates: str = ""
) -> Callable[[], float]:
    """Build with these plugins, which are names separated by commas."""
    options: dict[str, dict[str, Any]] = _PLUGIN_OPTIONS
    if dates:
        options = options | {"sitemap": {"page_dates": True}}
    return _build_with_mkdocs(repository, plugins, cache, {}, options)


def fastapi(repository: str, plugins: str, cache: str = "") -> Callable[[], float]:
    """Build the documentation of FastAPI in five languages, in a clone."""
    os.chdir(Path(repository, "docs/en"))  # Pages include files below this folder.
    return _build_with_mkdocs(
        repository, plugins, cache, _FASTAPI, _FASTAPI_PLUGIN_OPTIONS
    )


def fastapi_plain(
    repository: str, plugins: str, cache: str = ""
) -> Callable[[], float]:
    """Build the documentation of FastAPI in all languages with a small theme, in a
    clone.
    """
    return _build_with_mkdocs(repository, plugins, cache, _FASTAPI_PLAIN, {})


def note_needs(repository: str, needs: str) -> Callable[[], float]:
    """Build with `fastapi_plain`, and save what a sitemap needs from git: the arguments
    of `git log`, and the versions of files that are compared.
    """
    from docs_sitemap.git.commits import CommitReader
    from docs_sitemap.git.run import Git

    noted: dict[str, list[str]] = {"arguments": [], "versions": []}
    read_fields, read_contents = Git.fields, CommitReader.contents
    build = fastapi_plain(repository, "sitemap")

    def fields(git: Git, arguments: Sequence[str]) -> Any:
        if "log" in arguments:
            noted["arguments"] = list(arguments)
        return read_fields(git, arguments)

    def contents(reader: CommitReader, blobs: Sequence[bytes]) -> Any:
        noted["versions"] += map(bytes.decode, blobs)
        return read_contents(reader, blobs)

    def measured() -> float:
        Git.fields = fields  # type: ignore[method-assign, assignment]
        CommitReader.contents = contents  # type: ignore[method-assign, assignment]
        seconds = build()
        Path(needs).write_text(json.dumps(noted))
        return seconds

    return measured


def only_needs(repository: str, needs: str) -> Callable[[], float]:
    """Do only what a sitemap needs, without looking at it: let git print the history
    and the versions, and read the heads of the pages that were built before.
    """
    noted = json.loads(Path(needs).read_text())
    git = ["git", "-C", repository]
    versions = "\n".join(noted["versions"]).encode()
    pages = list(Path(repository).with_name("builds").rglob("*.html"))

    def measured() -> float:
        start = processor_seconds()
        _read_output([*git, *noted["arguments"]])
        _read_output([*git, "cat-file", "--batch"], versions)
        for page in pages:
            with page.open("rb") as file:
                file.read(_HEAD).partition(b"</head>")
        return processor_seconds() - start

    return measured


def _read_output(command: Sequence[str], stdin: bytes = b"") -> None:
    subprocess.run(command, check=True, input=stdin, stdout=subprocess.PIPE)


def _build_with_mkdocs(
    repository: str,
    plugins: str,
    cache: str,
    settings: dict[str, Any],
    options: dict[str, dict[str, Any]],
) -> Callable[[], float]:
    out = _prepare(repository, cache)
    settings = {
        "site_name": "Test",
        "site_url": BASE_URL,
        "site_dir": str(out),
        **settings,
    }
    names = filter(None, plugins.split(","))
    settings["plugins"] = [{name: options.get(name, {})} for name in names]
    config = Path(repository, "bench.yml")  # JSON is YAML.
    config.write_text(json.dumps(settings))

    def measured() -> float:
        from mkdocs.__main__ import cli

        if "sitemap" in plugins:
            import mkdocs_sitemap.build  # noqa: F401  # The hooks would load it.
            from mkdocs_sitemap import SitemapPlugin

            for name in [name for name in dir(SitemapPlugin) if name.startswith("on_")]:
                setattr(SitemapPlugin, name, _timed(getattr(SitemapPlugin, name)))
        cli(["build", "--quiet", "--config-file", str(config)], standalone_mode=False)
        return _hook_seconds()

    return measured


def sphinx(
    repository: str, extensions: str, cache: str = "", dates: str = ""
) -> Callable[[], float]:
    """Build with these extensions, which are names separated by commas."""
    out = _prepare(repository, cache)
    settings = {
        "html_baseurl": BASE_URL,
        "extensions": ["myst_parser", *filter(None, extensions.split(","))],
        "sitemap_show_lastmod": True,
        "sitemap_url_scheme": "{link}",
        "sitemap_page_dates": bool(dates),
    }

    def measured() -> float:
        from sphinx.application import Sphinx

        if "sphinx_sitemap_ext" in extensions:
            import sphinx_sitemap_ext.events  # noqa: F401  # A handler would load it.

        connect = Sphinx.connect

        def connect_timed(
            app: Sphinx,
            event: str,
            callback: Callable[..., Any],
            *args: int,
            **kwargs: int,
        ) -> int:
            if getattr(callback, "__module__", "").startswith("sphinx_sitemap_ext"):
                callback = _timed(callback)
            return connect(app, event, callback, *args, **kwargs)

        Sphinx.connect = connect_timed  # type: ignore[method-assign, assignment]
        sys.path.insert(0, repository)  # for autodoc
        docs = Path(repository, "docs")
        doctrees = out.with_name("doctrees")
        Sphinx(
            docs, None, out, doctrees, "html", settings, status=None, warning=None
        ).build()
        return _hook_seconds()

    return measured


def _prepare(repository: str, cache: str) -> Path:
    """Set the user's cache folder, and return an output folder that does not exist."""
    scratch = Path(repository).with_name("builds")
    shutil.rmtree(scratch, ignore_errors=True)
    os.environ["XDG_CACHE_HOME"] = cache or tempfile.mkdtemp(
        dir=Path(repository).parent
    )
    return scratch / "out"


def _timed(hook: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(hook)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        global _hooks
        start = time.process_time()  # Most hooks take less time than `getrusage`.
        try:
            return hook(*args, **kwargs)
        finally:
            _hooks += time.process_time() - start

    return wrapper


def _hook_seconds() -> float:
    """Return the processor seconds of the hooks of this project. Of these builds, only
    hooks start other processes.
    """
    if _hooks == 0:
        return 0.0
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return _hooks + children.ru_utime + children.ru_stime
