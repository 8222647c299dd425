"""Measure what dates from git cost, and whether they are right: `make bench-dates`.

Side by side, in one run and in turn: this project, the plugins that people use now, and git's own
ways, on generated histories and on any clone. Prints tables in Markdown. What counts is the ratio
of two figures of one run: the seconds are those of the machine. Peers that give the date of the
author, not that of the committer, are held to that. A cold run finds an empty cache folder of the
user's, a warm one what the cold one left there; neither finds anything else of an earlier build.

All shapes at 800/4000 take long; `--quick` takes some minutes.

    python benchmarks/dates.py --quick
    python benchmarks/dates.py --shape merges --size 800/4000
    python benchmarks/dates.py --clone ../project --docs doc --mkdocs mkdocs.yml
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NoReturn

from builds import CONTESTANTS, PLAIN, Build, Contestant
from histories import SHAPES, Size, generate
from measure import BenchError, CountedGit, run
from methods import METHODS, WRITTEN
from tables import Checked, Result, Row, bar, builds_table, methods_table

PACKAGES = (
    "mkdocs",
    "mkdocs-git-revision-date-localized-plugin",
    "sphinx",
    "myst-parser",
    "sphinx-last-updated-by-git",
    "sphinx-sitemap",
)
TOOLS = ("MkDocs", "Sphinx")
COLD, WARM = "this project, cold", "this project, warm"


@dataclass(frozen=True)
class Subject:
    """A repository with pages; `build` is `None` if it is no site that can be built."""

    title: str
    repository: Path
    docs: str
    paths: Sequence[str]
    build: Build | None = None
    tools: Sequence[str] = ()


class Bench:
    """All measurements of one subject."""

    def __init__(self, subject: Subject, env: dict[str, str], scratch: Path) -> None:
        self._subject = subject
        self._env = env
        self._cache = scratch / "cache-methods"
        self._counted = CountedGit(scratch / "counted", env["PATH"])
        self._truth: dict[str, tuple[int, int]] = json.loads(self._method("truth", env))

    def run(self, rounds: int) -> Result:
        """Check the dates of all contestants and count their gits, then time them in turn."""
        result = Result(self._subject.title, len(self._subject.paths))
        methods = [*self._methods(result)]
        contestants = [*self._contestants(result)]
        for number in range(rounds):
            print(f"{self._subject.title}: round {number + 1} of {rounds}", file=sys.stderr)
            for name in methods:
                seconds, cpu, peak, _ = json.loads(self._method(name, self._env))
                result.methods[name].add(seconds, cpu, peak)
            for contestant in contestants:
                assert self._subject.build is not None
                cost = self._subject.build.run(contestant, self._env)
                row = result.builds[contestant.tool][contestant.name]
                row.add(cost.seconds, cost.cpu, cost.peak)
        return result

    def _methods(self, result: Result) -> Iterator[str]:
        for name in (COLD, WARM, *METHODS):
            if name == "this project":
                continue
            if name == "git last-modified" and not _has_last_modified(self._env):
                result.skipped.append(f"{name}: this git has none (it came with 2.52)")
                continue
            try:
                *_, dates = json.loads(self._method(name, self._counting()))
            except BenchError as error:
                result.skipped.append(f"{name}: {error}")
                continue
            checked = self._check(dates, written=name in WRITTEN)
            result.methods[name] = Row(checked, self._counted.take())
            yield name

    def _contestants(self, result: Result) -> Iterator[Contestant]:
        build = self._subject.build
        for contestant in CONTESTANTS if build else ():
            if build is None or contestant.tool not in self._subject.tools:
                continue
            title = f"{contestant.tool}, {contestant.name}"
            rows = result.builds.setdefault(contestant.tool, {})
            if missing := contestant.missing():
                result.skipped.append(f"{title}: not installed ({', '.join(missing)})")
                continue
            if contestant.name != PLAIN and PLAIN not in rows:
                continue  # nothing to compare with; why, is said
            try:
                build.run(contestant, self._counting(), note=True)
                gits = self._counted.take()
                checked = None
                if contestant.dates is not None:
                    checked = self._check(contestant.dates(build), written=contestant.written)
            except (BenchError, OSError) as error:
                result.skipped.append(f"{title}: {error}")
                continue
            rows[contestant.name] = Row(checked, gits)
            yield contestant

    def _check(self, dates: dict[str, int], *, written: bool) -> Checked:
        """Compare with what git says of each file, in the kind of date that is given."""
        known = {path: both[written] for path, both in self._truth.items()}
        given = {path: dates[path] for path in known if path in dates}
        wrong = sorted(path for path, date in given.items() if date != known[path])
        return Checked(wrong, sorted(known.keys() - given.keys()))

    def _method(self, name: str, env: dict[str, str]) -> str:
        if name != WARM:
            shutil.rmtree(self._cache, ignore_errors=True)
        name = "this project" if name in (COLD, WARM) else name
        script = str(Path(__file__).with_name("methods.py"))
        command = [sys.executable, script, name, self._subject.docs]
        paths = "".join(f"{path}\0" for path in self._subject.paths)
        env = {**env, "XDG_CACHE_HOME": str(self._cache)}
        return run(command, cwd=self._subject.repository, env=env, stdin=paths)[1]

    def _counting(self) -> dict[str, str]:
        return {**self._env, "PATH": self._counted.path}


def _has_last_modified(env: dict[str, str]) -> bool:
    # It shows its usage and ends with 129; a git without it ends with 1.
    command = ["git", "last-modified", "-h"]
    return subprocess.run(command, env=env, capture_output=True).returncode == 129


def generated(shape: str, size: Size, scratch: Path, tools: Sequence[str]) -> Subject:
    repository = scratch / "repository"
    generate(repository, shape, size)
    build = Build(repository, "docs", scratch / "build")
    paths = _pages(repository, "docs", (".md",))
    return Subject(f"{shape}: {size}", repository, "docs", paths, build, tools)


def cloned(arguments: argparse.Namespace, scratch: Path) -> Subject:
    repository = arguments.clone.resolve()
    if _git(repository, "rev-parse", "--show-prefix").strip():
        raise BenchError(f"{arguments.clone} is a folder of a repository; name the top, and --docs")
    docs = os.path.normpath(arguments.docs)
    paths = _pages(repository, docs, tuple(arguments.suffix.split(",")))
    if not paths:
        raise BenchError(f"{arguments.clone} has no {arguments.suffix} files in {arguments.docs}")
    commits = int(_git(repository, "rev-list", "--count", "HEAD"))
    title = f"{repository.name}: {len(paths):,} pages, {commits:,} commits"
    if arguments.mkdocs is None:
        return Subject(title, repository, docs, paths)
    # The builds write a file into the repository: let it be another one.
    copy = scratch / repository.name
    _git(scratch, "clone", "--quiet", "--shared", str(repository), str(copy))
    if not (copy / arguments.mkdocs).is_file():
        raise BenchError(f"--mkdocs: HEAD of {arguments.clone} has no file {arguments.mkdocs}")
    build = Build(copy, docs, scratch / "build", arguments.mkdocs)
    return Subject(title, copy, docs, paths, build, ["MkDocs"])


def _pages(repository: Path, docs: str, suffixes: tuple[str, ...]) -> list[str]:
    output = _git(repository, "ls-tree", "-r", "-z", "--name-only", "HEAD", "--", f"{docs}/")
    return [path for path in output.split("\0") if path.endswith(suffixes)]


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True)
    if done.returncode != 0:
        lines = os.fsdecode(done.stderr).strip().splitlines() or ["no reason given"]
        raise BenchError(f"git {arguments[0]} failed in {folder}: {lines[-1]}")
    return os.fsdecode(done.stdout)


def environment(env: dict[str, str]) -> dict[str, str]:
    """What the figures depend on."""
    git = subprocess.run(["git", "--version"], env=env, capture_output=True, text=True, check=True)
    found = {"python": platform.python_version(), "git": git.stdout.split()[2]}
    found["processors"] = str(os.cpu_count())
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "missing"
    return found


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = _Parser(description="Measure what dates from git cost, and whether they are right.")
    parser.add_argument("--shape", action="append", choices=SHAPES, help="default: all")
    parser.add_argument(
        "--size", action="append", type=_size, metavar="PAGES/COMMITS", help="default: 800/4000"
    )
    parser.add_argument("--clone", type=Path, help="a repository, instead of generated ones")
    parser.add_argument("--docs", help="the folder of its pages")
    parser.add_argument("--suffix", default=".md,.rst", help="of its pages (default: %(default)s)")
    parser.add_argument("--mkdocs", metavar="FILE", help="its mkdocs.yml: measure builds, too")
    parser.add_argument("--tool", action="append", choices=TOOLS, help="that builds (default: all)")
    parser.add_argument("--no-builds", action="store_true", help="find the dates only")
    parser.add_argument("--git", type=Path, metavar="FOLDER", help="the folder of the git to take")
    parser.add_argument("--runs", type=_count, help="of which the median is taken (default: 3)")
    parser.add_argument("--quick", action="store_true", help="40/200, one run, unless told else")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures here")
    options = parser.parse_args(arguments)
    if (options.clone is None) != (options.docs is None):
        parser.error("--clone and --docs go together")
    if options.clone is not None and (options.shape or options.size):
        parser.error("--shape and --size are for generated histories, not for --clone")
    if options.mkdocs is not None and options.clone is None:
        parser.error("--mkdocs is for --clone")
    if options.no_builds and (options.mkdocs or options.tool):
        parser.error("--no-builds contradicts --mkdocs and --tool")
    if options.git is not None and not os.access(options.git / "git", os.X_OK):
        parser.error(f"--git: there is no git in {options.git}")
    if options.json is not None and not options.json.absolute().parent.is_dir():
        parser.error(f"--json: there is no folder {options.json.parent}")
    options.size = options.size or [Size(40, 200) if options.quick else Size(800, 4000)]
    options.runs = options.runs or (1 if options.quick else 3)
    return options


def _size(text: str) -> Size:
    pages, _, commits = text.partition("/")
    try:
        size = Size(int(pages), int(commits))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not like 800/4000") from None
    if size.pages < 1 or size.commits < max(20, size.pages):
        raise argparse.ArgumentTypeError("it takes a page, and 20 commits and one for each page")
    return size


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above zero")
    return int(text)


def results(options: argparse.Namespace, env: dict[str, str]) -> Iterator[Result]:
    tools = [] if options.no_builds else options.tool or TOOLS
    if options.clone is not None:
        with tempfile.TemporaryDirectory() as name:
            yield Bench(cloned(options, Path(name)), env, Path(name)).run(options.runs)
        return
    for size in options.size:
        for shape in options.shape or SHAPES:
            with tempfile.TemporaryDirectory() as name:
                subject = generated(shape, size, Path(name), tools)
                yield Bench(subject, env, Path(name)).run(options.runs)


def main() -> None:
    options = parse()
    if options.git is not None:
        os.environ["PATH"] = f"{options.git.absolute()}{os.pathsep}{os.environ['PATH']}"
    env = dict(os.environ)
    if shutil.which("git") is None:
        raise BenchError("there is no git on PATH; install it, or name its folder by --git")
    about = environment(env)
    print(", ".join(f"{name} {value}" for name, value in about.items()) + f"; {options.runs} runs")
    written: list[Any] = []
    for result in results(options, env):
        print(f"\n## {result.title}\n")
        print(methods_table(result, COLD))
        for tool in (tool for tool, rows in result.builds.items() if PLAIN in rows):
            print(builds_table(result, tool, PLAIN))
        for line in [*bar(result, PLAIN, COLD), *(f"Skipped: {line}" for line in result.skipped)]:
            print(f"- {line}")
        sys.stdout.flush()
        written.append(asdict(result))
        if options.json is not None:
            text = json.dumps({"environment": about, "results": written}, indent=1)
            options.json.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except BenchError as error:
        sys.exit(f"dates.py: {error}")
