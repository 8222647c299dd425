"""What `conf.py` sets: the options of the core, the address of the published site, and
the version that another tool builds.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError

from docs_sitemap.config.options import OPTIONS, SPHINX_NAMES, Options
from docs_sitemap.config.parsers import parse_ref
from docs_sitemap.config.published_address import published_url
from docs_sitemap.config.read_options import read_options, with_published_address
from docs_sitemap.diagnostics import BuildCode, Diagnostic, OptionError
from docs_sitemap.sitemap.language_tags import to_hreflang
from docs_sitemap.tools.suggestion import suggest

from .sphinx_log import warn

# The event of the functions that change entries. Handlers receive the application, a
# page, and its entry. They return the entry or `None`.
URL_EVENT = "sitemap-url"

_PREFIX = "sitemap_"

# The customary values for builds that are not published.
_NO_ADDRESS = (None, "", "/")

# The names in `conf.py` by the names in `Options`.
_NAMES = {option.name: option.sphinx for option in OPTIONS if option.sphinx}


def add_config_values(app: Sphinx) -> None:
    for option in OPTIONS:
        # Extensions for blogs or Open Graph cards may have defined `site_url` already.
        if option.sphinx and option.sphinx not in app.config:
            default = option.default
            if isinstance(default, tuple):
                default = list(default)
            # `read_config` checks the types, with better messages than Sphinx's own.
            rebuild: Literal["", "html"] = "html" if option.name == "page_dates" else ""
            app.add_config_value(option.sphinx, default, rebuild, types=Any)


def check_config(app: Sphinx, config: Config) -> None:
    """Stop the build if an option is invalid: the event `config-inited`."""
    try:
        read_config(app)
    except OptionError as error:
        text = "invalid options in conf.py:"
        for option, message in error.errors:
            text += f"\n  {_NAMES.get(option, option)}: {message}"
        raise ConfigError(text) from None
    _check_names(config)


def _check_names(config: Config) -> None:
    """Warn of each variable in `conf.py` with a name similar to an option."""
    # Sphinx has no public access to variables that are not configuration values:
    # https://github.com/sphinx-doc/sphinx/blob/v8.2.3/sphinx/config.py
    for name, value in getattr(config, "_raw_config", {}).items():
        if not name.startswith(_PREFIX) or name in config or callable(value):
            continue
        similar = suggest(name, _NAMES.values(), similarity=0.9)
        if similar:
            warn(
                BuildCode.OPTION,
                f"{name} in conf.py has no effect: there is no option with this name. "
                f"Fix: use {similar} instead.",
            )


class BuildConfig(NamedTuple):
    """What a build reads from `conf.py`.

    Attributes:
        options: The options of the core.
        root: The folder of `conf.py` next to the sources.
        problem: Why no sitemap can be written; `None` if one can.
    """

    options: Options
    root: str
    problem: Diagnostic | None


def read_config(app: Sphinx) -> BuildConfig:
    """Read the configuration of a build.

    For an exported version, the options name its repository and its ref, unless they
    are set.

    Raises:
        OptionError: Some values are invalid. The error lists all of them.
    """
    config = app.config
    confdir = os.fspath(app.confdir)
    values = {option: getattr(config, name) for option, name in _NAMES.items()}
    values |= {"base_url": None, "language": config.language, "version": config.version}
    for option, value in values.items():
        if isinstance(value, os.PathLike):
            values[option] = os.fspath(value)
    if not values["locales"]:
        values["locales"] = _find_locales(config, os.fspath(app.srcdir))
    options = read_options(values, confdir, SPHINX_NAMES)
    root = confdir
    version = find_exported_version(app)
    if version is not None:
        root = version.confdir
        if options.ref == "HEAD":
            repository = options.repository or version.repository
            # The user cannot correct an invalid ref of the other tool.
            with suppress(ValueError):
                ref = parse_ref(version.ref)
                options = options._replace(repository=repository, ref=ref)
    options, problem = with_published_address(
        options, find_address(config), setting="html_baseurl", file="conf.py"
    )
    return BuildConfig(options, root, problem)


def _find_locales(config: Config, srcdir: str) -> list[str]:
    """Return the languages into which catalogs translate documents. Other catalogs
    translate the interface of a theme or an extension.
    """
    locales = set[str]()
    for folder in config.locale_dirs:
        locale_dir = Path(srcdir, folder)
        for catalog in locale_dir.glob("*/LC_MESSAGES/**/*.[mp]o"):
            path = catalog.relative_to(locale_dir).with_suffix("")
            language, _, *names = path.parts
            with suppress(ValueError):  # The folder is not named after a language.
                to_hreflang(language)
                if _has_documents("/".join(names), config, srcdir):
                    locales.add(language)
    return sorted(locales)


def _has_documents(domain: str, config: Config, srcdir: str) -> bool:
    """Return whether a catalog belongs to documents: all, those in a folder, or a
    single one.
    """
    path = os.path.join(srcdir, domain)
    if domain == config.gettext_compact or os.path.isdir(path):
        return True
    return any(os.path.isfile(path + suffix) for suffix in config.source_suffix)


def find_address(config: Config) -> str | None:
    """Return the address of the published site, which may be invalid; `None` if it is
    not set.
    """
    for value in (config.site_url, config.html_baseurl, published_url()):
        if value not in _NO_ADDRESS:
            return str(value)
    return None


class ExportedVersion(NamedTuple):
    """A version of the project that another tool exported to a folder without `.git`.

    Attributes:
        repository: A folder that is probably in the repository of the project.
        ref: The commit of the version, or the full name of its branch or tag.
        confdir: The folder of the version that contains its `conf.py`.
    """

    repository: str
    ref: str
    confdir: str


def find_exported_version(app: Sphinx) -> ExportedVersion | None:
    """Return the version that another tool builds, if it does."""
    return _multiversion(app) or _polyversion(app)


def _multiversion(app: Sphinx) -> ExportedVersion | None:
    """Return the version of sphinx-multiversion, which builds all versions with the
    `conf.py` of the work tree.

    Source: <https://holzhaus.github.io/sphinx-multiversion/master/configuration.html>.
    """
    name = getattr(app.config, "smv_current_version", None)
    version = getattr(app.config, "smv_metadata", {}).get(name)
    if version is None:
        return None
    # A branch and a tag may have the same name, so the ref is the full name.
    ref = f"refs/{version['source']}/{version['name']}"
    return ExportedVersion(os.fspath(app.confdir), ref, version["confdir"])


def _polyversion(app: Sphinx) -> ExportedVersion | None:
    """Return the version of sphinx-polyversion, if `conf.py` calls `load(globals())`.
    The current folder usually is in the repository, but need not be.

    Source: <https://real-yfprojects.github.io/sphinx-polyversion/>.
    """
    # A `GitRef`, which names no commit in local previews.
    commit = getattr(app.config.html_context.get("current"), "obj", None)
    if "POLYVERSION_DATA" not in os.environ or not commit:
        return None
    return ExportedVersion(os.getcwd(), commit, os.fspath(app.srcdir))
