"""The configuration values: the options of the core, with their names in `conf.py`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.errors import ConfigError

from docs_sitemap import (
    OPTIONS,
    OptionError,
    Options,
    TemplateError,
    UrlError,
    check_repository,
    check_template,
    parse_base_url,
    use_sphinx_names,
)

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

    from sphinx_sitemap_ext.known_extensions import ExportedVersion

_PREFIX = "sitemap_"

# The customary values for builds that are not published.
_NO_ADDRESS = (None, "", "/")

# The names in `conf.py` by the names in `Options`.
_NAMES = {option.name: option.sphinx for option in OPTIONS if option.sphinx}

# The options that have another name in `conf.py` than in `Options`, with the prefix of the others.
_OTHER_NAMES = {
    f"{_PREFIX}{option}": name for option, name in _NAMES.items() if name != f"{_PREFIX}{option}"
}
_OTHER_NAMES |= dict.fromkeys(
    ("sitemap_base_url", "sitemap_site_url", "sitemap_url", "sitemap_baseurl"), "html_baseurl"
)
_OTHER_NAMES |= {"sitemap_language": "language", "sitemap_version": "version"}


def add_config_values(app: Sphinx) -> None:
    for option in OPTIONS:
        # Extensions for blogs or Open Graph cards may have defined `site_url` already.
        if option.sphinx and option.sphinx not in app.config:
            default = list(option.default) if isinstance(option.default, tuple) else option.default
            # `read_options` checks the types, with better messages than Sphinx's own.
            app.add_config_value(option.sphinx, default, rebuild="", types=Any)


def read_options(config: Config, confdir: str) -> Options:
    """Return the options of the core. `base_url` is set only if `site_url` is.

    Raises:
        ConfigError: Some values are invalid. The error lists all of them.
    """
    values = {option: getattr(config, name) for option, name in _NAMES.items()}
    values |= {"language": config.language, "version": config.version}
    if values["base_url"] in _NO_ADDRESS:
        values["base_url"] = None
    if values["template"] is None:
        values["template"] = _find_template(config, confdir)
    for option in ("template", "repository", "report"):
        path = values[option]
        if isinstance(path, str | os.PathLike):
            values[option] = os.path.join(confdir, path) if os.fspath(path) else None
    errors: list[tuple[str, str]] = []
    try:
        options = Options(**values)
    except OptionError as error:
        errors += error.errors
    try:
        if isinstance(values["template"], str) and "template" not in dict(errors):
            check_template(values["template"])
    except TemplateError as error:
        errors.append(("template", str(error)))
    if errors:
        raise _config_error(errors)
    return options


def _config_error(errors: Sequence[tuple[str, str]]) -> ConfigError:
    lines = [
        f"{_NAMES.get(option, option)}: {use_sphinx_names(message)}" for option, message in errors
    ]
    return ConfigError("invalid options in conf.py:\n  " + "\n  ".join(lines))


def _find_template(config: Config, confdir: str) -> str | None:
    paths = (os.path.join(confdir, folder, "sitemap.xml") for folder in config.templates_path)
    return next(filter(os.path.isfile, paths), None)


def misspelled_options(config: Config) -> Iterator[str]:
    """Yield a warning for each variable in `conf.py` with a name similar to an option, or with the
    name that the option has elsewhere.
    """
    suffixes = [name.removeprefix(_PREFIX) for name in _NAMES.values()]
    raw_config = getattr(config, "_raw_config", {})
    # Sphinx has no public access to variables that are not configuration values:
    # https://github.com/sphinx-doc/sphinx/blob/v8.2.3/sphinx/config.py
    for name, value in raw_config.items():
        if name in config or not name.startswith(_PREFIX) or callable(value):
            continue
        correct = _OTHER_NAMES.get(name)
        if correct is None:
            similar = get_close_matches(name.removeprefix(_PREFIX), suffixes, n=1, cutoff=0.8)
            correct = f"{_PREFIX}{similar[0]}" if similar else None
        if correct is not None:
            is_set = raw_config.get(correct) not in (None, "")
            fix = f"remove it, because {correct} is set" if is_set else f"rename it to {correct}"
            yield (
                f"{name} in conf.py has no effect: there is no option with this name. Fix: {fix}."
            )


def with_base_url(options: Options, config: Config) -> Options:
    """Return the options with the address of the published site.

    Raises:
        UrlError: The address is not set, or is invalid.
        ConfigError: Other options do not fit the address.
    """
    address = find_address(options, config)
    if address is None:
        raise UrlError("html_baseurl is not set to an absolute URL")
    base_url = parse_base_url(address)
    try:
        return replace(options, base_url=base_url)
    except OptionError as error:
        raise _config_error(error.errors) from None


def with_exported_version(options: Options, version: ExportedVersion) -> Options:
    """Return the options with the repository and the ref of a version, unless they are set. If git
    cannot read the version, the options are unchanged: the user cannot correct the other tool.
    """
    if options.ref != Options().ref:
        return options
    repository = options.repository or version.repository
    try:
        dated = replace(options, repository=repository, ref=version.ref)
        if options.repository is None:
            check_repository(dated)
    except OptionError:
        return options
    return dated


def check_history(options: Options) -> None:
    """Check the repository that the options name.

    Raises:
        ConfigError: The repository or its commit is unusable.
    """
    try:
        check_repository(options)
    except OptionError as error:
        raise _config_error(error.errors) from None


def find_address(options: Options, config: Config) -> str | None:
    """Return the address of the published site, not yet validated; `None` if it is not set."""
    # https://docs.readthedocs.com/platform/stable/reference/environment-variables.html
    hosted = os.environ.get("READTHEDOCS_CANONICAL_URL")
    address = options.base_url or config.html_baseurl or hosted
    return None if address in _NO_ADDRESS else str(address)


def differing_base_url(options: Options, config: Config) -> str | None:
    """Return a warning if the canonical links of the pages are not the URLs of the sitemap."""
    listed = options.page_base_url()
    try:
        canonical = parse_base_url(config.html_baseurl) if config.html_baseurl else listed
    except UrlError:
        return None
    if canonical == listed:
        return None
    settings = {
        "sitemap_url_scheme": options.url_scheme != Options().url_scheme,
        "site_url": bool(config.site_url),
    }
    is_set = " and ".join(name for name, value in settings.items() if value)
    return (
        f"the sitemap differs from the canonical links of the pages: its URLs start with {listed}, "
        f"the canonical links with {canonical}, and search engines may ignore URLs that are not "
        f"canonical. Fix: set html_baseurl to {listed!r} in conf.py, and remove "
        f"{is_set}."
    )


def find_copied_sitemap(options: Options, config: Config, confdir: str) -> Path | None:
    """Return the file with the name of the sitemap that `html_extra_path` copies, if any."""
    names = (options.filename, f"{options.filename}.gz")
    for entry in config.html_extra_path:
        path = Path(confdir, entry)
        for candidate in (path, *(path / name for name in names)):
            if candidate.name in names and candidate.is_file():
                return candidate
    return None
