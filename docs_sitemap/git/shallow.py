"""Shallow clones: fetch their missing history, or explain how to get it on each CI service."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from docs_sitemap.files import replace_files
from docs_sitemap.git.repository import read_if_exists
from docs_sitemap.git.run import Git, GitError

# In seconds. A quiet fetch prints nothing until it ends.
_TIMEOUT = 600.0

# Fetch only from the remote, and run no program that its URL names.
_REMOTE_CONFIG = ("-c", "protocol.ext.allow=never", "-c", "fetch.bundleURI=")

# The name of an object, and the ref that leads to it. Other refs could be read as refspecs.
_REF = re.compile(rb"([0-9a-f]+)\t(HEAD|refs/[^\0-\x20\x7f:?*\[\\^~]+)(?:\^\{\})?")


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


def fetch_full_history(git: Git, head: str, boundary: Collection[str]) -> None:
    """Fetch the missing commits and folders of a shallow clone, but not the content of files.

    No ref is created, changed, or deleted. If the fetch fails, the repository is unchanged.

    Args:
        git: Git in a folder of the repository.
        head: The hash of the commit whose history is needed.
        boundary: The hashes of the commits in this history whose parents are missing.

    Raises:
        GitError: There is no remote, or the fetch failed.
        OSError: The configuration of the repository cannot be read or restored.
    """
    remote = _remote(git)
    config, shallow = (_git_path(git, name) for name in ("config", "shallow"))
    old_config, old_shallow = read_if_exists(config), read_if_exists(shallow)
    online = replace(git, timeout=_TIMEOUT, network=True)
    options = ["--unshallow", "--filter=blob:none", "--no-tags", "--no-auto-maintenance"]
    options += ["--no-recurse-submodules", "--quiet", "--no-write-fetch-head", "--stdin"]
    # The refspecs and the pruning that the user has configured would change refs.
    options += ["--refmap=", "--no-prune", "--no-prune-tags"]
    fetch = [*_REMOTE_CONFIG, "fetch", *options, "--upload-pack=git-upload-pack", "--", remote]
    try:
        try:
            online.output(fetch, stdin="\n".join(sorted(boundary)).encode())
        except GitError:
            # Some servers do not allow fetching commits by hash.
            online.output(fetch, stdin=b"\n".join(_refs_with_history(online, remote, head)))
    except BaseException:
        # Because of the filter, git has declared the remote a promisor of missing objects. Undo
        # that, unless another process has fetched the history or is fetching it.
        is_fetching = shallow.with_name("shallow.lock").exists()
        if (
            read_if_exists(config) != old_config
            and read_if_exists(shallow) == old_shallow
            and not is_fetching
        ):
            _restore(config, old_config)
        raise


def _restore(config: Path, content: bytes) -> None:
    """Replace the configuration, with the lock of git: no change by another process is lost."""
    lock = config.with_name(f"{config.name}.lock")
    try:
        lock.touch(exist_ok=False)
    except FileExistsError:  # Another process is writing the configuration.
        return
    try:
        replace_files({config: content})
    finally:
        lock.unlink()


def _remote(git: Git) -> str:
    names = os.fsdecode(git.output(["remote"])).split("\n")[:-1]
    if not names:
        raise GitError("the repository has no remote")
    return "origin" if "origin" in names else names[0]


def _refs_with_history(online: Git, remote: str, head: str) -> list[bytes]:
    """Return refs of the remote whose history contains a commit: one that leads to this commit if
    there is one, otherwise all branches.
    """
    arguments = [*_REMOTE_CONFIG, "ls-remote", "--quiet", "--upload-pack=git-upload-pack"]
    lines = online.output([*arguments, "--", remote]).split(b"\n")
    refs = [match.groups() for match in map(_REF.fullmatch, lines) if match]
    for name, ref in refs:
        if name == head.encode():
            return [ref]
    branches = [ref for _, ref in refs if ref == b"HEAD" or ref.startswith(b"refs/heads/")]
    if not branches:  # Without refspecs, git would use those of the configuration.
        raise GitError("the remote has no branches")
    return branches


def _git_path(git: Git, name: str) -> Path:
    line = git.output(["rev-parse", "--git-path", name])
    return Path(os.path.realpath(os.path.join(git.folder, os.fsdecode(line.removesuffix(b"\n")))))


def full_history_advice() -> str:
    """Return how to get the full history on the CI service of this build: an instruction that fits
    after `Fix: `, without a full stop.
    """
    for service in CI_SERVICES:
        if os.environ.get(service.variable):
            return f"on {service.name}, {service.fix}"
    return "run `git fetch --unshallow` before the build"
