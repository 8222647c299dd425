"""Report pages without a date in a shallow clone: the message, how serious it is, and
the fix for each CI service.
"""

import os
from collections.abc import Sequence

from docs_sitemap.config.values import ShallowAction
from docs_sitemap.date_status import DateStatus
from docs_sitemap.diagnostics import BuildCode, Diagnostics
from docs_sitemap.entry import Entry
from docs_sitemap.errors import ShallowError
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
