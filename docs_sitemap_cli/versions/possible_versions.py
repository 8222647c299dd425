"""Folders that could be versions, although they have other names."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress

from docs_sitemap.built.generated_pages import is_generated_page
from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.sitemap.language_tags import to_hreflang
from docs_sitemap.sitemap.urls import INDEX_FILE
from docs_sitemap.tools.files import walk_html_files
from docs_sitemap_cli.console import join_some, shell_word
from docs_sitemap_cli.version_names import version_order

from .deployed_versions import Layout, matches

# The share of the pages of a folder that must exist in another one, too. Different
# projects have hardly more than their home pages in common.
_LEAST_COMMON = 0.5

_MAX_FOLDERS = 20


def find_possible_versions(
    layout: Layout, skipped: Sequence[str]
) -> Iterator[Diagnostic]:
    """Yield a notice about folders that look like versions because of their pages, if
    no folder has the name of a released version.

    Args:
        layout: What is deployed.
        skipped: The value of `--skip`.
    """
    for version in layout.deployed:
        if version.name is not None and not version.is_prerelease:
            return
    by_parent: dict[str, list[str]] = {}
    for folder in layout.homes:
        parent, _, name = folder.rpartition("/")
        is_top = not parent or _is_language(parent)
        if is_top and not _is_language(name) and not matches({name, folder}, skipped):
            by_parent.setdefault(parent, []).append(folder)
    names = set()
    for folders in by_parent.values():
        names |= _find_similar(layout, folders)
    if layout.has_versions_file or not names:
        return
    newest_first = sorted(names, key=version_order, reverse=True)
    text = (
        f"{join_some(newest_first, _MAX_FOLDERS)} could be versions: they have the "
        "same pages, but no version numbers"
    )
    words = shell_word(",".join(newest_first))
    fix = f"if they are, add --versions {words}, newest first"
    # It lists folders at the top.
    if names.issubset(layout.homes):
        items = [{"version": name} for name in newest_first]
        content = json.dumps(items, ensure_ascii=False)
        fix += f", or save this as versions.json: {content}"
    fix += "; if not, add --versions canonical"
    yield Diagnostic("versions", text, Severity.NOTICE, fix)


def _is_language(name: str) -> bool:
    with suppress(ValueError):
        return bool(to_hreflang(name))
    return False


def _find_similar(layout: Layout, folders: Sequence[str]) -> set[str]:
    """Return the names of folders that have most of their pages in common with
    others.
    """
    pages = {}
    numbers = Counter[str]()
    for folder in folders:
        files = walk_html_files(os.path.join(layout.tree.root, folder))
        names = {file for file in files if not is_generated_page(file)}
        pages[folder] = names - {INDEX_FILE}
        numbers.update(pages[folder])
    similar = set()
    for folder, names in pages.items():
        common = [name for name in names if numbers[name] > 1]
        if names and len(common) >= _LEAST_COMMON * len(names):
            similar.add(folder.rpartition("/")[2])
    return similar
