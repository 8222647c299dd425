"""Measure what `docs-sitemap check` costs: `make bench-check`.

Checks generated sitemaps, alone and with the sites that they list. Each figure is the median of
three runs in processes of their own; peak memory is that of the whole process.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

RUNS = 3
BASE_URL = "https://example.org/docs/"
LANGUAGES = ("en", "de", "fr", "ja", "pt-BR")
PAGE = (
    '<!doctype html><html><head><meta charset="utf-8"><title>Page</title>'
    '<link rel="canonical" href="{url}"></head><body>' + "<p>Text.</p>\n" * 500
)


def write_sitemap(path: Path, count: int, *, alternates: bool, pages: bool) -> None:
    """In a process of its own: what is forked from a large one counts as large."""
    from docs_sitemap import Alternate, Lastmod, LastmodState, Listed, Options, Page, Renderer, Url

    listed = []
    for number in range(count):
        group, place = divmod(number, len(LANGUAGES))
        url = f"{LANGUAGES[place]}/section-{group % 100}/page-{group}.html"
        others = [
            Alternate(lang, f"{BASE_URL}{lang}/section-{group % 100}/page-{group}.html")
            for lang in LANGUAGES
        ]
        entry = Url(
            BASE_URL + url,
            lastmod=f"2024-05-{number % 28 + 1:02}T08:30:00+00:00",
            alternates=tuple(others) if alternates else (),
        )
        listed.append(Listed(Page(url=url, name=url), entry, Lastmod(LastmodState.PAGE)))
        if pages:
            file = path.parent / url
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(PAGE.format(url=entry.loc))
    path.write_bytes(Renderer(Options()).sitemap(listed))


def check(path: str) -> None:
    """In a process of its own."""
    from docs_sitemap.check.paths import check_paths

    start = time.perf_counter()
    result = check_paths([path], base_url=BASE_URL, now=datetime.now(UTC))
    seconds = time.perf_counter() - start
    assert not result.findings, result.findings[:3]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # kilobytes, on Linux
    print(json.dumps([seconds, peak]))


def run(*arguments: object) -> str:
    return subprocess.check_output([sys.executable, __file__, *map(str, arguments)], text=True)


def report(what: str, path: Path) -> None:
    runs = [json.loads(run("check", path)) for _ in range(RUNS)]
    seconds, peak = (statistics.median(column) for column in zip(*runs, strict=True))
    print(f"| {what} | {seconds:.2f} | {peak:.0f} |", flush=True)


def main() -> None:
    print("| checked | seconds | peak memory, MB |")
    print("| --- | --: | --: |")
    with tempfile.TemporaryDirectory() as name:
        for kind in ("plain", "alternates"):
            for count in (5_000, 50_000):
                path = Path(name, f"{count}-{kind}.xml")
                run("write", path, count, kind)
                more = f", {len(LANGUAGES)} alternates each" if kind == "alternates" else ""
                size = path.stat().st_size / 2**20
                report(f"a sitemap of {count:,} URLs{more} ({size:.1f} MiB)", path)
        for count in (1_000, 10_000):
            site = Path(name, f"site-{count}")
            site.mkdir()
            run("write", site / "sitemap.xml", count, "pages")
            report(f"a site of {count:,} pages", site)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["write", path, count, kind]:
            alternates, pages = kind == "alternates", kind == "pages"
            write_sitemap(Path(path), int(count), alternates=alternates, pages=pages)
        case ["check", path]:
            check(path)
        case _:
            main()
