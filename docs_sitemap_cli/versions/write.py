"""Write the sitemap of a deployed tree, and the canonical links of its pages."""

from pathlib import Path

from docs_sitemap.tools.files import compress, lock_folder, replace_files
from docs_sitemap_cli.published.folder import SiteFolder

from .canonical_links import change_page
from .composition import Composition


def write(tree: SiteFolder, composition: Composition) -> list[str]:
    """Write the pages, and then the sitemap: all of its files, or none.

    Args:
        tree: The tree.
        composition: What to write.

    Returns:
        The files that were written or removed, relative to the tree.

    Raises:
        OSError: A file cannot be written.
    """
    root = Path(tree.root)
    names = []
    files: dict[str, bytes] = {}
    # The sitemap itself is the last one.
    for name, content in reversed(composition.files.items()):
        files |= {f"{name}.gz": compress(content), name: content}
    old_files = [name for name in composition.old_files if tree.exists(name)]
    with lock_folder(root):
        for link in composition.result.canonical_links:
            page = change_page(tree, link)
            if page is not None:
                replace_files({root / link.file: page}, root)
                names.append(link.file)
        replace_files({root / name: content for name, content in files.items()})
        # The new sitemap no longer lists them.
        replace_files(dict.fromkeys(root / name for name in old_files))
    return [*names, *files, *old_files]
