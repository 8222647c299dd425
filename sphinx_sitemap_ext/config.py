"""The configuration values: the options of the core under their names in `conf.py`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from sphinx.errors import ConfigError

from docs_sitemap import (
    OPTIONS,
    OptionError,
    Options,
    Renderer,
    TemplateError,
    UrlError,
    check_base_url,
)

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

_PREFIX = "sitemap_"

SITEMAP_OPTIONS = tuple((option, option.sphinx) for option in OPTIONS if option.sphinx)


def add_config_values(app: Sphinx) -> None:
    for option, name in SITEMAP_OPTIONS:
        default = list(option.default) if isinstance(option.default, tuple) else option.default
        # An extension for a blog or an Open Graph card may have defined `site_url` already.
        if name not in app.config:
            # Any: `read_options` checks types, too, and says more than Sphinx' own warning.
            app.add_config_value(name, default, "", types=Any)


def misspelt_options(config: Config) -> Iterator[str]:
    """Yield a warning for each name in `conf.py` that is much like that of an option."""
    names = [name.removeprefix(_PREFIX) for _, name in SITEMAP_OPTIONS]
    # Sphinx itself does not look at what else stands in conf.py.
    for name, value in getattr(config, "_raw_config", {}).items():
        if name in config or not name.startswith(_PREFIX) or callable(value):
            continue
        for close in get_close_matches(name.removeprefix(_PREFIX), names, n=1, cutoff=0.8):
            yield f"{name} in conf.py is no option; did you mean {_PREFIX}{close}?"


def read_options(config: Config, confdir: str) -> Options:
    """Return the options of the core; `base_url` is set only if `site_url` is.

    Raises:
        ConfigError: some values are wrong; it lists all of them.
    """
    values = {option.name: getattr(config, name) for option, name in SITEMAP_OPTIONS}
    values["base_url"] = values["base_url"] or None
    values["language"] = config.language
    values["version"] = config.version
    values["template"] = _find_template(values["template"], config.templates_path, confdir)
    for name in ("repository", "report"):
        if isinstance(path := values[name], str | os.PathLike):
            values[name] = os.path.join(confdir, path) if os.fspath(path) else None
    errors: list[tuple[str, str]] = []
    try:
        options = Options(**values)
    except OptionError as error:
        errors += error.errors
    if isinstance(values["template"], str):
        try:
            Renderer(Options(template=values["template"]))
        except TemplateError as error:
            errors.append(("template", str(error)))
    if errors:
        names = {option.name: name for option, name in SITEMAP_OPTIONS}
        lines = [f"{names.get(name, name)}: {message}" for name, message in errors]
        raise ConfigError("wrong options in conf.py:\n  " + "\n  ".join(lines))
    return options


def _find_template(template: object, templates_path: Sequence[str], confdir: str) -> object:
    if isinstance(template, str):
        return os.path.join(confdir, template)
    if template is None:
        for folder in templates_path:
            path = os.path.join(confdir, folder, "sitemap.xml")
            if os.path.isfile(path):
                return path
    return template


def differing_baseurl(options: Options, config: Config) -> str | None:
    """Return a warning if the canonical links that Sphinx writes are not the sitemap's URLs."""
    try:
        canonical = check_base_url(config.html_baseurl) if config.html_baseurl else None
    except UrlError:
        return None
    if canonical in (None, options.prefix()):
        return None
    return (
        f"the canonical links of the pages begin with {canonical}, the sitemap's URLs with "
        f"{options.prefix()}: search engines drop pages whose canonical link names another URL; "
        f"set html_baseurl to {options.prefix()!r} in conf.py, and remove sitemap_url_scheme and "
        "site_url"
    )


def find_base_url(options: Options, config: Config) -> str:
    """Return the address of the published site, as the first that is set of `site_url`,
    `html_baseurl` and, on Read the Docs, the address that it gives to the build.

    Raises:
        UrlError: none is set, or it is wrong.
    """
    hosted = os.environ.get("READTHEDOCS_CANONICAL_URL")
    for name, value in (
        ("site_url", options.base_url),
        ("html_baseurl", config.html_baseurl),
        ("READTHEDOCS_CANONICAL_URL", hosted),
    ):
        if value and str(value).strip():
            try:
                return check_base_url(str(value))
            except UrlError as error:
                raise UrlError(f"{name} {error}") from None
    raise UrlError("html_baseurl is not set")
