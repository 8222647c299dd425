"""Content records of Sphinx sites, and the workflow of the guide."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from support.cli import invoke
from support.platforms import needs_posix
from support.repository import Repository
from support.sphinx import SphinxSite, days, document
from support.workflows import run_steps, yaml_blocks

MODULE = '"""A module."""\n\ndef load(path):\n    """Load a file."""\n    return open(path)\n'
GENERATE = """
def generate(app):
    import pathlib
    text = pathlib.Path(app.confdir, "../data.txt").read_text()
    pathlib.Path(app.srcdir, "made.rst").write_text("Made\\n====\\n\\n" + text)

def setup(app):
    app.connect("builder-inited", generate)
"""
PAGES = {
    "index.rst": document("Home", toctree=("api", "made")),
    "api.rst": document("API") + "\n.. automodule:: module\n   :members:\n",
    "../src/module.py": MODULE,
    "../data.txt": "One.\n",
}


def make_site(project: Path, **config: Any) -> SphinxSite:
    """Return a project in which `conf.py` makes a document that git ignores."""
    values = {"sitemap_lastmod_record": "../record.json"} | config
    extensions = ["sphinx.ext.autodoc", "sphinx.ext.viewcode"]
    site = SphinxSite.create(project, PAGES, extensions=extensions, **values)
    site.import_from("src")
    site.extend_configuration(GENERATE)
    ignored = "/out/\n/site/\n/record.json\n/docs/made.rst\n__pycache__/\n/.doctrees/\n"
    site.repository.commit({".gitignore": ignored}, day=1)
    return site


@pytest.mark.parametrize("theme", ["alabaster", "classic", "furo"])
def test_only_changes_of_the_main_content_change_dates(
    project: Path, theme: str
) -> None:
    config = {"html_theme": theme, "html_last_updated_fmt": "%c", "html_title": "Old"}
    site = make_site(project, **config)
    assert days(site.build("dirhtml")) == {"": 1, "api/": 1, "made/": None}
    hidden = MODULE.replace(
        "return open(path)", "# Open it.\n    return open(path, 'r')"
    )
    hidden = hidden.replace("\n\ndef", "\n\nimport os\n\ndef")
    site.repository.commit({"src/module.py": hidden, "other": ""}, day=3)
    site.build("dirhtml", overrides={"html_title": "New"}, force_all=True)
    # Nothing but the record dates the generated page: it is as old as the first build.
    assert days(site.read("dirhtml")) == {"": 1, "api/": 1, "made/": 1}
    site.repository.commit({"data.txt": "Two.\n"}, day=4)
    site.repository.commit(
        {"src/module.py": hidden.replace("(path)", "(path, x=1)", 1)}, day=5
    )
    site.repository.commit({"other": "2"}, day=6)
    assert days(site.build("dirhtml")) == {"": 1, "api/": 5, "made/": 6}
    # Another build of the same commit.
    data = (project / "record.json").read_bytes()
    assert days(site.build("dirhtml", force_all=True)) == {"": 1, "api/": 5, "made/": 6}
    assert (project / "record.json").read_bytes() == data


@pytest.mark.parametrize("record", [None, "../record.json"])
def test_dates_in_the_future_are_not_written_and_check_agrees(
    project: Path, record: str | None
) -> None:
    site = make_site(project, sitemap_lastmod_record=record)
    site.build("dirhtml")
    site.repository.write({"docs/index.rst": document("New", toctree=("api", "made"))})
    site.repository.git("add", "-A")
    now = int(time.time())
    site.repository.git("commit", "-q", "-m", "clock", committed=now + 95_040)
    site.repository.git("commit", "-q", "--allow-empty", "-m", "now", committed=now)
    statuses = ["built-commit", "record"]
    for _ in range(2):
        site.log("dirhtml", force_all=True)
        # The record shows that the page changed not long ago.
        built = datetime.fromtimestamp(now, UTC).isoformat()
        assert site.read("dirhtml")[""].lastmod == (built if record else None)
        out = str(site.out("dirhtml"))
        explain = invoke("explain", "--format", "json", out, "index.rst", cwd=project)
        (result,) = explain.json()["results"]
        status = result["pages"][0]["page"]["date_status"]
        assert status == ("future-date" if record is None else statuses.pop(0))
        assert invoke("check", "--strict", out, cwd=project).code == 0


def test_builders_have_the_same_digests_of_pages_without_links(project: Path) -> None:
    digests = []
    for builder, url in ("html", "made.html"), ("dirhtml", "made/"):
        site = make_site(project / builder, sitemap_lastmod_record="../record.json")
        site.build(builder)
        record = json.loads((project / builder / "record.json").read_bytes())
        digests.append(record["pages"][url]["digest"])
    assert digests[0] == digests[1]


def test_languages_need_their_own_records(project: Path) -> None:
    site = make_site(project, html_baseurl="https://example.org/docs/en/")
    assert not site.log().warnings
    data = (project / "record.json").read_bytes()
    log = site.log(
        overrides={"language": "de", "html_baseurl": "https://example.org/docs/de/"}
    )
    assert not log.warnings
    assert "it is for a site at /docs/en/, and this site is at /docs/de/" in log.status
    assert "sitemap_lastmod_record" in log.status
    assert (project / "record.json").read_bytes() == data


def test_warnings_have_a_type(project: Path) -> None:
    site = make_site(project)
    (project / "record.json").write_text("[]")
    assert site.log().number_of_warnings == 1
    (project / "record.json").write_text("[]")
    assert not site.log(overrides={"suppress_warnings": ["sitemap.record"]}).warnings


@needs_posix
@pytest.mark.parametrize("option", ["sitemap_lastmod_record", "sitemap_report"])
def test_a_committed_link_does_not_lead_out_of_the_repository(
    project: Path, tmp_path: Path, option: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    leftover = outside / f".docs-sitemap-{'0' * 16}.tmp"
    leftover.touch()
    site = make_site(project, **{option: "../rec/a.json"})
    (project / "rec").symlink_to(outside)
    site.repository.commit({}, day=2)
    log = site.log()
    assert log.number_of_warnings == 1
    assert (
        "rec/a.json (its folder is a symbolic link to a place outside the"
        in log.warnings
    )
    assert [*outside.iterdir()] == [leftover]
    # Paths that the configuration itself puts outside are written.
    site.log(overrides={option: str(outside / "a.json")})
    assert {path.name for path in outside.iterdir()} == {"a.json"}


@needs_posix
def test_the_workflow_of_the_guide_keeps_dates(project: Path, tmp_path: Path) -> None:
    pytest.importorskip("ghp_import")
    steps = yaml_blocks("guides/content-record.md")[2]
    site = make_site(project, sitemap_lastmod_record="../site/record.json")
    # `conf.py` of the other tests contains the path of the project.
    config = project / "docs/conf.py"
    config.write_text(config.read_text().replace(repr(str(project / "src")), "'src'"))
    site.repository.commit({}, day=1)
    origin = Repository(tmp_path / "origin.git")
    site.repository.git("clone", "-q", "--bare", str(project), str(origin.path))
    site.repository.git("remote", "add", "origin", str(origin.path))
    first = "2024-01-01T10:00:00Z"
    expected = {"index.html": first, "api.html": first, "made.html": None}
    for number, text in enumerate(("One.\n", "Two.\n"), start=2):
        site.repository.commit({"data.txt": text}, day=number)
        site.repository.git("push", "-q", "origin", "main")
        clone = tmp_path / f"clone{number}"
        site.repository.git("clone", "-q", origin.path.as_uri(), str(clone))
        run_steps(steps, clone, tmp_path / "programs")
        pages = json.loads(origin.git("show", "gh-pages:record.json"))["pages"]
        assert {url: page["lastmod"] for url, page in pages.items()} == expected
        expected["made.html"] = "2024-01-03T10:00:00Z"
