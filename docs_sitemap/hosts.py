"""How to get the whole history on the service that builds the site."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Host(NamedTuple):
    """A service that builds sites.

    Attributes:
        name: what it is called.
        variable: the environment variable by which it is known.
        cure: what makes it fetch the whole history, as part of a sentence.
    """

    name: str
    variable: str
    cure: str


HOSTS = (
    Host(
        "GitHub Actions",
        "GITHUB_ACTIONS",
        "add `with: {fetch-depth: 0}` to the step `uses: actions/checkout` of the workflow",
    ),
    Host("GitLab CI", "GITLAB_CI", "add `variables: {GIT_DEPTH: 0}` to the job in .gitlab-ci.yml"),
    Host(
        "Read the Docs",
        "READTHEDOCS",
        "add `build: {jobs: {post_checkout: [git fetch --unshallow || true]}}` to "
        ".readthedocs.yaml",
    ),
    Host(
        "Netlify",
        "NETLIFY",
        "put `(git fetch --unshallow || true) &&` before the build command in netlify.toml",
    ),
    Host(
        "Cloudflare Pages",
        "CF_PAGES",
        "put `(git fetch --unshallow || true) &&` before the build command in the project's "
        "settings",
    ),
    Host(
        "Vercel",
        "VERCEL",
        "set the environment variable `VERCEL_DEEP_CLONE=true` in the project's settings",
    ),
    Host(
        "Bitbucket Pipelines",
        "BITBUCKET_BUILD_NUMBER",
        "add `clone: {depth: full}` to bitbucket-pipelines.yml",
    ),
    Host(
        "Azure Pipelines",
        "TF_BUILD",
        "add `fetchDepth: 0` to the step `checkout: self` in azure-pipelines.yml",
    ),
)


def full_history(environ: Mapping[str, str]) -> str:
    """Return what to do, as a sentence that fits the service at hand."""
    for host in HOSTS:
        if environ.get(host.variable):
            return f"to fetch the whole history on {host.name}, {host.cure}"
    return "fetch the whole history before the build: git fetch --unshallow"
