"""Measure speed, memory, and accuracy, compared with other tools."""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path
from statistics import median

from benchmarks import (
    dates,
    decisions,
    history,
    modules,
    projects,
    rules,
    thresholds,
)
from benchmarks.measure import Case, Measurement, compare, measure
from docs_sitemap.tools import printing

# If the hooks take more of the time than this, nothing else was measured, as for the
# limit.
_ALL = 0.9


def core(options: argparse.Namespace, scratch: str) -> None:
    counts = (12_500, 25_000, 50_000)
    cases: dict[str, Case] = {
        f"{n:,} pages": ("core:build", n, scratch) for n in counts
    }
    compare("The core without git", cases, options.runs)


def check(options: argparse.Namespace, scratch: str) -> None:
    site, large = Path(scratch, "site"), Path(scratch, "large")
    measure(("core:build", 5_000, site, "html"))
    measure(("core:build", 50_000, large))
    sitemap = large / "sitemap.xml"
    cases: dict[str, Case] = {
        "docs-sitemap check": ("check:this_project", sitemap),
        "lxml: validate with a RelaxNG schema": ("check:lxml_schema", sitemap),
        "ultimate-sitemap-parser: read": ("check:ultimate_sitemap_parser", sitemap),
        "docs-sitemap check, a site with 5,000 pages": ("check:this_project", site),
    }
    compare("Checking a sitemap with 50,000 URLs", cases, options.runs)


def find_dates(options: argparse.Namespace, scratch: str) -> None:
    repository, docs = str(_repository(options, scratch)), options.docs
    expected = [dates.git_log(repository, docs, date)() for date in dates.GIT_LOG]
    warm = f"{scratch}/cache"
    measure(("dates:this_project", repository, docs, warm))
    cases: dict[str, Case] = {
        "this project": ("dates:this_project", repository, docs, ""),
        "this project, second build": ("dates:this_project", repository, docs, warm),
        **{
            f"this project, {date}": ("dates:this_project", repository, docs, "", date)
            for date in ("committed", "authored")
        },
        "`git log` per file": ("dates:git_log", repository, docs),
        "sphinx-last-updated-by-git": (
            "dates:sphinx_last_updated_by_git",
            repository,
            docs,
        ),
        "mkdocs-git-revision-date-localized-plugin": (
            "dates:mkdocs_git_revision_date_localized",
            repository,
            docs,
        ),
    }

    def accuracy(measurements: list[Measurement]) -> str:
        return dates.accuracy(measurements[0].result, *expected)

    title = f"The dates of {len(expected[0]):,} pages of {Path(repository).name}"
    compare(title, cases, options.runs, {"incorrect / missing": accuracy})


def _share(measurements: list[Measurement]) -> str:
    """Return the share of the hooks of this project, if there are any."""
    share = median(m.result / m.processor for m in measurements)
    is_build = 0 < share < _ALL
    return f"{share:.2%}" if is_build else ""


def _seconds(measurements: list[Measurement]) -> str:
    """Return the processor seconds of the hooks of this project, if there are any."""
    seconds = [m.result for m in measurements]
    return f"{median(seconds):.3f}" if any(seconds) else ""


def builds(options: argparse.Namespace, scratch: str) -> None:
    repository = _repository(options, scratch)
    warm = f"{scratch}/cache"

    alternatives = {
        "mkdocs": ("sitemap", "git-revision-date-localized"),
        "sphinx": ("sphinx_sitemap_ext", "sphinx_last_updated_by_git,sphinx_sitemap"),
    }
    for generator in options.generator:
        ours, other = alternatives[generator]
        function = f"builds:{generator}"
        measure((function, repository, ours, warm))
        cases: dict[str, Case] = {
            "nothing": (function, repository, ""),
            "this project": (function, repository, ours),
            "this project, dates in pages": (function, repository, ours, "", "on"),
            other.replace(",", " and ").replace("_", "-"): (
                function,
                repository,
                other,
            ),
        }
        if generator == "mkdocs":  # Sphinx keeps the cache with the built documents.
            cases["this project, second build"] = function, repository, ours, warm
        pages = printing.count(options.pages, "page")
        title = f"Complete builds of {pages}: {generator} with …"
        compare(title, cases, options.runs, {"hooks": _share})


def page(options: argparse.Namespace, scratch: str) -> None:
    small = argparse.Namespace(**vars(options) | {"pages": 1, "commits": 5})
    builds(small, scratch)


def fastapi(options: argparse.Namespace, scratch: str) -> None:
    """Copy the clone, because the builds write a configuration."""
    if options.clone is None:
        raise SystemExit("fastapi needs --clone, with a complete clone of FastAPI")
    repository, needs = Path(scratch, "repository"), Path(scratch, "needs.json")
    subprocess.run(["git", "clone", "--quiet", options.clone, repository], check=True)
    plain = "builds:fastapi_plain"
    measure(("builds:note_needs", repository, needs))
    # The limit reads the pages of the build before it.
    limit: Case = "builds:only_needs", repository, needs
    cases = _fastapi_cases(plain, repository, "", {"the limit": limit})
    title = "Complete builds of FastAPI's documentation in all languages with …"
    rounds = compare(
        title, cases, options.runs, {"hooks": _share, "seconds of them": _seconds}
    )
    ratios = []
    for measured in rounds:
        ratios.append(measured["this project"].result / measured["the limit"].result)
    print(f"\nThe hooks against the limit: {median(ratios):.2f}")
    cases = _fastapi_cases("builds:fastapi", repository, "mkdocstrings", {})
    title = "Complete builds of five languages with Material, mkdocstrings, and …"
    compare(title, cases, options.runs, {"hooks": _share})


def _fastapi_cases(
    function: str, repository: Path, plugins: str, more: dict[str, Case]
) -> dict[str, Case]:
    warm = f"{repository}-cache-{function.partition(':')[2]}"
    ours = f"{plugins},sitemap"
    measure((function, repository, ours, warm))
    return {
        "no dates": (function, repository, plugins),
        "this project": (function, repository, ours),
        **more,
        "this project, second build": (function, repository, ours, warm),
        "git-revision-date-localized": (
            function,
            repository,
            f"{plugins},git-revision-date-localized",
        ),
    }


def api(options: argparse.Namespace, scratch: str) -> None:
    extensions = {
        "mkdocs": ("mkdocstrings", "sitemap"),
        "sphinx": ("sphinx.ext.autodoc", "sphinx_sitemap_ext"),
    }

    def ratio(measurements: list[Measurement]) -> str:
        return (
            f"{median(m.result / (m.processor - m.result) for m in measurements):.2%}"
        )

    for generator in options.generator:
        repository, warm = Path(scratch, generator), f"{scratch}/{generator}-cache"
        modules.generate(repository, generator, options.modules, options.commits)
        documentation, ours = extensions[generator]
        both = f"{documentation},{ours}"
        function = f"builds:{generator}"
        measure((function, repository, both, warm))
        cases: dict[str, Case] = {
            documentation: (function, repository, documentation),
            "and this project": (function, repository, both),
        }
        if generator == "mkdocs":  # as in `builds`
            cases["and this project, second build"] = function, repository, both, warm
        title = f"API documentation of {options.modules:,} modules: {generator} with …"
        compare(title, cases, options.runs, {"hooks": ratio})


def index(options: argparse.Namespace, scratch: str) -> None:
    sites, urls = 1_000, 1_000
    measure(("index:generate", scratch, sites, urls))
    total = sites * urls
    cases: dict[str, Case] = {"an index": ("index:compose", scratch, total)}
    compare(f"Composing {sites:,} sitemaps with {total:,} URLs", cases, options.runs)


def generate(options: argparse.Namespace, scratch: str) -> None:
    sites = {
        "2,000 pages by their paths": ("small", 2_000),
        "20,000 pages by their paths": ("small", 20_000),
        "2,000 pages by their edit links": ("linked", 2_000),
        "20,000 pages by their edit links": ("linked", 20_000),
        "1,200 pages of 50 KB, half of them by their words alone": ("real", 1_200),
        "6 groups of 400 nearly equal pages": ("groups", 2_400),
        "5 pages of 400 KB of nested elements": ("nested", 5),
    }
    cases: dict[str, Case] = {}
    for name, (kind, count) in sites.items():
        folder = f"{scratch}/{kind}-{count}"
        measure(("generate:generate", folder, kind, count))
        cases[name] = "generate:this_project", folder
        if kind == "real":
            cases["only reading these files"] = "generate:read_files", folder

    def dated(measurements: list[Measurement]) -> str:
        return f"{measurements[0].result:,}"

    compare("The site of any generator", cases, options.runs, {"dated": dated})


def analyses(options: argparse.Namespace, scratch: str) -> None:
    """Print what each analysis decides for the projects in `projects.toml`."""
    if options.clones is None:
        raise SystemExit("analyses needs --clones, with clones of the projects")
    folder = Path(options.results or scratch)
    decided = {}
    sites = rules.make_sites(Path(scratch))
    for project in projects.find_projects(Path(options.clones).resolve()):
        projects.prepare(project)
        saved = folder / project.name
        if not (saved / "pages.pickle").exists():
            saved.mkdir(parents=True)
            if not projects.build(project, saved):
                print(f"{project.name} is not built: see {saved}/log.txt")
                continue
            sites.append(rules.read_built(project, saved))
        decided[project.name] = decisions.decide(saved / "pages.pickle")
    decisions.print_table(decided)
    rules.print_table({site.name: rules.decide(site) for site in sites})


def find_thresholds(options: argparse.Namespace, scratch: str) -> None:
    """Print what each threshold of `generate` decides for sites whose sources are
    known: those in `tests/sites`, and others.
    """
    sites = rules.make_sites(Path(scratch))
    if options.sites is not None:
        sites += rules.read_sites(Path(options.sites))
    observed = {}
    for site in sites:
        observed[site.name] = thresholds.observe(site)
    print(f"{len(sites)} sites")
    thresholds.print_histograms(observed)


def startup(options: argparse.Namespace, scratch: str) -> None:
    from sphinx.application import builtin_extensions

    mkdocs = (
        "startup:load",
        "mkdocs.commands.build",
        "mkdocs.config.defaults",
        "mkdocs.plugins",
    )
    sphinx = ("startup:load", "sphinx.cmd.build", *builtin_extensions)
    cases: dict[str, Case] = {
        "MkDocs": mkdocs,
        "MkDocs and the plugin": (*mkdocs, "mkdocs_sitemap"),
        "MkDocs and the plugin, for a build": (*mkdocs, "mkdocs_sitemap.build"),
        "Sphinx": sphinx,
        "Sphinx and the extension": (*sphinx, "sphinx_sitemap_ext"),
        "Sphinx and the extension, for HTML": (*sphinx, "sphinx_sitemap_ext.events"),
        "`docs-sitemap --version`": ("startup:version",),
    }
    for case in cases.values():
        measure(case)  # This writes the compiled modules.
    compare("Loading", cases, options.runs)


def _repository(options: argparse.Namespace, scratch: str) -> Path:
    if options.clone is not None:
        return Path(options.clone).resolve()
    repository = Path(scratch, "repository")
    history.generate(repository, options.pages, options.commits)
    return repository


BENCHMARKS = {
    "startup": startup,
    "core": core,
    "analyses": analyses,
    "thresholds": find_thresholds,
    "check": check,
    "dates": find_dates,
    "builds": builds,
    "page": page,
    "api": api,
    "fastapi": fastapi,
    "index": index,
    "generate": generate,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "benchmark",
        nargs="*",
        help=f"{', '.join(BENCHMARKS)} (default: all that need no clones)",
    )
    parser.add_argument(
        "--runs", type=int, default=3, help="the number of measurements (default: 3)"
    )
    parser.add_argument(
        "--pages", type=int, default=800, help="of the generated repository"
    )
    parser.add_argument(
        "--modules", type=int, default=300, help="for api (default: 300)"
    )
    parser.add_argument(
        "--commits", type=int, default=4_000, help="of the generated repository"
    )
    parser.add_argument(
        "--clone", help="for dates, builds, and fastapi: an existing repository"
    )
    parser.add_argument(
        "--clones", help="for analyses: a folder with clones of real projects"
    )
    parser.add_argument(
        "--results", help="for analyses: a folder to keep the builds in"
    )
    parser.add_argument(
        "--sites", help="for thresholds: a folder with more sites in folders of its own"
    )
    parser.add_argument(
        "--docs", default="docs", help="the folder of its pages (default: docs)"
    )
    parser.add_argument(
        "--generator",
        nargs="+",
        default=["mkdocs", "sphinx"],
        help="for builds (default: both)",
    )
    options = parser.parse_args()
    without_clones = [
        name for name in BENCHMARKS if name not in ("analyses", "fastapi")
    ]
    for name in options.benchmark or without_clones:
        with tempfile.TemporaryDirectory() as scratch:
            BENCHMARKS[name](options, scratch)


if __name__ == "__main__":
    main()
