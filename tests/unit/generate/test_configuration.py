"""Which configuration `generate` uses, what it says about the others, and how they are
merged.
"""

from __future__ import annotations

import os
from pathlib import Path
from time import process_time

import pytest
from support.cli import Done, invoke
from support.platforms import needs_posix
from support.readers import read
from support.repository import Repository
from support.sitemaps import BASE, write_site
from support.small_sites import generate, html

ZENSICAL = '<meta name="generator" content="zensical-0.1.3">'
HUGO = '<meta name="generator" content="Hugo 0.150.0">'
# In seconds of the processor.
LIMIT = 10

PAGES = ("index.html", "a/index.html", "b/index.html")
URL = f"site_url: {BASE}\n"


@pytest.fixture
def folder(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with documents, and a site of Zensical."""
    repository = Repository.create(project)
    repository.write({".gitignore": "site\n"})
    repository.commit(
        {f"docs/{name}.md": f"# {name}" for name in ("index", "a", "b")}, day=1
    )
    build(project / "site")
    monkeypatch.chdir(project)
    return project


def build(site: Path, head: str = ZENSICAL) -> None:
    write_site(site, {name: html(name, head=head) for name in PAGES})


def listed(site: str = "site") -> set[str]:
    entries = read(Path(site, "sitemap.xml").read_bytes())
    return {entry.loc.removeprefix(BASE) for entry in entries}


def write(**files: str) -> None:
    """Write files whose names have `_` instead of `-`, and `__` instead of a dot."""
    for name, text in files.items():
        Path(name.replace("__", ".").replace("_", "-")).write_text(text)


# Contradictions


@pytest.mark.parametrize(
    ("plugin", "own"),
    [
        ("exclude: a.md", 'exclude = ["a.md"]'),
        ("exclude: [a.md, b.md]", 'exclude = "a.md, b.md"'),
        ("priority: '0.5'", "priority = 0.5"),
        ("gzip: !ENV [UNSET, 0]", "gzip = false"),
        (
            "rules: [{match: a.md, priority: 1}]",
            '[[rules]]\nmatch = ["a.md"]\npriority = 1.0',
        ),
        ("exclude:", "exclude = ['a.md']"),
    ],
)
def test_equal_options(folder: Path, plugin: str, own: str) -> None:
    write(
        mkdocs__yml=f"{URL}plugins: [sitemap: {{{plugin}}}]\n", docs_sitemap__toml=own
    )
    assert generate().err == ""


@pytest.mark.parametrize(
    ("plugin", "own", "words"),
    [
        ("exclude: a.md", "exclude = 'b.md'", ["'a.md'", "'b.md'"]),
        ("exclude: []", "exclude = 'b.md'", ["[]", "'b.md'"]),
        ("changefreq: daily", "changefreq = 'weekly'", ["'daily'", "'weekly'"]),
        ("exlude: a.md", "", ["mkdocs.yml:2: exlude: ", "use exclude"]),
        ("1: a.md", "", ["mkdocs.yml:2: 1: "]),
        (
            "gzip: x",
            "changefreq = 'x'",
            ["mkdocs.yml:2: gzip: ", "docs-sitemap.toml:1: changefreq: "],
        ),
        ("gzip: x", "gzip = false", ["'x'", "False"]),
        (
            "report: x.txt, gzip: 5",
            "",
            ["mkdocs.yml:2: report: ", "mkdocs.yml:2: gzip: "],
        ),
    ],
)
def test_invalid_options(folder: Path, plugin: str, own: str, words: list[str]) -> None:
    write(
        mkdocs__yml=f"{URL}plugins: [sitemap: {{{plugin}}}]\n", docs_sitemap__toml=own
    )
    error = generate(code=2).err
    assert [word for word in words if word not in error] == []
    assert "mkdocs.yml" in error
    assert ("docs-sitemap.toml" in error) is bool(own)


@pytest.mark.parametrize(
    ("files", "place"),
    [
        (
            {"mkdocs__yml": "nav:\n- gzip: a.md\nplugins:\n- sitemap:\n    gzip: 5"},
            "mkdocs.yml:6: gzip: ",
        ),
        (
            {"mkdocs__yml": "# gzip: 1\nplugins:\n  sitemap:\n    'gzip': 5"},
            "mkdocs.yml:5: gzip: ",
        ),
        (
            {"zensical__toml": '[project]\n[project.plugins.sitemap]\ngzip = "x"'},
            "zensical.toml:3: gzip: ",
        ),
        (
            {
                "pyproject__toml": "[tool.x]\nrules = 1\n[[tool.docs-sitemap.rules]]\na = 1"
            },
            "pyproject.toml:3: rules: ",
        ),
        (
            {"docs_sitemap__toml": "# A\n\nmin-dated = 5\nlastmod-changes = 'x'"},
            "docs-sitemap.toml:4: lastmod-changes: ",
        ),
    ],
)
def test_an_invalid_option_has_a_line(
    folder: Path, files: dict[str, str], place: str
) -> None:
    texts = {"mkdocs__yml": "", **files}
    texts["mkdocs__yml"] = f"{URL}{texts['mkdocs__yml']}"
    write(**texts)
    lines = generate("site", code=2).err.splitlines()
    assert [line for line in lines if line.startswith(f"Error: {place}")]
    assert len(lines) == 1


def test_options_that_the_plugin_does_not_have(folder: Path) -> None:
    write(mkdocs__yml=f"{URL}plugins: [sitemap: {{min_dated: 5}}]\n")
    error = generate(code=2).err
    assert "mkdocs.yml:2: min_dated: " in error
    assert "docs-sitemap.toml" in error


def test_the_command_line_wins(folder: Path) -> None:
    write(
        mkdocs__yml=f"{URL}plugins: [sitemap: {{exclude: a.md}}]\n",
        docs_sitemap__toml="exclude = 'x'",
    )
    generate("--exclude", "b.md")
    assert listed() == {"", "a/"}


def test_base_url_wins_over_site_url(folder: Path) -> None:
    write(
        mkdocs__yml="site_url: https://other.example/\n",
        docs_sitemap__toml=f"base_url = '{BASE}'",
    )
    assert generate().err == ""
    assert listed() == {"", "a/", "b/"}


# What cannot be obeyed


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ("{page_dates: true}", "page_dates"),
    ],
)
def test_options_without_effect(folder: Path, options: str, word: str) -> None:
    write(mkdocs__yml=f"{URL}plugins: [sitemap: {options}]\n")
    error = generate().err
    assert error.startswith("Note: ")
    assert word in error
    assert len(listed()) == 3


def test_options_next_to_the_site(folder: Path) -> None:
    write(mkdocs__yml=f"{URL}plugins: [sitemap: {{exclude: a.md}}]\n")
    for path, file in (
        (folder.parent, f"{folder.name}/mkdocs.yml"),
        (folder / "docs", "../mkdocs.yml"),
    ):
        site = os.path.relpath(folder / "site", path)
        done = invoke("generate", site, "--base-url", BASE, cwd=path)
        assert f"--config {file}" in done.err
        assert "a/" in listed()
        done = invoke("generate", "--config", file, cwd=path)
        assert (done.code, done.err) == (0, "")
        assert "a/" not in listed()


def test_options_in_a_file_that_is_not_read(folder: Path) -> None:
    write(
        zensical__toml=f"[project]\nsite_url = '{BASE}'\n",
        mkdocs__yml="plugins: [sitemap: {exclude: a.md}]\n",
    )
    error = generate().err
    assert "mkdocs.yml" in error
    assert "zensical.toml" in error
    Path("sub").mkdir()
    Path("sub/mkdocs.yml").write_text(URL)
    write(docs_sitemap__toml="exclude = 'a/'\n")
    error = generate("site", "--config", "sub/mkdocs.yml").err
    assert "docs-sitemap.toml" in error
    assert listed() == {"", "a/", "b/"}
    Path("own").mkdir()
    Path("own/docs-sitemap.toml").write_text(f"base_url = '{BASE}'\n")
    error = generate("site", "--config", "own/docs-sitemap.toml").err
    assert "zensical.toml has no effect" in error
    assert "docs-sitemap.toml has no effect" not in error


BOMB = "".join(f"b{n}: &b{n} [{', '.join([f'*b{n - 1}'] * 9)}]\n" for n in range(1, 40))
HOSTILE = [
    "plugins: &p [*p]",
    "plugins: [sitemap: &s {exclude: &e [*e], rules: *s, ? 0x" + "f" * 9_000 + " : 1}]",
    "plugins: {sitemap: {? !x [*b39] : 1, dependencies: {a: *b39}, exclude: *b39}}",
    "theme: {language: *b39, locale: [x]}\nextra: {alternate: *b39}",
    "extra: {alternate: [{lang: *b39, link: *b39}]}",
    "plugins: [i18n: {languages: [{locale: *b39}, *b39]}, mike: {canonical_version: *b39}]",
    "plugins: [i18n: {languages: 5}]",
    "plugins: [offline, !x y, {a: 1, b: 2}, [sitemap], {sitemap: !x {}}]",
    'docs_dir: "a\\0b"',
    'site_dir: "\\uD800"',
    "nav: *b39\nmarkdown_extensions: *b39\nhooks: *b39",
    "plugins: [blog: {blog_dir: *b39, post_dir: /, post_url_format: *b39}]",
    "plugins: [blog: {blog_dir: ., authors_file: *b39, post_excerpt_max_authors: -1}]",
    "plugins: [blog: {post_url_format: {}, archive_url_format: '"
    + "{a}" * 50
    + "'}, rss: *b39]",
    "plugins: [meta: {meta_file: *b39}, literate-nav: {nav_file: *b39}, tags: *b39]",
    "plugins: [macros: {include_dir: /, module_name: *b39}]\nhooks: [*b39, /etc]",
    "theme: {name: *b39, custom_dir: *b39}",
    "theme: {custom_dir: /}",
    "theme: {custom_dir: over}",
    "site_name: x\nplugins: [macros]",
    "plugins: [macros: {include_yaml: *b39, j2_variable_start_string: *b39}]",
    "plugins: [include-markdown: {start: *b39, end: *b39, directives: *b39}]",
    "plugins: [table-reader: {data_path: *b39}]\nextra: *b39",
    "markdown_extensions: [pymdownx.superfences: {custom_fences: *b39}]",
    "markdown_extensions: [pymdownx.superfences: {custom_fences: [{format: *b39}]}]",
    "markdown_extensions: [pymdownx.snippets: {auto_append: *b39}]",
    "markdown_extensions: [pymdownx.snippets: {auto_append: [*b39]}]",
    "markdown_extensions: [pymdownx.snippets: {base_path: *b39}]",
    "markdown_extensions: [pymdownx.snippets: {base_path: [!relative [*b39]]}]",
    "markdown_extensions: [mdx_include: {base_path: *b39}]",
    "plugins: [mkdocstrings: {handlers: *b39}]",
    "plugins: [mkdocstrings: {handlers: {python: {paths: [*b39], options: *b39}}}]",
]

# Notations of what a page can insert.
NOTATIONS = """\
--8<-- "a.md"
{% include "a.md" %}
{{ x }} {{ read_csv("a.md") }}
{! a.md !}
```python exec="on"
x
```
::: a.b
"""


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_values(folder: Path, text: str) -> None:
    """They end in a sitemap or in one line, soon."""
    values = "template: *b39\nrender_macros: *b39\n"
    front_matter = f"---\nkind: a\nb0: &b0 [x]\n{BOMB}{values}---\n"
    files = {
        "docs/a.md": f"{front_matter}# a\n{NOTATIONS}",
        "over/main.html": "",
        "docs/blog/posts/a.md": f"{front_matter.replace('template', 'title')}# a",
        "docs/blog/posts/b.md": "---\ntitle: {}\nauthors: [[a]]\n---\n",
        "docs/blog/.authors.yml": "authors: [a]",
    }
    Repository(folder).commit(files, day=2)
    files["docs/a.md"] = files["docs/a.md"].replace("kind: a", "kind: b")
    Repository(folder).commit(files, day=3)
    write(
        mkdocs__yml=f"{URL}b0: &b0 [x]\n{BOMB}{text}\n",
        docs_sitemap__toml="exclude = 'x'",
    )
    start = process_time()
    done = invoke("generate", "site", "-v")
    error = done.err.splitlines()
    assert done.code in (0, 1, 2)
    assert max(map(len, error), default=0) < 1_000
    assert process_time() - start < LIMIT


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("plugins: [sitemap: 5]", "mapping"),
        ("plugins: 5", "plugins"),
        ("docs_dir: [docs]", "docs_dir"),
        ("site_dir: 5", "site_dir"),
        ("use_directory_urls: 'no'", "use_directory_urls"),
        ("site_url: 5", "site_url"),
        ("a: b: c", "line 1"),
        ("INHERIT: ../missing.yml", "missing.yml"),
    ],
)
@pytest.mark.parametrize("arguments", [(), ("site",)])
def test_unusable_files(
    folder: Path, text: str, words: str, arguments: tuple[str, ...]
) -> None:
    write(mkdocs__yml=text)
    error = generate(*arguments, code=2).err
    assert "mkdocs.yml: " in error
    assert words in error
    # The site of another generator does not need it.
    build(folder / "site", HUGO)
    generate("site", "--base-url", BASE)


@pytest.mark.parametrize("url", ["example.org", "ftp://example.org/", "https://a b/"])
def test_invalid_site_url(folder: Path, url: str) -> None:
    write(mkdocs__yml=f"site_url: '{url}'\n")
    assert "mkdocs.yml:1: site_url: " in generate(code=2).err
    generate("--base-url", BASE)


def test_a_folder_as_configuration(folder: Path) -> None:
    Path("mkdocs.yml").mkdir()
    assert "regular" in generate(code=2).err
    build(folder / "site", HUGO)
    generate("site", "--base-url", BASE)


@needs_posix
def test_a_pipe_as_configuration(folder: Path) -> None:
    os.mkfifo("zensical.toml")
    assert "regular" in generate("site", code=2).err


# The folder of the site


def test_no_folder(folder: Path) -> None:
    assert "SITE_DIR" in generate(code=2).err
    write(docs_sitemap__toml=f"base_url = '{BASE}'")
    assert "SITE_DIR" in generate(code=2).err


@pytest.mark.parametrize(
    "site_dir", ["public/docs", "./public/docs/", "docs/../public/docs"]
)
def test_another_folder(folder: Path, site_dir: str) -> None:
    build(folder / "public/docs", head="")
    write(
        mkdocs__yml=f"{URL}site_dir: {site_dir}\nplugins: {{sitemap: {{exclude: a.md}}}}\n"
    )
    generate()
    assert listed("public/docs") == {"", "b/"}


@needs_posix
@pytest.mark.parametrize("site_dir", ["../outside", "{tmp}/outside", "link/outside"])
def test_a_folder_outside_the_project(folder: Path, site_dir: str) -> None:
    """Anyone can commit a configuration."""
    outside = folder.parent / "outside"
    build(outside)
    Path("link").symlink_to(folder.parent)
    write(mkdocs__yml=f"{URL}site_dir: {site_dir.format(tmp=folder.parent)}\n")
    assert "outside the project" in generate(code=1).err
    assert not (outside / "sitemap.xml").exists()
    generate(outside)
    assert listed(str(outside)) == {"", "a/", "b/"}


def test_a_folder_without_pages(folder: Path) -> None:
    write(mkdocs__yml=f"{URL}site_dir: missing\n")
    assert "missing does not exist" in generate(code=2).err


# Which file is used


def used(done: Done) -> list[str]:
    """Return the files that set options."""
    files = []
    for line in done.out.splitlines():
        if line.startswith("options from "):
            files.append(line.removeprefix("options from ").partition(":")[0])
    return files


@pytest.mark.parametrize(
    ("site", "head", "config", "is_used"),
    [
        ("site", "", "", True),  # Themes of MkDocs do not name it.
        ("site", ZENSICAL, "", True),
        ("site", '<meta name="generator" content="mkdocs-1.6.1, x">', "", True),
        ("site", HUGO, "", False),
        ("public", ZENSICAL, "", True),
        ("public", HUGO, "", False),
        ("public", "", "", False),
        ("site", HUGO, "--config=mkdocs.yml", True),
        ("public", "", "--config=mkdocs.yml", True),
        ("sub/site", ZENSICAL, "", True),
        ("other/site", ZENSICAL, "", False),  # It has a configuration of its own.
        ("other/site", ZENSICAL, "--config=mkdocs.yml", True),
    ],
)
def test_leftover_configurations(
    folder: Path, site: str, head: str, config: str, is_used: bool
) -> None:
    Path("other").mkdir()
    Path("other/mkdocs.yml").write_text("")
    build(folder / site, head)
    write(mkdocs__yml="plugins: [sitemap: {exclude: a/}]\n")
    arguments = ["--base-url", BASE, "-v", *filter(None, [config])]
    done = generate(site, *arguments)
    assert ("mkdocs.yml" in used(done)) is is_used
    assert ("a/" not in listed(site)) is is_used
    number = (done.out + done.err).count("mkdocs.yml is not used")
    assert number == (0 if is_used else 1)
    has_note = "mkdocs.yml is not used" in done.err
    assert has_note is (not is_used and head != HUGO)
    if has_note:
        own = f"{site.partition('/')[0]}/mkdocs.yml"
        assert (f"--config {own}" in done.err) is Path(own).exists()


MKDOCS = '<meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.7.0">'


@pytest.mark.parametrize(
    ("files", "head", "expected"),
    [
        (["zensical.toml", "mkdocs.yml", "mkdocs.yaml"], ZENSICAL, "zensical.toml"),
        (["mkdocs.yml", "mkdocs.yaml", "mkdocs.toml"], ZENSICAL, "mkdocs.yml"),
        (["mkdocs.yaml", "mkdocs.toml"], ZENSICAL, "mkdocs.yaml"),
        (["mkdocs.toml"], "", "mkdocs.toml"),
        # MkDocs does not read the file of Zensical.
        (["zensical.toml", "mkdocs.yml"], MKDOCS, "mkdocs.yml"),
        (["zensical.toml"], MKDOCS, "zensical.toml"),
    ],
)
def test_the_order_of_files(
    folder: Path, files: list[str], head: str, expected: str
) -> None:
    build(folder / "site", head)
    for file in files:
        is_toml = file.endswith(".toml")
        Path(file).write_text(f"site_url = '{BASE}'\n" if is_toml else URL)
    assert used(generate("site", "-v")) == [expected]
    assert used(generate("-v")) == [expected]


def test_sites_in_subfolders(folder: Path) -> None:
    """Several configurations build the languages of a site into one folder."""
    build(folder / "site/de", "")
    build(folder / "site/c", "")
    write(mkdocs__yml=URL)
    (folder / "docs/de.md").write_text("# German")
    (folder / "site/de/sitemap.xml").write_text("")
    assert "de/ has a sitemap" in generate().err
    assert listed() == {"", "a/", "b/", "de/", "c/", "c/a/", "c/b/"}


def test_a_leftover_configuration_names_no_folder(folder: Path) -> None:
    build(folder / "site", HUGO)
    write(mkdocs__yml=f"{URL}plugins: [sitemap: {{exclude: a/}}]\n")
    done = invoke("generate")
    assert (done.code, "Hugo" in done.err) == (2, True), done.err
    assert not Path("site/sitemap.xml").exists()


CONFIG = "base_url = '{}'\nexclude = 'a/'\n"


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (
            "sub/mkdocs.yml",
            f"{URL}docs_dir: ../docs\nplugins: [sitemap: {{exclude: a.md}}]",
        ),
        ("sub/mkdocs.de.yml", f"{URL}plugins: [sitemap: {{exclude: a/}}]"),
        (
            "zensical.de.toml",
            f"[project]\nsite_url = '{BASE}'\nplugins.sitemap.exclude = 'a/'",
        ),
        ("sub/zensical.toml", f"site_url = '{BASE}'\nplugins.sitemap.exclude = 'a/'"),
        ("sub/docs-sitemap.toml", CONFIG.format(BASE)),
        ("other.toml", CONFIG.format(BASE)),
        (
            "sub/pyproject.toml",
            f"[project]\nname = 'x'\n[tool.docs-sitemap]\n{CONFIG.format(BASE)}",
        ),
    ],
)
def test_files_on_the_command_line(folder: Path, file: str, text: str) -> None:
    Path("sub").mkdir()
    Path(file).write_text(text)
    done = generate("site", "--config", file, "-v")
    assert used(done) == [file]
    assert listed() == {"", "b/"}
    assert file in invoke("explain", "site", "a/").out


def test_paths_are_relative_to_the_configuration(folder: Path) -> None:
    Path("sub").mkdir()
    Path("sub/mkdocs.yml").write_text(
        f"{URL}docs_dir: ../docs\nplugins: [sitemap: {{report: out/report.json, exclude: a.md}}]\n"
    )
    Path("sub/out").mkdir()
    generate("site", "--config", "sub/mkdocs.yml")
    assert Path("sub/out/report.json").exists()
    assert listed() == {"", "b/"}


@needs_posix
@pytest.mark.parametrize("file", ["mkdocs.yml", "zensical.toml", "other.yml"])
def test_a_link_to_the_folder(folder: Path, file: str) -> None:
    """As `/tmp` is on macOS."""
    toml = f"site_url = '{BASE}'\nplugins.sitemap.exclude = 'a.md'"
    text = f"{URL}plugins: [sitemap: {{exclude: a.md}}]"
    Path(file).write_text(toml if file.endswith(".toml") else text)
    link = folder.with_name("link")
    link.symlink_to(folder)
    generate("site", "--config", str(link / file))
    assert listed() == {"", "b/"}


@pytest.mark.parametrize("file", ["missing.yml", "missing.toml", "docs"])
def test_missing_files_on_the_command_line(folder: Path, file: str) -> None:
    assert file in generate("site", "--config", file, code=2).err


def test_other_commands(folder: Path) -> None:
    """`report` plans the sitemap of a site without one."""
    write(mkdocs__yml=f"{URL}plugins: [sitemap: {{exclude: a.md}}]\n")
    pages = invoke("report", "site", "--format", "json").json()["pages"]
    assert {page["page"]["name"] for page in pages} == {"index.md", "b.md"}


# The address


def test_canonical_links_win_over_site_url(folder: Path) -> None:
    pages = {}
    for name in PAGES:
        link = f'<link rel="canonical" href="{BASE}{name.removesuffix("index.html")}">'
        pages[name] = html(name, head=ZENSICAL + link)
    write_site(folder / "site", pages)
    write(mkdocs__yml="site_url: https://other.example/\n")
    error = generate().err
    assert BASE in error
    assert "https://other.example/" in error
    assert listed() == {"", "a/", "b/"}
    write(mkdocs__yml=URL.rstrip("/\n"))
    assert generate().err == ""


def test_local_addresses_are_unknown(folder: Path) -> None:
    write(mkdocs__yml="site_url: http://localhost:8000/\n")
    assert "--base-url: " in generate(code=2).err


def test_a_version_of_mike(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its canonical links may name another version."""
    monkeypatch.setenv("MIKE_DOCS_VERSION", "1.0")
    pages = {}
    for name in PAGES:
        link = f'<link rel="canonical" href="{BASE}latest/{name.removesuffix("index.html")}">'
        pages[name] = html(name, head=ZENSICAL + link)
    write_site(folder / "site", pages)
    write(mkdocs__yml=f"{URL}plugins: [mike: {{canonical_version: latest}}]\n")
    generate()
    assert listed() == {"1.0/", "1.0/a/", "1.0/b/"}


def test_languages(folder: Path) -> None:
    build(folder / "site/de")
    write(
        mkdocs__yml=f"{URL}extra:\n  alternate:\n"
        "  - {lang: en, link: /docs/}\n  - {lang: de, link: /docs/de/}\n"
    )
    generate()
    entries = read(Path("site/sitemap.xml").read_bytes())
    home = entries[0]
    assert home.alternates["de"] == f"{BASE}de/"


def test_languages_that_are_not_built(folder: Path) -> None:
    """Zensical does not run mkdocs-static-i18n."""
    languages = "{locale: en, default: true}, {locale: de}, {locale: fr}"
    write(mkdocs__yml=f"{URL}plugins: [i18n: {{languages: [{languages}]}}]\n")
    generate()
    entries = read(Path("site/sitemap.xml").read_bytes())
    assert not any(entry.alternates for entry in entries)
    build(folder / "site/de")
    for name in ("index", "a", "b"):
        Path(f"docs/{name}.de.md").write_text(f"# {name}")
    generate()
    for entry in read(Path("site/sitemap.xml").read_bytes()):
        assert entry.alternates.keys() == {"en", "de"}
