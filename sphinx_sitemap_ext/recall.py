"""The pages of no document, remembered from one build to the next.

Not every build makes all of them: before Sphinx 8.2, one that finds no document changed makes
none, and extensions (`sphinx.ext.viewcode` is one) may skip those that they made before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from docs_sitemap.write import replace_file
from sphinx_sitemap_ext.pages import is_utility

if TYPE_CHECKING:
    from sphinx.builders.html import StandaloneHTMLBuilder


def recall(builder: StandaloneHTMLBuilder, made: Iterable[str], *, anew: bool) -> dict[str, bool]:
    """Return the names of the site's pages of no document, and whether they are Sphinx' own.

    Pages of an earlier build count as long as the configuration is the same, and Sphinx keeps its
    environment; whether their files are still there is for the core to see.

    Args:
        builder: the builder, after the build.
        made: the names of the pages that this build made.
        anew: whether this build began without the environment of an earlier one, or with another
            configuration: then it made every page, but for some of Sphinx' own.
    """
    memory = Path(builder.doctreedir, f"sitemap-{builder.name}.json")
    extensions = sorted(builder.config.extensions)
    pages = _read(memory, extensions)
    if anew:
        pages = {name: utility for name, utility in pages.items() if utility}
    additional = builder.config.html_additional_pages
    pages |= {name: is_utility(builder, name) for name in made if name not in additional}
    remembered = {"extensions": extensions, "pages": pages}
    with suppress(OSError):  # the next build will know less, that is all
        replace_file(memory, json.dumps(remembered).encode())
    # The configuration names these; one that it no longer names must not be remembered.
    return pages | {name: is_utility(builder, name) for name in additional}


def _read(memory: Path, extensions: list[str]) -> dict[str, bool]:
    try:
        remembered = json.loads(memory.read_text(encoding="utf-8"))
        if remembered["extensions"] == extensions:
            return {str(name): bool(utility) for name, utility in remembered["pages"].items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        pass
    return {}
