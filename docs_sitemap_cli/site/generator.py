"""Which generator built a site, as far as fixes depend on it."""

from enum import Enum, auto

from docs_sitemap.tools.files import walk_html_files

from .folder import SiteFolder


class Generator(Enum):
    """The generator of a site. `UNKNOWN` stands for a folder without pages, such as one
    with a copy of a sitemap.
    """

    MKDOCS = auto()
    SPHINX = auto()
    OTHER = auto()
    UNKNOWN = auto()


# What only these generators write, with every theme.
_FILES = {
    "search/search_index.json": Generator.MKDOCS,
    "_static/documentation_options.js": Generator.SPHINX,
}


def find_generator(folder: SiteFolder) -> Generator:
    """Return the generator that built the site in a folder."""
    for file, generator in _FILES.items():
        if folder.exists(file):
            return generator
    if any(walk_html_files(folder.root)):
        return Generator.OTHER
    return Generator.UNKNOWN
