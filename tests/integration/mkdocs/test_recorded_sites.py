"""Content records of MkDocs sites, and the workflow of the guide."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.cli import invoke
from support.mkdocs import MkDocsSite
from support.platforms import needs_posix
from support.readers import read
from support.repository import Repository, noon
from support.workflows import run_steps, yaml_blocks

PAGES = {"index.md": "# Home\n\nWelcome.", "a.md": "# A\n\n```python\nx = 1\n```\n"}
RECORD = "site/record.json"
HOOK = """\
from mkdocs.structure.files import File
def on_files(files, config):
    text = open('data.txt').read()
    files.append(File.generated(config, 'made.md', content=f'# Made\\n\\n{text}'))
"""


def make_site(project: Path, *, record: str = RECORD, **config: object) -> MkDocsSite:
    """Return a project in which a hook makes a page from a file."""
    site = MkDocsSite.create(
        project, PAGES, sitemap={"lastmod_record": record}, hooks=["hook.py"], **config
    )
    site.repository.commit({"hook.py": HOOK, "data.txt": "One."}, day=2)
    return site


def days(site: MkDocsSite) -> dict[str, str | None]:
    return {url: entry.lastmod for url, entry in site.read().items()}


MATERIAL = {
    "theme": {
        "name": "material",
        "features": ["content.action.edit", "navigation.footer"],
    },
    "repo_url": "https://example.org/repository",
    "edit_uri": "edit/main/docs/",
    "markdown_extensions": [
        {"toc": {"permalink": True}},
        "pymdownx.highlight",
        "admonition",
    ],
}


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
def test_only_changes_of_the_main_content_change_dates(
    project: Path, theme: str
) -> None:
    site = make_site(project, **(MATERIAL if theme == "material" else {"theme": theme}))
    log = site.run("build", "--strict")
    assert f"content record {project / RECORD} does not exist yet" in log
    assert days(site) == {"": noon(1), "a/": noon(1), "made/": None}
    first = (project / RECORD).read_bytes()
    # A comment, another page in the navigation, and another look.
    site.repository.commit(
        {"docs/a.md": f"<!-- x -->\n\n{PAGES['a.md']}", "docs/b.md": "# B"}, day=3
    )
    site.replace_in_config("site_name: Test", "site_name: New\nextra_css: [x.css]")
    site.repository.commit({"docs/x.css": ""}, day=4)
    site.build()
    # Nothing but the record dates the generated page: it is as old as the first build.
    unchanged = {"": noon(1), "a/": noon(1), "made/": noon(2)}
    assert days(site) == unchanged | {"b/": noon(3)}
    site.repository.commit({"data.txt": "Two."}, day=5)
    site.repository.commit({"docs/b.md": "# B\n\nText."}, day=6)
    log = site.run("build", "--strict", "--verbose")
    assert days(site) == unchanged | {"b/": noon(6), "made/": noon(6)}
    assert "4 URLs, 4 with lastmod (2 from the content record), 0" in log
    assert "made/ (made.md): 2024-01-06T10:00:00+00:00: built-commit " in log
    assert invoke("check", "--strict", "site", cwd=project).code == 0
    explain = ("explain", "--format", "json", "site", "a.md", "made.md")
    done = invoke(*explain, cwd=project)
    statuses = [
        result["pages"][0]["page"]["date_status"] for result in done.json()["results"]
    ]
    assert statuses == ["record", "built-commit"]
    assert json.loads(first)["pages"].keys() == {"", "a/", "made/"}


def test_the_same_commit_and_record_give_the_same_bytes(project: Path) -> None:
    site = make_site(project)
    site.build()
    site.repository.commit({"data.txt": "Two."}, day=5)
    earlier = (project / RECORD).read_bytes()
    results = []
    for arguments, env in (
        ((), {}),
        (("-f", str(project / "mkdocs.yml")), {"TZ": "Asia/Tokyo"}),
    ):
        (project / RECORD).write_bytes(earlier)
        site.build(*arguments, **env)
        names = (RECORD, "site/sitemap.xml", "site/sitemap.xml.gz")
        results.append([(project / name).read_bytes() for name in names])
    assert results[0] == results[1]
    site.build()
    assert [(project / name).read_bytes() for name in names] == results[0]


def test_a_build_without_a_new_record_keeps_the_earlier_one(project: Path) -> None:
    site = make_site(project)
    site.repository.commit({"data.txt": "Two."}, day=5)
    site.build()
    data = (project / RECORD).read_bytes()
    # MkDocs removes the record with the other files of the site.
    site.repository.git("checkout", "-q", "HEAD~1")
    log = site.run("build", "--strict")
    assert "which is newer than this build" in log
    assert (project / RECORD).read_bytes() == data
    site.replace_in_config("lastmod_record: ", "lastmod: false\n    lastmod_record: ")
    site.build()
    assert (project / RECORD).read_bytes() == data


def test_dirty_builds_use_the_record_but_do_not_write_it(project: Path) -> None:
    site = make_site(project)
    site.build()
    data = (project / RECORD).read_bytes()
    site.repository.commit({"docs/a.md": "# A\n\nNew."}, day=3)
    os.utime(project / "docs/a.md", (4e9, 4e9))
    site.run("build", "--dirty")
    assert days(site) == {"": noon(1), "a/": noon(3), "made/": noon(2)}
    assert (project / RECORD).read_bytes() == data


@pytest.mark.parametrize("record", ["", "record.json"])
def test_dates_in_the_future_are_not_written_and_check_agrees(
    project: Path, record: str
) -> None:
    site = make_site(project, record=record)
    site.build()
    now = int(time.time())
    for name, days_ahead in ("a", 0.9), ("b", 1.1):
        site.repository.write({f"docs/{name}.md": f"# {name}\n\nChanged."})
        site.repository.git("add", "-A")
        timestamp = now + int(days_ahead * 86_400)
        commit = "commit", "-q", "-m", name
        site.repository.git(*commit, committed=timestamp)
    site.repository.git("commit", "-q", "--allow-empty", "-m", "now", committed=now)
    for _ in range(2):
        log = site.run("build", "--strict", "--verbose")
        dates = days(site)
        assert dates["a/"] == datetime.fromtimestamp(now + 77_760, UTC).isoformat()
        # The record shows that the page changed not long ago.
        built = datetime.fromtimestamp(now, UTC).isoformat()
        assert dates["b/"] == (built if record else None)
        if not record:
            assert "b/ (b.md): no date: future-date" in log
        assert invoke("check", "--strict", "site", cwd=project).code == 0


def test_a_damaged_record_is_one_warning(project: Path) -> None:
    site = make_site(project, record="record.json")
    (project / "record.json").write_text("{")
    log = site.run("build")
    assert log.count("WARNING -  ") == 1
    assert days(site) == {"": noon(1), "a/": noon(1), "made/": None}
    assert "WARNING" not in site.run("build")


@needs_posix
def test_the_workflow_of_the_guide_keeps_dates(project: Path, tmp_path: Path) -> None:
    plugin, workflow, *_ = yaml_blocks("guides/content-record.md")
    assert plugin == {"plugins": [{"sitemap": {"lastmod_record": RECORD}}]}
    steps = workflow["jobs"]["docs"]["steps"]
    site = make_site(project)
    origin = Repository(tmp_path / "origin.git")
    site.repository.git("clone", "-q", "--bare", str(project), str(origin.path))
    site.repository.git("remote", "add", "origin", str(origin.path))

    def deploy(number: int) -> tuple[str, dict[str, str | None]]:
        """Run the workflow in a new clone, as CI services do."""
        site.repository.git("push", "-q", "origin", "main")
        clone = tmp_path / f"clone{number}"
        site.repository.git("clone", "-q", origin.path.as_uri(), str(clone))
        log = run_steps(steps, clone, tmp_path / "programs")
        sitemap = origin.git("show", "gh-pages:sitemap.xml").encode()
        prefix = "https://example.org/docs/"
        return log, {
            entry.loc.removeprefix(prefix): entry.lastmod for entry in read(sitemap)
        }

    log, dates = deploy(1)
    assert log.startswith("first build: there is no content record at gh-pages yet\n")
    assert dates == {"": noon(1), "a/": noon(1), "made/": None}
    site.repository.commit({"data.txt": "Two."}, day=3)
    log, dates = deploy(2)
    assert log.startswith(f"copied the content record of 3 pages to {RECORD}\n")
    assert dates == {"": noon(1), "a/": noon(1), "made/": noon(3)}
    site.repository.commit({"docs/a.md": PAGES["a.md"] + "\n\n", "other": ""}, day=4)
    record = origin.git("show", "gh-pages:record.json")
    assert deploy(3)[1] == dates
    again = origin.git("show", "gh-pages:record.json")
    assert json.loads(again)["pages"] == json.loads(record)["pages"]
