"""The texts of the reference pages that are not in the code: introductions, examples,
links.
"""

# For search engines and link previews: at most 155 characters.
DESCRIPTIONS = {
    "options": (
        "All options for mkdocs.yml, zensical.toml, conf.py, and docs-sitemap.toml, "
        "with their types, defaults, and examples."
    ),
    "front-matter": (
        "Set sitemap values in the front matter or metadata of a page, in Markdown, "
        "reStructuredText, and notebooks."
    ),
    "command-line": (
        "The commands check, compare, explain, generate, index, report, and submit of "
        "docs-sitemap, with all options and exit codes."
    ),
    "json": (
        "The JSON output of check, explain, compare, index, and report, and the format "
        "of the saved report."
    ),
    "messages": (
        "Why a page is left out or has no date, and what each finding of check and each "
        "type of warning means."
    ),
    "python-api": (
        "Build a sitemap from your own generator, with an example and everything you "
        "can import from docs_sitemap."
    ),
}

OPTIONS_INTRODUCTION = """\
# Options

You need none of these: once your site has an address, the defaults fit most sites. To change one, set
it below the plugin in MkDocs, ProperDocs, and Zensical, or in `conf.py` in Sphinx. For
[any other generator](../guides/any-generator.md), use `docs-sitemap.toml` or the table
`[tool.docs-sitemap]` in `pyproject.toml`:

```yaml
# mkdocs.yml
plugins:
  - sitemap:
      gzip: false
```

```python
# conf.py
sitemap_gzip = False
```

```toml tab="Any generator"
# docs-sitemap.toml
gzip = false
```

In `zensical.toml`, the table is `[project.plugins.sitemap]`. The headings are the names in all files
but `conf.py`. Paths are relative to the folder of the configuration file unless the type says
otherwise. Where a list is expected, strings are split at commas. Invalid options stop the build at once,
and the error lists all of them."""

# All options, by what they change, in the order of the page.
OPTION_GROUPS: dict[str, list[str]] = {
    "Address": ["base_url", "url_scheme", "language", "version"],
    "Dates": [
        "lastmod",
        "lastmod_changes",
        "lastmod_date",
        "lastmod_fields",
        "lastmod_format",
        "page_dates",
        "shallow",
    ],
    "Commits and sources": [
        "ignore_revs_file",
        "dependencies",
        "ignore_dependencies",
        "repository",
        "ref",
    ],
    "Pages and their values": [
        "exclude",
        "include",
        "ignore_reasons",
        "rules",
        "changefreq",
        "priority",
    ],
    "Languages": ["locales", "x_default"],
    "Output": ["filename", "gzip", "robots", "template", "report"],
    "Only for docs-sitemap generate": [
        "sources",
        "source_dir",
        "clean_urls",
        "min_dated",
    ],
}

_PATTERNS = "See [Patterns](../guides/select-pages.md#patterns)."
_DEPENDENCIES = "See [Generated pages](../guides/generated-pages.md)."
_EXPORTED = "See [Exported trees](../guides/ci-and-hosting.md#exported-trees)."

OPTION_NOTES = {
    "base_url": (
        "If it is not set, Sphinx on Read the Docs uses `READTHEDOCS_CANONICAL_URL`, "
        "and `docs-sitemap generate` finds the address in the site."
    ),
    "filename": "The parts of a split sitemap are numbered: `sitemap-1.xml`, …",
    "lastmod": "See [How dates are found](../explanation/dates.md).",
    "lastmod_changes": """\
See [What readers see](../explanation/dates.md#what-readers-see). Use `any` to
[verify each date](../explanation/dates.md#verify-a-date) with `git log`.""",
    "lastmod_date": """\
`merged` is when [readers could see the change](../explanation/dates.md#when-readers-could-see-a-change),
`committed` is the committer date, and `authored` the author date.""",
    "lastmod_fields": (
        "`sitemap: lastmod` in the page takes precedence. See "
        "[Dates that authors set](../guides/page-values.md#dates-that-authors-set)."
    ),
    "page_dates": "See [Show when a page was last updated](../guides/page-dates.md).",
    "shallow": (
        "The notice does not make a strict build fail. See "
        "[CI and hosting](../guides/ci-and-hosting.md)."
    ),
    "ignore_revs_file": """\
A commit that only reformats files shouldn't make a page newer. List such commits in
`.git-blame-ignore-revs` at the top of your repository, which GitHub and GitLab read, too:

```text
# Format all files
0123456789abcdef0123456789abcdef01234567
```

List the commits themselves, not the merge of their branch, and commit the file. A commit that adds a
file still dates that file. If a line is neither a full hash nor a comment, no page has a date, and a
warning shows the line.""",
    "dependencies": _DEPENDENCIES,
    "sources": "See [Set the sources](../guides/any-generator.md#set-the-sources).",
    "ignore_dependencies": (
        "See [Leave out files](../guides/generated-pages.md#leave-out-files)."
    ),
    "repository": _EXPORTED,
    "ref": _EXPORTED,
    "rules": (
        "See [Set `lastmod`, `changefreq`, and `priority`](../guides/page-values.md)."
    ),
    "exclude": _PATTERNS,
    "include": "See [Include pages](../guides/select-pages.md#include-pages).",
    "ignore_reasons": "See [Messages](messages.md#why-a-page-is-left-out).",
    "template": "See [Your own template](../guides/change-what-is-written.md#your-own-template).",
    "report": (
        "A report in the output folder is published with the site. "
        "See [Save the report](../guides/explain-a-page.md#save-the-report)."
    ),
    "locales": (
        "In Sphinx, the default is the languages with catalogs in `locale_dirs`, and "
        "`[None]` turns the links off. See [Languages](../guides/languages.md)."
    ),
    "x_default": (
        "See [The page for all other "
        "readers](../guides/languages.md#the-page-for-all-other-readers)."
    ),
    "robots": "See [Add the sitemap to robots.txt](../guides/robots.md).",
    "url_scheme": (
        'With `html_baseurl = "https://example.org/"`, `"{lang}{version}{link}"` gives '
        "URLs such as `https://example.org/en/1.0/page.html`. Sphinx doesn't add this "
        "path to canonical links, so prefer the complete address in `html_baseurl`."
    ),
}

FRONT_MATTER_INTRODUCTION = """\
# Front matter and metadata

Set values for one page in its front matter. This works in Markdown for MkDocs and for Sphinx with
MyST, and for [any other generator](../guides/any-generator.md) in all files with YAML or TOML:

```yaml
---
sitemap:
  changefreq: monthly
  priority: 0.8
---
```

In reStructuredText, write fields such as `:sitemap-priority: 0.8` at the top of the document."""

# By key: the value (empty if the option with the same name describes it), and the
# meaning.
FRONT_MATTER = {
    "exclude": ("`true` or `false`", "`true` excludes the page. `false` includes it."),
    "lastmod": (
        "date (`2026-05-31`) or timestamp (`2026-05-31T08:30:00+02:00`)",
        "Replaces the date from git. A timestamp without a time zone is in UTC.",
    ),
    "changefreq": ("", "How often the page is likely to change."),
    "priority": ("", "The priority of the page within the site."),
    "dependencies": (
        "paths or patterns, relative to the folder of the configuration file",
        "Additional source files: see [Generated pages](../guides/generated-pages.md).",
    ),
    "ignore-dependencies": (
        "the same",
        "Detected source files that should not date the page.",
    ),
}

FRONT_MATTER_NOTES = """\
`sitemap: false` is short for `exclude: true`, and `sitemap: true` for `exclude: false`. In
reStructuredText, write `:sitemap: false` and separate dependencies with commas.

Quote dates in MyST (`lastmod: "2026-05-31"`): versions before 5 can't read unquoted ones here.

## Notebooks

MyST-NB reads the same keys from the metadata of a notebook:

```json
{"metadata": {"sitemap": {"priority": 0.8}}}
```

mkdocs-jupyter and nbsphinx don't pass it on. Use the options [`exclude`](options.md#exclude) and
[`rules`](options.md#rules) instead."""

COMMAND_LINE_INTRODUCTION = """\
# Command line

`pip install docs-sitemap` [installs](../getting-started.md#install) the command, too. `--help` after a
command also shows examples and the [options of several commands](#options-of-several-commands)."""

SHARED_OPTIONS = "## Options of several commands"

COMMAND_LINE_NOTES = """\
## Exit codes

Every command exits with 2 if its arguments are invalid or its output cannot be written, and with 70
if docs-sitemap itself fails.

## Colors

Output to a terminal is colored. `NO_COLOR` turns colors off, and `FORCE_COLOR` colors files and pipes,
too."""

JSON_INTRODUCTION = """\
# JSON formats

Each command prints one document. The examples come from a small site and leave out empty values. A
JSON Schema next to each explains every key. Later versions may add keys. If the meaning of a key
changes, so does `version`."""

SAVED_REPORT = """\
Every build saves a report for `explain` and `check`:

- on your machine, in `reports` in your cache folder (on Linux, `~/.cache/docs-sitemap`)
- in CI (`CI` is set), in `.cache/docs-sitemap/reports` at the top of the repository, where git ignores it
- in `reports` in the folder `DOCS_SITEMAP_CACHE_DIR`, if you set this variable; if it is empty, nowhere

MkDocs and `docs-sitemap generate` cache dates there, too, in CI only with `DOCS_SITEMAP_CACHE_DIR`.
Nothing else is written outside the project. The newest 100 reports are kept.

The option [`report`](options.md#report) writes a copy, or with `false` no report at all. Then `check` may
report pages as `missing` that the build excluded on purpose. The same commit gives the same report."""

MESSAGES_INTRODUCTION = """\
# Messages

Look up a code here, or run `docs-sitemap explain not-found` to see its fix, too. For one page, run
`docs-sitemap explain site page.md`."""

EXCLUSION_REASONS = """\
## Why a page is left out

If several reasons apply, the first in this list is reported. See
[What is left out](../guides/select-pages.md#what-is-left-out)."""

# With the reasons that are not accepted.
IGNORED_REASONS = """\
[`include`](options.md#include) and `sitemap: true` in the page list it anyway, except for {firm}.
[`ignore_reasons`](options.md#ignore_reasons) accepts all but {not_ignorable}."""

DATE_STATUSES = """\
## Where a date comes from, or why a page has none

The verbose log (`mkdocs build --verbose`, `sphinx-build -v`) and the saved report show it for each page. Here is
[how to get a date](../guides/if-something-looks-wrong.md#a-page-has-no-date)."""

CHECK_CODES = """\
## What check reports

Errors break a rule of the protocol or make search engines drop a URL. Warnings may be intended and fail only with
`--strict`. Notices never fail. `--ignore CODE` silences what is fine for you."""

WARNINGS = """\
## Warnings of a build

Follow the warning, or silence its type in Sphinx (MkDocs cannot do that):

```python
# conf.py
suppress_warnings = ["sitemap.git"]
```

`"sitemap"` silences all. A shallow clone and a missing address are only
[notices](../guides/ci-and-hosting.md#strict-builds)."""

PYTHON_API_INTRODUCTION = """\
# Python API

Give your own generator accurate sitemaps, if it knows the sources of its pages. For a finished site, you need no code:
run [`docs-sitemap generate`](../guides/any-generator.md).

Describe each page, then call `build_sitemap` after the build. Here, each HTML file is dated by the `.txt` file with the
same name in `content`:

```python
from pathlib import Path

from docs_sitemap import BuildResult, Page, Site, Source
from docs_sitemap import build_sitemap, quote_path, read_options

def write_sitemap(site: Path, content: Path, base_url: str) -> BuildResult:
    pages = []
    for output in site.rglob("*.html"):
        path = output.relative_to(site)
        url = quote_path(path.as_posix())
        if path.name == "index.html":
            url = url.removesuffix("index.html")
        source = content / path.with_suffix(".txt")
        pages.append(
            Page(
                url=url,
                name=path.as_posix(),
                output=str(output),
                sources=(Source(str(source.absolute())),) if source.exists() else (),
                generator_page=path.name == "404.html",
            )
        )
    options = read_options({"base_url": base_url, "changefreq": "weekly"})
    result = build_sitemap(Site(pages=pages, options=options, out_dir=site))
    for diagnostic in result.diagnostics:
        print(f"{diagnostic.severity}: {diagnostic.message}")
    print(result.summary)
    return result
```

A problem with a page, git, or a template raises no exception: log `BuildResult.diagnostics`. Log notices as information
so that strict builds don't fail.

Import everything below from `docs_sitemap`. Other modules and members may change."""

# Integrations need these parameters of functions and members of classes. The others may
# change.
FUNCTIONS = {
    "build_sitemap": (
        ["site"],
        "Build the sitemap of a site. Raises `ShallowError` if the option `shallow` is "
        "`error` and the clone lacks commits.",
    ),
    "parse_base_url": (
        ["text"],
        "Validate and encode the address of a site, for `Site.languages`. Raises "
        "`UrlError`.",
    ),
    "quote_path": (
        ["path"],
        "Percent-encode a path with `/` as separator, for the `url` of a page. Call it "
        "once: `%`, `?`, and `#` are encoded, too.",
    ),
    "read_options": (
        ["values", "folder"],
        "Read options as your users write them, with the names in the headings of "
        "[Options](options.md). `None` means the default, and paths are relative to "
        "the folder. Raises one `OptionError` with all invalid values.",
    ),
    "remove_sitemap": (
        ["options", "out_dir"],
        "Remove the sitemap of an earlier build if this build cannot write one. Log "
        "the diagnostics that it returns.",
    ),
}
PUBLIC_MEMBERS = {
    "BuildResult": [
        "listed",
        "excluded",
        "files",
        "diagnostics",
        "summary",
        "details",
    ],
    "Entry": ["page", "reason", "detail", "lastmod", "loc", "url"],
    "Page": [
        "url",
        "name",
        "output",
        "sources",
        "overrides",
        "front_matter",
        "generator_page",
        "canonicals",
        "is_translated",
        "ran_code",
        "unknown_because",
    ],
    "Site": [
        "pages",
        "options",
        "out_dir",
        "root",
        "history",
        "edit_url",
        "languages",
        "is_owner",
        "is_preview",
    ],
    "Source": ["path", "role", "is_optional"],
}

# Shorter than their docstrings, or with links.
OTHER_NAMES = {
    "Alternate": "A page in another language: `hreflang` and `href`.",
    "DateStatus": (
        "[Where a date comes from](messages.md#where-a-date-comes-from-or-why-a-page-has-none), "
        "or why it is unknown."
    ),
    "ExclusionReason": "[Why a page is left out](messages.md#why-a-page-is-left-out).",
    "Diagnostic": (
        "A `message` with the fix, its `severity`, its `code`, such as `git`, and its "
        "`page`, if it is about one."
    ),
    "History": "`History(cache_dir)` keeps what it finds for later builds.",
    "Lastmod": (
        "The date of a page: `value` (a day, a timestamp in UTC, or `None`), its "
        "`status`, and the `commit` and `source` that it comes from."
    ),
    "OptionError": (
        "Some options are invalid. `errors` has the name and reason of each."
    ),
    "Options": "What `read_options` returns.",
    "Url": (
        "What the sitemap contains for a page: `loc`, `lastmod`, `changefreq`, and "
        "`priority`, as unescaped text, and `alternates`."
    ),
}
