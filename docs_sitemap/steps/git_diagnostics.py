"""Report pages without a date: why git cannot date them, and how to fix it.

Git only returns errors and statuses. The messages, with the names of options, are
written here.
"""

import os
from collections.abc import Iterable, Sequence

from docs_sitemap.config.options import OptionNames
from docs_sitemap.config.parsers import ShallowAction
from docs_sitemap.diagnostics import BuildCode, DateStatus, Diagnostics, ShallowError
from docs_sitemap.entry import Entry
from docs_sitemap.git.history import GitFailure, NoCopiesError
from docs_sitemap.git.history_types import HistoryOptions
from docs_sitemap.git.repository import FetchError, IgnoreRevsError
from docs_sitemap.git.run import (
    GitError,
    GitMissingError,
    UnknownCommitError,
    UntrustedFolderError,
)
from docs_sitemap.site import Site
from docs_sitemap.tools.printing import count

# How to get the full history on the services that build sites, by an environment
# variable that the service sets in every build.
CI_SERVICES = {
    "GITHUB_ACTIONS": "on GitHub Actions, add `with: {fetch-depth: 0}` to "
    "`uses: actions/checkout`",
    "GITLAB_CI": "on GitLab CI, add `variables: {GIT_DEPTH: 0}` to the job in "
    ".gitlab-ci.yml",
    "READTHEDOCS": "on Read the Docs, run `git fetch --unshallow || true` first: in "
    ".readthedocs.yaml, add it to `build: jobs: post_checkout` or, if you have "
    "`build: commands`, as the first command",
    "NETLIFY": "on Netlify, put `(git fetch --unshallow || true) &&` before the build "
    "command in netlify.toml",
    "CF_PAGES": "on Cloudflare Pages, put `(git fetch --unshallow || true) &&` before "
    "the build command in the settings",
    "VERCEL": "on Vercel, set the variable `VERCEL_DEEP_CLONE=true` in the project's "
    "settings",
    "BITBUCKET_BUILD_NUMBER": "on Bitbucket Pipelines, add `clone: {depth: full}` to "
    "bitbucket-pipelines.yml",
    "TF_BUILD": "on Azure Pipelines, add `fetchDepth: 0` to the step `checkout: self`",
}


def report_missing_dates(
    listed: Sequence[Entry], site: Site, diagnostics: Diagnostics
) -> None:
    """Report why listed pages have no date, if a person can change that.

    Raises:
        ShallowError: A shallow clone does not contain the commits of some pages, and
            the option `shallow` is `error`.
    """
    if site.options.lastmod:
        from_git = [entry for entry in listed if entry.settings.lastmod is None]
        report_shallow_clone(from_git, site.options.shallow, diagnostics)
        _report_missing_repository(from_git, site.names, diagnostics)
        _report_unknown_sources(from_git, site.names, diagnostics)


def report_shallow_clone(
    entries: Sequence[Entry], action: ShallowAction, diagnostics: Diagnostics
) -> None:
    """Report the pages whose commits are not in the shallow clone, if there are any.

    Args:
        entries: The pages that git can date.
        action: The option `shallow`.
        diagnostics: Receives a notice or a warning.

    Raises:
        ShallowError: There are some, and the action is `error`.
    """
    undated = 0
    for entry in entries:
        if entry.lastmod.status is DateStatus.SHALLOW:
            undated += 1
    if not undated:
        return
    verb = "has" if undated == 1 else "have"
    message = (
        f"{undated:,} of {count(len(entries), 'page')} {verb} no lastmod: the git "
        "clone is shallow and does not contain the commits. Fix: "
        f"{full_history_advice()}."
    )
    if action is ShallowAction.ERROR:
        raise ShallowError(message)
    # Most CI services make a shallow clone, and strict builds there should not fail.
    if action is ShallowAction.WARN:
        diagnostics.note(BuildCode.GIT, message)
    else:
        diagnostics.warn(BuildCode.GIT, message)


def full_history_advice() -> str:
    """Return how to get the full history on the CI service of this build: an
    instruction that fits after `Fix: `, without a full stop.
    """
    for variable, advice in CI_SERVICES.items():
        if os.environ.get(variable):
            return advice
    return "run `git fetch --unshallow` before the build"


def _report_missing_repository(
    entries: Sequence[Entry], names: OptionNames, diagnostics: Diagnostics
) -> None:
    """Report a site whose sources are all outside a repository. Some plugins add pages
    from other folders: if other pages have dates, this needs no warning.
    """
    statuses = {entry.lastmod.status for entry in entries}
    if statuses - {DateStatus.NO_SOURCE} == {DateStatus.NO_REPOSITORY}:
        message = (
            "no page has a lastmod: the source files are not in a git repository. Fix: "
            f"build from a clone, set {names['repository']}, or set {names['lastmod']} "
            f"to {names.false}."
        )
        diagnostics.note(BuildCode.GIT, message)


def _report_unknown_sources(
    entries: Sequence[Entry], names: OptionNames, diagnostics: Diagnostics
) -> None:
    """Report why the sources of pages are unknown, each reason once, and set it as
    their detail, as well as the reason why there are none.
    """
    pages: dict[str, str] = {}
    for entry in entries:
        reason = entry.page.unknown_because
        no_source = entry.page.no_source
        if no_source is not None and entry.lastmod.status is DateStatus.NO_SOURCE:
            entry.detail = no_source.describe()
        if reason and entry.lastmod.status is DateStatus.UNKNOWN_SOURCES:
            entry.detail = reason
            pages.setdefault(reason, entry.page.name)
    for reason, name in pages.items():
        message = f"{name} has no lastmod: {reason}."
        if "Fix: " not in reason:
            message += (
                " Fix: name the other source files of the page in "
                f"{names['dependencies']}, or set lastmod in the page."
            )
        diagnostics.note(BuildCode.PAGE, message, page=name)


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
