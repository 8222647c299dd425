"""Measure what reading the heads of built pages costs: `make bench-heads`.

Reads the canonical link and the robots meta element of 10,000 pages of 100 KB, on one core, in each
of several ways, in turn. Each figure is the median of three runs in processes of their own.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

PAGES = 10_000
SIZE = 100_000
RUNS = 3
URL = "https://example.org/docs/"

HEAD = (
    '<!doctype html><html lang="en" class="no-js"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width,initial-scale=1">'
    '<meta name="description" content="What a theme writes into the head of a page">'
    '<link rel="canonical" href="{url}"><link rel="prev" href="../">'
    '<meta name="generator" content="something-1.6.1"><title>Page - Site</title>'
    '<link rel="stylesheet" href="../main.css"><style>{style}</style><script>{script}</script>'
    '<meta property="og:title" content="Page"><meta name="robots" content="index"></head><body>'
)
STYLE = (
    ":root{--icon:url('data:image/svg+xml;charset=utf-8,<svg viewBox=\"0 0 24 24\"></svg>')}" * 20
)
SCRIPT = "var target=e=>[...e].reduce(((e,_)=>(e<<5)-e+_.charCodeAt(0)),0);" * 20
PARAGRAPH = '<p class="x">Lorem ipsum <a href="../foo/">dolor</a> sit amet.</p>\n'


def write_pages(folder: Path) -> None:
    for number in range(PAGES):
        url = f"{URL}{number}.html"
        head = HEAD.format(url=url, style=STYLE, script=SCRIPT)
        body = PARAGRAPH * ((SIZE - len(head)) // len(PARAGRAPH))
        (folder / f"{number}.html").write_text(f"{head}{body}</body></html>")


def this_project(path: Path) -> list[str]:
    from docs_sitemap.head import read_head

    head = read_head(path)
    return [*head.canonicals, *filter(None, [head.noindex])]


def whole_with_lxml(path: Path) -> list[str]:
    from lxml import html

    return list(html.fromstring(path.read_bytes()).xpath("//head/link[@rel='canonical']/@href"))


def head_with_lxml(path: Path) -> list[str]:
    from lxml import etree

    parser = etree.HTMLPullParser(events=("start",))
    found = []
    with open(path, "rb", buffering=0) as file:
        while data := file.read(2**14):
            parser.feed(data)
            for _, element in parser.read_events():
                if element.tag == "link" and element.get("rel") == "canonical":
                    found.append(element.get("href"))
                if element.tag == "body":
                    return found
    return found


def whole_with_selectolax(path: Path) -> list[str]:
    from selectolax.lexbor import LexborHTMLParser

    nodes = LexborHTMLParser(path.read_bytes()).css("head link[rel=canonical]")
    return [node.attributes["href"] for node in nodes]


WAYS: dict[str, Callable[[Path], list[str]]] = {
    "this project (html.parser, the head)": this_project,
    "lxml, the head": head_with_lxml,
    "lxml, the whole page": whole_with_lxml,
    "selectolax, the whole page": whole_with_selectolax,
}


def measure(folder: Path, way: str) -> None:
    """In a process of its own."""
    read = WAYS[way]
    read(folder / "0.html")
    start = time.perf_counter()
    for number in range(PAGES):
        assert read(folder / f"{number}.html") == [f"{URL}{number}.html"]
    print(json.dumps(time.perf_counter() - start))


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        write_pages(Path(name))
        seconds: dict[str, list[float]] = {way: [] for way in WAYS}
        for _ in range(RUNS):
            for way, runs in seconds.items():
                command = [sys.executable, __file__, name, way]
                runs.append(json.loads(subprocess.check_output(command)))
    ours = statistics.median(next(iter(seconds.values())))
    print(f"{PAGES:,} pages of {SIZE:,} bytes, one core\n")
    print("| read by | seconds | times this project |")
    print("| --- | --: | --: |")
    for way, runs in seconds.items():
        median = statistics.median(runs)
        print(f"| {way} | {median:.2f} | {median / ours:.1f} |")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        measure(Path(sys.argv[1]), sys.argv[2])
    else:
        main()
