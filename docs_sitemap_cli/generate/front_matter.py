"""The front matter of source files: YAML as in most generators, or TOML as in Hugo and
Zola.
"""

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from docs_sitemap.tools.files import open_regular

# In bytes: the rest of a file with longer front matter is not read.
_MAX_START = 2**16

_BLOCK = re.compile(
    r"\A\ufeff?(---|\+\+\+)[ \t]*\r?\n(.*?)\r?\n\1[ \t]*(?:\r?\n|\Z)", re.S
)
# Parsing YAML is slow, and most files set none of these.
_WANTED = re.compile(r"^(?:\[)?(?:sitemap|slug|permalink|url|id)\b", re.M)


def read_front_matter(path: str) -> Mapping[str, Any]:
    """Return the front matter of a file; empty if there is none, if it is invalid, or
    if it contains nothing about the URL or the sitemap. All values in YAML are text.

    Args:
        path: The absolute path of the file.
    """
    try:
        with open_regular(path) as file:
            block = _BLOCK.match(file.read(_MAX_START).decode("utf-8", "replace"))
        if block is None or not _WANTED.search(block[2]):
            return {}
        text = block[2].replace("\r\n", "\n")
        if block[1] == "+++":
            return tomllib.loads(text)
        return _parse_yaml(text)
    # The generator reports invalid front matter.
    except (OSError, ValueError, RecursionError):
        return {}


def _parse_yaml(text: str) -> Mapping[str, Any]:
    import yaml  # Most sites do not need it.

    try:
        # Other loaders raise any exception for invalid tags, and need any memory for
        # merge keys.
        values = yaml.BaseLoader(text).get_single_data()
    except yaml.YAMLError as error:
        raise ValueError("the front matter cannot be parsed") from error
    if isinstance(values, dict):
        return values
    return {}
