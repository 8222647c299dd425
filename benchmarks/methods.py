"""Ways to find the dates of many files, each run in a process of its own.

    python methods.py METHOD FOLDER <paths

run in a repository, takes the files' paths (each followed by NUL) below FOLDER, and prints as JSON
the seconds and the seconds of processor time that the method took, the peak memory in MB of the
largest process, and the dates.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

Dates = dict[str, int]
GIT = ["git", "--no-pager", "--literal-pathspecs", "-c", "core.quotePath=false"]


Method = Callable[[Sequence[str], str], tuple[float, float, Dates]]


def timed(find: Callable[[Sequence[str], str], Dates]) -> Method:
    def run(paths: Sequence[str], folder: str) -> tuple[float, float, Dates]:
        start, cpu = time.perf_counter(), _cpu()
        dates = find(paths, folder)
        return time.perf_counter() - start, _cpu() - cpu, dates

    return run


def this_project(paths: Sequence[str], folder: str) -> tuple[float, float, Dates]:
    """The dates alone: a sitemap with them takes how much longer than one without."""
    from docs_sitemap import History, Options, Page, build_sitemap

    pages = [
        Page(url=f"{number}", name=path, sources=(os.path.abspath(path),))
        for number, path in enumerate(paths)
    ]
    clock = []
    with tempfile.TemporaryDirectory() as out:
        for lastmod in (False, False, True):  # the first loads what both need
            options = Options(
                base_url="https://example.org/",
                lastmod=lastmod,
                ignore_revs_file="",  # all commits count, as they do for the others
            )
            clock.append((time.perf_counter(), _cpu()))
            history = History(os.environ["XDG_CACHE_HOME"])
            report = build_sitemap(pages, options, out, history=history)
        clock.append((time.perf_counter(), _cpu()))
    values = {listed.page.name: listed.lastmod.value for listed in report.listed}
    dates = {path: int(value.timestamp()) for path, value in values.items() if value is not None}
    _, off, on, end = clock
    seconds, cpu = (
        last - 2 * middle + first for first, middle, last in zip(off, on, end, strict=True)
    )
    return seconds, cpu, dates


@timed
def log_each(paths: Sequence[str], folder: str) -> Dates:
    """One `git log` a file: the truth."""
    dates = {}
    for path in paths:
        output = _git("log", "-1", "--format=%ct", "--", path)
        if output:
            dates[path] = int(output)
    return dates


@timed
def log_once(paths: Sequence[str], folder: str) -> Dates:
    """One `git log` of the folder; the first commit that names a file dates it."""
    command = [*GIT, "log", "--format=%x01%ct", "--name-only", "--", folder]
    missing, dates, now = set(paths), {}, 0
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        for raw in process.stdout or ():
            line = os.fsdecode(raw).rstrip("\n")
            if line.startswith("\x01"):
                now = int(line[1:])
            elif line in missing:
                missing.remove(line)
                dates[line] = now
                if not missing:
                    process.terminate()
                    break
    return dates


@timed
def last_modified(paths: Sequence[str], folder: str) -> Dates:
    """Git's own command for this; then the dates of the commits that it names."""
    entries = _git("last-modified", "-r", "-z", "HEAD", "--", folder).split("\0")
    commits = {path: name.lstrip("^") for name, _, path in (e.partition("\t") for e in entries)}
    commits.pop("", None)
    names = "".join(f"{name}\n" for name in sorted(set(commits.values())))
    lines = _git("log", "--no-walk", "--stdin", "--format=%H %ct", stdin=names).splitlines()
    dates = {name: int(date) for name, date in (line.split() for line in lines)}
    return {path: dates[commits[path]] for path in paths if path in commits}


def last_updated(paths: Sequence[str], folder: str) -> tuple[float, float, Dates]:
    """What sphinx-last-updated-by-git does in a build, folder by folder."""
    from sphinx_last_updated_by_git import update_file_dates

    @timed
    def find(paths: Sequence[str], folder: str) -> Dates:
        folders: dict[str, dict[str, Any]] = {}
        for path in paths:
            folders.setdefault(os.path.dirname(path), {})[os.path.basename(path)] = None
        for below, files in folders.items():
            update_file_dates(os.path.abspath(below), set(), files)
        found = {path: folders[os.path.dirname(path)][os.path.basename(path)] for path in paths}
        return {path: int(value[0]) for path, value in found.items() if value is not None}

    return find(paths, folder)


# Those of which the dates are the authors'.
WRITTEN = {"sphinx-last-updated-by-git"}
METHODS: dict[str, Method] = {
    "this project": this_project,
    "sphinx-last-updated-by-git": last_updated,
    "git log, a file": log_each,
    "git log, once": log_once,
    "git last-modified": last_modified,
}


def truth(paths: Sequence[str]) -> dict[str, tuple[int, int]]:
    """The committer's and the author's date of the newest commit of each file."""
    dates = {}
    for path in paths:
        output = _git("log", "-1", "--format=%ct %at", "--", path)
        if output:
            committed, written = output.split()
            dates[path] = int(committed), int(written)
    return dates


def _git(*arguments: str, stdin: str = "") -> str:
    command = [*GIT, *arguments]
    done = subprocess.run(command, input=os.fsencode(stdin), stdout=subprocess.PIPE, check=True)
    return os.fsdecode(done.stdout)


def _cpu() -> float:
    """Seconds of processor time, with those of the gits that have ended."""
    all_of = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in all_of)


def _peak() -> float:
    """The memory of the largest process: this one, or a git."""
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        # On Linux, the former counts what the process was forked from, too.
        with open("/proc/self/status", encoding="ascii") as status:
            own = int(re.findall(r"VmHWM:\s*(\d+)", status.read())[0])
    except OSError:
        pass
    return max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / unit


def main() -> None:
    name, folder = sys.argv[1:]
    paths = [os.fsdecode(path) for path in sys.stdin.buffer.read().split(b"\0") if path]
    if name == "truth":
        print(json.dumps(truth(paths)))
    else:
        seconds, cpu, dates = METHODS[name](paths, folder)
        print(json.dumps([seconds, cpu, _peak(), dates]))


if __name__ == "__main__":
    main()
