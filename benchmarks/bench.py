"""Measure what a sitemap costs: `make bench`.

Prints, for the core alone (no git), seconds and peak memory at several numbers of pages; and for
whole builds of one site, the seconds that the plugin and the extension add to MkDocs and Sphinx.
Each figure is the median of several processes of its own; those that are compared run in turn.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

RUNS = 5
BASE_URL = "https://example.org/docs/"


def core(count: int) -> None:
    """In a process of its own: all but git, for `count` pages."""
    from docs_sitemap import Options, Page, build_sitemap

    options = Options(
        base_url=BASE_URL,
        lastmod=False,
        exclude=["drafts/*"],
        rules=[{"match": "section 1/*", "changefreq": "weekly", "priority": 0.8}],
    )
    with tempfile.TemporaryDirectory() as out:
        pages = [
            Page(
                url=f"section%20{n % 100}/page-{n}/",
                name=f"section {n % 100}/page-{n}.md",
                sources=(f"/docs/section {n % 100}/page-{n}.md",),
                overrides={"lastmod": "2024-05-01"} if n % 10 == 0 else None,
            )
            for n in range(count)
        ]
        start = time.perf_counter()
        report = build_sitemap(pages, options, out, root="/docs")
        seconds = time.perf_counter() - start
    assert len(report.listed) == count
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # kilobytes, on Linux
    print(json.dumps([seconds, peak]))


def report_core() -> None:
    print("core, without git (select, encode, sort, render, write, compress, check, report)\n")
    print("|  pages | seconds | µs a page | peak memory, MB |")
    print("| -----: | ------: | --------: | --------------: |")
    for count in (12_500, 25_000, 50_000):
        runs = []
        for _ in range(RUNS):
            command = [sys.executable, __file__, "core", str(count)]
            runs.append(
                json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
            )
        seconds, peak = (statistics.median(values) for values in zip(*runs, strict=True))
        print(f"| {count:6} | {seconds:7.2f} | {seconds / count * 1e6:9.1f} | {peak:15.0f} |")


def make_site(folder: Path, count: int) -> None:
    docs = folder / "docs"
    docs.mkdir()
    names = [f"page{n}" for n in range(count)]
    for name in names:
        paragraphs = "\n\n".join(f"Paragraph {n} of {name}, with *words* in it." for n in range(20))
        (docs / f"{name}.md").write_text(f"# {name}\n\n{paragraphs}\n")
    (docs / "index.md").write_text("# Home\n")
    plugins = {"with": "plugins: [sitemap]", "without": "plugins: []"}
    for kind, line in plugins.items():
        settings = f"site_name: Test\nsite_url: {BASE_URL}\nsite_dir: out\n"
        (folder / f"{kind}.yml").write_text(settings + line + "\n")
    tree = "\n".join(["```{toctree}", "", *names, "```"])
    (folder / "conf.py").write_text(
        "import os\n"
        f"html_baseurl = {BASE_URL!r}\n"
        "html_theme = 'basic'\n"
        "extensions = ['myst_parser']\n"
        "extensions += ['sphinx_sitemap_ext'] * (os.environ['SITEMAP'] == 'with')\n"
        "def add(app, docname, source):\n"
        f"    source[0] += {tree!r} if docname == 'index' else ''\n"
        "def setup(app): app.connect('source-read', add)\n"
    )
    commands = ["init --quiet", "add --all", "-c user.name=a -c user.email=b commit --quiet -m x"]
    for command in commands:
        subprocess.run(["git", *command.split()], cwd=folder, check=True)


def build_mkdocs(folder: Path, kind: str) -> float:
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-f", f"{kind}.yml"]
    return timed(command, folder, kind)


def build_sphinx(folder: Path, kind: str) -> float:
    command = [sys.executable, "-m", "sphinx", "-q", "-E", "-a", "-c", ".", "docs", "out-sphinx"]
    return timed(command, folder, kind)


def timed(command: list[str], folder: Path, kind: str) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, env=os.environ | {"SITEMAP": kind}, check=True)
    return time.perf_counter() - start


def report_builds(count: int) -> None:
    print(f"\nwhole builds of {count} pages, dates from git included\n")
    print("| tool   | seconds without | seconds with | ratio |")
    print("| ------ | --------------: | -----------: | ----: |")
    builds: dict[str, Callable[[Path, str], float]] = {
        "MkDocs": build_mkdocs,
        "Sphinx": build_sphinx,
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_site(folder, count)
        for tool, build in builds.items():
            pairs = [(build(folder, "without"), build(folder, "with")) for _ in range(RUNS)]
            without, with_ = (statistics.median(values) for values in zip(*pairs, strict=True))
            ratio = statistics.median(second / first for first, second in pairs)
            print(f"| {tool:6} | {without:15.2f} | {with_:12.2f} | {ratio:5.3f} |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["core"]:
        core(int(sys.argv[2]))
    else:
        report_core()
        report_builds(300)
