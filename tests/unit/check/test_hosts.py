"""Hosts that search engines cannot reach, and those of examples."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import invoke
from support.sitemaps import (
    check,
    index,
    links,
    page,
    summarize,
    url,
    urlset,
    write_site,
)

LOCAL = (
    "http://localhost:3000",
    "http://127.0.0.1:8000",
    "http://0.0.0.0:4000",
    "http://[::1]:3000",
    "http://[fd00::1]",
    "http://192.168.1.20",
    "http://10.0.0.5:8080",
    "http://172.20.0.2",
    "http://169.254.1.1",
    "http://macbook.local",
    "https://docs.localhost",
    "https://docs.test",
)
EXAMPLES = (
    "https://example.com",
    "https://docs.example.org",
    "https://your-docusaurus-site.example.com",
    "https://your-docusaurus-test-site.com",
    "https://username.github.io",
    "https://your-org.gitlab.io",
    "https://mydomain.org",
    "https://www.yourdomain.tld",
    "https://docs.example",
)
PUBLIC = (
    "https://localhost.acme.io",
    "https://8.8.8.8",
    "https://172.32.0.1",
    "https://[2606:4700::1]",
    "https://myexample.com",
    "https://your-move.org",
    "https://acme.github.io",
)


def site(folder: Path, origin: str, other: str = "") -> Path:
    files = {"index.html": page(), "a.html": page(), "b.html": page()}
    entries = [url(f"{origin}/{name}", other) for name in ("", "a.html", "b.html")]
    return write_site(folder, {**files, "sitemap.xml": urlset(*entries)})


@pytest.mark.usefixtures("placeholders")
def test_each_address_is_reported_once(tmp_path: Path) -> None:
    expected = {origin: ["local-address@3"] for origin in LOCAL}
    expected |= {origin: ["placeholder-address@3"] for origin in EXAMPLES}
    expected |= {origin: [] for origin in PUBLIC}
    found = {}
    for number, origin in enumerate(expected):
        folder = site(tmp_path / str(number), origin)
        found[origin] = summarize(check(folder).diagnostics)
    assert found == expected


def test_other_local_urls_are_reported(tmp_path: Path) -> None:
    origin = "https://docs.acme.io"
    local = links(en=f"{origin}/", de="http://localhost/de/")
    folder = site(tmp_path / "site", origin, local)
    codes = [one.code for one in check(folder).diagnostics]
    assert codes.count("local-address") == 1
    copy = site(tmp_path / "copy", LOCAL[0]) / "sitemap.xml"
    for base_url in (None, f"{origin}/"):  # One mistake is one finding.
        diagnostics = check(copy, base_url=base_url).diagnostics
        assert summarize(diagnostics) == ["local-address@3"]
    parts = {f"{n}.xml": urlset(url(f"{LOCAL[0]}/{n}.html")) for n in "ab"}
    names = [f"{LOCAL[0]}/{part}" for part in parts]
    several = site(tmp_path / "several", LOCAL[0])
    write_site(several, {"sitemap.xml": index(*names), **parts, "index.html": ""})
    assert summarize(check(several).diagnostics) == ["local-address@3"]
    other = site(tmp_path / "other", origin)
    write_site(other, {"robots.txt": f"Sitemap: {LOCAL[0]}/sitemap.xml"})
    assert "local-address" in summarize(check(other).diagnostics)


@pytest.mark.usefixtures("placeholders")
def test_builds_warn_of_local_addresses_unless_they_are_previews(
    tmp_path: Path,
) -> None:
    folder = write_site(tmp_path, {"index.html": page()})
    for arguments, expected in (
        (["--base-url", LOCAL[0]], ["Warning"]),
        (["--base-url", LOCAL[0], "--dry-run"], []),
        (["--base-url", EXAMPLES[0]], ["Note"]),
        (["--base-url", PUBLIC[-1]], []),
    ):
        done = invoke("generate", folder, *arguments)
        found = []
        for line in done.err.splitlines():
            if "URLs of the sitemap" in line:
                found.append(line.partition(":")[0])
        assert found == expected
