"""Which generator built a site, as far as fixes depend on it."""

from enum import Enum, auto

from docs_sitemap.sitemap.urls import INDEX_FILE

from .folder import SiteFolder


class Generator(Enum):
    """The generator of a site. `UNKNOWN` stands for a folder without a home page, such
    as one with a copy of a sitemap.
    """

    MKDOCS = auto()
    SPHINX = auto()
    OTHER = auto()
    UNKNOWN = auto()


# What these generators write, with every theme.
_FILES = {
    "search/search_index.json": Generator.MKDOCS,
    "objects.inv": Generator.SPHINX,
    INDEX_FILE: Generator.OTHER,
}


def find_generator(folder: SiteFolder) -> Generator:
    """Return the generator that built the site in a folder."""
    for file, generator in _FILES.items():
        if folder.exists(file):
            return generator
    return Generator.UNKNOWN
