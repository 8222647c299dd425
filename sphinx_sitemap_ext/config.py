"""The configuration values: the options of the core, with their names in `conf.py`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.errors import ConfigError

from docs_sitemap import OPTIONS, OptionError, Options
from docs_sitemap.dates import check_repository
from docs_sitemap.errors import TemplateError
from docs_sitemap.languages import to_hreflang
from docs_sitemap.options import use_sphinx_names
from docs_sitemap.sitemap.render import check_template

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

_PREFIX = "sitemap_"

# The options that are paths relative to `conf.py`.
_PATHS = ("template", "repository", "report", "lastmod_record")

# The customary values for builds that are not published.
NO_ADDRESS = (None, "", "/")

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


def read_options(app: Sphinx) -> Options:
    """Return the options of the core. `base_url` is set only if `site_url` is.

    Raises:
        ConfigError: Some values are invalid. The error lists all of them.
    """
    config, confdir = app.config, os.fspath(app.confdir)
    values = {option: getattr(config, name) for option, name in _NAMES.items()}
    values |= {"language": config.language, "version": config.version}
    if values["base_url"] in NO_ADDRESS:
        values["base_url"] = None
    if values["template"] is None:
        values["template"] = _find_template(config, confdir)
    if values["locales"] in (None, [], (), {}):
        values["locales"] = _find_locales(config, os.fspath(app.srcdir))
    for option in _PATHS:
        if isinstance(values[option], os.PathLike):
            values[option] = os.fspath(values[option])
    errors: list[tuple[str, str]] = []
    try:
        options = Options(**values)
        paths: dict[str, Any] = {name: getattr(options, name) for name in _PATHS}
        for name, path in paths.items():
            if path:
                paths[name] = os.path.join(confdir, path)
        options = replace(options, **paths)
    except OptionError as error:
        errors += error.errors
    template = values["template"]
    if isinstance(template, str) and template and "template" not in dict(errors):
        try:
            check_template(os.path.join(confdir, template))
        except TemplateError as error:
            errors.append(("template", str(error)))
    if errors:
        raise config_error(errors)
    return options


def config_error(errors: Sequence[tuple[str, str]]) -> ConfigError:
    lines = [
        f"{_NAMES.get(option, option)}: {use_sphinx_names(message)}" for option, message in errors
    ]
    return ConfigError("invalid options in conf.py:\n  " + "\n  ".join(lines))


def is_set(name: str, config: Config) -> bool:
    """Return whether the user sets a value, in `conf.py` or on the command line."""
    # Sphinx has no public access to the variables in `conf.py`:
    # https://github.com/sphinx-doc/sphinx/blob/v8.2.3/sphinx/config.py
    return name in getattr(config, "_raw_config", {}) or name in config.overrides


def ineffective_locales(options: Options, config: Config) -> str | None:
    """Return a warning if `sitemap_locales` has no effect."""
    if not is_set("sitemap_locales", config) or not options.locales:
        return None
    if options.base_url is None or options.language_base_urls():
        return None
    reason = "the URLs of all languages would be the same"
    folder = options.folder_of(options.language)
    fix = f"add the folder /{folder}/ to html_baseurl, add {{lang}} to sitemap_url_scheme"
    try:
        codes = [options.language, *(locale.code for locale in options.locales)]
        if len({*map(options.hreflang_of, codes)}) == 1:
            reason, fix = "it names only the language of this build", "name the other languages"
    except ValueError as error:  # The locales are valid.
        reason, fix = str(error), "set language in conf.py to a language such as 'de' or 'pt_BR'"
    return f"sitemap_locales has no effect: {reason}. Fix: {fix}, or remove sitemap_locales."


def _find_template(config: Config, confdir: str) -> str | None:
    paths = (os.path.join(confdir, folder, "sitemap.xml") for folder in config.templates_path)
    return next(filter(os.path.isfile, paths), None)


def _find_locales(config: Config, srcdir: str) -> list[str]:
    """Return the languages with catalogs, which sphinx-sitemap finds in the same way."""
    locales = set[str]()
    for folder in config.locale_dirs:
        for catalogs in Path(srcdir, folder).glob("*/LC_MESSAGES"):
            with suppress(ValueError):  # The folder is not named after a language.
                to_hreflang(catalogs.parent.name)
                locales.add(catalogs.parent.name)
    return sorted(locales)


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


def check_history(options: Options) -> None:
    """Check the repository that the options name.

    Raises:
        ConfigError: The repository or its commit is unusable.
    """
    try:
        check_repository(options)
    except OptionError as error:
        raise config_error(error.errors) from None


def find_copied_sitemap(options: Options, config: Config, confdir: str) -> Path | None:
    """Return the file with the name of the sitemap that `html_extra_path` copies, if any."""
    names = (options.filename, f"{options.filename}.gz")
    for entry in config.html_extra_path:
        path = Path(confdir, entry)
        for candidate in (path, *(path / name for name in names)):
            if candidate.name in names and candidate.is_file():
                return candidate
    return None
