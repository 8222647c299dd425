"""The output and the options of `docs-sitemap check`."""

from __future__ import annotations

import os
import re
from datetime import date
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import pytest
from support.cli import docs_sitemap, invoke
from support.mkdocs import MkDocsSite
from support.platforms import needs_posix
from support.repository import Repository
from support.sitemaps import read_fix
from support.small_builds import Document, build_small_site, forget_build

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
BASE = "https://example.org/docs/"
ASSUMED = f"Note: site: assumed base URL: {BASE}"
PAGE = "<!doctype html><title>Page</title>"


def write_site(
    folder: Path, *urls: str, pages: tuple[str, ...] = ("index.html",)
) -> Path:
    """Write a site whose sitemap has the n-th URL (or the text of an entry) in line n +
    1.
    """
    folder.mkdir()
    write_sitemap(folder, *urls)
    for page in pages:
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        (folder / page).write_text(PAGE, encoding="utf-8")
    return folder


def write_sitemap(folder: Path, *urls: str) -> None:
    lines = [f"<urlset xmlns='{NAMESPACE}'>"]
    for url in urls:
        entry = url if url.startswith("<") else f"<loc>{BASE}{url}</loc>"
        day = date.fromordinal(735_000 + len(lines))
        lines.append(f"<url>{entry}<lastmod>{day}</lastmod></url>")
    (folder / "sitemap.xml").write_text(
        "\n".join([*lines, "</urlset>"]), encoding="utf-8"
    )


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_site_that_mkdocs_built_has_no_problems(project: Path) -> None:
    site = MkDocsSite.create(
        project, {"index.md": "# Home", "a.md": "# A", "404.md": "# No"}
    )
    site.build()
    done = invoke("check", "--strict", "site", cwd=site.path)
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith(" 1 sitemap, 2 URLs\n")
    assert "no problems" in done.out


def test_findings_are_lines_that_editors_recognize_with_one_fix_per_code(
    here: Path,
) -> None:
    write_site(
        here / "site", "", "gone/", *(f"<loc>{BASE}{n} x</loc>" for n in range(12))
    )
    done = invoke("check", "--ignore", "not-found", "site")
    assert done.code == 1
    lines = done.out.splitlines()
    assert re.fullmatch(
        rf"site/sitemap\.xml:4: error loc-not-encoded: .+ \({BASE}0 x\)", lines[0]
    ), lines[0]
    assert re.fullmatch(
        rf"site/sitemap\.xml:13: error loc-not-encoded: .+ \({BASE}9 x\)", lines[9]
    )
    assert lines[10:] == [
        "… and 2 more loc-not-encoded; --format json shows all",
        "",
        "How to fix:",
        f"  loc-not-encoded: {read_fix('loc-not-encoded')}",
        "",
        "What a code means: docs-sitemap explain loc-not-encoded",
        ASSUMED,
        "12 errors, 13 ignored in 1 sitemap, 14 URLs",
    ]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 1),
        (["--ignore", "not-found"], 0),
        (["--ignore", "not-found", "--strict"], 1),
        (["--ignore", "not-found,missing", "--strict"], 0),
        (["--ignore", " missing ,", "--ignore", "not-found", "--strict"], 0),
    ],
)
def test_the_exit_code_depends_on_errors_and_with_strict_on_warnings(
    here: Path, arguments: list[str], code: int
) -> None:
    write_site(here / "site", "", "gone/", pages=("index.html", "more.html"))
    assert invoke("check", *arguments, "site").code == code


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--ignore", "mising", "site"],
            "no code 'mising'. Fix: use missing",
        ),
        (["--ignore", "missing,qqq", "site"], "no code 'qqq'"),
        (
            ["--base-url", "example.org", "site"],
            "'example.org' is not a valid base URL",
        ),
        (
            ["nowhere"],
            "nowhere does not exist. Fix: build the site first",
        ),
        (
            ["--base-url", BASE, "https://a.b/map.xml"],
            "pass one folder",
        ),
        (["--format", "xml", "site"], "no format 'xml'"),
        (["--base-url", BASE, "site", "site"], "pass one folder"),
        (["--report", "nowhere.json", "site"], "--report: nowhere.json does not exist"),
        (["--report", "site/index.html", "site"], "is not a valid build report"),
        (["--report", "site/index.html", "site", "site"], "pass one folder"),
        (["--report", "site/index.html", "site/sitemap.xml"], "pass one folder"),
        ([], "SITE_DIR|SITEMAP|URL... is missing"),
    ],
)
def test_invalid_arguments_are_explained(
    here: Path, arguments: list[str], message: str
) -> None:
    write_site(here / "site", "")
    done = invoke("check", *arguments)
    assert done.code == 2
    assert message in done.err.splitlines()[-1]
    assert done.out == ""


def test_json_contains_everything(here: Path) -> None:
    write_site(here / "site", "", *(f"gone{n}/" for n in range(20)))
    done = invoke("check", "--format", "json", "site")
    assert done.code == 1
    document = done.json()
    (path,) = document["paths"]
    assert document == {"version": 1, "ignored": 0, "paths": [path]}
    diagnostics = path.pop("diagnostics")
    assert len(diagnostics) == 20
    assert diagnostics[0] == {
        "code": "not-found",
        "message": diagnostics[0]["message"],
        "severity": "error",
        "page": None,
        "file": "site/sitemap.xml",
        "line": 3,
        "url": f"{BASE}gone0/",
        "fix": read_fix("not-found"),
    }
    assert path == {
        "path": "site",
        "sitemaps": 1,
        "urls": 21,
        "pages": 1,
        "assumed_base_url": BASE,
        "is_base_url_known": True,
        "separate_sites": [],
        "truncated_files": [],
        "not_requested": 0,
        "is_interrupted": False,
    }


@needs_posix
def test_github_annotations_are_escaped(here: Path) -> None:
    write_site(here / "a,b:c%", "", "100%25/", "<loc/>")
    lines = invoke("check", "--format", "github", "a,b:c%").out.splitlines()
    start = "::error file=a%2Cb%3Ac%25/sitemap.xml,line="
    assert lines[0].startswith(f"{start}3,title=docs-sitemap not-found::")
    assert lines[0].endswith(f" ({BASE}100%2525/); {read_fix('not-found')}")
    assert lines[1].startswith(f"{start}4,title=docs-sitemap loc-missing::")
    assert lines[1].endswith(f"; {read_fix('loc-missing')}")
    assert lines[2].startswith("Note: a,b:c%: ")
    assert lines[3].startswith("2 errors ")


@needs_posix
@pytest.mark.parametrize("output_format", ["text", "json", "github"])
def test_hostile_text_cannot_control_a_terminal_or_a_ci_service(
    here: Path, output_format: str
) -> None:
    write_site(here / "site", "", "[red]x[/]:smile:&#x9b;31m&#x202e;&#x85;/")
    (here / "site/\x1b[31m\n::error::x.html").write_text(PAGE, encoding="utf-8")
    out = invoke("check", "--format", output_format, "site").out
    assert all(c.isprintable() for c in out.replace("\n", ""))
    assert not re.search("^ *::error::x", out, flags=re.M)
    assert "[red]x[/]:smile:" in out
    assert "\\x1b[31m" in out


COMMANDS = (
    "::error::x",
    "##[error]x",
    "##vso[task.complete]x",
    "##Vso[task.complete]y",
    ":",
)


@needs_posix
@pytest.mark.parametrize("output_format", ["text", "json", "github"])
def test_names_are_not_commands_for_ci_services(here: Path, output_format: str) -> None:
    for name in COMMANDS:
        site = write_site(here / name, name, pages=(f"{name}.html",))
        (site / "robots.txt").write_text(f"Sitemap: {BASE}{name}\nSitemap: {name}")
    arguments = ["check", "--format", output_format, "--base-url", BASE]
    for done in (
        invoke(*arguments[:3], *COMMANDS),
        invoke(*arguments, *(f"{name}/sitemap.xml" for name in COMMANDS)),
    ):
        assert done.out.count("##") >= 3
        for line in done.out.splitlines():
            assert not re.search(r"##(vso)?\[", line, re.I)
            assert not re.match(r"\s*::(?!error file=|warning file=)", line)


@needs_posix
@pytest.mark.parametrize("output_format", ["text", "json"])
def test_names_in_explanations_are_not_commands_for_ci_services(
    here: Path, output_format: str
) -> None:
    pages = tuple(f"{name}.html" for name in COMMANDS)
    write_site(here / "site", *pages, pages=pages)
    queries = [*pages, "::missing", "##vso[missing]"]
    done = invoke("explain", "--format", output_format, "site", *queries)
    assert done.code == 1
    for line in done.out.splitlines():
        assert not re.search(r"##(vso)?\[", line, re.I)
        assert not re.match(r"\s*::", line)


def test_error_messages_are_not_commands_for_ci_services(tmp_path: Path) -> None:
    for arguments in (
        ["check", "x##vso[task.complete]"],
        ["##[error]"],
        ["check", "--a##[b"],
    ):
        done = docs_sitemap(*arguments, cwd=tmp_path)
        assert done.code == 2
        assert "##" in done.err
        assert not re.search(r"##(vso)?\[", done.err)


@needs_posix
def test_names_of_folders_that_are_not_utf_8_are_escaped(here: Path) -> None:
    name = os.fsdecode(b"site \xff")
    try:
        write_site(here / name, "")
    except OSError:
        pytest.skip("the file system allows only names in UTF-8")
    document = invoke("check", "--format", "json", name, cwd=here).json()
    assert document["paths"][0]["path"] == name


def test_lines_in_a_pipe_are_neither_wrapped_nor_colored(here: Path) -> None:
    write_site(here / "site", "", f"{'long/' * 100}gone/")
    done = invoke("check", "site", cwd=here, COLUMNS="40")
    assert "\x1b" not in done.out + done.err
    assert f"{'long/' * 100}gone/)\n" in done.out
    assert done.err == ""


def test_the_output_may_have_any_encoding(here: Path) -> None:
    write_site(here / "site", "", *(f"{n}/" for n in range(12)))
    # click writes UTF-8 instead of ASCII.
    done = docs_sitemap(
        "check", "site", cwd=here, PYTHONIOENCODING="latin-1", PYTHONUTF8="0"
    )
    assert done.code == 1
    assert "\\u2026 and 2 more" in done.out


def test_several_paths_are_checked_at_once(here: Path) -> None:
    write_site(here / "one", "")
    write_site(here / "two", "gone/", "")
    lines = invoke("check", "one", "two", "one/sitemap.xml").out.splitlines()
    assert lines[0].startswith("two/sitemap.xml:2: error not-found: ")
    assert lines.count(f"  not-found: {read_fix('not-found')}") == 1
    notes = [f"Note: {path}: assumed base URL: {BASE}" for path in ("one", "two")]
    assert lines[-3:-1] == notes
    assert re.match("1 error .* 3 ", lines[-1])
    lines = invoke("check", "--format", "github", "one", "two").out.splitlines()
    assert lines[1:3] == notes
    assert re.match("1 error .* 2 ", lines[3])


def test_an_unknown_base_url_is_reported(here: Path) -> None:
    write_site(here / "site", "<loc>index.html</loc>", "<loc>a/</loc>")
    write_site(here / "good", "")
    remark = "unknown base URL: only the sitemap itself is checked; set --base-url"
    for output_format in ("text", "github"):
        lines = invoke(
            "check", "--format", output_format, "good", "site"
        ).out.splitlines()
        assert lines[-2] == f"Note: site: {remark}"
    site, good = invoke("check", "--format", "json", "site", "good").json()["paths"]
    assert (site["assumed_base_url"], site["is_base_url_known"]) == (None, False)
    assert (good["assumed_base_url"], good["is_base_url_known"]) == (BASE, True)
    assert "unknown" not in invoke("check", "--base-url", BASE, "site").out
    assert "unknown" not in invoke("check", "site/sitemap.xml").out


@pytest.mark.parametrize(
    ("folders", "names"),
    [
        (["de"], "site/de"),
        (["1.0", "2.0", "my docs"], "site/1.0, site/2.0, 'site/my docs'"),
        (["1.0", "2.0", "3.0", "4.0", "de"], "site/1.0, site/2.0, site/3.0 and 2 more"),
    ],
)
def test_folders_with_their_own_sitemaps_are_named(
    here: Path, folders: list[str], names: str
) -> None:
    site = write_site(here / "site", "")
    for folder in folders:
        write_site(
            site / folder, f"{quote(folder)}/", pages=("index.html", "a/index.html")
        )
    assert invoke("check", "site").out == (
        f"{ASSUMED}\n"
        f"Note: site: not checked, because they are other sites or versions: {names}\n"
        "no problems found in 1 sitemap, 1 URL\n"
    )
    (site_result,) = invoke("check", "--format", "json", "site").json()["paths"]
    assert site_result["separate_sites"] == folders


def test_several_files_may_have_one_base_url(here: Path) -> None:
    write_site(here / "site", "")
    file = "site/sitemap.xml"
    assert invoke("check", "--base-url", BASE, "site", file, file).code == 0


def test_each_site_shows_its_own_findings(here: Path) -> None:
    write_site(here / "one", "", *(f"gone{n}/" for n in range(12)))
    write_site(here / "two", "gone/", "", *(f"gone{n}/" for n in range(10)))
    lines = invoke("check", "one", "two").out.splitlines()
    more = [line.split()[2] for line in lines if line.startswith("…")]
    assert more == ["2", "1"]
    assert lines[11].startswith("two/sitemap.xml:2: error not-found")
    assert lines[-1].startswith("23 errors ")


def test_files_with_too_many_findings_are_named(here: Path) -> None:
    write_site(here / "site", "", *(f"gone{n}/" for n in range(2_500)))
    file = os.path.join("site", "sitemap.xml")
    note = f"Note: site: not everything is reported, because there is too much: {file}"
    lines = invoke("check", "site").out.splitlines()
    assert lines[-3] == note
    assert lines[-1].startswith("1,000 errors ")
    lines = invoke(
        "check", "--format", "github", "--ignore", "not-found", "site"
    ).out.splitlines()
    assert lines[0] == note
    assert "1,000 ignored" in lines[2]
    (path,) = invoke("check", "--format", "json", "site").json()["paths"]
    assert len(path["diagnostics"]) == 1_000
    assert path["truncated_files"] == [file]


HOME = Document("", {}, {"name": "index.md"})


def test_pages_that_the_build_excluded_are_not_missing(here: Path) -> None:
    write_site(here / "site", "", pages=("index.html", "a/index.html"))
    done = invoke("check", "--strict", "site")
    assert done.code == 1
    assert os.path.join("site", "a/index.html: warning missing: ") in done.out
    build_small_site(here, HOME, Document("a/", {}), exclude=["a/"])
    done = invoke("check", "--strict", "site")
    assert done.code == 0
    assert done.out.startswith("no problems")


def test_a_report_can_be_named(here: Path) -> None:
    write_site(here / "site", pages=("index.html", "a/index.html"))
    build_small_site(here, HOME, Document("a/", {}), exclude=["a/"])
    forget_build(here)
    assert invoke("check", "--strict", "site").code == 1
    done = invoke("check", "--strict", "--report", "report.json", "site")
    assert done.code == 0
    assert done.out.startswith("no problems")


def test_pages_that_the_last_build_does_not_know_are_named(here: Path) -> None:
    write_site(here / "site", pages=("index.html", "renamed/index.html"))
    build_small_site(here, HOME, gzip=False)
    done = invoke("check", "site")
    file = os.path.join("site", "renamed/index.html")
    assert done.out.startswith(f"{file}: warning missing: ")
    assert "earlier build" in done.out.splitlines()[0]
    write_sitemap(here / "site", "")
    done = invoke("check", "--report", "report.json", "site")
    assert done.out.startswith(f"{file}: warning missing: ")
    assert "earlier build" not in done.out.splitlines()[0]


@pytest.mark.parametrize("generator", [None, "sphinx"])
def test_where_files_come_from_that_are_no_pages(
    here: Path, generator: Literal["sphinx"] | None
) -> None:
    # Each is a file of the site with its original and what `check` says of it.
    copied = {
        "extra.html": ("docs/extra.html", "copied from docs "),
        "demo/index.html": ("docs/extra/demo/index.html", "copied from docs/extra "),
        "moved/one.html": ("files/one.html", "copied from files/one.html "),
        "new.html": ("docs/new.html", "copied from docs "),
        "edited.html": ("docs/edited.html", "copied from docs "),
    }
    committed = {original: f"{PAGE}{name}" for name, (original, _) in copied.items()}
    written = {name: f"{PAGE}{name}" for name in copied}
    # These are files of the site, too, two files could be this one, or it has changed.
    committed["site/own.html"] = written["own.html"] = f"{PAGE}own"
    for original in ("a/same.html", "b/same.html"):
        committed[original] = written["same.html"] = f"{PAGE}same"
    committed["docs/changed.html"] = f"{PAGE}older"
    written |= {"changed.html": f"{PAGE}newer", "printed.html": PAGE}
    for number in range(10):
        written[f"api/{number}.html"] = f"{PAGE}{number}"
        committed[f"docs/api/{number}.html"] = f"{PAGE}{number}"
    new = committed.pop("docs/new.html")
    edited = committed["docs/edited.html"]
    Repository.create(here).commit(committed | {"docs/edited.html": PAGE}, day=1)
    Repository(here).write({"docs/new.html": new, "docs/edited.html": edited})
    Repository(here).write({f"site/{name}": text for name, text in written.items()})
    build_small_site(here, HOME, generator=generator)
    done = invoke("check", "site")
    for name, (original, text) in copied.items():
        assert f"{os.path.join('site', name)}: warning missing: " in done.out
        assert text in done.out
        for query in (name, original):
            shown = invoke("explain", "site", query)
            assert f"copy of {original}\n" in shown.out
            assert "earlier build" not in shown.out
    assert "its 10 pages: copied from docs\n" in done.out
    unknown = ["changed.html", "own.html", "printed.html", "same.html"]
    for name in unknown:
        assert "earlier build" in invoke("explain", "site", name).out
    assert done.out.count("an earlier build (") == len(unknown)
    option = "sitemap_include" if generator else "the option include"
    assert f"  missing: list copied files with {option} (" in done.out


def test_a_saved_report_of_another_build_is_not_used(here: Path) -> None:
    build_small_site(here, HOME, gzip=False)
    write_sitemap(here / "site", "")
    (here / "site/a").mkdir()
    (here / "site/a/index.html").write_text(PAGE)
    done = invoke("check", "site")
    assert "does not match" in done.err
    assert "assumed base URL" in done.out
    done = invoke("check", "--report", "report.json", "site")
    assert "does not match" in done.err
    assert "assumed base URL" not in done.out


def test_the_output_for_a_typical_site(here: Path) -> None:
    site = write_site(
        here / "site",
        pages=(
            "index.html",
            "guide/index.html",
            "guide/setup/index.html",
            "news/index.html",
        ),
    )
    entries = {
        "": "2026-05-31T08:30:00",
        "guide/": "2026-05-31",
        "old page/": "",
        "news/": "",
    }
    (site / "sitemap.xml").write_text(
        f'<?xml version="1.0"?>\n<urlset xmlns="{NAMESPACE}">\n'
        + "".join(
            f"<url>\n<loc>{BASE}{url}</loc>\n"
            + (f"<lastmod>{lastmod}</lastmod>\n" if lastmod else "")
            + "</url>\n"
            for url, lastmod in entries.items()
        )
        + "</urlset>\n"
    )
    (site / "news/index.html").write_text(f"{PAGE}<meta name=robots content=noindex>")
    lines = invoke("check", "site").out.splitlines()
    codes = ["lastmod-invalid", "loc-not-encoded", "not-found", "noindex", "missing"]
    starts = [
        "site/sitemap.xml:5: error lastmod-invalid: ",
        "site/sitemap.xml:12: error loc-not-encoded: ",
        "site/sitemap.xml:12: error not-found: ",
        "site/sitemap.xml:15: error noindex: ",
        "site/guide/setup/index.html: warning missing: ",
    ]
    for line, start in zip(lines, starts, strict=False):
        assert line.startswith(start)
    assert lines[5:] == [
        "",
        "How to fix:",
        *(f"  {code}: {read_fix(code)}" for code in codes),
        "",
        f"What a code means: docs-sitemap explain {codes[0]}",
        ASSUMED,
        "4 errors, 1 warning in 1 sitemap, 4 URLs",
    ]


def test_sarif_has_a_result_for_each_diagnostic(here: Path) -> None:
    """GitHub shows only results with a file, a line, and a known rule:
    https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support.
    """
    write_site(here / "a site", "", "gone/")
    (here / "a site/b.html").write_text("<title>B</title>")
    done = invoke("check", "--format", "sarif", "a site")
    log = done.json()
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert (log["version"], driver["name"]) == ("2.1.0", "docs-sitemap")
    codes = [rule["id"] for rule in driver["rules"]]
    assert len(codes) == len({*codes}) > 50
    (found, missing) = run["results"]
    (path,) = invoke("check", "--format", "json", "a site").json()["paths"]
    fault = path["diagnostics"][0]["message"]
    assert found == {
        "ruleId": "not-found",
        "level": "error",
        "message": {"text": f"{fault} ({BASE}gone/). Fix: {read_fix('not-found')}."},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "a%20site/sitemap.xml"},
                    "region": {"startLine": 3},
                }
            }
        ],
    }
    assert (missing["ruleId"], missing["level"]) == ("missing", "warning")
    region = missing["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 1}
