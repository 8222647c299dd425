"""`docs-sitemap index --canonical`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser
from support.cli import COMMAND, Done, docs_sitemap, invoke
from support.deployed import BASE_URL, write_version
from support.repository import Repository
from support.sitemaps import page, write_site

NOINDEX = '<meta name="robots" content="noindex">'


def run(root: Path, *arguments: str, code: int = 0) -> Done:
    done = invoke("index", root, "--base-url", BASE_URL, "--canonical", *arguments)
    assert done.code == code, done
    return done


def link(target: str) -> str:
    return f'<link rel="canonical" href="{BASE_URL}{target}">'


def redirect(target: str) -> str:
    return page(head=f'<meta http-equiv="refresh" content="0; url={target}">')


def canonical(file: Path) -> str | None:
    """Return the canonical URL of a page relative to the base URL."""
    links = LexborHTMLParser(file.read_bytes()).css("link[rel=canonical]")
    assert len(links) < 2
    if not links:
        return None
    return str(links[0].attributes["href"]).removeprefix(BASE_URL)


def read_counts(done: Done) -> str:
    """Return what the command says about the canonical links."""
    (line,) = [
        one for one in done.out.splitlines() if one.startswith("canonical links: ")
    ]
    return line.removeprefix("canonical links: ")


def contents(root: Path) -> dict[str, bytes]:
    files = [path for path in root.rglob("*") if path.is_file()]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def check(root: Path) -> Done:
    return invoke("check", "--strict", "--base-url", BASE_URL, root)


def test_pages_of_old_versions_point_to_the_same_pages(tmp_path: Path) -> None:
    write_version(tmp_path, "1.0", ["", "guide/", "gone/"])
    write_version(tmp_path, "1.1", ["", "guide/"], canonical="2.0/")
    write_version(tmp_path, "2.0", ["", "guide/"])
    write_version(tmp_path, "dev", ["", "new/"], canonical="dev/")
    before = contents(tmp_path)
    done = run(tmp_path)
    assert read_counts(done) == "3 changed, 2 unchanged, 2 no-counterpart"
    after = contents(tmp_path)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"1.0/index.html", "1.0/guide/index.html", "dev/index.html"}
    assert after.keys() - before.keys() == {"sitemap.xml", "sitemap.xml.gz"}
    assert canonical(tmp_path / "1.0/guide/index.html") == "2.0/guide/"
    assert canonical(tmp_path / "1.0/gone/index.html") is None
    assert canonical(tmp_path / "dev/new/index.html") == "dev/new/"
    assert check(tmp_path).code == 0
    done = run(tmp_path)
    assert read_counts(done) == "5 unchanged, 2 no-counterpart"
    assert contents(tmp_path) == after


def test_links_to_missing_pages(tmp_path: Path) -> None:
    write_version(tmp_path, "1.0", ["", "gone/", "lost/"], canonical="2.0/")
    write_version(tmp_path, "2.0", [""], canonical="2.0/")
    invoke("index", tmp_path, "--base-url", BASE_URL)
    assert read_counts(run(tmp_path)) == "2 corrected, 1 unchanged"
    assert canonical(tmp_path / "1.0/gone/index.html") == "1.0/gone/"
    assert check(tmp_path).code == 0


def test_links_in_another_spelling_stay(tmp_path: Path) -> None:
    write_version(tmp_path, "2.0", ["", "a~b/"])
    write_version(tmp_path, "1.0", ["", "a~b/"])
    target = f"{BASE_URL}2.0/a%7eb/".replace("https://example", "HTTPS://Example")
    head = f'<link rel="canonical" href="{target}">'
    write_site(tmp_path, {"1.0/a~b/index.html": page(head=head)})
    assert read_counts(run(tmp_path)) == "1 changed, 1 unchanged"
    assert canonical(tmp_path / "1.0/a~b/index.html") == target


def test_links_of_a_version_without_a_sitemap(tmp_path: Path) -> None:
    write_version(tmp_path, "2.0", [""])
    files = {
        "index.html": page(),
        "gone.html": page(head=link("2.0/gone.html")),
        "objects.inv": "# Sphinx",
    }
    write_site(tmp_path, {f"1.0/{name}": text for name, text in files.items()})
    write_site(tmp_path, {"1.0/own.html": page()})
    invoke("index", tmp_path, "--base-url", BASE_URL)
    run(tmp_path)
    assert canonical(tmp_path / "1.0/gone.html") == "1.0/gone.html"
    assert check(tmp_path).code == 0


def test_links_to_other_sites_stay_if_there_is_no_counterpart(tmp_path: Path) -> None:
    write_version(tmp_path, "2.0", [""])
    write_version(tmp_path, "1.0", [""])
    head = '<link rel="canonical" href="https://example.com/">'
    write_site(tmp_path, {"1.0/gone.html": page(head=head)})
    run(tmp_path)
    assert canonical(tmp_path / "1.0/gone.html") == "https://example.com/"


@pytest.mark.parametrize("kind", ["link", "copy"])
def test_aliases_are_the_addresses_that_the_canonical_version_declares(
    tmp_path: Path, kind: str
) -> None:
    write_version(tmp_path, "1.0", ["", "guide/"], canonical="1.0/")
    write_version(tmp_path, "2.0", ["", "guide/"], canonical="latest/")
    if kind == "link":
        (tmp_path / "latest").symlink_to("2.0", target_is_directory=True)
    else:
        write_version(tmp_path, "latest", ["", "guide/"], canonical="latest/")
    text = '[{"version": "2.0", "aliases": ["latest"]}, {"version": "1.0"}]'
    write_site(tmp_path, {"versions.json": text})
    run(tmp_path)
    assert canonical(tmp_path / "1.0/guide/index.html") == "latest/guide/"
    assert canonical(tmp_path / "2.0/guide/index.html") == "latest/guide/"


def test_links_to_an_alias_name_the_address_of_the_canonical_version(
    tmp_path: Path,
) -> None:
    write_version(tmp_path, "1.0", [""], canonical="latest/")
    write_version(tmp_path, "2.0", [""], canonical="2.0/")
    (tmp_path / "latest").symlink_to("2.0", target_is_directory=True)
    run(tmp_path)
    assert canonical(tmp_path / "1.0/index.html") == "2.0/"


def test_an_alias_that_redirects_is_no_address(tmp_path: Path) -> None:
    write_version(tmp_path, "1.0", ["", "guide/"], canonical="latest/")
    write_version(tmp_path, "2.0", ["", "guide/"], canonical="latest/")
    for path in ("", "guide/"):
        text = redirect(f"{BASE_URL}2.0/{path}")
        write_site(tmp_path, {f"latest/{path}index.html": text})
    text = '[{"version": "2.0", "aliases": ["latest"]}, {"version": "1.0"}]'
    write_site(tmp_path, {"versions.json": text})
    assert read_counts(run(tmp_path)) == "2 changed"
    assert canonical(tmp_path / "1.0/guide/index.html") == "2.0/guide/"


def test_the_pages_behind_links_stay(tmp_path: Path) -> None:
    for folder in ("1.0", "2.0"):
        write_version(tmp_path, folder, [""])
    (tmp_path / "latest").symlink_to("2.0", target_is_directory=True)
    run(tmp_path)
    assert canonical(tmp_path / "1.0/index.html") == "2.0/"
    assert canonical(tmp_path / "2.0/index.html") is None


def test_the_canonical_version_may_name_missing_pages(tmp_path: Path) -> None:
    for folder in ("1.0", "2.0"):
        write_version(tmp_path, folder, [""], canonical="stable/")
    run(tmp_path)
    assert canonical(tmp_path / "1.0/index.html") == "2.0/"


def test_copies_of_versions(tmp_path: Path) -> None:
    for folder in ("1.0", "1", "2.0", "latest"):
        write_version(tmp_path, folder, [""])
    text = (
        '[{"version": "2.0", "aliases": ["latest"]},'
        ' {"version": "1.0", "aliases": ["1"]}]'
    )
    write_site(tmp_path, {"versions.json": text})
    run(tmp_path)
    for folder in ("1.0", "1", "latest"):
        assert canonical(tmp_path / folder / "index.html") == "2.0/"
    assert canonical(tmp_path / "2.0/index.html") is None


def test_redirects_of_the_canonical_version_are_followed(tmp_path: Path) -> None:
    names = ("moved", "stub", "twice", "loop", "away", "hidden", "lost")
    write_version(tmp_path, "1.0", ["", *(f"{name}/" for name in names)])
    write_version(tmp_path, "2.0", ["", "new/"])
    files = {
        "moved": redirect("../new/#part"),
        # The pages of mkdocs-redirects also declare noindex.
        "stub": NOINDEX + redirect("../new/"),
        "twice": redirect("../moved/"),
        "loop": redirect("../loop/index.html?"),
        "away": redirect("https://example.com/"),
        "lost": redirect("../nowhere/"),
        "hidden": page(head=NOINDEX),
    }
    write_site(tmp_path, {f"2.0/{key}/index.html": files[key] for key in files})
    run(tmp_path)
    targets = {name: canonical(tmp_path / f"1.0/{name}/index.html") for name in names}
    new = "2.0/new/"
    assert targets.pop("loop") in (None, "2.0/loop/")
    assert targets == {
        "moved": new,
        "stub": new,
        "twice": new,
        **dict.fromkeys(("away", "hidden", "lost")),
    }


def test_what_is_no_page_of_a_version_stays(tmp_path: Path) -> None:
    write_version(tmp_path, "1.0", [""], canonical="2.0/")
    write_version(tmp_path, "2.0", [""], canonical="2.0/")
    files = {
        "noindex.html": page(head=NOINDEX),
        "redirect.html": redirect("index.html"),
        "404.html": page(),
        "search.html": page(),
        "_static/embedded.html": page(),
        "fragment.html": "<p>Text",
        "data.txt": page(),
    }
    for folder in ("1.0", "2.0"):
        write_site(tmp_path, {f"{folder}/{name}": text for name, text in files.items()})
    write_site(tmp_path, {"index.html": page(), "other/x.html": page()})
    (tmp_path / "1.0/link.html").symlink_to("../other/x.html")
    before = contents(tmp_path)
    assert "failed" not in run(tmp_path).out
    assert {**contents(tmp_path), **before} == contents(tmp_path)


def test_a_page_that_cannot_be_changed_is_counted(tmp_path: Path) -> None:
    write_version(tmp_path, "2.0", ["", "a/"])
    write_version(tmp_path, "1.0", [""])
    data = page().encode("utf-16")
    write_site(tmp_path, {"1.0/a/index.html": data})
    assert ", 1 failed\n" in run(tmp_path).out
    assert (tmp_path / "1.0/a/index.html").read_bytes() == data


def test_the_site_at_the_root_can_be_canonical(tmp_path: Path) -> None:
    write_version(tmp_path, "", ["", "guide/"], canonical="")
    write_version(tmp_path, "1.0", ["guide/"])
    write_site(tmp_path, {"1.0/index.html": page(head=link(""))})
    assert read_counts(run(tmp_path)) == "1 unchanged, 1 changed"
    assert canonical(tmp_path / "1.0/guide/index.html") == "guide/"


def test_versions_that_are_listed_or_skipped_stay(tmp_path: Path) -> None:
    for folder in ("0.9", "1.0", "1.1", "2.0"):
        write_version(tmp_path, folder, [""])
    run(tmp_path, "--versions", "canonical,1.1", "--skip", "0.*")
    links = {
        name: canonical(tmp_path / f"{name}/index.html") for name in ("0.9", "1.1")
    }
    assert links == {"0.9": None, "1.1": None}
    assert canonical(tmp_path / "1.0/index.html") == "2.0/"


@pytest.mark.parametrize(
    "name", ["objects.inv", "search_index.js", "search/search_index.json"]
)
def test_versions_of_generators_need_no_sitemaps(tmp_path: Path, name: str) -> None:
    for folder in ("1.0", "2.0"):
        write_site(tmp_path, {f"{folder}/index.html": page(), f"{folder}/{name}": "{}"})
    done = run(tmp_path)
    assert "Warning: no sitemap is written: " in done.out
    assert read_counts(done) == "1 changed"
    assert canonical(tmp_path / "1.0/index.html") == "2.0/"
    done = invoke("index", tmp_path, "--base-url", BASE_URL)
    assert done.code == 1
    assert "Error: no sitemap is written: " in done.out


def test_a_version_with_an_unusable_sitemap_can_be_canonical(tmp_path: Path) -> None:
    write_version(tmp_path, "1.0", [""])
    write_version(tmp_path, "2.0", [""])
    write_site(tmp_path, {"2.0/sitemap.xml": "<urlset><url>"})
    assert "Error: 2.0/sitemap.xml:" in run(tmp_path, code=1).out
    assert canonical(tmp_path / "1.0/index.html") == "2.0/"


def test_a_version_with_a_sitemap_is_rather_canonical(tmp_path: Path) -> None:
    write_version(tmp_path, "2.0", [""])
    write_site(
        tmp_path, {"stable/index.html": page(), "stable/objects.inv": "# Sphinx"}
    )
    run(tmp_path)
    assert canonical(tmp_path / "stable/index.html") == "2.0/"


def test_newer_versions_do_not_point_to_one_with_a_sitemap(tmp_path: Path) -> None:
    write_version(tmp_path, "1.0", [""])
    write_site(tmp_path, {"2.0/index.html": page(), "2.0/objects.inv": "# Sphinx"})
    done = run(tmp_path)
    assert "2.0 was deployed without" in done.out
    assert canonical(tmp_path / "1.0/index.html") == "2.0/"
    assert canonical(tmp_path / "2.0/index.html") is None


def test_released_versions_do_not_point_to_prereleases(tmp_path: Path) -> None:
    write_version(tmp_path, "dev", [""], canonical="dev/")
    write_site(tmp_path, {"1.0/index.html": page(), "1.0/objects.inv": "# Sphinx"})
    done = invoke("index", tmp_path, "--base-url", BASE_URL)
    assert "do not point to dev" not in done.out
    run(tmp_path)
    assert canonical(tmp_path / "1.0/index.html") is None
    write_site(tmp_path, {"index.html": redirect("dev/")})
    run(tmp_path)
    assert canonical(tmp_path / "1.0/index.html") == "dev/"


def test_what_a_killed_run_leaves_is_in_the_locked_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("1.0", "2.0"):
        write_version(tmp_path, folder, ["", "guide/"])
    replaced = []

    def replace(source: Path, target: Path) -> None:
        replaced.append((source.parent, target.parent))
        source.rename(target)

    monkeypatch.setattr("docs_sitemap.tools.files.os.replace", replace)
    run(tmp_path)
    assert {source for source, _ in replaced} == {tmp_path}
    assert tmp_path / "1.0/guide" in {target for _, target in replaced}


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    write_version(tmp_path, "1.0", ["", "gone/"])
    write_version(tmp_path, "2.0", [""])
    before = contents(tmp_path)
    done = run(tmp_path, "--dry-run")
    assert contents(tmp_path) == before
    *_, sitemap, _, how = done.out.splitlines()
    assert sitemap.endswith(" 1 sitemap, 1 URL, not written")
    assert read_counts(done) == "1 changed, 1 no-counterpart, not written"
    assert "--dry-run" in how


def test_without_other_versions_there_are_no_links(tmp_path: Path) -> None:
    write_version(tmp_path, "2.0", [""])
    write_site(tmp_path, {"1.0/index.html": page()})
    assert read_counts(run(tmp_path)) == "no pages of other versions"


def test_the_output_as_json(tmp_path: Path) -> None:
    write_version(tmp_path, "1.0", ["", "gone/"])
    write_version(tmp_path, "2.0", [""])
    result = run(tmp_path, "--format", "json").json()
    assert result["urls"] == 1
    assert [version["folder"] for version in result["versions"]] == ["2.0", "1.0"]
    assert result["canonical_links"] == [
        {
            "file": f"1.0/{path}index.html",
            "version": "1.0",
            "canonical": "2.0",
            "status": status,
            "url": url,
        }
        for path, status, url in (
            ("", "changed", f"{BASE_URL}2.0/"),
            ("gone/", "no-counterpart", None),
        )
    ]


# Branches


@pytest.fixture
def repository(project: Path) -> Repository:
    """A repository whose branch gh-pages has hundreds of pages."""
    repository = Repository.create(project)
    repository.commit({"README": "x"}, day=1)
    repository.git("checkout", "--quiet", "--orphan", "gh-pages")
    pages = ["", *(f"{number}/" for number in range(300))]
    write_version(project, "1.0", pages, canonical="1.0/")
    write_version(project, "2.0", pages[:-1], canonical="2.0/")
    (project / "1.0/7/index.html").chmod(0o755)
    (project / "latest").symlink_to("2.0", target_is_directory=True)
    write_site(project, {"1.0/a b\n\xfc.html": page(), "2.0/a b\n\xfc.html": page()})
    repository.commit({}, day=2)
    repository.git("checkout", "--quiet", "main")
    return repository


COMMIT = ("index", "gh-pages", "--base-url", BASE_URL, "--canonical", "--commit")


def changes(repository: Repository) -> list[str]:
    lines = repository.git("diff", "--raw", "-z", "gh-pages~1", "gh-pages")
    return lines.split("\0")[:-1]


def test_one_commit_changes_all_pages(repository: Repository) -> None:
    before = repository.git("rev-parse", "gh-pages").strip()
    status = repository.git("status", "--porcelain")
    done = invoke(*COMMIT, cwd=repository.path)
    assert done.code == 0, done
    assert read_counts(done) == "301 changed, 1 no-counterpart"
    assert repository.git("rev-parse", "gh-pages~1").strip() == before
    diff = changes(repository)
    assert len(diff) == 2 * (301 + 2)
    assert "1.0/a b\n\xfc.html" in diff
    assert all(" M" in line for line in diff[:602:2])
    modes = {line[:14] for line in diff[:602:2]}
    assert modes == {":100644 100644", ":100755 100755"}
    text = repository.git("show", "gh-pages:1.0/7/index.html")
    assert f'<link rel="canonical" href="{BASE_URL}2.0/7/">' in text
    assert repository.git("fsck", "--strict", "--no-dangling") == ""
    assert repository.git("status", "--porcelain") == status
    done = invoke(*COMMIT, cwd=repository.path)
    assert "nothing to commit" in done.out
    assert repository.git("rev-parse", "gh-pages~1").strip() == before


def test_without_commit_a_branch_is_not_changed(repository: Repository) -> None:
    before = repository.git("rev-parse", "gh-pages")
    for options in ((), ("--commit", "--dry-run"), ("--output", "x.xml")):
        done = invoke(*COMMIT[:-1], *options, cwd=repository.path)
        assert read_counts(done) == "301 changed, 1 no-counterpart, not written"
    assert repository.git("rev-parse", "gh-pages") == before


def test_a_folder_changed_by_several_runs(tmp_path: Path) -> None:
    for folder in ("1.0", "2.0"):
        write_version(tmp_path, folder, [f"{number}/" for number in range(40)])
    arguments = ("index", str(tmp_path), "--base-url", BASE_URL, "--canonical")
    processes = [
        subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.DEVNULL)
        for _ in range(3)
    ]
    assert [process.wait() for process in processes] == [0, 0, 0]
    files = contents(tmp_path)
    assert not [name for name in files if name.endswith((".tmp", "lock"))]
    done = docs_sitemap(*arguments, cwd=tmp_path)
    assert read_counts(done) == "40 unchanged"
