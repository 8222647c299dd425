from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support.cli import docs_sitemap
from support.mkdocs import MkDocsSite

from docs_sitemap.check import CODES
from docs_sitemap.cli.command import command

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
BASE = "https://example.org/docs/"
ROOT = Path(__file__).parents[2]
PAGE = "<!doctype html><title>Page</title>"


def write_site(folder: Path, *urls: str, pages: tuple[str, ...] = ("index.html",)) -> Path:
    """Write a site whose sitemap has the n-th URL (or the text of an entry) in line n + 1."""
    folder.mkdir()
    lines = [f"<urlset xmlns='{NAMESPACE}'>"]
    for url in urls:
        entry = url if url.startswith("<") else f"<loc>{BASE}{url}</loc>"
        lines.append(f"<url>{entry}</url>")
    (folder / "sitemap.xml").write_text("\n".join([*lines, "</urlset>"]), encoding="utf-8")
    for page in pages:
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        (folder / page).write_text(PAGE, encoding="utf-8")
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(*arguments: str) -> Result:
    result = CliRunner().invoke(command, ["check", *arguments], prog_name="docs-sitemap")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_a_site_that_mkdocs_built_is_in_order(project: Path) -> None:
    site = MkDocsSite.create(project, {"index.md": "# Home", "a.md": "# A", "404.md": "# No"})
    site.build()
    done = docs_sitemap("check", "--strict", "site", cwd=site.path)
    assert (done.code, done.err) == (0, "")
    assert done.out == "nothing is wrong in 1 sitemap, 2 URLs\n"


def test_findings_are_lines_that_editors_know_with_one_cure_for_each_code(here: Path) -> None:
    write_site(here / "site", "", "gone/", *(f"<loc>{BASE}{n} x</loc>" for n in range(12)))
    result = check("--ignore", "not-found", "site")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0] == (
        f"site/sitemap.xml:4: error loc-not-encoded: ' ' stands in it as it is ({BASE}0 x)"
    )
    assert lines[9:] == [
        f"site/sitemap.xml:13: error loc-not-encoded: ' ' stands in it as it is ({BASE}9 x)",
        "… and 2 more loc-not-encoded; --format json shows all",
        "",
        "How to mend it:",
        f"  loc-not-encoded: {CODES['loc-not-encoded'].cure}",
        "",
        f"12 errors, 13 ignored in 1 sitemap, 14 URLs (base URL {BASE} assumed)",
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
def test_exit_codes_say_whether_something_counts(
    here: Path, arguments: list[str], code: int
) -> None:
    write_site(here / "site", "", "gone/", pages=("index.html", "more.html"))
    assert check(*arguments, "site").exit_code == code


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ignore", "mising", "site"], "'mising' is no code of a finding; did you mean missing"),
        (["--ignore", "missing,qqq", "site"], "'qqq' is no code of a finding"),
        (["--base-url", "example.org", "site"], "'example.org' is not an absolute URL"),
        (["nowhere"], "'nowhere' does not exist"),
        (["--format", "xml", "site"], "'xml' is not one of"),
        (["--base-url", BASE, "site", "site"], "name one folder"),
        (["--report", "nowhere.json", "site"], "'nowhere.json' does not exist"),
        (["--report", "site/index.html", "site"], "is no report of a build"),
        (["--report", "site/index.html", "site", "site"], "name one folder"),
        (["--report", "site/index.html", "site/sitemap.xml"], "name one folder"),
        ([], "Missing argument"),
    ],
)
def test_wrong_use_says_what_is_wrong(here: Path, arguments: list[str], message: str) -> None:
    write_site(here / "site", "")
    result = check(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr.splitlines()[-1]
    assert result.stdout == ""


def test_json_has_all(here: Path) -> None:
    write_site(here / "site", "", *(f"gone{n}/" for n in range(20)))
    result = check("--format", "json", "site")
    assert result.exit_code == 1
    document = docs_sitemap("check", "--format", "json", "site", cwd=here).json()
    assert document.keys() == {"version", "findings", "summary"}
    assert len(document["findings"]) == 20
    assert document["findings"][0] == {
        "code": "not-found",
        "severity": "error",
        "message": "there is no file for 'gone0/'",
        "file": "site/sitemap.xml",
        "line": 3,
        "url": f"{BASE}gone0/",
        "cure": CODES["not-found"].cure,
        "more": 0,
    }
    assert document["summary"] == {
        "errors": 20,
        "warnings": 0,
        "ignored": 0,
        "sitemaps": 1,
        "urls": 21,
        "pages": 1,
        "assumed_base_urls": {"site": BASE},
        "unknown_base_urls": [],
        "folders_not_checked": {},
    }


def test_github_gets_annotations_whose_texts_are_escaped(here: Path) -> None:
    write_site(here / "a,b:c%", "", "100%25/", "<loc/>")
    lines = check("--format", "github", "a,b:c%").stdout.splitlines()
    assert lines == [
        "::error file=a%2Cb%3Ac%25/sitemap.xml,line=3,title=docs-sitemap not-found::"
        f"there is no file for '100%2525/' ({BASE}100%2525/); {CODES['not-found'].cure}",
        "::error file=a%2Cb%3Ac%25/sitemap.xml,line=4,title=docs-sitemap loc-missing::"
        f"its <loc> is empty; {CODES['loc-missing'].cure}",
        f"2 errors in 1 sitemap, 3 URLs (base URL {BASE} assumed)",
    ]


@pytest.mark.parametrize("form", ["text", "json", "github"])
def test_what_others_wrote_steers_no_terminal_and_is_no_markup(here: Path, form: str) -> None:
    write_site(here / "site", "", "[red]x[/]:smile:&#x9b;31m&#x202e;&#x85;/")
    (here / "site/\x1b[31m\n::error::x.html").write_text(PAGE, encoding="utf-8")
    out = docs_sitemap("check", "--format", form, "site", cwd=here).out
    assert all(c.isprintable() for c in out.replace("\n", ""))
    assert not re.search("^ *::error::x", out, flags=re.M)
    assert "[red]x[/]:smile:" in out
    assert "\\x1b[31m" in out


def test_folders_are_no_commands_to_github_and_text_to_programs(here: Path) -> None:
    bytes_name = os.fsdecode(b"##[error]\xff")
    for name in ("::error::x", bytes_name):
        write_site(here / name, "")
    out = docs_sitemap("check", "--format", "github", "::error::x", bytes_name, cwd=here).out
    assert out.startswith("Note: ::error::x: base URL")
    assert "##[error]" not in out
    document = docs_sitemap("check", "--format", "json", bytes_name, cwd=here).json()
    assert document["summary"]["assumed_base_urls"] == {"##[error]\\udcff": BASE}


def test_lines_are_not_wrapped_and_bare_in_a_pipe(here: Path) -> None:
    write_site(here / "site", "", f"{'long/' * 100}gone/")
    done = docs_sitemap("check", "site", cwd=here, COLUMNS="40")
    assert "\x1b" not in done.out + done.err
    assert f"{'long/' * 100}gone/)\n" in done.out
    assert done.err == ""


def test_any_encoding_of_the_output_will_do(here: Path) -> None:
    write_site(here / "site", "", *(f"{n}é/" for n in range(12)))
    done = docs_sitemap("check", "site", cwd=here, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.code == 1
    assert "\\u2026 and 2 more" in done.out


def test_several_sites_and_sitemaps_are_checked_at_once(here: Path) -> None:
    write_site(here / "one", "")
    write_site(here / "two", "gone/", "")
    assert check("one", "two", "one/sitemap.xml").stdout.splitlines() == [
        f"two/sitemap.xml:2: error not-found: there is no file for 'gone/' ({BASE}gone/)",
        "",
        "How to mend it:",
        f"  not-found: {CODES['not-found'].cure}",
        "",
        f"one: base URL {BASE} assumed",
        f"two: base URL {BASE} assumed",
        "1 error in 3 sitemaps, 4 URLs",
    ]
    assert check("--format", "github", "one", "two").stdout.splitlines()[1:] == [
        f"Note: one: base URL {BASE} assumed",
        f"Note: two: base URL {BASE} assumed",
        "1 error in 2 sitemaps, 3 URLs",
    ]


def test_a_base_url_that_nobody_knows_is_asked_for(here: Path) -> None:
    write_site(here / "site", "<loc>index.html</loc>", "<loc>a/</loc>")
    write_site(here / "good", "")
    remark = "base URL not known: no other files are checked; --base-url sets it"
    for form in ("text", "github"):
        lines = check("--format", form, "site").stdout.splitlines()
        assert lines[-1] == f"2 errors in 1 sitemap, 2 URLs ({remark})"
        lines = check("--format", form, "good", "site").stdout.splitlines()
        note = "Note: " * (form == "github")
        assert lines[-2:] == [f"{note}site: {remark}", "2 errors in 2 sitemaps, 3 URLs"]
    document = docs_sitemap("check", "--format", "json", "site", "good", cwd=here).json()
    assert document["summary"]["unknown_base_urls"] == ["site"]
    assert document["summary"]["assumed_base_urls"] == {"good": BASE}
    assert "not known" not in check("--base-url", BASE, "site").stdout
    assert "not known" not in check("site/sitemap.xml").stdout


@pytest.mark.parametrize(
    ("folders", "remark"),
    [
        (["de"], "de, which has a sitemap of its own"),
        (["1.0", "2.0", "de"], "1.0, 2.0, de, which have sitemaps of their own"),
        (
            ["1.0", "2.0", "3.0", "4.0", "de"],
            "1.0, 2.0, 3.0 and 2 more, which have sitemaps of their own",
        ),
    ],
)
def test_folders_that_are_not_checked_are_named(
    here: Path, folders: list[str], remark: str
) -> None:
    site = write_site(here / "site", "")
    for folder in folders:
        write_site(site / folder, f"{folder}/", pages=("index.html", "a/index.html"))
    out = check("site").stdout
    assert out == (
        f"nothing is wrong in 1 sitemap, 1 URL (base URL {BASE} assumed) (not checked: {remark})\n"
    )
    document = docs_sitemap("check", "--format", "json", "site", cwd=here).json()
    assert document["summary"]["folders_not_checked"] == {"site": folders}


def test_several_files_may_have_one_base_url(here: Path) -> None:
    write_site(here / "site", "")
    file = "site/sitemap.xml"
    assert check("--base-url", BASE, "site", file, file).exit_code == 0


def test_no_site_hides_the_findings_of_another(here: Path) -> None:
    write_site(here / "one", "", *(f"gone{n}/" for n in range(12)))
    write_site(here / "two", "gone/", "", *(f"gone{n}/" for n in range(10)))
    lines = check("one", "two").stdout.splitlines()
    assert [line for line in lines if line.startswith("…")] == [
        "… and 2 more not-found in one; --format json shows all",
        "… and 1 more not-found in two; --format json shows all",
    ]
    assert lines[11].startswith("two/sitemap.xml:2: error not-found")
    assert lines[-1] == "23 errors in 2 sitemaps, 25 URLs"


@pytest.mark.parametrize(
    ("arguments", "summary"),
    [([], "2,500 errors, 1 warning"), (["--ignore", "not-found"], "1 warning, 2,500 ignored")],
)
def test_what_is_not_held_is_counted(here: Path, arguments: list[str], summary: str) -> None:
    write_site(here / "site", "", "", *(f"gone{n}/" for n in range(2_500)))
    for form in ("text", "github"):
        last = check(*arguments, "--format", form, "site").stdout.splitlines()[-1]
        assert last.startswith(f"{summary} in 1 sitemap, 2,502 URLs")


def test_findings_that_are_not_held_are_promised_nowhere(here: Path) -> None:
    write_site(here / "site", "", *(f"gone{n}/" for n in range(2_500)))
    lines = check("site").stdout.splitlines()
    assert lines[10] == "… and 2,490 more not-found; --format json shows 1,000 in all"
    document = docs_sitemap("check", "--format", "json", "site", cwd=here).json()
    assert document["summary"]["errors"] == 2_500
    assert [finding["more"] for finding in document["findings"]] == [0] * 1_000 + [1_500]
    ignoring = docs_sitemap(
        "check", "--ignore", "not-found", "--format", "json", "site", cwd=here
    ).json()
    assert ignoring["findings"] == []
    assert (ignoring["summary"]["errors"], ignoring["summary"]["ignored"]) == (0, 2_500)


def test_what_the_build_left_out_is_not_missing(project: Path, tmp_path: Path) -> None:
    site = MkDocsSite.create(
        project, {"index.md": "# Home", "a.md": "# A"}, sitemap={"exclude": ["a.md"]}
    )
    site.repository.write({"report/.keep": ""})
    site.run("build")
    assert docs_sitemap("check", "--strict", "site", cwd=site.path).code == 0
    elsewhere = {"XDG_CACHE_HOME": str(tmp_path / "empty")}
    done = docs_sitemap("check", "--strict", "site", cwd=site.path, **elsewhere)
    assert done.code == 1
    assert "site/a/index.html: warning missing" in done.out


def test_a_report_can_be_named(project: Path, tmp_path: Path) -> None:
    sitemap = {"exclude": ["a.md"], "report": "report.json"}
    site = MkDocsSite.create(project, {"index.md": "# Home", "a.md": "# A"}, sitemap=sitemap)
    site.run("build")
    elsewhere = {"XDG_CACHE_HOME": str(tmp_path / "empty")}
    report = ["--report", "report.json"]
    done = docs_sitemap("check", "--strict", *report, "site", cwd=site.path, **elsewhere)
    assert (done.code, done.out) == (0, "nothing is wrong in 1 sitemap, 1 URL\n")


def test_the_example_in_the_docs_is_what_it_prints(here: Path) -> None:
    site = write_site(
        here / "site",
        pages=("index.html", "guide/index.html", "guide/setup/index.html", "news/index.html"),
    )
    entries = {"": "2026-05-31T08:30:00", "guide/": "2026-05-31", "old page/": "", "news/": ""}
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
    _, _, shown = (ROOT / "docs/check.md").read_text().partition("$ docs-sitemap check site\n")
    assert check("site").stdout == shown.partition("```")[0]


def test_the_reference_lists_all_codes() -> None:
    page = (ROOT / "docs/check.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \| (error|warning) \| (.+) \| (.+) \|$", page, re.M)
    assert [
        (name, severity, row.replace("`", ""), cure.replace("`", ""))
        for name, severity, row, cure in rows
    ] == [(code.name, code.severity, code.meaning, code.cure) for code in CODES.values()]
