"""How messages name options: as the users of a generator type them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from docs_sitemap.described import Described

from .options import OPTIONS


@dataclass(frozen=True, slots=True)
class OptionNames:
    """The names of options in messages.

    Attributes:
        texts: What a sentence calls each option, by its name in `Options`.
        false: How users of the generator write the value `False`.
    """

    texts: Mapping[str, str]
    false: str

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

SPHINX_NAMES = _name_sphinx_options()
"""The names in `conf.py`."""


def names_for(generator: Literal["sphinx"] | None) -> OptionNames:
    """Return the names for the users of a generator."""
    return SPHINX_NAMES if generator == "sphinx" else OPTION_NAMES
