"""Shallow clones: fetch their missing history, or explain how to get it on each CI
service.
"""

import os
from collections.abc import Collection

from .remotes import hide_credentials
from .run import Git, GitError

# In seconds. A quiet fetch prints nothing until it ends.
_TIMEOUT = 600.0

_FETCH = [
    # Fetch only from the remote, and run no program that its URL or the configuration
    # names.
    "-c",
    "protocol.ext.allow=never",
    "-c",
    "fetch.bundleURI=",
    "fetch",
    "--upload-pack=git-upload-pack",
    "--unshallow",
    "--no-tags",
    "--no-auto-maintenance",
    "--no-recurse-submodules",
    "--no-write-fetch-head",
    "--quiet",
    "--stdin",
    # The refspecs and the pruning that the user has configured would change refs.
    "--refmap=",
    "--no-prune",
    "--no-prune-tags",
    "--",
]

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


def fetch_full_history(git: Git, boundary: Collection[str]) -> None:
    """Fetch the missing history of a shallow clone. No ref is created, changed, or
    deleted. If the fetch fails, the repository is unchanged.

    Args:
        git: Git in a folder of the repository.
        boundary: The hashes of the commits whose parents are missing.

    Raises:
        GitError: There is no remote, or the fetch failed.
    """
    remotes = os.fsdecode(git.output(["remote"])).split("\n")[:-1]
    if not remotes:
        raise GitError("the repository has no remote")
    remote = remotes[0]
    if "origin" in remotes:
        remote = "origin"
    online = git._replace(timeout=_TIMEOUT, network=True)
    stdin = "\n".join(boundary).encode()
    try:
        online.output([*_FETCH, remote], stdin=stdin)
    except GitError as error:
        raise GitError(hide_credentials(str(error)), fix=error.fix) from None


def full_history_advice() -> str:
    """Return how to get the full history on the CI service of this build: an
    instruction that fits after `Fix: `, without a full stop.
    """
    for variable, advice in CI_SERVICES.items():
        if os.environ.get(variable):
            return advice
    return "run `git fetch --unshallow` before the build"
