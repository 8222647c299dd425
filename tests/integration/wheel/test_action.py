"""The GitHub Action, run as a runner does: its steps in bash, in a clean environment."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from support.cli import invoke
from support.platforms import needs_posix
from support.repository import Repository
from support.sitemaps import page, urls, write_site
from support.sites import make_project

pytestmark = needs_posix

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Runner:
    """A machine that runs jobs."""

    temp: Path

    def run(self, command: str, folder: Path, **env: str) -> tuple[int, str, str]:
        """Run the action. Return its exit code, the log, and the summary of the job."""
        action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
        (step,) = action["runs"]["steps"]
        values = {
            "${{ inputs.command }}": command,
            "${{ inputs.working-directory }}": str(folder),
            "${{ github.action_path }}": str(ROOT),
        }
        summary = self.temp / "summary"
        summary.unlink(missing_ok=True)
        kept = ("PATH", "HOME", "LANG", "PIP_INDEX_URL", "PIP_CONFIG_FILE")
        environment = {name: os.environ[name] for name in kept if name in os.environ}
        environment |= {name: values[value] for name, value in step["env"].items()}
        environment |= {
            "GITHUB_ACTIONS": "true",
            "GITHUB_STEP_SUMMARY": str(summary),
            "RUNNER_TEMP": str(self.temp),
            "PIP_NO_COMPILE": "1",
        }
        done = subprocess.run(
            [
                "bash",
                "--noprofile",
                "--norc",
                "-e",
                "-o",
                "pipefail",
                "-c",
                step["run"],
            ],
            cwd=values[step["working-directory"]],
            env=environment | env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        text = summary.read_text(encoding="utf-8") if summary.exists() else ""
        return done.returncode, done.stdout, text


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    return Runner(tmp_path_factory.mktemp("runner"))


def test_a_site_in_a_shallow_clone_has_exact_dates(
    runner: Runner, tmp_path: Path
) -> None:
    project = make_project(tmp_path / "origin", "vitepress")
    origin = Repository(project.path)
    clone = tmp_path / "clone"
    origin.git("clone", "--quiet", "--depth=1", project.path.as_uri(), str(clone))
    site = project.site.relative_to(project.path)
    shutil.copytree(project.site, clone / site, dirs_exist_ok=True)
    command = f"generate --base-url '{project.base_url}' {site}"
    code, log, summary = runner.run(command, clone)
    assert code == 0, log
    assert "14 pages listed, 12 dated" in summary
    assert Repository(clone).git("rev-parse", "--is-shallow-repository") == "false\n"
    sitemap = (clone / site / "sitemap.xml").read_text(encoding="utf-8")
    assert f"<lastmod>{project.lastmod('index.html')}</lastmod>" in sitemap


def test_a_checked_site_has_annotations(runner: Runner, tmp_path: Path) -> None:
    write_site(tmp_path / "a site", {"sitemap.xml": urls("", "b/"), "b/x.html": page()})
    code, log, summary = runner.run("check 'a site'", tmp_path)
    assert code == 1
    assert (
        "::error file=a site/sitemap.xml,line=3,title=docs-sitemap not-found::" in log
    )
    assert "::" not in summary
    assert "2 errors, 1 warning in 1 sitemap, 2 URLs" in summary
    code, log, _ = runner.run("check none", tmp_path)
    assert code == 2
    assert "::error title=docs-sitemap::Invalid value" in log


def test_compared_sites_have_a_summary(runner: Runner, tmp_path: Path) -> None:
    for name, paths in {"before": ["a/", "b/"], "after": ["a/"]}.items():
        write_site(tmp_path / name, {"sitemap.xml": urls(*paths)})
    command = "compare --fail-on-removed before after"
    code, _, summary = runner.run(command, tmp_path)
    assert code == 1
    assert summary.startswith("**Sitemap:** 2 URLs before, 1 after\n\n- 1 removed, and")
    code, log, summary = runner.run("compare --format json before after", tmp_path)
    assert (code, '"urls_before": 2' in log, "<pre>" in summary) == (0, True, True)


def test_no_url_is_markup_of_the_summary_or_a_command(
    runner: Runner, tmp_path: Path
) -> None:
    hostile = "a&#10;::error::b&#10;&#10;~~~~~~~~~~&#10;&lt;/pre>&lt;h1>c"
    write_site(tmp_path / "site", {"sitemap.xml": urls(hostile)})
    _, log, summary = runner.run("check --format text site", tmp_path)
    assert "::error::b" in log
    assert not any(line.startswith("::error::b") for line in log.splitlines())
    assert summary.startswith("<pre>\n")
    assert "~~~~~~~~~~" in summary
    assert summary.count("<") == 2
    assert summary.endswith("</pre>\n")


def test_a_runner_without_python_is_told_what_to_add(tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("bash", "git", "sed", "tee", "cat"):
        (programs / name).symlink_to(str(shutil.which(name)))
    code, log, _ = Runner(tmp_path).run("check x", tmp_path, PATH=str(programs))
    assert code == 1
    assert log.startswith("::error::docs-sitemap needs Python 3.11 or newer. Fix: ")


def test_the_hook_of_pre_commit_runs_check(tmp_path: Path) -> None:
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    (hook,) = yaml.safe_load(hooks)
    assert (hook["language"], hook["pass_filenames"]) == ("python", False)
    program, command = hook["entry"].split()
    assert program == "docs-sitemap"
    site = write_site(tmp_path / "site", {"sitemap.xml": urls("gone/")})
    assert invoke(command, site).code == 1
