"""Files that are for search engines or scripts, not for readers, are left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.cli import invoke
from support.sitemaps import check, page, write_site

ADDRESS = "https://docs.acme.io/"
SHELL = page(
    body='<div id="root"></div><noscript>Off</noscript><script src="a.js"></script>'
)
REDOC = page(body='<redoc spec-url="a.json"></redoc><script src="redoc.js"></script>')
OWNER = "<html><body>Verification: 0123456789abcdef</body></html>"

LEFT_OUT = {
    "proofs of owners": (
        {
            "yandex_0123456789abcdef.html": OWNER,
            "pinterest-fd3c2.html": page("Pinterest"),
            "google0123456789abcdef.html": page(),
            f"naver{'0123456789abcdef' * 2}.html": OWNER,
            "baidu_verify_codeva-AbCdEf1.html": OWNER,
            "mailru-verification0123456789abcdef.html": OWNER,
        },
        "generator-page",
    ),
    "fallbacks of applications": (
        {
            "200.html": SHELL.replace("root", "1"),
            "spa-fallback.html": SHELL.replace("root", "2"),
            "app/__spa-fallback.html": SHELL.replace("root", "3"),
            "offline-plugin-app-shell-fallback/index.html": SHELL.replace("root", "4"),
        },
        "app-shell",
    ),
    "equal empty pages": (
        {"board/index.html": SHELL, "dash/index.html": SHELL},
        "app-shell",
    ),
}

LISTED = {
    "pages with similar names": {
        "google.html": page("Google"),
        "pinterest-guide.html": page("Pinterest"),
        "yandex_metrica.html": page("Yandex"),
        "a/yandex_0123456789abcdef.html": page("A folder"),
        "spa-fallback.html": page("How to write a fallback"),
    },
    "pages that scripts fill": {
        "api.html": REDOC,
        "v1/api.html": REDOC.replace("a.json", "b.json"),
        "powershell.html": REDOC.replace("a.json", "c.json"),
        "fallback-fonts.html": REDOC.replace("a.json", "d.json"),
    },
    "equal pages with text": {"a.html": page("One"), "b.html": page("One")},
    "equal pages without scripts": {
        "a.html": page(body="<img src=a.png>"),
        "b.html": page(body="<img src=a.png>"),
    },
}


def list_names(folder: Path, files: dict[str, str]) -> tuple[set[str], set[str]]:
    """Return the files that `generate` lists, and those that `check` misses."""
    site = write_site(folder / "site", {"index.html": page("Home"), **files})
    done = invoke("generate", site, "--base-url", ADDRESS, "--dry-run")
    listed = set(re.findall(r"^no date +(\S+)  ", done.out, re.M))
    sitemap = f"<url><loc>{ADDRESS}</loc></url>"
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    write_site(site, {"sitemap.xml": f"<urlset xmlns='{namespace}'>{sitemap}</urlset>"})
    missing = set()
    for one in check(site).diagnostics:
        assert one.code == "missing"
        missing.add(str(one.file).removeprefix(f"{site}/"))
    return listed - {"./"}, missing


@pytest.mark.parametrize("case", LEFT_OUT)
def test_files_that_are_not_for_readers_are_left_out(tmp_path: Path, case: str) -> None:
    files, reason = LEFT_OUT[case]
    assert list_names(tmp_path, files) == (set(), set())
    options = tmp_path / "docs-sitemap.toml"
    options.write_text(f'base_url = "{ADDRESS}"\nignore_reasons = ["{reason}"]')
    done = invoke("generate", tmp_path / "site", "--config", options, "--dry-run")
    assert f"{len(files) + 1} pages listed" in done.out


@pytest.mark.parametrize("case", LISTED)
def test_other_files_are_listed(tmp_path: Path, case: str) -> None:
    files = LISTED[case]
    assert list_names(tmp_path, files) == (set(files), set(files))


def test_home_page_of_an_application_is_listed(tmp_path: Path) -> None:
    files = {"index.html": SHELL, "404.html": SHELL, "200.html": SHELL}
    assert list_names(tmp_path, files) == (set(), set())
    done = invoke("generate", tmp_path / "site", "--base-url", ADDRESS)
    assert "1 page listed" in done.out
