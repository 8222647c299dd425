"""How messages name options: as the users of a generator type them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from docs_sitemap.described import Described

from .options import OPTIONS


@dataclass(frozen=True, slots=True)
class OptionNames:
    """The names of options in messages.

    Attributes:
        texts: What a sentence calls each option, by its name in `Options`.
        false: How users of the generator write the value `False`.
        sources_option: The option that names the sources of a page without any.
    """

    texts: Mapping[str, str]
    false: str
    sources_option: str = "dependencies"

    def __getitem__(self, option: str) -> str:
        """Return what a sentence calls an option: `the option lastmod`, or
        `sitemap_show_lastmod` in Sphinx.
        """
        return self.texts[option]

    def describe(self, described: Described) -> str:
        """Return the meaning of a slug."""
        return described.meaning.format_map(self.texts)


def _name_options() -> OptionNames:
    texts = {option.name: f"the option {option.name}" for option in OPTIONS}
    return OptionNames(texts, "false")


def _name_sphinx_options() -> OptionNames:
    texts = {option.name: option.sphinx or option.name for option in OPTIONS}
    return OptionNames(texts, "False")


OPTION_NAMES = _name_options()
"""The names in `mkdocs.yml`, in `docs-sitemap.toml`, and for other integrations."""

ANY_SITE_NAMES = replace(OPTION_NAMES, sources_option="sources")
"""The names for `docs-sitemap generate`."""

SPHINX_NAMES = _name_sphinx_options()
"""The names in `conf.py`."""


def names_for(generator: Literal["sphinx", "any"] | None) -> OptionNames:
    """Return the names for the users of a generator."""
    match generator:
        case "sphinx":
            return SPHINX_NAMES
        case "any":
            return ANY_SITE_NAMES
    return OPTION_NAMES
