"""The real projects in `projects.toml`: their clones, environments, and builds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

_FOLDER = Path(__file__).parent
_ENVIRONMENTS = ".environments"
_TIMEOUT = 1800


class Project(NamedTuple):
    """A real project.

    Attributes:
        name: The name, and the folder of the clone.
        clone: The clone, at the commit in `projects.toml`.
        settings: The table in `projects.toml`.
    """

    name: str
    clone: Path
    settings: Mapping[str, Any]

    @property
    def python(self) -> Path:
        """The Python of the environment in which the documentation is built."""
        return self.clone.parent / _ENVIRONMENTS / self.name / "bin" / "python"


def find_projects(clones: Path) -> Iterator[Project]:
    """Yield the projects in `projects.toml` that have a clone in a folder."""
    tables = tomllib.loads((_FOLDER / "projects.toml").read_text())
    for name, settings in tables.items():
        clone = clones / name
        if clone.is_dir():
            yield Project(name, clone, settings)
        else:
            url = f"https://github.com/{settings['repository']}"
            print(f"no clone of {name}: git clone {url} {clone}", file=sys.stderr)


def prepare(project: Project) -> None:
    """Check out the commit, and install what the documentation needs."""
    git = ["git", "-C", str(project.clone)]
    subprocess.run([*git, "checkout", "-q", project.settings["commit"]], check=True)
    if project.python.exists():
        return
    folder = project.python.parent.parent
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    requirements: list[str] = []
    for requirement in project.settings["requirements"]:
        requirements += (
            requirement.split(" ") if requirement[0] == "-" else [requirement]
        )
    pip = [str(project.python), "-m", "pip", "install", "--quiet"]
    own = ["--editable", str(_FOLDER.parent)]
    subprocess.run([*pip, *requirements, *own], cwd=project.clone, check=True)


def build(project: Project, folder: Path) -> bool:
    """Build the documentation into a folder, with the report `report.json` and the
    pages in `pages.pickle`. Return whether there is a report.
    """
    settings = {"clone": str(project.clone), "out": str(folder / "site")}
    settings["report"] = str(folder / "report.json")
    settings["capture"] = str(folder / "pages.pickle")
    fields = ("config", "source", "drop", "settings")
    chosen = {
        name: project.settings[name] for name in fields if name in project.settings
    }
    command = [str(project.python), "-P", str(_FOLDER / "documentation.py")]
    env = dict(os.environ, PYTHONPATH=str(_FOLDER.parent))
    env["PATH"] = f"{project.python.parent}{os.pathsep}{env['PATH']}"
    with (folder / "log.txt").open("w") as log:
        subprocess.run(
            [*command, json.dumps(settings | chosen)],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            timeout=_TIMEOUT,
        )
    return (folder / "report.json").exists()
