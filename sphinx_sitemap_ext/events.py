"""What happens at which of Sphinx' events."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.environment import CONFIG_OK
from sphinx.util import logging

from docs_sitemap import (
    History,
    ProblemKind,
    ShallowError,
    UrlError,
    build_sitemap,
    remove_sitemap,
)
from sphinx_sitemap_ext.config import (
    differing_baseurl,
    find_base_url,
    misspelt_options,
    read_options,
)
from sphinx_sitemap_ext.pages import is_single_page, makes_web_pages, read_pages
from sphinx_sitemap_ext.recall import recall

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

logger = logging.getLogger(__name__)


def check_config(app: Sphinx, config: Config) -> None:
    read_options(config, os.fspath(app.confdir))
    for message in misspelt_options(config):
        _warn(ProblemKind.OPTION, message)


class Sitemap:
    """The handlers, and what must be gathered while the build runs."""

    def __init__(self) -> None:
        self._generated: set[str] = set()
        self._anew = False

    def note_reading(self, app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
        self._anew = env.config_status != CONFIG_OK  # which Sphinx makes it

    def note_page(
        self,
        app: Sphinx,
        pagename: str,
        templatename: str,
        context: dict[str, Any],
        doctree: nodes.document | None,
    ) -> None:
        # Never in a worker process, unlike the pages of documents: those are read from the
        # environment at the end.
        if doctree is None:
            self._generated.add(pagename)

    def write(self, app: Sphinx, exception: Exception | None) -> None:
        builder = app.builder
        if exception is not None or not makes_web_pages(builder):
            return
        options = read_options(app.config, os.fspath(app.confdir))
        owner = _own_file(options.filename, app)
        generated = recall(builder, self._generated, anew=self._anew)
        try:
            base_url = find_base_url(options, app.config)
        except UrlError as error:
            _warn(
                ProblemKind.BASE_URL,
                f"no sitemap is written: {error}; set html_baseurl in conf.py to the address at "
                "which the site is published",
            )
            for problem in remove_sitemap(options, app.outdir, owned=owner is None):
                _warn(problem.kind, problem.message)
            return
        options = replace(options, base_url=base_url)
        if (differing := differing_baseurl(options, app.config)) is not None:
            _warn(ProblemKind.BASE_URL, differing)
        try:
            report = build_sitemap(
                read_pages(builder, generated, with_dependencies=options.detect_dependencies),
                options,
                app.outdir,
                owned=owner is None,
                root=app.confdir,
                history=History(app.doctreedir),
            )
        except ShallowError as error:
            # Sphinx would print its report of a crash beside an exception.
            logger.error("no sitemap is written: %s", error)
            app.statuscode = 1
            return
        if owner is not None and report.files:
            _warn(
                ProblemKind.CONFLICT,
                f"{owner}, copied because html_extra_path names it, is replaced by the sitemap "
                "that sphinx_sitemap_ext makes; remove it, or set sitemap_filename",
            )
        for problem in report.problems:
            # The same patterns serve for the builders that make more pages than one.
            if problem.kind is not ProblemKind.PATTERN or not is_single_page(builder):
                _warn(problem.kind, problem.message)
        for line in report.details if app.verbosity else ():
            logger.verbose("%s", line)
        logger.info("%s", report.summary)


def _own_file(filename: str, app: Sphinx) -> Path | None:
    """Return the file of the sitemap's name that Sphinx copies into the output, if any."""
    for entry in app.config.html_extra_path:
        path = Path(app.confdir, entry)
        for name in (filename, f"{filename}.gz"):
            for candidate in (path, path / name):
                if candidate.name == name and candidate.is_file():
                    return candidate
    return None


def _warn(kind: ProblemKind, message: str) -> None:
    logger.warning("%s", message, type="sitemap", subtype=kind.value)
