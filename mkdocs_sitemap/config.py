"""The plugin's configuration: the options of the core in MkDocs' own form."""

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

from docs_sitemap import OPTIONS, Option, OptionError, Options, Renderer, TemplateError

SITEMAP_OPTIONS = tuple((option, option.mkdocs) for option in OPTIONS if option.mkdocs)
THEME_TEMPLATE = "theme"


class CheckedOption(BaseConfigOption[Any]):
    """An option that is checked as the core checks it; `None` stands for the default."""

    def __init__(self, option: Option) -> None:
        super().__init__()
        self._option = option

    def pre_validation(self, config: Config, key_name: str) -> None:
        # Here, not in `run_validation`: MkDocs reports all errors of this step, but only the
        # first of that one.
        if (value := config.get(key_name)) is None:
            return
        try:
            value = self._option.check(value)
            folder = os.path.dirname(config.config_file_path or "")
            if self._option.name in ("repository", "report"):
                value = os.path.join(folder, value) if value else None
            elif self._option.name == "template" and value != THEME_TEMPLATE:
                value = os.path.join(folder, value)
                Renderer(Options(template=value))
        except (ValueError, TemplateError) as error:
            raise ValidationError(str(error)) from None
        config[key_name] = value


class SitemapConfig(Config):  # type: ignore[no-untyped-call]  # MkDocs' own
    """The options of the table that MkDocs users can set: see docs_sitemap.options."""

    # In the body of a class, locals() is its namespace (PEP 667).
    locals().update({name: CheckedOption(option) for option, name in SITEMAP_OPTIONS})

    def validate(self) -> tuple[ConfigErrors, ConfigWarnings]:
        failed, warnings = super().validate()
        known = [name for _, name in SITEMAP_OPTIONS]
        # MkDocs only warns of names that it does not know; a misspelled option has no effect.
        unknown = {key for key in self if key not in known}
        failed += [
            (key, ValidationError(f"it is not one of {', '.join(known)}"))
            for key in sorted(unknown, key=str)
        ]
        if not failed:
            try:
                read_options(self)
            except OptionError as error:  # options that do not fit each other
                failed = [(name, ValidationError(message)) for name, message in error.errors]
        return failed, [warning for warning in warnings if warning[0] not in unknown]


def read_options(config: SitemapConfig) -> Options:
    """Return the core's options, without a base URL; a theme's template is not for the core."""
    values = {option.name: config[name] for option, name in SITEMAP_OPTIONS}
    if values["template"] == THEME_TEMPLATE:
        values["template"] = None
    return Options(**values)


def own_templates(config: SitemapConfig) -> list[str]:
    """Return the template that the user named, and that of the index if it stands beside it."""
    template = config["template"]
    if template in (None, THEME_TEMPLATE):
        return []
    index = os.path.join(os.path.dirname(template), "sitemapindex.xml")
    return [template, index] if os.path.isfile(index) else [template]
