"""Where a built site is published: each kind of evidence, and what contradicts it."""

from __future__ import annotations

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


def build(
    *,
    canonical: str = "",
    sitemap: str = "",
    assets: str = "",
    **files: str,
) -> None:
    """Write a site. The texts are the base URLs that parts of it name."""
    head = "<title>Page</title>"
    if assets:
        head += f'<link rel="stylesheet" href="{assets}css/a.css?v=1">'
        head += f'<script src="{assets}js/a.js"></script>'
        head += '<script src="https://cdn.example/{}/x.js"></script>'
        head += '<script src="//cdn.example/js/a.js"></script>'
    content = {}
    locs = []
    for name in PAGES:
        path = name.removesuffix("index.html")
        link = f'<link rel="canonical" href="{canonical}{path}">' if canonical else ""
        content[name] = f"<!doctype html><html><head>{head}{link}</head><body>x</body>"
        locs.append(f"<url><loc>{sitemap}{path}</loc></url>")
    if sitemap:
        content["sitemap.xml"] = urlset(*locs)
    write_site(Path("site"), {**content, "css/a.css": "", "js/a.js": "", **files})


def add_remotes(repository: Repository, *remotes: str) -> None:
    for number, remote in enumerate(remotes):
        repository.git("remote", "add", f"r{number}", remote)


def generated(*options: str) -> str:
    """Return the base URL of the sitemap that `generate` writes."""
    done = invoke("generate", "site", *options)
    assert done.code == 0, done
    return read(Path("site/sitemap.xml").read_bytes())[0].loc


def error(*options: str) -> str:
    done = invoke("generate", "site", *options)
    assert done.code == 2, done
    assert "the URL of the site is unknown" in done.err
    assert "Fix: set it, for example with --base-url" in done.err
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
        ({"canonical": f"{OWN}v1/", "assets": "/v1/"}, f"{OWN}v1/"),
        ({"CNAME": "docs.example.org\n"}, OWN),
        ({"CNAME": "docs.example.org", "assets": "/"}, OWN),
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
    ("remote", "assets", "url"),
    [
        ("git@github.com:example/project.git", "/project/", PAGES_OF_GITHUB),
        ("https://me:t@ken@github.com/Example/project", "/project/", PAGES_OF_GITHUB),
        (
            "https://github.com/example/Example.github.io",
            "/",
            "https://example.github.io/",
        ),
        ("https://gitlab.com/a/b/c.git", "/b/c/", "https://a.gitlab.io/b/c/"),
        ("https://gitlab.com/a/a.gitlab.io.git", "/", "https://a.gitlab.io/"),
    ],
)
def test_the_address_of_a_project_with_assets_that_fit(
    repository: Repository, remote: str, assets: str, url: str
) -> None:
    add_remotes(repository, remote)
    build(assets=assets)
    done = invoke("generate", "site", "--dry-run")
    assert done.code == 0
    assert (
        f"Note: the URL of the site is assumed to be {url}, because of the remote of "
        "the git repository. Fix: set --base-url if this is incorrect" in done.err
    )
    assert generated() == url


@pytest.mark.parametrize(
    ("remotes", "assets"),
    [
        (["https://github.com/example/project"], ""),
        (["https://github.com/example/project"], "/"),
        (["https://github.com/example/project"], "/other/"),
        (["https://github.com/example/project"], "/project/v1/"),
        (["https://git.example.org/example/project"], "/project/"),
        (["https://github.com/a/project", "https://github.com/b/project"], "/project/"),
        (["/srv/github.com/example/project"], "/project/"),
        ([], "/project/"),
    ],
)
def test_a_remote_alone_decides_nothing(
    repository: Repository, remotes: list[str], assets: str
) -> None:
    add_remotes(repository, *remotes)
    build(assets=assets)
    assert "neither canonical links nor a sitemap" in error()


def test_assets_that_open_no_files_decide_nothing(repository: Repository) -> None:
    add_remotes(repository, "https://github.com/example/project")
    build(assets="/project/")
    Path("site/css/a.css").unlink()
    error()


def test_assets_of_an_error_page_contradict_nothing(repository: Repository) -> None:
    asset = '<title>x</title><link rel="stylesheet" href="{}css/a.css">'
    build(
        sitemap=f"{OWN}docs/",
        **{"404.html": asset.format("/"), "c.html": asset.format("")},
    )
    assert generated() == f"{OWN}docs/"
    assert contradictions() == []


@pytest.mark.parametrize(
    "head",
    [
        '<link rel="icon" href="/favicon.ico">',
        '<link rel="stylesheet" href="css/a.css"><script src="/js/a.js"></script>',
    ],
)
def test_what_can_be_at_the_root_of_the_host_contradicts_nothing(
    repository: Repository, head: str
) -> None:
    pages = dict.fromkeys(PAGES, f"<!doctype html><title>Page</title>{head}<p>x</p>")
    build(sitemap=f"{OWN}docs/", **{**pages, "favicon.ico": ""})
    assert generated() == f"{OWN}docs/"
    assert contradictions() == []


def test_a_remote_contradicts_nothing(repository: Repository) -> None:
    add_remotes(repository, "https://github.com/example/project")
    build(sitemap=OWN, assets="/")
    assert generated() == OWN


@pytest.mark.parametrize(
    ("site", "named"),
    [
        (
            {"sitemap": "https://a.example/", "canonical": "https://b.example/"},
            "https://a.example/ (the sitemap) and "
            "https://b.example/ (the canonical links)",
        ),
        (
            {"sitemap": OWN, "assets": "/docs/"},
            f"{OWN} (the sitemap) and /docs/ (the paths of stylesheets and scripts)",
        ),
        (
            {"canonical": f"{OWN}a/", "assets": "/b/"},
            f"{OWN}a/ (the canonical links) and /b/ (the paths of",
        ),
        (
            {"sitemap": PAGES_OF_GITHUB, "CNAME": "docs.example.org"},
            f"{PAGES_OF_GITHUB} (the sitemap) and {OWN} (the file CNAME)",
        ),
        (
            {"CNAME": "docs.example.org", "assets": "/docs/"},
            f"{OWN} (the file CNAME) and /docs/ (the paths of",
        ),
    ],
)
def test_contradictions(
    repository: Repository, site: dict[str, str], named: str
) -> None:
    build(**site)
    before = {path: path.read_bytes() for path in Path("site").rglob("*.xml")}
    assert f"the site itself names {named}" in error()
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
    assert "canonical links name a local server, as in a.html" in error()


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


def test_an_option_that_the_assets_do_not_fit(repository: Repository) -> None:
    build(assets="/docs/")
    done = invoke("generate", "site", "--base-url", OWN)
    assert done.code == 0
    assert (
        f"Note: the URL of the site is {OWN}, but the site itself names /docs/ (the paths of "
        "stylesheets and scripts). Fix: correct --base-url" in done.err
    )
    assert "names" not in invoke("generate", "site", "--base-url", f"{OWN}docs/").err


def test_a_report_of_a_site_that_names_its_address(repository: Repository) -> None:
    build(CNAME="docs.example.org")
    done = invoke("report", "site", "--format", "json")
    assert done.json()["base_url"] == OWN
    assert f"assumed to be {OWN}, because of the file CNAME" in done.err


def test_check_compares_the_sitemap_with_other_evidence(repository: Repository) -> None:
    """The sitemap lacks the base path of the site."""
    build(sitemap=OWN, assets="/docs/")
    assert checked()["assumed_base_url"] == OWN
    done = invoke("check", "site")
    assert done.code == 1
    assert f"Note: site: assumed base URL: {OWN}\n" in done.out
    assert (
        f"site/sitemap.xml: error base-url: {OWN} (the sitemap) contradicts /docs/ (the "
        "paths of stylesheets and scripts)\n" in done.out
    )
    named = ("--base-url", f"{OWN}docs/")
    assert checked(*named)["assumed_base_url"] is None
    assert contradictions(*named) == []
    assert contradictions("--base-url", OWN) == [
        f"{OWN} (the option base_url) contradicts /docs/ (the paths of stylesheets and "
        "scripts)"
    ]


def test_check_compares_the_report_with_other_evidence(repository: Repository) -> None:
    build()
    assert invoke("generate", "site", "--base-url", f"{OWN}a/").code == 0
    assert contradictions() == []
    write_site(Path("site"), {"CNAME": "elsewhere.example"})
    assert contradictions() == [
        f"{OWN}a/ (the report of the build) contradicts https://elsewhere.example/ (the "
        "file CNAME)"
    ]


REMOTE = "git@github.com:Example/project.git"
ROOT_OF_GITHUB = "https://example.github.io/"


@pytest.mark.parametrize(
    ("url", "remotes", "published"),
    [
        (ROOT_OF_GITHUB, [REMOTE], PAGES_OF_GITHUB),
        (f"{ROOT_OF_GITHUB}other/", [REMOTE], PAGES_OF_GITHUB),
        (f"{ROOT_OF_GITHUB}project2/", [REMOTE], PAGES_OF_GITHUB),
        ("https://github.com/example/project/", [], PAGES_OF_GITHUB),
        (
            "https://a.gitlab.io/c/",
            ["https://gitlab.com/a/b/c"],
            "https://a.gitlab.io/b/c/",
        ),
        ("https://gitlab.com/a/b/c/", [REMOTE], "https://a.gitlab.io/b/c/"),
    ],
)
def test_a_remote_contradicts_an_address_at_the_same_service(
    repository: Repository, url: str, remotes: list[str], published: str
) -> None:
    add_remotes(repository, *remotes)
    build(sitemap=url)
    named = f"{url} (the sitemap)", f"{published} (the remote of the git repository)"
    assert contradictions() == [" contradicts ".join(named)]
    assert f"the site itself names {' and '.join(named)}" in error()


@pytest.mark.parametrize(
    ("url", "remotes", "assets"),
    [
        (f"{PAGES_OF_GITHUB}1.0/", [REMOTE], ""),
        (f"{ROOT_OF_GITHUB}Project/", [REMOTE], ""),
        # A fork is published elsewhere, or has the address of the original.
        (PAGES_OF_GITHUB, ["https://github.com/me/project"], ""),
        (PAGES_OF_GITHUB, [REMOTE, "https://github.com/example/fork"], ""),
        # The site of an owner.
        (ROOT_OF_GITHUB, ["https://github.com/example/example.github.io"], ""),
        (
            f"{ROOT_OF_GITHUB}docs/",
            ["https://github.com/example/example.github.io"],
            "",
        ),
        # Another repository publishes the site.
        (ROOT_OF_GITHUB, [REMOTE], "/"),
        (f"{ROOT_OF_GITHUB}other/", [REMOTE], "/other/"),
        (PAGES_OF_GITHUB, [], ""),
    ],
)
def test_addresses_that_no_remote_contradicts(
    repository: Repository, url: str, remotes: list[str], assets: str
) -> None:
    add_remotes(repository, *remotes)
    build(sitemap=url, assets=assets)
    assert contradictions() == []
    assert generated() == url


def test_an_option_that_a_remote_does_not_fit(repository: Repository) -> None:
    add_remotes(repository, REMOTE)
    build()
    done = invoke("generate", "site", "--base-url", ROOT_OF_GITHUB)
    assert done.code == 0
    assert (
        f"Note: the URLs of the sitemap start with {ROOT_OF_GITHUB}, but the pages of "
        f"the git repository are at {PAGES_OF_GITHUB}. Fix: correct the address of the "
        "site; ignore this if the site is published elsewhere.\n" in done.err
    )
    assert contradictions("--base-url", ROOT_OF_GITHUB) == []


def test_an_option_that_names_a_repository(repository: Repository) -> None:
    build()
    done = invoke("generate", "site", "--base-url", "https://github.com/example/a")
    assert done.code == 2
    assert (
        "https://github.com/example/a/ is the URL of a repository, not of its pages. "
        "Fix: set the URL of the published site, such as https://example.github.io/a/"
        in done.err
    )


def test_an_option_with_another_domain_than_cname(repository: Repository) -> None:
    build(CNAME="docs.example.org")
    for url in (OWN, WITH_WWW, "http://docs.example.org/v1/"):
        assert "CNAME" not in invoke("generate", "site", "--base-url", url).err
    done = invoke("generate", "site", "--base-url", PAGES_OF_GITHUB)
    assert f"but the file CNAME names {OWN}. Fix: correct the address" in done.err


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
