"""A page has the date of its newest source: what Sphinx records, and what a user names."""

from __future__ import annotations

import subprocess
import sys
import time
import venv
from pathlib import Path

from support.cli import invoke
from support.command import run
from support.platforms import needs_posix
from support.readers import read_site
from support.repository import Repository
from support.sphinx import BASE_URL, SphinxSite, days, document

PNG = "The HTML builders do not read images."


def test_a_commit_after_a_build_is_seen_by_the_next_build(project: Path) -> None:
    site = SphinxSite.create(project, {"index.rst": document("Home")})
    site.repository.write({"docs/index.rst": document("Home, edited")})
    assert days(site.build()) == {"index": 1}
    site.repository.commit({}, day=5)
    assert days(site.build()) == {"index": 5}


def test_other_notations_date_no_page(project: Path) -> None:
    title = "Home\n====\n\n"
    pages = {
        "index.rst": f"{title}* A\n",
        "link.rst": f"{title}link_\n\n.. _link:\n   https://a.example\n",
        "note.md": "# Note\n\n:::{note}\n* Text.\n:::\n",
        "meta.md": "---\nhtml_meta: {description: A}\n---\n# Meta\n",
    }
    site = SphinxSite.create(
        project,
        pages,
        extensions=["myst_parser"],
        myst_enable_extensions=["colon_fence"],
        suppress_warnings=["toc.not_included"],
    )
    changed = {
        "docs/index.rst": f"{title}- A\n",
        "docs/link.rst": f"{title}link_\n\n.. _link: https://a.example\n",
        "docs/note.md": "# Note\n\n:::{note}\n- Text.\n:::\n",
        "docs/meta.md": "---\nmyst: {html_meta: {description: A}}\n---\n# Meta\n",
    }
    site.repository.commit(changed, day=2)
    assert set(days(site.build()).values()) == {1}
    for path, content in changed.items():
        changed[path] = content.replace("a.example", "b.example")
    changed["docs/note.md"] = changed["docs/note.md"].replace("Text", "A text")
    changed["docs/index.rst"] = changed["docs/index.rst"].replace("- A", "- B")
    changed["docs/meta.md"] = changed["docs/meta.md"].replace(": A", ": B")
    site.repository.commit(changed, day=3)
    assert set(days(site.build()).values()) == {3}


def test_dates_that_authors_set(project: Path) -> None:
    pages = {
        "index.rst": document("Home", fields=":updated: 2020-01-02"),
        "myst.md": "---\nlast_update: {date: 2020-01-03}\n---\n# Nested\n",
        "invalid.md": "---\nupdated: yesterday\n---\n# Invalid\n",
    }
    site = SphinxSite.create(
        project,
        pages,
        extensions=["myst_parser"],
        sitemap_lastmod_fields=["updated", "last_update.date"],
    )
    log = site.log()
    assert "'yesterday'" in log.warnings
    dates = {name: entry.lastmod for name, entry in site.read().items()}
    assert dates == {
        "index.html": "2020-01-02",
        "invalid.html": "2024-01-01T10:00:00+00:00",
        "myst.html": "2020-01-03",
    }


def test_included_shown_and_documented_files_are_sources(project: Path) -> None:
    pages = {
        "index.rst": document(
            "Home", toctree=("part", "code", "picture", "api", "file", "plain")
        ),
        "part.rst": document("Part") + "\n.. include:: /shared/outer.txt\n",
        "shared/outer.txt": "Outer.\n\n.. include:: /shared/inner.txt\n",
        "shared/inner.txt": "Inner.\n",
        "code.rst": document("Code") + "\n.. literalinclude:: ../src/program.py\n",
        "picture.rst": document("Picture") + "\n.. image:: a.png\n",
        "a.png": PNG,
        "api.rst": document("API") + "\n.. automodule:: module\n   :members:\n",
        "file.rst": document("File") + "\n:download:`a.csv`\n",
        "a.csv": "1",
        "plain.rst": document("Plain"),
        "../src/program.py": "print(1)\n",
        "../src/module.py": '"""Documented."""\n',
    }
    site = SphinxSite.create(
        project, pages, extensions=["sphinx.ext.autodoc"], exclude_patterns=["shared"]
    )
    # The path of a module that is found by a relative entry of `sys.path` is recorded,
    # too.
    site.extend_configuration("sys.path.insert(0, '../src')\n")
    site.import_from("src")
    site.repository.commit({}, day=2)
    changes = (
        "shared/inner.txt",
        "../src/program.py",
        "a.png",
        "../src/module.py",
        "a.csv",
    )
    for day, name in enumerate(changes, start=3):
        path = project / "docs" / name
        path.write_text(
            path.read_text().replace("Documented", "Described") + "# More.\n"
        )
        site.repository.commit({}, day=day)
    expected = {
        "index": 1,
        "part": 3,
        "code": 4,
        "picture": 5,
        "api": 6,
        "file": 7,
        "plain": 1,
    }
    assert days(site.build()) == expected
    assert days(site.build()) == expected, "also if nothing is read again"
    disabled = site.build("dirhtml", overrides={"sitemap_ignore_dependencies": "../**"})
    assert set(days(disabled).values()) == {1}


def test_stubs_from_autosummary_have_the_date_of_their_module(project: Path) -> None:
    pages = {
        "index.rst": document("Home")
        + "\n.. autosummary::\n   :toctree: api\n\n   module\n",
        "../src/module.py": '"""Documented."""\n',
    }
    extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary"]
    site = SphinxSite.create(project, pages, extensions=extensions)
    site.import_from("src")
    site.repository.commit({".gitignore": "/out/\n/docs/api/\n__pycache__/\n"}, day=2)
    site.repository.commit({"src/module.py": '"""New."""\n'}, day=6)
    # Another document can have the name of a module, and is not generated from it.
    notes = ":orphan:\n\n.. automodule:: module\n   :no-index:\n"
    site.repository.write({"docs/notes/module.rst": notes})
    expected = {"index": 6, "api/module": 6, "notes/module": None}
    assert days(site.build()) == expected
    site.repository.git("add", "--force", "docs/api")
    site.repository.commit({}, day=8)
    assert days(site.build())["api/module"] == 8


def test_sources_below_the_output_folder_count(project: Path) -> None:
    page = document("Home") + "\n.. include:: part.txt\n"
    site = SphinxSite.create(project, {"index.rst": page, "part.txt": "1"})
    site.repository.commit({"docs/part.txt": "2"}, day=4)
    run([sys.executable, "-m", "sphinx", "-q", "-W", "docs", "."], cwd=project)
    assert days(read_site(project, BASE_URL)) == {"index": 4}


def test_files_that_the_build_makes_do_not_count(project: Path) -> None:
    page = (
        document("Home")
        + "\n.. image:: ../out/plots/a.png\n\n.. include:: ../out/x.txt\n"
    )
    site = SphinxSite.create(project, {"index.rst": page})
    site.repository.write({"out/plots/a.png": PNG, "out/x.txt": "x"})
    assert days(site.build()) == {"index": 1}


def test_a_dependency_that_changes_between_builds(project: Path) -> None:
    pages = {
        "index.rst": document("Home") + "\n.. include:: part.txt\n",
        "part.txt": "1\n",
    }
    site = SphinxSite.create(project, pages)
    assert days(site.build()) == {"index": 1}
    site.repository.commit({"docs/part.txt": "2\n"}, day=4)
    assert days(site.build()) == {"index": 4}


@needs_posix
def test_installed_packages_do_not_count_except_the_project_itself(
    project: Path, tmp_path: Path
) -> None:
    pages = {
        "index.rst": document("Home", toctree=("own", "other")),
        "own.rst": document("Own") + "\n.. automodule:: own_package\n",
        "other.rst": document("Other") + "\n.. automodule:: json\n",
        "../python/own_package/__init__.py": '"""First."""\n',
    }
    site = SphinxSite.create(project, pages, extensions=["sphinx.ext.autodoc"])
    site.repository.commit({"python/own_package/__init__.py": '"""Second."""\n'}, day=5)
    environment = tmp_path / "environment"
    venv.create(environment, system_site_packages=False)
    (library,) = environment.glob("lib/python*/site-packages")
    # The environment uses the packages that are installed for the tests: no download is
    # needed.
    folders = [path for path in sys.path if "site-packages" in path]
    folders += [str(Path(__file__).parents[3])]
    (library / "installed.pth").write_text("\n".join(folders))
    package = library / "own_package"
    package.mkdir()
    package.joinpath("__init__.py").write_text('"""Second."""\nVERSION = "1.0"\n')
    command = [
        str(environment / "bin" / "python"),
        "-m",
        "sphinx",
        "-q",
        "-W",
        "docs",
        "out/html",
    ]
    subprocess.run(command, cwd=project, check=True)
    assert days(site.read()) == {"index": 1, "own": 5, "other": 1}


def test_named_dependencies(project: Path) -> None:
    pages = {
        "index.rst": document("Home", toctree=("a", "b")),
        "a.rst": document("A", fields=":sitemap-dependencies: data/x.csv, ../src/y.py"),
        "b.md": "---\nsitemap:\n  dependencies: [data/*.csv]\n---\n# B\n",
    }
    site = SphinxSite.create(
        project,
        pages,
        extensions=["myst_parser"],
        sitemap_dependencies={"index": "../src/*.py"},
    )
    site.repository.commit({"docs/data/x.csv": "1"}, day=3)
    site.repository.commit({"src/y.py": "1"}, day=4)
    assert days(site.build()) == {"index": 4, "a": 4, "b": 3}


def test_a_shallow_clone_is_a_notice_unless_the_option_is_error(
    project: Path, tmp_path: Path
) -> None:
    origin = SphinxSite.create(tmp_path / "origin", {"index.rst": document("Home")})
    origin.repository.commit({"README": "1"}, day=2)
    Repository(tmp_path).git(
        "clone", "--quiet", "--depth=1", origin.path.as_uri(), str(project)
    )
    site = SphinxSite(Repository(project))
    message = "1 of 1 page has no lastmod: the git clone is shallow"
    log = site.run("html", "-D", "sitemap_shallow=error", succeeds=False)
    assert log.count(f"no sitemap is written: {message}") == 1
    assert not list(site.out().glob("sitemap*"))
    log = site.run("html", "-W")
    assert f"\nsitemap: {message}" in log
    assert "git fetch --unshallow" in log
    assert days(site.read()) == {"index": None}
    assert message not in site.run("html", "-W", "-q")
    assert days(site.build(overrides={"sitemap_shallow": "fetch"})) == {"index": 1}


def test_a_source_that_an_extension_removes_again_leaves_no_incorrect_date(
    project: Path,
) -> None:
    pages = {
        "index.rst": document("Home", toctree=("news",)),
        "news.rst": document("News") + "\n.. include:: ../NEWS (links).rst\n",
        "rewrite.py": (
            "from pathlib import Path\ndef setup(app):\n    news = "
            "Path(app.confdir).parent / 'NEWS (links).rst'\n    "
            "app.connect('builder-inited', lambda app: news.write_text('News.') and "
            "None)\n    app.connect('build-finished', lambda app, error: "
            "news.unlink())\n"
        ),
        "../NEWS.rst": "News.",
    }
    site = SphinxSite.create(project, pages, extensions=["rewrite"])
    site.repository.commit({"NEWS.rst": "More news."}, day=5)
    assert days(site.build()) == {"index": 1, "news": None}
    site.extend_configuration('sitemap_dependencies = {"news": ["../NEWS.rst"]}\n')
    assert days(site.build()) == {"index": 1, "news": 5}


def test_generated_documents_that_git_ignores_have_the_date_of_their_dependencies(
    project: Path,
) -> None:
    site = SphinxSite.create(
        project, {"index.rst": document("Home", toctree=("gallery/a",))}
    )
    site.repository.commit(
        {".gitignore": "/out/\n/docs/gallery/\n", "examples/a.py": "1"}, day=3
    )
    site.repository.write({"docs/gallery/a.rst": document("A")})
    assert days(site.build()) == {"index": 1, "gallery/a": None}
    site.extend_configuration(
        'sitemap_dependencies = {"gallery/*": ["../examples/a.py"]}\n'
    )
    assert days(site.build()) == {"index": 1, "gallery/a": 3}


def test_dates_in_the_future_are_not_written_and_check_agrees(project: Path) -> None:
    site = SphinxSite.create(project, {"index.rst": document("Home")})
    site.repository.write({"docs/index.rst": document("New")})
    site.repository.git("add", "-A")
    now = int(time.time())
    site.repository.git("commit", "-q", "-m", "clock", committed=now + 95_040)
    site.repository.git("commit", "-q", "--allow-empty", "-m", "now", committed=now)
    assert days(site.build("dirhtml")) == {"": None}
    out = str(site.out("dirhtml"))
    explain = invoke("explain", "--format", "json", out, "index.rst", cwd=project)
    (result,) = explain.json()["results"]
    assert result["pages"][0]["page"]["date_status"] == "future-date"
    assert invoke("check", "--strict", out, cwd=project).code == 0
