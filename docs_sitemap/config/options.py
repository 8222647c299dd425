"""All options: name, type, default, meaning, parser, and what messages call them.

The MkDocs plugin, the Sphinx extension, and the reference documentation use these
definitions.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, NamedTuple

from docs_sitemap.diagnostics import CommitDate, Described, ExclusionReason
from docs_sitemap.sitemap.protocol import ChangeFreq
from docs_sitemap.sitemap.urls import BaseUrl
from docs_sitemap.tools.suggestion import suggest

from .parsers import (
    DateFormat,
    LastmodChanges,
    Locale,
    PageRule,
    ShallowAction,
    parse_address,
    parse_bool,
    parse_changefreq,
    parse_choice,
    parse_dependencies,
    parse_fields,
    parse_filename,
    parse_files,
    parse_locales,
    parse_path,
    parse_patterns,
    parse_percentage,
    parse_priority,
    parse_reasons,
    parse_ref,
    parse_report,
    parse_repository_file,
    parse_rules,
    parse_sources,
    parse_text,
    parse_url_scheme,
)


class Option(NamedTuple):
    """One option. The docstring of `Options` has its type and its meaning.

    Attributes:
        name: The name in `Options`.
        default: The value if the user sets none.
        parse: Returns the typed value, or raises `ValueError`.
        mkdocs: The name in `mkdocs.yml`; `None` if the option does not exist there.
        sphinx: The name in `conf.py`; `None` if the option does not exist there.
    """

    name: str
    default: Any
    parse: Callable[[Any], Any]
    mkdocs: str | None
    sphinx: str | None


# The names of options that only `generate` has.
_NO_PLUGIN = {"mkdocs": None, "sphinx": None}


class Options(NamedTuple):
    """The valid options of one sitemap. `read_options` makes them from the values of a
    user. The annotation of an option contains its parser, and its names in `mkdocs.yml`
    and `conf.py` that differ.

    Attributes:
        base_url (absolute URL): The address of the published site. MkDocs and Zensical
            use `site_url`. Sphinx uses `site_url` or, without it, `html_baseurl`.
        filename (file name): The name of the sitemap at the top level of the site.
        gzip (boolean): Write a compressed copy, `sitemap.xml.gz`, next to each file.
        lastmod (boolean): Write the last-modified date of each page, from git.
        lastmod_changes (`text` or `any`): What gives a page a new date: only changes
            that readers see, or every commit to its Markdown or reStructuredText file,
            as in `git log`.
        lastmod_date (`merged`, `committed`, or `authored`): Use the time when a change
            was merged into the published branch, committed, or written.
        lastmod_fields (list of keys of front matter): Use dates that authors set, in
            keys such as `updated`, instead of those from git. If a page has several, the
            first counts. `last_update.date` is the key `date` in the mapping
            `last_update`.
        lastmod_format (`datetime` or `date`): Write the date and time in UTC, or only
            the day.
        page_dates (boolean): Show readers the date of each page, as in the sitemap.
            `docs-sitemap generate` does not change pages.
        shallow (`warn`, `fetch`, or `error`): What to do if a shallow clone lacks the
            commits of some pages: log a notice, fetch the missing history, or fail.
        ignore_revs_file (path in the repository, or `false`): A list of commits to
            ignore, in the format of `git blame --ignore-revs-file`.
        dependencies (mapping from patterns of pages to lists of files): Additional
            source files of pages.
        ignore_dependencies (list of files): Detected source files that should not date
            pages.
        repository (path): The git repository of a site that is built from an exported
            tree.
        ref (text): The branch, tag, or commit of the exported tree.
        changefreq (`always`, `hourly`, `daily`, `weekly`, `monthly`, `yearly`, or `never`):
            How often pages change, unless a rule or the page sets its own value.
        priority (number from 0.0 to 1.0): The priority of pages within the site, unless
            a rule or the page sets its own value.
        rules (list of mappings): Set `changefreq` and `priority` of all pages that
            `match` a pattern. The first matching rule applies.
        exclude (list of patterns): Pages to leave out of the sitemap.
        include (list of patterns): Pages to list even if something excludes them, and
            other files, such as `files/*.pdf`.
        ignore_reasons (list of exclusion reasons): Reasons that should not exclude
            pages.
        template (path): Your own Jinja template.
        report (path of a `.json` file, or `false`): Also write the report of the build
            here. `false` saves no report at all.
        url_scheme (text that ends in `{link}`): The path between the base URL and each
            page. `{lang}` and `{version}` become the language and version with a slash,
            or nothing if they are not set.
        language (text): The value of `{lang}`. Sphinx uses `language` from `conf.py`,
            and MkDocs and Zensical the language of the theme.
        version (text): The value of `{version}`. Sphinx uses `version` from `conf.py`.
        locales (list of languages, or mapping from languages to their settings): The
            languages of the site. If they are built separately, each page is linked
            to its URLs in all of them. `hreflang` sets the language tag, and `path` the
            folder; an empty path is the root of the site.
        x_default (one of the languages): The language for readers of all other
            languages.
        robots (boolean): Add the sitemap to the `robots.txt` of the output if the site
            is at the root of its host.
        sources (mapping from pages to files or folders): The source files of pages.
        source_dir (path): The only folder in which paths and words find source files.
        clean_urls (boolean): List `guide.html` as `guide`, unless its canonical link or
            a sitemap has another URL.
        min_dated (number from 0 to 100): The percentage of listed pages that must have
            a date.
    """  # noqa: E501

    base_url: Annotated[
        BaseUrl | None, parse_address, {"mkdocs": None, "sphinx": "site_url"}
    ] = None
    filename: Annotated[str, parse_filename] = "sitemap.xml"
    gzip: Annotated[bool, parse_bool] = True
    lastmod: Annotated[bool, parse_bool, {"sphinx": "sitemap_show_lastmod"}] = True
    lastmod_changes: Annotated[LastmodChanges, parse_choice(LastmodChanges)] = (
        LastmodChanges.TEXT
    )
    lastmod_date: Annotated[CommitDate, parse_choice(CommitDate)] = CommitDate.MERGED
    lastmod_fields: Annotated[tuple[str, ...], parse_fields] = ()
    lastmod_format: Annotated[DateFormat, parse_choice(DateFormat)] = (
        DateFormat.DATETIME
    )
    page_dates: Annotated[bool, parse_bool] = False
    shallow: Annotated[ShallowAction, parse_choice(ShallowAction)] = ShallowAction.WARN
    ignore_revs_file: Annotated[str, parse_repository_file] = ".git-blame-ignore-revs"
    dependencies: Annotated[
        tuple[tuple[str, tuple[str, ...]], ...], parse_dependencies
    ] = ()
    ignore_dependencies: Annotated[tuple[str, ...], parse_files] = ()
    repository: Annotated[str | None, parse_path] = None
    ref: Annotated[str, parse_ref] = "HEAD"
    changefreq: Annotated[ChangeFreq | None, parse_changefreq] = None
    priority: Annotated[float | None, parse_priority] = None
    rules: Annotated[tuple[PageRule, ...], parse_rules] = ()
    exclude: Annotated[
        tuple[str, ...], parse_patterns, {"sphinx": "sitemap_excludes"}
    ] = ()
    include: Annotated[tuple[str, ...], parse_patterns] = ()
    ignore_reasons: Annotated[tuple[ExclusionReason, ...], parse_reasons] = ()
    template: Annotated[str | None, parse_path] = None
    report: Annotated[str | Literal[False] | None, parse_report] = None
    url_scheme: Annotated[str, parse_url_scheme, {"mkdocs": None}] = "{link}"
    language: Annotated[str, parse_text, _NO_PLUGIN] = ""
    version: Annotated[str, parse_text, _NO_PLUGIN] = ""
    locales: Annotated[tuple[Locale, ...], parse_locales] = ()
    x_default: Annotated[str, parse_text] = ""
    robots: Annotated[bool, parse_bool] = False
    sources: Annotated[tuple[tuple[str, str], ...], parse_sources, _NO_PLUGIN] = ()
    source_dir: Annotated[str | None, parse_path, _NO_PLUGIN] = None
    clean_urls: Annotated[bool, parse_bool, _NO_PLUGIN] = False
    min_dated: Annotated[float | None, parse_percentage, _NO_PLUGIN] = None


def _collect_options() -> Iterator[Option]:
    for name, declared in Options.__annotations__.items():
        parse, *others = declared.__metadata__
        names = {"mkdocs": name, "sphinx": f"sitemap_{name}"}
        names.update(*others)
        yield Option(name, Options._field_defaults[name], parse, **names)


OPTIONS = tuple(_collect_options())
"""All options, in the order of the reference."""

PLUGIN_NAMES: Mapping[str, str] = {
    option.mkdocs: option.name for option in OPTIONS if option.mkdocs is not None
}
"""The options of the MkDocs plugin, with their names in `Options`."""


def describe_unknown_option(name: str, names: Collection[str]) -> str:
    """Return what is wrong with a name that is none of those of the options."""
    similar = suggest(name, names) or ", ".join(names)
    return f"there is no such option. Fix: use {similar} instead."


@dataclass(frozen=True, slots=True)
class OptionNames:
    """The names of options in messages.

    Attributes:
        texts: What a sentence calls each option, by its name in `Options`.
        false: How users of the generator write the value `False`.
        sources_option: The option that names the sources of a page without any.
    """

    texts: Mapping[str, str]
    false: str
    sources_option: str = "dependencies"

    def __getitem__(self, option: str) -> str:
        """Return what a sentence calls an option: `the option lastmod`, or
        `sitemap_show_lastmod` in Sphinx.
        """
        return self.texts[option]

    def describe(self, described: Described) -> str:
        """Return the meaning of a slug."""
        return described.meaning.format_map(self.texts)


OPTION_NAMES = OptionNames(
    {option.name: f"the option {option.name}" for option in OPTIONS}, "false"
)
"""The names in `mkdocs.yml`, in `docs-sitemap.toml`, and for other integrations."""

ANY_SITE_NAMES = replace(OPTION_NAMES, sources_option="sources")
"""The names for `docs-sitemap generate`."""

SPHINX_NAMES = OptionNames(
    {option.name: option.sphinx or option.name for option in OPTIONS}, "False"
)
"""The names in `conf.py`."""


def names_for(generator: Literal["sphinx", "any"] | None) -> OptionNames:
    """Return the names for the users of a generator."""
    match generator:
        case "sphinx":
            return SPHINX_NAMES
        case "any":
            return ANY_SITE_NAMES
    return OPTION_NAMES
