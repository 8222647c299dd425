"""Folders that could be versions, although they have other names."""

import json
import os
import re
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

# As in `rust-1.50.0`.
_NUMBER = re.compile(r"[0-9]\.[0-9]")


def find_possible_versions(
    layout: Layout, skipped: Sequence[str]
) -> Iterator[Diagnostic]:
    """Yield a notice about folders that look like versions, unless other folders are
    released versions, or the root is a site, whose sections may look alike.

    Args:
        layout: What is deployed.
        skipped: The value of `--skip`.
    """
    if layout.has_versions_file or layout.root_sitemap is not None:
        return
    for version in layout.deployed:
        if version.name is not None and not version.is_prerelease:
            return
    folders = []
    for folder in layout.homes:
        if not _is_language(folder) and not matches([folder], skipped):
            folders.append(folder)
    names = _find_similar(layout, folders)
    if names:
        newest_first = sorted(names, key=version_order, reverse=True)
        text = (
            f"{join_some(newest_first)} could be versions, but their names are not "
            "version numbers"
        )
        words = shell_word(",".join(newest_first))
        items = [{"version": name} for name in newest_first]
        content = json.dumps(items, ensure_ascii=False)
        fix = (
            f"if they are, add --versions {words}, newest first, or save this as "
            f"versions.json: {content}; if not, add --versions canonical"
        )
        yield Diagnostic("versions", text, Severity.NOTICE, fix)


def _is_language(name: str) -> bool:
    with suppress(ValueError):
        return bool(to_hreflang(name))
    return False


def _find_similar(layout: Layout, folders: Sequence[str]) -> set[str]:
    """Return the names of folders that contain a number of a version, or have most of
    their pages in common with others.
    """
    pages: dict[str, set[str]] = {}
    numbers = Counter[str]()
    for folder in folders:
        files = walk_html_files(os.path.join(layout.tree.root, folder))
        shown = {file for file in files if not is_generated_page(file)}
        pages[folder] = shown - {INDEX_FILE}
        numbers.update(pages[folder])
    similar = set()
    for name, own in pages.items():
        common = [file for file in own if numbers[file] > 1]
        is_copy = own and len(common) >= _LEAST_COMMON * len(own)
        if is_copy or _NUMBER.search(name):
            similar.add(name)
    return similar
