"""Recognize the files that configure MkDocs and its plugins for navigation."""

from __future__ import annotations

import os
import re

# The files of mkdocs-monorepo-plugin, mkdocs-awesome-nav, mkdocs-awesome-pages-plugin, and the
# `meta` plugin of Material for MkDocs, besides those of MkDocs and ProperDocs.
_CONFIGURATION = re.compile(
    r"(?: (?:mkdocs|properdocs) (?:[.-].*)? | \.nav | \.meta ) \.ya?ml | \.pages", re.VERBOSE
)


def is_configuration(path: str) -> bool:
    """Whether a file with this path configures the site. A page that includes such a file to
    show its text is another case.
    """
    return _CONFIGURATION.fullmatch(os.path.basename(path)) is not None
