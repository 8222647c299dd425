"""Report why git cannot date files, and how to fix it.

Git only returns errors. The messages with the names of options are written here.
"""

from collections.abc import Iterable

from docs_sitemap.config.option_names import OptionNames
from docs_sitemap.diagnostics import BuildCode, Diagnostics
from docs_sitemap.git.file_date import GitFailure, HistoryOptions
from docs_sitemap.git.history import NoCopiesError
from docs_sitemap.git.ignored import IgnoreRevsError
from docs_sitemap.git.run import (
    GitError,
    GitMissingError,
    UnknownCommitError,
    UntrustedFolderError,
)
from docs_sitemap.git.unshallow import FetchError


def report_failures(
    failures: Iterable[GitFailure],
    options: HistoryOptions,
    names: OptionNames,
    diagnostics: Diagnostics,
) -> None:
    """Report failures of git, each as one diagnostic.

    Args:
        failures: The failures.
        options: The options of the history that was read.
        names: The names of options in messages.
        diagnostics: Receives the diagnostics.
    """
    for failure in failures:
        message = f"{describe_failure(failure, options, names)}."
        # Strict builds should not fail in an image without git, or if another user made
        # the clone.
        if isinstance(failure.error, GitMissingError | UntrustedFolderError):
            diagnostics.note(BuildCode.GIT, message)
        else:
            diagnostics.warn(BuildCode.GIT, message)


def describe_failure(
    failure: GitFailure, options: HistoryOptions, names: OptionNames
) -> str:
    """Return what git cannot do, and how to fix it, without a full stop."""
    folder, error = failure
    if isinstance(error, UntrustedFolderError):
        return f"{error}. Fix: {error.fix}"
    if isinstance(error, UnknownCommitError):
        return (
            f"{options.ref} of {folder} is not a commit. Fix: commit the pages, or "
            f"correct {names['repository']} or {names['ref']}"
        )
    if isinstance(error, NoCopiesError):
        return (
            f"{options.ref} of {folder} contains none of the source files. Fix: "
            f"correct {names['repository']} or {names['ref']}"
        )
    if isinstance(error, FetchError):
        return (
            f"the missing history of {folder} cannot be fetched: {error}. Fix: check "
            "the remote and your access to it"
        )
    fix = "repair the repository, or clone it without --filter=tree"
    if isinstance(error, IgnoreRevsError):
        fix = f"correct the line, or set {names['ignore_revs_file']} to {names.false}"
    elif isinstance(error, GitError) and error.fix:
        fix = error.fix
    elif options.repository:
        fix = f"correct {names['repository']}"
    return (
        f"git cannot find the dates of files in {folder}: {error}. "
        f"Fix: {fix}, or set {names['lastmod']} to {names.false}"
    )
