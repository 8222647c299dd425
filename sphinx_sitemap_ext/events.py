"""What happens at which of Sphinx' events."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.util import logging

from docs_sitemap import ProblemKind, UrlError, build_sitemap, remove_sitemap
from sphinx_sitemap_ext.config import find_base_url, read_options
from sphinx_sitemap_ext.pages import is_utility, makes_web_pages, read_pages

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.builders.html import StandaloneHTMLBuilder

logger = logging.getLogger(__name__)


class Sitemap:
    """The handlers, and the one thing that must be gathered while the build runs."""

    def __init__(self) -> None:
        self._generated: set[str] = set()
        self._wrote_pages = False

    def note_page(
        self,
        app: Sphinx,
        pagename: str,
        templatename: str,
        context: dict[str, Any],
        doctree: nodes.document | None,
    ) -> None:
        # Pages of no document are never made in a worker process, and all of them are if any is;
        # those of documents are neither, and are read from the environment at the end.
        self._wrote_pages = True
        if doctree is None:
            self._generated.add(pagename)

    def write(self, app: Sphinx, exception: Exception | None) -> None:
        builder = app.builder
        if exception is not None or not makes_web_pages(builder):
            return
        options = read_options(app.config, os.fspath(app.confdir))
        owner = _own_file(options.filename, app)
        try:
            base_url = find_base_url(options, app.config)
        except UrlError as error:
            _warn(
                ProblemKind.BASE_URL,
                f"no sitemap is written: {error}; set html_baseurl in conf.py to the address at "
                "which the site is published",
            )
            if owner is None:
                remove_sitemap(options, app.outdir)
            return
        if owner is not None:
            _warn(
                ProblemKind.CONFLICT,
                f"{owner}, copied because html_extra_path names it, is replaced by the sitemap "
                "that sphinx_sitemap_ext makes; remove it, or set sitemap_filename",
            )
        options = replace(options, base_url=base_url)
        pages = read_pages(builder, self._recall(app, builder))
        report = build_sitemap(pages, options, app.outdir)
        for problem in report.problems:
            _warn(problem.kind, problem.message)
        logger.info("%s", report.summary)

    def _recall(self, app: Sphinx, builder: StandaloneHTMLBuilder) -> dict[str, bool]:
        """Return the pages of no document that the site has, and which are Sphinx' own.

        Before Sphinx 8, a build that finds no document changed ends without making them anew:
        they are those of the build before.
        """
        memory = Path(app.doctreedir, f"sitemap-{builder.name}.json")
        if self._wrote_pages:
            generated = {name: is_utility(builder, name) for name in sorted(self._generated)}
            memory.write_text(json.dumps(generated), encoding="utf-8")
            return generated
        try:
            return {**json.loads(memory.read_text(encoding="utf-8"))}
        except (OSError, TypeError, ValueError):
            return dict.fromkeys(app.config.html_additional_pages, False)


def _own_file(filename: str, app: Sphinx) -> Path | None:
    """Return the file of the sitemap's name that Sphinx copies into the output, if any."""
    for entry in app.config.html_extra_path:
        path = Path(app.confdir, entry)
        for candidate in (path, path / filename):
            if candidate.name == filename and candidate.is_file():
                return candidate
    return None


def _warn(kind: ProblemKind, message: str) -> None:
    logger.warning("%s", message, type="sitemap", subtype=kind.value)
