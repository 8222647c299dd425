"""The location of the project."""

import os

from mkdocs.config.base import Config


def config_file(config: Config) -> str:
    """Return the absolute path of `mkdocs.yml`. With `mkdocs build -f FILE`, MkDocs
    keeps the path as it is written on the command line.
    """
    return os.path.abspath(config.config_file_path or "mkdocs.yml")


def project_folder(config: Config) -> str:
    """Return the absolute path of the folder that contains `mkdocs.yml`."""
    return os.path.dirname(config_file(config))
