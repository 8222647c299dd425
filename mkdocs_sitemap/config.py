"""The options of the plugin: the options of the core, validated as MkDocs expects."""

import os
from typing import Any

from mkdocs.config import base
from mkdocs.config.base import Config

from docs_sitemap.config.options import (
    PLUGIN_NAMES,
    Options,
    describe_unknown_option,
)
from docs_sitemap.config.read_options import read_options
from docs_sitemap.diagnostics import OptionError


class _Option(base.BaseConfigOption[Any]):
    """An option of the core, which validates it.

    Args:
        default: The value as users would write it.
    """

    def __init__(self, default: object = None) -> None:
        super().__init__()
        self.default = default


class SitemapConfig(base.Config):  # type: ignore[no-untyped-call]
    """The options of the core that MkDocs users can set. `Options` has their types and
    meanings.
    """

    filename = _Option("sitemap.xml")
    gzip = _Option(True)
    lastmod = _Option(True)
    lastmod_changes = _Option("text")
    lastmod_date = _Option("merged")
    lastmod_fields = _Option([])
    lastmod_format = _Option("datetime")
    page_dates = _Option(False)
    shallow = _Option("warn")
    ignore_revs_file = _Option(".git-blame-ignore-revs")
    dependencies = _Option({})
    ignore_dependencies = _Option([])
    repository = _Option()
    ref = _Option("HEAD")
    changefreq = _Option()
    priority = _Option()
    rules = _Option([])
    exclude = _Option([])
    include = _Option([])
    ignore_reasons = _Option([])
    template = _Option()
    report = _Option()
    locales = _Option([])
    x_default = _Option("")
    robots = _Option(False)

    def validate(self) -> tuple[base.ConfigErrors, base.ConfigWarnings]:
        """Validate all options, their names, and how they fit together."""
        failed: base.ConfigErrors = []
        # MkDocs only warns about unknown names, but a misspelled option has no effect.
        for name in sorted(self.keys() - PLUGIN_NAMES.keys(), key=str):
            message = describe_unknown_option(str(name), list(PLUGIN_NAMES))
            failed.append((name, base.ValidationError(message)))
        try:
            core_options(self)
        except OptionError as error:
            for name, message in error.errors:
                failed.append((name, base.ValidationError(message)))
        return failed, []


def core_options(config: SitemapConfig) -> Options:
    """Return the options of the core, without the base URL.

    Raises:
        OptionError: Some options are invalid. The error lists all of them.
    """
    values = {name: config[name] for name in PLUGIN_NAMES}
    return read_options(values, project_folder(config))


def config_file(config: Config) -> str:
    """Return the absolute path of `mkdocs.yml`. With `mkdocs build -f FILE`, MkDocs
    keeps the path as it is written on the command line.
    """
    return os.path.abspath(config.config_file_path or "mkdocs.yml")


def project_folder(config: Config) -> str:
    """Return the absolute path of the folder that contains `mkdocs.yml`."""
    return os.path.dirname(config_file(config))
