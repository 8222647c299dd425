"""The repositories that the URLs of remotes name."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from support.builds import find_dates
from support.cli import invoke
from support.repository import Repository

from docs_sitemap.git.remotes import (
    Remote,
    hide_credentials,
    parse_remote,
    read_remotes,
)
from docs_sitemap.git.run import Git
from docs_sitemap.tools.printing import hide_secrets

HIDDEN = "s3cr3t"


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/group/project.git",
        "https://github.com/group/project",
        "https://github.com//group/project/",
        "https://github.com/group/project.git/",
        "http://github.com:8080/group/project",
        "HTTPS://www.GitHub.com/group/project.git",
        "git@github.com:group/project.git",
        "git@github.com:/group/project.git",
        "github.com:group/project.git",
        "me@example.org@github.com:group/project.git",
        "ssh://git@github.com/group/project.git",
        "ssh://git@github.com:22/group/project.git",
        "ssh://github.com:/group/project.git",
        "git://github.com/group/project.git",
        "git+ssh://git@github.com/group/project.git",
        "ssh+git://git@github.com/group/project.git",
        "https://user:s3cr3t@github.com/group/project.git",
        "https://user:s3@cr3t@github.com/group/project.git",
        "https://s3cr3t@github.com/group/project.git",
        "https://github.com/group/project.git?token=s3cr3t",
        "https://github.com/group/project#s3cr3t/x.git",
    ],
)
def test_remotes(url: str) -> None:
    assert parse_remote(url) == Remote("github.com", "group/project")


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("https://gitlab.com/A/b/C.git", "gitlab.com/A/b/C"),
        ("git@git.sr.ht:~user/project", "git.sr.ht/~user/project"),
        ("https://dev.azure.com/a/b%20c/_git/d", "dev.azure.com/a/b%20c/_git/d"),
        ("git@gitlab:a/b.git", "gitlab/a/b"),
        ("ssh://10.0.0.1/srv/a.git", "10.0.0.1/srv/a"),
        ("https://github.com/a/a.github.io", "github.com/a/a.github.io"),
    ],
)
def test_remotes_of_other_services(url: str, text: str) -> None:
    assert str(parse_remote(url)) == text


@pytest.mark.parametrize(
    "url",
    [
        *("", "x", "/srv/project.git", "../project", "./a:b", "C:/a/b", r"C:\a\b"),
        *("file:///srv/project", "file://server/share/project", "ftp://a.org/b"),
        *("ext::sh -c true", "codecommit::us-east-1://a/b", "javascript:alert(1)"),
        *("https://github.com", "https://github.com/", "https://github.com/.git"),
        *("https:///a/b", "https://github..com/a/b", "https://-:x/a/b", "://a/b"),
        *("https://github.com/a/../b", "https://github.com/a/%2e%2e/b", "a.org:b/./c"),
        *("https://github.com/a b", "https://github.com/a\nb", "a.org:b\\c", "a.org:"),
        *("https://github.com/a<b>", 'https://github.com/a"b', "https://é.org/a/b"),
        # The password contains a character that ends the host.
        *("https://user:s3/cr3t@a.org/b", "https://user:1/s3cr3t@a.org/b"),
        *("https://user:s3?cr3t@a.org/b", "https://user:1/s3?cr3t@a.org/b"),
        *("https://user:s3#cr3t@a.org/b", "https://s3cr3t/x#y@a.org/b"),
        *("user:s3cr3t@a.org:b/c", "https://a.org/s3cr3t%40b/c"),
    ],
)
def test_folders_and_invalid_urls(url: str) -> None:
    assert parse_remote(url) is None


passwords = st.text(st.sampled_from("ab1@:/?#%.~ \\"), max_size=6).map(
    lambda text: f"{text[:3]}{HIDDEN}{text[3:]}"
)


@given(
    scheme=st.sampled_from(["https", "http", "ssh", "git+ssh", "git"]),
    start=st.sampled_from(["", "user:", ":", "us@er:", "user/", "1:1/"]),
    password=passwords,
)
def test_no_password_survives(scheme: str, start: str, password: str) -> None:
    for url in (
        f"{scheme}://{start}{password}@example.org/group/project.git",
        f"{start}{password}@example.org:group/project.git",
        f"{scheme}://example.org/group/project.git?token={password}",
        f"{scheme}://example.org/group/project.git#{password}",
    ):
        assert HIDDEN not in str(parse_remote(url))
        message = f"unable to access '{url}': The requested URL returned error: 403"
        assert HIDDEN not in hide_credentials(message, [url])


@given(st.text(max_size=60), st.sampled_from(["", "https://", "ssh://", "git@"]))
def test_a_remote_has_only_characters_of_urls(text: str, start: str) -> None:
    remote = parse_remote(start + text)
    if remote is not None:
        assert str(remote).isascii()
        assert not set(str(remote)) & set("@:?#<>\"'\\ \n")
        assert ".." not in remote.path.split("/")


units = st.sampled_from(
    [*"a/@:.%?#-\n\t (", "//", "a/", "a.", "%20", ".git", "://", "a://", "@:", " ("]
)


@given(st.lists(units, min_size=1, max_size=4), st.sampled_from(["", "a://", "ssh://"]))
def test_the_time_grows_with_the_length(unit: list[str], start: str) -> None:
    repeated = "".join(unit)
    for size in (20_000, 40_000, 80_000):
        text = f"{start}{repeated * (size // len(repeated))}"
        before = time.process_time()
        parse_remote(text)
        hide_credentials(text, [text])
        # The slowest text of 80 KB takes 20 ms.
        assert time.process_time() - before < 0.5 * size / 80_000


@pytest.mark.parametrize(
    "url",
    [
        f"file:///x?private_token={HIDDEN}",
        f"git://localhost:{HIDDEN}",
        f"http://me:{HIDDEN}@localhost:9/a/b.git",
        f"http://{HIDDEN}@localhost:9/a/b.git",
        f"http://{HIDDEN}%40x:y@localhost:9/a/b.git",
        f"http://localhost:9/a/b.git?token={HIDDEN}",
        f"http://me:a/{HIDDEN}@localhost:9/a/b.git",
        f"http://a'b:{HIDDEN} c@localhost:9/a/b.git",
        f"me:{HIDDEN}@localhost:a/b.git",
        f"/x y?private_token={HIDDEN}",
    ],
)
def test_a_failed_fetch_names_no_secret(tmp_path: Path, url: str) -> None:
    origin = Repository.create(tmp_path / "origin")
    origin.commit({"a": "1"}, day=1)
    origin.commit({"b": "1"}, day=2)
    clone = tmp_path / "clone"
    origin.git("clone", "--quiet", "--depth=1", origin.path.as_uri(), str(clone))
    Repository(clone).git("config", "remote.origin.url", url)
    _, messages = find_dates(clone / "a", shallow="fetch")
    text = " ".join(messages)
    assert "cannot be fetched" in text
    assert HIDDEN not in text


SECRET_URLS = [
    f"https://user:{HIDDEN}@localhost:9/sitemap.xml",
    f"https://{HIDDEN}@localhost:9/sitemap.xml",
    f"https://user:x/{HIDDEN}@localhost:9/sitemap.xml",
    f"https://localhost:9/sitemap.xml?a=b&private_token={HIDDEN}",
    f"https://localhost:9/sitemap.xml?X-Amz-Signature={HIDDEN}&a=b",
    f"https://localhost:9/sitemap.xml#access_token={HIDDEN}",
    f"https://localhost:9/{'a' * 100}?token={HIDDEN}",
    f"https://user:{HIDDEN * 20}@localhost:9/",
]


@pytest.mark.parametrize("url", SECRET_URLS)
@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "{}"],
        ["check", "--format", "json", "{}"],
        ["check", "--format", "sarif", "{}"],
        ["check", "--format", "github", "{}"],
        ["check", "--base-url", "{}", "."],
        ["compare", "{}", "."],
        ["generate", "--base-url", "{}", "."],
        ["index", "--base-url", "{}", "."],
        ["submit", "--since", "2026-01-01", "{}"],
        ["submit", "--previous", "{}", "https://localhost:9/sitemap.xml"],
    ],
)
def test_commands_that_fail_name_no_secret(
    tmp_path: Path, arguments: list[str], url: str
) -> None:
    values = [value.format(url) for value in arguments]
    done = invoke(*values, cwd=tmp_path)
    assert HIDDEN not in done.out + done.err


@pytest.mark.parametrize(
    "text",
    [
        "https://e.org/@scope/pkg?page=2&author=me",
        "http://[::1]:80/@a",
        "https://e.org:8080/a@b",
        "write to me@e.org",
        "https://e.org/monkey?monkey=1",
    ],
)
def test_urls_without_secrets_stay(text: str) -> None:
    assert hide_secrets(text) == text


def test_remotes_of_a_repository(tmp_path: Path) -> None:
    repository = Repository.create(tmp_path)
    git = Git(str(tmp_path))
    assert read_remotes(git) == frozenset()
    repository.git("remote", "add", "a", "https://me:s3cr3t@github.com/me/project.git")
    repository.git("remote", "add", "b", "git@github.com:group/project (fork).git")
    repository.git("remote", "add", "c", "/srv/project.git")
    repository.git("remote", "add", "d", "https://example.org/a\nb")
    repository.git("remote", "add", "e", "gl:group/project")
    repository.git("config", "url.https://gitlab.com/.insteadOf", "gl:")
    repository.git("config", "remote.e.promisor", "true")
    repository.git("config", "remote.e.partialclonefilter", "blob:none")
    assert read_remotes(git) == {
        Remote("github.com", "me/project"),
        Remote("gitlab.com", "group/project"),
    }


@pytest.mark.parametrize(
    ("url", "message", "hidden"),
    [
        (
            "https://me:a@b@example.org/a/b.git/?x=y",
            "unable to access 'https://me:a@b@example.org/a/b.git/?x=y': not found",
            "unable to access 'example.org/a/b': not found",
        ),
        (
            "https://a@b/c?d@e",
            "repository 'https://a@b/c?d@e/' not found",
            "repository 'the remote/' not found",
        ),
        ("/srv/a", "cannot read /srv/b: denied", "cannot read /srv/b: denied"),
        ("s3cr3t@e.org:a/b", "s3cr3t@e.org: denied", "e.org: denied"),
        (
            "http://s3cr3t:x@example.org/a",
            "could not read Password for 'http://s3cr3t@example.org': no terminal",
            "could not read Password for 'http://example.org': no terminal",
        ),
        (
            "http://s3cr3t'x@example.org/a",
            "could not read Password for 'http://s3cr3t%27x@example.org': no terminal",
            "could not read Password for 'http://example.org': no terminal",
        ),
        (
            "git://example.org:s3cr3t",
            "unable to look up example.org:s3cr3t (port 9418) (not known)",
            "unable to look up example.org (port 9418) (not known)",
        ),
    ],
)
def test_messages_of_git_without_credentials(
    url: str, message: str, hidden: str
) -> None:
    assert hide_credentials(message, [url]) == hidden
