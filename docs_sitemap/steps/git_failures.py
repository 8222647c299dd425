"""Report why git cannot date files, and how to fix it.

Git only returns errors. The messages with the names of options are written here.
"""

import os
import shlex
from collections.abc import Iterable

from docs_sitemap.diagnostics import BuildCode, Diagnostics
from docs_sitemap.git.fetch import FetchError
from docs_sitemap.git.file_date import GitFailure, HistoryOptions
from docs_sitemap.git.history import NoCopiesError
from docs_sitemap.git.ignored import IgnoreRevsError
from docs_sitemap.git.run import (
    GitError,
    GitMissingError,
    UnknownCommitError,
    UntrustedFolderError,
)


def report_failures(
    failures: Iterable[GitFailure], options: HistoryOptions, diagnostics: Diagnostics
) -> None:
    """Report failures of git, each as one diagnostic.

    Args:
        failures: The failures.
        options: The options of the history that was read.
        diagnostics: Receives the diagnostics.
    """
    for failure in failures:
        message = f"{describe_failure(failure, options)}."
        # Strict builds should not fail in an image without git, or if another user made
        # the clone.
        if isinstance(failure.error, GitMissingError | UntrustedFolderError):
            diagnostics.note(BuildCode.GIT, message)
        else:
            diagnostics.warn(BuildCode.GIT, message)


def describe_failure(failure: GitFailure, options: HistoryOptions) -> str:
    """Return what git cannot do, and how to fix it, without a full stop."""
    folder, error = failure
    if isinstance(error, UntrustedFolderError):
        folder = os.path.realpath(folder)
        return (
            f"git does not trust {folder}: the folder belongs to another user. Fix: if "
            "you trust it, run git config --global --add safe.directory "
            f"{shlex.quote(folder)}"
        )
    if isinstance(error, UnknownCommitError):
        return (
            f"{options.ref} of {folder} is not a commit. Fix: commit the pages, or "
            "correct the option repository or the option ref"
        )
    if isinstance(error, NoCopiesError):
        return (
            f"{options.ref} of {folder} contains none of the source files. Fix: "
            "correct the option repository or the option ref"
        )
    if isinstance(error, FetchError):
        return (
            f"the missing history of {folder} cannot be fetched: {error}. Fix: check "
            "the remote and your access to it"
        )
    fix = "repair the repository, or clone it without --filter=tree"
    if isinstance(error, IgnoreRevsError):
        fix = "correct the line, or set the option ignore_revs_file to false"
    elif isinstance(error, GitError) and error.fix:
        fix = error.fix
    elif options.repository:
        fix = "correct the option repository"
    return (
        f"git cannot find the dates of files in {folder}: {error}. "
        f"Fix: {fix}, or set the option lastmod to false"
    )
