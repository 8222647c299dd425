"""`docs-sitemap submit`: from nothing to submitted, and everything that can fail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pytest
from support.cli import Done, docs_sitemap, invoke
from support.origin import IndexNow, Origin, Reply, always, hang_up, in_turn, serve
from support.repository import Repository
from support.sitemaps import index, page, url, urlset, write_site

KEY = "0123456789abcdef"
PAGES = ("", "guide/", "setup/", "news/", "faq/", "api/")


@dataclass
class Project:
    """A site that is deployed on a local origin, at `/docs/`."""

    root: Path
    origin: Origin
    indexnow: IndexNow

    @property
    def base(self) -> str:
        return f"{self.origin.url}docs/"

    @property
    def site(self) -> Path:
        return self.root / "site"

    def build(self, dates: dict[str, str], key: str = KEY) -> None:
        files = {f"{path}index.html": page() for path in dates}
        lines = []
        for path, date in dates.items():
            lines.append(url(self.base + path, f"<lastmod>{date}</lastmod>"))
        write_site(
            self.site, {**files, "sitemap.xml": urlset(*lines), "indexnow.txt": key}
        )

    def submit(self, *options: str | Path, key: bool = True) -> Done:
        arguments: list[str | Path] = ["submit", f"{self.base}sitemap.xml", *options]
        if key:
            arguments += ["--key-file", self.site / "indexnow.txt"]
        arguments += ["--endpoint", f"{self.origin.url}indexnow"]
        return invoke(*arguments, cwd=self.root)

    def send(self, *options: str | Path) -> Done:
        return self.submit("--since", "2024-01-05", "--send", *options)

    def sent(self) -> list[str]:
        return [sent.removeprefix(self.base) for sent in self.indexnow.urls]

    def reply(self, path: str, reply: Reply) -> None:
        self.origin.replies[f"/docs/{path}"] = reply


def dates(**changed: str) -> dict[str, str]:
    """Return the dates of all pages, one a day from January 1, except for some."""
    result = {}
    for day, path in enumerate(PAGES, start=1):
        name = path.strip("/") or "home"
        result[path] = changed.get(name, f"2024-01-0{day}T10:00:00+00:00")
    return result


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    def read(location: str) -> str:
        with urlopen(location) as answer:  # noqa: S310
            return str(answer.read().decode())

    with serve(tmp_path / "site", "/docs/") as origin:
        indexnow = IndexNow(read)
        origin.replies["/indexnow"] = indexnow
        project = Project(tmp_path, origin, indexnow)
        project.build(dates())
        yield project


def test_the_changed_pages_are_sent(project: Project) -> None:
    done = project.send()
    assert done.code == 0, done
    assert project.sent() == ["faq/", "api/"]
    assert (
        "2 of 6 pages changed since 2024-01-05T00:00:00+00:00 (2024-01-05)\n"
        in done.out
    )
    assert f"  {project.base}api/  2024-01-06T10:00:00+00:00\n" in done.out
    assert "Sent 2 URLs" in done.out


def test_nothing_is_sent_by_default(project: Project) -> None:
    done = project.submit("--since", "2024-01-05")
    assert done.code == 0
    assert done.out.endswith("Nothing was sent. Add --send to tell IndexNow.\n")
    assert "/indexnow" not in project.origin.paths


def test_a_commit_is_the_last_deployment(project: Project) -> None:
    repository = Repository.create(project.root)
    for day in range(1, 7):
        repository.commit({"a": str(day)}, day=day)
    # The fourth commit was on January 4, at 10:00 in UTC.
    done = project.submit("--since", "HEAD~2", "--send")
    assert done.code == 0, done
    assert project.sent() == ["faq/", "api/"]
    assert "since 2024-01-04T10:00:00+00:00 (HEAD~2)" in done.out


def test_a_day_without_a_time_counts_on_the_day_of_the_commit(project: Project) -> None:
    repository = Repository.create(project.root)
    repository.commit({"a": ""}, day=4)
    project.build(dates(news="2024-01-04", setup="2024-01-03", api="2024"))
    done = project.submit("--since", "HEAD", "--send")
    assert done.code == 0, done
    assert project.sent() == ["news/", "faq/"]


@pytest.mark.parametrize(
    ("since", "message"),
    [
        ("v1", "'v1' is neither a date such as 2026-05-31 nor a commit"),
        ("-x", "is not the name of a branch, tag, or commit"),
        ("0" * 40, "nor a commit in this clone"),
        ("2024-02-30", "the date does not exist"),
        ("2024-02-01T10:00", "nor a time with its zone"),
    ],
)
def test_unknown_commits_and_dates(project: Project, since: str, message: str) -> None:
    Repository.create(project.root).commit({"a": ""}, day=4)
    done = project.submit(f"--since={since}")
    assert done.code == 2
    assert message in done.err


def test_the_previous_sitemap_shows_new_and_removed_pages(project: Project) -> None:
    old = dates()
    write_site(
        project.root / "old",
        {"sitemap.xml": project.site.joinpath("sitemap.xml").read_bytes()},
    )
    new = dates(guide="2024-02-01T10:00:00+00:00") | {"new/": "2024-01-01"}
    del new["api/"], new["faq/"]
    project.build(new)
    (project.site / "api/index.html").unlink()
    faq = '<meta http-equiv="refresh" content="0; url=/docs/new/">'
    (project.site / "faq/index.html").write_text(page(head=faq))
    for previous in ("old", "old/sitemap.xml"):
        project.indexnow.urls.clear()
        done = project.submit("--previous", previous, "--send")
        assert done.code == 0, done
        assert project.sent() == ["guide/", "new/", "api/", "faq/"]
        assert "2 pages removed:" in done.out
    assert old.keys() - new.keys() == {"api/", "faq/"}


def test_the_previous_sitemap_may_be_the_live_one(project: Project) -> None:
    """The site is deployed while the command waits."""
    previous = project.site.joinpath("sitemap.xml").read_bytes()
    project.build(dates() | {"moved/": "2024-01-01"})
    built = project.site.joinpath("sitemap.xml").read_bytes()
    project.reply("sitemap.xml", in_turn(always(200, previous), always(200, built)))
    live = f"{project.base}sitemap.xml"
    done = project.submit("--previous", live, "--site", "site", "--send")
    assert done.code == 0, done
    assert project.sent() == ["moved/"]


@pytest.mark.parametrize("since", ["2024-01-05", "2024-02-01"])
def test_dates_show_no_new_and_no_removed_urls(project: Project, since: str) -> None:
    done = project.submit("--since", since)
    message = "Moved and removed pages are not included: no date shows them. Fix: use "
    assert f"{message}--previous\n" in done.out


def test_other_spellings_of_urls_are_no_changes(project: Project) -> None:
    """The sitemap is the same one, but written by another generator."""
    listed = {
        f"{project.base}{path}": f"2024-01-0{day}" for day, path in enumerate(PAGES, 1)
    }

    def respell(spelled: str) -> str:
        return urlset(
            *(
                url(loc.replace("a", spelled), f"<lastmod>{date}</lastmod>")
                for loc, date in listed.items()
            )
        )

    base = project.base.replace("http:", "HTTP:").replace("docs", "do%63s")
    old = respell("%61").replace(project.base, base)
    write_site(project.root, {"old.xml": old})
    write_site(project.site, {"sitemap.xml": respell("a")})
    done = project.submit("--previous", "old.xml", "--site", "site", "--send")
    assert done.code == 0, done
    assert "0 of 6 pages changed" in done.out
    assert "removed" not in done.out
    # The live sitemap is the one that was built.
    project.reply("sitemap.xml", always(200, respell("%61")))
    done = project.send("--site", "site")
    assert done.code == 0, done
    assert project.sent() == ["faq/", "api/"]


def test_a_removed_page_that_is_still_live_is_left_out(project: Project) -> None:
    write_site(
        project.root,
        {"old.xml": urlset(url(f"{project.base}old/"), url(f"{project.base}gone/"))},
    )
    write_site(project.site, {"old/index.html": page()})
    project.reply("gone/", always(301, Location="/docs/old-faq/"))
    project.reply("old-faq/", always(302, Location="/docs/faq/"))
    done = project.submit("--previous", "old.xml", "--send", "--allow-same-dates")
    assert done.code == 1, done
    assert "old/  it was removed" in done.out
    assert project.sent() == [*PAGES, "gone/"]
    for target in ("/docs/missing/", "/docs/gone/", "/docs/old-faq/"):
        project.indexnow.urls.clear()
        project.reply("old-faq/", always(302, Location=target))
        done = project.submit("--previous", "old.xml", "--send", "--allow-same-dates")
        assert "gone/  it was removed" in done.out
        assert project.sent() == [*PAGES]
    project.reply("old-faq/", always(302, Location="https://elsewhere.example/"))
    done = project.submit("--previous", "old.xml", "--send", "--allow-same-dates")
    assert "gone/  it was" not in done.out


def test_the_previous_sitemap_may_be_a_folder_a_file_or_a_url(
    project: Project,
) -> None:
    sitemap = project.site.joinpath("sitemap.xml").read_text()
    parts = {
        "old/sitemap.xml": sitemap,
        "dev/sitemap.xml": index(f"{project.base}parts/sitemap-1.xml"),
        "dev/parts/sitemap-1.xml": sitemap,
    }
    write_site(project.root, {"dev/guide/index.html": page(), **parts})
    project.reply("old.xml", always(200, sitemap))
    project.build(dates(guide="2024-02-01T10:00:00+00:00"))
    for previous in ("old", "dev", "old/sitemap.xml", f"{project.base}old.xml"):
        project.indexnow.urls.clear()
        done = project.submit("--previous", previous, "--send")
        assert done.code == 0, done
        assert project.sent() == ["guide/"]


def test_a_previous_sitemap_of_another_origin_is_refused(project: Project) -> None:
    """For example, the one of a preview: all pages would be new or gone."""
    sitemap = project.site.joinpath("sitemap.xml").read_text()
    preview = sitemap.replace(project.origin.url, "https://preview.example/")
    write_site(project.root, {"old.xml": preview})
    done = project.submit("--previous", "old.xml", "--send")
    assert done.code == 3
    assert "lists only URLs of https://preview.example, but the new one" in done.err
    assert project.sent() == []


def test_a_previous_sitemap_may_list_nothing(project: Project) -> None:
    write_site(project.root, {"old.xml": urlset()})
    done = project.submit("--previous", "old.xml", "--send")
    assert done.code == 0, done
    assert project.sent() == [*PAGES]


def test_a_site_may_lose_all_of_its_pages(project: Project) -> None:
    write_site(project.root, {"old.xml": urlset(url(f"{project.base}gone/"))})
    project.build({})
    done = project.submit("--previous", "old.xml", "--send")
    assert done.code == 0, done
    assert project.sent() == ["gone/"]


def test_a_host_that_does_not_exist_is_probably_misspelled(project: Project) -> None:
    arguments = ["submit", "http://none.invalid/sitemap.xml", "--since", "2024-01-01"]
    for options in ([], ["--site", "site"]):  # Nothing waits for a deployment.
        done = invoke(*arguments, *options, cwd=project.root)
        assert done.code == 4
        message = "the host 'none.invalid' is unknown. Fix: check the spelling of the"
        assert message in done.err


@pytest.mark.parametrize("previous", ["none", "gh-pages:none", "http://127.0.0.1:1/"])
def test_there_is_no_previous_sitemap(project: Project, previous: str) -> None:
    done = project.submit("--previous", previous)
    assert done.code in (2, 4)
    assert previous in done.err
    assert done.err.count("Error: ") == 1


@pytest.mark.parametrize("previous", ["ftp://example.org/", "http://[::1"])
def test_invalid_urls_are_not_temporary(project: Project, previous: str) -> None:
    done = project.submit("--previous", previous)
    assert done.code == 2
    assert "address bar" in done.err


def test_redirects_to_another_host_are_not_temporary(project: Project) -> None:
    with serve() as other:
        project.reply("sitemap.xml", always(301, Location=f"{other.url}sitemap.xml"))
        done = project.send()
        assert done.code == 3
        assert "redirects to another " in done.err
        assert done.err.count("Fix: ") == 1
        assert other.requests == []


def test_a_sitemap_without_dates_is_refused(project: Project) -> None:
    project.build(dict.fromkeys(PAGES, ""))
    done = project.send()
    assert done.code == 3
    assert "has a valid date" in done.err


def test_dates_in_the_future_are_no_changes(project: Project) -> None:
    """They would be sent after each deployment."""
    project.build(dates(guide="2999-01-01"))
    assert project.send().code == 0
    assert project.sent() == ["faq/", "api/"]


def test_first_dates_and_times_are_no_changes(project: Project) -> None:
    old = [
        url(project.base),
        url(f"{project.base}guide/", "<lastmod>2024-01-02</lastmod>"),
    ]
    old += [
        url(f"{project.base}{path}", "<lastmod>2024-01-01</lastmod>")
        for path in PAGES[2:]
    ]
    write_site(project.root, {"old.xml": urlset(*old)})
    done = project.submit("--previous", "old.xml", "--send")
    assert project.sent() == ["setup/", "news/", "faq/", "api/"]
    assert done.code == 0


def test_the_dates_of_a_build_are_refused(project: Project) -> None:
    built = {path: f"2024-02-01T10:00:0{number}Z" for number, path in enumerate(PAGES)}
    project.build(built)
    done = project.send()
    assert done.code == 3
    assert "6 of 6 pages have dates" in done.err
    assert project.sent() == []
    assert project.send("--allow-same-dates").code == 0
    assert project.sent() == [*PAGES]
    # One commit changed most pages, but before the last deployment.
    project.indexnow.urls.clear()
    project.build(built | {"faq/": "2024-02-03T10:00:00Z"})
    assert project.submit("--since", "2024-02-02", "--send").code == 0
    assert project.sent() == ["faq/"]


def test_half_of_the_pages_may_have_the_same_date(project: Project) -> None:
    built = {f"{n}/": f"2024-02-{1 + max(0, n - 4):02}" for n in range(10)}
    project.build(built)
    done = project.submit("--since", "2024-02-01", "--send")
    assert done.code == 0, done
    assert len(project.sent()) == 10


def test_the_command_waits_for_the_deployment(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs_sitemap_cli.submit.submission._INTERVAL", 0.01)
    new = project.site.joinpath("sitemap.xml").read_text()
    old = new.replace("2024-01-06", "2024-01-05")
    project.reply(
        "sitemap.xml", in_turn(always(404), always(200, old), always(200, new))
    )
    done = project.send("--site", "site")
    assert done.code == 0, done
    # The site may have other sitemaps, too.
    merged = urlset(url(f"{project.origin.url}other/"))
    write_site(project.site, {"sitemap-index.xml": merged})
    assert project.send("--site", "site").code == 0
    project.reply("sitemap.xml", always(200, old))
    monkeypatch.setattr("docs_sitemap_cli.submit.submission._PATIENCE", 0.1)
    done = project.send("--site", "site")
    assert done.code == 4
    assert "not live after 0.1" in done.err
    assert "its URLs or dates differ" in done.err


def test_pages_that_are_not_right_are_left_out(project: Project) -> None:
    new = dict.fromkeys(PAGES, "2024-02-01")
    project.build(new)
    project.reply("guide/", always(302, Location="/docs/"))
    project.reply(
        "setup/", always(200, page(), X_Robots_Tag="noindex", Content_Type="text/html")
    )
    project.reply("news/", always(500))
    project.reply(
        "faq/",
        always(
            200,
            page(head='<meta name="robots" content="none">'),
            Content_Type="text/html",
        ),
    )
    project.reply("api/", always(200, page(), X_Robots_Tag="otherbot: noindex"))
    canonical = '<link rel="canonical" href="index.html">'
    write_site(project.site, {"index.html": page(head=canonical)})
    done = project.send("--allow-same-dates")
    assert done.code == 1
    assert project.sent() == ["", "api/"]
    assert "4 pages left out:" in done.out
    for text in (
        f"guide/  it redirects to {project.base} (HTTP 302)",
        "setup/  it declares 'X-Robots-Tag: noindex'",
        "news/  the server answers HTTP 500",
        "faq/  it declares 'robots: none'",
    ):
        assert text in done.out


def test_pages_that_search_engines_do_not_show_are_left_out(project: Project) -> None:
    canonical = '<link rel="canonical" href="/docs/guide/">'
    coverage = '<script src="coverage_html.js"></script>'
    heads = {"news": canonical, "faq": coverage, "api": ""}
    project.build(dates(**dict.fromkeys(heads, "2024-02-01")))
    write_site(
        project.site,
        {f"{name}/index.html": page(head=head) for name, head in heads.items()},
    )
    done = project.send("--allow-same-dates")
    assert done.code == 1
    assert project.sent() == ["api/"]
    assert f"news/  its canonical URL is '{project.base}guide/'" in done.out
    text = "faq/  it is part of a report of coverage.py and loads 'coverage_html.js'"
    assert text in done.out


def test_only_urls_below_the_folder_of_the_key_are_sent(project: Project) -> None:
    lastmod = "<lastmod>2024-02-01</lastmod>"
    foreign = [f"{project.origin.url}blog/", "https://example.com/"]
    invalid = [f"{project.base}a b", f"{project.base}ü", "a", f"{project.base}../"]
    lines = [url(loc, lastmod) for loc in [project.base, *foreign, *invalid]]
    write_site(project.site, {"sitemap.xml": urlset(*lines)})
    done = project.send("--allow-same-dates")
    assert done.code == 1
    assert project.sent() == [""]
    assert "6 pages left out:" in done.out
    assert "a b  it contains ' ' unencoded" in done.out
    location = f"{project.base}indexnow.txt"
    for loc in foreign:
        assert f"{loc}  it is not below the folder of {location}" in done.out
    # At the root, the key is valid for the complete host.
    project.indexnow.urls.clear()
    project.origin.replies |= {f"/{KEY}.txt": always(200, KEY), "/blog/": always(200)}
    location = f"{project.origin.url}{KEY}.txt"
    done = project.send("--allow-same-dates", "--key-location", location)
    assert done.code == 1
    assert project.indexnow.urls == [project.base, f"{project.origin.url}blog/"]


@pytest.mark.parametrize(
    ("reply", "code", "message"),
    [
        (always(404), 3, "the server answers HTTP 404"),
        (always(200, "x" * 16), 3, "it does not contain the key"),
        (always(200, f"{KEY}\n{KEY}"), 3, "it does not contain the key"),
        (always(200, f"<p>{KEY}</p>"), 3, "it does not contain the key"),
        (always(301, Location="/"), 3, "it redirects to"),
    ],
)
def test_the_live_key_is_checked(
    project: Project, reply: Reply, code: int, message: str
) -> None:
    project.reply("indexnow.txt", reply)
    done = project.send()
    assert done.code == code
    assert message in done.err
    assert project.sent() == []


@pytest.mark.parametrize(
    ("status", "code", "message"),
    [
        (202, 0, "accepted; the key is checked later"),
        (400, 3, "the request is invalid"),
        (403, 3, "the key is not accepted"),
        (422, 3, "the URLs do not belong to the host"),
        (429, 4, "too many requests"),
        (503, 4, "try again later"),
        (301, 3, "check --endpoint"),
        (404, 3, "check --endpoint"),
    ],
)
def test_answers_of_the_endpoint(
    project: Project, status: int, code: int, message: str
) -> None:
    project.origin.replies["/indexnow"] = always(status, Location="/")
    done = project.send()
    assert done.code == code, done
    assert message in done.out + done.err
    assert project.origin.paths.count("/indexnow") == 1


@pytest.mark.parametrize(
    ("status", "body", "reason", "fix"),
    [
        (
            403,
            '{"code": "SiteVerificationNotCompleted", "message": "Not completed."}',
            "the server says: Not completed. Fix: ",
            "the key file is live",
        ),
        (
            422,
            '{"errorCode": "Invalid", "message": "No", "details": [{"message": "b"}]}',
            "the server says: No: b. Fix: ",
            "key file of this host",
        ),
        (400, '{"success": false, "message": "a\\u001b[1m"}', "says: a\\x1b[1m. ", ""),
        (403, '{"message": 1, "details": {}}', "the key is not accepted. Fix: ", ""),
        (400, "<html>", "the request is invalid. Fix: ", ""),
        (400, "[" * 10_000, "the request is invalid. Fix: ", ""),
        (400, b'{"message": "\xe9"}', "the request is invalid. Fix: ", ""),
    ],
)
def test_reason_of_the_endpoint_comes_first(
    project: Project, status: int, body: str | bytes, reason: str, fix: str
) -> None:
    project.origin.replies["/indexnow"] = always(status, body)
    done = project.send()
    assert done.code == 3
    assert reason in done.err
    assert fix in done.err.partition("Fix: ")[2]


def test_a_busy_endpoint_says_when_to_try_again(project: Project) -> None:
    busy = always(429, Retry_After="0")
    project.origin.replies["/indexnow"] = in_turn(busy, project.indexnow)
    assert project.send().code == 0
    assert project.sent() == ["faq/", "api/"]
    project.origin.replies["/indexnow"] = always(429, Retry_After="86400")
    done = project.send()
    assert done.code == 4
    assert "The server says Retry-After: 86400" in done.err


def test_many_urls_are_sent_in_parts(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs_sitemap_cli.submit.submission.MAX_URLS", 1)
    full = always(429)
    project.origin.replies["/indexnow"] = in_turn(project.indexnow, full)
    done = project.send()
    assert done.code == 4
    assert project.sent() == ["faq/"]
    assert "Sent 1 URL to" in done.out
    # The next run goes on where this one stopped.
    option = f"--after {project.base}faq/"
    note = f"Note: 1 of 2 URLs were sent. Fix: run the same command again with {option}"
    assert done.err.startswith(f"{note}\n")
    project.origin.replies["/indexnow"] = project.indexnow
    done = project.send(*option.split())
    assert done.code == 0, done
    assert project.sent() == ["faq/", "api/"]
    assert project.origin.paths.count("/docs/faq/") == 1
    project.indexnow.urls.clear()
    done = project.send()
    assert project.sent() == ["faq/", "api/"]
    assert done.out.count("Sent 1 URL to") == 2
    # The message may show another spelling.
    for after in (f"{project.base}fa%71/", f"{project.base}faq/"):
        assert "Sent 1 URL to" in project.send("--after", after).out
    done = project.send("--after", project.base)
    assert done.code == 2
    assert f"--after: {project.base}" in done.err


def test_a_server_that_fails_is_not_asked_for_each_page(project: Project) -> None:
    project.build(dict.fromkeys(PAGES, "2024-02-01"))
    for path in PAGES:
        project.reply(path, hang_up)
    done = project.send("--allow-same-dates")
    assert done.code == 4
    assert "faq/: " in done.err
    assert "/docs/api/" not in project.origin.paths


@pytest.mark.parametrize(
    "path", ["x&#10;::error::", "x ##[error]", "x&#13;&#10; ::error::"]
)
def test_a_url_is_no_command_in_an_error(project: Project, path: str) -> None:
    live = f"{project.origin.url}sitemap.xml"
    hostile = index(f"{project.origin.url}{path}")
    project.origin.replies["/sitemap.xml"] = always(200, hostile)
    for run in (docs_sitemap, invoke):
        done = run("submit", live, "--since=2026-01-01", cwd=Path())
        assert done.err.count("\n") == 1
        assert done.err.startswith("Error: http://")
        assert "##[" not in done.err


def test_a_sitemap_that_cannot_be_used(project: Project) -> None:
    for content, message in (
        (page(), "it is a web page"),
        (index("https://example.org/sitemap.xml"), "the sitemap is not on"),
        (index(*(f"{project.base}{n}.xml" for n in range(1_001))), "more than 1,000"),
    ):
        project.reply("sitemap.xml", always(200, content))
        done = project.send()
        assert done.code == 3
        assert message in done.err


def test_a_new_key(tmp_path: Path) -> None:
    done = invoke("submit", "--new-key", "key.txt", cwd=tmp_path)
    assert done.code == 0
    key = (tmp_path / "key.txt").read_text()
    assert len(key) == 32
    assert done.out.startswith("wrote a new key to key.txt.")
    again = invoke("submit", "--new-key", "key.txt", cwd=tmp_path)
    assert again.code == 2
    assert "File exists" in again.err
    assert (tmp_path / "key.txt").read_text() == key


@pytest.mark.parametrize(
    "key", ["", "short", "x" * 129, "with spaces", "ümlaut-key", "x" * 2_000]
)
def test_invalid_keys(project: Project, key: str) -> None:
    project.build(dates(), key)
    done = project.send()
    assert done.code == 2
    assert "indexnow.txt: " in done.err
    assert project.origin.paths == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "exactly one of --since and --previous"),
        (
            ["--since", "2024-01-01", "--previous", "."],
            "exactly one of --since and --previous",
        ),
        (["--since", "2024-01-01", "--send"], "--send needs --key-file"),
        (["--since", "2024-01-01", "--endpoint", "x"], "it is not absolute"),
    ],
)
def test_invalid_arguments(options: list[str], message: str) -> None:
    done = invoke("submit", "https://example.org/sitemap.xml", *options)
    assert done.code == 2
    assert message in done.err
