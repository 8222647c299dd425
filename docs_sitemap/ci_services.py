"""CI services, and how a build on each of them gets the complete history."""

import os

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


def full_history_advice() -> str:
    """Return how to get the full history on the CI service of this build: an
    instruction that fits after `Fix: `, without a full stop.
    """
    for variable, advice in CI_SERVICES.items():
        if os.environ.get(variable):
            return advice
    return "run `git fetch --unshallow` before the build"
