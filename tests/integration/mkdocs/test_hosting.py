"""The set-ups of the guide "CI and hosting", run as written with stand-ins for the
services and the generators.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import yaml
from support import sitemaps
from support.command import run
from support.origin import IndexNow, serve
from support.platforms import needs_posix
from support.readers import read_site
from support.repository import Repository, noon
from support.sitemaps import write_site

pytestmark = needs_posix

GUIDE = Path(__file__).parents[3] / "docs/guides/ci-and-hosting.md"
ADDRESS = "https://example.org/docs/"

# Copies documents as pages, like `mkdocs build`, or like `npm run build` into dist.
GENERATOR = """\
import pathlib, sys
folder = pathlib.Path("dist" if sys.argv[1] == "npm" else "site")
folder.mkdir()
for path in pathlib.Path("docs").iterdir():
    text = path.read_text()
    name = path.name.replace(".md", ".html")
    if name != path.name:
        link = f'<link rel=canonical href={sys.argv[2]}{name}>'
        text = f"<!doctype html><title>A page</title>{link}<body>{text}"
    (folder / name).write_text(text)
"""


# Saves what a server answers: `curl --fail --output FILE URL`.
CURL = """\
import pathlib, sys, urllib.request
with urllib.request.urlopen(sys.argv[4]) as answer:
    pathlib.Path(sys.argv[3]).write_bytes(answer.read())
"""


def read_examples(title: str) -> list[str]:
    """Return the blocks of code in a section of the guide."""
    text = GUIDE.read_text(encoding="utf-8")
    section = text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    return re.findall(r"```\w+\n(.*?)```", section, re.S)


@dataclass(frozen=True)
class Service:
    """A service that clones a project, builds it, and publishes the result.

    Attributes:
        project: The project. Its second commit, of today, added a page. The deployment
            before also had the page `old.html`.
        clone: The clone of the service.
        live: What is published.
        url: Its address.
        submitted: The URLs that were submitted.
    """

    project: Repository
    clone: Path
    live: Path
    url: str
    submitted: list[str]

    def fetch(self, *options: str) -> None:
        url = self.project.path.as_uri()
        self.project.git("clone", "--quiet", *options, url, str(self.clone))

    def run(self, command: str, **env: str) -> None:
        """Run a command of the guide."""
        command = command.replace(ADDRESS, self.url)
        programs = self.clone.parent / "programs"
        env["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
        run(["bash", "-e", "-c", command], cwd=self.clone, env=env)

    def publish(self, folder: str) -> None:
        shutil.rmtree(self.live)
        shutil.copytree(self.clone / folder, self.live)

    def check(self, *submitted: str) -> None:
        """Check the dates of the live site, and which pages were submitted."""
        entries = read_site(self.live, self.url)
        today = self.project.git("log", "-1", "--format=%cs").strip()
        assert entries["index.html"].lastmod == noon(1)
        assert str(entries["new.html"].lastmod).startswith(today)
        assert self.submitted == [self.url + path for path in submitted]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    live = tmp_path / "live"
    with serve(live, "/docs/") as origin:
        url = f"{origin.url}docs/"
        endpoint = IndexNow(lambda url: str(urlopen(url).read().decode()))  # noqa: S310
        origin.replies["/indexnow"] = endpoint
        module = f'exec "{sys.executable}" -m'
        options = f"--endpoint {origin.url}indexnow"
        (tmp_path / "generator.py").write_text(GENERATOR, encoding="utf-8")
        (tmp_path / "curl.py").write_text(CURL, encoding="utf-8")
        generator = f'exec "{sys.executable}" {tmp_path}/generator.py'
        programs = {
            # The live site is on this machine.
            "docs-sitemap": f'[ "$1" = submit ] && set -- "$@" {options}\n'
            '[ "$1" = check ] && set -- "$@" --ignore local-address\n'
            f'{module} docs_sitemap_cli "$@"',
            "curl": f'exec "{sys.executable}" {tmp_path}/curl.py "$@"',
            "ghp-import": f'{module} ghp_import "$@"',
            "npm": f"{generator} npm {url}",
            "pip": "",
            "mkdocs": f"{generator.removeprefix('exec ')} mkdocs {url}\n"
            f"{module} docs_sitemap_cli generate site --base-url {url}",
        }
        (tmp_path / "programs").mkdir()
        for name, script in programs.items():
            path = tmp_path / "programs" / name
            path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
            path.chmod(0o755)
        date = f"<lastmod>{noon(1)}</lastmod>"
        lines = [sitemaps.url(f"{url}{name}.html", date) for name in ("index", "old")]
        write_site(live, {"sitemap.xml": sitemaps.urlset(*lines)})
        project = Repository.create(tmp_path / "project")
        pages = {"docs/index.md": "Home", "docs/indexnow.txt": "0123456789abcdef"}
        project.commit(pages, day=1)
        project.write({"docs/new.md": "New"})
        project.git("add", "--all")
        message = ("commit", "--quiet", "--message", "Add a page")
        project.git(*message, committed=int(time.time()))
        yield Service(project, tmp_path / "clone", live, url, endpoint.urls)


def test_github_pages_with_an_artifact(service: Service) -> None:
    workflow, _ = read_examples("GitHub Actions")
    run_on_github(service, workflow, partial(service.publish, "site"))
    service.check("new.html", "old.html")


def test_github_pages_with_a_branch(service: Service) -> None:
    workflow, push = read_examples("GitHub Actions")
    command = yaml.safe_load(push)[0]["run"]
    run_on_github(service, workflow, partial(publish_branch, service, command))
    service.check("new.html", "old.html")


def run_on_github(
    service: Service, workflow: str, publish: Callable[[], object]
) -> None:
    """Clone the project, and run the other steps of a workflow."""
    checkout, *steps = yaml.safe_load(workflow)["jobs"]["deploy"]["steps"]
    assert checkout["with"]["fetch-depth"] == 0
    service.fetch()
    for step in steps:
        if "run" in step:
            service.run(step["run"])
        if "deploy-pages" in step.get("uses", ""):
            publish()


def publish_branch(service: Service, command: str) -> None:
    """Push the branch `gh-pages`, and let the server show it."""
    service.run(command)
    shutil.rmtree(service.live)
    service.project.git("worktree", "add", str(service.live), "gh-pages")


def test_gitlab_pages(service: Service) -> None:
    jobs: Any = yaml.safe_load(read_examples("GitLab CI")[0])
    assert jobs["variables"]["GIT_DEPTH"] == 0
    service.fetch()
    service.run("\n".join(jobs["pages"]["script"]))
    service.publish("public")
    for line in jobs["submit"]["script"]:
        service.run(line)
    service.check("new.html", "old.html")


def test_read_the_docs(service: Service) -> None:
    service.fetch("--depth=1")
    config: Any = yaml.safe_load(read_examples("Read the Docs")[0])
    for line in config["build"]["jobs"]["post_checkout"]:
        service.run(line)
    assert len(Repository(service.clone).git("log", "--format=%h").split()) == 2


@pytest.mark.parametrize("name", ["Netlify", "Cloudflare Pages", "Vercel"])
def test_services_that_deploy_by_themselves(service: Service, name: str) -> None:
    (example,) = read_examples(name)
    command = example
    if name == "Netlify":
        command = tomllib.loads(example)["build"]["command"]
    elif name == "Vercel":
        command = json.loads(example)["buildCommand"]
    service.fetch(*["--depth=1"] * (name == "Cloudflare Pages"))
    service.run(command)
    service.publish("dist")
    for step in yaml.safe_load(read_examples("Submit every day")[0]):
        service.run(step["run"])
    service.check("new.html")
