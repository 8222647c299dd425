"""Find and read the configuration of Zensical or MkDocs."""

import os
import tomllib

import yaml

from docs_sitemap.tools.files import read_regular

from .project import MkDocsProject

_NAMES = ("zensical.toml", "mkdocs.yml", "mkdocs.yaml", "mkdocs.toml")

# In bytes.
_MAX_CONFIG = 2**20


def find_project(folder: str) -> MkDocsProject | None:
    """Return the project in a folder; `None` if there is no configuration."""
    for name in _NAMES:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return MkDocsProject(path, _read_values(path))
    return None


def _read_values(path: str) -> dict[str, object]:
    text = read_regular(path, _MAX_CONFIG).decode("utf-8-sig", "replace")
    if path.endswith(".toml"):
        values = tomllib.loads(text)
        return dict(values.get("project", values))
    loaded = yaml.load(text, _Loader)  # noqa: S506
    return dict(loaded or {})


class _Loader(yaml.SafeLoader):
    pass


def _ignore_tag(loader: yaml.SafeLoader, suffix: str, node: yaml.Node) -> None:
    return None


_Loader.add_multi_constructor("!", _ignore_tag)
_Loader.add_multi_constructor("tag:yaml.org,2002:python/", _ignore_tag)
