"""Part of the build of the distribution: the package index shows the README, but not
the files to which it links.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PAGE = re.compile(r"\]\(docs/([\w/-]+)\.md(#[\w-]+)?\)")
_PICTURE = re.compile(r"(?<=[\"(])docs/[\w/-]+\.(?:svg|png)")
_FILE = re.compile(r"\]\((\w+(?:\.md)?)\)")


class ReadmeHook(MetadataHookInterface):
    """Writes the README with absolute links into the metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Change the metadata of the project. See
        https://hatch.pypa.io/latest/plugins/metadata-hook/reference/.
        """
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        urls = metadata["urls"]
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": with_absolute_links(readme, urls["Documentation"], urls["Source"]),
        }


def with_absolute_links(readme: str, documentation: str, source: str) -> str:
    """Return a README that needs no other file of the repository.

    Args:
        readme: The text, with links relative to the repository.
        documentation: The URL of the documentation, which ends with `/`.
        source: The URL of the repository.
    """
    readme = _PAGE.sub(rf"]({documentation}\1/\2)", readme)
    readme = _PICTURE.sub(rf"{source}/raw/main/\g<0>", readme)
    return _FILE.sub(rf"]({source}/blob/main/\1)", readme)
