"""Report sources with changes that are not committed, and so date no page."""

import os
from collections.abc import Sequence
from contextlib import suppress

from docs_sitemap.diagnostics import BuildCode, DateStatus, Diagnostics
from docs_sitemap.entry import Entry
from docs_sitemap.git.history import locate
from docs_sitemap.git.history_types import WantedFile
from docs_sitemap.git.repository import find_changed
from docs_sitemap.git.run import Git, GitError
from docs_sitemap.site import Site
from docs_sitemap.tools.files import relative_path
from docs_sitemap.tools.printing import count


def report_uncommitted(
    listed: Sequence[Entry], site: Site, diagnostics: Diagnostics
) -> None:
    """Report how many sources of listed pages have changes that are not committed.
    Authors who look at a preview know that, and copies have no repository.
    """
    if site.is_preview or site.options.repository:
        return
    files = set()
    for entry in listed:
        for source, date in entry.dates.items():
            if date.status is DateStatus.COMMIT and not source.ref:
                files.add(WantedFile(source.path))
    changed = []
    for top, paths in locate(files).items():
        names = {} if site.history is None else site.history.object_names.get(top, {})
        with suppress(GitError):  # The dates that git knows are accurate.
            for path in find_changed(Git(top), paths.values(), names):
                changed.append(os.path.join(top, path))
    if changed:
        example = relative_path(min(changed), os.fspath(site.root))
        message = (
            f"changes to {count(len(changed), 'source')} of listed pages, such as "
            f"{example}, are not committed and date no page. Fix: commit the changes, "
            "then build again."
        )
        diagnostics.note(BuildCode.GIT, message)
