"""The options of the plugin: the options of the core, validated as MkDocs expects."""

from typing import Any

from mkdocs.config import base

from docs_sitemap import (
    OPTIONS,
    OptionError,
    Options,
    describe_unknown_option,
    read_options,
)

from .project import project_folder

_CORE_OPTIONS = {
    option.mkdocs: option for option in OPTIONS if option.mkdocs is not None
}


class _CoreOption(base.BaseConfigOption[Any]):
    """The option of the core with this name, which has its type and meaning."""

    def __set_name__(
        self,
        owner: type[base.Config],
        name: str,
    ) -> None:
        super().__set_name__(owner, name)  # type: ignore[no-untyped-call]
        self.default = _CORE_OPTIONS[name].default


class SitemapConfig(base.Config):  # type: ignore[no-untyped-call]
    """The options of the core that MkDocs users can set."""

    locals().update({name: _CoreOption() for name in _CORE_OPTIONS})

    def validate(self) -> tuple[base.ConfigErrors, base.ConfigWarnings]:
        """Validate all options, their names, and how they fit together."""
        failed: base.ConfigErrors = []
        # MkDocs only warns about unknown names, but a misspelled option has no effect.
        for name in sorted(self.keys() - _CORE_OPTIONS.keys(), key=str):
            message = describe_unknown_option(str(name), _CORE_OPTIONS)
            failed.append((name, base.ValidationError(message)))
        try:
            core_options(self)
        except OptionError as error:
            failed += [
                (name, base.ValidationError(message)) for name, message in error.errors
            ]
        return failed, []


def core_options(config: SitemapConfig) -> Options:
    """Return the options of the core, without the base URL.

    Raises:
        OptionError: Some options do not fit together, or the template is unusable.
    """
    values = {option.name: config[name] for name, option in _CORE_OPTIONS.items()}
    return read_options(values, project_folder(config))
