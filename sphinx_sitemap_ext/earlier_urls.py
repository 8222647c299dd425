"""The URLs that sphinx-sitemap lists with the same `conf.py`: it adds the language and
the version to `html_baseurl`.

Source:
<https://sphinx-sitemap.readthedocs.io/en/v2.9.0/configuration-values.html>.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec

from sphinx.application import Sphinx
from sphinx.config import Config

from docs_sitemap.built.generated_pages import is_generated_pattern
from docs_sitemap.config.languages import (
    language_base_urls,
    language_folder,
    page_base_url,
)
from docs_sitemap.config.options import Options
from docs_sitemap.diagnostics import BuildCode, Diagnostic, Severity
from docs_sitemap.git.run import Git, GitError
from docs_sitemap.result import BuildResult, read_report
from docs_sitemap.sitemap.protocol import MAX_BYTES
from docs_sitemap.sitemap.rules import UnusableFileError
from docs_sitemap.tools.cache_folder import find_report_paths
from docs_sitemap.tools.files import read_regular
from docs_sitemap.tools.json_store import StoreError

_EARLIER_SCHEME = "{lang}{version}{link}"

_IN_GIT = "the committed sitemap"


def decide(
    earlier_sitemaps: Sequence[str],
    is_published: bool,
    leftovers: Sequence[str],
    hints: Sequence[str],
) -> tuple[Severity, str] | None:
    """Return how serious it is that the URLs differ, and the sign that shows it; `None`
    if there is nothing to report.

    Args:
        earlier_sitemaps: What lists the URLs of sphinx-sitemap.
        is_published: Whether the last commit lists the URLs of this build.
        leftovers: The options that have no effect here.
        hints: Signs that other projects may have, too.
    """
    if earlier_sitemaps:
        return Severity.WARNING, f"{earlier_sitemaps[0]} has URLs like the first"
    if is_published:
        return None
    if leftovers:
        names = " and ".join(leftovers)
        return Severity.WARNING, f"only sphinx-sitemap needs {names}"
    if hints:
        return Severity.NOTICE, " and ".join(hints)
    return None


class EarlierUrls:
    """The URLs that the project had before a build.

    Args:
        app: The application, before the build writes the sitemap.
        options: The options of the sitemap.
    """

    def __init__(self, app: Sphinx, options: Options) -> None:
        self._options = options
        self._config = app.config
        self._base_url = page_base_url(options)
        self._earlier_base = page_base_url(options._replace(url_scheme=_EARLIER_SCHEME))
        self._locs: dict[str, set[str]] = {}
        # With the language in `html_baseurl`, sphinx-sitemap would have listed it
        # twice.
        self._may_differ = (
            "sitemap_url_scheme" not in _names_in(app.config)
            and self._earlier_base != self._base_url
            and not language_folder(options)
        )
        if self._may_differ:
            self._locs = dict(_read_earlier(os.fspath(app.outdir), options.filename))

    def check(self, result: BuildResult) -> Iterator[Diagnostic]:
        """Yield a diagnostic if the URLs of the pages have changed."""
        if not self._may_differ or not result.listed:
            return
        current = {entry.loc for entry in result.listed}
        earlier = {self._earlier(loc) for loc in current} - current
        decision = decide(
            [name for name, locs in self._locs.items() if locs & earlier],
            not current.isdisjoint(self._locs.get(_IN_GIT, ())),
            list(_find_leftovers(self._options, self._config)),
            list(_find_hints(self._options, self._config)),
        )
        if decision is None:
            return
        severity, sign = decision
        loc = result.listed[-1].loc
        address = "site_url" if self._config.site_url else "html_baseurl"
        message = (
            f"sphinx-sitemap lists {self._earlier(loc)}, but docs-sitemap lists {loc}, "
            f"without language and version ({sign}). Fix: for the first, set {address} "
            f"= {json.dumps(self._earlier_base)}; for the second, set "
            f'sitemap_url_scheme = "{self._options.url_scheme}".'
        )
        yield Diagnostic(BuildCode.OPTION, message, severity)

    def _earlier(self, loc: str) -> str:
        return f"{self._earlier_base}{loc.removeprefix(self._base_url)}"


def _names_in(config: Config) -> set[str]:
    """Return the names of the values that `conf.py` or the command line sets."""
    # Sphinx has no public access to the variables in `conf.py`:
    # https://github.com/sphinx-doc/sphinx/blob/v8.2.3/sphinx/config.py
    return {*getattr(config, "_raw_config", {}), *config.overrides}


def _find_leftovers(options: Options, config: Config) -> Iterator[str]:
    """Yield the options of sphinx-sitemap that have no effect here."""
    names = _names_in(config)
    if "sitemap_show_lastmod" in names and config.sitemap_show_lastmod:
        yield "sitemap_show_lastmod = True"
    if "sitemap_indent" in names:
        yield "sitemap_indent"
    if any(map(is_generated_pattern, options.exclude)):
        yield "a generated page in sitemap_excludes"


def _find_hints(options: Options, config: Config) -> Iterator[str]:
    """Yield what projects that never used sphinx-sitemap may have, too."""
    if find_spec("sphinx_sitemap") is not None:
        yield "sphinx-sitemap is installed"
    is_set = "sitemap_locales" in _names_in(config) and options.locales
    if is_set and not language_base_urls(options):
        yield "sitemap_locales links no languages here"


def _read_earlier(out_dir: str, filename: str) -> Iterator[tuple[str, set[str]]]:
    """Yield what lists earlier URLs, with these URLs."""
    with suppress(OSError):
        data = read_regular(os.path.join(out_dir, filename), MAX_BYTES)
        yield "the earlier sitemap in the output folder", _read_locs(data)
    with suppress(GitError):
        data = Git(out_dir).output(["show", f"HEAD:./{filename}"])
        yield _IN_GIT, _read_locs(data)
    for path in find_report_paths(out_dir):
        with suppress(StoreError):
            locs = {page.loc or "" for page in read_report(path).pages}
            yield "the report of the last build", locs


def _read_locs(data: bytes) -> set[str]:
    from docs_sitemap.sitemap.reader import SitemapReader  # Few projects need it.

    locs = set()
    with suppress(UnusableFileError):
        for entry in SitemapReader().entries([data]):
            locs.add(entry.text("loc") or "")
    return locs
