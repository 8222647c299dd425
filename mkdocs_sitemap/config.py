"""The options of the plugin: the options of the core, validated as MkDocs expects."""

from __future__ import annotations

import os
from typing import Any

from mkdocs.config.base import (
    BaseConfigOption,
    Config,
    ConfigErrors,
    ConfigWarnings,
    ValidationError,
)

from docs_sitemap import OPTIONS, OptionError, Options
from docs_sitemap.errors import TemplateError
from docs_sitemap.sitemap.render import check_template
from mkdocs_sitemap.project import project_folder

THEME_TEMPLATE = "theme"

_CORE_OPTIONS = {option.mkdocs: option for option in OPTIONS if option.mkdocs is not None}
_PATHS = ("lastmod_record", "report", "repository", "template")


class _CoreOption(BaseConfigOption[Any]):
    """The option of the core with this name: its type, default, and meaning are there."""

    def __set_name__(self, owner: type[Config], name: str) -> None:
        super().__set_name__(owner, name)  # type: ignore[no-untyped-call]
        self.default = _CORE_OPTIONS[name].default

    def pre_validation(self, config: Config, key_name: str) -> None:
        # MkDocs reports all errors of this method, but only the first error of `run_validation`.
        value = config[key_name]
        if value is None:  # `!ENV NAME` of a variable that is not set
            config[key_name] = self.default
            return
        try:
            value = _CORE_OPTIONS[key_name].parse(value)
            is_path = isinstance(value, str) and (key_name, value) != ("template", THEME_TEMPLATE)
            if key_name in _PATHS and is_path:
                value = os.path.join(project_folder(config), value) if value else None
                if key_name == "template" and value is not None:
                    check_template(value)
        except (ValueError, TemplateError) as error:
            raise ValidationError(str(error)) from None
        config[key_name] = value


class SitemapConfig(Config):  # type: ignore[no-untyped-call]
    """The options of the core that MkDocs users can set."""

    locals().update({name: _CoreOption() for name in _CORE_OPTIONS})

    def validate(self) -> tuple[ConfigErrors, ConfigWarnings]:
        """Validate all options, their names, and how they fit together."""
        failed, _ = super().validate()
        # MkDocs only warns about unknown names, but a misspelled option has no effect.
        names = sorted(self.keys() - _CORE_OPTIONS.keys(), key=str)
        failed += [(name, ValidationError(_describe_unknown(name))) for name in names]
        if not failed:
            try:
                core_options(self)
            except OptionError as error:
                failed = [(name, ValidationError(message)) for name, message in error.errors]
        return failed, []


def _describe_unknown(name: object) -> str:
    from difflib import get_close_matches  # only needed to describe errors

    names = ", ".join(_CORE_OPTIONS)
    similar = get_close_matches(str(name), _CORE_OPTIONS, n=1)
    if name in ("base_url", "site_url"):
        fix = "set site_url at the top level of the configuration file instead"
    elif similar:
        fix = f"rename it to {similar[0]}, or use another one of {names}"
    else:
        fix = f"use one of {names}"
    return f"there is no such option. Fix: {fix}."


def core_options(config: SitemapConfig) -> Options:
    """Return the options of the core, without the base URL.

    Raises:
        OptionError: Some options do not fit together.
    """
    values = {option.name: config[name] for name, option in _CORE_OPTIONS.items()}
    if config["template"] == THEME_TEMPLATE:
        values["template"] = None  # The core does not know the theme.
    return Options(**values)
