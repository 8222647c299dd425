"""The options of the plugin: the options of the core, validated as MkDocs expects."""

from __future__ import annotations

import os
from difflib import get_close_matches
from typing import Literal, TypeVar

from mkdocs.config.base import (
    BaseConfigOption,
    Config,
    ConfigErrors,
    ConfigWarnings,
    ValidationError,
)

from docs_sitemap import (
    OPTIONS,
    Locale,
    OptionError,
    Options,
    Rule,
    TemplateError,
    check_template,
)
from mkdocs_sitemap.project import project_folder

THEME_TEMPLATE = "theme"

_CORE_OPTIONS = {option.mkdocs: option for option in OPTIONS if option.mkdocs is not None}
_PATHS = ("lastmod_record", "report", "repository", "template")

_T = TypeVar("_T")


class CoreOption(BaseConfigOption[_T]):
    """The option of the core with the same name as the attribute.

    Its default, description, and valid values are in `docs_sitemap.OPTIONS`.
    """

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
    """The options of the core that MkDocs users can set, in the order of `OPTIONS`."""

    filename = CoreOption[str]()
    gzip = CoreOption[bool]()
    lastmod = CoreOption[bool]()
    lastmod_changes = CoreOption[str]()
    lastmod_date = CoreOption[str]()
    lastmod_format = CoreOption[str]()
    lastmod_fallback = CoreOption[str | None]()
    lastmod_record = CoreOption[str | None]()
    lastmod_record_selector = CoreOption[str | None]()
    first_parent = CoreOption[bool]()
    shallow = CoreOption[str]()
    ignore_revs_file = CoreOption[str]()
    ignore_messages = CoreOption[tuple[str, ...]]()
    ignore_authors = CoreOption[tuple[str, ...]]()
    dependencies = CoreOption[tuple[tuple[str, tuple[str, ...]], ...]]()
    ignore_dependencies = CoreOption[tuple[str, ...]]()
    repository = CoreOption[str | None]()
    ref = CoreOption[str]()
    changefreq = CoreOption[str | None]()
    priority = CoreOption[float | None]()
    rules = CoreOption[tuple[Rule, ...]]()
    exclude = CoreOption[tuple[str, ...]]()
    include = CoreOption[tuple[str, ...]]()
    ignore_reasons = CoreOption[tuple[str, ...]]()
    template = CoreOption[str | None]()
    report = CoreOption[str | Literal[False] | None]()
    locales = CoreOption[tuple[Locale, ...]]()
    x_default = CoreOption[str | None]()
    robots = CoreOption[bool]()

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
    if config.template == THEME_TEMPLATE:
        values["template"] = None  # The core does not know the theme.
    return Options(**values)
