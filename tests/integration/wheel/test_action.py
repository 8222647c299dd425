"""The GitHub Action, run as a runner does: its steps in bash, in a clean environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.cli import invoke
from support.platforms import needs_posix
from support.repository import Repository
from support.sitemaps import BASE, index, page, url, urls, urlset, write_site
from support.sites import make_project

pytestmark = needs_posix

ROOT = Path(__file__).parents[3]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Runner:
    """A machine that runs jobs."""

    temp: Path

    def run(self, command: str, folder: Path, **env: str) -> tuple[int, str, str]:
        """Run the action. Return its exit code, the log, and the summary of the job."""
        for file in (self.temp / "summary", self.temp / "output"):
            file.unlink(missing_ok=True)
        inputs = {"command": command, "working-directory": str(folder), "version": ""}
        first, python, cache, last = ACTION["runs"]["steps"]
        self._run_step(first, inputs, env)
        assert ("key=" in self._read("output")) != (self.temp / "docs-sitemap").exists()
        for step in (python, cache):
            assert step["if"] == "steps.installation.outputs.key != ''"
        code, log = self._run_step(last, inputs, env)
        return code, log, self._read("summary")

    def outputs(self) -> dict[str, str]:
        """Return the outputs of the last run."""
        pairs = [line.split("=", 1) for line in self._read("output").splitlines()]
        assert len(dict(pairs)) == len(pairs)
        values = {"steps.run.outputs." + name: value for name, value in pairs}
        outputs = {}
        for name, output in ACTION["outputs"].items():
            value = output["value"].removeprefix("${{ ").removesuffix(" }}")
            outputs[name] = values.get(value, "")
        return outputs

    def _read(self, name: str) -> str:
        path = self.temp / name
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def _run_step(
        self, step: dict[str, Any], inputs: dict[str, str], env: dict[str, str]
    ) -> tuple[int, str]:
        """Run a step. Return its exit code and the log."""
        values = {f"${{{{ inputs.{name} }}}}": text for name, text in inputs.items()}
        values["${{ github.action_path }}"] = str(ROOT)
        values["${{ steps.python.outputs.python-path }}"] = sys.executable
        values["${{ runner.temp }}/docs-sitemap-pip"] = str(self.temp / "pip")
        kept = ("PATH", "HOME", "LANG", "PIP_INDEX_URL", "PIP_CONFIG_FILE")
        environment = {name: os.environ[name] for name in kept if name in os.environ}
        environment |= {name: values[value] for name, value in step["env"].items()}
        environment |= {
            "GITHUB_ACTIONS": "true",
            "GITHUB_STEP_SUMMARY": str(self.temp / "summary"),
            "GITHUB_OUTPUT": str(self.temp / "output"),
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
            cwd=values.get(step.get("working-directory", ""), ROOT),
            env=environment | env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        return done.returncode, done.stdout


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
    assert "12 dated" in summary
    sitemap = os.path.join(site, "sitemap.xml")
    outputs = {"sitemap": sitemap, "pages": "14", "dated": "12", "exit-code": "0"}
    assert runner.outputs() == outputs
    assert Repository(clone).git("rev-parse", "--is-shallow-repository") == "false\n"
    sitemap = (clone / site / "sitemap.xml").read_text(encoding="utf-8")
    assert f"<lastmod>{project.lastmod('index.html')}</lastmod>" in sitemap


def test_the_workflow_dates_all_pages_of_zensical(
    runner: Runner, tmp_path: Path
) -> None:
    """Run the steps of the job `action` in `ci.yml`, in a repository of its own."""
    pytest.importorskip("zensical")
    file = ROOT / ".github/workflows/ci.yml"
    job = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"]["action"]
    folder = tmp_path / job["defaults"]["run"]["working-directory"]
    project = make_project(folder.parent, "zensical")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = []
    for step in job["steps"]:
        if step.get("uses") == "./":
            inputs = step["with"]
            code, log, _ = runner.run(
                inputs["command"], tmp_path / inputs["working-directory"]
            )
            assert code == 0, log
            done.append(inputs["command"].split()[0])
        elif step.get("run", "").startswith("zensical"):
            subprocess.run(
                step["run"].split(),
                cwd=folder,
                env=os.environ | {"PATH": path},
                check=True,
            )
    assert done == ["generate", "check"]
    sitemap = (project.site / "sitemap.xml").read_text(encoding="utf-8")
    assert f"<lastmod>{project.lastmod('guide/usage/index.html')}<" in sitemap


def test_a_failed_fetch_does_not_show_the_token_of_the_remote(
    runner: Runner, tmp_path: Path
) -> None:
    origin = Repository.create(tmp_path / "origin")
    origin.git("commit", "--quiet", "--allow-empty", "--message=one")
    origin.git("commit", "--quiet", "--allow-empty", "--message=two")
    clone = tmp_path / "clone"
    origin.git("clone", "--quiet", "--depth=1", origin.path.as_uri(), str(clone))
    remote = "http://user:x@s3cr3t@127.0.0.1:1/a/b.git?private_token=s3cr3t"
    Repository(clone).git("config", "remote.origin.url", remote)
    write_site(clone / "site", {"sitemap.xml": urls("a/"), "a/index.html": page()})
    _, log, summary = runner.run("check site", clone)
    assert "::warning::The history" in log
    assert "in 1 sitemap" in summary
    assert "s3cr3t" not in log + summary


def test_a_checked_site_has_annotations(runner: Runner, tmp_path: Path) -> None:
    write_site(tmp_path / "a site", {"sitemap.xml": urls("", "b/"), "b/x.html": page()})
    code, log, summary = runner.run("check 'a site'", tmp_path)
    assert code == 1
    assert (
        "::error file=a site/sitemap.xml,line=3,title=docs-sitemap not-found::" in log
    )
    assert "::" not in summary
    assert "\n2 errors" in summary
    code, log, _ = runner.run("check none", tmp_path)
    assert code == 2
    assert "::error title=docs-sitemap::none does not exist" in log


def test_the_outputs_are_those_of_the_site(runner: Runner, tmp_path: Path) -> None:
    one = urlset(url(f"{BASE}a/", "<lastmod>2024-01-01</lastmod>"))
    names = ["1.xml", "2.xml"]
    files = {"sitemap.xml": index(*(f"{BASE}{name}" for name in names)), "1.xml": one}
    write_site(tmp_path / "a  b", files | {"2.xml": urls("b/", "c/")})
    counts = {"pages": "3", "dated": "1"}
    for command, sitemap in (
        ("check 'a  b'", "a  b/sitemap.xml"),
        ("check 'a  b/sitemap.xml'", "a  b/sitemap.xml"),
        ("compare 'a  b/1.xml' 'a  b'", "a  b/sitemap.xml"),
    ):
        code, _, _ = runner.run(command, tmp_path)
        assert runner.outputs() == {
            "sitemap": sitemap,
            "exit-code": str(code),
            **counts,
        }
    nothing = dict.fromkeys(("sitemap", "pages", "dated"), "")
    for command in ("--version", "check none", "index gh-pages --base-url x", "x y"):
        code, log, _ = runner.run(command, tmp_path)
        assert "Traceback" not in log
        assert runner.outputs() == {**nothing, "exit-code": str(code)}


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("check 'a", "a quotation mark or backslash has no counterpart. Fix: close"),
        ("check a\\", "a quotation mark or backslash has no counterpart. Fix: close"),
        (
            "check 'a\n::error::b'",
            "an argument in quotation marks contains a line break",
        ),
        (" \n", "it is empty. Fix: write a command"),
    ],
)
def test_a_command_that_cannot_be_read_is_one_clear_line(
    runner: Runner, tmp_path: Path, command: str, fault: str
) -> None:
    code, log, _ = runner.run(command, tmp_path)
    assert code == 2
    prefix = "::error title=docs-sitemap::the input command: "
    assert log.startswith(f"{prefix}{fault}")
    assert log.count("\n") == 1
    assert runner.outputs()["exit-code"] == "2"


def test_lines_of_a_block_are_one_command(runner: Runner, tmp_path: Path) -> None:
    write_site(tmp_path / "site", {"sitemap.xml": urls("a/"), "a/index.html": page()})
    code, _, summary = runner.run("check\n  --ignore missing\n  site\n", tmp_path)
    assert (code, "in 1 sitemap" in summary) == (0, True)


def test_compared_sites_have_a_summary(runner: Runner, tmp_path: Path) -> None:
    for name, paths in {"before": ["a/", "b/"], "after": ["a/"]}.items():
        write_site(tmp_path / name, {"sitemap.xml": urls(*paths)})
    command = "compare --fail-on-removed before after"
    code, _, summary = runner.run(command, tmp_path)
    assert code == 1
    assert summary.startswith("**Sitemap:** 2 URLs")
    assert "\n\n- 1 removed" in summary
    code, log, summary = runner.run("compare --format json before after", tmp_path)
    assert (code, '"urls_before": 2' in log, "<pre>" in summary) == (0, True, True)
    code, _, summary = runner.run("compare -f markdown before after", tmp_path)
    assert (code, summary.partition(" ")[0]) == (0, "**Sitemap:**")
    code, log, summary = runner.run("compare -f json before after", tmp_path)
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
    runner = Runner(tmp_path)
    code, log, _ = runner.run("check x", tmp_path, PATH=str(programs), PYTHON="")
    assert code == 1
    assert "\n::error::docs-sitemap needs Python" in log


def test_the_hook_of_pre_commit_runs_check(tmp_path: Path) -> None:
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    (hook,) = yaml.safe_load(hooks)
    assert (hook["language"], hook["pass_filenames"]) == ("python", False)
    program, command = hook["entry"].split()
    assert program == "docs-sitemap"
    site = write_site(tmp_path / "site", {"sitemap.xml": urls("gone/")})
    assert invoke(command, site).code == 1
