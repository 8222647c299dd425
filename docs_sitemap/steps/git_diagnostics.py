"""Report pages without a date: why git cannot date them, and how to fix it.

Git only returns errors and statuses. The messages, with the names of options, are
written here.
"""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from docs_sitemap.config.options import OptionNames
from docs_sitemap.config.parsers import ShallowAction
from docs_sitemap.diagnostics import BuildCode, DateStatus, Diagnostics, ShallowError
from docs_sitemap.git.history_types import HistoryOptions
from docs_sitemap.git.repository import FetchError, IgnoreRevsError, NoCopiesError
from docs_sitemap.git.run import (
    GitError,
    GitMissingError,
    MissingRepositoryError,
    UnknownCommitError,
    UntrustedFolderError,
)
from docs_sitemap.tools.files import find_top
from docs_sitemap.tools.printing import count

if TYPE_CHECKING:
    from docs_sitemap.entry import Entry
    from docs_sitemap.git.history import GitFailure
    from docs_sitemap.site import Site


class _CiService(msgspec.Struct, frozen=True):
    """How a service that builds sites gets the complete history.

    Attributes:
        name: The name of the service.
        setting: How to set that it clones all commits; empty if it has no setting.
        place: Where to run a command before the build.
    """

    name: str
    setting: str
    place: str


# By an environment variable that the service sets in every build.
CI_SERVICES = {
    "GITHUB_ACTIONS": _CiService(
        "GitHub Actions",
        "add `with: {fetch-depth: 0}` to `uses: actions/checkout`",
        "in a step after `uses: actions/checkout`",
    ),
    "GITLAB_CI": _CiService(
        "GitLab CI",
        "add `variables: {GIT_DEPTH: 0}` to the job in .gitlab-ci.yml",
        "in the `before_script` of the job in .gitlab-ci.yml",
    ),
    "READTHEDOCS": _CiService(
        "Read the Docs",
        "",
        "in `build: jobs: post_checkout` of .readthedocs.yaml or, if you have `build: "
        "commands`, as the first command",
    ),
    "NETLIFY": _CiService("Netlify", "", "before the build command in netlify.toml"),
    "CF_PAGES": _CiService(
        "Cloudflare Pages", "", "before the build command in the settings"
    ),
    "VERCEL": _CiService(
        "Vercel",
        "set the variable `VERCEL_DEEP_CLONE=true` in the project's settings",
        "before the build command in vercel.json",
    ),
    "BITBUCKET_BUILD_NUMBER": _CiService(
        "Bitbucket Pipelines",
        "add `clone: {depth: full}` to bitbucket-pipelines.yml",
        "before the build in bitbucket-pipelines.yml",
    ),
    "TF_BUILD": _CiService(
        "Azure Pipelines",
        "add `fetchDepth: 0` to the step `checkout: self`",
        "in a step after `checkout: self`",
    ),
}

# What the machine of a build causes, and not the project.
_NOTICES = (GitMissingError, MissingRepositoryError, UntrustedFolderError)


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
        _report_shallow_clones(from_git, site, diagnostics)
        _report_missing_repository(from_git, site.names, diagnostics)
        _report_unknown_sources(from_git, site.names, diagnostics)


def _report_shallow_clones(
    entries: Sequence[Entry], site: Site, diagnostics: Diagnostics
) -> None:
    """Report the pages whose commits are not in a shallow clone, for each repository.

    Args:
        entries: The pages that git can date.
        site: The site.
        diagnostics: Receives notices or warnings.

    Raises:
        ShallowError: There are some, and the option `shallow` is `error`.
    """
    folders = Counter[str]()
    for entry in entries:
        source = entry.lastmod.source
        if entry.lastmod.status is DateStatus.SHALLOW and source is not None:
            folders[os.path.dirname(os.path.realpath(source))] += 1
    project = site.options.repository or os.fspath(site.root)
    numbers = Counter[str]()
    for folder, number in folders.items():
        numbers[find_submodule(folder, project)] += number
    messages = []
    for submodule, number in numbers.items():
        verb = "has" if number == 1 else "have"
        clone = f"the submodule {submodule}" if submodule else "the git clone"
        messages.append(
            f"{number:,} of {count(len(entries), 'page')} {verb} no lastmod: {clone} "
            "is shallow and does not contain the commits. Fix: "
            f"{full_history_advice(submodule)}."
        )
    action = site.options.shallow
    if messages and action is ShallowAction.ERROR:
        raise ShallowError(" ".join(messages))
    for message in messages:
        # Most CI services make a shallow clone, and strict builds there should not
        # fail.
        if action is ShallowAction.WARN:
            diagnostics.note(BuildCode.GIT, message)
        else:
            diagnostics.warn(BuildCode.GIT, message)


def find_submodule(folder: str, project: str) -> str:
    """Return the submodule that contains a folder without links, relative to the top
    level of the repository of a project; empty if the folder is in no submodule.
    """
    own = os.path.join(find_top(os.path.realpath(project)) or project, "")
    top = find_top(folder) or ""
    return top.removeprefix(own) if top.startswith(own) else ""


def full_history_advice(submodule: str = "") -> str:
    """Return how to get the complete history on the CI service of this build: an
    instruction that fits after `Fix: `, without a full stop.

    Args:
        submodule: The folder of the submodule that lacks it. No service has a setting
            that works if `.gitmodules` sets `shallow`.
    """
    command = "git fetch --unshallow"
    if submodule:
        command = f"git -C {shlex.quote(submodule)} fetch --unshallow"
    for variable, service in CI_SERVICES.items():
        if os.environ.get(variable):
            advice = service.setting
            if submodule or not advice:
                advice = f"run `{command} || true` {service.place}"
            return f"on {service.name}, {advice}"
    return f"run `{command}` before the build"


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
                " Fix: add the other source files of the page to "
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
        # Strict builds should not fail in a container without git or the repository, or
        # if another user made the clone.
        if isinstance(failure.error, _NOTICES):
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
