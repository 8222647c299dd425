"""How to get the full history on each CI service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class CIService(NamedTuple):
    """A service that builds sites.

    Attributes:
        name: The name of the service.
        variable: The environment variable that the service sets in every build.
        fix: How to get the full history: an instruction without a full stop.
    """

    name: str
    variable: str
    fix: str


CI_SERVICES = (
    CIService(
        "GitHub Actions",
        "GITHUB_ACTIONS",
        "add `with: {fetch-depth: 0}` to the step `uses: actions/checkout` of the workflow",
    ),
    CIService(
        "GitLab CI", "GITLAB_CI", "add `variables: {GIT_DEPTH: 0}` to the job in .gitlab-ci.yml"
    ),
    CIService(
        "Read the Docs",
        "READTHEDOCS",
        "run `git fetch --unshallow || true` first: in .readthedocs.yaml, add it to `build: jobs: "
        "post_checkout` or, if you have `build: commands`, as the first command",
    ),
    CIService(
        "Netlify",
        "NETLIFY",
        "put `(git fetch --unshallow || true) &&` before the build command in netlify.toml",
    ),
    CIService(
        "Cloudflare Pages",
        "CF_PAGES",
        "put `(git fetch --unshallow || true) &&` before the build command in the project's "
        "settings",
    ),
    CIService(
        "Vercel",
        "VERCEL",
        "set the environment variable `VERCEL_DEEP_CLONE=true` in the project's settings",
    ),
    CIService(
        "Bitbucket Pipelines",
        "BITBUCKET_BUILD_NUMBER",
        "add `clone: {depth: full}` to bitbucket-pipelines.yml",
    ),
    CIService(
        "Azure Pipelines",
        "TF_BUILD",
        "add `fetchDepth: 0` to the step `checkout: self` in azure-pipelines.yml",
    ),
)


def full_history_advice(environ: Mapping[str, str]) -> str:
    """Return how to get the full history on the CI service of this build.

    Args:
        environ: The environment variables of the build.

    Returns:
        An instruction that fits after `Fix: `, without a full stop.
    """
    for service in CI_SERVICES:
        if environ.get(service.variable):
            return f"on {service.name}, {service.fix}"
    return "run `git fetch --unshallow` before the build"
