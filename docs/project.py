"""The URLs of the project: `[project.urls]` in `pyproject.toml` is their only place.

MkDocs loads this module as a hook, and Sphinx in `conf.py`. The package index shows the
README with absolute links; see `hatch_build.py`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

_PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
_PROJECT = tomllib.loads(_PYPROJECT.read_text(encoding="utf-8"))["project"]

VERSION: str = _PROJECT["version"]
DOCUMENTATION: str = _PROJECT["urls"]["Documentation"]
SOURCE: str = _PROJECT["urls"]["Source"]


def on_config(config):  # type: ignore[no-untyped-def]
    """Run as a hook of MkDocs. `mkdocs serve` has its own address."""
    config.site_url = config.site_url or DOCUMENTATION
    config.repo_url = SOURCE
    return config


# The plugins read the URLs in their own handlers of this event.
on_config.mkdocs_priority = 100
