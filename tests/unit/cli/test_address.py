"""Where a built site is published: each kind of evidence, and what contradicts it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from support.cli import invoke
from support.readers import read
from support.repository import Repository
from support.sitemaps import urlset, write_site

PAGES = ("index.html", "a.html", "b/index.html")
OWN = "https://docs.example.org/"
WITH_WWW = "https://www.docs.example.org/"
PAGES_OF_GITHUB = "https://example.github.io/project/"


@pytest.fixture
def repository(project: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    repository = Repository.create(project)
    repository.commit({"docs/a.md": "a"}, day=1)
    monkeypatch.chdir(project)
    return repository


def build(*, canonical: str = "", sitemap: str = "", **files: str) -> None:
    """Write a site. The texts are the base URLs that parts of it name."""
    head = "<title>Page</title>"
    content = {}
    locs = []
    for name in PAGES:
        path = name.removesuffix("index.html")
        link = f'<link rel="canonical" href="{canonical}{path}">' if canonical else ""
        content[name] = f"<!doctype html><html><head>{head}{link}</head><body>x</body>"
        locs.append(f"<url><loc>{sitemap}{path}</loc></url>")
    if sitemap:
        content["sitemap.xml"] = urlset(*locs)
    write_site(Path("site"), {**content, **files})


def generated(*options: str) -> str:
    """Return the base URL of the sitemap that `generate` writes."""
    done = invoke("generate", "site", *options)
    assert done.code == 0, done
    return read(Path("site/sitemap.xml").read_bytes())[0].loc


def error(*options: str) -> str:
    done = invoke("generate", "site", *options)
    assert done.code == 2, done
    assert "is unknown" in done.err
    assert "--base-url" in done.err
    return done.err


def checked(*options: str) -> Mapping[str, object]:
    (path,) = invoke("check", "site", "--format", "json", *options).json()["paths"]
    return path  # type: ignore[no-any-return]


def contradictions(*options: str) -> list[str]:
    """Return the messages of `check` about the address."""
    diagnostics = checked(*options)["diagnostics"]
    return [one["message"] for one in diagnostics if one["code"] == "base-url"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("site", "url"),
    [
        ({"canonical": OWN}, OWN),
        ({"sitemap": OWN}, OWN),
        ({"canonical": OWN, "sitemap": OWN}, OWN),
        ({"CNAME": "docs.example.org\n"}, OWN),
        ({"CNAME": "docs.example.org", "sitemap": "http://docs.example.org/"}, None),
        ({"CNAME": "docs.example.org", "sitemap": f"{OWN}1.0/"}, f"{OWN}1.0/"),
        ({"CNAME": "www.docs.example.org", "canonical": OWN}, OWN),
        ({"CNAME": "docs.example.org", "canonical": WITH_WWW}, WITH_WWW),
        # Others than the host have set these.
        ({"canonical": OWN, "sitemap": "http://127.0.0.1:4000/"}, OWN),
        ({"CNAME": "docs.example.org", "sitemap": "http://localhost/"}, OWN),
    ],
)
def test_what_the_site_itself_names(
    repository: Repository, site: dict[str, str], url: str | None
) -> None:
    build(**site)
    assert generated() == (url or "http://docs.example.org/")


@pytest.mark.parametrize(
    ("site", "named"),
    [
        (
            {"sitemap": "https://a.example/", "canonical": "https://b.example/"},
            "https://a.example/ (the sitemap) and "
            "https://b.example/ (the canonical links)",
        ),
        (
            {"sitemap": PAGES_OF_GITHUB, "CNAME": "docs.example.org"},
            f"{PAGES_OF_GITHUB} (the sitemap) and {OWN} (the file CNAME)",
        ),
    ],
)
def test_contradictions(
    repository: Repository, site: dict[str, str], named: str
) -> None:
    build(**site)
    before = {path: path.read_bytes() for path in Path("site").rglob("*.xml")}
    assert f"the site declares {named}" in error()
    assert {path: path.read_bytes() for path in before} == before
    if "canonical" not in site:
        assert generated("--base-url", "https://c.example/") == "https://c.example/"


def test_a_page_that_was_published_elsewhere_contradicts_nothing(
    repository: Repository,
) -> None:
    link = '<title>x</title><link rel="canonical" href="https://blog.example/a.html">'
    build(sitemap=OWN, **{"a.html": link})
    assert generated() == OWN


def test_canonical_links_to_a_local_server_and_a_sitemap(
    repository: Repository,
) -> None:
    build(canonical="http://localhost:3000/", sitemap=OWN)
    assert checked()["assumed_base_url"] == OWN
    assert contradictions() == []


@pytest.mark.parametrize("server", ["http://localhost:3000/", "https://[::1]/docs/"])
def test_canonical_links_to_a_local_server(repository: Repository, server: str) -> None:
    build(canonical=server)
    expected = "canonical links lead to a local server, as in a.html. Fix: set the add"
    assert expected in error()
    build(canonical=server, CNAME="docs.example.org")
    assert expected in error()
    done = invoke("generate", "site", "--base-url", OWN)
    assert done.code == 1
    assert f"leads to '{server}" in done.err


@pytest.mark.parametrize(
    "domain",
    [
        "",
        "a.example\nb.example",
        "https://a.example",
        "a.example/docs",
        "localhost",
        "a b.c",
        "\udcff.d",
    ],
)
def test_an_invalid_domain(repository: Repository, domain: str) -> None:
    build()
    Path("site/CNAME").write_bytes(domain.encode("utf-8", "surrogateescape"))
    error()


def test_a_report_of_a_site_that_names_its_address(repository: Repository) -> None:
    build(CNAME="docs.example.org")
    done = invoke("report", "site", "--format", "json")
    assert done.json()["base_url"] == OWN
    assert f"assumed to be {OWN}, " in done.err
    assert "CNAME" in done.err


def test_check_compares_the_sitemap_with_other_evidence(repository: Repository) -> None:
    build(sitemap=PAGES_OF_GITHUB, CNAME="docs.example.org")
    assert checked()["assumed_base_url"] == PAGES_OF_GITHUB
    assert contradictions() == [
        f"{PAGES_OF_GITHUB} (the sitemap) contradicts {OWN} (the file CNAME)"
    ]
    assert checked("--base-url", OWN)["assumed_base_url"] is None
    assert contradictions("--base-url", OWN) == []


def test_what_decides_nothing(repository: Repository) -> None:
    """Stylesheets and git remotes would only be a guess."""
    repository.git("remote", "add", "origin", "https://github.com/example/project")
    asset = '<title>x</title><link rel="stylesheet" href="/project/a.css">'
    build(**{"a.html": asset, "a.css": ""})
    assert "no sitemap lists URLs" in error()
    build(sitemap="https://example.github.io/", **{"a.html": asset})
    assert contradictions() == []


def test_check_compares_the_report_with_other_evidence(repository: Repository) -> None:
    build(canonical=f"{OWN}a/")
    assert invoke("generate", "site").code == 0
    assert contradictions() == []
    write_site(Path("site"), {"CNAME": "elsewhere.example"})
    (message,) = contradictions()
    assert message.startswith(f"{OWN}a/ (the report ")
    assert "contradicts https://elsewhere.example/ (" in message
    assert message.endswith("CNAME)")


@pytest.mark.parametrize("options", [("--base-url", PAGES_OF_GITHUB), ("--update",)])
def test_check_accepts_the_address_that_the_user_has_set(
    repository: Repository, options: tuple[str, ...]
) -> None:
    """In an option, or in the configuration."""
    build(CNAME="docs.example.org", sitemap=PAGES_OF_GITHUB)
    settings = f'report = "report.json"\nbase_url = "{PAGES_OF_GITHUB}"\n'
    Path("docs-sitemap.toml").write_text(settings)
    done = invoke("generate", "site", *options)
    assert f"CNAME contains {OWN}. " in done.err
    assert "docs-sitemap check" not in done.err
    assert contradictions() == []
    assert contradictions("--report", "report.json") == []
    # Reports of earlier versions do not say who has set the address.
    report = json.loads(Path("report.json").read_bytes())
    del report["is_address_chosen"]
    Path("old.json").write_text(json.dumps(report))
    assert len(contradictions("--report", "old.json")) == 1


def test_an_option_with_another_domain_than_cname(repository: Repository) -> None:
    build(CNAME="docs.example.org")
    for url in (OWN, WITH_WWW, "http://docs.example.org/v1/"):
        assert "CNAME" not in invoke("generate", "site", "--base-url", url).err
    done = invoke("generate", "site", "--base-url", PAGES_OF_GITHUB)
    assert f"CNAME contains {OWN}. " in done.err


def test_check_without_a_valid_url_in_the_sitemap(repository: Repository) -> None:
    build(canonical=OWN)
    write_site(Path("site"), {"sitemap.xml": urlset("<url><loc>a.html</loc></url>")})
    path = checked()
    assert path["assumed_base_url"] == OWN
    assert path["is_base_url_known"]


def test_explain_without_a_sitemap(repository: Repository) -> None:
    build(canonical=OWN)
    done = invoke("explain", "site", "a.html", "--format", "json")
    (result,) = done.json()["results"]
    assert result["pages"][0]["url"] == f"{OWN}a.html"
